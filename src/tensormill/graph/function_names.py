"""What the functions of branches and loops are called where a graph is shown to others.

`s/cond`, the third operation that computes, has the functions `s_cond_true_2` and `s_cond_false_2`;
`while` has `while_cond_4` and `while_body_4`. A graph that is traced again has the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from . import ir

ROLES: Final = {
    "then_branch": "true",
    "else_branch": "false",
    "branches": "branch",
    "cond": "cond",
    "body": "body",
}


def function_names(
    operation: str, attribute: str, value: Any, position: int
) -> dict[ir.Graph, str]:
    """The functions among the values of an attribute, and what they are called.

    `operation` is at `position` in its graph, where placeholders do not count. Functions of a list
    are numbered.
    """
    if attribute not in ROLES:
        return {}
    start = f"{operation.replace('/', '_')}_{ROLES[attribute]}"
    if isinstance(value, ir.Graph):
        return {value: f"{start}_{position}"}
    listed = cast(Sequence[Any], value) if isinstance(value, (list, tuple)) else ()
    return {
        graph: f"{start}{index}_{position}"
        for index, graph in enumerate(listed)
        if isinstance(graph, ir.Graph)
    }
