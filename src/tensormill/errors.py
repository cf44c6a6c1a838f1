"""Every exception of the library, with TensorFlow's names and codes.

    Exception
    └── OpError                           .message .error_code .op .node_def
        ├── CancelledError            1   ├── OutOfRangeError       11
        ├── UnknownError              2   ├── UnimplementedError    12
        ├── InvalidArgumentError      3   ├── InternalError         13
        │   ├── ShapeMismatchError  (also ValueError)
        │   │   └── KnownShapeError
        │   ├── DTypeMismatchError  (also TypeError)
        │   │   ├── KnownDTypeError
        │   │   └── ConversionDTypeError  (also ValueError)
        │   ├── ElementIndexError   (also OutOfRangeError and IndexError)
        │   │   ├── ListIndexError
        │   │   └── GatheredIndexError
        │   ├── RowIndexError       (also IndexError)
        │   └── CheckError          (also AssertionError)
        ├── DeadlineExceededError     4   ├── UnavailableError      14
        ├── NotFoundError             5   ├── DataLossError         15
        ├── AlreadyExistsError        6   └── UnauthenticatedError  16
        ├── PermissionDeniedError     7
        ├── ResourceExhaustedError    8
        ├── FailedPreconditionError   9
        │   └── ChannelCountError   (also ValueError)
        └── AbortedError             10
    TypeError  └── OperatorNotAllowedInGraphError
    TypeError, ValueError  └── InaccessibleTensorError
    Exception  └── StagingError

TensorFlow raises one class for a mistake in eager code and another for the same mistake while
tracing. `ShapeMismatchError` and `DTypeMismatchError` are both at once, so code that catches
either keeps working. Each is called as TensorFlow's class is where it was raised: programs print
`type(error).__name__`, and so does Python.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final, Self, TypeVar, cast


class OpError(Exception):
    """An operation failed. `message` is the text, `error_code` TensorFlow's number."""

    code: ClassVar[int] = 2
    place: str = ""  # how the message ends, where that is the user's line
    node_def: Any = None
    op: Any = None
    message: str = ""

    def __init__(
        self, node_def: Any = None, op: Any = None, message: str | None = None, *details: Any
    ) -> None:
        if message is None:  # our own code passes the message alone
            node_def, message = None, str(node_def)
        super().__init__(message, *details)
        self.node_def = node_def
        self.op = op
        self.message = message

    @property
    def experimental_payloads(self) -> dict[Any, Any]:
        """What else was told of the error: the dict that it was made with, or nothing."""
        told = self.args[-1] if len(self.args) > 1 else None
        return dict(cast("dict[Any, Any]", told)) if isinstance(told, dict) else {}

    @property
    def error_code(self) -> int:
        """TensorFlow's number of the class: `tf.errors.NOT_FOUND` and its like."""
        told = self.args[1:2]
        return told[0] if type(self) is OpError and told else self.code

    def __str__(self) -> str:
        return self.message


class CancelledError(OpError):
    """What the operation was part of was stopped."""

    code = 1


class UnknownError(OpError):
    """Something failed, and nobody knows more."""

    code = 2


class InvalidArgumentError(OpError):
    """An operand or attribute is none that the operation can work with."""

    code = 3


class DeadlineExceededError(OpError):
    """Something took longer than it may."""

    code = 4


class NotFoundError(OpError):
    """A file, a key or a name is not there."""

    code = 5


class AlreadyExistsError(OpError):
    """What was to be made is there already."""

    code = 6


class PermissionDeniedError(OpError):
    """The user may not do that to the file."""

    code = 7


class ResourceExhaustedError(OpError):
    """Memory or another supply is used up."""

    code = 8


class FailedPreconditionError(OpError):
    """The state does not allow it: a variable has no value yet."""

    code = 9


class AbortedError(OpError):
    """Somebody else's work was in the way; another try may succeed."""

    code = 10


class OutOfRangeError(OpError):
    """There are no more elements: an iterator is at its end."""

    code = 11


