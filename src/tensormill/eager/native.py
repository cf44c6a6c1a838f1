"""Large operands: eager execution in native code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..core import dtypes, native_operations
from ..core.native_operations import MANY
from ..ops.op import Op
from .tensor import EagerTensor, wrap

ndarray: Final = np.ndarray
# NumPy computes with these number by number, twenty times slower than with float32: elementwise
# operations on many run natively. Sums, products, quotients and roots are the same to the bit.
NARROW: Final = frozenset((dtypes.float16.numpy.num, dtypes.bfloat16.numpy.num))


def run_natively(
    op: type[Op], payloads: Sequence[Any], attrs: dict[str, Any]
) -> tuple[EagerTensor, ...] | None:
    """What `op` makes of arrays in native code; None where they are few, or it has to be NumPy."""
    count = 0
    for payload in payloads:
        if type(payload) is not ndarray:
            return None
        count += payload.size
    if count < (MANY if op.native_from is None else op.native_from):
        return None
    if not op.by_element:
        found = native_operations.run(op, payloads, attrs)
        return None if found is None else tuple(map(wrap, found))
    shapes = {payload.shape for payload in payloads if payload.ndim}
    if len(shapes) != 1:  # broadcasting is NumPy's
        return None
    (shape,) = shapes  # one vector: code for every rank
    flat = [payload.reshape(-1) if payload.ndim else payload for payload in payloads]
    found = native_operations.run(op, flat, attrs)
    return None if found is None else tuple([wrap(one.reshape(shape)) for one in found])
