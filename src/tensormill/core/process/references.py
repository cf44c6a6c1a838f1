"""How many hold an object: what may be changed in place only by its one holder.

What `sys.getrefcount` adds for its own argument differs between CPythons (from 3.14 on a local
variable lends its reference), so it is measured with the code that counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from sys import getrefcount
from typing import Any


def require_lock() -> None:
    """Refuse a Python without the lock that makes counts mean something.

    Raises:
        ImportError: it is a free-threaded build.
    """
    if "t" in getattr(sys, "abiflags", ""):
        raise ImportError(
            "tensormill needs a Python with a global interpreter lock, and this is a free-threaded "
            f"build of {sys.version_info.major}.{sys.version_info.minor}: use the usual build"
        )


def _count(container: Any, key: Any) -> int:
    return getrefcount(container[key])


def _count_array(owner: Any) -> int:
    return getrefcount(owner.array)


class _Owner:
    __slots__ = ("array",)

    def __init__(self) -> None:
        self.array = object()


def _are_counted() -> bool:
    """Whether one more holder is one more, and one less is one less; whatever holds it."""
    box: list[Any] = [[]]
    alone = _count(box, 0)
    others = [[box[0]], {"key": box[0]}, (box[0],), _variable(box[0]), _variable(box[0], box[0])]
    both = _count(box, 0)
    others.clear()
    return (both, _count(box, 0)) == (alone + 6, alone)


def _variable(value: object, *others: object) -> Callable[[], object]:
    """A function that holds its variables, as converted code holds what its statements change."""
    return lambda: (value, others)


ARE_COUNTED = _are_counted()
_BEYOND = _count([object()], 0) - 1
_ALONE = _count_array(_Owner())


def holders(container: Any, key: Any) -> int:
    """How many hold `container[key]`, the container included. Where references are not counted
    they are more than anybody expects: whoever wants to change the object makes a copy.
    """
    return _count(container, key) - _BEYOND if ARE_COUNTED else sys.maxsize


def holds_alone(owner: Any) -> bool:
    """Whether nobody else holds `owner.array`; never, where references are not counted."""
    return _count_array(owner) == _ALONE and ARE_COUNTED
