"""`(y := v)` where the runtime evaluates it later → `ag__.assign(lambda: y, v)`.

In a lambda, `:=` would bind a variable of the lambda. The runtime stores into the cell instead.
"""

from __future__ import annotations

import ast

from tensormill.autograph.template import Template, placed

from .walk import Walk

ASSIGN = Template("ag__.assign(variable, value)")


def convert(node: ast.NamedExpr, walk: Walk) -> ast.expr:
    value = walk.now(node.value)
    if not walk.postponed:
        node.value = value
        return node
    name = placed(ast.Name(node.target.id, ast.Load()), node)
    return ASSIGN.expression(node, variable=walk.conversion.lazily(name), value=value)
