"""Branches and loops as JAX's: what they change goes through them as operands and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.specs import ListSpec
from ..graph.ir import Graph
from ..ops.control.functional import effects_of, variable_of
from ..ops.effects import Writes
from .language import NotInXla
from .lists import HeldList, ListKind
from .values import HeldVariable, is_array, leaf_of, same_handle

OTHER_SHAPES = "its branches give tensors of different shapes"
CHANGED_SHAPE = "a loop variable changes its shape, which only a run knows"


def branch(
    builder: Any, index: Any, graphs: Sequence[Graph], operands: Sequence[Any]
) -> tuple[Any, ...]:
    """The results of graphs[index]; the last one's for an index out of range."""
    last = len(graphs) - 1
    known = builder.known(index)
    if known is not None:
        number = int(known)
        return tuple(builder.run(graphs[number if 0 <= number <= last else last], operands))
    number = jnp.asarray(index).astype(np.int32)
    number = jnp.where((number < 0) | (number > last), last, number)
    slots = written_slots(graphs, operands)
    has_lists = any(isinstance(value.spec, ListSpec) for value in graphs[0].returns)
    forms = _forms(builder, graphs, operands, slots) if has_lists else {}
    found: list[list[Any]] = []

    def taken(graph: Graph) -> Callable[..., Any]:
        def run(leaves: Any) -> Any:
            with builder.within(leaves, slots):
                results = builder.run(graph, operands)
                for k, lists in forms.items():
                    results[k] = results[k].in_form(lists)
                found.append(results)
                arrays = [leaf_of(one) if is_array(one) else () for one in results]
                _require_alike(found[0], results)
                return arrays, builder.leaves(slots)

        return run

    arrays, leaves = lax.switch(number, [taken(graph) for graph in graphs], builder.leaves(slots))
    builder.take(leaves, slots)
    pairs = zip(found[0], arrays, strict=True)
    return tuple(array if is_array(one) else one for one, array in pairs)


def _forms(
    builder: Any, graphs: Sequence[Graph], operands: Sequence[Any], slots: Sequence[int]
) -> dict[int, list[HeldList]]:
    """The lists that branches return, by the number of the result."""
    found: list[list[Any]] = []

    def run(leaves: Any, graph: Graph) -> Any:
        with builder.within(leaves, slots):
            found.append(builder.run(graph, operands))
        return ()

    for graph in graphs:
        jax.eval_shape(partial(run, graph=graph), builder.leaves(slots))
    columns = enumerate(zip(*found, strict=True))
    return {k: list(column) for k, column in columns if isinstance(column[0], HeldList)}


def _require_alike(first: Sequence[Any], results: Sequence[Any]) -> None:
    """JAX has one kind of result for all branches."""
    for one, other in zip(first, results, strict=True):
        if is_array(one) != is_array(other):
            raise NotInXla(OTHER_SHAPES)
        if not is_array(one):
            if not same_handle(one, other):
                raise NotInXla("its branches return different variables")
        elif not _are_alike(leaf_of(one), leaf_of(other)):
            raise NotInXla(OTHER_SHAPES)


def _are_alike(one: Any, other: Any) -> bool:
    """Whether arrays, or lists of arrays, have the same shapes and dtypes."""
    ours, theirs = jax.tree.flatten(one), jax.tree.flatten(other)
    return ours[1] == theirs[1] and all(
        (x.shape, x.dtype) == (y.shape, y.dtype) for x, y in zip(ours[0], theirs[0], strict=True)
    )


def loop(builder: Any, condition: Graph, body: Graph, operands: Sequence[Any]) -> tuple[Any, ...]:
    """The operands after `body` has run on them as long as `condition` is true.

    The condition, too, may draw numbers or fail: it runs before the loop and after each body.
    """
    slots = written_slots((condition, body), operands)
    values = list(operands)
    (first,) = builder.run(condition, values)
    if (known := builder.known(first)) is not None and not bool(known):
        return tuple(values)
    carried = [
        k
        for k, (before, after) in enumerate(zip(body.parameters, body.returns, strict=True))
        if before is not after and is_array(values[k])
    ]

    def with_carried(arrays: Sequence[Any]) -> list[Any]:
        now = list(values)
        for k, array in zip(carried, arrays, strict=True):
            now[k] = array
        return now

    def goes_on(carry: Any) -> Any:
        return carry[2] & builder.is_well(carry[1])

    def turn(carry: Any) -> Any:
        arrays, leaves, _ = carry
        with builder.within(leaves, slots):
            results = builder.run(body, with_carried(arrays))
            _require_kept(values, results, carried)
            after = [leaf_of(results[k]) for k in carried]
            if not _are_alike(list(arrays), after):
                raise Reshaped(after)
            (go,) = builder.run(condition, with_carried(after))
            return after, builder.leaves(slots), jnp.asarray(go)

    arrays = builder.fitted([leaf_of(values[k]) for k in carried])
    start = builder.leaves(slots), jnp.asarray(first)
    for _ in range(RETRIES):
        try:
            arrays, leaves, _ = lax.while_loop(goes_on, turn, (arrays, *start))
            break
        except Reshaped as other:
            pairs = zip(arrays, other.arrays, strict=True)
            builder.remember([_kind_of(*pair) for pair in pairs])
            arrays = builder.fitted(arrays)
    else:
        raise NotInXla(CHANGED_SHAPE)
    builder.take(leaves, slots)
    return tuple(with_carried(arrays))


RETRIES = 4


class Reshaped(Exception):
    """A body gave other shapes than it took."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        super().__init__()
        self.arrays = arrays


def _kind_of(before: Any, after: Any) -> ListKind | None:
    """What a list has to be before a loop so that its body gives the same; None for others."""
    if isinstance(before, HeldList):
        return before.kind_for(after)
    if _are_alike(before, after):
        return None
    raise NotInXla(CHANGED_SHAPE)


def _require_kept(values: Sequence[Any], results: Sequence[Any], carried: Sequence[int]) -> None:
    """Handles stay in their places."""
    for k, (before, after) in enumerate(zip(values, results, strict=True)):
        if k not in carried and not is_array(before) and not same_handle(before, after):
            raise NotInXla("a loop changes which variable it uses")


def written_slots(graphs: Iterable[Graph], operands: Sequence[Any]) -> tuple[int, ...]:
    """The variables among operands that one of the graphs may write."""
    found: set[int] = set()
    for graph in graphs:
        places = {value: k for k, value in enumerate(graph.inputs)}
        for operation in graph.operations:
            for effect in effects_of(operation.op, operation.attrs):
                if isinstance(effect, Writes):
                    place = places.get(variable_of(operation, effect))
                    if place is None:
                        raise NotInXla("which variable it writes is only known when it runs")
                    if isinstance(operands[place], HeldVariable):
                        found.add(operands[place].slot)
    return tuple(sorted(found))
