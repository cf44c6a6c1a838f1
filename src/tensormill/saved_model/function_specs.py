"""Signatures of Python functions as FunctionSpec protos, and back."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..function.signature.parameters import POSITIONAL, Parameters
from ..graph.proto.messages import message
from ..graph.proto.structured import NotEncodableError, decoded, encode_into, encoded


class FullArgSpec(NamedTuple):
    """What `inspect.getfullargspec` gives: TensorFlow writes signatures in this form."""

    args: list[str]
    varargs: str | None
    varkw: str | None
    defaults: tuple[Any, ...] | None
    kwonlyargs: list[str]
    kwonlydefaults: dict[str, Any] | None
    annotations: dict[str, Any]


NOTHING: Final = Parameter.empty


def spec_proto(parameters: Parameters, input_signature: Any = None) -> Any:
    """A FunctionSpec."""
    proto = message("FunctionSpec")()
    encode_into(proto.fullargspec, _full_arg_spec(parameters))
    encode_into(proto.input_signature, input_signature)
    return proto


def _full_arg_spec(parameters: Parameters) -> FullArgSpec:
    by_kind: dict[Any, list[Parameter]] = {}
    for one in parameters.each:
        by_kind.setdefault(one.kind, []).append(one)
    positional = [one for one in parameters.each if one.kind in POSITIONAL]
    named = by_kind.get(Parameter.KEYWORD_ONLY, [])
    defaults = tuple(_writable(one.default) for one in positional if one.default is not NOTHING)
    named_defaults = {
        one.name: _writable(one.default) for one in named if one.default is not NOTHING
    }
    return FullArgSpec(
        [one.name for one in positional],
        next((one.name for one in by_kind.get(Parameter.VAR_POSITIONAL, [])), None),
        next((one.name for one in by_kind.get(Parameter.VAR_KEYWORD, [])), None),
        defaults or None,
        [one.name for one in named],
        named_defaults or None,
        {},
    )


def _writable(default: Any) -> Any:
    """A default, or None in place of one that cannot be written."""
    try:
        encoded(default)
    except NotEncodableError:
        return None
    return default


def parameters_of(proto: Any) -> Parameters:
    """The parameters that a FunctionSpec describes; the instance of a method is left out."""
    full = decoded(proto.fullargspec)
    if full is None:
        return Parameters(inspect.Signature([]))
    parameters = Parameters(inspect.Signature(list(_parameters(full))))
    return parameters.without_first() if proto.is_method else parameters


def _parameters(full: Any) -> Iterator[Parameter]:
    defaults: Sequence[Any] = full.defaults or ()
    without = len(full.args) - len(defaults)
    for position, name in enumerate(full.args):
        default = defaults[position - without] if position >= without else NOTHING
        yield Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default)
    if full.varargs:
        yield Parameter(full.varargs, Parameter.VAR_POSITIONAL)
    named: Mapping[str, Any] = full.kwonlydefaults or {}
    for name in full.kwonlyargs or ():
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=named.get(name, NOTHING))
    if full.varkw:
        yield Parameter(full.varkw, Parameter.VAR_KEYWORD)
