"""Rows of different lengths in graphs of TensorFlow 1 (`tf.compat.v1.ragged`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.context import init_scope
from ..core.shapes import as_shape
from ..graph.by_hand.placeholders import placeholder as dense_placeholder
from ..ops.array.concatenation import concat
from ..ops.array.fill import range as arange
from ..ops.array.gather import gather
from ..ops.array.select import Select, where
from ..ops.array.shapes import shape_of, size
from ..ops.bind import bind
from ..ops.checks.assertions import require_equal
from ..ops.conversion import as_tensor
from ..ops.ragged.constant import constant
from ..ops.ragged.elementwise import require_same_rows
from ..ops.ragged.ragged_tensor import RaggedTensor
from ..ops.ragged.ragged_value import RaggedTensorValue


def constant_value(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:
    """`tf.ragged.constant` as arrays: what is fed for a ragged placeholder.

    >>> tf.compat.v1.ragged.constant_value([[1, 2], [3]]).row_splits
    array([0, 2, 3])

    Raises:
        ValueError: scalars stand beside lists.
    """
    kind = _numbers_dtype(pylist) if dtype is None else dtype
    with init_scope():
        return _value_of(constant(pylist, kind, ragged_rank, inner_shape, None, row_splits_dtype))


def _numbers_dtype(nested: Any) -> Any:
    """The dtype that NumPy gives the numbers in lists; None where they are none."""
    pending, numbers = [nested], list[Any]()
    while pending:
        one = pending.pop()
        if isinstance(one, (list, tuple)):
            pending += one
        else:
            numbers.append(one)
    found = np.result_type(*map(np.asarray, numbers)) if numbers else np.dtype(np.float64)
    return found if found.kind in "biufc" else None


def _value_of(tensor: Any) -> Any:
    if not isinstance(tensor, RaggedTensor):
        return tensor.numpy()
    return RaggedTensorValue(_value_of(tensor.values), tensor.row_splits.numpy())


def placeholder(
    dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None
) -> Any:
    """A ragged tensor of which sessions are given the value: a `RaggedTensorValue`.

    ragged_rank: how many axes are ragged; with none it is a tensor. value_shape: of the elements of
    the innermost rows, scalars if it is not given.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     rows = tf.compat.v1.ragged.placeholder(tf.float32, 1)
    ...     fed = tf.compat.v1.ragged.constant_value([[1.0, 2.0], [3.0]], "float32")
    ...     print(session.run(tf.reduce_sum(rows, 1), {rows: fed}))
    [3. 3.]

    Raises:
        RuntimeError: operations run eagerly here.
    """
    inner = as_shape(() if value_shape is None else value_shape)
    if ragged_rank == 0:
        return dense_placeholder(dtype, value_shape, name)
    prefix = "RaggedPlaceholder/" if name is None else f"{name}/"
    found = dense_placeholder(dtype, [None, *inner.as_list()], f"{prefix}flat_values")
    for axis in reversed(range(ragged_rank)):
        splits = dense_placeholder(dtypes.int64, [None], f"{prefix}row_splits_{axis}")
        found = RaggedTensor(found, splits)
    return found


def chosen_rows(condition: Any, x: Any, y: Any) -> Any:
    """`tf.compat.v1.where` of what is ragged: by elements, or by rows where `condition` is dense.

    Raises:
        ValueError: not all three are ragged, and `condition` is no vector either.
        InvalidArgumentError: rows differ in length, or are not as many as there are conditions.
    """
    if not isinstance(condition, RaggedTensor):
        return _rows_of_either(as_tensor(condition, dtypes.bool_), x, y)
    if not (isinstance(x, RaggedTensor) and isinstance(y, RaggedTensor)):
        raise ValueError("where: with a ragged condition x and y have to be ragged, too")
    require_same_rows(condition, x)
    require_same_rows(x, y)
    values = [one.flat_values for one in (condition, x, y)]
    return x.with_flat_values(bind(Select, *values))


def _rows_of_either(condition: Any, x: Any, y: Any) -> Any:
    if condition.shape.rank != 1:
        raise ValueError(
            "where: beside ragged tensors the condition has their rows, or is a vector that "
            f"chooses among rows; its shape is {condition.shape}"
        )
    count = size(condition)
    for one in (x, y):
        rows = one.nrows(count.dtype) if isinstance(one, RaggedTensor) else shape_of(one)[0]
        require_equal(rows, count, "where: there is not one row for each condition: ")
    return gather(concat([x, y], 0), arange(count) + where(condition, 0, count))
