"""Whether `==` of tensors and variables compares elements, or asks for one and the same object."""

from __future__ import annotations

from typing import Any, Final

from .tensor import Tensor
from .variable import Variable

_NAMES: Final = "__eq__", "__ne__", "__hash__"
# What the methods of classes were before; empty while elements are compared.
_before: Final[dict[type, dict[str, Any]]] = {}


def disable_tensor_equality() -> None:
    """From here on `==` of tensors and variables is `is`, and they may be keys of dicts.

    >>> tf.compat.v1.disable_tensor_equality()
    >>> x = tf.constant([1, 2])
    >>> x == x, x == tf.constant([1, 2]), {x: "this"}[x]
    (True, False, 'this')
    >>> tf.compat.v1.enable_tensor_equality()  # other examples compare elements
    """
    if _before:
        return
    for kind in _classes():
        _before[kind] = {name: vars(kind)[name] for name in _NAMES if name in vars(kind)}
    for kind in _before:
        for name, method in zip(_NAMES, (_same, _differs, _identity), strict=True):
            setattr(kind, name, method)


def enable_tensor_equality() -> None:
    """From here on `==` of tensors and variables compares elements, as from the beginning.

    >>> tf.compat.v1.enable_tensor_equality()
    >>> (tf.constant([1, 2]) == tf.constant([1, 3])).numpy()
    array([ True, False])
    """
    for kind, methods in _before.items():
        for name in _NAMES:
            if name in methods:
                setattr(kind, name, methods[name])
            else:
                delattr(kind, name)
    _before.clear()


def _identity(self: Any) -> int:
    return id(self)


def _same(self: Any, other: object) -> bool:
    return self is other


def _differs(self: Any, other: object) -> bool:
    return self is not other


def _classes() -> list[type]:
    """Those that say it themselves, but for what graphs by hand have: there it is so always."""
    found: list[type] = []
    waiting: list[type] = [Tensor, Variable]
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found.append(kind)
            waiting.extend(kind.__subclasses__())
    return [one for one in found if one in (Tensor, Variable) or any(map(vars(one).get, _NAMES))]
