"""`while` and `for`: the body becomes a function, and so does the test.

    while i < n:                     def while_body():
        i += 1                           nonlocal i
                                         i += 1
                                     ag__.while_stmt(lambda: i < n, while_body, state=lambda: (i,))

    for x in xs:                     def for_body(item_):
        s += x                           nonlocal s
                                         x = item_
                                         s += x
                                     ag__.for_stmt(xs, for_body, state=lambda: (s,))

By now no loop has an `else`, a `break` or a `continue`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..template import Template, placed
from .facts import BoundVariables, add_facts

if TYPE_CHECKING:
    from .structure import Structure

WHILE = Template("ag__.while_stmt(test, body)")
FOR = Template("ag__.for_stmt(iterable, body)")
SET_TARGET = Template("target = item")
NOT_FLAG = Template("not flag")
OPTIONS = Template("ag__.loop_options()")


def convert_loop(node: ast.While | ast.For, structure: Structure) -> list[ast.stmt]:
    # The loop as one block: its test, or the binding of its target, happens in each iteration.
    effects = structure.effects.of_block([node])
    variables = structure.variables(effects, node)
    if isinstance(node, ast.While):
        body, call = _while(node, structure, variables)
    else:
        body, call = _for(node, structure, variables)
    _add_options(call, node, structure)
    is_handled = structure.liveness.is_handled(node)
    add_facts(call, structure.function, variables, effects, body, is_handled)
    return [body, call]


def _while(
    node: ast.While, structure: Structure, variables: BoundVariables
) -> tuple[ast.FunctionDef, ast.stmt]:
    name = structure.conversion.bodies["while_body"]
    body = structure.body("while_body", node.body, variables, node)
    test = structure.conversion.lazily(node.test)
    return body, WHILE.statement(node, test=test, body=name)


def _for(
    node: ast.For, structure: Structure, variables: BoundVariables
) -> tuple[ast.FunctionDef, ast.stmt]:
    name, item = structure.conversion.bodies["for_body"], structure.conversion.bodies["item_"]
    target = SET_TARGET.statement(node.target, target=node.target, item=item)
    body = structure.body("for_body", [target, *node.body], variables, node, item)
    call = FOR.statement(node, iterable=node.iter, body=name)
    if flag := structure.conversion.stops.get(node):
        test = structure.conversion.lazily(NOT_FLAG.expression(node, flag=flag))
        _add_keyword(call, "test", test)
    return body, call


def _add_options(call: ast.stmt, node: ast.stmt, structure: Structure) -> None:
    directive = structure.conversion.loop_options.get(node)
    if directive is None:
        return
    options = OPTIONS.expression(directive)
    assert isinstance(options, ast.Call)
    options.args, options.keywords = directive.args, directive.keywords
    _add_keyword(call, "options", structure.conversion.lazily(options))


def _add_keyword(statement: ast.stmt, name: str, value: ast.expr) -> None:
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    statement.value.keywords.append(placed(ast.keyword(name, value), statement))
