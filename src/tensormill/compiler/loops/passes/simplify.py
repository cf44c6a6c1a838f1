"""Arithmetic that can be done now, loops that run once, names that stand for names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from ..effects import Summaries
from ..ir import (
    Address,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    Program,
    Repeat,
    Statement,
)
from ..walk import (
    Block,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    named_buffers,
    replace_statements,
    rewrite,
    same_block,
    with_buffers,
    with_expressions,
)
from .powers import fold_power

_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "min": min,
    "max": max,
    "minimum": min,
    "maximum": max,
}
_DIVISION: Final[dict[str, Callable[[int, int], int]]] = {
    "floor_divide": int.__floordiv__,
    "floor_modulo": int.__mod__,
}
_COMPARISON: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def simplify(program: Program, summaries: Summaries | None = None) -> Program:
    """Fold index arithmetic; drop loops of no iteration, and the loop around a single one.

    Before:
        program f(x: input f32[4, 1], y: output f32[4, 1]):
          for i in (2 * 2):
            let k: i64 = i
            for j in 1:
              y[(k + j), (j * 8)] = x[((k + 3) - 3), 0]
          for i in 0:
            y[i, 0] = 0.0
    After:
        program f(x: input f32[4, 1], y: output f32[4, 1]):
          for i in 4:
            y[i, 0] = x[i, 0]
    """
    body = _Simplifier().block(program.body)
    return Program(program.name, program.frame, without_idle_names(body))


class _Simplifier:
    """Goes through a program once.

    `known` holds what names stand for, `buffers` those whose sizes are written otherwise now.
    """

    def __init__(self) -> None:
        self.known: dict[Local, Expression] = {}
        self.buffers: dict[Buffer, Buffer] = {}
        self._done: dict[Expression, Expression] = {}

    def block(self, block: Block) -> Block:
        return replace_statements(block, self._statement)

    def expression(self, expression: Expression) -> Expression:
        """What a name stands for is known before anything has it inside."""
        return rewrite(expression, self._fold, self._done)

    def _fold(self, node: Expression) -> Expression:
        if type(node) is Apply:
            return fold(node)
        if type(node) is Local:
            return self.known.get(node, node)
        if (type(node) is Load or type(node) is Address) and node.buffer in self.buffers:
            return type(node)(self.buffers[node.buffer], node.indices)
        return node

    def _sizes(self, buffer: Buffer) -> None:
        """A buffer of the program's own, when it begins."""
        shape = tuple(self.expression(size) for size in buffer.shape)
        if any(new is not old for new, old in zip(shape, buffer.shape, strict=True)):
            self.buffers[buffer] = Buffer(
                buffer.name, buffer.type, shape, buffer.space, buffer.data
            )

    def _statement(self, statement: Statement) -> Block:
        if isinstance(statement, (Allocate, Bind)):
            self._sizes(statement.buffer)
        if isinstance(statement, Repeat):  # whose `before` may name what its condition reads
            return self._while(map_blocks(statement, self.block))
        new = with_expressions(statement, self.expression)
        if self.buffers:
            new = with_buffers(new, self.buffers)
        match new:
            case Let(variable, (Literal() | Local()) as value) if _is_fixed(value):
                self.known[variable] = value
                return ()
            case Check(Literal(True)):
                return ()
            case Choice(Literal(value), then, otherwise):
                return self.block(then if value else otherwise)
            case For(index, Literal(value), body) if value == 1:
                self.known[index] = Literal(0, "i64")
                return self.block(body)
            case _:
                return self._inside(new)

    def _inside(self, statement: Statement) -> Block:
        new = map_blocks(statement, self.block)
        if isinstance(new, For) and (_is_never(new.extent) or not new.body):
            return ()
        if isinstance(new, Choice) and not new.then and not new.otherwise:
            return ()
        return (new,)

    def _while(self, loop: Statement) -> Block:
        """A loop whose blocks are done."""
        new = with_expressions(loop, self.expression)
        if isinstance(new, Repeat) and new.condition == Literal(False, "bool"):
            return new.before
        return (new,)


def _is_fixed(value: Expression) -> bool:
    return not (isinstance(value, Local) and value.mutable)


def _is_never(extent: Expression) -> bool:
    return isinstance(extent, Literal) and extent.value <= 0


# ---------------------------------------------------------------- expressions


