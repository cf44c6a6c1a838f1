"""What need not go through memory, and memory that need not be so large."""

from __future__ import annotations

from dataclasses import dataclass

from .effects import Access, Summaries, accesses, common_axis, escaping
from .ir import (
    Address,
    Allocate,
    Buffer,
    Call,
    Constant,
    Expression,
    For,
    Let,
    Load,
    Program,
    Statement,
    Store,
    Variable,
)
from .walk import (
    Block,
    blocks,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    map_compound,
    rewrite,
    same_block,
    with_blocks,
    with_expressions,
)


def forward_stores(program: Program, summaries: Summaries | None = None) -> Program:
    """A load of what the same block has just stored becomes the stored value.

    Before:
        program f(x: input f32[n], y: output f32[n], n: i64):
          allocate t: f32[n]
          parfor i in n:
            t[i] = exp(x[i])
            y[i] = (t[i] + 1.0)
    After:
        program f(x: input f32[n], y: output f32[n], n: i64):
          allocate t: f32[n]
          parfor i in n:
            let t.1: f32 = exp(x[i])
            t[i] = t.1
            y[i] = (t.1 + 1.0)
    """
    summaries = summaries or Summaries(escaping(program.body))
    body = _Forwarder(summaries).block(program.body, [])
    return Program(program.name, program.frame, body)


@dataclass(frozen=True, slots=True)
class _Stored:
    """An element whose value is in a register."""

    buffer: Buffer
    indices: tuple[Expression, ...]
    value: Expression


class _Forwarder:
    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries

    def block(self, block: Block, known: list[_Stored]) -> Block:
        """`known` is what holds where the block begins; it is not changed."""
        known = list(known)
        result: list[Statement] = []
        for number, statement in enumerate(block):
            after = self._still_known(known, statement)
            # What a compound statement computes again and again holds only if it does not change.
            new = self._with_values(statement, after if blocks(statement) else known)
            known = after
            if isinstance(new, Store) and self._is_loaded(new, block[number + 1 :]):
                new = self._name_value(new, result)
                known.append(_Stored(new.buffer, new.indices, new.value))
            result.append(new)
        return same_block(result, block)

    def _with_values(self, statement: Statement, known: list[_Stored]) -> Statement:
        new = with_expressions(statement, lambda one: _replaced(one, known))
        return map_blocks(new, lambda inner: self.block(inner, known))

    def _still_known(self, known: list[_Stored], statement: Statement) -> list[_Stored]:
        """What holds in spite of all that a statement does."""
        effects = self.summaries.of(statement)
        return [
            one for one in known
            if one.buffer not in effects.writes
            and not (effects.pointed and one.buffer.space in ("pointer", "state"))
            and not any(part in effects.defines for part in _variables(one))
        ]  # fmt: skip

    def _is_loaded(self, store: Store, rest: Block) -> bool:
        if any(isinstance(part, Variable) and part.mutable for one in store.indices
               for part in every_part(one)):  # fmt: skip
            return False
        return any(store.buffer in self.summaries.of(statement).reads for statement in rest)

    def _name_value(self, store: Store, result: list[Statement]) -> Store:
        value = store.value
        if isinstance(value, Constant) or (isinstance(value, Variable) and not value.mutable):
            return store
        variable = Variable(store.buffer.name, value.type)
        result.append(Let(variable, value))
        return Store(store.buffer, store.indices, variable)


def _variables(stored: _Stored) -> list[Variable]:
    return [
        part for one in (*stored.indices, stored.value) for part in every_part(one)
        if isinstance(part, Variable)
    ]  # fmt: skip


def _replaced(expression: Expression, known: list[_Stored]) -> Expression:
    if not known:
        return expression

    def change(node: Expression) -> Expression:
        if isinstance(node, Load):
            for one in known:
                if one.buffer is node.buffer and one.indices == node.indices:
                    return one.value
        return node

    return rewrite(expression, change)


# ---------------------------------------------------------------- buffers nobody reads


def drop_dead_buffers(program: Program, summaries: Summaries | None = None) -> Program:
    """Temporaries that nobody reads are not written, and not allocated.

    Before:
        program f(x: input f32[n], y: output f32[n], n: i64):
          allocate t: f32[n]
          parfor i in n:
            let t.1: f32 = exp(x[i])
            t[i] = t.1
            y[i] = t.1
    After:
        program f(x: input f32[n], y: output f32[n], n: i64):
          parfor i in n:
            let t.1: f32 = exp(x[i])
            y[i] = t.1
    """
    body = program.body
    while True:
        read = _buffers_read(body)
        shorter = _without_writes(body, read)
        if shorter is body:
            return Program(program.name, program.frame, body)
        body = shorter


