"""`experimental_enable_numpy_behavior`: tensors with NumPy's methods, keys and promotion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..core.numpy_behavior import changes
from ..core.values import TensorLike
from ..eager.arrays import is_sequence
from ..eager.operators import multiply_matrices
from ..eager.tensor import Tensor
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from . import axes, elementwise, products, reductions, selection
from .keys import get_item
from .promotion import as_arrays

MODES: Final = ("off", "legacy", "safe", "all")
WEAK_MODES: Final = ("safe", "all")
NUMBERS: Final = (bool, int, float, complex)


def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Give tensors NumPy's methods and keys, and operators its promotion: for the whole process.

    Tensors get `T`, `astype`, `clip`, `data`, `flatten`, `max`, `mean`, `min`, `ravel`, `reshape`,
    `round`, `size`, `tolist` and `transpose`; keys may hold arrays of places. Nothing turns it
    back.

    prefer_float32: Python's floats are float32 beside integers, and by themselves.
    dtype_conversion_mode: what becomes of operands of different dtypes: nothing ("off"); of those
    of operators, what NumPy does ("legacy"); of those of functions, too, a dtype of both, floats
    before integers ("all"), but only where no value is lost ("safe", else TypeError). In the last
    two numbers of Python's are weak: `tf.constant(5)` takes the dtype of what it meets.

    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()
    >>> x = tf.constant([[1, 2], [3, 4]])
    >>> (x.T + 0.5)[[1, 0], [0, 0]].tolist()
    [2.5, 1.5]

    Raises:
        ValueError: another mode.
    """
    if dtype_conversion_mode not in MODES:
        raise ValueError(
            f"dtype_conversion_mode={dtype_conversion_mode!r} is none of {', '.join(MODES)}"
        )
    changes.prefer_float32 = prefer_float32
    changes.operate = None if dtype_conversion_mode == "off" else operate
    changes.promotion = changes.constant = None
    changes.prefer_32_bits = dtype_conversion_mode in WEAK_MODES
    if dtype_conversion_mode in WEAK_MODES:
        from .weak_tensor import Promotion, constant_of

        promotion = Promotion(dtype_conversion_mode)
        changes.operate, changes.promotion = promotion.operate, promotion
        changes.constant = constant_of
    changes.get_item = get_item
    for name, member in METHODS.items():
        setattr(Tensor, name, member)


def operate(function: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """What an operator does in the mode "legacy"."""
    if function is multiply_matrices:  # which knows no vectors
        return products.matmul(x, y)
    return function(*promoted(x, y))


def promoted(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands of an operator, one of which is a tensor, in the dtype that NumPy gives them.

    What an operator takes as it is stays: a number whose kind the tensor's dtype has, and whatever
    is no array.
    """
    if isinstance(x, TensorLike):
        return (x, y) if _fits(x, y) else tuple(as_arrays(x, y))
    return (x, y) if _fits(y, x) else tuple(as_arrays(x, y))


def _fits(tensor: Any, other: Any) -> bool:
    """Whether nothing is to be promoted."""
    dtype = tensor.dtype
    if isinstance(other, TensorLike):
        return dtype is other.dtype or not (_is_counted(dtype) and _is_counted(other.dtype))
    if not _is_counted(dtype):
        return True
    if isinstance(other, np.generic) or isinstance(other, np.ndarray):
        return other.dtype == dtype.storage or other.dtype.kind in "OSUV"
    if type(other) in NUMBERS:
        return NUMBERS.index(type(other)) <= RANKS[dtype.family]
    return not (is_sequence(other) and _holds_numbers(other))


# Up to which of Python's numbers a kind of dtype takes them.
RANKS: Final = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}


def _is_counted(dtype: Any) -> bool:
    return dtype.family in RANKS


def _holds_numbers(value: Any) -> bool:
    return all(
        _holds_numbers(one) if is_sequence(one) else isinstance(one, (*NUMBERS, TensorLike))
        for one in value
    )


def _astype(self: Any, dtype: Any) -> Any:
    """This tensor with every element as a value of `dtype`: `tf.cast`.

    Python's `float` is float32, as it is to `tf.cast`, but to no function of this package.
    """
    return cast(self, np.int64 if dtype is int else dtype)


def _reshape(self: Any, *newshape: Any, order: str = "C") -> Any:
    """`tf.experimental.numpy.reshape`; the sizes are one argument or several."""
    return axes.reshape(self, newshape[0] if len(newshape) == 1 else newshape, order)


def _transpose(self: Any, axes_in_order: Any = None) -> Any:
    """`tf.experimental.numpy.transpose`."""
    return axes.transpose(self, axes_in_order)


def _tolist(self: Any) -> Any:
    """The elements as numbers of Python's, in lists."""
    return np.asarray(self).tolist()


METHODS: Final[dict[str, Any]] = {
    "T": property(axes.transpose, doc="The axes in reverse."),
    "astype": _astype,
    "clip": selection.clip,
    "data": property(as_tensor, doc="This tensor itself."),
    "flatten": axes.flatten,
    "max": reductions.amax,
    "mean": reductions.mean,
    "min": reductions.amin,
    "ravel": axes.ravel,
    "reshape": _reshape,
    "round": elementwise.around,
    "size": property(axes.size, doc="The number of elements."),
    "tolist": _tolist,
    "transpose": _transpose,
}
