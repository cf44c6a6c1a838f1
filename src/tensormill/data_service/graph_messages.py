"""Datasets as GraphDefs, and what such ones make: operations that only TensorFlow's code calls."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import Any, Final

from ..core import dtypes
from ..core.specs import ObjectSpec, TensorSpec
from ..data.nodes.node import Node
from ..errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from ..graph.func_graph import FuncGraph
from ..graph.ir import Graph
from ..graph.nested_graphs import every_operation, inner_graphs
from ..graph.proto.graph_import import import_nodes
from ..graph.proto.graphdef import PRODUCER, FunctionLibrary
from ..graph.proto.messages import DecodeError, message
from ..ops.control.functional import effects_of
from ..ops.effects import World
from ..ops.op import REGISTRY, Attr, In, Op, Out

RESULT: Final = "dataset"
FAILS: Final = 2  # what external_state_policy may say


def graph_def_of(node: Node, name: str, fails: bool) -> bytes:
    """A GraphDef that makes a dataset, its last node a `_Retval` of it.

    fails: it may not draw numbers, or do anything else that others notice.

    Raises:
        FailedPreconditionError: it does, or it is made of what only this process has.
    """
    from .definitions import traced_form  # which needs all that SavedModels are written with

    made = traced_form(node)
    if fails and (state := next(_states_within(made), None)) is not None:
        raise FailedPreconditionError(
            f"{name}: Failed to serialize the input pipeline graph: {state} is stateful."
        )
    library = FunctionLibrary()
    library.name_of(made, RESULT)
    whole, others = _apart(library.functions)
    graph = message("GraphDef")()
    graph.versions.producer = PRODUCER
    for one in whole.node_def:
        graph.node.add().CopyFrom(one)
        graph.node[-1].input[:] = [_as_in_graphs(each, whole) for each in one.input]
    (result,) = whole.ret.values()
    graph.node.add(name=RESULT, op="_Retval", input=[_as_in_graphs(result, whole)])
    graph.node[-1].attr["T"].type = dtypes.variant.as_datatype_enum
    graph.node[-1].attr["index"].i = 0
    graph.library.function.extend(others)
    return graph.SerializeToString()


def _states_within(graph: Graph) -> Any:
    """The names of operations with effects in the functions that a graph has."""
    for operation in graph.operations:
        for inner in inner_graphs(operation):
            for one in every_operation(inner):
                if any(isinstance(each, World) for each in effects_of(one.op, one.attrs)):
                    yield one.op.name


def _apart(functions: Any) -> tuple[Any, list[Any]]:
    """The function that makes the dataset, and those that it calls."""
    whole = next(one for one in functions if one.signature.name == RESULT)
    return whole, [one for one in functions if one is not whole]


def _as_in_graphs(name: str, function: Any) -> str:
    """The name of an operand in a GraphDef: `node:2` where functions say `node:second:0`."""
    node, *place = name.split(":")
    if not place:
        return name
    output, number = place
    op = next(one.op for one in function.node_def if one.name == node)
    fields = [field.name for field in REGISTRY[op].outputs]
    position = fields.index(output) + int(number) if len(fields) > 1 else int(number)
    return f"{node}:{position}" if position else node


class MakesGraph(Op, abstract=True):
    """The GraphDef of a dataset."""

    input_dataset = In("variant")
    graph = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        if not isinstance(self.input_dataset, Node):
            raise InvalidArgumentError(f"{self.name} needs the handle of a dataset")
        return np.array(graph_def_of(self.input_dataset, self.name, self.fails()), object)

    def fails(self) -> bool:
        """Whether what draws numbers is refused."""
        raise NotImplementedError(self.name)


class DatasetToGraph(MakesGraph):
    """The GraphDef of a dataset, whose functions draw nothing unless `allow_stateful`."""

    stateful_whitelist = Attr((), of=list[str])
    allow_stateful = Attr(False)
    strip_device_assignment = Attr(False)

    def fails(self) -> bool:
        return not self.allow_stateful


class DatasetToGraphV2(MakesGraph):
    """The GraphDef of a dataset. `external_state_policy`: 2 refuses functions that draw numbers."""

    external_state_policy = Attr(0)
    strip_device_assignment = Attr(False)

    def fails(self) -> bool:
        return self.external_state_policy == FAILS


class DatasetFromGraph(Op):
    """The dataset that a GraphDef makes."""

    graph_def = In("str")
    handle = Out("variant")
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("dataset", is_value=True)

    def eager(self, np: Any) -> Node:
        try:
            definition = message("GraphDef").FromString(self.graph_def[()])
        except DecodeError:
            raise InvalidArgumentError(f"{self.name}: Could not parse GraphDef") from None
        (*_, result) = [None, *(one for one in definition.node if one.op == "_Retval")]
        if result is None:
            raise NotFoundError(
                f"{self.name}: the graph has no node '_Retval', whose operand it is"
            )
        definition.node.remove(result)
        graph = FuncGraph(RESULT)
        nodes = import_nodes(graph, definition, within=self._within)
        (node,) = graph.finish([nodes.element(graph, _as_tensor(result))]).run([])
        if not isinstance(node, Node):
            raise InvalidArgumentError(f"{self.name}: what the graph makes is no dataset")
        return node


def _as_tensor(result: Any) -> str:
    name = result.input[0]
    return name if ":" in name else f"{name}:0"
