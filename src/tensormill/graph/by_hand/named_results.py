"""Tensors that several operations made, as the results of one that has a name."""

from __future__ import annotations

from typing import Any


def under_one_name(graph: Any, results: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    """The same tensors again: sessions find them by the name of the operation that expanded.

    Functions need no such names, and have the tensors as they are.
    """
    from ...ops.control.flow import Identity, IdentityN

    if graph.building_function or not results:
        return results
    if len(results) == 1:
        return graph.apply(Identity, results, {}, name)
    return graph.apply(IdentityN, (results,), {}, name)
