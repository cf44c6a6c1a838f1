"""Which `tf.compat.v1.variable_scope` is entered: what is made for a variable is called by it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from .default_graph import root_graph

# Graphs and the scopes that were entered in them, the innermost last.
entered: Final[ContextVar[tuple[tuple[Any, Any], ...]]] = ContextVar(
    "tensormill variable scopes", default=()
)


def within_scope(name: str) -> str:
    """The name of a slot or an average, which the scope that is entered begins.

    So it stands twice before those of variables that were made in it, as TensorFlow has it:
    `layer/layer/w/Momentum`. Checkpoints know them by these names.
    """
    graph = root_graph()
    for owner, scope in reversed(entered.get()):
        if owner is graph:
            return f"{scope.name}/{name}" if scope.name else name
    return name
