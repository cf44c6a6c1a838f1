"""Type annotations as questions: does a value fit, and is it a composite that makes it fit?"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, Final

import numpy as np

from ...core.tree import Composite
from ...core.values import TensorLike


class Fit(IntEnum):
    """How a value fits an annotation."""

    NOT = 0
    AS_IT_IS = 1
    AS_COMPOSITE = 2  # what it is asks for a meaning of its own


Question = Callable[[Any], Fit]

# What `tf.types.experimental.TensorLike` means: what can be converted to a tensor.
VALUES: Final = (TensorLike, np.ndarray, np.generic, bool, int, float, complex, str, bytes)


def question(annotation: Any) -> Question:
    """The question that an annotation asks.

    Raises:
        ValueError: it is no class, and neither `List[...]` nor `Union[...]` of such.
    """
    if annotation is None:
        annotation = type(None)
    if annotation is Any:
        return lambda value: Fit.AS_IT_IS
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _one_of([question(one) for one in inner])
    if origin is list and inner:
        return _list_of(question(inner[0]))
    if origin is None and annotation is TensorLike:
        return _can_be_tensor
    if origin is None and isinstance(annotation, type):
        return _of_class(annotation)
    raise ValueError(
        f"the type annotation {annotation!r} is not supported by dispatch: it is none of classes, "
        "List[...] and Union[...]"
    )


def _of_class(cls: type) -> Question:
    fitting = Fit.AS_COMPOSITE if issubclass(cls, Composite) else Fit.AS_IT_IS
    return lambda value: fitting if isinstance(value, cls) else Fit.NOT


def _one_of(questions: list[Question]) -> Question:
    return lambda value: max(ask(value) for ask in questions)


def _list_of(ask: Question) -> Question:
    def of_items(value: Any) -> Fit:
        return all_of(map(ask, value)) if isinstance(value, (list, tuple)) else Fit.NOT

    return of_items


def _can_be_tensor(value: Any) -> Fit:
    if isinstance(value, (list, tuple)):
        return all_of(map(_can_be_tensor, value))
    return Fit.AS_IT_IS if isinstance(value, VALUES) else Fit.NOT


def all_of(fits: Iterable[Fit]) -> Fit:
    """How values fit together: not at all where one does not."""
    found = [Fit.AS_IT_IS, *fits]
    return Fit.NOT if Fit.NOT in found else max(found)
