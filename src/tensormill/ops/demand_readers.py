"""Who reads `demands` rules: tracing and eager execution; `compiled_demands.py` has the third."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, cast

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.specs import Known
from ..errors import InvalidArgumentError, ShapeMismatchError
from .demands import (
    UNKNOWN,
    Condition,
    Late,
    Size,
    Undecided,
    in_parentheses,
    worded,
)
from .scalar import NumpyScalars

NEGATIVE_SIZE: Final = "Dimension {} must be >= 0"
TOO_MANY: Final = "More than 2**63 - 1 elements: {}"


class DemandReader:
    """What all readers say in terms of the rest."""

    def compatible(
        self: Any, have: Sequence[Size], want: Sequence[Size | None], error: type[Exception],
        message: str, *values: Any,
    ) -> None:  # fmt: skip
        shapes = (in_parentheses(have), in_parentheses(want))
        self.require(len(have) == len(want), error, message, *values, *shapes)
        for one, other in zip(have, want, strict=True):
            if other is not None:
                self.require(self.equal(one, other), error, message, *values, *shapes)

    def possible_late(self: Any, shape: Sequence[Size]) -> tuple[Size, ...]:
        self.possible(shape)
        return tuple(shape)

    def refuse_late(self, error: type[Exception], message: str, *values: Any) -> None:
        raise error(worded(message, values))

    def require_early(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        return

    def are_same(self: Any, one: Sequence[Size], other: Sequence[Size]) -> Condition:
        is_so: Condition = len(one) == len(other)
        for size, wanted in zip(one, other, strict=False):
            is_so = self.equal(size, wanted) & is_so
        return is_so


class _Immediate(DemandReader):
    """What the two readers share that decide at once."""

    numpy_looks: ClassVar[bool] = False
    scalars: ClassVar[NumpyScalars] = NumpyScalars()

    @staticmethod
    def require(condition: Condition, error: type[Exception], message: str, *values: Any) -> None:
        if condition is UNKNOWN or condition:
            return
        raise error(worded(message, values))

    @staticmethod
    def equal(one: Size, other: Size) -> Condition:
        return one == other

    @staticmethod
    def steps(first: Any, last: Any, stride: Any) -> tuple[int, bool]:
        if first.dtype.kind in "iu":
            count = -(-abs(int(last) - int(first)) // abs(int(stride)))
        else:
            with np.errstate(over="ignore"):
                steps = np.ceil(abs((last - first) / stride))
            count = int(steps) if np.isfinite(steps) else 2**63
        return count, count < 2**63

    @staticmethod
    def choose(condition: Condition, one: Size, other: Size) -> Size:
        return UNKNOWN if condition is UNKNOWN else (one if condition else other)

    @staticmethod
    def minimum(one: Size, other: Size) -> Size:
        return UNKNOWN if one is UNKNOWN or other is UNKNOWN else min(one, other)

    @staticmethod
    def count(shape: Sequence[Size]) -> Size:
        return math.prod(shape)

    @staticmethod
    def is_countable(shape: Sequence[Size]) -> Condition:
        fits: Condition = math.prod(shape) < 2**62
        for size in shape:
            fits = (size >= 0) & fits
        return fits

    @staticmethod
    def possible(shape: Sequence[Size]) -> None:
        product: Any = 1
        for size in shape:
            if size is UNKNOWN:
                continue
            if size < 0:
                raise InvalidArgumentError(NEGATIVE_SIZE.format(size))
            product *= size
        if product >= 2**63:
            raise InvalidArgumentError(worded(TOO_MANY, (tuple(shape),)))


def _open_grid(shape: tuple[int, ...]) -> list[Any]:
    """The places of elements along each axis, which broadcast: a third of `np.ogrid`'s time."""
    after = [(1,) * (len(shape) - axis - 1) for axis in range(len(shape))]
    return [np.arange(n).reshape(-1, *ones) for n, ones in zip(shape, after, strict=True)]


