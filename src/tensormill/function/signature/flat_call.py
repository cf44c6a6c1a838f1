"""How a ConcreteFunction understands a call: as Python's call, or as a list of its tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any

from ...core.specs import TypeSpec
from ...core.tracing_protocol import TraceType
from ...core.values import TensorLike
from ...errors import DTypeMismatchError, KnownDTypeError, called
from .arguments import is_variable
from .casting import cast
from .containers import leaves_of
from .parameters import Parameters
from .paths import LeafPath, paths_of
from .readable_signatures import VariableSpec


def bind_concrete(
    parameters: Parameters,
    described: Sequence[Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> list[Any]:
    """The tensors and variables that the graph takes, checked and converted.

    `described` has the traced arguments, with specs in place of tensors. What was traced with a
    Python value may be left out. Where the arguments do not fit Python's signature they may be
    just the tensors, by position or by the names of the graph's inputs.

    Raises:
        TypeError: the arguments fit neither form, or differ from the traced Python values.
        PassedDTypeError (InvalidArgumentError, TypeError): they are tensors, one of another dtype.
    """
    values: list[Any] | None = None
    try:
        values = _from_structure(parameters, described, args, kwargs)
        return _tensors_among(described, _cast_all(parameters, described, values))
    except TypeError as error:
        flat = _from_flat(parameters, described, args, kwargs)
        if flat is None:
            raise
        misfit = error
    try:
        return [cast(value, spec, path.text) for (path, spec), value in flat]
    except TypeError as error:
        if isinstance(error, KnownDTypeError) and not any(is_variable(one) for _, one in flat):
            raise PassedDTypeError(str(misfit if values else error)) from None
        if values is None:  # they are meant as a list of tensors
            raise
    try:
        raise misfit
    finally:
        del misfit  # which refers to this very frame


@called("InvalidArgumentError", "InvalidArgumentError")
class PassedDTypeError(DTypeMismatchError):
    """A tensor of another dtype than the graph takes: TensorFlow finds out when it runs it."""


def _cast_all(parameters: Parameters, described: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    triples = zip(values, described, parameters.names, strict=True)
    try:
        return [cast(value, wanted, name) for value, wanted, name in triples]
    except TypeError as error:
        from .mismatch import explained

        raise explained(error, parameters, described, values) from None


def _from_structure(
    parameters: Parameters,
    described: Sequence[Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> list[Any]:
    """One value for each parameter."""
    try:
        bound = parameters.signature.bind_partial(*args, **kwargs)
    except TypeError as error:
        raise parameters.binding_error(str(error), args, kwargs) from None
    values: list[Any] = []
    for parameter, wanted in zip(parameters.each, described, strict=True):
        if parameter.name in bound.arguments:
            values.append(bound.arguments[parameter.name])
        elif any(_holds_tensors(leaf) for leaf in leaves_of(wanted)):
            reason = f"missing a required argument: '{parameter.name}'"
            raise parameters.binding_error(reason, args, kwargs)
        else:
            values.append(wanted)
    return values


def _tensors_among(described: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The leaves that are passed: those described by a spec, each variable once."""
    found: list[Any] = []
    aliases: set[int | None] = set()
    for wanted, value in zip(described, values, strict=True):
        for spec, leaf in zip(leaves_of(wanted), leaves_of(value), strict=True):
            if _take_once(spec, aliases):
                found.append(leaf)
            elif not isinstance(spec, TypeSpec) and _holds_tensors(spec):
                found += spec.to_tensors(leaf)
    return found


def _holds_tensors(wanted: Any) -> bool:
    return isinstance(wanted, TraceType) and bool(wanted.flatten())


def _take_once(spec: Any, aliases: set[int | None]) -> bool:
    if isinstance(spec, VariableSpec):
        if spec.alias_id in aliases:
            return False
        aliases.add(spec.alias_id)
    return isinstance(spec, TypeSpec)


def _from_flat(
    parameters: Parameters,
    described: Sequence[Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> list[tuple[tuple[LeafPath, Any], Any]] | None:
    """Each passed leaf with its value, or None where the arguments are no such list."""
    aliases: set[int | None] = set()
    leaves = [one for one in paths_of(parameters, described) if _take_once(one[1], aliases)]
    given = [*args, *kwargs.values()]
    if len(given) != len(leaves) or not all(isinstance(one, TensorLike) for one in given):
        return None
    if len(args) > 1 and any(_is_named(parameters, path) for path, _ in leaves[: len(args)]):
        return None  # in which order would they be?
    pairs = list(zip(leaves[: len(args)], args, strict=True))
    for path, spec in leaves[len(args) :]:
        name = next((n for n in (*path[:2], getattr(spec, "name", None)) if n in kwargs), None)
        if name is None:
            return None
        pairs.append(((path, spec), kwargs[name]))
    return pairs


def _is_named(parameters: Parameters, path: LeafPath) -> bool:
    parameter = parameters.signature.parameters.get(path.placeholder)
    return parameter is not None and parameter.kind is Parameter.KEYWORD_ONLY