class UnimplementedError(OpError):
    """The operation does not do that."""

    code = 12


class InternalError(OpError):
    """Something is wrong with the library itself."""

    code = 13


class UnavailableError(OpError):
    """A service cannot be reached now."""

    code = 14


class DataLossError(OpError):
    """A file is damaged."""

    code = 15


class UnauthenticatedError(OpError):
    """A service does not know who asks."""

    code = 16


class Tracing:
    """Whether a function is being traced here: `core/context.py` says it."""

    def __init__(self) -> None:
        self.is_on: Callable[[], bool] = lambda: False


tracing: Final = Tracing()


class BothWays(OpError):
    """What TensorFlow raises as one class eagerly and as another while tracing."""

    origin: ClassVar[
        tuple[str, str]
    ]  # the module and the name of the class, which it is not called
    traced: ClassVar[type[Any] | None] = None  # the same class as it is called in traces

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        chosen = cls.__dict__.get("traced") if tracing.is_on() else None
        return super().__new__(chosen or cls, *args, **kwargs)

    def __reduce__(self) -> Any:
        is_traced = type(self) is self.traced
        return _made_again, (self.origin, is_traced, self.args, self.__dict__)


def _made_again(
    origin: tuple[str, str], is_traced: bool, args: tuple[Any, ...], state: dict[str, Any]
) -> Any:
    module, name = origin
    kind = getattr(sys.modules[module], name)
    chosen: Any = kind.traced if is_traced else kind
    made = chosen.__new__(chosen, *args)
    made.__dict__.update(state)
    return made


def own_name(kind: type[Exception]) -> str:
    """What a class is called in this module."""
    return kind.origin[1] if issubclass(kind, BothWays) else kind.__name__


Kind = TypeVar("Kind", bound=type[BothWays])


def called(eager: str, traced: str) -> Callable[[Kind], Kind]:
    """A decorator: what TensorFlow calls such an error, eagerly and while tracing."""

    def with_names(kind: Kind) -> Kind:
        kind.origin = (kind.__module__, kind.__name__)
        kind.traced = type(traced, (kind,), {"__doc__": kind.__doc__})
        for one, name in ((kind, eager), (kind.traced, traced)):
            one.__name__ = one.__qualname__ = name
            one.__module__ = "builtins" if hasattr(builtins, name) else __name__
        return kind

    return with_names


@called("InvalidArgumentError", "ValueError")
class ShapeMismatchError(BothWays, InvalidArgumentError, ValueError):
    """Shapes that cannot go together, found eagerly or while tracing."""


@called("ValueError", "ValueError")
class KnownShapeError(ShapeMismatchError):
    """Shapes that TensorFlow compares before it runs anything: a ValueError, eagerly too."""


@called("FailedPreconditionError", "ValueError")
class ChannelCountError(BothWays, FailedPreconditionError, ValueError):
    """An image of other channels than these, found eagerly or while tracing."""


@called("InvalidArgumentError", "ValueError")
class ChoiceError(BothWays, InvalidArgumentError, ValueError):
    """An attribute that is none of the values which it may have, found eagerly or while tracing."""


@called("InvalidArgumentError", "TypeError")
class DTypeMismatchError(BothWays, InvalidArgumentError, TypeError):
    """Dtypes that cannot go together, found eagerly or while tracing."""


@called("TypeError", "TypeError")
class KnownDTypeError(DTypeMismatchError):
    """A dtype that TensorFlow looks at before it runs anything: a TypeError, eagerly too."""


@called("NotFoundError", "InvalidArgumentError")
class KernelMissingError(DTypeMismatchError, NotFoundError):
    """A dtype that the definition of an operation takes, and no kernel does."""


@called("ValueError", "ValueError")
class ConversionDTypeError(DTypeMismatchError, ValueError):
    """A tensor of another dtype than is asked for: its class depends on who asks TensorFlow."""


