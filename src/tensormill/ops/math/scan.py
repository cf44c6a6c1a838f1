"""Running sums, products and logarithms of sums, and the places of extrema."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import SOME, Folded, joined_axes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import known_axes
from ..lowering import Extremum, ScanWith
from ..op import FLOATS, INDEX, NUMBERS, REALS, Attr, In, Op, Out, as_eager, types
from .arithmetic import conjugated, negative

if TYPE_CHECKING:
    from ..results import Tensor


class Scan(Op, abstract=True):
    """What a reduction would give for each beginning of an axis.

    exclusive: without the element itself. reverse: from the end.
    """

    x = In("T *s")
    axis = In("Tidx")
    out = Out("T *s")
    exclusive = Attr(False)
    reverse = Attr(False)
    T = NUMBERS
    Tidx = INDEX
    kind: ClassVar[ScanWith]
    start = 0
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """The axis from the front."""
        axis, rank = sizes.static(self.axis), len(sizes.shape(self.x))
        fits = -rank <= axis < rank
        sizes.require_late(fits, InvalidArgumentError, NO_AXIS, self.name, -rank, rank, axis)
        return axis % max(rank, 1)

    def eager(self, np: Any) -> Any:
        axis = self.found
        x = np.flip(self.x, axis) if self.reverse else self.x
        running = np.cumsum if self.kind == "sum" else np.cumprod
        narrow = x.dtype.itemsize == 2 and x.dtype.kind not in "iu"
        wide = np.float32 if narrow else x.dtype
        result = running(x, axis, dtype=wide).astype(self.x.dtype, copy=False)
        if self.exclusive:
            before = (slice(None),) * axis
            first = np.full_like(result[(*before, slice(0, 1))], self.start)
            result = np.concatenate([first, result[(*before, slice(0, -1))]], axis)
            result = result[(*before, slice(0, self.x.shape[axis]))]
        return np.flip(result, axis) if self.reverse else result

    def lower(self, loops: Any) -> Any:
        return loops.scan(self.kind, self.x, self.found, self.exclusive, self.reverse)


class Cumsum(Scan):
    """Running sums along an axis."""

    kind = "sum"

    def vjp(self, dout: Any) -> Any:
        back = not self.reverse
        return bind(Cumsum, dout, self.axis, exclusive=self.exclusive, reverse=back), None


@dispatchable
def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Running sums along `axis`; without the element itself if `exclusive`.

    x: any numbers, of rank 1 at least; the result has its shape and dtype. axis: one int, which may
    be negative. reverse: the sums run from the end.

    >>> tf.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    >>> tf.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy()
    array([5, 3, 0], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
        DTypeMismatchError: bools or strings.
    """
    return bind(Cumsum, x, axis, exclusive=exclusive, reverse=reverse, name=name)


class Cumprod(Scan):
    """Running products along an axis."""

    kind = "prod"
    start = 1

    def vjp(self, dout: Any) -> Any:
        """The sum of the products that an element is in, divided by it. That is 0 after the first
        zero; of this one the products of the others are asked.
        """
        from ..array.fill import ones_like
        from ..array.select import where
        from .cast import cast
        from .comparison import equal, logical_and
        from .division import DivNoNan

        is_zero = equal(self.x, cast(0, self.x.dtype))
        before = cumsum(cast(is_zero, dtypes.int32), self.axis, True, self.reverse)
        is_first = logical_and(is_zero, equal(before, 0))
        others = where(is_first, ones_like(self.x), self.x)
        product = bind(Cumprod, others, self.axis, exclusive=self.exclusive, reverse=self.reverse)
        quotient = bind(DivNoNan, self._later(self.out, dout), conjugated(self.x))
        return where(is_first, self._later(product, dout), quotient), None

    def _later(self, product: Any, dout: Any) -> Any:
        """The sums of what reaches products from each element on."""
        reached = conjugated(product) * dout
        return cumsum(reached, self.axis, self.exclusive, not self.reverse)


