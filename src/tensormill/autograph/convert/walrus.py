"""`(y := v)` where the runtime evaluates it later → `ag__.assign(lambda: y, v)`.

In a lambda, `:=` would bind a variable of the lambda. The runtime stores into the cell instead.
"""

from __future__ import annotations

import ast

from ..template import Template, placed
from .walk import ExpressionWalk

ASSIGN = Template("ag__.assign(variable, value)")


def convert_walrus(node: ast.NamedExpr, walk: ExpressionWalk) -> ast.expr:
    value = walk.now(node.value)
    if not walk.postponed:
        node.value = value
        return node
    name = placed(ast.Name(node.target.id, ast.Load()), node)
    return ASSIGN.expression(node, variable=walk.conversion.lazily(name), value=value)


def bound_in(expressions: list[ast.expr], walk: ExpressionWalk) -> list[str]:
    """The variables of the function that `:=` in these binds, if the runtime evaluates them."""
    found: dict[str, None] = {}
    pending: list[ast.AST] = [*expressions]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.NamedExpr) and node.target.id in walk.variables:
            found[node.target.id] = None
        if not isinstance(node, ast.Lambda):
            pending += ast.iter_child_nodes(node)
    return list(found)


def add_bound(call: ast.expr, names: list[str], walk: ExpressionWalk) -> ast.expr:
    """The call, told which variables its operands bind."""
    assert isinstance(call, ast.Call)
    if names:
        loads: list[ast.expr] = [placed(ast.Name(name, ast.Load()), call) for name in names]
        cells = walk.conversion.lazily(placed(ast.Tuple(loads, ast.Load()), call))
        call.keywords.append(placed(ast.keyword("bound", cells), call))
    return call
