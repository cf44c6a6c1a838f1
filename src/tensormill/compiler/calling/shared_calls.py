"""What programs call to make outputs and to run Python: one copy for all, in a module of its own
(native/shared.py). Where a program's words lie in its frame, calls say (`Packed` in
llvm/function_texts.py); around that of the context they are in the same order in all (frame.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...config import settings
from ..llvm.function_texts import FunctionTexts, Packed
from ..llvm.prototypes import (
    CHECK_SIGNALS,
    DEC_REF,
    FETCH_ERROR,
    GIVE_LOCK_BACK,
    NORMALIZE_ERROR,
    RESTORE_THREAD,
    SAVE_THREAD,
    SIGNALS,
    TAKE_LOCK,
    Prototype,
)
from ..llvm.types import Register
from ..llvm.writer import Writer
from ..lowered import FAILED
from .entry_context import CONTEXT
from .frame import DONE, ERROR_VALUES, THREAD, FrameLayout
from .object_layouts import ARRAY

# Of the frame, the number of the step, the frame's word for the context, then how many words the
# step gets, and where these are.
_CALL_BACK: Final = Prototype("tm_call_back", "i64", ("ptr", "i64", "i64", "i64", "ptr"))
# Of the frame, its words for the context and the output, the context's word for the dtype, then the
# rank and the sizes: a new array, of which the data is given, or null. The second one is for
# programs that have given up Python's lock.
_TYPES: Final = ("ptr", "i64", "i64", "i64", "i64", "ptr")
_NEW_ARRAY: Final = Prototype("tm_new_array", "ptr", _TYPES)
_NEW_ARRAY_UNLOCKED: Final = Prototype("tm_new_array_unlocked", "ptr", _TYPES)


def add_outputs(
    texts: FunctionTexts, layout: FrameLayout, dtypes: Mapping[int, int], is_unlocked: bool
) -> None:
    """Say what makes outputs, by their numbers: it takes sizes. `dtypes` has the context's words
    for them.

    A short program that LLVM optimises gets a copy: a call of another module is 5 ns of 400.
    """
    function = _NEW_ARRAY_UNLOCKED if is_unlocked else _NEW_ARRAY
    if dtypes and settings.effort and not is_unlocked:
        function = _NEW_ARRAY._replace(internal=True)
        _add_new_array(texts, function)
    for number, dtype in dtypes.items():
        constants = layout.context, layout.outputs[number], dtype
        texts.packed[f"tm_output_{number}"] = Packed(function, 1, constants)


def callback(layout: FrameLayout) -> Packed:
    """What runs a step in Python: it takes the step's number, and words."""
    return Packed(_CALL_BACK, 2, (layout.context,))


def shared_calls() -> str:
    """The LLVM IR of all of them."""
    texts = FunctionTexts()
    _add_new_array(texts, _NEW_ARRAY)
    _add_new_array(texts, _NEW_ARRAY_UNLOCKED, is_unlocked=True)
    _add_call_back(texts)
    _add_signals(texts)
    return texts.text()


def _word(w: Writer, behind: int = 0) -> Register:
    """Where a word of the frame is that is so many behind the one for the context."""
    return w.word(w.word("%frame", "%context"), behind)


def _add_new_array(texts: FunctionTexts, function: Prototype, is_unlocked: bool = False) -> None:
    w = Writer()
    if is_unlocked:
        w.invoke(RESTORE_THREAD, w.load("ptr", _word(w, THREAD)))
    facts = w.load("ptr", _word(w))
    new, type_ = w.get(facts, CONTEXT, "new_array"), w.get(facts, CONTEXT, "array_type")
    kind = w.load("i32", w.word(facts, "%dtype"))
    rank = w.line("trunc i64 %rank to i32")
    array = w.line(
        f"call ptr {new}(ptr {type_}, i32 {rank}, ptr %sizes, i32 {kind}, "
        "ptr null, ptr null, i32 0, i32 0, ptr null)"
    )
    w.store("ptr", array, w.word("%frame", "%output"))
    if is_unlocked:
        w.store("ptr", w.invoke(SAVE_THREAD), _word(w, THREAD))
    w.branch(w.line(f"icmp eq ptr {array}, null"), "bad", "fine")
    w.begin("fine")
    w.do(f"ret ptr {w.get(array, ARRAY, 'data')}")
    w.begin("bad")
    w.do("ret ptr null")
    texts.add(w, function, "frame", "context", "output", "dtype", "rank", "sizes")


def _add_call_back(texts: FunctionTexts) -> None:
    """Hand words over to Python's callback, whose address is in the frame's context word."""
    w = Writer()
    callback = w.load("ptr", _word(w))
    done = _word(w, DONE)
    w.store("i64", "0", done)
    lock = w.invoke(TAKE_LOCK)
    raised = w.invoke(SIGNALS, "%frame", "%context")  # else they came before Python's `try`
    w.branch(w.line(f"icmp eq i64 {raised}, 0"), "go", "after")
    w.begin("go")
    w.do(f"call void {callback}(i64 %number, ptr %words, ptr %frame)")
    w.jump("after")
    w.begin("after")
    w.invoke(GIVE_LOCK_BACK, lock)
    w.do(f"ret i64 {w.load('i64', done)}")
    texts.add(w, _CALL_BACK, "frame", "number", "context", "count", "words")


def _add_signals(texts: FunctionTexts) -> None:
    """Called with Python's lock: 0, or an error number after it has put the exception (a reference
    to it) into the frame's first word for an error's values.
    """
    w = Writer()
    raised = w.invoke(CHECK_SIGNALS)
    w.branch(w.line(f"icmp ne i32 {raised}, 0"), "take", "fine")
    w.begin("fine")
    w.do("ret i64 0")
    w.begin("take")
    type_, value, trace = (w.stack("ptr", 8) for _ in range(3))
    w.invoke(FETCH_ERROR, type_, value, trace)
    w.invoke(NORMALIZE_ERROR, type_, value, trace)
    w.invoke(DEC_REF, w.load("ptr", type_))
    w.invoke(DEC_REF, w.load("ptr", trace))
    w.store("ptr", w.load("ptr", value), _word(w, -ERROR_VALUES))
    w.do(f"ret i64 {FAILED}")
    texts.add(w, SIGNALS, "frame", "context", hints="nounwind")
