"""Signatures for people: the arguments and results of a trace, with specs at the leaves."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Any, cast

from ...core.dtypes import DType
from ...core.specs import TypeSpec
from ...core.specs import VariableSpec as VariableSpec
from ..traces.object_keys import PLAIN, plain_copy
from .containers import open_container
from .parameters import Parameters


class ObjectLiteral:
    """An argument that is an object of the user's, held weakly: a trace keeps nobody alive."""

    __slots__ = ("_reference",)

    def __init__(self, value: Any) -> None:
        self._reference = weakref.ref(value)

    @property
    def value(self) -> Any:
        return self._reference()

    def __repr__(self) -> str:
        return repr(self._reference())


def held_weakly(value: Any) -> Any:
    """`value` itself where it is a plain one; else a copy or a weak stand-in, if there can be."""
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind in PLAIN or kind is DType:
        return value
    if kind.__eq__ is not object.__eq__ and (copy := plain_copy(value)) is not None:
        return copy
    try:
        return ObjectLiteral(value)
    except TypeError:
        return value


def as_signature(parameters: Parameters, described: Sequence[Any]) -> tuple[Any, Any]:
    """`((positional...), {keyword-only...})` of values that were described by specs."""
    call = parameters.as_call(described)
    return call.args, call.kwargs


def type_text(value: Any) -> str:
    """`Dict[['a', TensorSpec(...)]]`, `List[...]`, `Literal[1]`: one line for any structure."""
    if isinstance(value, TypeSpec):
        return repr(value)
    opened = open_container(value)
    if opened is None:
        return f"Literal[{value!r}]"
    parts = [type_text(part) for part in opened.parts]
    if isinstance(value, dict):
        texts = dict(zip(opened.labels, parts, strict=True))  # in another order than the user's
        order = cast(dict[Any, Any], value)
        return "Dict[" + ", ".join(f"[{key!r}, {texts[key]}]" for key in order) + "]"
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    name = "List" if kind is list else "Tuple"
    if hasattr(kind, "_fields"):
        name = kind.__name__
    return f"{name}[{', '.join(parts)}]"


def pretty_signature(
    parameters: Parameters,
    described: Sequence[Any],
    outputs: Any,
    captures: Sequence[tuple[str, Any]],
) -> str:
    """Several lines that list parameters, results and captures."""
    lines = ["Input Parameters:"]
    lines += [
        f"  {name} ({kind.name}): {type_text(value)}"
        for name, kind, value in _entries(parameters, described)
    ]
    lines += ["Output Type:", f"  {type_text(outputs)}", "Captures:"]
    lines += [f"  {name}: {spec!r}" for name, spec in captures] or ["  None"]
    return "\n".join(lines)


def short_signature(parameters: Parameters, described: Sequence[Any], outputs: Any) -> str:
    """`(x: TensorSpec(...), /, *, k: Literal[2]) -> TensorSpec(...)`."""
    entries = list(_entries(parameters, described))
    texts = [f"{name}: {type_text(value)}" for name, _, value in entries]
    kinds = [kind for _, kind, _ in entries]
    if Parameter.KEYWORD_ONLY in kinds:
        texts.insert(kinds.index(Parameter.KEYWORD_ONLY), "*")
    if by_position := kinds.count(Parameter.POSITIONAL_ONLY):  # these come first
        texts.insert(by_position, "/")
    return f"({', '.join(texts)}) -> {type_text(outputs)}"


def _entries(parameters: Parameters, described: Sequence[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Name, kind and value of each argument; what stands before `*args` is given by position."""
    by_position = Parameter.VAR_POSITIONAL in [one.kind for one in parameters.each]
    for parameter, value in zip(parameters.each, described, strict=True):
        kind = parameter.kind
        if kind is Parameter.VAR_POSITIONAL:
            for position, item in enumerate(value):
                yield f"{parameter.name}_{position}", Parameter.POSITIONAL_ONLY, item
        elif kind is Parameter.VAR_KEYWORD:
            for name, item in value.items():
                yield name, Parameter.KEYWORD_ONLY, item
        elif by_position and kind is Parameter.POSITIONAL_OR_KEYWORD:
            yield parameter.name, Parameter.POSITIONAL_ONLY, value
        else:
            yield parameter.name, kind, value
