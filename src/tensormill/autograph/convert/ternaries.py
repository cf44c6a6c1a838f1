"""`a if test else b` → `ag__.if_exp(test, lambda: a, lambda: b, 'test')`."""

from __future__ import annotations

import ast

from ..template import Template, placed
from .walk import ExpressionWalk
from .walrus import add_bound, bound_in

IF_EXPRESSION = Template("ag__.if_exp(test, main, orelse, text)")


def convert_ternary(node: ast.IfExp, walk: ExpressionWalk) -> ast.expr:
    # Error messages call the result by its condition.
    text = placed(ast.Constant(ast.unparse(node.test)), node)
    bound = bound_in([node.body, node.orelse], walk)
    call = IF_EXPRESSION.expression(
        node,
        test=walk.now(node.test),
        main=walk.later(node.body),
        orelse=walk.later(node.orelse),
        text=text,
    )
    return add_bound(call, bound, walk)
