"""`return` anywhere but at the end of a function.

    for x in xs:                     do_return = False
        if c:                        retval_ = ag__.NO_VALUE
            return x                 for x in xs:
    return y                             if c:
                                             retval_ = x
                                             do_return = True
                                             break
                                     if not do_return:
                                         retval_ = y
                                     return retval_

An outer loop around the loop gets `if do_return: break` behind it. A function whose end can be
reached without a `return` ends in `return ag__.returned(do_return, retval_, …)`, which is `None`
where nothing was returned and an error where only the graph will know. Where only a loop without
iterations gets there, the error waits until the graph runs.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement, inner_blocks
from ..analysis.jumps import always_returns, holds_return
from ..template import Template, placed
from .context import ConvertedFunction
from .guards import Block, Jump, set_flag, without_flag

SET_VALUE = Template("value_name = value")
NO_VALUE = Template("value_name = ag__.NO_VALUE")
LEAVE_OUTER_LOOP = Template("""
if flag:
    break
""")
RETURN = Template("return value_name")
RETURN_OR_NONE = Template("return ag__.returned(flag, value_name, branch)")


def convert_returns(function: ConvertedFunction) -> None:
    if not _is_needed(function.body):
        return
    flag, value = function.flag("do_return"), function.flag("retval_")
    ends = always_returns(function.body)
    branch = _branch_without_return(function.body)
    jump = ReturnJump(flag, value)
    body = jump.lower(function.body)
    first, last = body[0], body[-1]
    start: Block = []
    if ends and not jump.asked:
        body = without_flag(body, flag)
        function.scope.owned.discard(flag)
    else:
        start.append(set_flag(first, flag, False))
        function.return_flag = flag
    if not ends or jump.asked or jump.in_loop:
        start.append(NO_VALUE.statement(first, value_name=value))
    function.body = [*start, *body, _ending(last, flag, value, branch, ends)]


class ReturnJump(Jump):
    """`return`, inside and outside of loops."""

    def __init__(self, flag: str, value: str) -> None:
        super().__init__(flag)
        self.value = value
        self.in_loop = False  # whether a loop may end before it has set the value

    def holds(self, statement: ast.stmt) -> bool:
        return holds_return([statement])

    def replace(self, statement: ast.stmt) -> Block | None:
        return self._store(statement) if isinstance(statement, ast.Return) else None

    def lower_inside(self, statement: ast.stmt) -> None:
        if not isinstance(statement, ast.For | ast.While):
            super().lower_inside(statement)
            return
        self.in_loop = True
        statement.body = self._make_breaks(statement.body)
        statement.orelse = self.lower(statement.orelse)

    def _store(self, statement: ast.Return) -> Block:
        value = statement.value or placed(ast.Constant(None), statement)
        stored = SET_VALUE.statement(statement, value_name=self.value, value=value)
        return [stored, set_flag(statement, self.flag, True)]

    def _make_breaks(self, block: Block) -> Block:
        """Make each `return` a `break`; the converter of `break` runs next."""
        done: Block = []
        for statement in block:
            if isinstance(statement, ast.Return):
                return [*done, *self._store(statement), placed(ast.Break(), statement)]
            done.append(statement)
            if not self.holds(statement):
                continue
            for inner in list(inner_blocks(statement)):
                inner[:] = self._make_breaks(inner)
            if isinstance(statement, ast.For | ast.While):
                self.asked = True
                done.append(LEAVE_OUTER_LOOP.statement(statement, flag=self.flag))
        return done


def _is_needed(body: Block) -> bool:
    """Whether a `return` stands anywhere but at the very end."""
    return holds_return(body[:-1]) or (
        not isinstance(body[-1], ast.Return) and holds_return(body[-1:])
    )


def _ending(last: ast.stmt, flag: str, value: str, branch: str, ends: bool) -> ast.stmt:
    if ends:
        return RETURN.statement(last, value_name=value)
    text = placed(ast.Constant(branch), last)
    return RETURN_OR_NONE.statement(last, flag=flag, value_name=value, branch=text)


def _branch_without_return(body: Block) -> str:
    """Which branch to name when the end is reached without a value: "main" or "else".

    "loop": that happens only where the loop at the end has no iteration; "behind": where it ends.
    """
    last = body[-1]
    if isinstance(last, ast.For | ast.While) and not last.orelse and holds_return(last.body):
        return "loop" if always_returns(last.body) else "behind"
    for statement in every_statement(body):
        if isinstance(statement, ast.If) and always_returns(statement.orelse):
            return "else" if always_returns(statement.body) else "main"
        if isinstance(statement, ast.If) and always_returns(statement.body):
            return "else"
    return "else"
