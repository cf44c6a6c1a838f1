"""Comprehensions over tensors.

Where Python can know the items, the result is what it is in Python: a list, or a generator. Where
their number is known only when the graph runs, it is a list that grows there; a generator is the
tensor of all elements, since whoever asks for it goes through it once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...core import tree
from ...errors import OperatorNotAllowedInGraphError
from . import logic, tensor_ranges, tensor_rows, tensors
from .iterators import gone_through
from .staged.iteration import stream_of
from .staged.sequences import StagedSequence, staged_rows

# (items, whether all of them are wanted) -> the elements
Elements = Callable[[Iterable[Any], bool], Any]
Conditions = Callable[[Iterable[Any]], list[tuple[Any, ...]]]


def comprehension(
    iterable: Any, text: str, elements: Elements, conditions: Conditions | None = None
) -> Any:
    """The value of the comprehension `text` over `iterable`."""
    rows = staged_rows(iterable)
    if rows is None:
        if stream_of(iterable) is not None:
            raise OperatorNotAllowedInGraphError(
                f"`{text}` runs over a dataset, whose elements are known only when the graph "
                "runs: use dataset.map(…), dataset.filter(…) or a `for` statement"
            )
        return elements(iterable, False)
    if not isinstance(rows.length(), int):
        return _stacked(rows, text, elements, conditions)
    items = list(rows)
    if conditions is None or not _any_staged(conditions(items)):
        return elements(items, False)
    return _stacked(rows, text, elements, conditions)


def items_of(iterable: Any) -> Any:
    """What Python goes through in a comprehension: of a tensor, its rows."""
    rows = staged_rows(iterable)
    return gone_through(iterable) if rows is None else rows


def _any_staged(decisions: list[tuple[Any, ...]]) -> bool:
    return any(tensors.is_staged(one) for each in decisions for one in each)


def item_test(test: Any, text: str) -> Any:
    """An `if` of a comprehension whose items are Python's."""
    test = tensors.in_python(tensors.as_condition(test))
    if tensors.is_staged(test):
        raise OperatorNotAllowedInGraphError(
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: an `if` of "
            f"`{text}` depends on a tensor, so how many elements there are is known only when the "
            "graph runs. Run over a tensor instead: tf.stack(items), or use tf.boolean_mask"
        )
    return test


def _stacked(
    rows: StagedSequence, text: str, elements: Elements, conditions: Conditions | None
) -> Any:
    indices = tensor_ranges.make_range(rows.length())
    if conditions is not None:
        indices = tensor_rows.selected(
            indices, lambda index: _is_wanted(conditions, rows.item(index))
        )
    values = tensor_rows.mapped(lambda index: _element(elements, rows.item(index), text), indices)
    return tensor_rows.listed(values) if text.startswith("[") else values


def _is_wanted(conditions: Conditions, item: Any) -> Any:
    (decisions,) = conditions([item])
    wanted: Any = True
    for decision in decisions:
        wanted = logic.both(logic.truth(tensors.as_tensor(decision), "an `if`"), wanted)
    return wanted


def _element(elements: Elements, item: Any, text: str) -> Any:
    (element,) = elements([item], True)
    if tensors.is_staged_list(element):
        return element.stacked()
    leaves = tree.flatten(element)
    if not leaves or not all(map(tensors.may_be_tensor, leaves)):
        raise TypeError(
            f"`{text}` runs in the graph, since how many elements it has is known only then: each "
            f"has to be made of tensors, got {element!r}"
        )
    return element
