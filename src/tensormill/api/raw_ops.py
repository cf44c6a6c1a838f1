"""`tf.raw_ops`: every operation by its own name, with keyword arguments only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import catalogue as catalogue  # so that the registry is complete
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.op import REGISTRY, REQUIRED


def __getattr__(name: str) -> Any:
    op = REGISTRY.get(name)
    if op is None:
        raise AttributeError(f"module 'tf.raw_ops' has no attribute '{name}'")
    made = raw(op)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted(REGISTRY)


def raw(op: Any) -> Callable[..., Any]:
    """The function that applies `op`.

    Raises:
        TypeError: an argument is missing, or there is none of that name.
    """
    # Attributes that say of which dtype an input is: they need not be given.
    dtypes = {field.name for field in op.attrs} & {field.dtype for field in op.inputs}

    def call(*, name: str | None = None, **arguments: Any) -> Any:
        operands = [_taken(op, arguments, field) for field in op.inputs]
        for field, operand in zip(op.inputs, operands, strict=True):
            if field.dtype in dtypes and not field.listed:
                arguments.setdefault(field.dtype, as_tensor(operand).dtype)
        attrs = {field.name: _taken(op, arguments, field) for field in op.attrs}
        if arguments:
            raise TypeError(f"{op.name} has no argument {sorted(arguments)}")
        return bind(op, *operands, name=name, **attrs)

    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = op.__doc__
    return call


def _taken(op: Any, arguments: dict[str, Any], field: Any) -> Any:
    if field.public in arguments:
        return arguments.pop(field.public)
    if field.default is REQUIRED:
        raise TypeError(f"{op.name} needs the keyword argument '{field.public}'")
    return field.default
