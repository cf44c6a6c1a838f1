"""What is behind the handle of an iterator."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np

from ..core.process.locks import AwaitedLock
from ..core.specs import ObjectSpec, TensorSpec
from ..eager.tensor import wrap, wrap_handle
from .failures import interrupted
from .nodes.batching import stack_arrays
from .nodes.buffering import Prefetched
from .nodes.node import Array, Element, Node, tensor
from .nodes.passes import whole_pass
from .nodes.sources import TensorsNode
from .positions import decoded, encoded, seeds_of
from .structure import blank_array


class Running:
    """One pass over a dataset, for any number of threads."""

    def __init__(self, node: Node) -> None:
        self.spec: Final = ObjectSpec("iterator", node.specs)
        # The variables that users' functions on the way may read or assign.
        self.storages: Final = node.storages
        self._node = node
        self._lock = AwaitedLock(is_short=False)  # users' functions run under it
        self._blanks: Element | None = None
        self._begin()

    def _begin(self) -> None:
        self._first_seeds = [seeds.state for seeds in seeds_of(self._node)]
        self._elements = whole_pass(self._node)
        self._ended = False
        self._failure: Exception | None = None  # of an element after those that were taken with it
        self._ahead = 1
        self._taken = 0

    def next(self) -> Element | None:
        """The next element; None from the end on."""
        with self._lock():
            if self._ended:
                return None
            try:
                element = next(self._elements, None)
            except Exception:
                raise
            except BaseException:
                if not isinstance(self._elements, Prefetched):  # which knows by itself
                    self._elements = interrupted()
                raise
            if element is None:
                self._ended = True
                self._elements = iter(())
            else:
                self._taken += 1
            return element

    def next_rows(self, most: int) -> Element:
        """How many elements come next, and they, stacked: at most so many, several only where
        nobody notices that they are taken together; none at the end.

        An element that failed is told when it is the first.
        """
        together = self._failure is None and self._node.is_ready()
        rows = self._taken_together(min(self._ahead, most)) if together else []
        if not rows and self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if not rows:
            element = self.next()
            rows = [] if element is None else [element]
        self._ahead = min(2 * self._ahead, most)
        columns = zip(*rows, strict=True) if rows else ([] for _ in self.spec.elements)
        stacked = [
            stack_arrays([one._array for one in column]) if column else no_rows(spec)
            for column, spec in zip(columns, self.spec.elements, strict=True)
        ]
        return (tensor(len(rows), np.int64), *map(wrap, stacked))

    def _taken_together(self, most: int) -> list[Element]:
        rows: list[Element] = []
        with self._lock():
            try:
                rows.extend(itertools.islice(self._elements, most))
            except Exception as error:
                self._failure = error  # what came before it is in the list
            except BaseException:
                self._elements = interrupted()
                raise
            self._taken += len(rows)
        return rows

    @property
    def position(self) -> Array:
        """How far this is, for a checkpoint."""
        with self._lock():
            return encoded(self._taken, self._first_seeds)

    @position.setter
    def position(self, numbers: Array) -> None:
        seeds = seeds_of(self._node)
        taken, states = decoded(numbers, seeds)
        with self._lock():
            for one, state in zip(seeds, states, strict=True):
                one.state = state
            self._begin()
        for _ in range(taken):
            self.next()

    @property
    def blanks(self) -> Element:
        """An element for where there is none."""
        if self._blanks is None:
            self._blanks = tuple(map(blank_component, self.spec.elements))
        return self._blanks


def no_rows(spec: Any) -> Array:
    """No elements of what `spec` describes, stacked."""
    return np.stack([blank_array(spec)])[:0]


def blank_component(spec: Any) -> Any:
    """Some eager tensor, or a handle of an empty dataset, that `spec` describes."""
    if isinstance(spec, TensorSpec):
        return wrap(blank_array(spec))
    empty: Any = TensorsNode(specs=getattr(spec, "elements", ()))
    return wrap_handle(empty)
