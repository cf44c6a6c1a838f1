"""What functions of strings mean for ragged tensors."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..conversion import as_tensor
from ..dispatch.meanings import means_for
from ..strings.byte_strings import join as dense_join
from ..strings.byte_strings import reduce_join as dense_reduce_join
from ..strings.splitting import unsorted_segment_join
from .checks import one_splits_dtype
from .elementwise import require_same_rows
from .ragged_tensor import RaggedTensor
from .reduce import reduced


@means_for(dense_join, RaggedTensor)
def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """Element by element; scalars go with every element.

    Raises:
        InvalidArgumentError: rows differ in length.
        ValueError: a tensor beside is no scalar, or row splits have two dtypes.
    """
    ragged = [one for one in inputs if isinstance(one, RaggedTensor)]
    one_splits_dtype(ragged)
    for other in ragged[1:]:
        require_same_rows(ragged[0], other)
    parts = [one.flat_values if isinstance(one, RaggedTensor) else _scalar(one) for one in inputs]
    return ragged[0].with_flat_values(dense_join(parts, separator, name))


def _scalar(value: Any) -> Any:
    text = as_tensor(value, dtypes.string)
    if text.shape.rank != 0:
        raise ValueError(f"only scalars are joined with ragged tensors, not shape {text.shape}")
    return text


@means_for(dense_reduce_join, RaggedTensor)
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: Any = False,
    separator: str = "",
    name: str | None = None,
) -> Any:
    """The strings along `axis` joined."""

    def dense(values: Any, axis: Any = None, keepdims: Any = False) -> Any:
        return dense_reduce_join(values, axis, keepdims, separator)

    def combine(values: Any, rows: Any, count: Any) -> Any:
        return unsorted_segment_join(values, rows, count, separator)

    return reduced(inputs, axis, keepdims, dense, combine)
