"""`a and b` → `ag__.and_(a, lambda: b)`, `or` alike; `not a` → `ag__.not_(a)`.

With a `:=` in `b` that binds `y`: `ag__.and_(a, lambda: b, bound=lambda: (y,))`.
"""

from __future__ import annotations

import ast

from ..template import Template
from .walk import ExpressionWalk
from .walrus import add_bound, bound_in

AND = Template("ag__.and_(first, *rest)")
OR = Template("ag__.or_(first, *rest)")
NOT = Template("ag__.not_(operand)")


def convert_boolean(node: ast.BoolOp, walk: ExpressionWalk) -> ast.expr:
    template = AND if isinstance(node.op, ast.And) else OR
    first, *rest = node.values
    first = walk.now(first)
    bound = bound_in(rest, walk)
    call = template.expression(node, first=first, rest=[walk.later(value) for value in rest])
    return add_bound(call, bound, walk)


def convert_not(node: ast.UnaryOp, walk: ExpressionWalk) -> ast.expr:
    walk.inside(node)
    return NOT.expression(node, operand=node.operand) if isinstance(node.op, ast.Not) else node
