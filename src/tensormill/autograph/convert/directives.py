"""`set_loop_options(…)` at the start of a loop: taken out, kept for the loop's converter.

    for i in tf.range(n):                          ag__.for_stmt(
        tf.autograph.experimental                      …,
            .set_loop_options(maximum_iterations=3)    options=lambda: ag__.loop_options(
        x = …                                              maximum_iterations=3))

The call names variables by their values (`shape_invariants=[(x, shape)]`), so it is evaluated
once, before the loop. Anywhere else in converted code, calling it is an error.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement
from ..template import placed
from .context import ConvertedFunction


def convert_directives(function: ConvertedFunction) -> None:
    for statement in every_statement(function.body):
        if isinstance(statement, ast.For | ast.While):
            _take_options(statement, function)


def _take_options(loop: ast.For | ast.While, function: ConvertedFunction) -> None:
    match loop.body[0]:
        case ast.Expr(ast.Call() as call) as line if _is_directive(call):
            function.conversion.loop_options[loop] = call
            loop.body = loop.body[1:] or [placed(ast.Pass(), line)]


def _is_directive(call: ast.Call) -> bool:
    match call.func:
        case ast.Name("set_loop_options") | ast.Attribute(_, "set_loop_options"):
            return True
        case _:
            return False
