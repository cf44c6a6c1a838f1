"""Which variables may still be read after a statement.

Runs on code without `break`, `continue` and early `return` (their converters ran before), so the
statements nest and one walk from the end to the start is enough; what a loop reads first is live
at its end, too, so it is skimmed for that once. What is not modelled: an exception may leave a
`try` body after any of its statements, so everything its handlers read counts as live in all of it.

A variable that an inner function captures is *kept* from where the function is made: whoever holds
the function may call it, at any time. Calls of it by its name count as reads.
"""

from __future__ import annotations

import ast

from ...core.process.named_tuples import NamedTuple
from .activity import every_statement, expression_activity
from .effects import FunctionEffects

Names = frozenset[str]
_NONE: Names = frozenset()


class LiveVariables(NamedTuple):
    """The variables that may be read from some place on."""

    after: Names  # after the statement
    inside: Names  # from the start of its blocks (of an iteration, for a loop)
    kept: Names  # after the statement, but only by functions that captured them


class Liveness:
    """A side table: `liveness[statement]` for each `if`, `while` and `for`."""

    def __init__(self, body: list[ast.stmt], effects: FunctionEffects, at_exit: Names) -> None:
        self._effects = effects
        self._at_exit = at_exit  # whichever way the function is left
        self._table: dict[ast.stmt, LiveVariables] = {}
        self._captured: dict[ast.stmt, Names] = {}
        # What the handlers around a statement read: an exception may lead there at any time.
        self._handled: dict[ast.stmt, Names] = {}
        self._caught: set[ast.stmt] = set()
        self._exposed: dict[ast.stmt, Names] = {}
        self._skims = False  # loops within are only asked for what they read
        self._note_captures(body, _NONE)
        self._block(body, at_exit)

    def __getitem__(self, statement: ast.stmt) -> LiveVariables:
        return self._table[statement]

    def is_handled(self, statement: ast.stmt) -> bool:
        """Whether an exception in it leads to a handler of the same function."""
        return statement in self._caught

    # --- captures, forwards ---

    def _note_captures(
        self, block: list[ast.stmt], captured: Names, repeated: bool = False
    ) -> Names:
        """Note, for each statement, what functions made before it or by it captured.

        `repeated`: in a loop, where a later iteration sees them all.
        """
        for statement in block:
            captured |= self._effects.of(statement).captures
            again = isinstance(statement, ast.For | ast.While)
            if again and not repeated:
                inside = every_statement([statement])
                captured = captured.union(*(self._effects.of(one).captures for one in inside))
            for part in _blocks(statement):
                captured = self._note_captures(part, captured, repeated or again)
            self._captured[statement] = captured
        return captured

    def _note(self, statement: ast.stmt, after: Names, inside: Names) -> None:
        self._table[statement] = LiveVariables(after, inside, self._captured[statement])

    # --- reads, backwards ---

    def _block(self, block: list[ast.stmt], out: Names) -> Names:
        for statement in reversed(block):
            out = self._statement(statement, out | self._handled.get(statement, _NONE))
        return out

    def _statement(self, node: ast.stmt, out: Names) -> Names:
        match node:
            case ast.If():
                inside = self._block(node.body, out) | self._block(node.orelse, out)
                self._note(node, out, inside)
                return self._through(node, inside)
            case ast.While() | ast.For():
                return self._loop(node, out)
            case ast.With():
                return self._through(node, self._block(node.body, out))
            case ast.Try() | ast.TryStar():
                return self._try(node, out)
            case ast.Match():
                paths = [self._block(case.body, out) for case in node.cases]
                # No case may match, and a failed pattern may have bound nothing.
                return out.union(*paths) | frozenset(self._effects.of(node).reads)
            case ast.Return() | ast.Raise():
                left = self._handled.get(node, _NONE) | self._at_exit
                return left | self._effects.of(node).reads
            case _:
                return self._through(node, out)

    def _through(self, node: ast.stmt, out: Names) -> Names:
        """Before a statement's head, if `out` is live behind it."""
        found = self._effects.of(node)
        return (out - (found.writes - self._handled.get(node, _NONE))) | found.reads

    def _loop(self, node: ast.While | ast.For, out: Names) -> Names:
        found = self._effects.of(node)
        again = found.reads if isinstance(node, ast.While) else self._effects.asked.get(node, _NONE)
        head = out | again | self._read_first(node)
        while not self._skims:
            body = self._block(node.body, head) - _targets(node)
            if body <= head:  # mostly at once; a handler around may read what is known only now
                self._note(node, out, head)
                break
            head |= body
        return head | found.reads

    def _read_first(self, node: ast.While | ast.For) -> Names:
        """What an iteration reads before it writes it."""
        if node not in self._exposed:
            outer, self._skims = self._skims, True
            self._exposed[node] = self._block(node.body, _NONE) - _targets(node)
            self._skims = outer
        return self._exposed[node]

    def _try(self, node: ast.Try | ast.TryStar, out: Names) -> Names:
        final = self._block(node.finalbody, out)
        handlers = [self._block(handler.body, final) for handler in node.handlers]
        raised = final.union(*handlers)
        self._note_handled(node.body, raised)
        if node.handlers:
            self._caught.update(every_statement(node.body))
        ended = self._block(node.orelse, final)
        return self._block(node.body, ended) | raised | frozenset(self._effects.of(node).reads)

    def _note_handled(self, block: list[ast.stmt], names: Names) -> None:
        for statement in block:
            self._handled[statement] = self._handled.get(statement, _NONE) | names
            for inner in _blocks(statement):
                self._note_handled(inner, names)


def _targets(node: ast.While | ast.For) -> Names:
    if isinstance(node, ast.While):
        return _NONE
    return frozenset(expression_activity(node.target).writes)


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    parts = [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
    return [block for block in (*blocks, *(part.body for part in parts)) if block]
