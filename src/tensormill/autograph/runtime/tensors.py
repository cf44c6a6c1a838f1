"""What the runtime asks about tensors and does with them.

Imports inside of functions are of modules that plain Python code, converted, never needs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tensormill.core import context, dtypes, values
from tensormill.core.dtypes import DType

# --- questions ---


def is_tensor(value: Any) -> bool:
    return isinstance(value, values.TensorLike)


def building_graph() -> bool:
    return context.building_graph()


def is_staged(value: Any) -> bool:
    """Whether control that depends on the value belongs into the graph that is being traced."""
    return isinstance(value, values.TensorLike) and context.building_graph()


def is_symbolic(value: Any) -> bool:
    """Whether a value exists only in a graph that is being traced."""
    return isinstance(value, values.TensorLike) and getattr(value, "symbolic", False)


_PYTHON = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def may_be_tensor(value: Any) -> bool:
    """Whether a value is a tensor or a constant that can become one."""
    return isinstance(value, (values.TensorLike, *_PYTHON)) or hasattr(type(value), "__tf_tensor__")


def is_of(value: Any, module: str, name: str) -> bool:
    """Whether a value is of this class of the library's, or of one derived from it.

    Programs that have no such values need not load what makes them: while nobody has imported the
    module there are none. Names do not tell, for classes take on TensorFlow's
    (core/tensorflow_names.py).
    """
    loaded = sys.modules.get(f"tensormill.{module}")
    return loaded is not None and isinstance(value, getattr(loaded, name, ()))


def is_tensor_array(value: Any) -> bool:
    return is_of(value, "control.tensor_array", "TensorArray")


def is_staged_list(value: Any) -> bool:
    return is_of(value, "control.staged_list", "StagedList")


def is_ragged(value: Any) -> bool:
    return is_of(value, "ops.ragged.ragged_tensor", "RaggedTensor")


def is_number(tensor: Any) -> bool:
    return tensor.dtype.is_integer or tensor.dtype.is_floating or tensor.dtype.is_complex


def decides_in_graph(value: Any) -> bool:
    return is_staged(value) or is_staged_list(value)


def deciding(value: Any) -> Any:
    """What decides where a value is a condition: of a list that grew, whether anything is in it."""
    return value.length() > 0 if is_staged_list(value) else value


# --- dtypes ---


def is_weak(value: Any) -> bool:
    """Whether a value is a Python number, which takes the dtype of what it meets."""
    return type(value) in (int, float, complex)


def dtype_of(value: Any) -> DType:
    """The dtype of what `may_be_tensor`."""
    from tensormill.eager.arrays import to_array

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
    from tensormill.eager.convert import convert_to_tensor

    return convert_to_tensor(value, dtype)


def blank(like: Any) -> Any:
    """Some tensor of the dtype and shape of a value, as far as these are known."""
    from tensormill.ops.array.fill import zeros

    if not is_tensor(like):
        return zeros(np.shape(like), dtype_of(like))
    if like.dtype is dtypes.variant:
        return _empty_list(like.known.spec.element)
    return zeros([size or 0 for size in like.shape.dims or ()], like.dtype)


def _empty_list(element: Any) -> Any:
    from tensormill.ops.bind import bind
    from tensormill.ops.lists.list_elements import EmptyTensorList, shape_operand

    return bind(EmptyTensorList, shape_operand(element.shape), -1, element_dtype=element.dtype)


def cast(value: Any, name: str) -> Any:
    """`int(x)`, `float(x)`, `bool(x)`: a string is read as a number."""
    if value.dtype is dtypes.string and name != "bool":
        from tensormill.ops.strings.byte_strings import string_to_number

        return string_to_number(value, dtypes.as_dtype(name))
    from tensormill.ops.math import cast as casting

    return casting.cast(value, dtypes.as_dtype(name))


# --- rows ---


def check_has_rows(tensor: Any) -> None:
    """Raise a ValueError for a scalar; a rank known only later is checked then."""
    if tensor.shape.rank == 0:
        raise ValueError(
            f"len requires a non-scalar tensor, got one of shape {tensor.shape}; a scalar has no "
            "rows to loop over: tf.range(n) counts"
        )


def first_dimension(tensor: Any) -> Any:
    """The size of axis 0: an int, or a scalar int32 tensor."""
    dims = tensor.shape.dims
    if dims is not None and dims[0] is not None:
        return dims[0]
    from tensormill.ops.array.shapes import rank, shape

    if dims is None:
        from tensormill.ops.array.concatenation import concat

        check(rank(tensor) > 0, "len requires non-zero rank, got 0")
        return concat([shape(tensor), [1]], 0)[0]  # a scalar has to get as far as the check
    return shape(tensor)[0]


def with_rows(tensor: Any) -> Any:
    """The tensor; where its rank is known only later, a scalar will do for one row.

    A check refuses scalars when the graph runs, but first it has to be compiled for them.
    """
    if tensor.shape.rank is not None:
        return tensor
    from tensormill.ops.array.concatenation import concat
    from tensormill.ops.array.shapes import reshape, shape

    sizes = shape(tensor)
    return reshape(tensor, concat([concat([sizes, [1]], 0)[:1], sizes[1:]], 0))


def row(tensor: Any, index: Any) -> Any:
    """The slice of a tensor at an index of axis 0."""
    if isinstance(index, int):
        return tensor[index]  # its gradient is a tensor, as that of an item is
    from tensormill.ops.array.gather import gather

    return gather(tensor, index)


def smaller(first: Any, second: Any) -> Any:
    if not (is_tensor(first) or is_tensor(second)):
        return min(first, second)
    from tensormill.ops.math.arithmetic import minimum

    return minimum(first, second)


def larger(first: Any, second: Any) -> Any:
    if not (is_tensor(first) or is_tensor(second)):
        return max(first, second)
    from tensormill.ops.math.arithmetic import maximum

    return maximum(first, second)


def rounded(value: Any) -> Any:
    from tensormill.ops.math import elementwise

    return elementwise.round(value)


# --- ranges ---


def make_range(*arguments: Any) -> Any:
    from tensormill.ops.array import fill

    return fill.range(*arguments)


def range_arguments(tensor: Any) -> tuple[Any, Any, Any, DType] | None:
    """Start, limit and delta of what `tf.range` made in the present graph, else None."""
    operation = getattr(tensor, "op", None) if is_symbolic(tensor) else None
    if operation is None or operation.type != "Range":
        return None
    start, limit, delta = operation.inputs
    return start, limit, delta, tensor.dtype


def known_number(tensor: Any) -> Any:
    """The Python number that a scalar tensor is known to be, or None."""
    known = getattr(tensor, "known", None)
    value = None if known is None else known.value
    return None if value is None else value.item()


def range_length(start: Any, limit: Any, delta: Any) -> Any:
    """How many numbers are in a range; a range that leads away from its limit has none."""
    numbers = [known_number(one) for one in (start, limit, delta)]
    if None not in numbers:
        return max(0, int(np.ceil((numbers[1] - numbers[0]) / numbers[2])))
    distance = limit if numbers[0] == 0 else limit - start
    if numbers[2] == 1 and limit.dtype.is_integer:
        return distance
    from tensormill.ops.math.elementwise import ceil

    if limit.dtype.is_integer:
        return -(-distance // delta)
    return cast(ceil(distance / delta), "int32")


def range_item(start: Any, delta: Any, index: Any, dtype: DType) -> Any:
    """`start + index * delta`."""
    item = index if index.dtype is dtype else cast(index, dtype.name)
    if known_number(delta) != 1:
        item = item * delta
    return item if known_number(start) == 0 else item + start


# --- conditions ---


def both(first: Any, second: Any) -> Any:
    """Whether both scalars are true."""
    from tensormill.ops.math.comparison import logical_and

    return logical_and(first, as_tensor(second))


def either_of(first: Any, second: Any) -> Any:
    """Whether one of two scalars is true."""
    from tensormill.ops.math.comparison import logical_or

    return logical_or(first, as_tensor(second))


def truth(value: Any, place: str) -> Any:
    """What `bool(value)` is of an eager scalar.

    Raises:
        ValueError: the tensor has axes.
    """
    if value.shape.rank not in (0, None):
        raise ValueError(
            f"{place} wants scalars, got a tensor of shape {value.shape}; tf.reduce_all(x) or "
            "tf.reduce_any(x) make one of many"
        )
    return cast(value, "bool")


def either(condition: Any, main: Any, orelse: Any) -> Any:
    """`main if condition else orelse`, of values that exist already."""
    return chosen(condition, lambda: main, lambda: orelse)


def chosen(condition: Any, main: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`main() if condition else orelse()`."""
    from .branches import if_exp

    return if_exp(condition, main, orelse, "the value")


