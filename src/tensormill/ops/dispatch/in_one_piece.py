"""Functions of many operations as single ones, where these run in native code.

A slice of a sparse tensor is a dozen operations, a sum twenty; each takes longest to begin. Of many
elements each goes through memory. Eager execution runs all of them in one go: the operation that
TensorFlow's files have for it is compiled.
"""

from __future__ import annotations

from typing import Any

from ...core import context
from ..op import Op


def may_be_one_piece() -> bool:
    """Whether operations run at once, and nobody records or watches them."""
    return _together() is not None


def _together() -> Any:
    here = context.top()
    is_told = here.recorders or here.observers
    return None if is_told else getattr(here.interpreter, "together", None)


def in_one_piece(op: type[Op], *operands: Any, **attrs: Any) -> Any:
    """The results of an operation that says what the calling function does.

    None where its parts are applied one by one: in traces, where somebody records or watches them,
    for few elements, and where they fail, which they tell better.
    """
    together = _together()
    return None if together is None else together(op, operands, attrs)
