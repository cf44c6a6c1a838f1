"""What is around a program that `general.py` calls: it reads the inputs, and calls Python back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import GIVE_LOCK_BACK, RELEASE_KEPT, TAKE_LOCK, Prototype
from ..llvm.words import store
from ..llvm.writer import Writer
from ..loops.ir import Choice, For, NativeCall, Program, Repeat, Statement
from ..lowered import FAILED, Lowered
from ..native import interrupts
from . import object_layouts
from .frame import FrameLayout
from .object_layouts import ARRAY

# By these names Python runs a program, and gives back what it kept.
_MAIN: Final = Prototype("main", "i32", ("ptr",))
_RELEASE: Final = Prototype("release", "void", ("ptr",))


def calls_of(program: Program) -> dict[str, NativeCall]:
    """One call of each native function that a program calls, by its name."""
    found: dict[str, NativeCall] = {}
    pending: list[Statement] = list(program.body)
    while pending:
        statement = pending.pop()
        match statement:
            case NativeCall(function=function):
                found[function] = statement
            case For(body=body):
                pending.extend(body)
            case Repeat(before=before, body=body):
                pending.extend((*before, *body))
            case Choice(then=then, otherwise=otherwise):
                pending.extend((*then, *otherwise))
            case _:
                pass
    return found


def callback_types(calls: dict[str, NativeCall]) -> dict[str, tuple[str, ...]]:
    """The LLVM types of the words that each callback passes."""
    return {
        name: tuple("ptr" if one.type == "ptr" else "i64" for one in call.arguments[2:])
        for name, call in calls.items()
        if name.startswith("tm_callback_")
    }


def add_general_functions(
    texts: FunctionTexts,
    lowered: Lowered,
    layout: FrameLayout,
    program: Prototype,
    callbacks: dict[str, tuple[str, ...]],
    polls: bool = False,
) -> None:
    """What a program that is not plain needs; `callbacks`: the LLVM types of what each passes."""
    w = Writer()
    for _, word, unknown in lowered.unpacked_inputs if object_layouts.are_known() else []:
        _unpack(w, word, unknown)
    w.do(f"ret i32 {w.invoke(program, '%frame')}")
    texts.add(w, _MAIN, "frame")
    w = Writer()
    w.invoke(RELEASE_KEPT, "%frame")
    w.do("ret void")
    texts.add(w, _RELEASE, "frame")
    for name, types in sorted(callbacks.items()):
        _add_callback(texts, name, types, layout)
    if polls or callbacks:
        interrupts.add_signals(texts, layout.error + 1, FAILED)
    if polls:
        interrupts.add_general(texts, layout.polled)


def _unpack(w: Writer, word: int, unknown: Sequence[int]) -> None:
    """Replace the address of an input, an array object, by those of its memory, and its sizes."""
    at = w.word("%frame", word)
    array = w.load("ptr", at)
    w.store("ptr", w.get(array, ARRAY, "data"), at)
    sizes = w.get(array, ARRAY, "sizes")
    for position, axis in enumerate(unknown, 1):
        w.store("i64", w.load("i64", w.word(sizes, axis)), w.word(at, position))


def _add_callback(
    texts: FunctionTexts, name: str, types: tuple[str, ...], layout: FrameLayout
) -> None:
    """Hand words over to Python's callback, whose address is in the frame's context word."""
    w = Writer()
    names = [f"w{number}" for number in range(len(types))]
    words = w.stack(f"[{max(len(types), 1)} x i64]", 8)
    store(w, words, [(type_, f"%{one}") for type_, one in zip(types, names, strict=True)])
    callback = w.load("ptr", w.word("%frame", layout.context))
    done = w.word("%frame", layout.done)
    w.store("i64", "0", done)
    lock = w.invoke(TAKE_LOCK)
    raised = w.invoke(interrupts.SIGNALS, "%frame")  # else they came before Python's `try`
    w.branch(w.line(f"icmp eq i64 {raised}, 0"), "go", "after")
    w.begin("go")
    w.do(f"call void {callback}(i64 %number, ptr {words}, ptr %frame)")
    w.jump("after")
    w.begin("after")
    w.invoke(GIVE_LOCK_BACK, lock)
    w.do(f"ret i64 {w.load('i64', done)}")
    function = Prototype(name, "i64", ("ptr", "i64", *types), internal=True)
    texts.add(w, function, "frame", "number", *names)
