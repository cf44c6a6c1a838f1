"""`tf.errors`: what goes wrong."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "errors": (
        "AbortedError AlreadyExistsError CancelledError DataLossError DeadlineExceededError "
        "FailedPreconditionError InternalError InvalidArgumentError NotFoundError OpError "
        "OperatorNotAllowedInGraphError OutOfRangeError PermissionDeniedError "
        "ResourceExhaustedError UnauthenticatedError UnavailableError UnimplementedError "
        "UnknownError"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)

# The numbers of the classes, as gRPC has them.
OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16
