"""Level 2: loops over buffers. Dataclasses only; what is done with them lives beside this file.

    program main(x: f32[x.0, 4], y: f32[x.0, 4]):
      for i in x.0:
        for j in 4:
          y[i, j] = tanh(x[i, j])

Expressions have no effects, and equal ones are one object (`interning`); statements happen in
order. Types are the short dtype names (f32, i64, bool, ...); indices and sizes are i64; "ptr" is a
machine pointer. Buffers are dense and row-major, their sizes are expressions (usually constants, or
variables bound when the program starts).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, get_args
from typing import Literal as OneOf

from ...core.process.named_tuples import NamedTuple
from .interning import Interned, ProgramPart, bits_of, interned

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Literal(Interned):
    """A literal of type `type`: a Python int, float, bool or complex. -0.0 does not equal 0.0."""

    value: Any
    type: str

    def __new__(cls, value: Any, type: str) -> Literal:
        return interned(cls, (value, type), (bits_of(value), type))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Local(ProgramPart):
    """A loop index, a `Let` register, or (mutable) a register that `Set` changes."""

    name: str
    type: str
    mutable: bool = False


class _Composite(Interned):
    """An expression of others; `loops/walk.py` keeps here what it found to be inside."""

    __slots__ = ("inside",)
    inside: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Apply(_Composite):
    """`function(arguments)`, where function is a name of the scalar language.

    add sub mul div neg, and or xor not, eq ne lt le gt ge, where, cast, min max on i64,
    floor_divide floor_modulo truncate_divide truncate_modulo, bitcast, fma (a product and a sum,
    rounded once where the processor does so quickly), and every name of ops/scalar.py.
    `where` evaluates the chosen side only: the other may lie outside of its buffer. A ptr plus
    an i64 is an address that many bytes further. loops/functions.py has the table of types.
    """

    function: str
    arguments: tuple[Expression, ...]
    type: str

    def __new__(cls, function: str, arguments: tuple[Expression, ...], type: str) -> Apply:
        return interned(cls, (function, arguments, type))


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Load(_Composite):
    """`buffer[indices]`: one index per axis, or a single one that counts in row-major order.

    The single one is printed `buffer[flat i]`; passes write it where they join loops.
    """

    buffer: Buffer
    indices: tuple[Expression, ...]

    def __new__(cls, buffer: Buffer, indices: tuple[Expression, ...]) -> Load:
        return interned(cls, (buffer, indices))

    @property
    def type(self) -> str:
        return self.buffer.type


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Address(_Composite):
    """Where a buffer's elements begin (type "ptr"), or those of one of its slices.

    The slice has these indices on its first axes, and all of the others: a call that takes such
    addresses of a buffer only touches these slices of it.
    """

    buffer: Buffer
    indices: tuple[Expression, ...] = ()

    def __new__(cls, buffer: Buffer, indices: tuple[Expression, ...] = ()) -> Address:
        return interned(cls, (buffer, indices))

    @property
    def type(self) -> str:
        return "ptr"


Expression = Literal | Local | Apply | Load | Address

Space: TypeAlias = OneOf["input", "state", "output", "constant", "temporary", "pointer"]
SPACES: Final[dict[str, Space]] = {space: space for space in get_args(Space)}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Buffer(ProgramPart):
    """Elements in memory.

    space: "input"     given to the program, never written
           "state"     a variable's memory, given to the program, read and written
           "output"    given to the program to be filled; nobody looks at it after a failed `Check`
           "constant"  data of the program, in `data` (a NumPy array), or given (in `frame`)
           "temporary" memory of the program's own; exists from its `Allocate` on
           "pointer"   wherever its `Bind` says, until the block of the `Bind` ends. Meanwhile its
                       elements are touched through no other buffer, unless nobody writes them

    Buffers do not overlap otherwise; inputs may, for nobody writes them.
    """

    name: str
    type: str
    shape: tuple[Expression, ...]
    space: Space
    data: Any = None


# The table of words itself, for calls that want it; always in scope.
FRAME: Final = Local("frame", "ptr")

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let(ProgramPart):
    """Name a value once."""

    variable: Local
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Set(ProgramPart):
    """Change a mutable variable (the first Set makes it)."""

    variable: Local
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Store(ProgramPart):
    """Change one element; indices as in `Load`."""

    buffer: Buffer
    indices: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class For(ProgramPart):
    """`body` with `index` from 0 to `extent` - 1, in order, unless `parallel`.

    parallel: iterations are independent and may be divided between threads.
    reassociate: float additions into mutable variables, and into elements of memory that every
    iteration adds to, may be regrouped (reductions).
    grain: iterations that a thread takes at once. Functions say it of parallel loops; what programs
    do is left to emission.
    """

    index: Local
    extent: Expression
    body: tuple[Statement, ...]
    parallel: bool = False
    reassociate: bool = False
    grain: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat(ProgramPart):
    """`before`; leave unless `condition`; `body`; again."""

    before: tuple[Statement, ...]
    condition: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Choice(ProgramPart):
    """One of two blocks."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Together(ProgramPart):
    """All of `sides`, one after the other or at the same time: none touches what another changes.

    `turns`: how often each of them goes round its loop, roughly. A side that fails leaves the
    program after those before it are done, whatever the others did meanwhile.
    """

    sides: tuple[tuple[Statement, ...], ...]
    turns: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Allocate(ProgramPart):
    """Give a temporary buffer memory; it is released when the enclosing block ends."""

    buffer: Buffer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bind(ProgramPart):
    """Let a "pointer" buffer lie at `address`."""

    buffer: Buffer
    address: Expression


