"""Going through programs: parts of expressions and statements, and rebuilding with other parts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, TypeAlias

from .ir import (
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
    Load,
    Local,
    NativeCall,
    Repeat,
    Return,
    Set,
    Statement,
    Store,
    Together,
)

Block: TypeAlias = tuple[Statement, ...]
Rewrite: TypeAlias = Callable[[Expression], Expression]
Compound: TypeAlias = For | Choice | Repeat | Together
_KINDS: Final = (For, Choice, Repeat, Together)
_COMPOUND: Final = frozenset[type](_KINDS)
_WITH_PARTS: Final = frozenset[type]((Apply, Load, Address))


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside an expression."""
    if type(expression) is Apply:
        return expression.arguments
    if type(expression) is Load or type(expression) is Address:
        return expression.indices
    return ()


def every_part(expression: Expression) -> Sequence[Expression]:
    """The expression and all that is inside it; what is shared comes once.

    Loops over parts are what passes do most: they ask `type(part) is Load`, which takes a third of
    `isinstance`. No class of expressions has subclasses.
    """
    if type(expression) not in _WITH_PARTS:
        return (expression,)
    try:
        return (expression, *expression.inside)  # type: ignore[union-attr]
    except AttributeError:  # asked for the first time
        inside = _inside(expression)
        object.__setattr__(expression, "inside", inside)
        return (expression, *inside)


def _inside(expression: Expression) -> tuple[Expression, ...]:
    if not any(type(part) in _WITH_PARTS for part in parts(expression)):
        return parts(expression)
    found, seen, pending = list[Expression](), set[Expression](), [expression]
    for node in pending:  # which grows meanwhile
        for part in parts(node):
            if type(part) in _WITH_PARTS:
                if part in seen:
                    continue
                seen.add(part)
                pending.append(part)
            found.append(part)
    return tuple(found)


def rewrite(
    expression: Expression, change: Rewrite, known: dict[Expression, Expression] | None = None
) -> Expression:
    """`change` applied to every part, inner ones first; what is shared is changed once.

    `known`: what has become of other expressions, where `change` is the same for all.
    """
    if type(expression) not in _WITH_PARTS:
        return change(expression)
    return _rewritten(expression, change, {} if known is None else known)


def _rewritten(
    node: Expression, change: Rewrite, known: dict[Expression, Expression]
) -> Expression:
    """No function within another that calls itself: those are cycles, which only the collector of
    these frees, with all expressions that they know.
    """
    done = known.get(node)
    if done is None:
        old = parts(node)
        new = [
            _rewritten(part, change, known) if type(part) in _WITH_PARTS else change(part)
            for part in old
        ]
        done = known[node] = change(_with_parts(node, old, new))
    return done


def _with_parts(node: Expression, old: tuple[Expression, ...], new: list[Expression]) -> Expression:
    """A node with other parts; itself where they are the same objects."""
    if all(map(operator.is_, new, old)):
        return node
    if isinstance(node, Apply):
        return Apply(node.function, tuple(new), node.type)
    assert isinstance(node, (Load, Address))
    return type(node)(node.buffer, tuple(new))


def substitution(
    variables: Mapping[Local, Expression], buffers: Mapping[Buffer, Buffer] | None = None
) -> Rewrite:
    """The change that puts expressions for variables, and buffers of one shape for buffers."""
    others = buffers or {}

    def change(node: Expression) -> Expression:
        if isinstance(node, Local):
            return variables.get(node, node)
        if isinstance(node, (Load, Address)) and node.buffer in others:
            return type(node)(others[node.buffer], node.indices)
        return node

    return change


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """The expressions of a statement itself, those of its blocks left out."""
    return _EXPRESSIONS[type(statement)](statement)


def _of_check(check: Check) -> tuple[Expression, ...]:
    return (check.condition, *check.values)


def _of_loop(loop: For) -> tuple[Expression, ...]:
    return (loop.extent,) if loop.grain is None else (loop.extent, loop.grain)


def _of_return(one: Return) -> tuple[Expression, ...]:
    return () if one.value is None else (one.value,)


def _of_store(store: Store) -> tuple[Expression, ...]:
    return (*store.indices, store.value)


