"""What need not go through memory, and memory that need not be so large."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain

from ....core.process.named_tuples import NamedTuple
from ..effects import Access, Effects, Summaries, accesses, common_axis, escaping
from ..ir import (
    Address,
    Allocate,
    Buffer,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    NativeCall,
    Program,
    Statement,
    Store,
)
from ..walk import (
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
    with_buffers,
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
    body = _Forwarder(summaries).block(program.body)
    return Program(program.name, program.frame, body)


class _StoredElement(NamedTuple):
    """An element whose value is in a register."""

    element: Load
    value: Expression
    variables: tuple[Local, ...]  # in both


class _Known:
    """What registers hold, in the open blocks: one element of a buffer at most.

    A change costs what it changes: the blocks within take theirs back, nothing is copied.
    """

    def __init__(self) -> None:
        self._stored: dict[Buffer, _StoredElement] = {}
        self._users: dict[Local, set[Buffer]] = {}
        self._shared: set[Buffer] = set()  # those that pointers may change
        self._changes: list[tuple[Buffer, _StoredElement | None]] = []

    def __bool__(self) -> bool:
        return bool(self._stored)

    def value(self, load: Load) -> Expression:
        """What holds a loaded element, or the load itself."""
        known = self._stored.get(load.buffer)
        return load if known is None or known.element is not load else known.value

    def put(self, store: Store) -> None:
        """From now on its value is what its element is."""
        element = Load(store.buffer, store.indices)
        inside = chain(*map(every_part, (*store.indices, store.value)))
        variables = tuple(part for part in inside if isinstance(part, Local))
        self._change(store.buffer, _StoredElement(element, store.value, variables))

    def forget(self, effects: Effects) -> None:
        """Drop what a statement with these effects may change."""
        buffers = [buffer for buffer in effects.writes if buffer in self._stored]
        buffers += self._shared if effects.pointed else ()
        for variable in effects.defines:
            buffers += self._users.get(variable, ())
        for buffer in buffers:
            self._change(buffer, None)

    @contextmanager
    def block(self) -> Generator[None]:
        """What is found within holds within."""
        mark = len(self._changes)
        yield
        while len(self._changes) > mark:
            self._set(*self._changes.pop())

    def _change(self, buffer: Buffer, new: _StoredElement | None) -> None:
        self._changes.append((buffer, self._stored.get(buffer)))
        self._set(buffer, new)

    def _set(self, buffer: Buffer, new: _StoredElement | None) -> None:
        if (old := self._stored.pop(buffer, None)) is not None:
            self._shared.discard(buffer)
            for variable in old.variables:
                self._users[variable].discard(buffer)
        if new is not None:
            self._stored[buffer] = new
            if buffer.space in ("pointer", "state"):
                self._shared.add(buffer)
            for variable in new.variables:
                self._users.setdefault(variable, set()).add(buffer)


class _Forwarder:
    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries
        self.known = _Known()

    def block(self, block: Block) -> Block:
        stored = {one.buffer for one in block if type(one) is Store}
        last_reads = {
            buffer: number
            for number, statement in enumerate(block if stored else ())
            for buffer in stored & self.summaries.of(statement).reads
        }
        result: list[Statement] = []
        with self.known.block():
            for number, statement in enumerate(block):
                new = self._forwarded(statement)
                if isinstance(new, Store) and last_reads.get(new.buffer, -1) > number:
                    new = self._remembered(new, result)
                result.append(new)
        return same_block(result, block)

    def _forwarded(self, statement: Statement) -> Statement:
        effects = self.summaries.of(statement)
        if not blocks(statement):
            new = self._with_known(statement)
            self.known.forget(effects)
            return new
        # What a compound statement computes again and again holds only if it does not change.
        self.known.forget(effects)
        return map_blocks(self._with_known(statement), self.block)

    def _with_known(self, statement: Statement) -> Statement:
        if not self.known:
            return statement
        return with_expressions(statement, lambda one: rewrite(one, self._value))

    def _value(self, node: Expression) -> Expression:
        return self.known.value(node) if isinstance(node, Load) else node

    def _remembered(self, store: Store, result: list[Statement]) -> Store:
        """`store`, its value named in `result`, which what follows may use."""
        if any(isinstance(part, Local) and part.mutable for one in store.indices
               for part in every_part(one)):  # fmt: skip
            return store
        store = _with_named_value(store, result)
        self.known.put(store)
        return store


def _with_named_value(store: Store, result: list[Statement]) -> Store:
    value = store.value
    if isinstance(value, Literal) or (isinstance(value, Local) and not value.mutable):
        return store
    variable = Local(store.buffer.name, value.type)
    result.append(Let(variable, value))
    return Store(store.buffer, store.indices, variable)


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
                if type(part) is Load or type(part) is Address:
                    found.add(part.buffer)
        if isinstance(statement, NativeCall):
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
    if any(isinstance(part, Local) and part is loop.index for part in sizes):
        return None
    return common_axis(many, loop.index)


def _with_slice(loop: For, buffer: Buffer, axis: int) -> For:
    shape = buffer.shape[:axis] + buffer.shape[axis + 1 :]
    piece = Buffer(buffer.name, buffer.type, shape, "temporary")

    def change(node: Expression) -> Expression:
        if isinstance(node, (Load, Address)) and node.buffer is buffer:
            return type(node)(piece, node.indices[:axis] + node.indices[axis + 1 :])
        return node

    def in_block(block: Block) -> Block:
        return tuple(in_statement(one) for one in block)

    def in_statement(statement: Statement) -> Statement:
        new = with_expressions(statement, lambda one: rewrite(one, change))
        if isinstance(new, Store) and new.buffer is buffer:
            new = Store(piece, new.indices[:axis] + new.indices[axis + 1 :], new.value)
        new = with_buffers(new, {buffer: piece})
        return with_blocks(new, tuple(in_block(inner) for inner in blocks(new)))

    body = (Allocate(piece), *in_block(loop.body))
    return For(loop.index, loop.extent, body, loop.parallel, loop.reassociate)
