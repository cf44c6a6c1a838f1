"""Ragged and sparse tensors that go through Python functions as the tensors they consist of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import tree
from ...core.process.named_tuples import NamedTuple
from ...core.type_spec import TypeSpec, spec_of


class Adapted(NamedTuple):
    """A function of flat tensors in place of one that takes or returns composites."""

    function: Callable[..., Any]
    inputs: list[Any]
    promises: list[Any]


def on_flat_tensors(
    function: Callable[..., Any], inputs: Sequence[Any], promises: Sequence[Any]
) -> Any:
    """`function` as a function of flat tensors that returns what `promises` consist of, flat."""
    takes = [spec_of(one) if isinstance(one, tree.Composite) else None for one in inputs]
    gives = [one if is_composite(one) else None for one in promises]
    if not any(takes) and not any(gives):
        return Adapted(function, list(inputs), list(promises))

    def on_flat(*tensors: Any) -> Any:
        result = function(*packed(tensors, takes))
        return _flat_results(result, gives) if any(gives) else result

    flat = [
        part
        for one, spec in zip(inputs, takes, strict=True)
        for part in ([one] if spec is None else one._component_tensors())
    ]
    return Adapted(on_flat, flat, tree.flatten(list(promises), expand_composites=True))


def is_composite(promise: Any) -> bool:
    return isinstance(promise, TypeSpec) and promise.is_composite


def packed(tensors: Sequence[Any], specs: Sequence[Any]) -> list[Any]:
    """The values that flat tensors stand for: composites where there is a spec."""
    rest = iter(tensors)
    values: list[Any] = []
    for spec in specs:
        if spec is None:
            values.append(next(rest))
            continue
        count = len(tree.flatten(spec, expand_composites=True))
        values.append(tree.composite_of(spec, [next(rest) for _ in range(count)]))
    return values


def _flat_results(result: Any, specs: Sequence[Any]) -> list[Any]:
    """Raises TypeError where a value is not what was promised."""
    values = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(values) != len(specs):
        return values  # how many are missing is said by who counts them
    flat: list[Any] = []
    for value, spec in zip(values, specs, strict=True):
        if spec is None:
            flat.append(value)
            continue
        found = spec_of(value) if isinstance(value, tree.Composite) else None
        if found is None or not spec.is_compatible_with(found):
            raise TypeError(
                f"Tout promises a {spec!r}, but the Python function returned {found or value!r}"
            )
        flat += value._component_tensors()
    return flat
