"""The order in which TensorFlow takes the tensors of a trace, and what it calls them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Any

from ...core import tree
from ...core.type_spec import TypeSpec
from .parameters import Parameters


def order_of_leaves(parameters: Parameters, arguments: Sequence[Any]) -> list[int]:
    """The places of a trace's own tensors, in the order in which TensorFlow takes them.

    `arguments` are what it was traced for. Those given by keyword come last, sorted by name.
    """
    positional: list[int] = []
    named: list[tuple[str, list[int]]] = []
    count = 0
    for parameter, name, part in _parts(parameters, arguments):
        width = count_of_leaves(part)
        places = list(range(count, count + width))
        count += width
        if parameter.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
            named.append((name, places))
        else:
            positional += places
    return positional + [place for _, places in sorted(named) for place in places]


def _parts(
    parameters: Parameters, arguments: Sequence[Any]
) -> Iterator[tuple[Parameter, str, Any]]:
    for parameter, value in zip(parameters.each, arguments, strict=True):
        if parameter.kind is Parameter.VAR_KEYWORD:
            yield from ((parameter, key, value[key]) for key in sorted(value))
        else:
            yield parameter, parameter.name, value


def count_of_leaves(described: Any) -> int:
    """How many tensors and handles stand behind specs."""
    leaves = tree.flatten(described, expand_composites=True)
    return sum(isinstance(leaf, TypeSpec) for leaf in leaves)


def places_of(concrete: Any) -> list[int]:
    """The places of the graph's own parameters, in TensorFlow's order."""
    own = len(concrete.callee.graph.parameters)
    order = order_of_leaves(concrete.parameters, concrete.arguments)
    # A variable that is given twice is one parameter.
    return order if len(order) == own else list(range(own))


def keywords_of(concrete: Any) -> list[str]:
    """What TensorFlow calls the tensors that a trace takes: `d`, `d_1` for two in one argument."""
    parameters = concrete.graph.parameters
    found: list[str] = []
    counts: dict[str, int] = {}
    for place in places_of(concrete):
        wanted = name = str(parameters[place].op.attrs["_user_specified_name"])
        while name in found:
            number = counts.get(wanted, 1)
            counts[wanted] = number + 1
            name = f"{wanted}_{number}"
        found.append(name)
    return found
