"""`tf.map_fn`: a function applied to every slice along the first axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autodiff.augment import replay
from ..core import context, tree
from ..core.dtypes import DType, as_dtype
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.values import TensorLike
from ..errors import DTypeMismatchError
from ..ops.concatenation import unstack
from ..ops.conversion import as_tensor
from ..ops.flow import stop_gradient
from ..ops.shapes import shape_of
from .structure import Traced, graph_here, leading_size, pack, tensors_of, trace
from .tensor_array import TensorArray
from .while_loop import while_loop


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """`fn` of every slice of `elems` along axis 0, stacked along a new axis 0.

    `elems` is a tensor [n, ...] or a structure of such tensors; `fn` takes a structure of slices
    and returns a tensor or a structure of tensors. `fn_output_signature` (dtypes or TensorSpecs)
    is only needed to demand something: dtypes are those that `fn` returns.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: a tensor is a scalar, or first axes differ in size.
        DTypeMismatchError (an InvalidArgumentError): `fn` returns another dtype than demanded.
        ShapeMismatchError (a ValueError): results differ in shape.
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    signature = fn_output_signature if fn_output_signature is not None else dtype
    tensors = tensors_of(elems)
    count = leading_size(tensors, "map_fn")

    def on_slices(*slices: Any) -> Any:
        return as_declared(fn(pack(elems, slices)), signature)

    staged = context.building_graph()
    results = _staged(on_slices, tensors, count) if staged else _run(on_slices, tensors)
    return results if back_prop else tree.map_structure(stop_gradient, results)


def as_declared(result: Any, signature: Any) -> Any:
    """What `fn` returned as tensors, of the dtypes that were demanded.

    Raises:
        DTypeMismatchError: they are of another dtype.
    """
    if signature is None:
        return tree.map_structure(as_tensor, result)
    wanted = [_dtype_of(one) for one in tree.flatten(signature)]
    leaves = tree.flatten(result)
    if len(wanted) != len(leaves):
        raise ValueError(
            f"fn_output_signature describes {len(wanted)} results, but fn returned {len(leaves)} "
            "(The two structures don't have the same nested structure)"
        )
    return tree.pack_sequence_as(
        result, [_checked(*pair) for pair in zip(leaves, wanted, strict=True)]
    )


def _dtype_of(demand: Any) -> DType:
    return demand.dtype if isinstance(demand, TensorSpec) else as_dtype(demand)


def _checked(leaf: Any, dtype: DType) -> Any:
    tensor = leaf if isinstance(leaf, TensorLike) else as_tensor(leaf, None, dtype)
    if tensor.dtype is not dtype:
        raise DTypeMismatchError(
            f"TensorArray dtype is {dtype.name} but Op is trying to write dtype "
            f"{tensor.dtype.name}: fn_output_signature says what fn returns"
        )
    return as_tensor(tensor)


def _run(fn: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """Slice by slice, eagerly."""
    rows = list(zip(*(unstack(tensor) for tensor in tensors), strict=True))
    if not rows:
        return _of_nothing(fn, tensors)
    results = [fn(*row) for row in rows]
    arrays = [_filled(column) for column in zip(*map(tree.flatten, results), strict=True)]
    return tree.pack_sequence_as(results[0], arrays)


def _filled(column: Sequence[Any]) -> Any:
    array = TensorArray(column[0].dtype, size=len(column))
    for place, tensor in enumerate(column):
        array.write(place, tensor)
    return array.stack()


def _of_nothing(fn: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """No slices: what `fn` would return is found by tracing it."""
    traced = trace(fn, _slices_of(tensors), "map_fn")
    empty = [
        as_tensor(np.zeros((0, *(size or 0 for size in leaf.shape.dims or ())), leaf.dtype.numpy))
        for leaf in traced.leaves
    ]
    return pack(traced.structure, empty)


def _slices_of(tensors: Sequence[Any]) -> Callable[[Any], list[Any]]:
    """Placeholders for one slice of each tensor."""
    specs = [TensorSpec(_inner(tensor.shape), tensor.dtype) for tensor in tensors]
    return lambda graph: [graph.placeholder(spec, "slice") for spec in specs]


def _inner(shape: TensorShape) -> TensorShape:
    return shape if shape.dims is None else TensorShape(shape.dims[1:])


def _staged(fn: Callable[..., Any], tensors: Sequence[Any], count: int | None) -> Any:
    """A loop whose body is `fn`, traced before so that its results are known."""
    traced = trace(fn, _slices_of(tensors), "map_fn")
    size = shape_of(tensors[0])[0] if count is None else count
    sources = [array_of(tensor, size) for tensor in tensors]
    results = [
        TensorArray(leaf.dtype, size=size, element_shape=leaf.shape) for leaf in traced.leaves
    ]
    _, results = while_loop(
        lambda place, _: place < size,
        lambda place, arrays: (place + 1, _step(traced, sources, place, arrays)),
        [0, results],
        name="map/while",
    )
    return pack(traced.structure, [array.stack() for array in results])


def _step(traced: Traced, sources: Any, place: Any, results: Sequence[Any]) -> list[Any]:
    graph = graph_here()
    captured = [graph.convert(one, None, None) for one in traced.trace.captured]
    outputs = replay(traced.trace.graph, [*(one.read(place) for one in sources), *captured])
    return [array.write(place, one) for array, one in zip(results, outputs, strict=True)]


def array_of(tensor: Any, size: Any) -> TensorArray:
    """The slices of a tensor along its first axis."""
    array = TensorArray(tensor.dtype, size=size, element_shape=_inner(tensor.shape))
    return array.unstack(tensor)
