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
import copy
from typing import TYPE_CHECKING

from ..analysis.activity import (
    every_statement,
    expression_activity,
    inner_blocks,
)
from ..template import Template, placed
from .context import ConvertedFunction
from .facts import add_facts

if TYPE_CHECKING:
    from .structure import Structure

IF = Template("ag__.if_stmt(test, *branches)")


def convert_branch(node: ast.If, structure: Structure) -> list[ast.stmt]:
    effects = structure.effects.of_block(node.body, node.orelse)
    variables = structure.variables(effects, node)
    bodies = [structure.body("if_body", node.body, variables, node)]
    if node.orelse:
        bodies.append(structure.body("else_body", node.orelse, variables, node))
    branches = [placed(ast.Name(body.name, ast.Load()), node) for body in bodies]
    call = IF.statement(node, test=node.test, branches=branches)
    add_facts(call, structure.function, variables, effects, bodies[0])
    return [*bodies, call]


# ---- expressions that stand as statements


def convert_choice_statements(function: ConvertedFunction) -> None:
    """Expressions that only matter for what they do become `if` statements.

        a() if c else b()                if c:
                                             a()
                                         else:
                                             b()

        c and a()                        if c:
                                             a()

    So do those that are assigned or returned, and change a list: `x = q.pop() if c else 0`. There,
    what a branch changes in place can be told.
    """
    if not any(_is_choice(one) for one in every_statement(function.body)):
        return
    function.body = [_converted(statement) for statement in function.body]


def _is_choice(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.IfExp() | ast.BoolOp()):
            return True
        case ast.Assign(_, ast.IfExp() as choice) | ast.Return(ast.IfExp() as choice):
            return bool(expression_activity(choice.body, choice.orelse).mutations)
        case _:
            return False


def _converted(statement: ast.stmt) -> ast.stmt:
    match statement:
        case ast.Expr(ast.IfExp(test, body, orelse)):
            return _choice(statement, test, [body], [orelse])
        case ast.Expr(ast.BoolOp(ast.And(), [*tests, body])):
            return _choice(statement, _joined(ast.And(), tests), [body], [])
        case ast.Expr(ast.BoolOp(ast.Or(), [*tests, orelse])):
            test = placed(ast.UnaryOp(ast.Not(), _joined(ast.Or(), tests)), statement)
            return _choice(statement, test, [orelse], [])
        case ast.Assign() | ast.Return() if _is_choice(statement):
            assert isinstance(statement.value, ast.IfExp)
            test, body, orelse = statement.value.test, statement.value.body, statement.value.orelse
            blocks = [[_converted(_with_value(statement, one))] for one in (body, orelse)]
            return placed(ast.If(test, *blocks), statement)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return statement  # on its own
        case _:
            for block in list(inner_blocks(statement)):
                block[:] = [_converted(inner) for inner in block]
            return statement


def _with_value(statement: ast.Assign | ast.Return, value: ast.expr) -> ast.stmt:
    if isinstance(statement, ast.Return):
        return placed(ast.Return(value), value)
    return placed(ast.Assign(copy.deepcopy(statement.targets), value), value)


def _joined(operator: ast.boolop, tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else placed(ast.BoolOp(operator, tests), tests[0])


def _choice(at: ast.stmt, test: ast.expr, body: list[ast.expr], orelse: list[ast.expr]) -> ast.stmt:
    blocks = [
        [_converted(placed(ast.Expr(one), one)) for one in branch] for branch in (body, orelse)
    ]
    return placed(ast.If(test, *blocks), at)
