"""The numbers of `tf.errors`' classes (`tf.compat.v1.errors`)."""

from __future__ import annotations

from ..errors import UNKNOWN, OpError


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The class of errors with a number.

    >>> tf.compat.v1.errors.exception_type_from_error_code(5) is tf.errors.NotFoundError
    True

    Raises:
        KeyError: there is no such number.
    """
    return _classes()[error_code]


def error_code_from_exception_type(cls: type[Exception]) -> int:
    """The number of a class of errors; that of UnknownError, 2, for one that has none.

    >>> tf.compat.v1.errors.error_code_from_exception_type(tf.errors.NotFoundError)
    5
    """
    return next((code for code, one in _classes().items() if one is cls), UNKNOWN)


def _classes() -> dict[int, type[OpError]]:
    """The class of each number: ours, and not those that users derive of them."""
    own = [one for one in OpError.__subclasses__() if one.__module__ == OpError.__module__]
    return {one.code: one for one in own if "code" in vars(one)}