@dispatchable
def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Running products along `axis`; without the element itself if `exclusive`.

    x: any numbers, of rank 1 at least; the result has its shape and dtype. axis: one int, which may
    be negative. reverse: the products run from the end.

    >>> tf.math.cumprod([2, 3, 4]).numpy()
    array([ 2,  6, 24], dtype=int32)
    >>> tf.math.cumprod([2, 3, 4], exclusive=True).numpy()
    array([1, 2, 6], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
        DTypeMismatchError: bools or strings.
    """
    return bind(Cumprod, x, axis, exclusive=exclusive, reverse=reverse, name=name)


class CumulativeLogsumexp(Op):
    """log(exp(x[0]) + ... + exp(x[k])) along an axis."""

    x = In("T *s")
    axis = In("Tidx")
    out = Out("T *s")
    exclusive = Attr(False)
    reverse = Attr(False)
    T = FLOATS
    Tidx = INDEX

    def demands(self, sizes: Any) -> int:
        """The axis from the front."""
        axis, rank = sizes.static(self.axis), len(sizes.shape(self.x))
        fits = -rank <= axis < rank
        sizes.require_late(fits, InvalidArgumentError, NO_AXIS, self.name, -rank, rank, axis)
        return axis % max(rank, 1)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.x.shape, self.x.dtype)

    def eager(self, np: Any) -> Any:
        x, axis = self.x, self.found
        wide = x if x.dtype.itemsize > 2 else x.astype(np.float32)
        turned = np.flip(wide, axis) if self.reverse else wide
        found = np.logaddexp.accumulate(turned, axis) if x.size else turned
        if self.exclusive and x.size:
            found = np.roll(found, 1, axis)
            first = [slice(None)] * x.ndim
            first[axis] = slice(0, 1)
            found[tuple(first)] = -np.inf
        return (np.flip(found, axis) if self.reverse else found).astype(x.dtype)

    def xla(self, xla: Any) -> Any:
        np, x, axis = xla.np, self.x, self.found
        if not x.size or not x.ndim:
            return x
        wide = x if x.dtype.itemsize > 2 else x.astype(np.float32)
        found = xla.lax.cumlogsumexp(wide, axis, self.reverse)
        if self.exclusive:
            size, before = x.shape[axis], (slice(None),) * axis
            rest = found[(*before, slice(1, size) if self.reverse else slice(0, size - 1))]
            margins = [(0, 0)] * x.ndim
            margins[axis] = (0, 1) if self.reverse else (1, 0)
            found = np.pad(rest, margins, constant_values=-np.inf)
        return found.astype(x.dtype)

    def lower(self, loops: Any) -> Any:
        """By running maxima, and running sums of what is left: one step waits for the other with
        the cheapest operations alone.
        """
        s, axis = loops.scalars, self.found
        dtype = self.x.dtype if self.x.dtype.size > 2 else dtypes.float32
        shape, size = self.x.shape, self.x.shape[axis]
        x = loops.kept(loops.map(shape, dtype, lambda *at: s.cast(self.x[at], dtype)))
        lowest, one = loops.constant(-math.inf, dtype), loops.constant(1, dtype)

        def beside(at: Any, step: int) -> Any:
            return (*at[:axis], at[axis] + (-step if self.reverse else step), *at[axis + 1 :])

        def is_first(at: Any) -> Any:
            return at[axis] == (size - 1 if self.reverse else 0)

        def before(array: Any, at: Any, otherwise: Any) -> Any:
            return s.where(is_first(at), otherwise, array[beside(at, -1)])

        tops = self._running(loops, x, lambda at, so: s.maximum(so, x[at]), lowest)

        def over_top(value: Any, top: Any) -> Any:
            return s.where(value == top, one, s.exp(value - top))

        kept = loops.kept(
            loops.map(shape, dtype, lambda *at: over_top(before(tops, at, lowest), tops[at]))
        )
        added = loops.kept(loops.map(shape, dtype, lambda *at: over_top(x[at], tops[at])))
        sums = self._running(loops, x, lambda at, so: so * kept[at] + added[at], one - one)
        found = loops.map(shape, dtype, lambda *at: tops[at] + s.log(sums[at]))
        if self.exclusive:
            inclusive = loops.kept(found)
            found = loops.map(shape, dtype, lambda *at: before(inclusive, at, lowest))
        return loops.map(shape, self.x.dtype, lambda *at: s.cast(found[at], self.x.dtype))

    def _running(self, loops: Any, x: Any, following: Any, start: Any) -> Any:
        """What `following(index, so far)` gives along the axis."""
        axis, size, memory = self.found, x.shape[self.found], loops.memory(x.shape, x.dtype)

        def along(*at: Any) -> None:
            def step(k: Any, so_far: Any) -> tuple[Any, Any]:
                index = (*at[:axis], size - 1 - k if self.reverse else k, *at[axis:])
                after = loops.held(following(index, so_far))
                loops.put(memory, index, after)
                return k + 1, after

            loops.repeat((loops.constant(0, dtypes.int64), start), lambda k, _: k < size, step)

        loops.for_each((*x.shape[:axis], *x.shape[axis + 1 :]), along)
        return memory

    def vjp(self, dout: Any) -> Any:
        """exp(x[i]) times the sum of dout[k] / exp(out[k]), by logarithms for each sign."""
        from .elementwise import exp

        positive, negated = [
            exp(self.summed(logarithms - self.out, not self.reverse) + self.x)
            for logarithms in logarithms_by_sign(dout)
        ]
        return positive - negated, None

    def jvp(self, dx: Any, daxis: Any) -> Any:
        """The sum of exp(x[i]) * dx[i] over exp(out[k]); of nothing, 0."""
        from ..array.fill import zeros_like
        from ..array.select import where
        from .comparison import equal
        from .elementwise import exp

        out = where(equal(self.out, -math.inf), zeros_like(self.out), self.out)
        positive, negated = [
            exp(self.summed(self.x + logarithms, self.reverse) - out)
            for logarithms in logarithms_by_sign(dx)
        ]
        return positive - negated

    def summed(self, logarithms: Any, reverse: bool) -> Any:
        """The logarithms of running sums."""
        return bind(
            CumulativeLogsumexp, logarithms, self.axis, exclusive=self.exclusive, reverse=reverse
        )


def logarithms_by_sign(x: Any) -> list[Any]:
    """Those of what is positive, then of what is negative; the lowest number elsewhere."""
    from ..array.fill import ones_like, zeros_like
    from ..array.select import where
    from .comparison import greater, less
    from .elementwise import log

    lowest = zeros_like(x) + as_tensor(x.dtype.min, x.dtype)
    signs = (greater(x, 0), x), (less(x, 0), negative(x))
    return [where(chosen, log(where(chosen, size, ones_like(x))), lowest) for chosen, size in signs]


@dispatchable
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """log(exp(x[0]) + ... + exp(x[k])) along an axis.

    x: floats, of rank 1 at least; the result has its shape and dtype. exclusive: without x[k]
    itself (of nothing, -inf). reverse: from the end.

    >>> tf.math.cumulative_logsumexp([1000.0, 1000.0, 1000.0]).numpy().round(3)
    array([1000.   , 1000.693, 1001.099], dtype=float32)

    Raises:
        InvalidArgumentError: there is no such axis.
        DTypeMismatchError: an integer tensor.
    """
    return bind(CumulativeLogsumexp, x, axis, exclusive=exclusive, reverse=reverse, name=name)


NO_AXIS = "{}: Expected scan axis in the range [{}, {}), but got {}"

NO_DIMENSION = "{}: Expected dimension in the range [{}, {}), but got {}"
NOTHING = "Reduction axis {} is empty in shape {}"


class ArgExtremum(Op, abstract=True):
    """Where along an axis the extremum is; the first of several. NaN is never chosen."""

    input = In("T ...")
    dimension = In("Tidx")
    output = Out("output_type ...")
    output_type = Attr(dtypes.int64)
    T = REALS | types("bool")
    Tidx = INDEX
    differentiable = False
    kind: ClassVar[Extremum]
    native_from = SOME
    native_values = frozenset(("dimension",))
    xla = as_eager

    @classmethod
    def fold(cls, operands: Sequence[Any], attrs: dict[str, Any]) -> Folded | None:
        """The same along the last axis of two, or the middle one of three, as few as there may
        be.
        """
        x, dimension = operands
        axis = int(dimension)
        if dimension.ndim or not -x.ndim <= axis < x.ndim:
            return None
        sizes, gone = joined_axes(x.shape, [axis % x.ndim])
        if not gone:
            return None
        left = list(x.shape)
        del left[axis]
        place = numpy.array(gone[0], dimension.dtype)
        return Folded((x.reshape(sizes), place), attrs, tuple(left), known_axes(sizes, gone))

    def demands(self, sizes: Any) -> int:
        """The axis from the front, along which there is an element."""
        axis, shape = sizes.static(self.dimension), sizes.shape(self.input)
        rank = len(shape)
        # The shape of the result is that of a scalar, whatever the axis of a vector is.
        if not -rank <= axis < rank:
            require = sizes.require if rank > 1 else sizes.require_late
            require(False, InvalidArgumentError, NO_DIMENSION, self.name, -rank, rank, axis)
        where = axis % rank if rank else 0
        some = shape[where] > 0 if shape else False
        if some is not True:
            sizes.require_late(some, InvalidArgumentError, NOTHING, where, shape)
        return where

    def infer(self) -> TensorSpec:
        dims, where = self.input.shape.entries, self.found
        if dims is None:
            return TensorSpec(None, self.output_type)
        if where is None:
            return TensorSpec((None,) * (len(dims) - 1), self.output_type)
        return TensorSpec(dims[:where] + dims[where + 1 :], self.output_type)

    def eager(self, np: Any) -> Any:
        x, where = self.input, self.found
        if x.dtype.kind not in "iub":
            x = np.where(np.isnan(x), self.worst(x.dtype.type), x)
        find = np.argmax if self.kind == "max" else np.argmin
        return np.asarray(find(x, where)).astype(self.output_type.storage)

    def worst(self, storage: Any) -> Any:
        return storage(-float("inf") if self.kind == "max" else float("inf"))

    def lower(self, loops: Any) -> Any:
        x, s, where = self.input, loops.scalars, self.found
        if x.dtype.is_bool:
            x = loops.map(x.shape, dtypes.uint8, lambda *i: s.cast(self.input[i], dtypes.uint8))
        return loops.arg_reduce(self.kind, x, where, self.output_type)


class ArgMax(ArgExtremum):
    """Where along an axis the largest element is; the first of several."""

    kind = "max"
    Tidx = INDEX | types("i16")
    output_type = Attr(dtypes.int64, types("i16 u16 i32 i64"))


class ArgMin(ArgExtremum):
    """Where along an axis the smallest element is; the first of several."""

    kind = "min"
    output_type = Attr(dtypes.int64, INDEX)


@dispatchable
def argmax(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The index of the largest element along `axis` (0); the first of several.

    input: real numbers or bools, of rank 1 at least. The result has its shape without `axis`, and
    the dtype `output_type`. NaN is never chosen.

    >>> tf.argmax([[1, 9, 2], [8, 3, 8]], axis=1).numpy()
    array([1, 0])

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.
        DTypeMismatchError: complex numbers or strings; an `output_type` that is none of int16,
            uint16, int32 and int64.
    """
    index = 0 if axis is None else axis
    kind = None if output_type is None else as_dtype(output_type)
    return bind(ArgMax, as_tensor(input), index, output_type=kind, name=name)


@dispatchable
def argmin(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The index of the smallest element along `axis` (0); the first of several.

    input: real numbers or bools, of rank 1 at least. The result has its shape without `axis`, and
    the dtype `output_type`. NaN is never chosen.

    >>> tf.argmin([[1, 9, 2], [8, 3, 3]], axis=1).numpy()
    array([0, 1])

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.
        DTypeMismatchError: complex numbers or strings; an `output_type` that is neither int32 nor
            int64.
    """
    index = 0 if axis is None else axis
    kind = None if output_type is None else as_dtype(output_type)
    return bind(ArgMin, as_tensor(input), index, output_type=kind, name=name)
