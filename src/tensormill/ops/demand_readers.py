"""Who reads `demands` rules: tracing, eager execution, and compiled code."""

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
    Pieces,
    Size,
    Undecided,
    either,
    in_parentheses,
    worded,
)
from .lowering import MOST_NUMBERS, NotStatic
from .scalar import NumpyScalars
from .sizes import known, minimum, places_on_axis, same, scalar

NEGATIVE_SIZE: Final = "Dimension {} must be >= 0"
TOO_MANY: Final = "More than 2**63 - 1 elements: {}"


class _Reader:
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

    def are_same(self: Any, one: Sequence[Size], other: Sequence[Size]) -> Condition:
        is_so: Condition = len(one) == len(other)
        for size, wanted in zip(one, other, strict=False):
            is_so = self.equal(size, wanted) & is_so
        return is_so


class _Immediate(_Reader):
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
    def extent(width: Size, first: Size | None, last: Size | None, step: Size) -> Size:
        if any(number is UNKNOWN for number in (width, first, last, step)):
            return UNKNOWN
        return len(range(*slice(first, last, step).indices(width)))

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
    def numbers(x: Any) -> tuple[int, ...]:
        found = x.tolist()
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
        return handle.spec.shape.dims

    @staticmethod
    def each(
        x: Any, holds: Any, error: type[Exception], message: str, *values: Any, among: Any = (),
        placed: bool = False,
    ) -> None:  # fmt: skip
        if among and not all([one.size for one in among]):
            return
        good = holds(x, *np.ogrid[tuple(map(slice, x.shape))]) if placed else holds(x)
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

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        first = shapes[0]
        for k, shape in enumerate(shapes):
            self.alike(first, shape, error, _numbered(message, k), *values)
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
        dims = x.shape.dims
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
    def numbers(x: Known) -> tuple[Size, ...]:
        numbers = x.sizes
        if numbers is None:
            length = x.shape.num_elements()
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
        return handle.spec.state.shape.dims

    @staticmethod
    def each(*_: Any, among: Any = (), placed: bool = False) -> None:
        return None

    each_row = each_pair = require_late = each

    @staticmethod
    def every(x: Known, holds: Any) -> Condition:
        return UNKNOWN

    @staticmethod
    def text(arrays: Sequence[Any], most: int, told: Any) -> str:
        return ""  # what is said with it only run time knows

    @staticmethod
    def bound(x: Known) -> Size:
        return UNKNOWN


