"""What an operator is multiplied with, or solved for: of its dtype and of a size that fits."""

from __future__ import annotations

from typing import Any

from ..ops.conversion import as_tensor


def matrix_for(operator: Any, x: Any, adjoint: bool, adjoint_arg: bool) -> Any:
    """A matrix [..., n, k], or its adjoint, whose rows fit the operator, or its adjoint.

    Raises:
        TypeError: its dtype is not the operator's.
        ValueError: it does not fit.
    """
    x = of_dtype_of(operator, x)
    shape = operator.shape
    if shape.rank is not None and x.shape.rank is not None:
        size = x.shape[-1 if adjoint_arg else -2]
        require_fit(operator, shape[-2 if adjoint else -1], size, x)
    return x


def vector_for(operator: Any, x: Any, adjoint: bool) -> Any:
    """Vectors [..., n] that fit the operator, or its adjoint.

    Raises:
        TypeError: their dtype is not the operator's.
        ValueError: they do not fit.
    """
    x = of_dtype_of(operator, x)
    shape = operator.shape
    if shape.rank is not None and x.shape.rank is not None:
        require_fit(operator, shape[-2 if adjoint else -1], x.shape[-1], x)
    return x


def of_dtype_of(operator: Any, x: Any) -> Any:
    """x as a tensor: Python's numbers take the operator's dtype, what has a dtype keeps it.

    Raises:
        TypeError: that is not the operator's.
    """
    x = as_tensor(x, None, None if hasattr(x, "dtype") else operator.dtype)
    if operator.dtype is not None and x.dtype is not operator.dtype:
        raise TypeError(
            f"Input had dtype {x.dtype.name} but expected {operator.dtype.name}, that of "
            f"{operator.name}; use tf.cast"
        )
    return x


def require_fit(operator: Any, wanted: int | None, size: int | None, x: Any) -> None:
    if None not in (wanted, size) and wanted != size:
        raise ValueError(
            f"Dimensions {wanted} and {size} are not compatible: {operator.name} of shape "
            f"{operator.shape} and an operand of shape {x.shape}"
        )
