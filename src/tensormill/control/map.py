"""`tf.map_fn`: a function applied to every slice along the first axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..autodiff.functional import replay
from ..core import context, tree
from ..core.process.tracebacks import shallow
from ..core.shapes import TensorShape
from ..core.type_spec import encoder_of
from ..graph.builder import FuncGraph
from ..ops.array.concatenation import concat
from ..ops.array.fill import zeros
from ..ops.control.flow import stop_gradient
from . import encodings
from .results import ResultPart, Results, taken_apart
from .slices import StructureSlices, slices_of
from .structure import TracedBranch, graph_here, trace
from .tensor_array import TensorArray
from .while_loop import while_loop


@shallow
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

    `elems` is a tensor [n, ...], dense, ragged or sparse, or a structure of such tensors; `fn`
    takes a structure of slices and returns a tensor or a structure of tensors.
    `fn_output_signature` (dtypes or specs) is only needed to demand something: dtypes are those
    that `fn` returns. With a RaggedTensorSpec, or where `elems` is ragged and nothing is demanded,
    results may differ in their first sizes and become rows of a ragged tensor; ragged and sparse
    results become ragged and sparse tensors.

    >>> tf.map_fn(tf.reduce_sum, tf.constant([[1, 2], [3, 4]])).numpy()
    array([3, 7], dtype=int32)

    Raises:
        TypeError: `fn` is not callable.
        ValueError: a tensor is a scalar, or first axes differ in size; `fn` returns another kind of
            value than demanded.
        DTypeMismatchError (an InvalidArgumentError): `fn` returns another dtype than demanded.
        ShapeMismatchError (a ValueError): results differ in shape.
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if encodings.are_types([elems, signature]):
        return encodings.mapped(
            lambda function, encoded, wanted: map_fn(
                function, encoded, back_prop=back_prop, fn_output_signature=wanted
            ),
            fn, elems, signature, encoder_of,
        )  # fmt: skip
    slices = slices_of(elems, "map_fn")

    def on_slice(*tensors: Any) -> Results:
        result = fn(slices.packed(tensors))
        return taken_apart(result, slices.signature(result) if signature is None else signature)

    results = (_staged if context.building_graph() else _run)(on_slice, slices)
    return results if back_prop else tree.map_structure(stop_gradient, results)


LOOP: Final = "map/while"
OnSlice = Callable[..., Results]


def _run(on_slice: OnSlice, slices: StructureSlices) -> Any:
    """Slice by slice, eagerly."""
    size = int(slices.size())
    if not size:
        return _of_nothing(on_slice, slices)
    read = slices.reader(size)
    results = [on_slice(*read(place)) for place in range(size)]
    columns = zip(*(one.parts for one in results), strict=True)
    return results[0].together([_filled(column) for column in columns])


def _filled(column: Sequence[ResultPart]) -> Any:
    if column[0].joined:
        return concat([part.tensor for part in column], 0)
    array = TensorArray(column[0].tensor.dtype, size=len(column))
    for place, part in enumerate(column):
        array.write(place, part.tensor)
    return array.stack()


def _traced(on_slice: OnSlice, slices: StructureSlices) -> tuple[Results, TracedBranch]:
    """What `on_slice` returns for any slice."""
    seen: list[Results] = []

    def body(*tensors: Any) -> list[Any]:
        seen.append(on_slice(*tensors))
        return [part.tensor for part in seen[0].parts]

    specs = slices.specs()

    def parameters(graph: FuncGraph) -> list[Any]:
        return [graph.placeholder(one, "slice") for one in specs]

    made = trace(body, parameters, "map_fn", LOOP)
    return seen[0], made


def _of_nothing(on_slice: OnSlice, slices: StructureSlices) -> Any:
    """No slices: what `on_slice` would return is found by tracing it."""
    results, traced = _traced(on_slice, slices)
    pairs = zip(traced.leaves, results.parts, strict=True)
    return results.together([_empty(leaf, part.joined) for leaf, part in pairs])


def _empty(leaf: Any, joined: bool) -> Any:
    dims = leaf.shape.entries or ()
    sizes = [size or 0 for size in (dims[1:] if joined else dims)]
    return zeros((0, *sizes), leaf.dtype)


def _staged(on_slice: OnSlice, slices: StructureSlices) -> Any:
    """A loop whose body is `on_slice`, traced before so that its results are known."""
    results, traced = _traced(on_slice, slices)
    size = slices.size()
    read = slices.reader(size)
    pairs = zip(traced.leaves, results.parts, strict=True)
    arrays = [_array_for(leaf, part.joined, size) for leaf, part in pairs]
    _, arrays = while_loop(
        lambda place, _: place < size,
        lambda place, arrays: (place + 1, _step(traced, read(place), place, arrays)),
        [0, arrays],
        name=LOOP,
    )
    return results.together([
        array.concat() if part.joined else array.stack()
        for array, part in zip(arrays, results.parts, strict=True)
    ])  # fmt: skip


def _array_for(leaf: Any, joined: bool, size: Any) -> TensorArray:
    shape = leaf.shape
    if joined and shape.entries:
        shape = TensorShape((None, *shape.entries[1:]))
    return TensorArray(leaf.dtype, size=size, element_shape=shape, infer_shape=not joined)


def _step(traced: TracedBranch, tensors: Any, place: Any, results: Sequence[Any]) -> list[Any]:
    graph = graph_here()
    captured = [graph.convert(one, None, None) for one in traced.trace.captured]
    outputs = replay(traced.trace.graph, [*tensors, *captured])
    return [array.write(place, one) for array, one in zip(results, outputs, strict=True)]
