"""`tf.errors`: what goes wrong."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "errors": (
        "AbortedError AlreadyExistsError CancelledError DataLossError DeadlineExceededError "
        "FailedPreconditionError InternalError InvalidArgumentError NotFoundError OpError "
        "OperatorNotAllowedInGraphError OutOfRangeError PermissionDeniedError "
        "ResourceExhaustedError UnauthenticatedError UnavailableError UnimplementedError "
        "UnknownError "
        "OK ABORTED ALREADY_EXISTS CANCELLED DATA_LOSS DEADLINE_EXCEEDED FAILED_PRECONDITION "
        "INTERNAL INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE PERMISSION_DENIED RESOURCE_EXHAUSTED "
        "UNAUTHENTICATED UNAVAILABLE UNIMPLEMENTED UNKNOWN"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
