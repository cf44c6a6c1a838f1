"""What is known of a program besides its statements: all that a call of it needs.

Calls need nothing else of the compiler, so code from the disk cache runs without loading the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec
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
        return spec.element.dtype.kind == "string"
    return isinstance(spec, TensorSpec) and (spec.dtype.kind == "string" or spec.shape.dims is None)


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


class CallbackStep(NamedTuple):
    """One callback: which operation, why it is not native, how its operands are passed.

    Operands are ("array", dtype, rank), ("object",), ("state", number) or ("list", spec).
    `touched`: the inputs that are variables which Python may read or assign meanwhile, and which
    native code looks into.
    """

    operation: Application
    reason: str
    operands: tuple[tuple[Any, ...], ...]
    touched: frozenset[int]

    def __str__(self) -> str:
        operation = self.operation
        return f"{operation.op.name} '{operation.name}' ({operation.line}): {self.reason}"


class InputLayout(NamedTuple):
    """How one input lies in the frame: its words start at `word`, then one per unknown size."""

    kind: str  # array, state, list, object
    word: int
    spec: Any
    written: bool = False

    @property
    def sizes(self) -> tuple[int | None, ...]:
        """The sizes of the array, or of the variable's."""
        spec = self.spec.state if isinstance(self.spec, ResourceSpec) else self.spec
        return spec.shape.as_tuple()


class Lowered(NamedTuple):
    """A program, and what its caller must know to call it.

    `inputs[k]` are the frame entries of input k: a Buffer (its address), or a Variable (a pointer
    or a size). `outputs[k]` is the spec of output k, or the number of the input that it is.
    """

    program: Program | None  # None once there is machine code
    frame_entries: int
    inputs: tuple[InputLayout, ...]
    outputs: tuple[Any, ...]
    counters: tuple[bool, ...]  # one per hidden counter: whether its stream has a seed
    failures: tuple[Failure, ...]
    steps: tuple[CallbackStep, ...]
    objects: tuple[Any, ...]
    carried: int = 0  # how many places for Python objects branches and loops have

    @property
    def is_plain(self) -> bool:
        """Only arrays and variables go in, only arrays come out, nothing calls back."""
        return (
            not self.steps
            and not self.objects
            and all(layout.kind in ("array", "state") for layout in self.inputs)
            and all(isinstance(one, (int, TensorSpec)) for one in self.outputs)
        )