def _buffers_read(block: Block) -> set[Buffer]:
    found: set[Buffer] = set()
    for statement in every_statement(block):
        for expression in expressions(statement):
            for part in every_part(expression):
                if isinstance(part, (Load, Address)):
                    found.add(part.buffer)
        if isinstance(statement, Call):
            found.update(statement.reads, statement.writes)
    return found


def _without_writes(block: Block, read: set[Buffer]) -> Block:
    kept: list[Statement] = []
    for statement in block:
        if isinstance(statement, (Store, Allocate)) and statement.buffer not in read:
            if statement.buffer.space == "temporary":
                continue
        new = map_blocks(statement, lambda inner: _without_writes(inner, read))
        if isinstance(new, For) and not new.body:
            continue
        kept.append(new)
    return same_block(kept, block)


# ---------------------------------------------------------------- smaller buffers


def shrink_buffers(program: Program, summaries: Summaries | None = None) -> Program:
    """A temporary of which every iteration uses its own slice only becomes that slice.

    Before:
        program f(x: input f32[n, 4], y: output f32[n, 4], n: i64):
          allocate t: f32[n, 4]
          parfor i in n:
            for j in 4:
              t[i, j] = exp(x[i, j])
            for k in 4:
              y[i, k] = t[i, (3 - k)]
    After:
        program f(x: input f32[n, 4], y: output f32[n, 4], n: i64):
          parfor i in n:
            allocate t: f32[4]
            for j in 4:
              t[j] = exp(x[i, j])
            for k in 4:
              y[i, k] = t[(3 - k)]
    """
    summaries = summaries or Summaries(escaping(program.body))
    return Program(program.name, program.frame, _shrink(program.body, summaries))


def _shrink(block: Block, summaries: Summaries) -> Block:
    candidates = [one.buffer for one in block if isinstance(one, Allocate) and one.buffer.shape]
    if not any(map(blocks, block)):
        return block
    statements = list(block)
    users, moved = _users(block, summaries), set[Buffer]()
    for buffer in candidates:
        if len(users.get(buffer, ())) != 1:
            continue
        (place,) = users[buffer]
        loop = statements[place]
        if isinstance(loop, For) and (axis := _private_axis(loop, buffer)) is not None:
            statements[place] = _with_slice(loop, buffer, axis)
            moved.add(buffer)
    kept = [one for one in statements if not (isinstance(one, Allocate) and one.buffer in moved)]
    return map_compound(
        same_block(kept, block),
        lambda one: map_blocks(one, lambda inner: _shrink(inner, summaries)),
    )


def _users(block: Block, summaries: Summaries) -> dict[Buffer, list[int]]:
    """Which statements of a block touch a buffer, but for its `Allocate`."""
    users: dict[Buffer, list[int]] = {}
    for place, statement in enumerate(block):
        if not isinstance(statement, Allocate):
            for buffer in summaries.of(statement).touches:
                users.setdefault(buffer, []).append(place)
    return users


def _private_axis(loop: For, buffer: Buffer) -> int | None:
    """The axis that the loop's index, and nothing else, indexes everywhere."""
    many: list[Access] = accesses(loop.body).get(buffer, [])
    if not many or any(access.flat(buffer) for access in many):
        return None
    sizes = [part for size in buffer.shape for part in every_part(size)]
    if any(isinstance(part, Variable) and part is loop.index for part in sizes):
        return None
    return common_axis(many, loop.index)


def _with_slice(loop: For, buffer: Buffer, axis: int) -> For:
    shape = buffer.shape[:axis] + buffer.shape[axis + 1 :]
    piece = Buffer(buffer.name, buffer.type, shape, "temporary")

    def change(node: Expression) -> Expression:
        if isinstance(node, Load) and node.buffer is buffer:
            return Load(piece, node.indices[:axis] + node.indices[axis + 1 :])
        return node

    def in_block(block: Block) -> Block:
        return tuple(in_statement(one) for one in block)

    def in_statement(statement: Statement) -> Statement:
        new = with_expressions(statement, lambda one: rewrite(one, change))
        if isinstance(new, Store) and new.buffer is buffer:
            new = Store(piece, new.indices[:axis] + new.indices[axis + 1 :], new.value)
        return with_blocks(new, tuple(in_block(inner) for inner in blocks(new)))

    body = (Allocate(piece), *in_block(loop.body))
    return For(loop.index, loop.extent, body, loop.parallel, loop.reassociate)