def check(holds: Any, message: str) -> None:
    """Raise an InvalidArgumentError when the graph runs and `holds` is false."""
    from tensormill.ops.checks.assertions import Assert

    Assert(holds, [message])


def raise_unless(holds: Any, error: Exception) -> None:
    """Raise an exception when the graph runs and `holds` is false."""
    from tensormill.ops import raising

    raising.raise_unless(holds, error, "")


# --- reductions and others, for Python's builtins ---


def reduce(name: str, tensor: Any, axis: Any = None) -> Any:
    from tensormill.ops.math import reduce as reductions

    return getattr(reductions, f"reduce_{name}")(tensor, axis)


def index_of(name: str, vector: Any) -> Any:
    """Where the smallest (`min`) or largest (`max`) element of a vector stands first."""
    from tensormill.ops.math import scan

    return getattr(scan, f"arg{name}")(vector)


def selected(tensor: Any, function: Callable[[Any], Any] | None) -> Any:
    """The rows of which `function` (None: the rows themselves) is true."""
    from tensormill.control.map import map_fn
    from tensormill.ops.array.select import boolean_mask

    def is_wanted(row: Any) -> Any:
        decision = row if function is None else function(row)
        return truth(as_tensor(decision), "filter()")

    return boolean_mask(tensor, map_fn(is_wanted, tensor))


def mapped(function: Callable[[Any], Any], vector: Any) -> Any:
    """The values of a function of each row, stacked."""
    from tensormill.control.map import map_fn

    return map_fn(function, vector)


def leaves_of(structure: Any) -> list[Any]:
    from tensormill.core import tree

    return tree.flatten(structure)


def listed(stacked: Any) -> Any:
    """The list of the rows of a tensor, or of a structure of tensors."""
    from tensormill.control.staged_list import StagedList

    return StagedList.of_rows(stacked)


def known_cardinality(count: Any) -> Any:
    """`len(dataset)`, of its cardinality: an int64 tensor, checked when the graph runs."""
    from tensormill.ops.checks.assertions import Assert

    Assert(count >= 0, ["len requires a dataset with definite cardinality, got", count])
    return count


def sort(tensor: Any, key: Any, descending: bool) -> Any:
    """`sorted(tensor, key=key, reverse=descending)`, of a vector."""
    from tensormill.ops.array.gather import gather
    from tensormill.ops.array.sorting import argsort, sort

    direction = "DESCENDING" if descending else "ASCENDING"
    if key is None:
        return sort(tensor, direction=direction)
    return gather(tensor, argsort(key(tensor), direction=direction, stable=True))


def print_in_graph(*arguments: Any, **options: Any) -> None:
    from tensormill.ops.strings.printing import print as print_tensors

    print_tensors(*arguments, **options)
