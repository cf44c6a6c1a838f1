"""`continue`: the rest of the loop's body is skipped.

    for x in xs:                     for x in xs:
        if c:                            if c:
            continue                         pass
        rest                             else:
                                             rest

Where the `if` continues on some ways only, a flag says whether the rest is skipped.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement
from ..analysis.jumps import holds_jump
from .context import ConvertedFunction
from .guards import LoopJump, set_flag, without_flag


def convert_continues(function: ConvertedFunction) -> None:
    for statement in list(every_statement(function.body)):
        if isinstance(statement, ast.For | ast.While) and holds_jump(ast.Continue, statement.body):
            _convert_loop(statement, function)


def _convert_loop(loop: ast.For | ast.While, function: ConvertedFunction) -> None:
    jump = LoopJump(ast.Continue, function.flag("continue_"))
    body = jump.lower(loop.body)
    if jump.asked:
        loop.body = [set_flag(loop, jump.flag, False), *body]
    else:
        loop.body = without_flag(body, jump.flag)
        function.scope.owned.discard(jump.flag)
