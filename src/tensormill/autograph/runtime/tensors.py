"""What the runtime asks about values, and the tensors that it makes of them.

Imports inside of functions are of modules that plain Python code, converted, never needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import context, dtypes, values
from ...core.dtypes import DType

# --- questions ---


def is_tensor(value: Any) -> bool:
    return isinstance(value, values.TensorLike)


def building_graph() -> bool:
    return context.building_graph()


def is_staged(value: Any) -> bool:
    """Whether control that depends on the value belongs into the graph that is being traced."""
    return isinstance(value, values.TensorLike) and context.building_graph()


def is_twofold(value: Any) -> bool:
    """Whether a value may be a number that Python counts, too (graph/numbers/python_numbers.py)."""
    return is_symbolic(value) and getattr(value, "is_twofold", False)


def in_python(value: Any) -> Any:
    """What a number that Python counts, too, is to Python, where control is to go by that: an item
    of a list may be a function, and how often a loop runs decides which it is. Else the value.
    """
    if not is_twofold(value):
        return value
    from ...graph.numbers.python_numbers import wanted

    number = wanted(value)
    return value if number is None else number


def is_symbolic(value: Any) -> bool:
    """Whether a value exists only in a graph that is being traced."""
    return isinstance(value, values.TensorLike) and getattr(value, "symbolic", False)


def is_out_of_scope(value: Any) -> bool:
    """Whether a value is of a graph that is finished, so that nothing here can use it."""
    graph: Any = context.top().interpreter
    return is_symbolic(value) and graph.building_graph and not graph.sees(value)


_PYTHON = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def may_be_tensor(value: Any) -> bool:
    """Whether a value is a tensor or a constant that can become one."""
    return isinstance(value, (values.TensorLike, *_PYTHON)) or hasattr(type(value), "__tf_tensor__")


def is_tensor_array(value: Any) -> bool:
    return isinstance(value, values.TensorArrayBase)


def is_staged_list(value: Any) -> bool:
    return isinstance(value, values.StagedListBase)


def is_ragged(value: Any) -> bool:
    return isinstance(value, values.RaggedBase)


def is_number(tensor: Any) -> bool:
    return tensor.dtype.is_integer or tensor.dtype.is_floating or tensor.dtype.is_complex


def decides_in_graph(value: Any) -> bool:
    return is_staged(value) or is_staged_list(value)


def as_condition(value: Any) -> Any:
    """What decides where a value is a condition: of a list that grew, whether anything is in it."""
    return value.length() > 0 if is_staged_list(value) else value


# --- dtypes ---


def is_weak(value: Any) -> bool:
    """Whether a value is a Python number, which takes the dtype of what it meets."""
    return type(value) in (int, float, complex)


def dtype_of(value: Any) -> DType:
    """The dtype of what `may_be_tensor`."""
    from ...eager.arrays import to_array

    if hasattr(value, "dtype") and isinstance(value.dtype, DType):
        return value.dtype
    return dtypes.as_dtype(to_array(value).dtype)


def common_dtype(first: Any, second: Any) -> DType | None:
    """The dtype that both values can have without a cast, or None."""
    one, other = dtype_of(first), dtype_of(second)
    if one is other:
        return one
    if is_weak(first) and not is_weak(second) and fits(first, other):
        return other
    if is_weak(second) and not is_weak(first) and fits(second, one):
        return one
    return None


def fits(number: Any, dtype: DType) -> bool:
    """Whether a Python number can have a dtype without losing its kind."""
    if isinstance(number, int):
        return dtype.is_integer or dtype.is_floating or dtype.is_complex
    if isinstance(number, float):
        return dtype.is_floating or dtype.is_complex
    return dtype.is_complex


# --- making tensors ---


def as_tensor(value: Any, dtype: DType | None = None) -> Any:
    from ...eager.convert import convert_to_tensor

    return convert_to_tensor(value, dtype)


def blank_like(like: Any) -> Any:
    """Some tensor of the dtype and shape of a value, as far as these are known."""
    from ...ops.array.fill import zeros

    if not is_tensor(like):
        return zeros(np.shape(like), dtype_of(like))
    if like.dtype is dtypes.variant:
        return _empty_list(like._known.spec.element)
    return zeros([size or 0 for size in like.shape.entries or ()], like.dtype)


def _empty_list(element: Any) -> Any:
    from ...ops.bind import bind
    from ...ops.lists.list_elements import EmptyTensorList, shape_operand

    return bind(EmptyTensorList, shape_operand(element.shape), -1, element_dtype=element.dtype)


def cast(value: Any, name: str) -> Any:
    """`int(x)`, `float(x)`, `bool(x)`: a string is read as a number."""
    if value.dtype is dtypes.string and name != "bool":
        from ...ops.strings.spelled_numbers import string_to_number

        return string_to_number(value, dtypes.as_dtype(name))
    from ...ops.math import cast as casting

    return casting.cast(value, dtypes.as_dtype(name))
