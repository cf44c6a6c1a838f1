"""The shortest way from a call to native code, where it looks like the call before.

A function remembers the native entry of the trace that was called last, and how that call looked:
how many positional arguments, and which values those had that are no tensors. The entry itself
compares types, dtypes and sizes of the tensors, so Python compares nothing else:

    f(x, 3, y)    the trace type is found, a trace called; Pattern: three, [1] is 3
    f(a, 3, b)    the pattern fits: entry(a, b)
    f(a, 4, b)    it does not, and the trace type is computed again (function.py)
    f(n, 3, b)    it does, but the entry gives NotImplemented for n's dtype: the same

Values that cannot be compared quickly and surely (floats that are zero or NaN, objects) have none.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final

from ..eager.tensor import EagerTensor

# Python values that are compared at no cost, and only equal to their like.
PLAIN: Final = (int, bool, str, bytes, type(None))


class Pattern:
    """Positional arguments of which some are Python values that must be as before."""

    __slots__ = ("_count", "_pick", "_values")

    def __init__(self, args: tuple[Any, ...], tensors: list[int]) -> None:
        self._count = len(args)
        self._values = [(k, arg) for k, arg in enumerate(args) if k not in tensors]
        self._pick: Any = _picker(tensors)

    def tensors(self, args: tuple[Any, ...]) -> Any:
        """The tensors among `args`, or None where the rest is not as before."""
        if len(args) != self._count:
            return None
        for position, value in self._values:
            arg = args[position]
            if arg is not value and (type(arg) is not type(value) or arg != value):
                return None
        return self._pick(args)


def _picker(positions: list[int]) -> Any:
    """A function that takes the items at these positions out of a tuple, as a tuple."""
    if positions == list(range(len(positions))):
        return itemgetter(slice(len(positions)))
    if len(positions) == 1:
        return itemgetter(slice(positions[0], positions[0] + 1))
    return itemgetter(*positions)


def pattern_of(args: tuple[Any, ...]) -> Pattern | None:
    """What calls like this one look like; None where all arguments are eager tensors.

    Raises:
        LookupError: it cannot be said so shortly.
    """
    tensors: list[int] = []
    for position, arg in enumerate(args):
        kind: type[Any] = type(arg)  # pyright: ignore[reportUnknownVariableType]
        if kind is EagerTensor:
            tensors.append(position)
        elif kind not in PLAIN and not (kind is float and arg == arg and arg):
            raise LookupError(kind)
    return None if len(tensors) == len(args) else Pattern(args, tensors)
