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
    """The limits of a floating dtype, as NumPy tells them (of bfloat16, too)."""
    return ml_dtypes.finfo(as_dtype(dtype).numpy)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """The elements of the first choice whose condition holds, else `default`.

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
