"""What running a whole block does to variables, calls of the function's own functions included.

In

    def count():
        nonlocal n
        n += 1
    if x > 0:
        count()

the `if` changes `n`. It is found by name: a block changes what a local function declares
`nonlocal` and writes, if the block calls that function; and if the function is ever used as a
value (passed on, given another name), any block with a call in it may be the one that calls it.
What such a function reads, its callers read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from ...core.process.named_tuples import NamedTuple
from .activity import (
    Activity,
    Mutation,
    activity,
    every_statement,
    free_names,
    outer_changes,
    outer_writes,
)
from .paths import AttributePath, object_of, root_of


class BlockEffects(NamedTuple):
    """What a block, inner blocks included, may do.

    `changes` are variables whose value may be changed in place, `lent` those that calls are given.
    """

    writes: frozenset[str]
    changes: frozenset[str]
    paths: tuple[AttributePath, ...]
    mutations: tuple[Mutation, ...]
    lent: frozenset[str]


class FunctionEffects:
    """Side tables for one function: each statement's activity, each block's effects.

    `asked` are variables that the runtime reads for a loop, before each of its iterations.
    """

    def __init__(self, body: list[ast.stmt], asked: Mapping[ast.stmt, set[str]]) -> None:
        self.asked = asked
        self.walruses: set[str] = set()
        self._activities: dict[ast.stmt, Activity] = {}
        # What the functions made here, by their names, read and write outside of themselves.
        self._hidden_reads: dict[str, set[str]] = {}
        self._hidden_writes: dict[str, set[str]] = {}
        self._escaped_writes: set[str] = set()
        # What they change in place outside of themselves.
        self._hidden_changes: dict[str, list[Mutation]] = {}
        self._find_local_functions(body)

    def of(self, statement: ast.stmt) -> Activity:
        """The activity of a statement's head, with what the functions it calls write."""
        known = self._activities.get(statement)
        if known is None:
            known = self._activities[statement] = activity(statement)
            known.reads |= self.asked.get(statement, set())
            self.walruses |= known.walruses
            self._add_hidden(known)
        return known

    def _add_hidden(self, found: Activity) -> None:
        for name in found.called & self._hidden_reads.keys():
            found.reads |= self._hidden_reads[name]
            found.mutations += self._hidden_changes.get(name, [])
        if not self._hidden_writes:
            return
        hidden: set[str] = set()
        for name in found.reads & self._hidden_writes.keys():
            hidden |= self._hidden_writes[name]
        if found.calls:
            hidden |= self._escaped_writes
        found.writes |= hidden
        found.reads |= hidden  # written perhaps: what was there before may stay

    def of_block(self, *blocks: list[ast.stmt]) -> BlockEffects:
        writes: set[str] = set()
        paths: dict[str, AttributePath] = {}
        mutations: list[Mutation] = []
        lent: set[str] = set()
        for block in blocks:
            for statement in every_statement(block):
                found = self.of(statement)
                writes |= found.writes
                paths |= {path.text: path for path in found.paths}
                mutations += found.mutations
                lent |= found.lent
        lent |= _gone_through(blocks, lent)
        fixed = tuple(path for path in paths.values() if not path.names & writes)
        changed = [one.receiver for one in mutations]
        changed += [path.node.value for path in paths.values() if path not in fixed]
        changes = frozenset(root for one in changed if (root := root_of(one)))
        return BlockEffects(
            frozenset(writes), changes, fixed, tuple(mutations), frozenset(lent - writes)
        )

    def _find_local_functions(self, body: list[ast.stmt]) -> None:
        for statement in every_statement(body):
            match statement:
                case ast.FunctionDef(name):
                    function = statement
                case ast.Assign([ast.Name(name)], ast.Lambda() as function):
                    pass
                case _:
                    continue
            self._hidden_reads.setdefault(name, set()).update(free_names(function))
            if changes := outer_changes(function):
                self._hidden_changes.setdefault(name, []).extend(changes)
            if writes := outer_writes(function):
                self._hidden_writes.setdefault(name, set()).update(writes)
        if not self._hidden_writes:
            return
        for statement in every_statement(body):
            for name in activity(statement).mentioned & self._hidden_writes.keys():
                self._escaped_writes |= self._hidden_writes[name]


def _gone_through(blocks: Iterable[list[ast.stmt]], lent: set[str]) -> set[str]:
    """What holds the objects that calls are given: `os`, in `for o in os: o.add(x)`."""
    return {
        root
        for block in blocks
        for loop in every_statement(block)
        if isinstance(loop, ast.For) and (root := object_of(loop.iter))
        if lent & activity(loop).writes
    }
