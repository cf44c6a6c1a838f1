"""Values of tensors and of structures of them, as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import context, tree
from ..core.values import RaggedBase, TensorLike
from ..eager.tensor import EagerTensor
from ..eager.variable import Variable
from ..function.session import Session
from ..graph.by_hand.default_graph import get_default_graph
from ..graph.by_hand.sessions import entered
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue


def evaluated(tensors: Any) -> Any:
    """The values of a structure; where a graph is built, a session finds them."""
    if tensors is None:
        return None
    if not context.building_graph():
        return tree.map_structure(_value, tensors)
    sessions = entered.get()
    session = sessions[-1] if sessions else Session(graph=get_default_graph())
    return session.run(tensors)


def _value(tensor: Any) -> Any:
    if isinstance(tensor, SparseTensor):
        parts = (tensor.indices, tensor.values, tensor.dense_shape)
        return SparseTensorValue(*[part.numpy() for part in parts])
    if isinstance(tensor, IndexedSlices):
        return type(tensor)(*map(_value, (tensor.values, tensor.indices, tensor.dense_shape)))
    if isinstance(tensor, (EagerTensor, Variable)):
        return tensor.numpy()
    return evaluated(tensor()) if callable(tensor) else tensor


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """Anything that an assertion compares as an array."""
    if isinstance(value, (np.ndarray, np.generic)) or not _holds_tensors(value):
        return np.array(value)
    return np.asarray(evaluated(value))


def _holds_tensors(value: Any) -> bool:
    return any(isinstance(one, TensorLike) for one in tree.flatten(value))


def is_ragged(value: Any) -> bool:
    return isinstance(value, RaggedBase)


def as_lists(value: Any) -> Any:
    """A ragged tensor, or what it is compared with, as nested lists."""
    if is_ragged(value):
        return value.to_list()
    if isinstance(value, (list, tuple)):
        return [as_lists(one) if isinstance(one, (list, tuple)) else one for one in value]
    return value.tolist() if isinstance(value, np.ndarray) else as_array(value).tolist()
