"""What kernels give, as tensors; and what runs natively because it is large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes, native_operations
from ...core.dtypes import BY_NUMPY_NUMBER, DType
from ...core.native_operations import MANY, SLOW, flattened
from ...core.values import TensorLike
from ...errors import ResourceExhaustedError
from ...ops.op import Op
from ..arrays import Array, canonical, from_numpy
from ..tensor import EagerTensor, wrap, wrap_handle

ndarray: Final = np.ndarray
asarray: Final = np.asarray

# Strings, and what is only kept and cast, are the slow way's.
REFUSED: Final = frozenset(
    [dtypes.string.storage.num, dtypes.STRUCTURE, *[one.storage.num for one in dtypes.NARROW]]
)
# NumPy computes with these number by number, twenty times slower than with float32: elementwise
# operations on many run natively. Sums, products, quotients and roots are the same to the bit.
NARROW: Final = frozenset((dtypes.float16.storage.num, dtypes.bfloat16.storage.num))
# So it does for quotients (seven times slower) and functions (thirty times) of complex numbers.
COMPLEX: Final = frozenset((dtypes.complex64.storage.num, dtypes.complex128.storage.num))


def as_output(result: Any, dtype: DType | None) -> Any:
    """What a kernel returned, as a tensor.

    Raises:
        ResourceExhaustedError: it has to be copied, and there is no memory.
    """
    if type(result) is ndarray:
        found = BY_NUMPY_NUMBER.get(result.dtype.num)
        if found is not None and found.storage is result.dtype and result.flags.carray:
            tensor = EagerTensor()
            tensor._array = result
            return tensor
    try:
        return _as_output(result, dtype)
    except MemoryError as error:
        raise ResourceExhaustedError(str(error)) from None


def _as_output(result: Any, dtype: DType | None) -> Any:
    if type(result) is ndarray:
        return wrap(from_numpy(result, dtype) if result.dtype.kind in "US" else canonical(result))
    if isinstance(result, np.generic):
        return wrap(canonical(asarray(result)))
    if isinstance(result, TensorLike):
        return result
    if isinstance(result, (bool, int, float, complex, bytes, str)):
        return wrap(_from_python(result, dtype))
    return wrap_handle(result, dtype)


def _from_python(result: Any, dtype: DType | None) -> Array:
    if isinstance(result, (bytes, str)):
        return from_numpy(asarray(result, object), None)
    return canonical(asarray(result, None if dtype is None else dtype.storage))


# ---------------------------------------------------------------- large operands


def native_from(op: type[Op], number: int) -> int | None:
    """From how many elements on `op` runs natively, whose last operand has a dtype of NumPy's."""
    if op.native_from is not None or not op.by_element:
        return op.native_from
    return MANY if number in NARROW else SLOW if number in COMPLEX else None


def run_natively(
    op: type[Op], payloads: Sequence[Any], attrs: dict[str, Any]
) -> tuple[EagerTensor, ...] | None:
    """What `op` makes of arrays in native code; None where they are few, or it has to be NumPy."""
    count = 0
    for payload in payloads:
        for one in payload if type(payload) in (list, tuple) else (payload,):
            if type(one) is not ndarray:
                return None
            count += one.size
    least = native_from(op, payloads[-1].dtype.num) if op.by_element else op.native_from
    if least is None or count < least:
        return None
    fold = flattened if op.by_element else op.fold
    if fold is None:
        found = native_operations.run(op, payloads, attrs)
        return None if found is None else tuple(map(wrap, found))
    folded = fold(payloads, attrs)
    if folded is None:
        return None
    found = native_operations.run(op, folded.operands, folded.attrs, folded.axes)
    return None if found is None else tuple([wrap(one.reshape(folded.shape)) for one in found])
