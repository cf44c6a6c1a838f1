"""Long reductions are added up in blocks, which threads may share."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ..costs import BLOCK_WORK, PARALLEL_WORK, known_cost
from ..effects import Summaries
from ..functions import KIND, SIZE
from ..ir import (
    Allocate,
    Apply,
    Buffer,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    Program,
    Set,
    Statement,
    Store,
)
from ..walk import (
    Block,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    renewed,
    replace_compound,
    substitute,
)
from .parallel import made_first, register_reads
from .simplify import fold

_NAMES: Final = {
    "add": "add", "sub": "add", "mul": "mul", "fma": "add",
    "max": "max", "maximum": "max", "min": "min", "minimum": "min",
    "or": "or", "logical_or": "or", "and": "and", "logical_and": "and",
}  # fmt: skip


def block_sums(program: Program, summaries: Summaries | None = None) -> Program:
    """A long reduction becomes reductions of blocks, and one of their results.

    Blocks are the same for any number of threads, so the sum is, too.

    Before:
        program f(x: input f32[n], y: output f32[], n: i64):
          set sum: f32 = 0.0
          for i in n reassociate:
            set sum = (sum + exp(x[i]))
          y[] = sum
    After:
        program f(x: input f32[n], y: output f32[], n: i64):
          set sum: f32 = 0.0
          if (n > 81920):
            allocate sum.parts: f32[((n + 16383) // 16384)]
            parfor i.block in ((n + 16383) // 16384):
              set sum.part: f32 = 0.0
              for i in min(16384, (n - (i.block * 16384))) reassociate:
                set sum.part = (sum.part + exp(x[((i.block * 16384) + i)]))
              sum.parts[i.block] = sum.part
            for i.block.1 in ((n + 16383) // 16384) reassociate:
              set sum = (sum + sum.parts[i.block.1])
          else:
            for i.1 in n reassociate:
              set sum = (sum + exp(x[i.1]))
          y[] = sum
    """
    mentions = _mentions(program.body)
    return Program(program.name, program.frame, _in_block(program.body, mentions))


def _in_block(block: Block, mentions: Counter[Local]) -> Block:
    return replace_compound(block, lambda one: _statement(one, mentions))


def _statement(statement: Statement, mentions: Counter[Local]) -> Block:
    if not isinstance(statement, For):
        return (map_blocks(statement, lambda block: _in_block(block, mentions)),)
    found = None if statement.parallel else _reductions(statement, mentions)
    if not found or all(register.type == "bool" for register in found):
        return (statement,)  # flags are as quick as memory
    work = known_cost(statement.body)
    step = 1 << (max(BLOCK_WORK // max(work, 1), 1).bit_length() - 1)
    long = step * (PARALLEL_WORK // BLOCK_WORK)
    if isinstance(statement.extent, Literal):
        if statement.extent.value <= long:
            return (statement,)
        return _in_parts(statement, found, step)
    is_long = Apply("gt", (statement.extent, Literal(long, "i64")), "bool")
    return (Choice(is_long, _in_parts(statement, found, step), _copy(statement)),)


def _copy(loop: For) -> Block:
    """The loop as it was, with names of its own inside."""
    return renewed((loop,), lambda _: True)


def _reductions(loop: For, mentions: Counter[Local]) -> dict[Local, str] | None:
    """The registers that a loop changes and does not make, and how; None if it does more."""
    changed: dict[Local, set[str]] = {}
    if not _look(loop.body, loop.reassociate, changed):
        return None
    made = _made(loop.body, set(changed), mentions)
    outer = {variable: ways for variable, ways in changed.items() if variable not in made}
    if any(len(ways) > 1 or "" in ways for ways in outer.values()):
        return None
    if any(_is_read_otherwise(loop, one) for one in outer):
        return None
    return {variable: next(iter(ways)) for variable, ways in outer.items()}


def _look(block: Block, regroup: bool, changed: dict[Local, set[str]]) -> bool:
    """Collect which registers a block changes, and how; False where it does more than that."""
    for statement in block:
        if isinstance(statement, Set):
            how = combined_by(statement.value, statement.variable, regroup)
            changed.setdefault(statement.variable, set()).add(how)
        elif isinstance(statement, For):
            if not _look(statement.body, statement.reassociate, changed):
                return False
        elif not isinstance(statement, Let):
            return False
    return True


def _made(block: Block, changed: set[Local], mentions: Counter[Local]) -> set[Local]:
    """Registers that every run of a block, or of a loop's body in it, makes for itself."""
    inside = _mentions(block)
    made = {one for one in made_first(block, changed) if inside[one] == mentions[one]}
    for statement in block:
        if isinstance(statement, For):
            made |= _made(statement.body, changed, mentions)
    return made


def _mentions(block: Block) -> Counter[Local]:
    """How often registers are read and set."""
    sets = Counter(one.variable for one in every_statement(block) if isinstance(one, Set))
    return register_reads(block) + sets


def combined_by(value: Expression, before: Expression, regroup: bool) -> str:
    """add, mul, …: how a value is what was there `before` and something else; "" if it is not, or
    in order only.
    """
    if not isinstance(value, Apply) or value.function not in _NAMES:
        return ""
    place = 2 if value.function == "fma" else 0
    if value.arguments[place] is not before:
        return ""
    others = value.arguments[:place] + value.arguments[place + 1 :]
    if any(part is before for other in others for part in every_part(other)):
        return ""
    name = _NAMES[value.function]
    in_order = KIND[value.type] in "fc" and name in ("add", "mul") and not regroup
    return "" if in_order else name


def _is_read_otherwise(loop: For, register: Local) -> bool:
    """Whether anything but its own changes looks at the register."""
    reads = sum(
        part is register
        for statement in every_statement(loop.body)
        for expression in expressions(statement)
        for part in every_part(expression)
    )
    sets = sum(
        isinstance(one, Set) and one.variable is register for one in every_statement(loop.body)
    )
    return reads != sets or any(part is register for part in every_part(loop.extent))


def _in_parts(loop: For, registers: dict[Local, str], step: int) -> Block:
    size = Literal(step, "i64")
    above = fold(Apply("add", (loop.extent, Literal(step - 1, "i64")), "i64"))
    count = fold(Apply("floor_divide", (above, size), "i64"))
    block, again = (Local(f"{loop.index.name}.block", "i64") for _ in range(2))
    clear: list[Statement] = []
    keep: list[Statement] = []
    join: list[Statement] = []
    memory: list[Statement] = []
    known: dict[Local, Local] = {}
    for register, function in registers.items():
        part = Local(f"{register.name}.part", register.type, mutable=True)
        parts = Buffer(f"{register.name}.parts", register.type, (count,), "temporary")
        known[register] = part
        memory.append(Allocate(parts))
        clear.append(Set(part, Literal(identity(function, register.type), register.type)))
        keep.append(Store(parts, (block,), part))
        joined = Apply(function, (register, Load(parts, (again,))), register.type)
        join.append(Set(register, joined))
    body = (*clear, _one_block(loop, known, block, size), *keep)
    joining = For(again, count, tuple(join), reassociate=loop.reassociate)
    return (*memory, For(block, count, body, parallel=True), joining)


def _one_block(loop: For, known: dict[Local, Local], block: Local, size: Literal) -> Statement:
    start = Apply("mul", (block, size), "i64")
    left = Apply("sub", (loop.extent, start), "i64")
    index = Local(loop.index.name, "i64")
    place = Apply("add", (start, index), "i64")
    extent = Apply("min", (size, left), "i64")
    body = with_registers(substitute(loop.body, {loop.index: place, **known}), known)
    return For(index, extent, body, reassociate=loop.reassociate)


def with_registers(block: Block, known: dict[Local, Local]) -> Block:
    return tuple(_with_register(one, known) for one in block)


def _with_register(statement: Statement, known: dict[Local, Local]) -> Statement:
    if isinstance(statement, Set) and statement.variable in known:
        return Set(known[statement.variable], statement.value)
    return map_blocks(statement, lambda inner: with_registers(inner, known))


def identity(function: str, type_: str) -> Any:
    """What changes nothing, put together with a number by a function."""
    kind = KIND[type_]
    match function:
        case "add":
            return {"f": 0.0, "c": 0j}.get(kind, 0)
        case "mul":
            return {"f": 1.0, "c": 1 + 0j}.get(kind, 1)
        case "or":
            return False if kind == "b" else 0
        case "and":
            return True if kind == "b" else -1
        case "max":
            return _extreme(type_, lowest=True)
        case _:
            return _extreme(type_, lowest=False)


def _extreme(type_: str, lowest: bool) -> Any:
    bits = 8 * SIZE[type_]
    match KIND[type_]:
        case "b":
            return not lowest
        case "f":
            return float("-inf") if lowest else float("inf")
        case "u":
            return 0 if lowest else 2**bits - 1
        case "i":
            return -(2 ** (bits - 1)) if lowest else 2 ** (bits - 1) - 1
        case "c" | "p":
            raise TypeError(f"{type_} has no extremes")
