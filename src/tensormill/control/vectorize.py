"""`tf.vectorized_map`: a function applied to every slice, sizes 1 broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from ..core import tree
from ..core.process.tracebacks import shallow
from ..core.shapes import TensorShape
from ..core.type_spec import encoder_of
from ..eager.scopes import name_scope
from ..graph.builder import current_graph
from ..ops.array.broadcasting import broadcast_to
from ..ops.array.concatenation import concat
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor
from . import encodings
from .map import map_fn


@shallow
def vectorized_map(
    fn: Callable[[Any], Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`fn` of every slice of `elems` along axis 0, stacked along a new axis 0.

    As `map_fn`, which compiled functions run as one native loop; but a tensor with a first size of
    1 goes with every slice, and `fn` may return Python numbers and None. The two flags concern
    operations that TensorFlow cannot vectorise: there are none here.

    >>> pairs = tf.constant([1, 2, 3]), tf.constant([10])
    >>> tf.vectorized_map(lambda pair: pair[0] * pair[1], pairs).numpy()
    array([10, 20, 30], dtype=int32)

    Raises:
        ValueError: a tensor is a scalar, or first axes differ in size.
        ShapeMismatchError (a ValueError): results differ in shape.
    """
    if encodings.are_types(elems):
        return encodings.mapped(
            lambda function, encoded, _: vectorized_map(function, encoded),
            fn, elems, None, encoder_of,
        )  # fmt: skip
    tensors = [_as_value(leaf) for leaf in tree.flatten(elems)]
    slices = tree.pack_sequence_as(elems, _of_one_size(tensors))
    nothing: list[Any] = []

    graph = current_graph()
    scope = None if graph is None else f"{graph.unique_name('loop_body')}/"

    def on_slice(element: Any) -> Any:
        # Names in the body begin with TensorFlow's word for it, wherever the loop lies.
        with nullcontext() if scope is None else name_scope(scope):
            result = fn(element)
        leaves = tree.flatten(result)
        nothing[:] = [result, [leaf is None for leaf in leaves]]
        return [_as_value(leaf) for leaf in leaves if leaf is not None]

    found = iter(map_fn(on_slice, slices))
    result, absent = nothing
    return tree.pack_sequence_as(result, [None if none else next(found) for none in absent])


def _as_value(leaf: Any) -> Any:
    """A tensor; ragged and sparse ones stay, whose slices `map_fn` takes."""
    return leaf if isinstance(leaf, tree.Composite) else as_tensor(leaf)


def _of_one_size(tensors: Sequence[Any]) -> list[Any]:
    """Tensors with a first size of 1 broadcast to that of the others."""
    sizes = [_first_size(tensor.shape) for tensor in tensors]
    larger = next((k for k, size in enumerate(sizes) if size != 1), None)
    if larger is None or any(isinstance(tensor, tree.Composite) for tensor in tensors):
        return list(tensors)
    count = shape_of(tensors[larger])[:1] if sizes[larger] is None else [sizes[larger]]
    return [
        broadcast_to(tensor, concat([count, shape_of(tensor)[1:]], 0)) if size == 1 else tensor
        for tensor, size in zip(tensors, sizes, strict=True)
    ]


def _first_size(shape: TensorShape) -> int | None:
    if shape.rank == 0:
        raise ValueError("vectorized_map needs tensors with at least one axis, got a scalar")
    return None if shape.entries is None else shape.entries[0]
