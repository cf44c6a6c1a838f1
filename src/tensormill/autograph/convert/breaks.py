"""`break`, and the `else` of a loop.

    while test:                      break_ = False
        if c:                        while not break_ and test:
            break                        if c:
        rest                                 break_ = True
    else:                                else:
        no_break                             rest
                                     if not break_:
                                         no_break

A `for` has no test: its flag goes into the side table `stops`, and the runtime asks it after
each iteration.
"""

from __future__ import annotations

import ast

from ..analysis.activity import inner_blocks
from ..analysis.jumps import holds_jump
from ..template import Template
from .context import ConvertedFunction
from .guards import IF_NOT, Block, LoopJump, set_flag

NOT_STOPPED = Template("not flag and test")
NOT_FLAG = Template("not flag")


def convert_breaks(function: ConvertedFunction) -> None:
    function.body = _convert_block(function.body, function)


def _convert_block(block: Block, function: ConvertedFunction) -> Block:
    done: Block = []
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            done.append(statement)
            continue
        for inner in list(inner_blocks(statement)):
            inner[:] = _convert_block(inner, function)
        if isinstance(statement, ast.For | ast.While):
            done += _convert_loop(statement, function)
        else:
            done.append(statement)
    return done


def _convert_loop(loop: ast.For | ast.While, function: ConvertedFunction) -> Block:
    otherwise, loop.orelse = loop.orelse, []
    if not holds_jump(ast.Break, loop.body):
        return [loop, *otherwise]
    jump = LoopJump(ast.Break, function.flag("break_"))
    loop.body = jump.lower(loop.body)
    _stop_loop(loop, jump.flag, function)
    before = set_flag(loop, jump.flag, False)
    if not otherwise:
        return [before, loop]
    return [before, loop, IF_NOT.statement(otherwise[0], flag=jump.flag, rest=otherwise)]


def _stop_loop(loop: ast.For | ast.While, flag: str, function: ConvertedFunction) -> None:
    if isinstance(loop, ast.For):
        function.conversion.stops[loop] = flag
    elif isinstance(loop.test, ast.Constant) and loop.test.value:
        loop.test = NOT_FLAG.expression(loop.test, flag=flag)
    else:
        loop.test = NOT_STOPPED.expression(loop.test, flag=flag, test=loop.test)
