"""The common half of `break`, `continue` and `return`: skipping the rest of a block.

A jump becomes an assignment to a flag, and what stands behind it must not run any more:

    if c:                         if c:
        break                         break_ = True
    rest                          else:
                                      rest

Where the `if` jumps on some ways only, the rest asks the flag: `if not break_: rest`.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from ..analysis.activity import inner_blocks
from ..analysis.jumps import always_jumps, holds_jump
from ..template import Template, placed

Block = list[ast.stmt]

SET = Template("flag = value")
IF_NOT = Template("""
if not flag:
    rest
""")


class Jump(ABC):
    """One kind of jump out of one block, and how it is written down."""

    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.asked = False  # whether any guard reads the flag

    @abstractmethod
    def holds(self, statement: ast.stmt) -> bool:
        """Whether the statement may jump like this."""

    @abstractmethod
    def replace(self, statement: ast.stmt) -> Block | None:
        """What stands for the jump itself, or None for any other statement."""

    def lower_inside(self, statement: ast.stmt) -> None:
        """Lower the blocks inside of a compound statement."""
        for inner in list(inner_blocks(statement)):
            # Never empty: each jump leaves at least an assignment.
            inner[:] = self.lower(inner)

    def lower(self, block: Block) -> Block:
        """The block with its jumps replaced, and what they skip put where it does not run."""
        done: Block = []
        for index, statement in enumerate(block):
            replaced = self.replace(statement)
            if replaced is not None:
                return done + replaced  # the rest of the block is never reached
            if self.holds(statement):
                return done + self._lower_compound(statement, block[index + 1 :])
            done.append(statement)
        return done

    def _lower_compound(self, statement: ast.stmt, rest: Block) -> Block:
        if isinstance(statement, ast.If) and rest:
            rest = self._moved_into_branch(statement, rest)
        self.lower_inside(statement)
        if not rest:
            return [statement]
        self.asked = True
        return [statement, IF_NOT.statement(rest[0], flag=self.flag, rest=self.lower(rest))]

    def _moved_into_branch(self, statement: ast.If, rest: Block) -> Block:
        """Move what follows an `if` into the branch that reaches it, if the other never does."""
        if self.never_ends(statement.body):
            statement.orelse += rest
            return []
        if self.never_ends(statement.orelse):
            statement.body += rest
            return []
        return rest

    def never_ends(self, block: Block) -> bool:
        """Whether what follows a block can be left out where the block runs."""
        return always_jumps(block)


class LoopJump(Jump):
    """`break` or `continue`."""

    def __init__(self, kind: type[ast.Break | ast.Continue], flag: str) -> None:
        super().__init__(flag)
        self.kind = kind

    def holds(self, statement: ast.stmt) -> bool:
        return holds_jump(self.kind, [statement])

    def replace(self, statement: ast.stmt) -> Block | None:
        return [set_flag(statement, self.flag, True)] if isinstance(statement, self.kind) else None

    def never_ends(self, block: Block) -> bool:
        return always_jumps(block, with_swallows=True)

    def lower_inside(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.For | ast.While):  # jumps in its body are its own
            statement.orelse = self.lower(statement.orelse)
        else:
            super().lower_inside(statement)


def set_flag(at: ast.AST, flag: str, value: bool) -> ast.stmt:
    return SET.statement(at, flag=flag, value=placed(ast.Constant(value), at))


def without_flag(block: Block, flag: str) -> Block:
    """The block without assignments to a flag that nobody asks."""
    kept = [statement for statement in block if not _sets(statement, flag)]
    for statement in kept:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        for inner in list(inner_blocks(statement)):
            inner[:] = without_flag(inner, flag) or [placed(ast.Pass(), inner[0])]
    return kept


def _sets(statement: ast.stmt, flag: str) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id == flag
    )
