"""Who reads `demands` rules for compiled code, where what is not known becomes a check."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from string import Formatter
from typing import Any, ClassVar, Final, cast

from ..core import dtypes
from ..core.dtypes import DType
from ..errors import InvalidArgumentError
from .demand_readers import NEGATIVE_SIZE, TOO_MANY, DemandReader, numbered, one_rank
from .demands import Condition, Pieces, Size, either, worded
from .lowering import MOST_NUMBERS, NotStatic
from .sizes import all_static, minimum, places_on_axis, scalar, statically_equal


class CompiledSizes(DemandReader):
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

    def numbers(self, x: Any, count: int | None = None) -> tuple[Size, ...]:
        if count is not None and not isinstance(x.shape[0], int):
            rest = x.shape[1:]
            shape = (count // math.prod(rest), *rest)
            x = self.loops.view(shape, x.dtype, lambda *place, x=x: x[place])
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
        if not isinstance(width, int):
            raise NotStatic("the length of its rows is only known at run time")
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
        count: Any = x.shape[0] if x.rank == 1 else None
        is_long = isinstance(count, int) and count > max(most, 0)
        if is_long and most >= 0:  # nobody asks for the others: each would be a name of the program
            x = self.loops.view((most,), x.dtype, lambda place, x=x: x[(place,)])
        elif is_long and count > MOST_NUMBERS:
            raise NotStatic("its message shows too many numbers")
        separated = [piece for one in self.loops.elements(x) for piece in (" ", one)][1:]
        return ["[", *separated, "...]" if is_long and most >= 0 else "]"]

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
        return all_static(*sizes)

    def is_count(self, size: Size) -> bool:
        return self.loops.is_count(size)

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        first = shapes[0]
        for k, shape in enumerate(shapes[1:], 1):
            self.alike(first, shape, error, numbered(message, k), *values)
        return first

    def equal(self, one: Size, other: Size) -> Condition:
        return statically_equal(one, other) or one == other

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
        if len(shape) > 1 and not all_static(*shape):  # loops over axes that were joined count them
            fits = self._product(shape) < self.loops.constant(2.0**63, dtypes.float64)
            self.require(fits, InvalidArgumentError, TOO_MANY, tuple(shape))

    def _product(self, shape: Sequence[Size]) -> Any:
        """The product of sizes as a float, which does not overflow."""
        product = self.loops.constant(1.0, dtypes.float64)
        for size in shape:
            product = product * self.loops.scalars.cast(scalar(self.loops, size), dtypes.float64)
        return product


def spelled(
    message: str, values: tuple[Any, ...], place: tuple[Any, ...] = (), element: Any = None
) -> tuple[str, list[Any]]:
    """A message for compiled code: a text with places for those numbers that only run time knows,
    and these numbers. `place` and `element` are what is shown for `{at}` and `{it}`. More numbers
    than a check can show are question marks.
    """
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
