"""A `while` whose test binds variables: the test moves into the body.

    while (x := f()) > 0:            while True:
        body                             if not (x := f()) > 0:
    else:                                    done
        done                                 break
                                         body

The runtime evaluates the test of a staged loop apart from its body, where it may change nothing.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement
from ..analysis.effects import FunctionEffects
from ..analysis.jumps import holds_jump
from ..template import Template, placed
from .context import ConvertedFunction

TEST = Template("""
if not test:
    otherwise
    break
""")


def convert_loop_tests(function: ConvertedFunction) -> None:
    effects = FunctionEffects(function.body, {})
    for statement in every_statement(function.body):
        if isinstance(statement, ast.While) and effects.of(statement).writes:
            _move_test(statement)


def _move_test(loop: ast.While) -> None:
    otherwise = loop.orelse
    if holds_jump(ast.Break, otherwise) or holds_jump(ast.Continue, otherwise):
        return  # they are about a loop outside; only a graph will miss what the test binds
    leave = TEST.statement(loop, test=loop.test, otherwise=otherwise)
    loop.body, loop.orelse = [leave, *loop.body], []
    loop.test = placed(ast.Constant(True), loop.test)
