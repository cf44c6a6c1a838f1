"""A `finally` that ends in `return`, `break` or `continue`: then what was raised is forgotten.

    try:                             error_ = None
        a()                          try:
    finally:                             a()
        if c:                        except BaseException as caught_:
            return x                     error_ = caught_
                                     if c:
                                         return x
                                     if error_ is not None:
                                         raise error_

What is behind `finally` has to run after a jump out of the `try`, too, so there are none here: the
fence has refused such a function.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement, inner_blocks
from ..analysis.jumps import holds_any_jump
from ..template import Template, placed
from .context import ConvertedFunction
from .guards import Block

MOVED = Template("""
error_name = None
try:
    body
except BaseException as caught_name:
    error_name = caught_name
last
if error_name is not None:
    raise error_name
""")


def convert_finally_blocks(function: ConvertedFunction) -> None:
    if any(_jumps_at_last(one) for one in every_statement(function.body)):
        function.body = _block(function.body, function)


def _jumps_at_last(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Try) and holds_any_jump(statement.finalbody)


def _block(block: Block, function: ConvertedFunction) -> Block:
    done: Block = []
    for statement in block:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for inner in list(inner_blocks(statement)):
                inner[:] = _block(inner, function)
        if isinstance(statement, ast.Try) and holds_any_jump(statement.finalbody):
            done += _moved(statement, function)
        else:
            done.append(statement)
    return done


def _moved(statement: ast.Try, function: ConvertedFunction) -> Block:
    last, body = statement.finalbody, statement.body
    if statement.handlers:
        body = [placed(ast.Try(body, statement.handlers, statement.orelse, []), statement)]
    names = {name: function.flag(name) for name in ("error_", "caught_")}
    return MOVED.statements(
        statement, body=body, last=last, error_name=names["error_"], caught_name=names["caught_"]
    )
