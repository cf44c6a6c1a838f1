"""Whole passes over datasets: reductions, single elements, counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ..core import dtypes, tree
from ..core.specs import TensorSpec
from ..errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from . import structure
from .functions import CompiledFunction, ElementFunction
from .nodes.node import INFINITE, Element, Node, tensor
from .nodes.passes import whole_pass

COUNT: Final = (TensorSpec((), dtypes.int64),)
# How often shapes of a state are made wider before they are given up.
ATTEMPTS: Final = 10


def cardinality(node: Node) -> Element:
    """The number of elements."""
    return (tensor(node.cardinality(), np.int64),)


def batch_size(node: Node) -> Element:
    """How many rows elements have, the last one excepted."""
    return (tensor(node.batch_size(), np.int64),)


def single_element(node: Node) -> Element:
    """The only element."""
    elements = whole_pass(node)
    element = next(elements, None)
    if element is None:
        raise InvalidArgumentError("Dataset was empty.")
    if next(elements, None) is not None:
        raise InvalidArgumentError("Dataset had more than one element.")
    return element


def element_at(node: Node, index: Any) -> Element:
    """Element number `index`."""
    place, count = int(index), node.cardinality()
    if count == INFINITE:
        raise FailedPreconditionError("`at`: there are infinitely many elements")
    numbers, table = node.numbers(), node.rows()
    if place >= 0 and numbers is not None and table is not None:
        element = table.row(numbers[place]) if place < len(numbers) else None
    else:
        element = next(itertools.islice(whole_pass(node), max(place, 0), None), None)
    if element is None or place < 0:
        raise OutOfRangeError(f"`at`: there is no element {place}, of {count}")
    return element


def reduced(node: Node, *operands: Any, states: int, function: CompiledFunction) -> Element:
    """The last state."""
    call = function.bound(operands[states:])
    state: Element = operands[:states]
    for element in whole_pass(node):
        state = call((*state, *element))
    return state


def reduce(dataset: Any, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
    """`Dataset.reduce`."""
    start = structure.normalized(initial_state)

    function, spec = of_state(
        reduce_func, "Dataset.reduce", dataset.element_spec, structure.spec_of(start), _itself
    )
    parts = structure.components_of(start, spec)
    use = partial(reduced, states=len(parts), function=function)
    operands = (*parts, *function.captured)
    found = dataset._use("reduce", use, operands, structure.flat_specs(spec))
    return structure.packer(spec)(tuple(found))


def _itself(state: Any) -> Any:
    return state


def scan_parts(
    element_spec: Any, initial_state: Any, scan_func: Callable[..., Any]
) -> tuple[ElementFunction, Sequence[Any], Any]:
    """The function of `Dataset.scan`, the components of the first state, the outputs' spec.

    Raises:
        TypeError: the function does not return a pair.
    """
    start = structure.normalized(initial_state)

    def state_of(output: Any) -> Any:
        if not isinstance(output, tuple) or len(output) != 2:
            raise TypeError(
                "The scan function must return a pair comprising the new state and "
                f"the output value, got {output!r}"
            )
        return output[0]

    function, spec = of_state(
        scan_func, "Dataset.scan", element_spec, structure.spec_of(start), state_of
    )
    return function, structure.components_of(start, spec), function.output_spec[1]


def of_state(
    call: Callable[..., Any],
    what: str,
    element_spec: Any,
    state_spec: Any,
    state_of: Callable[[Any], Any],
) -> tuple[ElementFunction, Any]:
    """A function of a state and an element, traced on states of all shapes that it makes.

    Raises:
        TypeError: the new state is built otherwise, or has other dtypes.
    """
    for _ in range(ATTEMPTS):
        function = ElementFunction(call, what, state_spec, element_spec, unpack=False)
        later = state_of(function.output_spec)
        _check(what, state_spec, later)
        wider = structure.relaxed(state_spec, later)
        if wider == state_spec:
            return function, state_spec
        state_spec = wider
    raise InvalidArgumentError(f"{what}: the shapes of the state never settle: {state_spec}")


def _check(what: str, before: Any, after: Any) -> None:
    dtypes = [[one.dtype for one in structure.flat_specs(state)] for state in (before, after)]
    if tree.difference(before, after) or dtypes[0] != dtypes[1]:
        raise TypeError(
            f"{what}: the new state must match the initial one, {before}, but is {after}"
        )
