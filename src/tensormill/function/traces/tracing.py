"""Tracing one signature: the body runs once on placeholders and becomes a ConcreteFunction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter
from itertools import count
from operator import is_
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from ...eager.creation import variable_creator_scope
from ...graph.builder import FuncGraph, current_graph
from ...graph.passes.implementations import purpose_of
from ..concrete import ConcreteFunction
from ..outputs import as_outputs, flat_outputs
from ..signature.arguments import Placer, described_arguments, is_variable
from ..signature.containers import leaves_of
from ..signature.parameters import Parameters
from ..signature.readable_signatures import as_signature, held_weakly
from .created_variables import Creation
from .frozen_values import frozen_values
from .mutation import check_unchanged, copies_of
from .reachable_variables import within_reach

_numbers: Final = count()


class Request(NamedTuple):
    """What is to be traced.

    `values` are the arguments, one for each parameter; `leaves` their tensors where the trace is
    made for a call, None where it is made for specs. `is_first` allows the body to make variables.
    `attributes` are those that it has in files; `whole`: all of it has to be compiled.
    """

    function: Callable[..., Any]
    name: str
    parameters: Parameters
    values: Sequence[Any]
    key: Any
    leaves: Sequence[Any] | None
    is_first: bool
    attributes: Mapping[str, Any] | None = None
    whole: bool = False


class Result(NamedTuple):
    """A trace, and the variables that the body made on the way."""

    concrete: ConcreteFunction
    created: Sequence[Any]


def trace(request: Request) -> Result:
    """Run the body on placeholders.

    Raises:
        TypeError: the body returned something that is no tensor.
        ValueError: the body changed its arguments, or made a variable that it may not make.
        Exception: whatever the body raised.
    """
    parameters = request.parameters
    graph = FuncGraph(request.name, current_graph())
    graph.arguments = [leaf.handle if is_variable(leaf) else leaf for leaf in request.leaves or ()]
    creation = Creation(request.name, request.is_first)
    # Twice: an interrupt may end the one that undoes.
    undoing = graph.undoing(), graph.undoing()
    with graph.as_default(), variable_creator_scope(creation), undoing[0], undoing[1]:
        placer = Placer(graph, parameters, request.key, _known_variables(request))
        values = placer.place(request.values)
        copies = copies_of(values)
        call = parameters.as_call(values)
        try:
            returned = request.function(*call.args, **call.kwargs)
            check_unchanged(parameters, copies, values, request.name)
            for alias in graph.aliases:
                if alias.is_changed():
                    raise alias.refusal()
            graph.structured_outputs = as_outputs(graph, returned, request.name)
        finally:
            graph.clear_up()
    graph.outputs = flat_outputs(graph.structured_outputs)
    return Result(_concrete(graph, request), creation.created)


def _known_variables(request: Request) -> set[int]:
    """The ids of those arguments that are variables and that the body may find elsewhere, too."""
    leaves = [leaf for value in request.values for leaf in leaves_of(value)]
    variables = [leaf for leaf in leaves if is_variable(leaf)]
    return within_reach(request.function, leaves, variables) if variables else set()


def _concrete(graph: FuncGraph, request: Request) -> ConcreteFunction:
    name = f"__inference_{request.name}_{next(_numbers)}"
    described = request.parameters, request.values, request.key
    arguments = described_arguments(*described)
    shown = described_arguments(*described, named=False)
    graph.structured_input_signature = as_signature(request.parameters, arguments)
    attrs = {"function_name": name, **purpose_of(request.attributes)}
    if request.whole:
        attrs["whole"] = True
    if request.attributes:
        attrs["written_attributes"] = request.attributes
    finished = replace(graph.finish(graph.outputs), attrs=attrs)
    parameters = _without_objects(request.parameters)
    concrete = ConcreteFunction(graph, finished, parameters, arguments, request.key, name, shown)
    graph.variables = concrete.variables
    concrete.frozen = frozen_values(request.function, request.parameters.names, request.values)
    return concrete


def _without_objects(parameters: Parameters) -> Parameters:
    """`parameters` as a trace may keep them: objects that are defaults are held weakly."""
    defaults = [one.default for one in parameters.each]
    held_defaults = [one if one is Parameter.empty else held_weakly(one) for one in defaults]
    if all(map(is_, defaults, held_defaults)):
        return parameters
    pairs = zip(parameters.each, held_defaults, strict=True)
    each = [one.replace(default=default) for one, default in pairs]
    return Parameters(parameters.signature.replace(parameters=each))
