"""Tables of the arguments and outputs of one program, for the loops of calling/entry_loops.py."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.process.named_tuples import NamedTuple
from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import (
    CLEAR_OUTPUTS,
    DROP_ARRAYS,
    DROP_OUTPUTS,
    HOLD_ARRAYS,
    TAKE_ARGUMENTS,
    WRAP_OUTPUTS,
)
from ..llvm.types import Register
from ..llvm.writer import Writer
from .entry_loops import ANY_SIZE, ARGUMENT


class TakenArgument(NamedTuple):
    """A tensor that is an argument: its number, where its dtype stands in the context and its array
    in the frame (in words), its sizes.
    """

    number: int
    dtype: int
    word: int
    sizes: tuple[int | None, ...]


class ArgumentTable:
    """Writes what an entry does with arguments."""

    def __init__(self, w: Writer, texts: FunctionTexts, arguments: Sequence[TakenArgument]) -> None:
        self._w = w
        self._count = str(len(arguments))
        self._notes = w.stack(f"[{len(arguments)} x ptr]", 8)
        rows, sizes = list[int](), list[int]()
        begin = len(arguments) * ARGUMENT.bytes
        for one in arguments:
            place = begin + 8 * len(sizes)
            rows += [one.number, 8 * one.dtype, 8 * one.word, len(one.sizes), place]
            sizes += [ANY_SIZE if size is None else size for size in one.sizes]
        texts.lines.append(_constant("@tm.arguments", [*rows, *sizes]))

    def take(self, frame: Register) -> Register:
        """Check them, and put them into the frame; whether all were as they should be."""
        given = ("%context", "%args", frame, "@tm.arguments", self._count, self._notes)
        return self._w.invoke(TAKE_ARGUMENTS, *given)

    def hold(self) -> None:
        """Keep their arrays while the program runs."""
        self._w.invoke(HOLD_ARRAYS, self._notes, self._count)

    def drop(self) -> None:
        """Afterwards."""
        self._w.invoke(DROP_ARRAYS, self._notes, self._count)


class OutputTable:
    """Writes what an entry does with outputs, whose arrays stand in these words of the frame."""

    def __init__(self, w: Writer, texts: FunctionTexts, words: dict[int, int]) -> None:
        self._w = w
        self._count = str(len(words))
        rows = [number for one, word in words.items() for number in (8 * word, one)]
        texts.lines.append(_constant("@tm.outputs", rows))

    def clear(self, frame: Register) -> None:
        """None is made yet."""
        self._w.invoke(CLEAR_OUTPUTS, frame, "@tm.outputs", self._count)

    def wrap(self, frame: Register, items: Register) -> Register:
        """Put tensors into a tuple; whether there was memory for them."""
        return self._w.invoke(WRAP_OUTPUTS, "%context", frame, items, "@tm.outputs", self._count)

    def drop(self, frame: Register) -> None:
        """Give those up that are made."""
        self._w.invoke(DROP_OUTPUTS, frame, "@tm.outputs", self._count)


def _constant(name: str, numbers: Sequence[int]) -> str:
    shown = ", ".join([f"i64 {number}" for number in numbers])
    return f"{name} = internal constant [{len(numbers)} x i64] [{shown}]"