CALL: Final = 10_000  # the work of a call of run-time support
LONG: Final = 625_000  # of one that takes microseconds at least, and may take much longer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NativeCall(ProgramPart):
    """Call a function: level-2 code, a product, a callback into Python, an output.

    `reads` and `writes` name the buffers whose elements it touches. `pure`: it does nothing else,
    so it may move among other effects, and any thread may call it. Its address arguments are not
    kept after it returns.
    `work`: how long it takes, roughly, as loops/costs.py has it.
    """

    function: str
    arguments: tuple[Expression, ...]
    result: Local | None = None
    reads: tuple[Buffer, ...] = ()
    writes: tuple[Buffer, ...] = ()
    pure: bool = False
    work: int = CALL

    @property
    def is_of_numbers(self) -> bool:
        """Whether it makes a number of numbers, and that is all."""
        return self.pure and not (self.reads or self.writes) and self.result is not None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Check(ProgramPart):
    """Where `condition` is false: leave the program with error number `error` and `values`."""

    condition: Expression
    error: int
    values: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Return(ProgramPart):
    """Leave a function with its result; programs have none."""

    value: Expression | None = None


Statement = (
    Let
    | Set
    | Store
    | For
    | Repeat
    | Choice
    | Together
    | Allocate
    | Bind
    | NativeCall
    | Check
    | Return
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program(ProgramPart):
    """A whole compiled function.

    `frame` lists what the caller's table of 64-bit words holds, in order: a Buffer's entry is its
    address, a Local's its value. The program returns 0, or 1 after a failed `Check`, whose
    error number and values are then in the frame's last words: one for the number (-1: memory ran
    out), eight for values.
    """

    name: str
    frame: tuple[Buffer | Local, ...]
    body: tuple[Statement, ...]


Hint: TypeAlias = OneOf["", "inline", "apart"]
HINTS: Final[dict[str, Hint]] = {hint: hint for hint in get_args(Hint)}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NativeFunction(ProgramPart):
    """What programs, and other functions, call by its name.

    Its buffers are "pointer" buffers, and small temporary ones of known size, which lie on the
    stack. Nothing is known of how buffers overlap, so no pass changes a function; LLVM does. A
    failed `Check` leaves the function, its callers and the program.

    hint: "inline"  always copied to where it is called
          "apart"   never
          ""        as LLVM thinks best
    """

    name: str
    parameters: tuple[Local, ...]
    result: str | None
    body: tuple[Statement, ...]
    hint: Hint = ""


class Signature(NamedTuple):
    """The types that a function takes and gives."""

    parameters: tuple[str, ...]
    result: str | None = None
