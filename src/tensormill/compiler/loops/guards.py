"""Checks of every access: what `TENSORMILL_CHECK_MEMORY=1` compiles into programs.

Lowering and the passes are to make programs that touch nothing beside their buffers, and native
code trusts them. Here a program is made to distrust itself: in front of every statement stand
checks of all that it loads and stores, in the order in which it would. They are statements like
others, so printer, verifier and evaluator know them. The functions that it calls are guarded alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...core.process.named_tuples import NamedTuple
from ...ops.lowering import MOST_NUMBERS
from .functions import SIZE
from .ir import (
    FRAME,
    Apply,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Literal,
    Load,
    Local,
    NativeFunction,
    Program,
    Repeat,
    Statement,
    Store,
    Together,
)
from .library_guards import demands, product
from .ranges import count
from .walk import Block, expressions, parts, with_blocks

TRUE: Final = Literal(True, "bool")
FALSE: Final = Literal(False, "bool")
_ZERO: Final = Literal(0, "i64")
_MOST_AXES: Final = MOST_NUMBERS // 2  # of which a check shows index and size

Extents = Mapping[Local, Expression]


class Guarded(NamedTuple):
    """Code that checks itself, and what its new error numbers mean."""

    program: Program
    functions: list[NativeFunction]
    messages: tuple[str, ...]  # to be formatted with a check's values


class _Access(NamedTuple):
    """One element that a statement touches where `path` holds."""

    verb: str
    buffer: Buffer
    indices: tuple[Expression, ...]
    path: Expression


def guard(
    program: Program, functions: Sequence[NativeFunction] = (), *, first_error: int = 0
) -> Guarded:
    """Put a check in front of everything that is loaded or stored, in `functions` as well.

    Its error numbers begin at `first_error`. What an index decides by itself is left out: literals,
    and the index of a loop along an axis of the same size. Functions without a frame could tell
    nobody what they find, and stay as they are: tests evaluate them, in memory that knows its ends.

    Before:
        program f(k: input i64[n], x: input f32[m], y: output f32[n], n: i64, m: i64):
          for i in n:
            y[i] = where((k[i] < 0), 0.0, x[k[i]])
    After:
        program f(k: input i64[n], x: input f32[m], y: output f32[n], n: i64, m: i64):
          for i in n:
            check where(not((k[i] < 0)), ((k[i] >= 0) & (k[i] < m)), true) else 0(k[i], m)
            y[i] = where((k[i] < 0), 0.0, x[k[i]])
    """
    guards = _Guards(first_error)
    body = guards.block(program.body, {})
    guarded = [guards.function(one) if FRAME in one.parameters else one for one in functions]
    return Guarded(Program(program.name, program.frame, body), guarded, tuple(guards.messages))


class _Guards:
    def __init__(self, first_error: int) -> None:
        self.messages: list[str] = []
        self._first = first_error
        self._subject = "the program"

    def function(self, function: NativeFunction) -> NativeFunction:
        self._subject = function.name
        return replace(function, body=self.block(function.body, {}))

    def block(self, block: Block, extents: Extents) -> Block:
        return tuple(one for statement in block for one in self._guarded(statement, extents))

    def _guarded(self, statement: Statement, extents: Extents) -> Block:
        checks = (*self._elements(statement, extents), *self._whole(statement))
        match statement:
            case For(index, extent, body):
                inner = self.block(body, {**extents, index: extent})
                return (*checks, with_blocks(statement, (inner,)))
            case Repeat(before, _, body):
                asked = (*self.block(before, extents), *checks)
                return (with_blocks(statement, (asked, self.block(body, extents))),)
            case Choice(_, then, otherwise):
                both = self.block(then, extents), self.block(otherwise, extents)
                return (*checks, with_blocks(statement, both))
            case Together(sides):
                inner_sides = tuple([self.block(side, extents) for side in sides])
                return (*checks, with_blocks(statement, inner_sides))
            case _:
                return (*checks, statement)

    def _elements(self, statement: Statement, extents: Extents) -> Iterator[Statement]:
        for access in _accesses(statement):
            if (check := self._element(access, extents)) is not None:
                yield check

    def _element(self, access: _Access, extents: Extents) -> Check | None:
        sizes, indices = access.buffer.shape, access.indices
        if len(indices) != len(sizes):
            sizes = (count(sizes),)
        pairs = list(zip(indices, sizes, strict=True))
        if not (doubted := [pair for pair in pairs if not _decides(*pair, extents)]):
            return None
        inside = TRUE
        for index, size in doubted:
            inside = _both(inside, _both(_compare("ge", index, _ZERO), _compare("lt", index, size)))
        values = tuple(one for pair in pairs[:_MOST_AXES] for one in pair)
        shown = [f"{{{2 * axis}}} of {{{2 * axis + 1}}}" for axis in range(len(values) // 2)]
        message = f"{access.verb} {access.buffer.name} at [{', '.join(shown)}]"
        return self._new(_where(access.path, inside, TRUE), message, values)

    def _whole(self, statement: Statement) -> Iterator[Statement]:
        """One buffer in another; what a library is told to touch."""
        for buffer, needed, before in demands(statement):
            there = product(count(buffer.shape), SIZE[buffer.type])
            if _is_covered(needed, there):
                continue
            fits = _compare("le", needed, there)
            message = f"touches {{0}} bytes of {buffer.name}, which has {{1}}"
            yield from before
            yield self._new(fits, message, (needed, there))

    def _new(self, condition: Expression, message: str, values: tuple[Expression, ...]) -> Check:
        self.messages.append(f"outside of a buffer: {self._subject} {message}")
        return Check(condition, self._first + len(self.messages) - 1, values)


# ---------------------------------------------------------------- what a statement touches


def _accesses(statement: Statement) -> Iterator[_Access]:
    """All elements that a statement loads and stores itself, those needed to know others first."""
    if isinstance(statement, Check):  # its values are asked for where it fails
        yield from _loads((statement.condition,), TRUE)
        yield from _loads(statement.values, _not(statement.condition))
        return
    yield from _loads(expressions(statement), TRUE)
    if isinstance(statement, Store):
        yield _Access("stores into", statement.buffer, statement.indices, TRUE)


def _loads(roots: tuple[Expression, ...], path: Expression) -> Iterator[_Access]:
    order = list(_innermost_first(roots))
    paths = dict.fromkeys(roots, path)
    for node in reversed(order):  # whoever uses a part comes before it
        here = paths[node]
        for part, there in zip(parts(node), _paths_of_parts(node, here), strict=True):
            known = paths.get(part)
            paths[part] = there if known is None else _either(known, there)
    for node in order:
        if isinstance(node, Load):
            yield _Access("loads from", node.buffer, node.indices, paths[node])


def _innermost_first(roots: tuple[Expression, ...]) -> Iterator[Expression]:
    """Every part once, after its own parts."""
    seen: set[Expression] = set()
    pending = [(root, False) for root in reversed(roots)]
    while pending:
        node, is_done = pending.pop()
        if is_done:
            yield node
        elif node not in seen:
            seen.add(node)
            pending.append((node, True))
            pending.extend((part, False) for part in reversed(parts(node)))


def _paths_of_parts(node: Expression, path: Expression) -> tuple[Expression, ...]:
    """`where` evaluates the chosen side only."""
    if isinstance(node, Apply) and node.function == "where":
        condition = node.arguments[0]
        return path, _where(path, condition, FALSE), _where(path, _not(condition), FALSE)
    return (path,) * len(parts(node))


# ---------------------------------------------------------------- conditions


def _is_covered(needed: Expression, there: Expression) -> bool:
    """Whether it is known beforehand that there is enough."""
    if isinstance(needed, Literal) and isinstance(there, Literal):
        return needed.value <= there.value
    return needed is there


def _decides(index: Expression, size: Expression, extents: Extents) -> bool:
    if isinstance(index, Literal) and isinstance(size, Literal):
        return 0 <= index.value < size.value
    extent = extents.get(index) if isinstance(index, Local) else None
    return extent is size


def _compare(function: str, left: Expression, right: Expression) -> Expression:
    return Apply(function, (left, right), "bool")


def _not(condition: Expression) -> Expression:
    return Apply("not", (condition,), "bool")


def _both(left: Expression, right: Expression) -> Expression:
    return right if left is TRUE else Apply("and", (left, right), "bool")


def _where(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """A choice whose other side is not evaluated."""
    if condition is TRUE:
        return then
    return Apply("where", (condition, then, otherwise), "bool")


def _either(left: Expression, right: Expression) -> Expression:
    if left is TRUE or right is TRUE:
        return TRUE
    return Apply("where", (left, TRUE, right), "bool")
