"""Signatures of functions, and of objects that stand for functions; the names in their code."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

# From 3.14 on annotations are evaluated when somebody looks: what they name need not exist.
_UNEVALUATED: Final[dict[str, Any]] = {}
if sys.version_info >= (3, 14):
    import annotationlib

    _UNEVALUATED["annotation_format"] = annotationlib.Format.FORWARDREF


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function of the user's, whatever its annotations name.

    Raises:
        ValueError: it has none: a builtin.
        TypeError: it cannot be called.
    """
    return inspect.signature(function, **_UNEVALUATED)


class SignatureOf:
    """A `__signature__` for instances: that of the function in an attribute of theirs.

    `inspect.getfullargspec` asks for it; unlike `inspect.signature`, it ignores `__wrapped__`.
    The class itself has none.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute

    def __get__(self, instance: Any, owner: Any = None) -> inspect.Signature:
        if instance is None:
            raise AttributeError("__signature__")
        return signature_of(getattr(instance, self._attribute))


@functools.lru_cache(1024)
def names_in(code: CodeType) -> frozenset[str]:
    """The names that code looks up in its module, or behind a dot; of functions within it, too."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return frozenset(code.co_names).union(*map(names_in, inner))
