"""What a SavedModel consists of, read from its proto without loading it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.dtypes import BY_ENUM
from ..core.specs import TensorSpec
from ..function.signature.readable_signatures import type_text
from ..graph.proto.import_checks import told_by
from ..graph.proto.structured import NotEncodableError, decoded
from ..graph.proto.values import dtype_of, shape_of
from .function_specs import parameters_of
from .validation import validate


@dataclass(frozen=True)
class ShownTensor:
    """An input or output of a signature; `node` is its place in the graph."""

    key: str
    dtype: str
    shape: str
    node: str


@dataclass(frozen=True)
class ShownSignature:
    """A function of named tensors."""

    key: str
    inputs: tuple[ShownTensor, ...]
    outputs: tuple[ShownTensor, ...]
    method: str


@dataclass(frozen=True)
class FunctionTraces:
    """A tf.function: for each saved trace its arguments by name, and its result."""

    path: str
    traces: tuple[tuple[Mapping[str, str], str], ...]


@dataclass(frozen=True)
class VariableFacts:
    """A variable; `path` leads to it from the root."""

    path: str
    dtype: str
    shape: str
    trainable: bool


@dataclass(frozen=True)
class ModelFacts:
    """One graph of a SavedModel."""

    tags: tuple[str, ...]
    version: str
    signatures: tuple[ShownSignature, ...]
    functions: tuple[FunctionTraces, ...]
    variables: tuple[VariableFacts, ...]
    assets: tuple[str, ...]
    operations: tuple[str, ...]


def facts_of(meta: Any, path: str) -> ModelFacts:
    """What there is to know of a MetaGraphDef; `path` is its file.

    Raises:
        InvalidArgumentError: its parts do not fit.
    """
    validate(meta, path)
    with told_by(path, "a valid SavedModel"):
        return _facts(meta)


def _facts(meta: Any) -> ModelFacts:
    paths = _paths(meta.object_graph_def)
    info = meta.meta_info_def
    return ModelFacts(
        tuple(info.tags),
        info.tensorflow_version,
        tuple(_signature(key, meta.signature_def[key]) for key in sorted(meta.signature_def)),
        tuple(_functions(meta.object_graph_def, paths)),
        tuple(_variables(meta.object_graph_def, paths)),
        tuple(file.filename for file in meta.asset_file_def),
        tuple(sorted(_operations(meta.graph_def))),
    )


def _operations(graph_def: Any) -> set[str]:
    found = {node.op for node in graph_def.node}
    for function in graph_def.library.function:
        found |= {node.op for node in function.node_def}
    return found


def _signature(key: str, proto: Any) -> ShownSignature:
    return ShownSignature(
        key, tuple(_tensors(proto.inputs)), tuple(_tensors(proto.outputs)), proto.method_name
    )


def _tensors(infos: Any) -> Iterator[ShownTensor]:
    for key in sorted(infos):
        info = infos[key]
        dtype = BY_ENUM[info.dtype].name if info.dtype in BY_ENUM else "none"
        yield ShownTensor(key, dtype, str(shape_of(info.tensor_shape)), info.name)


def _paths(graph: Any) -> dict[int, str]:
    """The shortest names of the objects, from the root on."""
    found, pending = {0: ""}, [0]
    while pending:
        number = pending.pop(0)
        for child in graph.nodes[number].children if number < len(graph.nodes) else ():
            if child.node_id not in found:
                found[child.node_id] = f"{found[number]}.{child.local_name}".lstrip(".")
                pending.append(child.node_id)
    return found


def _functions(graph: Any, paths: Mapping[int, str]) -> Iterator[FunctionTraces]:
    for number, node in enumerate(graph.nodes):
        if node.WhichOneof("kind") != "function" or number not in paths:
            continue
        saved = node.function
        names = parameters_of(saved.function_spec).names
        traces = (_trace(graph.concrete_functions[n], names) for n in saved.concrete_functions)
        yield FunctionTraces(paths[number], tuple(traces))


def _trace(proto: Any, names: tuple[str, ...]) -> tuple[Mapping[str, str], str]:
    try:
        args, kwargs = decoded(proto.canonicalized_input_signature)
        result = decoded(proto.output_signature)
    except NotEncodableError as error:
        return {"?": str(error)}, "?"
    labels = [names[k] if k < len(names) else f"argument {k + 1}" for k in range(len(args))]
    given = dict(zip(labels, args, strict=True)) | kwargs
    return {name: _text(value) for name, value in given.items()}, _text(result)


def _text(value: Any) -> str:
    """Specs in short, everything else as its type is written."""
    if isinstance(value, TensorSpec):
        return f"{value.dtype.name} {value.shape}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_text(one) for one in value)  # pyright: ignore[reportUnknownVariableType]
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        pairs: Any = value.items()  # pyright: ignore[reportUnknownVariableType]
        return "{" + ", ".join(f"{key}: {_text(one)}" for key, one in pairs) + "}"
    text = type_text(value)
    return text.removeprefix("Literal[").removesuffix("]") if "Literal[" in text else text


def _variables(graph: Any, paths: Mapping[int, str]) -> Iterator[VariableFacts]:
    for number, node in enumerate(graph.nodes):
        if node.WhichOneof("kind") == "variable":
            saved = node.variable
            shape = str(shape_of(saved.shape))
            path = paths.get(number, saved.name)
            yield VariableFacts(path, dtype_of(saved.dtype).name, shape, saved.trainable)
