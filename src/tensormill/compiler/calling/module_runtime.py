"""What is around a program that `general.py` calls: it reads the inputs, and calls Python back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import RELEASE_KEPT, Prototype
from ..llvm.writer import Writer
from ..loops.ir import NativeCall, Program, Statement
from ..loops.walk import blocks
from ..lowered import Lowered
from ..native import interrupts
from . import object_layouts, shared_calls
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
        if isinstance(statement, NativeCall):
            found[statement.function] = statement
        pending.extend(chain.from_iterable(blocks(statement)))
    return found


def is_callback(name: str) -> bool:
    """Whether a program calls Python by this name."""
    return name.startswith("tm_callback_")


def add_general_functions(
    texts: FunctionTexts,
    lowered: Lowered,
    layout: FrameLayout,
    program: Prototype,
    callbacks: Iterable[str],
    polls: bool = False,
) -> None:
    """What a program that is not plain needs; `callbacks`: the names of those that it calls."""
    w = Writer()
    for _, word, unknown in lowered.unpacked_inputs if object_layouts.are_known() else []:
        _unpack(w, word, unknown)
    w.do(f"ret i32 {w.invoke(program, '%frame')}")
    texts.add(w, _MAIN, "frame")
    w = Writer()
    w.invoke(RELEASE_KEPT, "%frame")
    w.do("ret void")
    texts.add(w, _RELEASE, "frame")
    texts.packed.update(dict.fromkeys(callbacks, shared_calls.callback(layout)))
    if polls:
        interrupts.add_general(texts, layout.polled, layout.context)


def _unpack(w: Writer, word: int, unknown: Sequence[int]) -> None:
    """Replace the address of an input, an array object, by those of its memory, and its sizes."""
    at = w.word("%frame", word)
    array = w.load("ptr", at)
    w.store("ptr", w.get(array, ARRAY, "data"), at)
    sizes = w.get(array, ARRAY, "sizes")
    for position, axis in enumerate(unknown, 1):
        w.store("i64", w.load("i64", w.word(sizes, axis)), w.word(at, position))
