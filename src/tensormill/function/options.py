"""What `tf.function` may be told about a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

# What `experimental_attributes` may say.
_ATTRIBUTES: Final = frozenset((
    "_OutputsOnOpDevice", "_disable_acd", "_implements", "_noinline", "_tf_data_function",
    "api_implements", "api_preferred_device", "disable_summaries_at_runtime",
    "experimental_ints_on_device", "function_runs_at_most_once", "go_backwards",
    "runtime_constant_optimization", "time_major",
))  # fmt: skip
_VALUES: Final = (bool, int, float, str, bytes, list)


@dataclass(frozen=True, slots=True)
class FunctionOptions:
    """The parameters of `tf.function`. `input_signature` is a tuple of nests of specs, or None;
    `name` stands for the Python function's.
    """

    input_signature: tuple[Any, ...] | None = None
    autograph: bool = True
    jit_compile: bool | None = None
    reduce_retracing: bool = False
    autograph_features: Sequence[Any] | Any = None
    implements: str | None = None
    attributes: Mapping[str, Any] | None = None
    name: str | None = None

    @property
    def written(self) -> dict[str, Any]:
        """The attributes that functions have in files."""
        found = dict(self.attributes or {})
        if self.implements is not None:
            found["_implements"] = self.implements
        if self.jit_compile:
            found |= {"_XlaMustCompile": True, "_noinline": True}
        return found


def checked_attributes(given: Any) -> Mapping[str, Any] | None:
    """`experimental_attributes` of `tf.function`.

    Raises:
        ValueError: one has no such name, or is nothing that a file can hold.
        TypeError: they are no mapping.
    """
    if not given:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"experimental_attributes: a dict is wanted, got {given!r}")
    for name, value in cast(Mapping[Any, Any], given).items():
        if name not in _ATTRIBUTES:
            raise ValueError(
                f"`{name} is not supported by tf.function as an attribute; these are: "
                f"{', '.join(sorted(_ATTRIBUTES))}"
            )
        if not isinstance(value, _VALUES):
            raise ValueError(
                f"Attribute {name} must be bool, int, float, string or list. Got {type(value)}"
            )
    return cast(Mapping[str, Any], given)