# A table: these are asked for most often of all.
_EXPRESSIONS: Final[dict[type, Callable[[Any], tuple[Expression, ...]]]] = {
    Let: lambda one: (one.value,),
    Set: lambda one: (one.value,),
    Bind: lambda one: (one.address,),
    Store: _of_store,
    For: _of_loop,
    Repeat: lambda one: (one.condition,),
    Choice: lambda one: (one.condition,),
    Together: lambda one: one.turns,
    Allocate: lambda one: one.buffer.shape,
    NativeCall: lambda one: one.arguments,
    Check: _of_check,
    Return: _of_return,
}


def named_buffers(statement: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement names itself, those in its expressions left out."""
    match statement:
        case Store(buffer) | Allocate(buffer) | Bind(buffer):
            return (buffer,)
        case NativeCall():
            return (*statement.reads, *statement.writes)
        case _:
            return ()


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    if type(statement) is For:
        return (statement.body,)
    if type(statement) is Choice:
        return (statement.then, statement.otherwise)
    if type(statement) is Together:
        return statement.sides
    return (statement.before, statement.body) if type(statement) is Repeat else ()


def with_blocks(statement: Statement, changed: tuple[Block, ...]) -> Statement:
    """`statement` with other blocks; itself where they are the same objects."""
    if not changed or all(map(operator.is_, changed, blocks(statement))):
        return statement
    match statement:
        case For(index, extent, _, parallel, reassociate, grain):
            return For(index, extent, changed[0], parallel, reassociate, grain)
        case Repeat(_, condition, _):
            return Repeat(changed[0], condition, changed[1])
        case Choice(condition):
            return Choice(condition, changed[0], changed[1])
        case Together(_, turns):
            return Together(changed, turns)
        case _:
            return statement


def with_expressions(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """`statement` with each of its own expressions changed as a whole; blocks stay."""
    old = expressions(statement)
    new = tuple(map(change, old))
    if all(map(operator.is_, new, old)):
        return statement
    match statement:
        case Let(variable):
            return Let(variable, new[0])
        case Set(variable):
            return Set(variable, new[0])
        case Bind(buffer):
            return Bind(buffer, new[0])
        case Store(buffer):
            return Store(buffer, new[:-1], new[-1])
        case For() | Repeat() | Choice():
            return _with_expressions_of_its_own(statement, *new)
        case Together(sides):
            return Together(sides, new)
        case Allocate():
            return statement
        case NativeCall():
            return replace(statement, arguments=new)
        case Check(_, error):
            return Check(new[0], error, new[1:])
        case Return():
            return Return(*new)


def _with_expressions_of_its_own(
    statement: For | Repeat | Choice, new: Expression, grain: Expression | None = None
) -> Statement:
    """A loop with another extent or condition, a branch with another condition."""
    match statement:
        case For(index, _, body, parallel, reassociate):
            return For(index, new, body, parallel, reassociate, grain)
        case Repeat(before, _, body):
            return Repeat(before, new, body)
        case Choice(_, then, otherwise):
            return Choice(new, then, otherwise)


def map_statements(block: Block, change: Callable[[Statement], Statement]) -> Block:
    """A block with every statement changed; itself where none is (effects are known by object)."""
    return same_block(tuple(map(change, block)), block)


def map_compound(block: Block, change: Callable[[Compound], Statement]) -> Block:
    """`map_statements` for what changes only loops and branches, or what is in them."""
    if _COMPOUND.isdisjoint(map(type, block)):
        return block
    new = [change(x) if isinstance(x, _KINDS) else x for x in block]
    return same_block(new, block)


def replace_compound(block: Block, change: Callable[[Compound], Block]) -> Block:
    """`replace_statements` for what changes only loops and branches, or what is in them."""
    if _COMPOUND.isdisjoint(map(type, block)):
        return block
    new = (change(x) if isinstance(x, _KINDS) else (x,) for x in block)
    return same_block(tuple(chain.from_iterable(new)), block)


def replace_statements(block: Block, change: Callable[[Statement], Block]) -> Block:
    """A block with some statements for every one; itself where they are the same."""
    return same_block(tuple(chain.from_iterable(map(change, block))), block)


def same_block(new: Sequence[Statement], block: Block) -> Block:
    """`new` as a block; `block` itself where its statements are the same objects."""
    if len(new) == len(block) and all(map(operator.is_, new, block)):
        return block
    return tuple(new)


def map_blocks(statement: Statement, change: Callable[[Block], Block]) -> Statement:
    """`statement` with each of its blocks changed."""
    if type(statement) not in _COMPOUND:
        return statement
    return with_blocks(statement, tuple(map(change, blocks(statement))))


def map_expressions(block: Block, change: Callable[[Expression], Expression]) -> Block:
    """Every expression of a block and of the blocks in it, changed as a whole.

    Shapes of buffers are not looked into: they belong to the buffers.
    """

    def in_statement(one: Statement) -> Statement:
        changed = with_expressions(one, change)
        return map_blocks(changed, lambda inner: map_expressions(inner, change))

    return map_statements(block, in_statement)


def substitute(
    block: Block,
    variables: Mapping[Local, Expression],
    buffers: Mapping[Buffer, Buffer] | None = None,
) -> Block:
    """A block with variables and buffers replaced, in what is stored to as well."""
    change = substitution(variables, buffers)
    changed = map_expressions(block, lambda one: rewrite(one, change))
    return _replace_targets(changed, buffers) if buffers else changed


def _replace_targets(block: Block, buffers: Mapping[Buffer, Buffer]) -> Block:
    def in_block(inner: Block) -> Block:
        return map_statements(inner, in_statement)

    def in_statement(one: Statement) -> Statement:
        return map_blocks(with_buffers(one, buffers), in_block)

    return in_block(block)


def with_buffers(statement: Statement, buffers: Mapping[Buffer, Buffer]) -> Statement:
    """`statement` with other buffers for those it names itself (not in expressions)."""
    match statement:
        case Store(buffer, indices, value) if buffer in buffers:
            return Store(buffers[buffer], indices, value)
        case Allocate(buffer) if buffer in buffers:
            return Allocate(buffers[buffer])
        case Bind(buffer, address) if buffer in buffers:
            return Bind(buffers[buffer], address)
        case NativeCall(_, _, _, reads, writes) if not buffers.keys().isdisjoint(reads + writes):
            return replace(
                statement,
                reads=tuple(buffers.get(one, one) for one in reads),
                writes=tuple(buffers.get(one, one) for one in writes),
            )
        case _:
            return statement


def renewed(block: Block, keep: Callable[[Local], bool] = lambda _: False) -> Block:
    """A copy whose names and buffers, as far as the block makes them, are new ones.

    `keep` says which mutable variables also live outside of the block.
    """
    variables: dict[Local, Expression] = {}
    buffers: dict[Buffer, Buffer] = {}
    for statement in every_statement(block):
        for variable in _made(statement):
            if not (variable.mutable and keep(variable)) and variable not in variables:
                variables[variable] = Local(variable.name, variable.type, variable.mutable)
        if isinstance(statement, (Allocate, Bind)):
            old = statement.buffer
            change = substitution(variables, buffers)
            shape = tuple(rewrite(size, change) for size in old.shape)
            buffers[old] = Buffer(old.name, old.type, shape, old.space)
    return _with_new_names(substitute(block, variables, buffers), variables)


def _made(statement: Statement) -> tuple[Local, ...]:
    match statement:
        case Let(variable) | Set(variable):
            return (variable,)
        case For(index):
            return (index,)
        case NativeCall(result=Local() as result):
            return (result,)
        case _:
            return ()


def _with_new_names(block: Block, names: Mapping[Local, Expression]) -> Block:
    return map_statements(
        block,
        lambda one: map_blocks(
            _with_new_name(one, names), lambda inner: _with_new_names(inner, names)
        ),
    )


def _with_new_name(statement: Statement, names: Mapping[Local, Expression]) -> Statement:
    made = [names.get(variable, variable) for variable in _made(statement)]
    if not made or not isinstance(new := made[0], Local):
        return statement
    match statement:
        case Let(_, value):
            return Let(new, value)
        case Set(_, value):
            return Set(new, value)
        case For(_, extent, body, parallel, reassociate, grain):
            return For(new, extent, body, parallel, reassociate, grain)
        case NativeCall():
            return replace(statement, result=new)
        case _:
            return statement


def every_statement(block: Block) -> Sequence[Statement]:
    """All statements of a block, outer ones before those inside them."""
    found: list[Statement] = []
    _collect(block, found)
    return found


def _collect(block: Block, found: list[Statement]) -> None:
    for statement in block:
        found.append(statement)
        if type(statement) in _COMPOUND:
            for inner in blocks(statement):
                _collect(inner, found)
