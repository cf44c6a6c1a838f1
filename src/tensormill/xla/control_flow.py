"""Branches and loops as JAX's: what they change goes through them as operands and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

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
from .turns import turns_of
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

    A condition that changes nothing is that of the loop, so that XLA sees how often it runs. Others
    draw numbers, or may fail: these run before the loop, and after each body.
    """
    values = list(operands)
    turns = turns_of(condition, body, values, builder.known)
    (first,) = builder.run(condition, values)
    if (known := builder.known(first)) is not None and not bool(known):
        return tuple(values)
    results = CarriedLoop(builder, condition, body, values).run(jnp.asarray(first))
    if turns is not None:
        builder.note_turns(turns.count)
        for k, number in turns.results.items():
            results[k] = np.array(number, values[k].dtype)
    return tuple(results)


RETRIES: Final = 5


class CarriedLoop:
    """A loop with operands: what of them it carries from turn to turn."""

    def __init__(self, builder: Any, condition: Graph, body: Graph, values: Sequence[Any]) -> None:
        self._builder: Final = builder
        self._condition, self._body = condition, body
        self._values: Final = values
        self._slots: Final = written_slots((condition, body), values)
        self._carried: Final = [
            k
            for k, (before, after) in enumerate(zip(body.parameters, body.returns, strict=True))
            if before is not after and is_array(values[k])
        ]

    def run(self, first: Any) -> list[Any]:
        """The operands behind the loop; `first` is the condition before it."""
        builder, slots = self._builder, self._slots
        arrays = builder.fitted([leaf_of(self._values[k]) for k in self._carried])
        leaves, go = builder.leaves(slots), None
        for _ in range(RETRIES):
            try:
                carry = (arrays, leaves, go)
                arrays, leaves, _ = lax.while_loop(self._goes_on, self._turn, carry)
                break
            except Changing:
                go = first
            except Reshaped as other:
                pairs = zip(arrays, other.arrays, strict=True)
                builder.remember([_kind_of(*pair) for pair in pairs])
                arrays = builder.fitted(arrays)
        else:
            raise NotInXla(CHANGED_SHAPE)
        builder.take(leaves, slots)
        return self._with(arrays)

    def _with(self, arrays: Sequence[Any]) -> list[Any]:
        now = list(self._values)
        for k, array in zip(self._carried, arrays, strict=True):
            now[k] = array
        return now

    def _goes_on(self, carry: Any) -> Any:
        builder, (arrays, leaves, go) = self._builder, carry
        if go is None:
            with builder.within(leaves, self._slots):
                (go,) = builder.run(self._condition, self._with(arrays))
                if not builder.is_unchanged(leaves, self._slots):
                    raise Changing
        return jnp.asarray(go) & builder.is_well(leaves)

    def _turn(self, carry: Any) -> Any:
        builder, (arrays, leaves, go) = self._builder, carry
        with builder.within(leaves, self._slots):
            results = builder.run(self._body, self._with(arrays))
            _require_kept(self._values, results, self._carried)
            after = [leaf_of(results[k]) for k in self._carried]
            if not _are_alike(list(arrays), after):
                raise Reshaped(after)
            if go is not None:
                (go,) = builder.run(self._condition, self._with(after))
                go = jnp.asarray(go)
            return after, builder.leaves(self._slots), go


class Changing(Exception):
    """A condition changes something, which that of a loop of JAX's can not."""


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
