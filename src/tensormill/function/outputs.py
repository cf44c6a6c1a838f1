"""What traced functions return: leaves become tensors while tracing, and structure when running."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ..core.process.written_functions import FunctionText
from ..core.specs import TensorSpec
from ..core.values import TensorLike
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.operation import Operation
from ..ops.bind import bind
from ..ops.control.flow import Identity
from .signature.containers import as_spec, leaves_of, map_leaves

# Makes the structure that the caller gets from the flat outputs of one run.
Pack = Callable[[tuple[Any, ...]], Any]


def as_outputs(graph: FuncGraph, returned: Any, function: str) -> Any:
    """What the body returned, every leaf a new tensor of `graph` (None stays None).

    Raises:
        TypeError: a leaf is something that no tensor can hold.
    """
    return map_leaves(lambda leaf: _as_output(graph, leaf, function), returned)


def _as_output(graph: FuncGraph, leaf: Any, function: str) -> Any:
    if leaf is None:
        return None
    if isinstance(leaf, range):
        return [_as_output(graph, number, function) for number in leaf]
    try:
        tensor = graph.convert(leaf, None, None)
    except (TypeError, ValueError) as error:
        if isinstance(leaf, TensorLike):
            raise
        raise TypeError(
            f"'{function}' returned {leaf!r}: it must return zero or more Tensors or "
            "ExtensionTypes or None values, but found return value of type "
            f"{type(leaf).__name__}, of which no tensor can be made{_reason(leaf, error)}"
        ) from None
    # A result is a tensor of its own: returning an argument does not hand out the argument.
    return bind(Identity, tensor)


def _reason(leaf: Any, error: Exception) -> str:
    """Why no tensor can hold it, where that is more than its type."""
    if isinstance(leaf, Operation):
        return "; an operation runs without being returned"
    return "" if "unsupported type" in str(error) else f" ({error})"


def flat_outputs(structure: Any) -> list[SymbolicTensor]:
    """The tensors of a structure of outputs, in order."""
    return [leaf for leaf in leaves_of(structure) if leaf is not None]


def with_specs(structure: Any) -> Any:
    """The structure with specs in place of tensors."""
    return map_leaves(lambda leaf: leaf if leaf is None else _spec(leaf), structure, as_spec)


def _spec(tensor: Any) -> TensorSpec:
    return TensorSpec(tensor.shape, tensor.dtype)


def packer(structure: Any) -> Pack | None:
    """How flat outputs become `structure`; None where the first output is the result."""
    if isinstance(structure, TensorLike):
        return None
    if structure is None:
        return _nothing
    kind: type[Any] = type(structure)  # pyright: ignore[reportUnknownVariableType]
    if kind in (tuple, list) and all(isinstance(part, TensorLike) for part in structure):
        return _itself if kind is tuple else list
    # Holds no tensor of the trace: True, None, and for a composite its spec.
    shape = map_leaves(lambda leaf: leaf is not None or None, structure, as_spec)
    with suppress(LookupError):
        return _written(shape)

    def pack(flat: tuple[Any, ...]) -> Any:
        rest = iter(flat)
        return map_leaves(lambda leaf: None if leaf is None else next(rest), shape)

    return pack


def _written(shape: Any) -> Pack:
    """What makes a structure of dicts, lists and tuples, each part of it by a line of its own.

    Raises:
        LookupError: there are other containers in it.
    """
    text = FunctionText("flat")
    names: list[str] = []
    result = _expression(shape, text, names)
    text.add(f"{', '.join(names)}, = flat" if names else "pass")
    text.add(f"return {result}")
    return text.made()


def _expression(shape: Any, text: FunctionText, names: list[str]) -> str:
    """The text that makes a part of it; `names` gets those of its outputs, in their order."""
    if shape is None:
        return "None"
    kind: type[Any] = type(shape)  # pyright: ignore[reportUnknownVariableType]
    if kind is bool:
        names.append(text.name())
        return names[-1]
    if kind is dict:
        made = {key: _expression(shape[key], text, names) for key in sorted(shape)}
        return f"{{{', '.join(f'{text.constant(key)}: {made[key]}' for key in shape)}}}"
    if kind not in (list, tuple):
        raise LookupError(kind)
    parts = "".join(f"{_expression(part, text, names)}, " for part in shape)
    return f"[{parts}]" if kind is list else f"({parts})"


def _nothing(flat: Sequence[Any]) -> None:
    return None


def _itself(flat: tuple[Any, ...]) -> tuple[Any, ...]:
    return flat


def structured(pack: Pack | None, flat: tuple[Any, ...]) -> Any:
    return flat[0] if pack is None else pack(flat)
