"""`assert` and `raise`.

    assert test, message        ag__.assert_stmt(test, lambda: message)
    raise error from cause      raise ag__.raised(error) from cause

So the runtime can tell what the user raised from what failed. `raise` alone stays: whose exception
it raises again has been noted before.
"""

from __future__ import annotations

import ast
import sys

from ..template import Template, placed
from .walk import ExpressionWalk

ASSERT = Template("ag__.assert_stmt(test, *message)")
RAISED = Template("ag__.raised(error)")


def convert_assert(node: ast.Assert, walk: ExpressionWalk) -> ast.stmt:
    if sys.flags.optimize:  # python -O drops assertions, so do we
        return placed(ast.Pass(), node)
    test = walk.now(node.test)
    message = [walk.later(node.msg)] if node.msg else []
    return ASSERT.statement(node, test=test, message=message)


def convert_raise(node: ast.Raise, walk: ExpressionWalk) -> ast.Raise:
    walk.inside(node)
    if node.exc is not None:
        node.exc = RAISED.expression(node.exc, error=node.exc)
    return node
