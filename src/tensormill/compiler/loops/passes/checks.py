"""Checks of many elements first ask whether anything is wrong at all."""

from __future__ import annotations

from functools import reduce
from typing import Final

from ..effects import Summaries, escaping
from ..ir import Apply, Check, Choice, Expression, For, Let, Literal, Local, Program, Set, Statement
from ..walk import Block, every_statement, map_blocks, renewed, replace_compound
from .parallel import iterations

# So many checks cost less than twice the code.
_FEW: Final = 16


def gather_checks(program: Program, summaries: Summaries | None = None) -> Program:
    """A loop of checks becomes one that finds out, in vectors, whether all hold.

    Only if not, the first failure is looked for, in order.

    Before:
        program f(k: input i32[n], n: i64, m: i32):
          for i in n:
            let at: i32 = k[i]
            check ((at >= 0i32) & (at < m)) else 3(i, at)
    After:
        program f(k: input i32[n], n: i64, m: i32):
          set good: bool = true
          for i in n:
            let at: i32 = k[i]
            set good = (good & ((at >= 0i32) & (at < m)))
          if not(good):
            for i.1 in n:
              let at.1: i32 = k[i.1]
              check ((at.1 >= 0i32) & (at.1 < m)) else 3(i.1, at.1)
    """
    summaries = summaries or Summaries(escaping(program.body))
    return Program(program.name, program.frame, _in_block(program.body, summaries))


def _in_block(block: Block, summaries: Summaries) -> Block:
    return replace_compound(block, lambda one: _statement(one, summaries))


def _statement(statement: Statement, summaries: Summaries) -> Block:
    if not isinstance(statement, For) or not _only_checks(statement, summaries):
        return (map_blocks(statement, lambda inner: _in_block(inner, summaries)),)
    good = Local("good", "bool", mutable=True)
    bad = Apply("not", (good,), "bool")
    return (
        Set(good, Literal(True, "bool")),
        _quick(statement, good),
        Choice(bad, renewed((statement,))),
    )


def _only_checks(loop: For, summaries: Summaries) -> bool:
    """Whether a loop does nothing else, and what it reads is valid without them."""
    inside = every_statement(loop.body)
    return (
        all(isinstance(one, (Let, For, Check)) for one in inside)
        and any(isinstance(one, Check) for one in inside)
        and iterations(loop) > _FEW
        and not summaries.is_trusting(loop)
    )


def _quick(loop: For, good: Local) -> For:
    statements: list[Statement] = []
    conditions: list[Expression] = []
    for statement in loop.body:
        if isinstance(statement, Check):
            conditions.append(statement.condition)
        else:
            statements.append(_quick(statement, good) if isinstance(statement, For) else statement)
    if conditions:
        holds = reduce(lambda a, b: Apply("and", (a, b), "bool"), conditions)
        statements.append(Set(good, Apply("and", (good, holds), "bool")))
    return For(loop.index, loop.extent, tuple(statements))
