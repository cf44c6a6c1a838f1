"""`assert test, message` → `ag__.assert_stmt(test, lambda: message)`."""

from __future__ import annotations

import ast
import sys

from tensormill.autograph.template import Template, placed

from .walk import ExpressionWalk

ASSERT = Template("ag__.assert_stmt(test, *message)")


def convert(node: ast.Assert, walk: ExpressionWalk) -> ast.stmt:
    if sys.flags.optimize:  # python -O drops assertions, so do we
        return placed(ast.Pass(), node)
    test = walk.now(node.test)
    message = [walk.later(node.msg)] if node.msg else []
    return ASSERT.statement(node, test=test, message=message)
