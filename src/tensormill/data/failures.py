"""Elements that could not be computed, and generators that go on after them.

A generator ends with what is raised in it, and whoever goes on would take that for the end of the
elements. So what generators of nodes go through tells failures instead of raising them
(`elements_or_failures`, `result_or_failure`), they pass these on, and
`continuing_after_failures` raises them outside of the generator.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterator
from typing import Any, Final, Generic, TypeVar, final

from ..errors import FailedPreconditionError
from .nodes.node import Element, Elements, Node

Self = TypeVar("Self")


@final
class ElementFailure:
    """Why there is no element."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error: Final = error


Given = TypeVar("Given")
Items = Iterator[Element | ElementFailure]


def result_or_failure(call: Callable[..., Any], *operands: Any) -> Any:
    """What the call gives, or its failure."""
    try:
        return call(*operands)
    except Exception as error:
        return ElementFailure(error)


@final
class _Caught(Generic[Given]):
    def __init__(self, elements: Iterator[Given]) -> None:
        self._elements = elements

    def __iter__(self) -> Iterator[Given | ElementFailure]:
        return self

    def __next__(self) -> Given | ElementFailure:
        try:
            return next(self._elements)
        except StopIteration:
            raise
        except Exception as error:
            return ElementFailure(error)


def elements_or_failures(elements: Iterator[Given]) -> Iterator[Given | ElementFailure]:
    """The elements, and failures for those that are none."""
    return _Caught(elements)


def first_of(
    items: Items, count: int, with_failures: bool = False
) -> Generator[Element | ElementFailure, None, bool]:
    """As many elements, and the failures before them, which count as well if `with_failures`;
    whether there were as many.
    """
    while count and (item := next(items, None)) is not None:
        count -= with_failures or not isinstance(item, ElementFailure)
        yield item
    return not count


def continuing_after_failures(iterate: Callable[[Self], Items]) -> Callable[[Self], Elements]:
    """Make a node's `iterate` of a generator of elements and failures."""

    @functools.wraps(iterate)
    def begun(node: Self) -> Elements:
        return raising(iterate(node))

    return begun


def over_inputs(iterate: Callable[..., Items]) -> Callable[[Any], Elements]:
    """Make a node's `iterate` of a generator that is given the items of each of its inputs.

    Their iterators begin when its own does, as in TensorFlow, and not with the first element: of
    two iterators over a shuffled dataset, the one that is made first has the first order.
    """

    @functools.wraps(iterate)
    def begun(node: Node) -> Elements:
        return raising(iterate(node, *[elements_or_failures(one.iterate()) for one in node.inputs]))

    return begun


def raising(items: Items) -> Elements:
    """The elements among items; failures are raised, and the next element is that after them."""
    return _Raised(items)


@final
class _Raised:
    """The elements among items; failures are raised."""

    def __init__(self, items: Items) -> None:
        self._items = items

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        item = next(self._items)
        if not isinstance(item, ElementFailure):
            return item
        try:
            raise item.error
        finally:
            del item  # no cycle of the error and its frames


# ---- passes that an interrupt ended


class InterruptedPassError(FailedPreconditionError):
    """An interrupt came while an element was computed, of which nobody knows how far it is."""


def _refuse() -> Element:
    raise InterruptedPassError(
        "This pass over the dataset was interrupted (KeyboardInterrupt, for instance) while it "
        "computed an element, and cannot go on: make a new iterator."
    )


def interrupted() -> Elements:
    """What is left of such a pass."""
    return iter(_refuse, None)  # pyright: ignore[reportArgumentType]