class EagerSizes(_Immediate):
    """Reads demands on arrays."""

    numpy_looks = True

    @staticmethod
    def shapes(operands: Sequence[Any], message: str) -> Sequence[tuple[int, ...]]:
        return one_rank([x.shape for x in operands], message)

    @staticmethod
    def rank(x: Any) -> int:
        return x.ndim

    @staticmethod
    def all_known(*_: int) -> bool:
        return True

    @staticmethod
    def is_count(size: int) -> bool:
        return size >= 0

    @staticmethod
    def extent(width: int, first: int | None, last: int | None, step: int) -> int:
        return len(range(*slice(first, last, step).indices(width)))

    def are_same(self, one: Sequence[int], other: Sequence[int]) -> bool:
        return tuple(one) == tuple(other)

    @staticmethod
    def require_late(condition: bool, error: type[Exception], message: str, *values: Any) -> None:
        if not condition:
            raise error(worded(message, values))

    @staticmethod
    def common(
        shapes: Sequence[Sequence[int]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[int]:
        first = shapes[0]
        if shapes.count(first) != len(shapes):
            k = next(k for k, shape in enumerate(shapes) if shape != first)
            raise error(worded(message, (*values, first, k, shapes[k])))
        return first

    @staticmethod
    def shape(x: Any, rank: int | None = None) -> tuple[int, ...]:
        return x.shape

    @staticmethod
    def numbers(x: Any, count: int | None = None) -> tuple[int, ...]:
        found = x.tolist() if x.ndim < 2 else x.ravel().tolist()
        return tuple(found) if x.ndim else (found,)

    @staticmethod
    def dtype(x: Any) -> DType:
        return dtypes.as_dtype(x.dtype)

    @staticmethod
    def is_integer(x: Any) -> bool:
        return x.dtype.kind in "iu"

    @staticmethod
    def is_text(x: Any) -> bool:
        return x.dtype.kind == "O"

    @staticmethod
    def values(*operands: Any) -> tuple[Any, ...]:
        return tuple([x[()] for x in operands])

    @staticmethod
    def static(x: Any) -> Any:
        return x.tolist()

    @staticmethod
    def fixed(size: int, what: str) -> int:
        return size

    @staticmethod
    def alike(
        have: Sequence[int], want: Sequence[int], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        if tuple(have) != tuple(want):
            raise error(worded(message, (*values, tuple(have), tuple(want))))

    def compatible(
        self, have: Sequence[Size], want: Sequence[Size | None], error: type[Exception],
        message: str, *values: Any,
    ) -> None:  # fmt: skip
        if have != want:  # most shapes are known and the same, and a text takes time
            super().compatible(have, want, error, message, *values)

    @staticmethod
    def length(items: Any) -> int:
        return len(items)

    @staticmethod
    def state(handle: Any) -> Any:
        return handle.read()

    @staticmethod
    def declared(handle: Any) -> Sequence[int | None] | None:
        return handle.spec.shape.entries

    @staticmethod
    def each(
        x: Any, holds: Any, error: type[Exception], message: str, *values: Any, among: Any = (),
        placed: bool = False,
    ) -> None:  # fmt: skip
        if among and not all([one.size for one in among]):
            return
        good = holds(x, *_open_grid(x.shape)) if placed else holds(x)
        if np.count_nonzero(good) != x.size:  # a third of what `all` takes
            place = np.argwhere(np.logical_not(good))[0].tolist()
            raise error(worded(message, values, place, x[tuple(place)]))

    @staticmethod
    def each_row(x: Any, holds: Any, error: type[Exception], message: str, *values: Any) -> None:
        if not x.shape[-1]:
            return
        good = holds([x[..., k] for k in range(x.shape[-1])])
        if np.count_nonzero(good) != good.size:
            place = np.argwhere(np.logical_not(good))[0].tolist()
            raise error(worded(message, values, place, x[tuple(place)].tolist()))

    @staticmethod
    def each_pair(x: Any, holds: Any, error: type[Exception], message: str) -> None:
        if not holds(x[:-1], x[1:]).all():
            raise error(message)

    @staticmethod
    def every(x: Any, holds: Any) -> bool:
        return bool(holds(x).all())

    @staticmethod
    def text(arrays: Sequence[Any], most: int, told: Callable[[Any, int], str]) -> Late:
        return Late(lambda: " ".join([f"[{told(one, most)}]" for one in arrays]))

    @staticmethod
    def bound(x: Any) -> int:
        return max(int(x.max()) + 1, 0) if x.size else 0


class TracedSizes(_Immediate):
    """Reads demands on what is known while a function is traced."""

    def require_early(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        self.require(condition, error, message, *values)

    def shapes(self, operands: Sequence[Any], message: str) -> Sequence[tuple[Size, ...]]:
        ranks = [rank for rank in map(self.rank, operands) if rank is not UNKNOWN]
        rank = ranks[0] if ranks else None  # which others may well have
        return one_rank([self.shape(x, rank) for x in operands], message)

    @staticmethod
    def rank(x: Known) -> Size:
        rank = x.shape.rank
        return UNKNOWN if rank is None else rank

    @staticmethod
    def all_known(*sizes: Size) -> bool:
        return all(size is not UNKNOWN for size in sizes)

    @staticmethod
    def is_count(size: Size) -> bool:
        return size is not UNKNOWN and size >= 0

    @staticmethod
    def extent(width: Size, first: Size | None, last: Size | None, step: Size) -> Size:
        if any(number is UNKNOWN for number in (width, first, last, step)):
            return UNKNOWN
        return EAGER.extent(width, first, last, step)

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        first = shapes[0]
        for k, shape in enumerate(shapes):
            self.alike(first, shape, error, numbered(message, k), *values)
            pairs = zip(first, shape, strict=True)
            first = tuple([other if one is UNKNOWN else one for one, other in pairs])
        return first

    @staticmethod
    def alike(
        have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        differ = ((one == other) is False for one, other in zip(have, want, strict=False))
        if len(have) != len(want) or any(differ):
            raise error(worded(message, (*values, tuple(have), tuple(want))))

    @staticmethod
    def shape(x: Known, rank: int | None = None) -> tuple[Size, ...]:
        dims = x.shape.entries
        if dims is None:
            if rank is None:
                raise Undecided
            return (UNKNOWN,) * rank
        return tuple([UNKNOWN if size is None else size for size in dims])

    @staticmethod
    def dtype(x: Known) -> DType:
        return x.dtype

    @staticmethod
    def is_integer(x: Known) -> bool:
        return x.dtype.is_integer

    @staticmethod
    def is_text(x: Known) -> bool:
        return x.dtype is dtypes.string

    @staticmethod
    def numbers(x: Known, count: int | None = None) -> tuple[Size, ...]:
        numbers = x.sizes
        if numbers is None and x.value is not None:
            return tuple(x.value.ravel().tolist())
        if numbers is None:
            length = count or x.shape.num_elements()
            if length is None:
                raise Undecided
            return (UNKNOWN,) * length
        return tuple([UNKNOWN if one is None else one for one in numbers])

    @staticmethod
    def values(*operands: Known) -> tuple[Any, ...]:
        found = [x.value for x in operands]
        if any(value is None for value in found):
            raise Undecided
        return tuple([cast("Any", value)[()] for value in found])

    @staticmethod
    def static(x: Known) -> Any:
        if x.value is not None:
            return x.value.tolist()
        numbers = x.sizes
        if numbers is None or None in numbers:
            raise Undecided
        return list(numbers) if x.rank else numbers[0]

    @staticmethod
    def fixed(size: Size, what: str) -> int:
        if size is UNKNOWN:
            raise Undecided
        return size

    @staticmethod
    def length(items: Any) -> Size:
        return UNKNOWN

    @staticmethod
    def state(handle: Any) -> Any:
        return Known(handle.spec.state)

    @staticmethod
    def declared(handle: Any) -> Sequence[int | None] | None:
        return handle.spec.state.shape.entries

    @staticmethod
    def each(*_: Any, among: Any = (), placed: bool = False) -> None:
        return None

    each_row = each_pair = require_late = each

    def refuse_late(self, error: type[Exception], message: str, *values: Any) -> None:
        raise Undecided

    def possible_late(self, shape: Sequence[Size]) -> tuple[Size, ...]:
        late = tuple([size if size is UNKNOWN or size != -1 else UNKNOWN for size in shape])
        self.possible(late)
        return late

    @staticmethod
    def every(x: Known, holds: Any) -> Condition:
        return UNKNOWN

    @staticmethod
    def text(arrays: Sequence[Any], most: int, told: Any) -> str:
        return ""  # what is said with it only run time knows

    @staticmethod
    def bound(x: Known) -> Size:
        return UNKNOWN


class RunningSizes(TracedSizes):
    """Reads demands on what is known as an operation runs: nothing is left for later.

    But for messages that tell what is not known: whoever reads the demands next knows that.
    """

    @staticmethod
    def require(condition: Condition, error: type[Exception], message: str, *values: Any) -> None:
        if condition is UNKNOWN or condition:
            return
        if any(value is UNKNOWN for value in values):
            raise Undecided
        raise error(worded(message, values))

    require_late = require
    require_early = DemandReader.require_early

    @staticmethod
    def declared(handle: Any) -> None:
        return None  # what is known of a variable is the shape that its value has now

    def refuse_late(self, error: type[Exception], message: str, *values: Any) -> None:
        raise error(worded(message, values))

    def possible_late(self, shape: Sequence[Size]) -> tuple[Size, ...]:
        self.possible(shape)
        return tuple(shape)


def as_known(application: Any, sizes: TracedSizes) -> Any:
    """What `demands` returns for operands that are `Known`; None where not enough is known.

    Raises:
        OpError: the operands can not be these.
    """
    try:
        return application.demands(sizes)
    except Undecided:
        return None


TRACED: Final = TracedSizes()
RUNNING: Final = RunningSizes()
EAGER: Final = EagerSizes()


def one_rank(shapes: list[tuple[Size, ...]], message: str) -> list[tuple[Size, ...]]:
    """The shapes again, which have as many sizes each."""
    if len(set(map(len, shapes))) > 1:
        first = shapes[0]
        k = next(k for k, shape in enumerate(shapes) if len(shape) != len(first))
        raise ShapeMismatchError(worded(message, (first, k, shapes[k])))
    return shapes


def numbered(message: str, k: int) -> str:
    """A message about one of several, with its number put between those of two shapes."""
    before, _, after = message.rpartition("{}")
    before, _, between = before.rpartition("{}")
    return f"{before}{k}{between}{{}}{after}"
