"""`tf.raw_ops`: every operation by its own name, with keyword arguments only."""

from __future__ import annotations

import inspect
import typing
from collections import abc

from ..graph.serialized import operations as operations
from ..ops import catalogue as catalogue
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.op import REGISTRY, REQUIRED

# Names of operations are names of this module: `Any` is one.
_Anything: typing.TypeAlias = typing.Any


def __getattr__(name: str) -> _Anything:
    op = REGISTRY.get(name)
    if op is None:
        raise AttributeError(f"module 'tf.raw_ops' has no attribute '{name}'")
    made = raw(op)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted(REGISTRY)


def raw(op: _Anything) -> abc.Callable[..., _Anything]:
    """The function that applies `op`.

    Raises:
        TypeError: an argument is missing, or there is none of that name.
    """
    taken = list(_taken(op))
    told = [field for field in op.attrs if field not in taken and field.name[0] != "_"]

    def call(*, name: str | None = None, **arguments: _Anything) -> _Anything:
        values = {field.name: _value(op, arguments, field) for field in taken}
        if arguments:
            raise TypeError(f"{op.name} has no argument {sorted(arguments)}")
        operands = [values.pop(field.name) for field in op.inputs]
        for field in told:
            values[field.name] = _told(op, operands, field.name)
        return bind(op, *operands, name=name, **values)

    parameters = [*map(_parameter, taken), _keyword("name", None)]
    call.__signature__ = inspect.Signature(parameters)
    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = op.__doc__
    return call


def _taken(op: _Anything) -> abc.Iterator[_Anything]:
    """The fields that are arguments, in TensorFlow's order: defaults come last. Dtypes and lengths
    of inputs are told by these, and attributes with an underscore are nobody's business.
    """
    inputs = {field.number_attr if field.listed else field.dtype for field in op.inputs}
    attrs = [one for one in op.attrs if one.name not in inputs and one.name[0] != "_"]
    yield from op.inputs
    yield from (one for one in attrs if one.default is REQUIRED)
    yield from (one for one in attrs if one.default is not REQUIRED)


def _told(op: _Anything, operands: list[_Anything], name: str) -> _Anything:
    """The attribute that operands tell: how many there are of a list, or the dtype."""
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.number_attr == name:
            return len(operand)
        if field.dtype == name:
            return as_tensor(operand).dtype
    raise KeyError(name)


def _value(op: _Anything, arguments: dict[str, _Anything], field: _Anything) -> _Anything:
    keyword = _keyword_of(field)
    if keyword in arguments:
        return arguments.pop(keyword)
    if field.default is REQUIRED:
        raise TypeError(f"{op.name} needs the keyword argument '{keyword}'")
    return field.default


def _keyword_of(field: _Anything) -> str:
    return field.keyword or field.public


def _parameter(field: _Anything) -> inspect.Parameter:
    needed = field.default is REQUIRED
    return _keyword(_keyword_of(field), inspect.Parameter.empty if needed else field.default)


def _keyword(name: str, default: _Anything) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
