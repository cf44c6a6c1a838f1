"""What libraries still ask of graphs as in TensorFlow 1: placeholders."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import as_dtype, int64
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...eager.convert import constant
from ...ops.control.flow import placeholder_with_default
from ...ops.sparse.sparse_tensor import SparseTensor
from ..builder import current_graph
from ..symbolic import SymbolicTensor


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SymbolicTensor:
    """A parameter of the graph that is being built; None stands for sizes that are not known.

    >>> with tf.Graph().as_default():
    ...     x = tf.compat.v1.placeholder(tf.float32, [None, 3])
    >>> x.shape, x.dtype
    (TensorShape([None, 3]), tf.float32)

    Raises:
        RuntimeError: operations run eagerly here.
    """
    graph = current_graph()
    if graph is None:
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    return graph.placeholder(TensorSpec(shape, as_dtype(dtype)), name or "Placeholder")


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor of which sessions are given the parts: `SparseTensorValue`, or three arrays.

    shape: its dense shape; where not all of it is known, it is fed, too.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.sparse_placeholder(tf.float32, [None, None])
    ...     total = tf.sparse.reduce_sum(x)
    ...     print(session.run(total, {x: ([[0, 1]], [2.0], [2, 2])}))
    2.0

    Raises:
        RuntimeError: operations run eagerly here.
    """
    sizes = as_shape(shape)

    def called(part: str) -> str | None:
        return None if name is None else f"{name}/{part}"

    fed = placeholder(int64, [None], called("shape")) if sizes.rank is None else None
    values = placeholder(dtype, [None], called("values"))
    indices = placeholder(int64, [None, sizes.rank], called("indices"))
    if fed is None:
        known = [-1 if size is None else size for size in sizes.as_list()]
        fed = placeholder_with_default(constant(known, int64), [len(known)], called("shape"))
    found = SparseTensor.of_parts(indices, values, fed)
    found.set_shape(sizes)
    return found
