"""Branches and loops as JAX's: what they change goes through them as operands and results.

A body is read once, as a function of arrays; what it gives is looked at before it becomes part of
anything. Lists are the only operands whose kind may change from turn to turn. A loop is read again
with lists of the kind that it gave, joined with that of before (`ListKind`): a shape is told once,
a list of static length becomes one that grows once, so that ends. What was found is remembered by
the place of the loop; it is there when a loop around it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..graph.ir import Graph
from ..ops.control.functional import effects_of, variable_of
from ..ops.effects import Writes
from .language import NotInXla
from .lists import HeldList, ListKind
from .trip_counts import trip_count
from .values import HeldVariable, is_array, leaf_of, same_handle

OTHER_SHAPES = "its branches give tensors of different shapes"
CHANGED_SHAPE = "a loop variable changes its shape, which only a run knows"


class ReadFunction:
    """A function of arrays, as JAX's expression: its rules are not asked again.

    `shapes` is like what it gives, with shapes and dtypes in place of arrays.
    """

    def __init__(self, function: Callable[..., Any], *operands: Any) -> None:
        expression, self.shapes = jax.make_jaxpr(function, return_shape=True)(*operands)
        self._run: Final = jax.extend.core.jaxpr_as_fun(expression)
        self._layout: Final = jax.tree.structure(self.shapes)

    def __call__(self, *operands: Any) -> Any:
        return jax.tree.unflatten(self._layout, self._run(*jax.tree.leaves(operands)))


# ---------------------------------------------------------------- branches


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
    begin = builder.leaves(slots)
    found = [ReadBranch(builder, graph, operands, slots) for graph in graphs]
    columns = list(zip(*(one.given for one in found), strict=True))
    for column in columns:
        _require_alike(column)
    arrays, leaves = lax.switch(number, [one.in_forms(columns) for one in found], begin)
    builder.take(leaves, slots)
    pairs = zip(found[0].results, arrays, strict=True)
    return tuple(array if is_array(one) else one for one, array in pairs)


class ReadBranch:
    """One of the graphs of a branch. `given` are its results: of arrays shapes and dtypes."""

    def __init__(
        self, builder: Any, graph: Graph, operands: Sequence[Any], slots: Sequence[int]
    ) -> None:
        self.results: list[Any] = []

        def run(leaves: Any) -> Any:
            with builder.within(leaves, slots):
                self.results = builder.run(graph, operands)
                arrays = [leaf_of(one) if is_array(one) else () for one in self.results]
                return arrays, builder.leaves(slots)

        self.run: Final = ReadFunction(run, builder.leaves(slots))
        pairs = zip(self.results, self.run.shapes[0], strict=True)
        self.given: Final = [shape if is_array(one) else one for one, shape in pairs]

    def in_forms(self, columns: Sequence[Sequence[Any]]) -> Callable[[Any], Any]:
        """What runs it, for lists in the form that those of all branches have in common."""

        def run(leaves: Any) -> Any:
            arrays, after = self.run(leaves)
            pairs = zip(arrays, columns, strict=True)
            return [_in_form(*pair) for pair in pairs], after

        return run


def _in_form(array: Any, column: Sequence[Any]) -> Any:
    return array.in_form(column) if isinstance(array, HeldList) else array


def _require_alike(column: Sequence[Any]) -> None:
    """JAX has one kind of result for all branches; lists are brought into one form."""
    first = column[0]
    for other in column[1:]:
        if is_array(first) != is_array(other) or isinstance(first, HeldList) != isinstance(
            other, HeldList
        ):
            raise NotInXla(OTHER_SHAPES)
        if not is_array(first):
            if not same_handle(first, other):
                raise NotInXla("its branches return different variables")
        elif not isinstance(first, HeldList) and not _are_alike(first, other):
            raise NotInXla(OTHER_SHAPES)


def _are_alike(one: Any, other: Any) -> bool:
    """Whether arrays, or lists of arrays, have the same shapes and dtypes."""
    ours, theirs = jax.tree.flatten(one), jax.tree.flatten(other)
    return ours[1] == theirs[1] and all(
        (x.shape, x.dtype) == (y.shape, y.dtype) for x, y in zip(ours[0], theirs[0], strict=True)
    )


# ---------------------------------------------------------------- loops


def loop(builder: Any, condition: Graph, body: Graph, operands: Sequence[Any]) -> tuple[Any, ...]:
    """The operands after `body` has run on them as long as `condition` is true.

    A condition that changes nothing is that of the loop, so that XLA sees how often it runs. Others
    draw numbers, or may fail: these run before the loop, and after each body.
    """
    values = list(operands)
    turns = trip_count(condition, body, values, builder.known)
    (first,) = builder.run(condition, values)
    if (known := builder.known(first)) is not None and not bool(known):
        return tuple(values)
    results = CarriedLoop(builder, condition, body, values).run(jnp.asarray(first))
    if turns is not None:
        builder.note_trip_count(turns.count)
        for k, number in turns.results.items():
            results[k] = np.array(number, values[k].dtype)
    return tuple(results)


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
        self._condition_changes = False

    def run(self, first: Any) -> list[Any]:
        """The operands behind the loop; `first` is the condition before it."""
        builder, leaves = self._builder, self._builder.leaves(self._slots)
        arrays, turn = self._settled(leaves)
        asked = ReadFunction(self._asked, arrays, leaves)

        def step(carry: Any) -> Any:
            after, leaves = turn(*carry[:2])
            if not self._condition_changes:
                return after, leaves
            go, leaves = asked(after, leaves)
            return after, leaves, go

        def goes_on(carry: Any) -> Any:
            go = carry[2] if self._condition_changes else asked(*carry)[0]
            return go & builder.is_well(carry[1])

        begin = (arrays, leaves, first) if self._condition_changes else (arrays, leaves)
        arrays, leaves, *_ = lax.while_loop(goes_on, step, begin)
        builder.take(leaves, self._slots)
        return self._with(arrays)

    def _settled(self, leaves: Any) -> tuple[list[Any], ReadFunction]:
        """What the loop carries at first, of the kinds that a turn keeps, and such a turn."""
        before = [leaf_of(self._values[k]) for k in self._carried]
        while True:
            arrays = self._builder.fitted(before)
            turn = ReadFunction(self._turned, arrays, leaves)
            after = turn.shapes[0]
            if _are_alike(arrays, after):
                return arrays, turn
            kinds = [_kind_of(*pair) for pair in zip(arrays, after, strict=True)]
            if not self._builder.remember(kinds):
                raise NotInXla(CHANGED_SHAPE)

    def _with(self, arrays: Sequence[Any]) -> list[Any]:
        now = list(self._values)
        for k, array in zip(self._carried, arrays, strict=True):
            now[k] = array
        return now

    def _turned(self, arrays: Any, leaves: Any) -> Any:
        """What the loop carries after the body."""
        builder = self._builder
        with builder.within(leaves, self._slots):
            results = builder.run(self._body, self._with(arrays))
            _require_kept(self._values, results, self._carried)
            return [leaf_of(results[k]) for k in self._carried], builder.leaves(self._slots)

    def _asked(self, arrays: Any, leaves: Any) -> Any:
        """The condition, and what it leaves of the state."""
        builder = self._builder
        with builder.within(leaves, self._slots):
            (go,) = builder.run(self._condition, self._with(arrays))
            self._condition_changes = not builder.is_unchanged(leaves, self._slots)
            return jnp.asarray(go), builder.leaves(self._slots)


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
