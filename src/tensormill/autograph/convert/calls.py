"""`f(x)` → `ag__.converted(f)(x)`; `super()` → `super(__class__, self)`.

The call itself stays in the user's code: `locals()`, `breakpoint()` and warnings find the frame
that they expect.
"""

from __future__ import annotations

import ast

from ..template import Template
from .context import RUNTIME
from .walk import ExpressionWalk

CONVERTED = Template("ag__.converted(function)")
SUPER = Template("super(__class__, first)")


def convert_call(node: ast.Call, walk: ExpressionWalk) -> ast.expr:
    if _is_runtime(node.func):
        return walk.inside(node)
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return _super(node, walk)
    _start_at_method(node)
    walk.inside(node)
    node.func = CONVERTED.expression(node.func, function=node.func)
    return node


def _start_at_method(node: ast.Call) -> None:
    """Python reports a call `object.method(…)` over several lines where the method's name is."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.end_lineno is None:
        return
    if function.end_lineno != node.lineno:
        node.lineno = function.end_lineno
        node.col_offset = (function.end_col_offset or 0) - len(function.attr)


def _super(node: ast.Call, walk: ExpressionWalk) -> ast.expr:
    if node.args or walk.first_parameter is None:
        return walk.inside(node)
    return SUPER.expression(node, first=walk.first_parameter)


def _is_runtime(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == RUNTIME
    )
