"""The shortest way from a call to native code, where it looks like the call before."""

from __future__ import annotations

from typing import Any, Final

from ..eager.tensor import EagerTensor

TENSOR: Final = object()
_PLAIN: Final = (int, bool, str, bytes, type(None))

# For each positional argument TENSOR, or the Python value that it must equal; None: all tensors.
Pattern = tuple[Any, ...]


def pattern_of(args: tuple[Any, ...]) -> Pattern | None:
    """What calls like this one look like; raises LookupError where that cannot be said so shortly.

    Only eager tensors and Python values that are compared at no cost are short enough.
    """
    pattern: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is EagerTensor:
            pattern.append(TENSOR)
        elif kind in _PLAIN or kind is float and arg == arg and arg:
            pattern.append(arg)
        else:
            raise LookupError(kind)
    return None if all(one is TENSOR for one in pattern) else tuple(pattern)


def tensors_of(pattern: Pattern, args: tuple[Any, ...]) -> list[Any] | None:
    """The tensors among `args`, or None where the rest is not as before."""
    if len(args) != len(pattern):
        return None
    tensors: list[Any] = []
    for wanted, arg in zip(pattern, args, strict=True):
        if wanted is TENSOR:
            tensors.append(arg)
        elif arg is not wanted and (type(arg) is not type(wanted) or arg != wanted):
            return None
    return tensors