def fold(apply: Apply) -> Expression:
    """An application of i64 or bool functions, done now where its arguments say enough."""
    if apply.function == "where" and isinstance(apply.arguments[0], Literal):
        return apply.arguments[1 if apply.arguments[0].value else 2]
    if apply.function == "cast" and apply.arguments[0].type == apply.type:
        return apply.arguments[0]
    if apply.function == "pow":
        return fold_power(apply)
    if len(apply.arguments) != 2 or apply.arguments[0].type != "i64":
        return _fold_logic(apply)
    left, right = apply.arguments
    if isinstance(left, Literal) and isinstance(right, Literal):
        return _fold_constants(apply, int(left.value), int(right.value))
    if apply.type == "bool":
        return apply
    if isinstance(left, Literal) and apply.function in ("add", "mul"):
        left, right = right, left
        apply = Apply(apply.function, (left, right), "i64")
    if isinstance(right, Literal):
        return _fold_right(apply, left, int(right.value))
    if apply.function == "sub" and left is right:
        return Literal(0, "i64")
    return apply


def _fold_logic(apply: Apply) -> Expression:
    """`and`, `or`, `not` with a literal."""
    if apply.type != "bool":
        return apply
    if apply.function in ("not", "logical_not") and isinstance(apply.arguments[0], Literal):
        return Literal(not apply.arguments[0].value, "bool")
    if apply.function not in ("and", "or", "logical_and", "logical_or"):
        return apply
    for one, other in (apply.arguments, apply.arguments[::-1]):
        if isinstance(one, Literal):
            decided = bool(one.value) == apply.function.endswith("or")
            return one if decided else other
    return apply


def _fold_constants(apply: Apply, left: int, right: int) -> Expression:
    if (compare := _COMPARISON.get(apply.function)) is not None:
        return Literal(compare(left, right), "bool")
    rule = _ARITHMETIC.get(apply.function)
    if rule is None and right:
        rule = _DIVISION.get(apply.function)
    return apply if rule is None else Literal(_wrapped(rule(left, right)), "i64")


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _fold_right(apply: Apply, left: Expression, right: int) -> Expression:
    """Neutral elements, and constants one after another."""
    match apply.function, right:
        case ("add" | "sub", 0) | ("mul" | "floor_divide", 1):
            return left
        case ("mul", 0) | ("floor_modulo", 1):
            return Literal(0, "i64")
        case "sub", _:
            return fold(Apply("add", (left, Literal(_wrapped(-right), "i64")), "i64"))
        case "add" | "mul", _:
            return _join(apply, left, right)
        case _:
            return apply


def _join(apply: Apply, left: Expression, right: int) -> Expression:
    """(x + a) + b is x + (a + b); the same for products."""
    if isinstance(left, Apply) and left.function == apply.function:
        inner, constant = left.arguments
        if isinstance(constant, Literal):
            joined = _wrapped(_ARITHMETIC[apply.function](int(constant.value), right))
            return _fold_right(
                Apply(apply.function, (inner, Literal(joined, "i64")), "i64"), inner, joined
            )
    return apply


# ---------------------------------------------------------------- names


def without_idle_names(block: Block) -> Block:
    """A block without `Let`s of names that nobody reads; one may have kept another."""
    while True:
        read = _names_read(block)
        dropped: list[Let] = []
        block = _drop_names(block, read, dropped)
        if all(isinstance(one.value, Literal) for one in dropped):
            return block


def _names_read(block: Block) -> set[Local]:
    found: set[Local] = set()
    sized: set[Buffer] = set()
    for statement in every_statement(block):
        pending = list(expressions(statement))
        pending += _new_sizes(named_buffers(statement), sized)
        while pending:
            for part in every_part(pending.pop()):
                if type(part) is Local:
                    found.add(part)
                elif type(part) is Load or type(part) is Address:
                    pending += _new_sizes((part.buffer,), sized)
    return found


def _new_sizes(buffers: tuple[Buffer, ...], sized: set[Buffer]) -> list[Expression]:
    """The sizes of buffers not met before."""
    new = [buffer for buffer in buffers if buffer not in sized]
    sized.update(new)
    return [size for buffer in new for size in buffer.shape]


def _drop_names(block: Block, read: set[Local], dropped: list[Let]) -> Block:
    kept: list[Statement] = []
    for one in block:
        if isinstance(one, Let) and one.variable not in read:
            dropped.append(one)
        else:
            kept.append(map_blocks(one, lambda inner: _drop_names(inner, read, dropped)))
    return same_block(kept, block)
