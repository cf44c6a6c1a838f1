"""Gradients of the user's own, as TensorFlow registers them in a SavedModel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.specs import ResourceSpec, TensorSpec
from ..graph import ir
from ..graph.proto.attributes import GRADIENT_TYPE
from ..graph.proto.graphdef import FunctionLibrary
from ..graph.proto.graphdef_import import CONNECTED, COUNTS, GRADIENT, GivenGradient
from ..graph.proto.messages import message
from ..graph.proto.structured import decoded, encode_into


class RegisteredGradients:
    """Finds the function that differentiates a node, and what it captured of the node's owner."""

    def __init__(self, library: Any, objects: Any) -> None:
        self._library = library
        self._objects = objects
        self._functions = {
            one.registered_op_type: one.gradient_func for one in library.registered_gradients
        }

    def find(self, kind: str, owner: str) -> GivenGradient | None:
        """The gradient registered as `kind`, for a node in the function called `owner`."""
        name = self._functions.get(kind)
        if name is None or name not in self._objects.concrete_functions:
            return None
        saved = self._objects.concrete_functions[name]
        captured = [self._reference(number, owner) for number in saved.bound_inputs]
        results: Sequence[Any] = decoded(saved.output_signature) or ()
        connected = tuple(k for k, spec in enumerate(results) if spec is not None)
        if None in captured:
            return None
        return GivenGradient(name, [one for one in captured if one is not None], connected)

    def _reference(self, number: int, owner: str) -> str | None:
        """A tensor of the function `owner`: one that it computes, or something it captured too."""
        node = self._objects.nodes[number]
        if node.WhichOneof("kind") == "captured_tensor":
            tensor = node.captured_tensor
            return tensor.name if tensor.concrete_function == owner else None
        if owner not in self._objects.concrete_functions:
            return None
        bound = list(self._objects.concrete_functions[owner].bound_inputs)
        if number not in bound:
            return None
        function = next(f for f in self._library.function if f.signature.name == owner)
        args = function.signature.input_arg
        return args[len(args) - len(bound) + bound.index(number)].name


# ---------------------------------------------------------------- writing


@dataclass(frozen=True)
class ExportedGradient:
    """A function of the library that differentiates a node of the function `owner`.

    It takes a gradient for each result of the node (`takes`), and `captured` tensors of the owner;
    it `gives` gradients for the node's inputs, None where there is none.
    """

    kind: str
    name: str
    owner: str
    takes: Sequence[TensorSpec]
    captured: Sequence[str]
    gives: Sequence[TensorSpec | None]

    def written(self, captured: Sequence[int]) -> Any:
        """A SavedConcreteFunction; `captured` are the nodes of the captured tensors."""
        proto = message("SavedConcreteFunction")(bound_inputs=captured)
        named = [
            TensorSpec(spec.shape, spec.dtype, f"result_grads_{k}")
            for k, spec in enumerate(self.takes)
        ]
        encode_into(proto.canonicalized_input_signature, ((None, *named), {}))
        encode_into(proto.output_signature, list(self.gives))
        return proto


def exported_gradients(
    owner: str, graph: ir.Graph, library: FunctionLibrary
) -> Iterator[ExportedGradient]:
    """The gradients that the user gave for parts of a function of the library."""
    for node in graph.operations:
        if GRADIENT not in node.attrs:
            continue
        specs = [_gradient_spec(value.spec) for value in node.operands]
        values, operands, _ = node.attrs[COUNTS]
        if any(spec is None for spec in specs[: values + operands]):
            continue  # gradients of lists: TensorFlow cannot be given them
        takes = [spec or TensorSpec((), "float32") for spec in specs]
        gives: list[TensorSpec | None] = [None] * len(takes)
        for number in node.attrs[CONNECTED]:
            gives[values + number] = specs[values + number]
        captured = [f"{node.name}:{k}" for k in range(values + operands, len(takes))]
        name = library.name_of(_with_all_gradients(node.attrs[GRADIENT], takes, values))
        _forget_ours(library, owner, node.name)
        yield ExportedGradient(node.attrs[GRADIENT_TYPE], name, owner, takes, captured, gives)


def _forget_ours(library: FunctionLibrary, owner: str, node_name: str) -> None:
    """Drop our own note of the gradient: what is registered is enough for us, too.

    TensorFlow would look for the function of the note before it has loaded it.
    """
    function = next(one for one in library.functions if one.signature.name == owner)
    node = next(one for one in function.node_def if one.name == node_name)
    for key in (GRADIENT, COUNTS, CONNECTED):
        del node.attr[key]


def _gradient_spec(spec: Any) -> TensorSpec | None:
    if isinstance(spec, ResourceSpec):
        return spec.state
    return spec if isinstance(spec, TensorSpec) else None


def _with_all_gradients(graph: ir.Graph, takes: Sequence[TensorSpec], values: int) -> ir.Graph:
    """The same function, with gradients of all results of the node as parameters."""
    own, saved = graph.parameters[:values], graph.parameters[values:]
    unused = [ir.Value(f"result_grads_{k}", spec) for k, spec in enumerate(takes[values:], values)]
    attrs = {"function_name": f"__inference_{graph.name}_for_tensorflow"}
    return ir.Graph(graph.name, (*own, *unused, *saved), (), graph.operations, graph.returns, attrs)