@called("ValueError", "TypeError")
class UnsupportedValueError(BothWays, InvalidArgumentError, ValueError, TypeError):
    """A value that no tensor can hold."""


@called("OutOfRangeError", "InvalidArgumentError")
class ElementIndexError(BothWays, InvalidArgumentError, OutOfRangeError, IndexError):
    """A TensorArray has no such element: TensorFlow's class depends on who runs the program."""


@called("InvalidArgumentError", "InvalidArgumentError")
class ListIndexError(ElementIndexError):
    """A TensorArray in a graph has no such element."""


@called("IndexError", "InvalidArgumentError")
class GatheredIndexError(ElementIndexError):
    """One of several elements of a TensorArray is not there."""


@called("InvalidArgumentError", "ValueError")
class RowIndexError(BothWays, InvalidArgumentError, IndexError):
    """A ragged tensor has no such row, a tensor no such axis to be summed over: TensorFlow's class
    depends on the number's sign, and on what is known while tracing.
    """


@called("IndexError", "ValueError")
class RowKeyError(RowIndexError):
    """A ragged tensor has fewer rows than this one's number."""


@called("InvalidArgumentError", "InvalidArgumentError")
class CheckError(BothWays, InvalidArgumentError, AssertionError):
    """`assert` or `tf.debugging.Assert` found something false: one class however it is run."""


class OperatorNotAllowedInGraphError(TypeError):
    """A symbolic tensor was used where Python needs a concrete value."""


class NoDatasetError(TypeError, AttributeError):
    """A tensor where a dataset is wanted: TensorFlow asks tensors for a dataset's attributes."""


class InaccessibleTensorError(TypeError, ValueError):
    """A symbolic tensor was used outside of the function that made it."""


class UserRaised(OpError):
    """Stands in compiled code for an exception of the user's, which is raised in its place."""


class StagingError(Exception):
    """An error in converted code whose own class cannot be rebuilt from one message."""


# What TensorFlow calls the numbers of the classes; they are gRPC's.
OK: Final = 0
CANCELLED: Final = CancelledError.code
UNKNOWN: Final = UnknownError.code
INVALID_ARGUMENT: Final = InvalidArgumentError.code
DEADLINE_EXCEEDED: Final = DeadlineExceededError.code
NOT_FOUND: Final = NotFoundError.code
ALREADY_EXISTS: Final = AlreadyExistsError.code
PERMISSION_DENIED: Final = PermissionDeniedError.code
RESOURCE_EXHAUSTED: Final = ResourceExhaustedError.code
FAILED_PRECONDITION: Final = FailedPreconditionError.code
ABORTED: Final = AbortedError.code
OUT_OF_RANGE: Final = OutOfRangeError.code
UNIMPLEMENTED: Final = UnimplementedError.code
INTERNAL: Final = InternalError.code
UNAVAILABLE: Final = UnavailableError.code
DATA_LOSS: Final = DataLossError.code
UNAUTHENTICATED: Final = UnauthenticatedError.code

_OF_DEVICES: Final = {
    "INVALID_ARGUMENT": InvalidArgumentError,
    "RESOURCE_EXHAUSTED": ResourceExhaustedError,
    "UNIMPLEMENTED": UnimplementedError,
    "INTERNAL": InternalError,
    "UNAVAILABLE": UnavailableError,
    "DATA_LOSS": DataLossError,
}


_DISPATCHING: Final = "Error dispatching computation: "
_NO_MEMORY: Final = "Out of memory"


def error_of_device(error: RuntimeError) -> RuntimeError | OpError:
    """What a program on a device died of, as an error of ours; another error, as it is.

    JAX has one class for them, and begins their texts with the name of a number above.
    """
    name, _, text = str(error).partition(": ")
    text = text.replace(_DISPATCHING, "")  # said once for each program that the error went through
    kind = ResourceExhaustedError if text.startswith(_NO_MEMORY) else _OF_DEVICES.get(name)
    return error if kind is None else kind(f"a function failed on its device: {text}")
