"""Traced functions as functions of a library that TensorFlow can run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core import tree
from ..core.process.logs import logger
from ..core.process.replicas import AS_ONE
from ..core.source import SourceLine
from ..core.specs import TensorSpec
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..function.outputs import with_specs
from ..function.signature.keyword_order import count_of_leaves, keywords_of, places_of
from ..graph import ir
from ..graph.nested_graphs import every_operation
from ..graph.proto.graphdef import FunctionLibrary
from ..graph.proto.messages import message
from ..graph.proto.structured import NamelessSpecError, NotEncodableError, encode_into, encoded
from ..ops.control.python_functions import PythonCall
from .captured_datasets import with_own_datasets
from .function_specs import spec_proto
from .gradients import ExportedGradient, exported_gradients
from .tensorflow_form import DATASETS, TensorFlowForm


@dataclass(frozen=True)
class Exported:
    """One function of the library. `captured` follow its own arguments."""

    name: str
    concrete: ConcreteFunction
    captured: Sequence[Any]

    @property
    def keywords(self) -> list[str]:
        """Names of its tensors, each once."""
        return keywords_of(self.concrete)


def _warn_of_datasets(graph: ir.Graph, reasons: Sequence[str]) -> None:
    """Say of a function what will be found out when it is loaded."""
    if any(operation.op.name in DATASETS for operation in every_operation(graph)):
        logger.warning(
            "'%s' makes a dataset that cannot be saved (%s): the SavedModel is written, but where "
            "it is loaded this function cannot be called, and TensorFlow will not load it at all. "
            "Keep what calls Python out of what is saved.",
            graph.name,
            ", ".join(dict.fromkeys(reasons)),
        )


def _keep_functions(graph: ir.Graph) -> None:
    """Keep the Python functions that a graph calls: this process may load what it has saved."""
    for operation in every_operation(graph):
        if issubclass(operation.op, PythonCall):
            operation.attrs["token"].keep()


class ExportedFunctions:
    """The library, and which traced function is which of its functions."""

    def __init__(self, with_gradients: bool = True) -> None:
        """`with_gradients`: write gradients that the user has given, for TensorFlow."""
        self._with_gradients = with_gradients
        self.gradients: list[ExportedGradient] = []
        self._library = FunctionLibrary()
        self._form = TensorFlowForm()
        self._exported: dict[int, Exported] = {}

    def add(self, concrete: ConcreteFunction) -> Exported:
        """The function in the library; it is added where it is new."""
        found = self._exported.get(id(concrete))
        if found is None:
            made, captured = with_own_datasets(
                _in_tensorflows_order(concrete), concrete.captured_inputs
            )
            graph = self._form.of(made)
            _warn_of_datasets(graph, self._form.unwritten)
            _keep_functions(graph)
            name = self._library.name_of(graph)
            found = Exported(name, concrete, captured)
            self._exported[id(concrete)] = found
            if self._with_gradients:
                self.gradients += exported_gradients(name, graph, self._library)
        return found

    @property
    def all(self) -> list[Exported]:
        return list(self._exported.values())

    @property
    def lines(self) -> dict[str, tuple[SourceLine, ...]]:
        """The user's lines behind `node@function`."""
        return self._library.lines

    @property
    def function_defs(self) -> list[Any]:
        return self._library.functions


def _in_tensorflows_order(concrete: ConcreteFunction) -> ir.Graph:
    """The graph with its captures as arguments, and keyword arguments sorted by their names."""
    graph = concrete.callee.chosen
    order = places_of(concrete)
    if order == sorted(order):
        return graph
    own, captured = graph.parameters[: len(order)], graph.parameters[len(order) :]
    return replace(graph, parameters=(*(own[position] for position in order), *captured))


# ---------------------------------------------------------------- what is saved of a function


def traces_of(function: Function) -> list[ConcreteFunction]:
    """The traces that can be saved; of a restored function, those it was loaded with.

    A trace for an argument that cannot be written (an object) is left out, with a message.
    """
    saved: Sequence[ConcreteFunction] | None = getattr(function, "concrete_functions", None)
    if saved is not None:
        return list(saved)
    if function.input_signature is not None or not function.traces.parameters.names:
        function.get_concrete_function()  # there is one call only
    state = function.traces
    every = dict.fromkeys([*state.cache.all(), *state.named.values()])
    found: list[ConcreteFunction] = []
    seen: set[bytes] = set()
    for concrete in every:
        text = _written_signature(concrete)
        if text is not None and text not in seen:
            seen.add(text)
            found.append(_for_one_part(function, concrete) if AS_ONE.get() else concrete)
    return found


def _for_one_part(function: Function, concrete: ConcreteFunction) -> ConcreteFunction:
    """The trace for such arguments where variables are one that have parts for replicas."""
    if function.input_signature is not None:
        return function.get_concrete_function()
    args, kwargs = concrete.structured_input_signature
    return function.get_concrete_function(*args, **kwargs)


def _written_signature(concrete: ConcreteFunction) -> bytes | None:
    if any(one.symbolic for one in concrete.captured_inputs):
        return None  # it only exists inside of another function
    try:
        proto = encoded(concrete.structured_input_signature)
    except NamelessSpecError:
        raise  # a name is missing: nothing that is meant to be left out
    except NotEncodableError as error:
        logger.info("a trace of '%s' is not saved: %s", concrete.graph.name, error)
        return None
    return proto.SerializeToString(deterministic=True)


def concrete_proto(exported: Exported, numbers: Sequence[int]) -> Any:
    """A SavedConcreteFunction; `numbers` are the nodes of what it captured."""
    concrete = exported.concrete
    proto = message("SavedConcreteFunction")(bound_inputs=numbers)
    encode_into(proto.canonicalized_input_signature, concrete.structured_input_signature)
    outputs = with_specs(concrete.graph.structured_outputs)
    encode_into(proto.output_signature, _named_by_place(outputs))
    return proto


def _named_by_place(specs: Any) -> Any:
    """Specs of results with the names that TensorFlow gives them: `b_0` for `{"b": [x]}`."""
    named = [
        TensorSpec(leaf.shape, leaf.dtype, _name_of(path)) if type(leaf) is TensorSpec else leaf
        for path, leaf in tree.flatten_with_path(specs)
    ]
    return tree.pack_sequence_as(specs, named)


def _name_of(path: Sequence[Any]) -> str:
    if not path:
        return "unknown"
    parts = map(str, path if isinstance(path[0], str) else ("tensor", *path))
    return "_".join(parts)


def bare_proto(exported: Exported) -> Any:
    """A SavedBareConcreteFunction."""
    concrete, keywords = exported.concrete, exported.keywords
    args, _ = concrete.structured_input_signature
    positional = count_of_leaves(args)
    proto = message("SavedBareConcreteFunction")(
        concrete_function_name=exported.name,
        argument_keywords=keywords,
        allowed_positional_arguments=1 if len(keywords) == 1 else positional,
    )
    proto.function_spec.CopyFrom(spec_proto(concrete.parameters))
    return proto


def function_proto(function: Function, names: Sequence[str]) -> Any:
    """A SavedFunction of traces with these names."""
    proto = message("SavedFunction")(concrete_functions=names)
    signature = function.input_signature
    proto.function_spec.CopyFrom(spec_proto(function.function_spec, signature))
    return proto
