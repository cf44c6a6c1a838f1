"""Who reads `demands` rules for XLA: sizes are known, and elements become checks in the program."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np

from ..core.dtypes import DType
from ..errors import InvalidArgumentError
from ..ops.compiled_demands import spelled
from ..ops.demand_readers import (
    EAGER,
    NEGATIVE_SIZE,
    TOO_MANY,
    DemandReader,
    numbered,
    one_rank,
)
from ..ops.demands import Condition, Pieces, Size, worded
from ..ops.lowering import MOST_NUMBERS
from ..ops.sizes import places_on_axis


class XlaSizes(DemandReader):
    """Reads demands on JAX arrays: what the program's operands decide becomes a check in it."""

    numpy_looks: ClassVar[bool] = False

    def __init__(self, xla: Any) -> None:
        self.xla = xla
        self.scalars = xla.scalars

    # ---- what operands are
    def shape(self, x: Any, rank: int | None = None) -> tuple[int, ...]:
        return tuple(x.shape)

    def shapes(self, operands: Sequence[Any], message: str) -> Sequence[tuple[Size, ...]]:
        return one_rank([tuple(x.shape) for x in operands], message)

    def rank(self, x: Any) -> int:
        return x.ndim

    def dtype(self, x: Any) -> DType:
        return self.xla.dtype_of(x)

    def is_integer(self, x: Any) -> bool:
        return x.dtype.kind in "iu"

    def is_text(self, x: Any) -> bool:
        return x.dtype.kind == "O"

    def numbers(self, x: Any, count: int | None = None) -> tuple[Size, ...]:
        return self.xla.sizes(x)

    def values(self, *operands: Any) -> tuple[Any, ...]:
        known = [self.xla.known(x) for x in operands]
        return tuple(
            x[()] if value is None else value[()] for x, value in zip(operands, known, strict=True)
        )

    def static(self, x: Any) -> Any:
        return self.xla.static(x)

    def fixed(self, size: Size, what: str) -> int:
        return self.xla.fixed(size, what)

    def length(self, items: Any) -> Size:
        return self.xla.list_length(items)

    def state(self, handle: Any) -> Any:
        return self.xla.read(handle)

    def declared(self, handle: Any) -> Sequence[int | None] | None:
        return handle.spec.shape.entries

    # ---- what is asked of them
    def require(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        truth = _decided(condition)
        if truth is None:
            template, shown = spelled(message, tuple(map(_plain, values)))
            self.xla.check(condition, error, template, *shown[:MOST_NUMBERS])
        elif not truth:
            raise error(worded(message, values))

    require_late = require

    def each(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any,
        among: Sequence[Any] = (), placed: bool = False,
    ) -> None:  # fmt: skip
        if math.prod(x.shape) and all(math.prod(one.shape) for one in among):
            own = self._wide(x)
            places = np.indices(x.shape, sparse=True) if placed else ()
            self._all(
                own, holds(own, *places), error, message, values, lambda at: _element(own, at)
            )

    def each_row(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any
    ) -> None:
        own = self._wide(x)
        if math.prod(own.shape):
            columns = [own[..., k] for k in range(own.shape[-1])]

            def row(at: tuple[Any, ...]) -> tuple[Any, ...]:
                return tuple(_element(column, at) for column in columns)

            self._all(columns[0], holds(columns), error, message, values, row)

    def each_pair(self, x: Any, holds: Any, error: type[Exception], message: str) -> None:
        own = self._wide(x)
        if own.shape[0] > 1:
            self.require(jnp.all(holds(own[:-1], own[1:])), error, message)

    def every(self, x: Any, holds: Any) -> Condition:
        good = holds(self._wide(x))
        return good.all() if isinstance(good, np.ndarray) else jnp.all(good)

    def text(self, arrays: Sequence[Any], most: int, told: Callable[[Any, int], str]) -> Pieces:
        texts = [self._text_of(one, most, told) for one in arrays]
        if sum(not isinstance(piece, str) for text in texts for piece in text) > MOST_NUMBERS:
            self.xla.refuse("its message shows too many numbers")
        return Pieces([piece for text in texts for piece in (" ", *text)][1:])

    def _text_of(self, x: Any, most: int, told: Callable[[Any, int], str]) -> list[Any]:
        known = self.xla.known(x)
        if known is not None:
            return [f"[{told(known, most)}]"]
        if x.dtype.kind not in "iu" or x.dtype == np.uint64:
            self.xla.refuse("its message shows elements that only Python can print")
        count = x.size if most < 0 else min(x.size, most)
        if count > MOST_NUMBERS:
            self.xla.refuse("its message shows too many numbers")
        flat = jnp.ravel(x)
        pieces = [piece for k in range(count) for piece in (" ", flat[k])][1:]
        return ["[", *pieces, "...]" if count < x.size else "]"]

    def bound(self, x: Any) -> Size:
        own = self._wide(x)
        if not math.prod(own.shape):
            return 0
        if isinstance(own, np.ndarray):
            return max(int(own.max()) + 1, 0)
        return jnp.maximum(jnp.max(own) + 1, 0)

    def _all(
        self, x: Any, good: Any, error: type[Exception], message: str, values: tuple[Any, ...],
        shown_at: Callable[[tuple[Any, ...]], Any],
    ) -> None:  # fmt: skip
        """Refuse the operands where `good` is false of an element of `x`."""
        if _decided(good) is not None:
            good = np.asarray(good)
        if isinstance(good, np.ndarray) and isinstance(x, np.ndarray):
            good = np.broadcast_to(good, x.shape)
            if not good.all():
                place = np.argwhere(~good)[0].tolist()
                raise error(worded(message, values, place, shown_at(tuple(place))))
            return
        good = jnp.ravel(jnp.broadcast_to(good, x.shape))
        place = jnp.unravel_index(jnp.argmin(good), x.shape) if x.ndim else ()
        at, element = tuple(place), shown_at(tuple(place))
        template, shown = spelled(message, tuple(map(_plain, values)), at, element)
        self.xla.check(jnp.all(good), error, template, *shown[:MOST_NUMBERS])

    def _wide(self, x: Any) -> Any:
        """The value where it is known, an integer as wide as sizes are."""
        known = self.xla.known(x)
        own = x if known is None else known
        is_narrow = own.dtype.kind in "iu" and own.dtype != np.int64
        return own.astype(np.int64) if is_narrow else own

    # ---- sizes
    def all_known(self, *sizes: Size) -> bool:
        return all(isinstance(size, (int, np.integer)) for size in sizes)

    def is_count(self, size: Size) -> bool:
        return isinstance(size, (int, np.integer)) and bool(size >= 0)

    def equal(self, one: Size, other: Size) -> Condition:
        return one == other

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        for k, shape in enumerate(shapes[1:], 1):
            self.alike(shapes[0], shape, error, numbered(message, k), *values)
        return shapes[0]

    def alike(
        self, have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        shown = (*values, tuple(have), tuple(want))
        self.require(len(have) == len(want), error, message, *shown)
        for one, other in zip(have, want, strict=True):
            self.require(self.equal(one, other), error, message, *shown)

    def extent(self, width: Size, first: Size | None, last: Size | None, step: Size) -> Size:
        known = [one for one in (width, first, last, step) if one is not None]
        if self.all_known(*known):
            return EAGER.extent(width, first, last, step)
        *_, count = places_on_axis(self.xla, first, last, self.fixed(step, "a stride"), width)
        return count

    def steps(self, first: Any, last: Any, stride: Any) -> tuple[Any, Condition]:
        if not any(_is_traced(one) for one in (first, last, stride)):
            return EAGER.steps(first, last, stride)
        return self.xla.refuse("how many numbers there are depends on values")

    def choose(self, condition: Condition, one: Size, other: Size) -> Size:
        truth = _decided(condition)
        if truth is None:
            return jnp.where(condition, one, other)
        return one if truth else other

    def minimum(self, one: Size, other: Size) -> Size:
        return min(one, other) if self.all_known(one, other) else jnp.minimum(one, other)

    def count(self, shape: Sequence[Size]) -> Size:
        return math.prod(shape)

    def is_countable(self, shape: Sequence[Size]) -> Condition:
        if self.all_known(*shape):
            return EAGER.is_countable(shape)
        fits: Condition = self._product(shape) < 2.0**62
        for size in shape:
            fits = (size >= 0) & fits
        return fits

    def possible(self, shape: Sequence[Size]) -> None:
        if self.all_known(*shape):
            EAGER.possible(shape)
            return
        for size in shape:
            self.require(size >= 0, InvalidArgumentError, NEGATIVE_SIZE, size)
        self.require(self._product(shape) < 2.0**63, InvalidArgumentError, TOO_MANY, tuple(shape))

    def _product(self, shape: Sequence[Size]) -> Any:
        """The product of sizes as a float, which does not overflow."""
        return math.prod(jnp.asarray(size).astype(np.float64) for size in shape)


def _is_traced(x: Any) -> bool:
    """Whether only the program knows the value."""
    return not isinstance(x, (bool, int, float, np.ndarray, np.generic))


def _element(x: Any, at: tuple[Any, ...]) -> Any:
    """One element, though only the program may know which."""
    return (jnp.asarray(x) if any(map(_is_traced, at)) else x)[at]


def _decided(condition: Condition) -> bool | None:
    """Whether a condition holds, where that is known."""
    if _is_traced(condition) or (isinstance(condition, np.ndarray) and condition.ndim):
        return None
    return bool(condition)


def _plain(value: Any) -> Any:
    """A number of NumPy's as Python's, for a message."""
    if isinstance(value, tuple):
        return type(value)(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value
