"""Chains: `a < b <= c` → `ag__.compared(a, '<', lambda: b, '<=', lambda: c)`.

A single comparison stays, since tensors have operators of their own, but for membership:
`a in b` → `ag__.contains(a, b)`, `a not in b` → `ag__.not_in(a, b)`.
"""

from __future__ import annotations

import ast

from ..template import Template, placed
from .walk import ExpressionWalk

CHAIN = Template("ag__.compared(left, *links)")

MEMBERSHIP: dict[type[ast.cmpop], Template] = {
    ast.In: Template("ag__.contains(item, container)"),
    ast.NotIn: Template("ag__.not_in(item, container)"),
}
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def convert_comparison(node: ast.Compare, walk: ExpressionWalk) -> ast.expr:
    if len(node.ops) == 1:
        return _single(walk.inside(node))
    left = walk.now(node.left)
    links: list[ast.expr] = []
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        sign = placed(ast.Constant(SIGNS[type(operator)]), operand)
        links += [sign, walk.later(operand)]
    return CHAIN.expression(node, left=left, links=links)


def _single(node: ast.Compare) -> ast.expr:
    template = MEMBERSHIP.get(type(node.ops[0]))
    if template is None:
        return node
    return template.expression(node, item=node.left, container=node.comparators[0])
