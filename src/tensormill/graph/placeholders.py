"""What libraries still ask of graphs as in TensorFlow 1: placeholders."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import as_dtype
from ..core.specs import TensorSpec
from .builder import current_graph, get_default_graph
from .symbolic import SymbolicTensor


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
        raise RuntimeError("tf.compat.v1.placeholder() is not compatible with eager execution.")
    return graph.placeholder(TensorSpec(shape, as_dtype(dtype)), name or "Placeholder")


def reset_default_graph() -> None:
    """Forget the global graph: there is none, each function has its own.

    >>> tf.compat.v1.reset_default_graph()

    Raises:
        AssertionError: a graph is being built here.
    """
    if current_graph() is not None:
        raise AssertionError(f"Do not reset the graph {get_default_graph()!r} while it is built")
