"""What is known of a program besides its statements: all that a call of it needs.

Calls need nothing else of the compiler, so code from the disk cache runs without loading the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..core.dtypes import DType
from ..core.process.named_tuples import NamedTuple
from ..core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, ValueSpec
from ..graph.ir import Application

if TYPE_CHECKING:
    from .loops.ir import Program

NO_MEMORY: Final = -1  # the error number of a failed allocation
INTERRUPTED: Final = -3  # the error number of "a signal's handler raised; Python knows what"
FAILED: Final = -2  # the error number of "Python raised; the exception is kept"


def stays_in_python(spec: Any) -> bool:
    """Whether values of this spec are opaque to native code (variables are not such values)."""
    if isinstance(spec, ObjectSpec):
        return True
    if isinstance(spec, ListSpec):
        return spec.element.dtype.stays_in_python
    if not isinstance(spec, TensorSpec):
        return False
    return spec.dtype.stays_in_python or spec.shape.entries is None


def result_places(operation: Application) -> list[int]:
    """Where the words of each result begin (its address, then its sizes), and where they end."""
    places = [0]
    for value in operation.results:
        places.append(places[-1] + 1 + known_rank(value.spec))
    return places


def known_rank(spec: Any) -> int:
    """The rank of a tensor that native code looks into; 0 for everything else."""
    if stays_in_python(spec) or not isinstance(spec, TensorSpec):
        return 0
    return spec.shape.rank or 0


class Failure(NamedTuple):
    """What to raise where a `Check` fails: `error(message.format(*values))` at `operation`."""

    error: type[Exception]
    message: str
    operation: Application | None


class ArrayOperand(NamedTuple):
    """Passed to a callback as its address and its sizes."""

    dtype: DType
    rank: int


class ListOperand(NamedTuple):
    """Passed to a callback as its address."""

    spec: ListSpec


class VariableOperand(NamedTuple):
    """The variable that is this input of the program: nothing is passed to a callback."""

    number: int


class ObjectOperand(NamedTuple):
    """A Python object, passed to a callback as its address."""


CallbackOperand: TypeAlias = ArrayOperand | ListOperand | VariableOperand | ObjectOperand


class CallbackStep(NamedTuple):
    """One callback: which operation, why it is not native, how its operands are passed.

    `touched`: the inputs that are variables which Python may read or assign meanwhile, and which
    native code looks into.
    """

    operation: Application
    reason: str
    operands: tuple[CallbackOperand, ...]
    touched: frozenset[int]

    def __str__(self) -> str:
        operation = self.operation
        return f"{operation.op.name} '{operation.name}' ({operation.line}): {self.reason}"


class GivenOutput(NamedTuple):
    """An output that is a result of a callback: the array that Python has already."""

    step: int
    result: int


class ArrayInput(NamedTuple):
    """The address of an array in the frame's `word`, its unknown sizes in those that follow."""

    word: int
    spec: TensorSpec

    @property
    def tensor(self) -> TensorSpec:
        return self.spec


class VariableInput(NamedTuple):
    """A variable's memory, in the same way. `written`: by the program or one of its callbacks."""

    word: int
    spec: ResourceSpec
    written: bool

    @property
    def tensor(self) -> TensorSpec:
        return self.spec.state


class OpaqueVariableInput(NamedTuple):
    """A variable that only callbacks look into: it has no word."""

    spec: ResourceSpec
    written: bool


class ListInput(NamedTuple):
    """The address of a native list."""

    word: int
    spec: ListSpec


class ObjectInput(NamedTuple):
    """The address of a Python object that native code hands on: a string tensor, a dataset."""

    word: int
    spec: ValueSpec


PlainInput: TypeAlias = ArrayInput | VariableInput
Input: TypeAlias = PlainInput | OpaqueVariableInput | ListInput | ObjectInput


class Lowered(NamedTuple):
    """A program, and what its caller must know to call it.

    `inputs[k]` says what input k is, and which of the `frame_entries` words of the frame are its
    own. `outputs[k]` is the spec of output k, or the number of the input that it is, or which
    callback gave it. `objects` are the constants of strings that the program hands on.
    """

    program: Program | None  # None once there is machine code
    frame_entries: int
    inputs: tuple[Input, ...]
    outputs: tuple[Any, ...]
    counters: tuple[bool, ...]  # one per hidden counter: whether its stream has a seed
    failures: tuple[Failure, ...]
    steps: tuple[CallbackStep, ...]
    objects: tuple[Any, ...]
    carried: int = 0  # how many places for Python objects branches and loops have

    @property
    def plain_inputs(self) -> tuple[PlainInput, ...]:
        """Those inputs that native code looks into: all that a plain program has."""
        return tuple(one for one in self.inputs if isinstance(one, PlainInput))

    @property
    def unpacked_inputs(self) -> list[tuple[int, int, list[int]]]:
        """Which of the inputs are arrays (a variable's, too), their words, and those of their axes
        whose sizes follow.
        """
        found: list[tuple[int, int, list[int]]] = []
        for number, one in enumerate(self.inputs):
            if isinstance(one, PlainInput):
                sizes = enumerate(one.tensor.shape.as_tuple())
                found.append((number, one.word, [axis for axis, size in sizes if size is None]))
        return found

    @property
    def is_plain(self) -> bool:
        """Only arrays and variables go in, only arrays come out, nothing calls back."""
        return (
            not self.steps
            and not self.objects
            and len(self.plain_inputs) == len(self.inputs)
            and all(isinstance(one, (int, TensorSpec)) for one in self.outputs)
        )
