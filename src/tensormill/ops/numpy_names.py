"""What of `tf.experimental.numpy` Keras asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes

from ..core.dtypes import as_dtype
from .array.fill import zeros_like
from .array.select import where
from .conversion import as_tensor, as_tensors


def finfo(dtype: Any) -> Any:
    """The limits of a floating dtype, as NumPy tells them (of bfloat16, too).

    >>> float(tf.experimental.numpy.finfo("bfloat16").eps)
    0.0078125

    Raises:
        ValueError: the dtype is no float.
    """
    return ml_dtypes.finfo(as_dtype(dtype).numpy)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """The elements of the first choice whose condition holds, else `default`.

    condlist: conditions, bool; choicelist: as many tensors. All broadcast, to the shape of the
    result.

    >>> x = np.array([1, 5, 9])
    >>> tf.experimental.numpy.select([x < 3, x < 7], [x, x * 10], -1).numpy()
    array([ 1, 50, -1])

    Raises:
        ValueError: not as many choices as conditions.
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            f"condlist must have the same length as choicelist: {len(condlist)} vs. "
            f"{len(choicelist)}"
        )
    *choices, otherwise = as_tensors(*choicelist, default)
    result = otherwise + zeros_like(choices[0]) if choices else otherwise
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        result = where(as_tensor(condition), choice, result)
    return result
