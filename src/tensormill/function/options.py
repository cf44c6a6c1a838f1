"""What `tf.function` may be told about a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


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
