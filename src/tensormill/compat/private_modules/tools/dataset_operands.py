"""`tensorflow.python.data.util.convert`: what datasets make of numbers and shapes given to them."""

from __future__ import annotations

from typing import Any

from ....core.dtypes import int64
from ....core.shapes import as_shape
from ....core.values import is_tensor
from ....eager.convert import convert_to_tensor
from ....ops.math.cast import cast


def optional_param_to_tensor(
    argument_name: str, argument_value: Any, argument_default: Any = 0, argument_dtype: Any = int64
) -> Any:
    """An argument, or what stands for None, as a tensor."""
    value = argument_default if argument_value is None else argument_value
    return convert_to_tensor(value, argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like: Any) -> Any:
    """A shape as an int64 vector, with -1 for what is not known."""
    if is_tensor(shape_like):
        return cast(shape_like, int64)
    sizes = as_shape(shape_like).as_list()
    return convert_to_tensor([-1 if size is None else size for size in sizes], int64)
