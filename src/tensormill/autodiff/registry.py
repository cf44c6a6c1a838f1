"""Gradient functions that users register for kinds of operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

GradientFunction = Callable[..., Any]

_registered: Final[dict[str, GradientFunction | None]] = {}
# What stands in place of the rules that operations have, as long as a library has put it there.
_replacements: Final[dict[str, GradientFunction | None]] = {}


class RegisterGradient:
    """A decorator for the gradient function of operations of one type.

    The function takes an operation (with `inputs`, `outputs` and `get_attr`) and a gradient for
    each of its outputs, and returns one for each input. It serves operations of that type which
    have no gradient of their own.

    Raises:
        KeyError: there is a function for this type already.
        TypeError: the type is no string.
    """

    __slots__ = ("_op_type",)

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type: Final = op_type

    def __call__(self, f: GradientFunction) -> GradientFunction:
        register(self._op_type, f)
        return f


def no_gradient(op_type: str) -> None:
    """Say that operations of a type pass no gradient on: what depends on them is constant.

    >>> tf.no_gradient("TypeOfAnExample")
    >>> tf.no_gradient(3)
    Traceback (most recent call last):
    TypeError: op_type must be a string

    Raises:
        KeyError: there is a gradient function for this type already.
        TypeError: the type is no string.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    register(op_type, None)


def register(op_type: str, function: GradientFunction | None) -> None:
    if op_type in _registered:
        raise KeyError(
            f"Registering two gradient with name '{op_type}'! (Previous registration was "
            f"{_registered[op_type]!r})"
        )
    _registered[op_type] = function


def replace(op_type: str, function: GradientFunction | None) -> None:
    """Let `function` say the gradient of operations of a type, whatever rule they have."""
    _replacements[op_type] = function


def restore(op_type: str) -> None:
    """Let operations of a type have their own rule again."""
    _replacements.pop(op_type, None)


def are_replaced() -> bool:
    """Whether any operation's own rule is replaced: what was derived from graphs is not so now."""
    return bool(_replacements)


def is_replaced(op_type: str) -> bool:
    return op_type in _replacements


def is_registered(op_type: str) -> bool:
    """Whether a function of the user's is known under this name."""
    return op_type in _registered


class RegisteredOperation:
    """One application of an operation, as registered gradient functions see it."""

    def __init__(self, application: Any) -> None:
        self.application: Final = application
        self.type: str = application.name
        self.inputs: Final = application.operand_list()
        self.outputs: Final = application.output_list()
        self._attrs: Final[dict[str, Any]] = application.attr_values()

    @property
    def name(self) -> str:
        """What the operation is called in its graph; eagerly, its type."""
        first = next(iter(self.outputs), None)
        return first.op.name if first is not None and first.symbolic else self.type

    def get_attr(self, name: str) -> Any:
        """The value of an attribute; strings are bytes.

        Raises:
            ValueError: there is no such attribute.
        """
        if name not in self._attrs:
            raise ValueError(f"Operation '{self.type}' has no attr named '{name}'.")
        value = self._attrs[name]
        return value.encode() if isinstance(value, str) else value


def registered_gradients(application: Any, arrived: list[Any]) -> list[Any]:
    """What was registered says about `application`.

    Raises:
        LookupError: nothing was registered for operations of its type.
    """
    name = application.name
    known = _replacements if name in _replacements else _registered
    if name not in known:
        raise LookupError(f"gradient registry has no entry for: {name}")
    operation = RegisteredOperation(application)
    return _gradients_by(known[name], operation, arrived)


def gradients_of_type(op_type: str, operation: Any, arrived: Sequence[Any]) -> list[Any]:
    """What is registered under `op_type` says about an operation of a graph.

    Raises:
        LookupError: nothing is registered under that name.
    """
    if op_type not in _registered:
        raise LookupError(
            f"No gradient defined for operation '{operation.name}' (op type: {operation.type}): "
            f"nothing is registered under {op_type!r}"
        )
    return _gradients_by(_registered[op_type], operation, arrived)


def _gradients_by(
    function: GradientFunction | None, operation: Any, arrived: Sequence[Any]
) -> list[Any]:
    if function is None:
        return [None] * len(operation.inputs)
    found = function(operation, *arrived)
    gradients = list(found) if isinstance(found, (list, tuple)) else [found]
    if len(gradients) != len(operation.inputs):
        raise ValueError(
            f"Num gradients {len(gradients)} generated for op {operation.name} do not match num "
            f"inputs {len(operation.inputs)}"
        )
    return gradients