class CompiledSizes(_Reader):
    """Reads demands on loop arrays: what is not known becomes a check in the program."""

    numpy_looks: ClassVar[bool] = False

    def __init__(self, loops: Any) -> None:
        self.loops = loops
        self.scalars = loops.scalars

    def shape(self, x: Any, rank: int | None = None) -> tuple[Size, ...]:
        return tuple(x.shape)

    def dtype(self, x: Any) -> DType:
        return x.dtype

    def is_integer(self, x: Any) -> bool:
        return x.dtype.is_integer

    def is_text(self, x: Any) -> bool:
        return x.dtype is dtypes.string

    def numbers(self, x: Any) -> tuple[Size, ...]:
        return tuple(self.loops.sizes(x))

    def values(self, *operands: Any) -> tuple[Any, ...]:
        return tuple([x[()] for x in operands])

    def static(self, x: Any) -> Any:
        return self.loops.static(x)

    def fixed(self, size: Size, what: str) -> int:
        if not isinstance(size, int):
            raise NotStatic(what)
        return size

    def length(self, items: Any) -> Size:
        return self.loops.list_length(items)

    def state(self, handle: Any) -> Any:
        return self.loops.read(handle)

    def declared(self, handle: Any) -> Sequence[Size]:
        return self.loops.read(handle).shape

    def require(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        if isinstance(condition, bool):
            if not condition:  # it fails if it runs: its kernel then says so
                raise error(worded(message, values))
            return
        template, shown = spelled(message, values)
        self.loops.check(condition, error, template, *shown[:MOST_NUMBERS])

    require_late = require

    def each(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any,
        among: Sequence[Any] = (), placed: bool = False,
    ) -> None:  # fmt: skip
        fitted, is_unused = x, False
        if among:
            shape = self.loops.broadcast_shape(x.shape, *(one.shape for one in among))
            if x.rank == 0:
                is_unused = self.equal(self.loops.count(shape), 0)
            else:
                fitted = self.loops.broadcast(x, shape)

        def fits_at(*index: Any) -> Condition:
            fits = holds(self._wide(fitted[index]), *(index if placed else ()))
            return either(fits, is_unused)

        self._check_all(fitted.shape, fits_at, lambda *index: fitted[index], error, message, values)

    def each_row(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any
    ) -> None:
        *outer, width = x.shape
        if width:
            row = [lambda *index, k=k: x[[*index, k]] for k in range(width)]

            def fits_at(*index: Any) -> Condition:
                return holds([self._wide(element(*index)) for element in row])

            self._check_all(outer, fits_at, tuple(row), error, message, values)

    def each_pair(self, x: Any, holds: Any, error: type[Exception], message: str) -> None:
        zero = self.loops.constant(0, dtypes.int64)

        def fits_at(k: Any) -> Condition:
            return holds(x[(self.loops.scalars.maximum(k - 1, zero),)], x[(k,)])

        self._check_all(x.shape, fits_at, lambda k: x[(k,)], error, message, ())

    def every(self, x: Any, holds: Any) -> Condition:
        return self.loops.reduce(
            "all", (), x.shape, dtypes.bool_, lambda _, index: holds(x[index])
        )[()]

    def text(self, arrays: Sequence[Any], most: int, told: Callable[[Any, int], str]) -> Pieces:
        texts = [self._text_of(one, most, told) for one in arrays]
        if sum(not isinstance(piece, str) for text in texts for piece in text) > MOST_NUMBERS:
            raise NotStatic("its message shows too many numbers")
        return Pieces([piece for text in texts for piece in (" ", *text)][1:])

    def _text_of(self, x: Any, most: int, told: Callable[[Any, int], str]) -> list[Any]:
        constant = getattr(x, "constant", None)
        if constant is not None:
            return [f"[{told(constant, most)}]"]
        in_python = not hasattr(x, "rank") or not x.dtype.is_integer
        if in_python or x.dtype is dtypes.uint64:
            raise NotStatic("its message shows elements that only Python can print")
        elements = self.loops.elements(x)
        few = elements if most < 0 else elements[:most]
        separated = [piece for element in few for piece in (" ", element)][1:]
        return ["[", *separated, "...]" if len(few) < len(elements) else "]"]

    def bound(self, x: Any) -> Size:
        above = self.loops.reduce(
            "max", (), x.shape, dtypes.int64, lambda _, index: self._wide(x[index]) + 1
        )[()]
        return self.loops.scalars.maximum(above, self.loops.constant(0, dtypes.int64))

    def _check_all(
        self, shape: Any, fits_at: Any, element: Any, error: type[Exception], message: str,
        values: tuple[Any, ...],
    ) -> None:  # fmt: skip
        place = tuple([lambda *index, k=k: index[k] for k in range(len(shape))])
        template, shown = spelled(message, values, place, element)

        def facts(*index: Any) -> Any:
            return [one(*index) if callable(one) else one for one in shown[:MOST_NUMBERS]]

        self.loops.check_all(shape, fits_at, error, template, facts)

    def _wide(self, element: Any) -> Any:
        """An integer is as wide as sizes are."""
        is_narrow = element.dtype.is_integer and element.dtype is not dtypes.int64
        return self.loops.scalars.cast(element, dtypes.int64) if is_narrow else element

    def shapes(self, operands: Sequence[Any], message: str) -> Sequence[tuple[Size, ...]]:
        return one_rank([tuple(x.shape) for x in operands], message)

    def rank(self, x: Any) -> int:
        return x.rank

    def all_known(self, *sizes: Size) -> bool:
        return known(*sizes)

    def is_count(self, size: Size) -> bool:
        return self.loops.is_count(size)

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        first = shapes[0]
        for k, shape in enumerate(shapes[1:], 1):
            self.alike(first, shape, error, _numbered(message, k), *values)
        return first

    def equal(self, one: Size, other: Size) -> Condition:
        return same(one, other) or one == other

    def extent(self, width: Size, first: Size | None, last: Size | None, step: Size) -> Size:
        *_, count = places_on_axis(self.loops, first, last, self.fixed(step, "a stride"), width)
        return count

    def steps(self, first: Any, last: Any, stride: Any) -> tuple[Any, Condition]:
        s, constant = self.scalars, self.loops.constant
        if first.dtype.is_floating:
            steps = s.ceil(s.abs((last - first) / stride))
            most = constant(2.0**63, dtypes.float64)
            return s.cast(steps, dtypes.int64), s.cast(steps, dtypes.float64) < most
        # Numbers with a sign become themselves modulo 2**64 in 64 bits without one, and so do
        # their differences, which these bits hold.
        is_forward, none = stride > 0, constant(0, dtypes.uint64)
        first, last, stride = (s.cast(x, dtypes.uint64) for x in (first, last, stride))
        distance = s.where(is_forward, last - first, first - last)
        size = s.where(is_forward, stride, none - stride)
        count = s.where(distance > none, (distance - 1) // size + 1, none)
        return s.cast(count, dtypes.int64), count <= constant(2**63 - 1, dtypes.uint64)

    def choose(self, condition: Condition, one: Size, other: Size) -> Size:
        if isinstance(condition, bool):
            return one if condition else other
        where = self.loops.scalars.where
        return where(condition, scalar(self.loops, one), scalar(self.loops, other))

    def minimum(self, one: Size, other: Size) -> Size:
        return minimum(self.loops, one, other)

    def count(self, shape: Sequence[Size]) -> Size:
        return self.loops.count(shape)

    def alike(
        self, have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        shapes = (*values, tuple(have), tuple(want))
        self.require(len(have) == len(want), error, message, *shapes)
        for one, other in zip(have, want, strict=True):
            self.require(self.equal(one, other), error, message, *shapes)

    def is_countable(self, shape: Sequence[Size]) -> Condition:
        fits: Condition = self._product(shape) < self.loops.constant(2.0**62, dtypes.float64)
        for size in shape:
            if not isinstance(size, int):
                fits = (size >= 0) & fits
        return fits

    def possible(self, shape: Sequence[Size]) -> None:
        for size in shape:
            if not self.loops.is_count(size):
                self.require(size >= 0, InvalidArgumentError, NEGATIVE_SIZE, size)
        if len(shape) > 1 and not known(*shape):  # loops over axes that were joined count them
            fits = self._product(shape) < self.loops.constant(2.0**63, dtypes.float64)
            self.require(fits, InvalidArgumentError, TOO_MANY, tuple(shape))

    def _product(self, shape: Sequence[Size]) -> Any:
        """The product of sizes as a float, which does not overflow."""
        product = self.loops.constant(1.0, dtypes.float64)
        for size in shape:
            product = product * self.loops.scalars.cast(scalar(self.loops, size), dtypes.float64)
        return product


def as_traced(application: Any) -> Any:
    """What `demands` returns for operands that are `Known`; None where not enough is known.

    Raises:
        OpError: the operands can not be these.
    """
    try:
        return application.demands(TRACED)
    except Undecided:
        return None


TRACED: Final = TracedSizes()
EAGER: Final = EagerSizes()


def one_rank(shapes: list[tuple[Size, ...]], message: str) -> list[tuple[Size, ...]]:
    """The shapes again, which have as many sizes each."""
    if len(set(map(len, shapes))) > 1:
        first = shapes[0]
        k = next(k for k, shape in enumerate(shapes) if len(shape) != len(first))
        raise ShapeMismatchError(worded(message, (first, k, shapes[k])))
    return shapes


def _numbered(message: str, k: int) -> str:
    """A message about one of several, with its number put between those of two shapes."""
    before, _, after = message.rpartition("{}")
    before, _, between = before.rpartition("{}")
    return f"{before}{k}{between}{{}}{after}"


def spelled(
    message: str, values: tuple[Any, ...], place: tuple[Any, ...] = (), element: Any = None
) -> tuple[str, list[Any]]:
    """The same for compiled code: a text with places for those numbers that only run time knows,
    and these numbers. `place` and `element` are what is shown for `{at}` and `{it}`. More numbers
    than a check can show are question marks.
    """
    from string import Formatter  # which `import tensormill` does without

    text, shown, following = "", list[Any](), iter(values)
    for before, field, *_ in Formatter().parse(message):
        text += _escaped(before)
        if field == "at":
            text += f"[{','.join([_place(one, shown) for one in place])}]" if place else ""
        elif field == "it":
            text += _place(element, shown)
        elif field is not None:
            text += _place(values[int(field)] if field else next(following), shown)
    return text.replace(NUMBER, "{}", MOST_NUMBERS).replace(NUMBER, "?"), shown


NUMBER: Final = "\0"  # where one goes, until all of them are counted


def _place(value: Any, shown: list[Any]) -> str:
    if isinstance(value, tuple):
        parts = [_place(one, shown) for one in cast("Sequence[Any]", value)]
        return "".join(parts) if isinstance(value, Pieces) else f"[{', '.join(parts)}]"
    if isinstance(value, (int, str)) or value is None:
        return _escaped(str(value))
    shown.append(value)
    return NUMBER


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
