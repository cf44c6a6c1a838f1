"""Names of the leaves of a call: for placeholders, for specs and for messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Any

from ...core.process.named_tuples import NamedTuple
from .containers import open_container
from .parameters import Parameters


class LeafPath(NamedTuple):
    """Where a leaf is: a parameter, and the labels that lead into its value.

    `placeholder` names the graph's parameter, `spec_name` the spec ('d_a'), `text` the place as
    Python would write it (`d['a']`).
    """

    placeholder: str
    spec_name: str
    text: str


def paths_of(parameters: Parameters, values: Sequence[Any]) -> Iterator[tuple[LeafPath, Any]]:
    """Every leaf of the values with its path, in the order of tracing."""
    for parameter, value in zip(parameters.each, values, strict=True):
        name = parameter.name
        if parameter.kind is Parameter.VAR_POSITIONAL:
            for position, item in enumerate(value):
                label = f"{name}_{position}"
                yield from _inside(label, label, f"{name}[{position}]", item)
        elif parameter.kind is Parameter.VAR_KEYWORD:
            for key in sorted(value):
                yield from _inside(key, key, key, value[key])
        else:
            yield from _inside(name, name, name, value)


def _inside(root: str, spec_name: str, text: str, value: Any) -> Iterator[tuple[LeafPath, Any]]:
    opened = open_container(value)
    if opened is None:
        yield LeafPath(root, spec_name, text), value
        return
    for label, part in zip(opened.labels, opened.parts, strict=True):
        inner = f"{text}.{label}" if hasattr(value, "_fields") else f"{text}[{label!r}]"
        yield from _inside(root, f"{spec_name}_{label}", inner, part)
