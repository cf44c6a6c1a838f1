"""Expressions that share parts become registers: each part is computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_not

from ..loops.ir import Apply, Expression, Let, Load, Local, Statement


def name_shared_parts(
    expressions: Sequence[Expression],
    fresh: Callable[[str, str], Local],
    statements: list[Statement],
) -> list[Expression]:
    """`expressions` with every part that occurs twice in all of them together named by a `Let`
    appended to `statements`. Nothing may be stored between their uses.

    Not so what occurs within a side of a `where` only: a side that is not chosen may lie outside of
    its buffers, so it must not be computed beforehand. And not a short index: passes read what
    accesses move along, and LLVM finds what is reckoned twice.
    """
    counts = _count_uses(expressions).items()
    shared = {node for node, count in counts if count > 1 and not _is_short_index(node)}
    if not shared:
        return [*expressions]
    naming = _Naming(shared, fresh, statements)
    return [naming.rebuilt(one) for one in expressions]


class _Naming:
    def __init__(
        self,
        shared: set[Apply | Load],
        fresh: Callable[[str, str], Local],
        statements: list[Statement],
    ) -> None:
        self._shared = shared
        self._fresh = fresh
        self._statements = statements
        self._known: dict[Expression, Expression] = {}

    def rebuilt(self, node: Expression) -> Expression:
        if not isinstance(node, (Apply, Load)):
            return node
        if (known := self._known.get(node)) is not None:
            return known
        children = node.arguments if isinstance(node, Apply) else node.indices
        parts = tuple(map(self.rebuilt, children))
        changed = any(map(is_not, parts, children))
        result: Expression = node
        if changed and isinstance(node, Apply):
            result = Apply(node.function, parts, node.type)
        elif changed and isinstance(node, Load):
            result = Load(node.buffer, parts)
        if node in self._shared:
            variable = self._fresh("t", node.type)
            self._statements.append(Let(variable, result))
            result = variable
        self._known[node] = result
        return result


def is_longer(expression: Expression, limit: int) -> bool:
    """Whether it would have more than `limit` functions and loads if it were written out."""
    pending, count = [expression], 0
    while pending:
        node = pending.pop()
        if not isinstance(node, (Apply, Load)):
            continue
        count += 1
        if count > limit:
            return True
        pending.extend(node.arguments if isinstance(node, Apply) else node.indices)
    return False


def _is_short_index(node: Apply | Load) -> bool:
    """Whether it is one function of integer names: a place next to another."""
    return (
        isinstance(node, Apply)
        and node.type == "i64"
        and not any(isinstance(part, (Apply, Load)) for part in node.arguments)
    )


def _count_uses(expressions: Sequence[Expression]) -> dict[Apply | Load, int]:
    uses: dict[Apply | Load, int] = {}
    pending = [*expressions]
    while pending:
        node = pending.pop()
        if not isinstance(node, (Apply, Load)):
            continue
        uses[node] = uses.get(node, 0) + 1
        if uses[node] == 1:
            pending.extend(_certain_parts(node))
    return uses


def _certain_parts(node: Apply | Load) -> tuple[Expression, ...]:
    """The parts that are computed whenever `node` is."""
    if isinstance(node, Load):
        return node.indices
    return node.arguments[:1] if node.function == "where" else node.arguments
