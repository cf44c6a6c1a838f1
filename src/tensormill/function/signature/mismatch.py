"""What a call that fits no signature is told: both sides, and a call that would fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Final, cast

from ...core.specs import TensorSpec
from ...core.values import TensorLike

if TYPE_CHECKING:
    from .parameters import Parameters

PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))
LONGEST: Final = 40  # characters of a Python value that are shown


def explained(
    error: Exception, parameters: Parameters, wanted: Sequence[Any], given: Sequence[Any]
) -> Exception:
    """`error` of a call with the values `given`, with both sides and a call that would fit."""
    lines = [
        str(error),
        f"  the signature  {_call_text(parameters, wanted)}",
        f"  this call      {_call_text(parameters, given)}",
    ]
    corrected = [_corrected(*one) for one in zip(parameters.each, wanted, given, strict=True)]
    if None not in corrected:
        lines.append(f"  would fit      ({', '.join(one for one in corrected if one)})")
    better = type(error)("\n".join(lines))
    better.__cause__ = error.__cause__
    return better


def _call_text(parameters: Parameters, values: Sequence[Any]) -> str:
    pairs = zip(parameters.names, values, strict=True)
    return f"({', '.join(f'{name}: {short(value)}' for name, value in pairs)})"


def short(value: Any) -> str:
    """A tensor or spec as `f32[2, ?]`, containers around them, other values as Python has them."""
    if isinstance(value, TensorSpec):
        return value.short
    if isinstance(value, TensorLike):
        return TensorSpec(value.shape, value.dtype).short
    if isinstance(value, Mapping):
        items = cast(Mapping[Any, Any], value).items()
        return "{" + ", ".join(f"{key!r}: {short(one)}" for key, one in items) + "}"
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is list or kind is tuple:
        parts = [short(one) for one in cast(Sequence[Any], value)]
        if kind is list:
            return f"[{', '.join(parts)}]"
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _corrected(parameter: Parameter, wanted: Any, given: Any) -> str | None:
    """The argument as it would fit, "" where none is needed, None where that cannot be told."""
    if parameter.kind not in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
        return "" if not wanted and not given else None
    name = parameter.name
    if isinstance(wanted, PLAIN):
        return f"{wanted!r}"
    if isinstance(wanted, TensorSpec) and isinstance(given, PLAIN):
        return f"{given!r}" if _holds_number(wanted, given) else None
    if not isinstance(wanted, TensorSpec) or not isinstance(given, TensorLike):
        return None
    spec = TensorSpec(given.shape, given.dtype)
    placed = _reshaped(name, spec, wanted)
    if placed is None or spec.dtype is wanted.dtype:
        return placed
    numeric = all(one.is_numeric or one.is_bool for one in (spec.dtype, wanted.dtype))
    return f"tf.cast({placed}, tf.{wanted.dtype.name})" if numeric else None


def _holds_number(wanted: TensorSpec, given: Any) -> bool:
    if wanted.shape.rank not in (0, None):
        return False
    if isinstance(given, int):
        return wanted.dtype.is_numeric
    return isinstance(given, float) and wanted.dtype.is_floating


def _reshaped(name: str, spec: TensorSpec, wanted: TensorSpec) -> str | None:
    """The tensor called `name`, with an axis of size 1 more or less where that makes it fit."""
    have, want = spec.shape, wanted.shape
    if have.is_compatible_with(want):
        return name
    if have.rank is None or want.rank is None:
        return None
    if have.rank + 1 == want.rank and want[0] in (1, None) and have.is_compatible_with(want[1:]):
        return f"{name}[tf.newaxis]"
    if have.rank == want.rank + 1 and have[0] == 1 and have[1:].is_compatible_with(want):
        return f"{name}[0]"
    return None


def nearest(keywords: Iterable[str], parameters: Parameters) -> str:
    """Which parameters are called nearly as those of `keywords` that none is called."""
    strangers = [name for name in keywords if name not in parameters.names]
    found = [(name, get_close_matches(name, parameters.names, 1)) for name in strangers]
    return "".join(f" Did you mean '{near[0]}' by '{name}'?" for name, near in found if near)
