"""From one dtype to another: by value, and by bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.native_operations import SOME
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import ShapeMismatchError, UnimplementedError
from ..array.indexed_slices import IndexedSlices
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..op import ANY, NUMBERS, QUANTIZED, Attr, In, Op, Out
from ..scalar import NUMPY
from ..sizes import scalar
from ..underivable import no_derivative

if TYPE_CHECKING:
    from ..results import Tensor


class Cast(Op):
    """Every element as a value of dtype `DstT`.

    Floats become integers by dropping the fraction. Where an integer cannot hold the result it
    wraps; a float beyond the integer range of the machine (NaN too) becomes the smallest integer
    (`NumpyScalars.cast` says exactly which). Complex numbers lose their imaginary part, anything
    but 0 is True.
    """

    x = In("SrcT ...")
    y = Out("DstT ...")
    DstT = Attr()
    Truncate = Attr(False)
    SrcT = ANY
    native_from = SOME

    def demands(self, sizes: Any) -> None:
        if self.DstT in (dtypes.resource, dtypes.variant):
            source = as_dtype(self.x.dtype).name
            refuse(UnimplementedError, NO_VALUES, source, self.DstT.name)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.x.shape, self.DstT)

    def eager(self, np: Any) -> Any:
        source = as_dtype(self.x.dtype)
        if _is_unsupported(source, self.DstT):  # in graphs as well an error of who runs it
            raise UnimplementedError(NO_NUMBERS.format(source.name, self.DstT.name))
        made = NUMPY.cast(self.x, self.DstT)
        return made.view(self.DstT.storage) if self.DstT.is_quantized else made

    def xla(self, xla: Any) -> Any:
        if _is_unsupported(self.x.dtype, self.DstT):
            xla.refuse("XLA has no strings")
        if self.DstT.is_quantized:
            xla.refuse("XLA has no quantized numbers")
        return xla.cast(self.x, self.DstT)

    def lower(self, loops: Any) -> Any:
        x, target = self.x, self.DstT
        if x.dtype is target:
            return x
        if _is_unsupported(x.dtype, target):
            raise NotStatic("it raises an error")
        return loops.map(x.shape, target, lambda *i: loops.scalars.cast(x[i], target))

    def vjp(self, dy: Any) -> Any:
        source = self.x.dtype
        if not source.is_differentiable or not self.DstT.is_differentiable:
            return None
        return cast(dy, source)


def _is_unsupported(source: DType, target: DType) -> bool:
    return (source is dtypes.string) != (target is dtypes.string)


NO_NUMBERS = (
    "Cast {} to {} is not supported; tf.strings.to_number and tf.strings.as_string convert strings"
)
LOSES_IMAGINARY_PARTS = (
    "A cast from %s to %s keeps real parts only: say tf.math.real where that is meant"
)
NO_VALUES = "Cast {} to {} is not supported: give a dtype of numbers, bools or strings"


def _warn(source: DType, target: DType) -> None:
    from ...core.process.logs import logger  # which imports logging

    logger.warning(LOSES_IMAGINARY_PARTS, source.name, target.name)


@dispatchable(elements=1)
def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """`x` with every element as a value of `dtype`. IndexedSlices stay IndexedSlices.

    x: numbers or bools of any shape, which the result keeps. Floats lose their fraction, complex
    numbers their imaginary part; integers that do not fit wrap around (see `saturate_cast`);
    anything but 0 is True.

    >>> tf.cast([1.9, -1.9], tf.int32).numpy()
    array([ 1, -1], dtype=int32)
    >>> tf.cast([300, -1], tf.uint8).numpy()
    array([ 44, 255], dtype=uint8)

    Raises:
        UnimplementedError: to or from string.
    """
    target = as_dtype(dtype)
    if not isinstance(x, TensorLike):
        if isinstance(x, IndexedSlices):
            sliced: Any = IndexedSlices(cast(x.values, target, name), x.indices, x.dense_shape)
            return sliced
        x = as_tensor(x)
    elif x.dtype is target:
        same: Any = as_tensor(x)
        return same
    if x.dtype is target:
        converted: Any = x
        return converted
    if x.dtype.is_complex and target.is_floating:
        _warn(x.dtype, target)
    return bind(Cast, x, DstT=target, name=name)


def in_dtype(given: Any, dtype: DType) -> Any:
    """A parameter as a tensor of this dtype: tensors are cast, and Python's numbers converted at
    once, as those that `cast` takes are rounded to float32 first.
    """
    return cast(given, dtype) if isinstance(given, TensorLike) else as_tensor(given, dtype)


@dispatchable(elements=1)
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """`value` as `dtype`; what the dtype cannot hold becomes its nearest value.

    value: numbers of any shape, which the result keeps. Complex numbers lose their imaginary part
    when `dtype` is real.

    >>> tf.saturate_cast([300, -5, 7], tf.uint8).numpy()
    array([255,   0,   7], dtype=uint8)

    Raises:
        TypeError: to or from what is no number.
    """
    from .arithmetic import maximum, minimum
    from .complex import real

    value, target = as_tensor(value), as_dtype(dtype)
    for one in (value.dtype, target):
        if not (one.is_numeric or one.is_narrow):
            raise TypeError(
                f"Cannot find minimum value of {one}: saturate_cast makes numbers of numbers, "
                f"here {target.name} of {value.dtype.name}; use tf.cast"
            )
    if value.dtype.is_complex:
        if target.is_complex:
            return cast(value, target, name)
        _warn(value.dtype, target)
        value = real(value)
    lowest, highest = _common_limits(value.dtype, target)
    if lowest is not None:
        value = maximum(value, as_tensor(lowest, value.dtype))
    if highest is not None:
        value = minimum(value, as_tensor(highest, value.dtype))
    return cast(value, target, name)


def _common_limits(source: DType, target: DType) -> tuple[Any, Any]:
    """Limits of `target` where `source` goes beyond them, as values of `source` not beyond them.

    Infinities are beyond every limit, of their own dtype, too.
    """
    if source.is_floating:
        limits = target.real_dtype
        return _within(source, source.min, limits.min), _within(source, source.max, limits.max)
    if target.is_complex:
        return None, None
    lowest = None if source.min >= _number(target.min) else target.min
    highest = None if source.max <= _number(target.max) else target.max
    return lowest, highest


def _number(limit: Any) -> Any:
    return limit if isinstance(limit, int) else float(limit)


def _within(source: DType, own: Any, limit: Any) -> Any:
    """What `source` holds nearest to `limit`, at the side of 0, and not beyond its `own` one."""
    storage, farthest = source.as_numpy_dtype, abs(_number(limit))
    if abs(float(own)) <= farthest:
        return storage(own)
    nearest = storage(float(limit))
    if abs(float(nearest)) <= farthest:
        return nearest
    with numpy_module.errstate(all="ignore"):
        return numpy_module.nextafter(nearest, storage(0))


class Bitcast(Op):
    """The same bits read as `type`.

    Where the sizes of the dtypes differ, the last axis is made or taken: float32 [n] read as uint8
    is [n, 4], and uint8 [n, 4] read as float32 is [n].
    """

    input = In("T ...")
    output = Out("type ...")
    type = Attr(allowed=NUMBERS | QUANTIZED)
    T = NUMBERS | QUANTIZED
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        source = as_dtype(self.input.dtype)
        if source.size < self.type.size:
            shape, count = sizes.shape(self.input), self.type.size // source.size
            fits = sizes.equal(shape[-1], count) if shape else False
            names = source.name, self.type.name
            sizes.require(fits, ShapeMismatchError, WRONG_LAST_AXIS, *names, shape, count)

    def infer(self) -> TensorSpec:
        dims, source, target = self.input.shape.entries, self.input.dtype, self.type
        if dims is None or source.size == target.size:
            return TensorSpec(dims, target)
        if source.size > target.size:
            return TensorSpec((*dims, source.size // target.size), target)
        return TensorSpec(dims[:-1], target)

    def eager(self, np: Any) -> Any:
        x, target = self.input, self.type.storage
        if x.dtype.itemsize == target.itemsize:
            return x.view(target)
        if x.dtype.itemsize > target.itemsize:
            return x.reshape(*x.shape, 1).view(target)
        return x.view(target).reshape(x.shape[:-1])

    def xla(self, xla: Any) -> Any:
        if self.type.is_quantized:
            xla.refuse("XLA has no quantized numbers")
        np, lax, x, target = xla.np, xla.lax, self.input, self.type.storage
        if x.dtype.kind != "c" and target.kind != "c":
            return lax.bitcast_convert_type(x, target)
        if x.dtype == target:
            return x
        shape = x.shape if x.dtype.itemsize >= target.itemsize else x.shape[:-1]
        if x.dtype.itemsize > target.itemsize:
            shape = (*shape, x.dtype.itemsize // target.itemsize)
        floats = np.stack([x.real, x.imag], -1) if x.dtype.kind == "c" else x
        octets = lax.bitcast_convert_type(floats, np.uint8)
        if target.kind != "c":
            parts = octets.reshape(*shape, target.itemsize)
            return lax.bitcast_convert_type(parts, target).reshape(shape)
        parts = octets.reshape(*shape, 2, target.itemsize // 2)
        found = lax.bitcast_convert_type(parts, np.float32 if target.itemsize == 8 else np.float64)
        return lax.complex(found[..., 0], found[..., 1])

    def lower(self, loops: Any) -> Any:
        x, target, s = self.input, self.type, loops.scalars
        if x.dtype.is_complex or target.is_complex:
            raise NotStatic("native code reads no bits of complex numbers")
        if x.dtype.size == target.size:
            return loops.map(x.shape, target, lambda *i: s.bitcast(x[i], target))
        if x.dtype.is_narrow or target.is_narrow:
            raise NotStatic("native code reads narrow numbers as others of their size")
        own, other = (WORDS[one.size] for one in (x.dtype, target))
        count, bits = x.dtype.size // target.size, 8 * target.size

        def taken(*place: Any) -> Any:
            *i, number = place
            moved = loops.constant(bits, own) * s.cast(scalar(loops, number), own)
            word = s.right_shift(s.bitcast(x[i], own), moved)
            return s.bitcast(s.cast(word, other), target)

        def joined(*i: Any) -> Any:
            word = loops.constant(0, other)
            for number in range(target.size // x.dtype.size):
                one = s.cast(s.bitcast(x[(*i, number)], own), other)
                moved = loops.constant(8 * x.dtype.size * number, other)
                word = word | s.left_shift(one, moved)
            return s.bitcast(word, target)

        if count:
            return loops.map((*x.shape, count), target, taken)
        return loops.map(x.shape[:-1], target, joined)


# The unsigned integers of so many bytes.
WORDS: Final = {1: dtypes.uint8, 2: dtypes.uint16, 4: dtypes.uint32, 8: dtypes.uint64}


WRONG_LAST_AXIS = "Cannot bitcast from {} to {}: the last axis of shape {} must be {}"


@dispatchable
def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The bits of `input` read as `type`; where sizes differ, the last axis is made or taken.

    input: numbers; `type`: a dtype of numbers. Of one size, the shape stays; a dtype k times
    smaller adds an axis of k elements, one k times larger takes it away.

    >>> tf.bitcast(tf.constant([1, 256]), tf.uint8).numpy()
    array([[1, 0, 0, 0],
           [0, 1, 0, 0]], dtype=uint8)

    Raises:
        InvalidArgumentError: the last axis does not fill one element of the larger dtype.
        DTypeMismatchError: bools or strings.
    """
    return bind(Bitcast, input, type=as_dtype(type), name=name)
