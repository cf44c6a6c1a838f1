"""Functions of many operations as single ones, where these run in native code.

A slice of a sparse tensor is a dozen operations, a sum twenty; each takes longest to begin. Of many
elements each goes through memory. Eager execution runs all of them in one go: the operation that
TensorFlow's files have for it is compiled.
"""

from __future__ import annotations

from typing import Any

from ...core import context
from ..op import Op


def may_be_one_piece(op: type[Op], *operands: Any) -> bool:
    """Whether `in_one_piece` is worth its other operands: these, which are large if any are, have
    as many elements as that takes, and nobody records or watches what happens.
    """
    least = op.native_from
    if least is None or _together() is None:
        return False
    return sum([one.shape.num_elements() or 0 for one in operands]) >= least


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
