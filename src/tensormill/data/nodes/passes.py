"""Passes over datasets as users begin them.

Functions that draw random numbers begin their streams with such a pass, and go on with them
wherever elements come again in it (`repeat`) or from datasets that functions make (`flat_map`), as
in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Final

from ..functions import CompiledFunction
from .node import Element, Elements, Node
from .rewrites import USUAL, Rewrites, current, rewrites_of

Call = Callable[[Element], Element]


class RandomPass:
    """The streams of one pass."""

    def __init__(self, node: Node) -> None:
        self._several = _met_again(node)
        self._calls: dict[CompiledFunction, Call] = {}

    def call(self, node: Node, function: CompiledFunction, captured: Sequence[Any]) -> Call:
        """What calls a function of a node. A dataset that is there twice has streams for each."""
        if node in self._several:
            return function.bound(captured)
        if function not in self._calls:
            self._calls[function] = function.closed().bound(())
        call, rest = self._calls[function], tuple(captured)
        return lambda element: call((*element, *rest))


_current: ContextVar[RandomPass | None] = ContextVar("pass over a dataset", default=None)


def call_of(node: Node, function: CompiledFunction, captured: Sequence[Any]) -> Call:
    """What calls a function that a node has, in the pass that is under way."""
    whole = _current.get()
    if whole is None or not function.is_random:
        return function.bound(captured)
    return whole.call(node, function, captured)


class _Within:
    """The elements of a node, each computed within one pass."""

    def __init__(self, node: Node, rewrites: Rewrites) -> None:
        self._whole, self._rewrites = RandomPass(node), rewrites
        self._elements = self._in_it(node.iterate)

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        return self._in_it(self._elements.__next__)

    def _in_it(self, call: Callable[[], Any]) -> Any:
        tokens = _current.set(self._whole), current.set(self._rewrites)
        try:
            return call()
        finally:
            _current.reset(tokens[0])
            current.reset(tokens[1])


def whole_pass(node: Node) -> Elements:
    """A new pass over the elements, from outside."""
    nodes = [*_tree(node)]
    has_options = any(one.options is not None for one in nodes)
    rewrites = rewrites_of(node) if has_options else USUAL
    draws = any(function.draws for one in nodes for function in one.functions)
    return _Within(node, rewrites) if draws or rewrites != USUAL else node.iterate()


def _tree(node: Node) -> Iterator[Node]:
    waiting, met = [node], set[Node]()
    while waiting:
        one = waiting.pop()
        if one not in met:
            met.add(one)
            yield one
            waiting.extend(one.inputs)


def _met_again(node: Node) -> frozenset[Any]:
    """The nodes that are inputs more than once, and what is behind them."""
    met: Final = set[Node]()
    again: Final = set[Node]()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one in again:
            continue
        (again if one in met else met).add(one)
        waiting.extend(one.inputs)
    return frozenset(again)
