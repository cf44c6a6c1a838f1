"""`input_signature`: one trace for all calls, whose arguments are made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter
from typing import Any, Final

from ...core.specs import ResourceSpec, TensorSpec, TypeSpec
from ...core.values import TensorLike
from .casting import cast
from .containers import leaves_of
from .parameters import POSITIONAL, Parameters
from .readable_signatures import VariableSpec

# Stands for the instance that a method is called on, where it is given as an argument.
ANYTHING: Final = object()


def check_signature(signature: Any) -> tuple[Any, ...]:
    """`signature` as a tuple.

    Raises:
        TypeError: it is no tuple or list, or holds something that is no spec.
    """
    kind: type[Any] = type(signature)  # pyright: ignore[reportUnknownVariableType]
    if not issubclass(kind, (tuple, list)):
        raise TypeError(
            f"input_signature must be either a tuple or a list, got {signature!r} of type "
            f"{kind.__name__}"
        )
    for leaf in leaves_of(list(signature)):
        if isinstance(leaf, (ResourceSpec, VariableSpec)):
            raise TypeError(
                f"input_signature doesn't support VariableSpec, got {leaf!r}: a variable is found "
                "by its type; leave the signature out"
            )
        if not isinstance(leaf, TypeSpec):
            raise TypeError(
                "input_signature must be a possibly nested sequence of TensorSpec objects, got "
                f"{leaf!r} of type {type(leaf).__name__}"
            )
    return tuple(signature)


def described_by(signature: tuple[Any, ...], parameters: Parameters, name: str) -> tuple[Any, ...]:
    """One value for each parameter: the specs of the signature, and defaults for the rest.

    Raises:
        TypeError: too many specs, or none for a parameter that has no default.
    """
    rest = list(signature)
    described: list[Any] = []
    for parameter in parameters.each:
        described.append(_one(parameter, rest, name))
    if rest:
        raise TypeError(
            f"input_signature of '{name}' contains {len(rest)} extra type constraints: {rest}; "
            f"the function is {name}{parameters.signature}"
        )
    return tuple(described)


def _one(parameter: Parameter, rest: list[Any], name: str) -> Any:
    if parameter.kind is Parameter.VAR_POSITIONAL:
        taken = tuple(rest)
        rest.clear()
        return taken
    if parameter.kind is Parameter.VAR_KEYWORD:
        return {}
    if parameter.kind in POSITIONAL and rest:
        return rest.pop(0)
    if parameter.default is not Parameter.empty:
        return parameter.default
    if parameter.kind is Parameter.KEYWORD_ONLY:
        raise TypeError(
            f"input_signature of '{name}': keyword-only parameter `{parameter.name}` must have a "
            "default value"
        )
    raise TypeError(f"input_signature of '{name}' is missing type constraint for {parameter.name}")


def fitted_to_signature(
    parameters: Parameters,
    described: Sequence[Any],
    values: Sequence[Any],
    allows_specs: bool = False,
) -> tuple[Any, ...]:
    """The arguments of one call as the signature wants them.

    Raises:
        TypeError: they cannot be.
    """
    triples = zip(parameters.each, values, described, strict=True)
    try:
        return tuple([_fit_one(*one, allows_specs) for one in triples])
    except TypeError as error:
        from .mismatch import explained

        raise explained(error, parameters, described, values) from None


def _fit_one(parameter: Parameter, value: Any, wanted: Any, allows_specs: bool) -> Any:
    if wanted is ANYTHING:
        return value
    if isinstance(wanted, TensorLike):
        wanted = TensorSpec(wanted.shape, wanted.dtype)  # a default that is a tensor
    if parameter.kind is Parameter.VAR_KEYWORD and value:
        raise TypeError(
            f"Binding inputs to tf.function failed: got an unexpected keyword argument "
            f"'{next(iter(value))}'; with an input_signature no further keywords are accepted"
        )
    return cast(value, wanted, parameter.name, allows_specs)
