# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.errors`: what goes wrong, and its numbers."""

from ..errors import ABORTED as ABORTED
from ..errors import ALREADY_EXISTS as ALREADY_EXISTS
from ..errors import AbortedError as AbortedError
from ..errors import AlreadyExistsError as AlreadyExistsError
from ..errors import CANCELLED as CANCELLED
from ..errors import CancelledError as CancelledError
from ..errors import DATA_LOSS as DATA_LOSS
from ..errors import DEADLINE_EXCEEDED as DEADLINE_EXCEEDED
from ..errors import DataLossError as DataLossError
from ..errors import DeadlineExceededError as DeadlineExceededError
from ..errors import FAILED_PRECONDITION as FAILED_PRECONDITION
from ..errors import FailedPreconditionError as FailedPreconditionError
from ..errors import INTERNAL as INTERNAL
from ..errors import INVALID_ARGUMENT as INVALID_ARGUMENT
from ..errors import InternalError as InternalError
from ..errors import InvalidArgumentError as InvalidArgumentError
from ..errors import NOT_FOUND as NOT_FOUND
from ..errors import NotFoundError as NotFoundError
from ..errors import OK as OK
from ..errors import OUT_OF_RANGE as OUT_OF_RANGE
from ..errors import OpError as OpError
from ..errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from ..errors import OutOfRangeError as OutOfRangeError
from ..errors import PERMISSION_DENIED as PERMISSION_DENIED
from ..errors import PermissionDeniedError as PermissionDeniedError
from ..errors import RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED
from ..errors import ResourceExhaustedError as ResourceExhaustedError
from ..errors import UNAUTHENTICATED as UNAUTHENTICATED
from ..errors import UNAVAILABLE as UNAVAILABLE
from ..errors import UNIMPLEMENTED as UNIMPLEMENTED
from ..errors import UNKNOWN as UNKNOWN
from ..errors import UnauthenticatedError as UnauthenticatedError
from ..errors import UnavailableError as UnavailableError
from ..errors import UnimplementedError as UnimplementedError
from ..errors import UnknownError as UnknownError
from ..version_one.error_codes import error_code_from_exception_type as error_code_from_exception_type
from ..version_one.error_codes import exception_type_from_error_code as exception_type_from_error_code

__all__ = ['ABORTED', 'ALREADY_EXISTS', 'AbortedError', 'AlreadyExistsError', 'CANCELLED', 'CancelledError', 'DATA_LOSS', 'DEADLINE_EXCEEDED', 'DataLossError', 'DeadlineExceededError', 'FAILED_PRECONDITION', 'FailedPreconditionError', 'INTERNAL', 'INVALID_ARGUMENT', 'InternalError', 'InvalidArgumentError', 'NOT_FOUND', 'NotFoundError', 'OK', 'OUT_OF_RANGE', 'OpError', 'OperatorNotAllowedInGraphError', 'OutOfRangeError', 'PERMISSION_DENIED', 'PermissionDeniedError', 'RESOURCE_EXHAUSTED', 'ResourceExhaustedError', 'UNAUTHENTICATED', 'UNAVAILABLE', 'UNIMPLEMENTED', 'UNKNOWN', 'UnauthenticatedError', 'UnavailableError', 'UnimplementedError', 'UnknownError', 'error_code_from_exception_type', 'exception_type_from_error_code']
