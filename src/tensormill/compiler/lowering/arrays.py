"""Tensors inside of a compiled function: stored, computed where they are used, or in registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.functions import cost_of
from ..loops.ir import Apply, Buffer, Expression, Literal, Load, Local
from ..loops.walk import parts
from .scalars import SCALARS, Scalar, literal, size_expression

Size = int | Scalar
Element = Callable[..., Scalar]
# How much comes before each axis, and how long it is with that and what comes after it: numbers.
Margins = tuple[tuple[Size, ...], tuple[Size, ...]]

MANY_COPIES = 64
_PROBE = "probe"  # the name of an index, or of an element, that is only looked at


class Array:
    """A tensor of known rank. Exactly one of `buffer`, `registers`, `element` says where it is.

    `cost` is what computing one element anew takes, `length` how many functions that applies,
    `depth` how many arrays it goes through, `copies` how often its index is in the expression that
    is pulled, were it written out (an index that reflects names its own three times, a gather of
    itself pulls itself twice: powers of that), `reads` which state buffers that looks at (True:
    only at the element's own place). `padded` are copies of it with margins, by what these are.
    Forcing an array (lowering/emitter.py) stores it, and whoever
    pulls from it afterwards loads instead of computing.
    """

    __slots__ = (
        "__weakref__",
        "buffer",
        "constant",
        "copies",
        "cost",
        "data",
        "depth",
        "dtype",
        "element",
        "length",
        "padded",
        "pending",
        "probe",
        "reads",
        "registers",
        "shape",
        "sources",
    )

    def __init__(
        self,
        dtype: DType,
        shape: Sequence[Size],
        probe: Probe,
        *,
        buffer: Buffer | None = None,
        registers: tuple[Scalar, ...] | None = None,
        element: Element | None = None,
        constant: np.ndarray[Any, Any] | None = None,
        data: Buffer | None = None,
    ) -> None:
        self.dtype = dtype
        self.shape: tuple[Size, ...] = tuple(shape)
        self.probe = probe
        self.buffer = buffer
        self.registers = registers
        self.element = element
        self.constant = constant
        self.data = data  # the same numbers as `registers`, for an index that only run time knows
        self.cost = 0
        self.length = 0
        self.depth = 0
        self.copies = 1
        self.pending: Callable[[Array], None] | None = None  # scatters into a copy of itself
        self.sources: tuple[Array, ...] = ()  # what `pending` pulls from
        self.reads: dict[Buffer, bool] = {}
        self.padded: Mapping[Margins, Buffer] = {}
        if buffer is not None and buffer.space == "state":
            self.look_at({buffer: True})

    @property
    def rank(self) -> int:
        return len(self.shape)

    def static_count(self) -> int | None:
        """The number of elements, where every size is known."""
        count = 1
        for size in self.shape:
            if not isinstance(size, int):
                return None
            count *= size
        return count

    def __getitem__(self, index: Any) -> Scalar:
        several = isinstance(index, (tuple, list))
        position: tuple[Any, ...] = tuple(index) if several else (index,)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        if len(position) != len(self.shape):
            raise IndexError(f"an array of rank {len(self.shape)} takes that many indices")
        if self.probe.touched is not None:
            return self.probe.touch(self, position)
        if self.registers is not None:
            return self._from_registers(position)
        if self.buffer is not None:
            indices = tuple(size_expression(one) for one in position)
            return Scalar(Load(self.buffer, indices), self.dtype)
        assert self.element is not None
        return self.element(*position)

    def _from_registers(self, position: tuple[Any, ...]) -> Scalar:
        """A run-time index chooses between the registers by comparisons: there are few.

        An index that is out of bounds gives any of them: a check beside it fails when it runs.
        """
        assert self.registers is not None
        if not position:
            return self.registers[0]
        if not self.registers:
            return literal(0, self.dtype)
        index = size_expression(position[0])
        if isinstance(index, Literal):
            within = min(max(int(index.value), 0), len(self.registers) - 1)
            return self.registers[within]
        if self.data is not None:
            last = literal(len(self.registers) - 1, dtypes.int64)
            place = Scalar(index, dtypes.int64)
            place = SCALARS.maximum(SCALARS.minimum(place, last), literal(0, dtypes.int64))
            return Scalar(Load(self.data, (place.expression,)), self.dtype)
        chosen = self.registers[-1]
        for number, one in reversed(list(enumerate(self.registers[:-1]))):
            same = Apply("eq", (index, Literal(number, "i64")), "bool")
            arguments: tuple[Expression, ...] = (same, one.expression, chosen.expression)
            chosen = Scalar(Apply("where", arguments, self.dtype.kept_as), self.dtype)
        return chosen

    def become_stored(self, buffer: Buffer) -> None:
        """Load from `buffer` from now on; `probe.undo` takes it back."""
        self.probe.changes.append((self, self._state()))
        self.buffer, self.element, self.registers = buffer, None, None
        self.cost, self.length, self.depth, self.copies = 0, 0, 0, 1
        self.look_at({buffer: True} if buffer.space == "state" else {})

    def become_part(self, margins: Margins, buffer: Buffer, element: Element) -> None:
        """Be pulled from `buffer`, which has all elements within those margins, as `element` does:
        from now on.
        """
        self.probe.changes.append((self, self._state()))
        self.padded = {**self.padded, margins: buffer}
        self.element = element
        self.probe.examine(self)

    def look_at(self, reads: dict[Buffer, bool]) -> None:
        """Say which state buffers computing an element looks at."""
        self.reads = reads
        for buffer in reads:
            self.probe.readers.setdefault(buffer, WeakValueDictionary())[id(self)] = self

    def _state(self) -> tuple[Any, ...]:
        """What `become_stored` and `become_part` change."""
        place = self.buffer, self.element, self.registers
        costs = self.cost, self.length, self.depth, self.copies
        return *place, *costs, self.padded, self.reads

    def restore(self, state: tuple[Any, ...]) -> None:
        """Be as `_state` said."""
        self.buffer, self.element, self.registers = state[:3]
        self.cost, self.length, self.depth, self.copies, self.padded, reads = state[3:]
        self.look_at(reads)

    def alias(self) -> Array:
        """The same elements; forcing the one does not force the other."""
        other = Array(
            self.dtype, self.shape, self.probe,
            buffer=self.buffer, registers=self.registers, element=self.element,
            constant=self.constant, data=self.data,
        )  # fmt: skip
        other.cost, other.length = self.cost, self.length
        other.depth, other.copies = self.depth, self.copies
        other.look_at(dict(self.reads))
        return other


class Probe:
    """What all arrays of a program share.

    It looks at what one element of a new array is made of, without inlining what that pulls,
    remembers which arrays were stored, in case the operation that did so must be given up, and
    knows for each state buffer who looks at it, or did.
    """

    __slots__ = ("changes", "readers", "touched")

    def __init__(self) -> None:
        self.touched: list[tuple[Array, tuple[Any, ...]]] | None = None
        self.changes: list[tuple[Array, tuple[Any, ...]]] = []
        self.readers: dict[Buffer, WeakValueDictionary[int, Array]] = {}

    def undo(self, mark: int) -> None:
        """Take back every change but the first `mark` ones."""
        while len(self.changes) > mark:
            array, state = self.changes.pop()
            array.restore(state)

    def touch(self, array: Array, position: tuple[Any, ...]) -> Scalar:
        assert self.touched is not None
        self.touched.append((array, position))
        return Scalar(Local(_PROBE, array.dtype.kept_as), array.dtype)

    def watch(self, rule: Callable[..., Any], indices: Sequence[Any]) -> tuple[Any, list[Any]]:
        """`rule(*indices)`, and the arrays that it pulls from, each with the position."""
        outer, self.touched = self.touched, []
        try:
            return rule(*indices), self.touched
        finally:
            self.touched = outer

    def examine(self, array: Array) -> None:
        """Fill in `cost`, `length`, `depth`, `copies` and `reads` of a computed array."""
        assert array.element is not None
        names = [Local(_PROBE, "i64") for _ in array.shape]
        indices = [Scalar(name, dtypes.int64) for name in names]
        scalar, touched = self.watch(array.element, indices)
        array.cost, array.length = _weighed(scalar.expression)
        reads: dict[Buffer, bool] = {}
        copies = 0
        for source, position in touched:
            copies += source.copies * max(map(_times_moving, position), default=1)
            array.cost += source.cost
            array.length += source.length
            array.depth = max(array.depth, source.depth + 1)
            same_place = len(position) == len(names) and all(
                isinstance(one, Scalar) and one.expression is name
                for one, name in zip(position, names, strict=True)
            )
            for buffer, pointwise in source.reads.items():
                reads[buffer] = reads.get(buffer, True) and pointwise and same_place
        array.look_at(reads)
        array.copies = max(copies, 1)


def _times_moving(index: Any) -> int:
    """How often an index names what changes from element to element; 1 where it does not."""
    found: dict[Expression, int] = {}

    def times(node: Expression) -> int:
        if node not in found:
            own = int(isinstance(node, Local) and node.name == _PROBE)
            found[node] = min(own + sum(map(times, parts(node))), MANY_COPIES)
        return found[node]

    return max(times(index.expression), 1) if isinstance(index, Scalar) else 1


def _weighed(expression: Expression) -> tuple[int, int]:
    """What one evaluation costs, but for the indices of what it pulls, and how long it is.

    Memory is what fusion saves: a load counts as nothing.
    """
    total, pending, seen = 0, [expression], set[Expression]()
    while pending:
        node = pending.pop()
        if not isinstance(node, Apply) or node in seen:
            continue
        seen.add(node)
        total += cost_of(node.function)
        pending.extend(node.arguments)
    return total, len(seen)


def same_size(a: Size, b: Size) -> bool:
    """Whether two sizes are known to be the same: equal literals, or one variable."""
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int) and a == b
    return a.expression is b.expression
