"""`raise error from cause` → `raise ag__.raised(error) from cause`.

So the runtime can tell what the user raised from what failed. `raise` alone stays: whose exception
it raises again has been noted before.
"""

from __future__ import annotations

import ast

from tensormill.autograph.template import Template

from .walk import ExpressionWalk

RAISED = Template("ag__.raised(error)")


def convert(node: ast.Raise, walk: ExpressionWalk) -> ast.Raise:
    walk.inside(node)
    if node.exc is not None:
        node.exc = RAISED.expression(node.exc, error=node.exc)
    return node
