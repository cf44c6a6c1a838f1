"""`raise`: which exceptions are the user's own.

An exception says so itself, in an attribute: the built-in classes allow no weak references.
"""

from __future__ import annotations

from typing import Any, Final

from . import tensors

RAISED: Final = "_is_raised_by_user"


def raised(error: Any) -> Any:
    """What `raise error` is to raise; noted if it has not been raised by somebody else before."""
    if not tensors.building_graph():
        return error
    is_class = isinstance(error, type) and issubclass(error, BaseException)
    made = error() if is_class else error
    if not isinstance(made, BaseException):
        return error  # Python says what is wrong with it
    if made.__traceback__ is None:
        vars(made)[RAISED] = True
    return made
