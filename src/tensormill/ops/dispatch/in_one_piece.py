"""Functions of many operations as single ones, where these run in native code.

A slice of a sparse tensor is a dozen operations, a sum twenty; each takes longest to begin. Of many
elements each goes through memory. Eager execution runs all of them in one go: the operation that
TensorFlow's files have for it is compiled.
"""

from __future__ import annotations

from typing import Any

from ...core import context
from ..op import Op


def in_one_piece(op: type[Op], *operands: Any, **attrs: Any) -> Any:
    """The results of an operation that says what the calling function does.

    None where its parts are applied one by one: in traces, where somebody records or watches them,
    for few elements, and where they fail, which they tell better.
    """
    here = context.top()
    together = getattr(here.interpreter, "together", None)
    if together is None or here.recorders or here.observers:
        return None
    return together(op, operands, attrs)
