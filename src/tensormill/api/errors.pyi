# Written by `make stubs` from the table beside it.

"""`tf.errors`: what goes wrong."""

from ..errors import AbortedError as AbortedError
from ..errors import AlreadyExistsError as AlreadyExistsError
from ..errors import CancelledError as CancelledError
from ..errors import DataLossError as DataLossError
from ..errors import DeadlineExceededError as DeadlineExceededError
from ..errors import FailedPreconditionError as FailedPreconditionError
from ..errors import InternalError as InternalError
from ..errors import InvalidArgumentError as InvalidArgumentError
from ..errors import NotFoundError as NotFoundError
from ..errors import OpError as OpError
from ..errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from ..errors import OutOfRangeError as OutOfRangeError
from ..errors import PermissionDeniedError as PermissionDeniedError
from ..errors import ResourceExhaustedError as ResourceExhaustedError
from ..errors import UnauthenticatedError as UnauthenticatedError
from ..errors import UnavailableError as UnavailableError
from ..errors import UnimplementedError as UnimplementedError
from ..errors import UnknownError as UnknownError

__all__ = ['AbortedError', 'AlreadyExistsError', 'CancelledError', 'DataLossError', 'DeadlineExceededError', 'FailedPreconditionError', 'InternalError', 'InvalidArgumentError', 'NotFoundError', 'OpError', 'OperatorNotAllowedInGraphError', 'OutOfRangeError', 'PermissionDeniedError', 'ResourceExhaustedError', 'UnauthenticatedError', 'UnavailableError', 'UnimplementedError', 'UnknownError']
