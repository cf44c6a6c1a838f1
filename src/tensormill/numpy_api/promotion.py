"""Which dtype operands share, by NumPy's rules, and operands as tensors of it.

Python's numbers are weak (they take the dtype beside them, if it is of their kind or a later one),
and so are those in lists; by themselves they are int64, float64 and complex128. Tensors, arrays and
NumPy's scalars have the dtype that they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Final, TypeVar
from typing import cast as cast_type

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.numpy_behavior import changes
from ..core.values import TensorLike
from ..eager.arrays import is_sequence
from ..eager.convert import first_tensor
from ..ops.array.concatenation import stack
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from .weak_promotion import without_weak

Function = TypeVar("Function", bound=Callable[..., Any])

# What NumPy calls the dtype of a string, whatever its length.
STRING: Final = np.dtype("S")
SHORT: Final[dict[type, Any]] = {float: np.dtype(np.float32), complex: np.dtype(np.complex64)}
# What Python's numbers are by themselves where they have 32 bits.
OF_32_BITS: Final = {np.dtype(np.int64): np.dtype(np.int32), np.dtype(float): SHORT[float]}
NARROW: Final = {dtypes.float64.storage: SHORT[float], dtypes.complex128.storage: SHORT[complex]}


def keeps_weak(function: Function) -> Function:
    """A function whose result is as weak as its first operand, in the modes that know weak ones."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if changes.constant is None or not args:
            return result
        return changes.constant(args[0], result)

    return cast_type(Function, call)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that the arguments have in common, by NumPy's rules.

    arrays_and_dtypes: tensors, arrays, numbers, lists of them, and dtypes. Of nothing: float64.

    >>> tf.experimental.numpy.result_type(np.int8, np.uint8), tf.experimental.numpy.result_type(1.0)
    (tf.int16, tf.float64)

    Raises:
        TypeError: there is no such dtype, or an argument has none.
    """
    found = [kind for one in _strong(arrays_and_dtypes) for kind in _kinds(one, of_name)]
    return as_dtype(_in_common(found) if found else np.float64)


def promote_types(type1: Any, type2: Any) -> np.dtype[Any]:
    """The smallest dtype of NumPy's that both dtypes can be cast to without a loss.

    >>> tf.experimental.numpy.promote_types(tf.int32, np.float32)
    dtype('float64')

    Raises:
        TypeError: there is none, or an argument is no dtype.
    """
    first, second = (as_numpy_dtype(one) for one in (type1, type2))
    return np.promote_types(first, second)


def as_numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """A dtype, its name or a type, as NumPy has it."""
    if isinstance(dtype, DType):
        return STRING if dtype is dtypes.string else dtype.storage
    found = np.dtype(dtype)
    is_of_python = dtype is int or dtype is float
    return OF_32_BITS.get(found, found) if changes.prefer_32_bits and is_of_python else found


def dtype_of(dtype: Any) -> DType:
    """A dtype as ours: Python's `int` and `float` are NumPy's int64 and float64."""
    return as_dtype(as_numpy_dtype(dtype))


def of_name(name: Any) -> np.dtype[Any]:
    """What a string says in a list of dtypes."""
    return np.dtype(name)


def of_string(_: Any) -> np.dtype[Any]:
    """What a string is among operands."""
    return STRING


def _kinds(value: Any, of_text: Any) -> Iterator[Any]:
    """What `np.result_type` is asked about: a dtype, or a number that is weak."""
    if isinstance(value, TensorLike):
        yield as_numpy_dtype(value.dtype)
    elif isinstance(value, np.ndarray):
        yield STRING if value.dtype.kind in "OSUT" else value.dtype
    elif isinstance(value, (bool, int, float, complex, np.generic)):
        yield _kind_of_number(value)
    elif isinstance(value, (str, bytes)):
        yield of_text(value)
    elif is_sequence(value):
        for one in value:
            yield from _kinds(one, of_text)
    elif hasattr(type(value), "__tf_tensor__"):
        yield as_numpy_dtype(as_tensor(value).dtype)
    elif hasattr(value, "__array__") and not isinstance(value, type):
        yield np.asarray(value).dtype
    else:
        yield as_numpy_dtype(value)


def _kind_of_number(value: Any) -> Any:
    if not isinstance(value, np.generic):
        return value
    dtype = STRING if value.dtype.kind in "OSU" else value.dtype
    return NARROW.get(dtype, dtype) if changes.prefer_float32 else dtype


def _in_common(found: list[Any]) -> np.dtype[Any]:
    """The dtype of dtypes and weak numbers; NumPy takes no number for one of bfloat16's kind."""
    beside = [one for one in found if isinstance(one, np.dtype)]
    if any(dtype.kind == "V" for dtype in beside):
        found = beside + [one for one in found if isinstance(one, complex)]
    elif changes.prefer_float32 and not any(dtype.kind in "fc" for dtype in beside):
        found = [SHORT.get(type(one), one) for one in found]
    common = np.result_type(*found)
    return OF_32_BITS.get(common, common) if changes.prefer_32_bits and not beside else common


def common_dtype(*values: Any) -> DType:
    """The dtype that operands share; that of floats, where there is no number at all.

    Raises:
        TypeError: NumPy has none.
        ValueError: a value is nothing that a tensor can hold.
    """
    try:
        found = [kind for value in values for kind in _kinds(value, of_string)]
        return as_dtype(_in_common(found) if found else _of_nothing())
    except TypeError:
        for value in values:
            if not isinstance(value, (TensorLike, np.ndarray)):
                as_tensor(value)  # says that it is no tensor, where it is none
        raise


def _of_nothing() -> Any:
    return np.float32 if changes.prefer_float32 else np.float64


def as_array(value: Any, dtype: Any = None) -> Any:
    """`value` as a tensor, of `dtype` or of the dtype that NumPy would give it."""
    wanted = None if dtype is None else dtype_of(dtype)
    value = _strong(value)
    if isinstance(value, (TensorLike, np.ndarray)):
        tensor = as_tensor(value)
    else:
        tensor = _converted(value, common_dtype(value))
    return tensor if wanted is None else cast(tensor, wanted)


def as_arrays(*values: Any) -> list[Any]:
    """Operands as tensors of the dtype that they share."""
    values = _strong(values)
    wanted = common_dtype(*values)
    return [_converted(value, wanted) for value in values]


def _strong(value: Any) -> Any:
    """A value, or lists of them, with the tensors of weak ones, in the modes that know these."""
    return value if changes.promotion is None else without_weak(value)


def _converted(value: Any, dtype: DType) -> Any:
    if isinstance(value, (TensorLike, np.ndarray, np.generic)):
        return cast(as_tensor(value), dtype)
    if is_sequence(value) and first_tensor(value) is not None:
        return stack([_converted(one, dtype) for one in value])
    return as_tensor(value, dtype)


def as_floats(value: Any) -> Any:
    """`value` as a tensor of floats or complex numbers: of integers and bools, float64."""
    tensor = as_array(value)
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return tensor
    return cast(tensor, dtype_of(float))


def as_float_arrays(*values: Any) -> list[Any]:
    """Operands as floats or complex numbers of the dtype that they share."""
    return [as_floats(one) for one in as_arrays(*values)]


def as_bools(value: Any) -> Any:
    """`value` as a tensor of bools: whether elements differ from 0."""
    return cast(as_array(value), dtypes.bool_)
