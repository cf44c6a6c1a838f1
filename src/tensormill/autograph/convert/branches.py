"""`if`: both branches become functions.

    if x > 0:                        def if_body():
        y = 1                            nonlocal y
    else:                                y = 1
        y = 2                        def else_body():
                                         nonlocal y
                                         y = 2
                                     ag__.if_stmt(x > 0, if_body, else_body, state=lambda: (y,))

Without an `else`, there is no `else_body`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tensormill.autograph.template import Template, placed

from .facts import add_facts

if TYPE_CHECKING:
    from .structure import Structure

IF = Template("ag__.if_stmt(test, *branches)")


def convert(node: ast.If, structure: Structure) -> list[ast.stmt]:
    effects = structure.effects.of_block(node.body, node.orelse)
    variables = structure.variables(effects, node)
    bodies = [structure.body("if_body", node.body, variables, node)]
    if node.orelse:
        bodies.append(structure.body("else_body", node.orelse, variables, node))
    branches = [placed(ast.Name(body.name, ast.Load()), node) for body in bodies]
    call = IF.statement(node, test=node.test, branches=branches)
    add_facts(call, structure, variables, effects, bodies[0])
    return [*bodies, call]
