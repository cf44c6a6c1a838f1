"""What users' functions take and return, as flat tensors and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..core import tree
from ..core.dtypes import int64
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..graph.builder import FuncGraph, Trace, current_graph, part_of_operation
from ..graph.operation import Operation
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast


class TracedBranch(NamedTuple):
    """A traced branch: its graph, and what it returned, with symbolic tensors at the leaves.

    Those live as long as `builder` does.
    """

    trace: Trace
    structure: Any
    builder: FuncGraph

    @property
    def leaves(self) -> list[Any]:
        return tree.flatten(self.structure, expand_composites=True)


def graph_here() -> FuncGraph:
    graph = current_graph()
    assert graph is not None
    return graph


def trace(
    fn: Callable[..., Any], parameters: Callable[[FuncGraph], Any], name: str, operation: str
) -> TracedBranch:
    """Trace `fn`, a part of an operation, on what `parameters` makes of a graph's placeholders."""
    return run(fn, parameters, name, operation).finished()


class RunBranch(NamedTuple):
    """What the function of a branch has returned, and the same as tensors of its graph."""

    builder: FuncGraph
    structure: Any
    made: list[Any]

    def finished(self) -> TracedBranch:
        captured = tuple(capture.external for capture in self.builder.passed_captures())
        trace = Trace(self.builder.finish(self.made), captured, None)
        return TracedBranch(trace, self.structure, self.builder)


def run(
    fn: Callable[..., Any], parameters: Callable[[FuncGraph], Any], name: str, operation: str
) -> RunBranch:
    """Run `fn`, a part of an operation, on what `parameters` makes of a graph's placeholders."""
    graph = part_of_operation(name, operation)
    given = parameters(graph)  # whose names are those of parameters: in no scope
    return _run_in(graph, lambda: tensors_in(fn(*given)))


def _run_in(graph: FuncGraph, result: Callable[[], Any]) -> RunBranch:
    with graph.as_default():
        structure = result()
        leaves = tree.flatten(structure, expand_composites=True)
        made = [graph.convert(leaf, None, None) for leaf in leaves if leaf is not None]
    return RunBranch(graph, structure, made)


def with_common_indices(traced: Sequence[TracedBranch]) -> list[TracedBranch]:
    """The branches, with int64 indices where those of IndexedSlices differ in dtype."""
    columns = zip(*(tree.flatten(one.structure) for one in traced), strict=False)
    differing = {place for place, leaves in enumerate(columns) if _indices_differ(leaves)}
    if not differing:
        return list(traced)

    def widened(structure: Any) -> Any:
        leaves = [
            IndexedSlices(leaf.values, cast(leaf.indices, int64), leaf.dense_shape)
            if place in differing else leaf
            for place, leaf in enumerate(tree.flatten(structure))
        ]  # fmt: skip
        return tree.pack_sequence_as(structure, leaves)

    return [_run_in(one.builder, partial(widened, one.structure)).finished() for one in traced]


def _indices_differ(leaves: Sequence[Any]) -> bool:
    if not all(isinstance(leaf, IndexedSlices) for leaf in leaves):
        return False
    return len({leaf.indices.dtype for leaf in leaves}) > 1


def tensors_in(structure: Any) -> Any:
    """What a traced function returned, with tensors (or None) at its leaves.

    Raises:
        TypeError: a leaf can be no tensor.
    """
    return tree.map_structure(_as_result, structure)


def _as_result(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, tree.Composite):
        return leaf
    if isinstance(leaf, Operation):
        return as_tensor(True)  # it ran; TensorFlow returns a bool too
    try:
        return as_tensor(leaf)
    except (TypeError, ValueError) as error:
        if hasattr(leaf, "dtype") or isinstance(leaf, (list, tuple)):
            raise
        raise TypeError(
            "a function of the graph must return zero or more Tensors or ExtensionTypes or None "
            f"values, but found return value of type {type(leaf).__name__}, of which no tensor can "
            "be made"
        ) from error


def pack(structure: Any, tensors: Sequence[Any]) -> Any:
    """`structure` with other tensors at its leaves; None stays None."""
    rest = iter(tensors)
    leaves = tree.flatten(structure, expand_composites=True)
    filled = [None if leaf is None else next(rest) for leaf in leaves]
    return tree.pack_sequence_as(structure, filled, expand_composites=True)


def tensors_of(structure: Any) -> list[Any]:
    """The tensors of a structure; its composites are taken apart, None is left out."""
    leaves = tree.flatten(structure, expand_composites=True)
    return [as_tensor(leaf) for leaf in leaves if leaf is not None]


def leading_size(tensors: Sequence[Any], what: str) -> int | None:
    """The common size of the first axes, None where it is not known.

    Raises:
        ValueError: there is no tensor, or one is a scalar, or sizes differ.
    """
    if not tensors:
        raise ValueError(f"{what}: elems must be a Tensor or a structure of Tensors, got nothing")
    shape = TensorShape((None,))
    for tensor in tensors:
        if tensor.shape.rank == 0:
            raise ValueError(
                f"{what}: elements in elems must be 1+ dimensional Tensors, not scalars"
            )
        first = tensor.shape[0] if tensor.shape.rank else None
        shape = shape.merge_with(TensorShape((first,)))
    return shape[0]
