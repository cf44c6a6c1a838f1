"""Operations of graphs: `ops.op_selector`, `framework.op_def_registry`, `ops.resources`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

import numpy as np

from ....autodiff import symbolic
from ....control.grouping import group
from ....core import context
from ....core.dtypes import string
from ....core.process.named_tuples import NamedTuple
from ....core.process.with_blocks import block
from ....eager.scopes import name_scope
from ....graph.by_hand.default_graph import get_default_graph
from ....graph.proto.node_creation import definition_of
from ....ops.array.concatenation import concat
from ....ops.array.fill import ones
from ....ops.array.fill import range as numbers
from ....ops.array.rearrangement import transpose
from ....ops.array.scatter import tensor_scatter_nd_update
from ....ops.array.select import boolean_mask
from ....ops.array.shapes import rank, reshape, size
from ....ops.control.flow import no_op, stop_gradient
from ....ops.conversion import as_tensor, static_value
from ....ops.math.comparison import logical_not
from ....ops.op import REGISTRY


def get(name: str) -> Any:
    """The OpDef of a kind of operation; None where there is none."""
    return definition_of(name) if name in REGISTRY else None


def make_list_of_op(ops: Any, check_graph: bool = True, **_: Any) -> list[Any]:
    """Operations as a list: of a graph, of one, or of several.

    Raises:
        TypeError: something is no operation.
    """
    if hasattr(ops, "get_operations"):
        return ops.get_operations()
    listed = list(ops) if isinstance(ops, (list, tuple, set)) else [ops]
    for one in listed:
        if not hasattr(one, "inputs"):
            raise TypeError(f"an operation is wanted, not {type(one).__name__}")
    return listed


def get_tensors(graph: Any) -> list[Any]:
    """All that the operations of a graph give."""
    return [tensor for one in graph.get_operations() for tensor in one.outputs]


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """What `la` has, which it keeps, and what else `lb` has."""
    for one in lb:
        if not any(one is other for other in la):
            la.append(one)
    return la


def _tensors_of(ts: Any) -> list[Any]:
    return list(ts) if isinstance(ts, (list, tuple, set)) else [ts]


def get_generating_ops(ts: Any) -> list[Any]:
    """The operations that give tensors, each once."""
    return concatenate_unique([], [one.op for one in _tensors_of(ts)])


def get_consuming_ops(ts: Any) -> list[Any]:
    """The operations that take tensors, each once."""
    return concatenate_unique([], [op for one in _tensors_of(ts) for op in one.consumers()])


def get_backward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], bool] | None = None,
    stop_at_ts: Any = (),
    control_inputs: bool = False,
    only_differentiable: bool = False,
) -> list[Any]:
    """The operations on which some depend, the nearest first.

    inclusive: whether the first ones count. within_ops, within_ops_fn: only
    these are entered. stop_at_ts: what gives these tensors is not looked for. control_inputs: go
    back along these, too. only_differentiable: go back along floats alone.
    """
    stopping = {id(one) for one in _tensors_of(stop_at_ts)}
    seeds = list(seed_ops) if isinstance(seed_ops, (list, tuple)) else [seed_ops]
    if seeds and not hasattr(seeds[0], "inputs"):
        seeds = get_generating_ops([one for one in seeds if id(one) not in stopping])
    first = [] if inclusive else seeds
    within = None if within_ops is None else {id(one) for one in make_list_of_op(within_ops)}

    def enters(op: Any) -> bool:
        return (within is None or id(op) in within) and (within_ops_fn is None or within_ops_fn(op))

    found: list[Any] = []
    wave = [op for op in seeds if enters(op)]
    while wave:
        new = [op for op in wave if not any(op is one for one in found)]
        concatenate_unique(found, new)
        ahead = _before(new, stopping, control_inputs, only_differentiable)
        wave = [op for op in ahead if enters(op)]
    return [op for op in found if not any(op is one for one in first)]


def _before(ops: list[Any], stopping: set[int], controls: bool, floats: bool) -> list[Any]:
    given: list[Any] = []
    for op in ops:
        tensors = [one for one in op.inputs if id(one) not in stopping]
        concatenate_unique(given, [one.op for one in tensors if not floats or _is_float(one)])
        if controls:
            concatenate_unique(given, op.control_inputs)
    return given


def _is_float(tensor: Any) -> bool:
    return tensor.dtype.is_floating or tensor.dtype.is_complex


def reduced_shape(input_shape: Any, axes: Any) -> Any:
    """The shape of a sum along axes that keeps them: sizes of 1 there."""
    shape, places = as_tensor(input_shape), as_tensor(axes)
    known, at = static_value(shape), static_value(places)
    if known is not None and at is not None:
        found = np.array(known)
        found[np.asarray(at, int)] = 1
        return found
    where = reshape((places + shape.shape[0]) % shape.shape[0], [-1, 1])
    return tensor_scatter_nd_update(shape, where, ones([size(where)], shape.dtype))


def transpose_batch_time(x: Any) -> Any:
    """A tensor whose first two axes have changed places; one of fewer axes as it is."""
    tensor = as_tensor(x)
    if tensor.shape.rank is not None and tensor.shape.rank < 2:
        return tensor
    return transpose(tensor, concat([[1, 0], numbers(2, rank(tensor))], 0))


def hessian_vector_product(ys: Any, xs: Any, v: Any) -> list[Any]:
    """The second derivatives of `ys` by `xs` times `v`, one tensor for each of `xs`.

    Raises:
        ValueError: `xs` and `v` are not as many.
    """
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    slopes = symbolic.gradients(ys, xs)
    products = [
        slope * stop_gradient(one)
        for slope, one in zip(slopes, v, strict=True)
        if slope is not None
    ]
    return symbolic.gradients(products, xs)


# ---------------------------------------------------------------- collections of graphs


class GraphResource(NamedTuple):
    """A handle, with what makes it and what says whether it is there."""

    handle: Any
    create: Any
    is_initialized: Any


def shared_resources() -> list[Any]:
    """What sessions share beside variables: the collection `resources`."""
    return get_default_graph().get_collection("resources")


def local_resources() -> list[Any]:
    """The same of one session: the collection `local_resources`."""
    return get_default_graph().get_collection("local_resources")


def register_resource(
    handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True
) -> None:
    """Add a handle, with what makes it and what says whether it is there."""
    name = "resources" if is_shared else "local_resources"
    get_default_graph().add_to_collection(name, GraphResource(handle, create_op, is_initialized_op))


def initialize_resources(resource_list: Iterable[Any], name: str = "init") -> Any:
    """An operation that makes all of these."""
    made = [one.create for one in resource_list]
    return group(*made, name=name) if made else no_op(name=name)


def report_uninitialized_resources(
    resource_list: Any = None, name: str = "report_uninitialized_resources"
) -> Any:
    """The names of those that are not made yet: a vector of strings.

    resource_list: all that there are, where it is not given.
    """
    listed = [*shared_resources(), *local_resources()] if resource_list is None else resource_list
    if not listed:
        return as_tensor(np.array([], object), string)
    names = as_tensor([one.handle.name for one in listed], string)
    missing = [logical_not(one.is_initialized) for one in listed]
    return boolean_mask(names, as_tensor(missing), name=name)


@block
def summary_scope(
    name: str, family: str | None = None, default_name: str | None = None, values: Any = None
) -> Generator[tuple[str, str]]:
    """The scope of a summary, and its tag."""
    family = clean_tag(family)
    scoped = clean_tag(name) if family is None else f"{family}/{clean_tag(name)}"
    with name_scope(scoped or default_name or "") as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else f"{family}/{tag}"), scope


def clean_tag(name: str | None) -> str | None:
    """A tag with what a name may have: other letters become underscores, slashes in front go."""
    if name is None:
        return None
    letters = [one if one.isascii() and (one.isalnum() or one in "-/_.") else "_" for one in name]
    return "".join(letters).lstrip("/")


def collect(val: Any, collections: Any, default_collections: Any) -> None:
    """Add a summary to collections of the graph."""
    for one in default_collections if collections is None else collections:
        get_default_graph().add_to_collection(one, val)


@block
def stop_recording() -> Generator[None]:
    """Within, no tape and no accumulator sees what is done."""
    with context.entered(context.top().replace(recorders=())):
        yield


def graph_of_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """The graph of the first operand that has one: `ops._get_graph_from_inputs`.

    Raises:
        ValueError: an operand is of another graph than `graph`, or than the first one.
    """
    fits = "is not from the passed-in" if graph is not None else "must be from the same"
    others = "" if graph is not None else " as what stands before it"
    for one in op_input_list:
        if not (context.building_graph() and hasattr(one, "graph")):
            continue
        if graph is not None and one.graph is not graph:
            raise ValueError(f"{one} {fits} graph{others}.")
        graph = one.graph
    return get_default_graph() if graph is None else graph
