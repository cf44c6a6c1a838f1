"""What converters of models ask of functions: FunctionDefs as graphs, OpDefs by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core import context
from ....core.specs import TensorSpec
from ....function.freezing import convert_variables_to_constants_v2_as_graph
from ....graph.builder import FuncGraph
from ....graph.by_hand.default_graph import get_default_graph
from ....graph.by_hand.graph_defs import extract_sub_graph
from ....graph.proto.graphdef_import import Functions
from ....graph.proto.node_creation import definition_of
from ....ops import catalogue as catalogue
from ....ops.op import REGISTRY
from ....ops.origins import Origin


def function_def_to_graph(
    fdef: Any,
    structured_input_signature: Any = None,
    structured_outputs: Any = None,
    input_shapes: Sequence[Any] | None = None,
    propagate_device_spec: bool = False,
    include_library_functions: bool = False,
) -> FuncGraph:
    """The graph of a FunctionDef, whose inputs have these shapes, as far as some are given.

    Functions that it calls are those of the default graph.

    Raises:
        ValueError: there are not as many shapes as arguments.
    """
    name = fdef.signature.name
    others = get_default_graph().as_graph_def().library.function
    functions = Functions([*(one for one in others if one.signature.name != name), fdef])
    specs = functions.declared_specs(name)
    if input_shapes:
        if len(input_shapes) != len(specs):
            raise ValueError(
                f"input_shapes has {len(input_shapes)} shapes, but '{name}' has {len(specs)} "
                "arguments"
            )
        pairs = zip(specs, input_shapes, strict=True)
        specs = [
            spec if shape is None or not isinstance(spec, TensorSpec)
            else TensorSpec(shape, spec.dtype)
            for spec, shape in pairs
        ]  # fmt: skip
    graph = FuncGraph(name)
    with context.interpreting(graph):
        arguments = zip(fdef.signature.input_arg, specs, strict=True)
        operands = [graph.placeholder(spec, arg.name) for arg, spec in arguments]
        graph.outputs = functions.replay(name, graph, operands)
    graph.structured_input_signature = structured_input_signature
    graph.structured_outputs = structured_outputs
    return graph


class FunctionToFreeze:
    """A concrete function whose variables are to become constants."""

    def __init__(
        self, func: Any, lower_control_flow: bool = True, aggressive_inlining: bool = False,
        **options: Any,
    ) -> None:  # fmt: skip
        self._func = func
        self._options = lower_control_flow, aggressive_inlining


def frozen_graph_def(converter_data: FunctionToFreeze) -> tuple[Any, dict[str, int]]:
    """The GraphDef of a function with constants for its variables; and no inputs that are these."""
    _, definition = convert_variables_to_constants_v2_as_graph(
        converter_data._func, *converter_data._options
    )
    return definition, {}


def optimized_graph_def(
    config_proto: Any, metagraph: Any, verbose: bool = True, graph_id: bytes = b"",
    cluster: Any = None, strip_default_attributes: bool = False,
) -> Any:  # fmt: skip
    """The GraphDef of a MetaGraphDef without what its collection "train_op" does not need.

    Graphs are optimized further when they are compiled, whatever the configuration says.
    """
    wanted = metagraph.collection_def["train_op"].node_list.value
    names = [name.partition(":")[0] for name in wanted]
    return extract_sub_graph(metagraph.graph_def, names) if names else metagraph.graph_def


class ApiDefMap:
    """The operations that there are, by their names."""

    def op_names(self) -> list[str]:
        """The names of all operations."""
        return sorted(name for name, op in REGISTRY.items() if op.origin is Origin.TENSORFLOW)

    def get_op_def(self, op_name: str) -> Any:
        """The OpDef of an operation.

        Raises:
            UnimplementedError: there is none of that name.
        """
        return definition_of(op_name)
