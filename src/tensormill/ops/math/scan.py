"""Running sums and products, and the places of extrema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.specs import TensorSpec
from ...errors import DTypeMismatchError, InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..lowering import Extremum, ScanWith
from ..op import INDEX, NUMBERS, REALS, Attr, In, Op, Out, types
from .arithmetic import conjugated

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
    Tidx = types("i16 i32 i64")
    differentiable = False
    kind: ClassVar[Extremum]

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
        return np.asarray(find(x, where)).astype(self.output_type.numpy)

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


class ArgMin(ArgExtremum):
    """Where along an axis the smallest element is; the first of several."""

    kind = "min"


PLACES_OF_MIN = (dtypes.int32, dtypes.int64)
PLACES_OF_MAX = (dtypes.int16, dtypes.uint16, *PLACES_OF_MIN)


def require_place_type(kind: Any, allowed: Any) -> None:
    if kind not in allowed:
        names = ", ".join(one.name for one in allowed)
        raise DTypeMismatchError(f"output_type must be one of {names}, got {kind.name}")


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
    index, kind = 0 if axis is None else axis, as_dtype(output_type)
    require_place_type(kind, PLACES_OF_MAX)
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
    index, kind = 0 if axis is None else axis, as_dtype(output_type)
    require_place_type(kind, PLACES_OF_MIN)
    return bind(ArgMin, as_tensor(input), index, output_type=kind, name=name)
