"""Python and NumPy values as arrays that a tensor may hold: TensorFlow's defaults and refusals.

Python numbers are weak: an int is int32 (int64 where it must), a float is float32. NumPy's dtypes
stay. Where a dtype is asked for, nothing is lost in silence: a fraction, a value out of an integer
type's range and an imaginary part are errors, where TensorFlow truncates and wraps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np

from ..core import context, dtypes
from ..core.dtypes import BY_NUMPY_NUMBER, DType
from ..core.shapes import TensorShape
from ..core.tree import Composite
from ..core.values import OperationBase
from ..errors import DTypeMismatchError, KnownDTypeError, UnsupportedValueError

Array = np.ndarray[Any, Any]

FLOAT: Final = dtypes.float32  # what Python's float is unless a dtype is asked for
LARGEST_FLOAT32: Final = float(np.finfo(np.float32).max)
INT32: Final = np.iinfo(np.int32)
INT64: Final = np.iinfo(np.int64)
_SURELY_FITS: Final = 4  # any type of floats: NumPy need not be told not to warn
NUMERIC_ORDER: Final = ("bool", "int", "float", "complex")


def to_array(value: Any, dtype: DType | None = None, preferred: DType | None = None) -> Array:
    """`value` as a new, canonical array: C-contiguous, native byte order, `DType.storage`.

    Takes `dtype`, else `preferred` where that is possible, else the value's own dtype.

    Raises:
        DTypeMismatchError (a TypeError): the value does not fit `dtype`.
        ValueError: no tensor can hold the value.
    """
    if dtype is None and preferred is not None:
        try:
            return to_array(value, preferred)
        except (TypeError, ValueError):
            return to_array(value)
    kind = type(value)
    if dtype is not None and dtype.family == "quantized":
        return _quantized(value, dtype)
    if kind is float or kind is int or kind is bool:
        return _from_number(value, kind, dtype)
    if isinstance(value, (np.ndarray, np.generic)):
        return from_numpy(np.asarray(value), dtype, value)
    if isinstance(value, (str, bytes)):
        return _from_leaves([value], (), dtype, value)
    if is_sequence(value):
        return _from_sequence(value, dtype)
    if leaf_kind(kind) is not None:
        return _from_leaves([value], (), dtype, value)
    if hasattr(value, "__array__"):
        return from_numpy(np.asarray(value), dtype, value)
    if value is None and context.building_graph():
        raise ValueError("None values not supported.")
    raise unsupported(value)


def _quantized(value: Any, dtype: DType) -> Array:
    """Integers as those of a quantized type, or an array of structures as it is."""
    storage = getattr(value, "dtype", None)
    if storage == dtype.storage:
        return copied(np.asarray(value), dtype.storage)
    try:
        plain = to_array(value, dtypes.as_dtype(dtype.plain))
    except DTypeMismatchError as error:
        raise cannot_convert(value, dtype) from error
    return plain.view(dtype.storage)


def is_sequence(value: Any) -> bool:
    """Whether `value` is a list, a tuple, or something else with a length and an order."""
    return is_sequence_type(type(value))


@lru_cache(1024)
def is_sequence_type(cls: type) -> bool:
    if issubclass(cls, (str, bytes)):
        return False
    return issubclass(cls, (Sequence, bytearray, memoryview, TensorShape))


def unsupported(value: Any) -> Exception:
    if isinstance(value, OperationBase):
        return TypeError(
            f"can't convert {value!r} to a Tensor: its results are, `op.outputs`, if it has any"
        )
    # Functions that take ragged tensors, too, ask first: to write out all elements takes long.
    described = value._type_spec if isinstance(value, Composite) else None
    shown = value if described is None else described
    return UnsupportedValueError(
        f"Attempt to convert a value ({shown!r}) with an unsupported type ({type(value)}) "
        f"to a Tensor."
    )


def cannot_convert(value: Any, dtype: DType, reason: str = "") -> KnownDTypeError:
    text = repr(value)
    shown = text if len(text) < 200 else f"{text[:200]}..."
    detail = f": {reason}" if reason else ""
    if isinstance(value, (str, bytes)) and dtype.is_numeric:
        detail += (
            "; tf.strings.as_string makes strings of numbers, tf.strings.to_number the reverse"
        )
    elif isinstance(value, float) and dtype.is_integer and not reason:
        detail = "; use tf.cast, of it or of the tensor beside it"
    return KnownDTypeError(f"Cannot convert {shown} to EagerTensor of dtype {dtype.name}{detail}")


# ---- numbers


def _from_number(value: Any, kind: type, dtype: DType | None) -> Array:
    """One Python number, without the detours of a sequence."""
    if kind is float:
        if dtype is None:
            _check_limit(value)
            return np.array(value, dtypes.float32.storage)
        if dtype.family != "float" and dtype.family != "complex":
            raise cannot_convert(value, dtype)
        return _float_of(value, dtype)
    if kind is bool:
        target = dtype or dtypes.bool_
        if target.family == "string":
            raise cannot_convert(value, target)
        return _as_storage(value, target)
    if dtype is None:
        return np.array(value, int_dtype(value, value).storage)
    if dtype.family == "int" or dtype.family == "uint":
        check_range(value, value, dtype, value)
        return np.array(value, dtype.storage)
    if dtype.family != "float" and dtype.family != "complex":
        raise cannot_convert(value, dtype)
    return _float_of(value, dtype)


def _float_of(value: float, dtype: DType) -> Array:
    if -_SURELY_FITS <= value <= _SURELY_FITS:
        return np.array(value, dtype.storage)
    return _as_storage(value, dtype)


def _as_storage(value: Any, dtype: DType) -> Array:
    with np.errstate(over="ignore"):  # beyond a float type's range is inf, as IEEE says
        try:
            return np.array(value, dtype.storage)
        except OverflowError:
            raise cannot_convert(value, dtype, "it is out of range") from None


def _check_limit(value: Any, dtype: DType = FLOAT, largest: float = LARGEST_FLOAT32) -> None:
    """Refuse what is finite, but not in a type of floats that nobody has asked for."""
    if abs(value) > largest and value - value == 0:  # inf - inf is nan
        raise ValueError(
            f"Can't convert Python sequence with a value out of range for {dtype.name} ({value!r}) "
            f"to Tensor; pass dtype=tf.float64"
        )


def int_dtype(smallest: int, largest: int) -> DType:
    """int32 where both fit, else int64.

    Raises:
        ValueError: they do not even fit int64.
    """
    if INT32.min <= smallest and largest <= INT32.max:
        return dtypes.int32
    if INT64.min <= smallest and largest <= INT64.max:
        return dtypes.int64
    raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")


LIMITS: Final = {dtype.name: (dtype.min, dtype.max) for dtype in dtypes.ALL if dtype.is_integer}


def check_range(smallest: int, largest: int, dtype: DType, value: Any) -> None:
    """Raise an error unless both fit the integer type."""
    low, high = LIMITS[dtype.name]
    if smallest < low or largest > high:
        raise cannot_convert(value, dtype, f"{dtype.name} holds {low} to {high}")


# ---- NumPy


def from_numpy(array: Array, dtype: DType | None, value: Any = None) -> Array:
    """A copy of `array` as a tensor may hold it; `value` is what the user gave, for messages."""
    own = dtype_of(array)
    if own is dtypes.string:
        if dtype is None or dtype is dtypes.string:
            return encode_strings(array)
        if (numbers := _numbers_of(array)) is not None:
            return from_numpy(numbers, dtype, value)
        raise cannot_convert(array if value is None else value, dtype)
    target = dtype or own
    if target is own and array.dtype is own.storage:
        return np.array(array, order="C")
    if target is not own:
        check_lossless(array, own, target, array if value is None else value)
    with np.errstate(all="ignore"):
        return copied(array, target.storage)


def _numbers_of(objects: Array) -> Array | None:
    """An array of objects that are all numbers, as one of numbers; None for any other."""
    leaves = objects.reshape(-1).tolist()
    if any(leaf_kind(cls) in (None, "string") for cls in set(map(type, leaves))):
        return None
    numbers = np.array(leaves)
    if numbers.dtype.kind == "O":  # integers of more than 64 bits
        has_complex = any(isinstance(one, complex) for one in leaves)
        numbers = numbers.astype(np.complex128 if has_complex else np.float64)
    return numbers.reshape(objects.shape)


def canonical(array: Array) -> Array:
    """`array` itself where it keeps the promises of `EagerTensor`, else a copy that does."""
    storage = dtype_of(array).storage
    if storage is array.dtype and array.flags.carray:
        return array
    return copied(array, storage)


def copied(array: Array, storage: np.dtype[Any]) -> Array:
    """A contiguous copy whose dtype is the very object `storage`.

    NumPy keeps an equal dtype object that it finds: pickled arrays have one of their own, and so
    has `long long` where `long` is as wide.
    """
    result = np.array(array, dtype=storage, order="C")
    return result if result.dtype is storage else result.view(storage).copy()


def dtype_of(array: Array) -> DType:
    """The DType of a NumPy array.

    Raises:
        ValueError: tensors have no such dtype.
    """
    storage = array.dtype
    if storage.kind in "USTO":
        return dtypes.string
    found = BY_NUMPY_NUMBER.get(storage.num)
    if found is not None:
        return found
    try:
        told = dtypes.as_dtype(storage)
    except TypeError:
        told = None
    if told is None:
        raise UnsupportedValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported numpy type: {storage})."
        )
    return told


def check_lossless(array: Array, own: DType, target: DType, value: Any) -> None:
    """Refuse a cast that would change values, beyond the rounding of floats."""
    if target.family in ("string", "resource", "variant", "quantized"):
        raise cannot_convert(value, target)
    if array.size == 0 or target.family in ("bool", "complex"):
        return
    if own.family == "complex" and (array.imag != 0).any():
        raise cannot_convert(value, target, "it has an imaginary part; use tf.math.real")
    if not target.is_integer or own.is_bool:
        return
    real = array.real if own.family == "complex" else array
    if own.is_integer:
        check_range(int(real.min()), int(real.max()), target, value)
        return
    wide = real.astype(np.float64)
    if not (np.isfinite(wide) & (np.trunc(wide) == wide)).all():
        raise cannot_convert(value, target, "it has a fraction; use tf.cast")
    check_range(int(wide.min()), int(wide.max()), target, value)


def encode_strings(array: Array) -> Array:
    """An object array of bytes: tensors hold bytes, text is UTF-8."""
    encoded = np.empty(array.shape, dtypes.string.storage)
    flat = encoded.reshape(-1)
    for index, item in enumerate(array.reshape(-1).tolist()):
        flat[index] = _encode(item)
    return encoded


def _encode(item: Any) -> bytes:
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return bytes(item)
    raise UnsupportedValueError(
        f"Failed to convert a NumPy array to a Tensor (Unsupported object type "
        f"{type(item).__name__})."
    )


# ---- sequences


def _from_sequence(value: Any, dtype: DType | None) -> Array:
    sizes = (dtypes.int32, dtypes.int64)
    if type(value) is TensorShape and dtype is not None and dtype not in sizes:
        raise cannot_convert(value, dtype, "sizes are int32 or int64")
    level: list[Any] = list(value)
    if type(value) is TensorShape and not level:
        return np.empty(0, (dtype or dtypes.int32).storage)
    types = set(map(type, level))
    if types == {int} and (dtype is None or dtype.is_integer):
        return _from_ints(level, dtype, value)
    if types == {float} and (dtype is None or dtype.is_floating):
        return _from_floats(level, dtype or FLOAT, dtype is not None)
    dims: list[int] = [len(level)]
    while nested := {cls for cls in set(map(type, level)) if is_sequence_type(cls)}:
        if all(type(item) in nested for item in level):
            dims.append(_common_length(level))
            level = list(chain.from_iterable(level))
        elif any(isinstance(item, np.ndarray) and item.ndim for item in level):
            level = [list(x) if isinstance(x, np.ndarray) and x.ndim else x for x in level]
        else:
            raise _not_rectangular(level)
    if any(issubclass(cls, np.ndarray) for cls in set(map(type, level))):
        return _from_arrays(level, tuple(dims), dtype, value)
    return _from_leaves(level, tuple(dims), dtype, value)


def _from_ints(numbers: list[int], dtype: DType | None, value: Any) -> Array:
    """The commonest sequences: shapes, axes, indices."""
    smallest, largest = min(numbers), max(numbers)
    target = dtype or int_dtype(smallest, largest)
    check_range(smallest, largest, target, value)
    return np.array(numbers, target.storage)


def _from_floats(numbers: Sequence[Any] | Array, dtype: DType, is_asked: bool) -> Array:
    """Numbers as floats; in the range of a type that nobody has asked for."""
    array = _as_storage(numbers, dtype)
    if not is_asked and not np.isfinite(array).all():
        limit = float(dtype.max)
        for number in numbers:
            _check_limit(number, dtype, limit)
    return array


def _common_length(rows: Sequence[Any]) -> int:
    length = len(rows[0])
    for row in rows:
        if len(row) != length:
            raise _uneven(f"{length} and {len(row)} elements")
    return length


def _uneven(found: str) -> ValueError:
    return ValueError(
        "Can't convert non-rectangular Python sequence to Tensor: beside each other stand "
        f"{found}; tf.ragged.constant takes rows of different lengths"
    )


def _not_rectangular(level: Sequence[Any]) -> Exception:
    for item in level:
        if not is_sequence(item) and leaf_kind(type(item)) is None:
            return unsupported(item)
    return _uneven("lists and single values")


def _from_arrays(
    level: Sequence[Any], dims: tuple[int, ...], dtype: DType | None, value: Any
) -> Array:
    """Rows that are arrays, numbers among them."""
    arrays = [np.asarray(item) for item in level]
    for array in arrays:
        if array.shape != arrays[0].shape:
            raise _uneven(f"arrays of shape {arrays[0].shape} and {array.shape}")
    if not arrays[0].size:
        shape = dims + arrays[0].shape
        return np.empty(shape[: shape.index(0) + 1], (dtype or FLOAT).storage)
    stacked = _stacked(arrays).reshape(dims + arrays[0].shape)
    kind = leaf_kind(stacked.dtype.type)
    if dtype is None and kind == "complex":
        dtype = dtypes.complex128
    if dtype is None and kind == "float":
        numbers = stacked.reshape(-1)
        return _from_floats(numbers, _float_dtype(level[0]), False).reshape(stacked.shape)
    if dtype is None and kind == "int":
        dtype = int_dtype(int(stacked.min()), int(stacked.max()))
    return from_numpy(stacked, dtype, value)


def _stacked(arrays: Sequence[Array]) -> Array:
    """They along a new first axis, integers as integers: NumPy makes float64 of int64 beside
    uint64.
    """
    if {array.dtype.kind for array in arrays} != {"i", "u"}:
        return np.stack(arrays)
    smallest, largest = min(int(one.min()) for one in arrays), max(int(one.max()) for one in arrays)
    storage = np.uint64 if smallest >= 0 else int_dtype(smallest, largest).storage
    return np.stack(arrays, dtype=storage, casting="unsafe")


def _from_leaves(
    leaves: list[Any], dims: tuple[int, ...], dtype: DType | None, value: Any
) -> Array:
    types = set(map(type, leaves))
    kinds = {cls: leaf_kind(cls) for cls in types}
    for item in leaves if None in kinds.values() else ():
        if kinds[type(item)] is None:
            raise unsupported(item)
    found = set(kinds.values())
    if "string" in found and len(found) > 1:
        raise UnsupportedValueError("Can't convert Python sequence with mixed types to Tensor.")
    target = dtype or _natural_dtype(leaves, found)
    _check_leaves(leaves, found, target, value)
    if target is dtypes.string:
        return encode_strings(_object_array(leaves)).reshape(dims)
    if types - {int, float, bool, complex}:
        leaves = [item.item() if isinstance(item, np.generic) else item for item in leaves]
    if target.is_floating:
        return _from_floats(leaves, target, dtype is not None).reshape(dims)
    return _as_storage(leaves, target).reshape(dims)


def _object_array(leaves: list[Any]) -> Array:
    array = np.empty(len(leaves), object)
    array[:] = leaves
    return array


def _check_leaves(leaves: list[Any], found: set[str | None], target: DType, value: Any) -> None:
    if not found:
        return
    if target.family not in (*NUMERIC_ORDER, "uint"):
        if found != {target.family}:
            raise cannot_convert(value, target)
        return
    kind = "int" if target.family == "uint" else target.family
    allowed = NUMERIC_ORDER[: NUMERIC_ORDER.index(kind) + 1]
    if not found <= set(allowed):
        raise cannot_convert(value, target)
    if target.is_integer:
        check_range(int(min(leaves)), int(max(leaves)), target, value)


def _natural_dtype(leaves: list[Any], found: set[str | None]) -> DType:
    if not found:
        return dtypes.float32
    if found == {"string"}:
        return dtypes.string
    if context.building_graph() and any(isinstance(one, np.generic) for one in leaves):
        return _shared_dtype(leaves)
    widest = max(NUMERIC_ORDER.index(kind) for kind in found if kind)
    if NUMERIC_ORDER[widest] == "bool":
        return dtypes.bool_
    if NUMERIC_ORDER[widest] == "int":
        return int_dtype(int(min(leaves)), int(max(leaves)))
    if NUMERIC_ORDER[widest] == "float":
        return _float_dtype(leaves[0])
    return dtypes.complex128


def _shared_dtype(leaves: list[Any]) -> DType:
    """What NumPy makes of numbers beside each other, as traces have it: in 32 bits where these do,
    so that `tf.constant([np.sqrt(2), 1])` is float32.
    """
    shared = dtype_of(np.array(leaves))
    if shared is dtypes.int64:
        return int_dtype(int(min(leaves)), int(max(leaves)))
    return FLOAT if shared is dtypes.float64 else shared


def _float_dtype(first: Any) -> DType:
    """What floats beside each other become: the first one's type, if it is NumPy's, as in
    TensorFlow, where `tf.constant([0, np.mean(x)])` is float32.
    """
    own = dtype_of(np.asarray(first)) if isinstance(first, (np.generic, np.ndarray)) else FLOAT
    return own if own.is_floating else FLOAT


_KINDS: Final[dict[type, str | None]] = {}


def leaf_kind(cls: type) -> str | None:
    """What a Python or NumPy scalar type counts as: a kind of DType, or None."""
    if cls not in _KINDS:
        _KINDS[cls] = _find_kind(cls)
    return _KINDS[cls]


def _find_kind(cls: type) -> str | None:
    if issubclass(cls, (str, bytes)):
        return "string"
    if issubclass(cls, bool):
        return "bool"
    if issubclass(cls, np.generic):
        found = BY_NUMPY_NUMBER.get(np.dtype(cls).num) if cls is not np.generic else None
        return None if found is None else found.family.removeprefix("u")
    for python, kind in ((int, "int"), (float, "float"), (complex, "complex")):
        if issubclass(cls, python):
            return kind
    # What Python takes as an index, and is no array: sizes of TensorFlow 1.
    return "int" if hasattr(cls, "__index__") and not hasattr(cls, "__array__") else None
