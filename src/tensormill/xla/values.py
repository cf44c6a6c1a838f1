"""What goes from one operation of a program to the next, besides arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast, final

import jax.numpy as jnp
import numpy as np

from ..core.dtypes import (
    DType,
    float8_e4m3b11fnuz,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
)
from ..core.specs import TensorSpec
from ..ops.op import NATIVE

# Beside those of the CPU's compiler, those that XLA can cast as NumPy's extensions do.
FLOAT8: Final = (float8_e5m2, float8_e4m3fn, float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz)
USUAL: Final = frozenset([dtype.as_datatype_enum for dtype in (*NATIVE, *FLOAT8)])


def dtype_is_usual(dtype: DType) -> bool:
    """Whether programs compute with tensors of this dtype."""
    return dtype.as_datatype_enum in USUAL


@final
@dataclass(frozen=True, eq=False)
class HeldVariable:
    """A variable of the program, the `slot`-th of its states.

    number: of the replica whose part it is, where that state has one for each; None elsewhere, and
    in what a replica does.
    """

    slot: int
    spec: TensorSpec  # what may be assigned
    name: str = ""
    trainable: bool = True
    number: int | None = None

    def in_replica(self) -> HeldVariable:
        """The same as a replica sees it, which has no other part."""
        return self if self.number is None else replace(self, number=None)


@final
@dataclass(frozen=True, eq=False)
class HandedOn:
    """What programs do not look into: strings, an iterator."""

    payload: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return getattr(self.payload, "shape", ())

    @property
    def spec(self) -> Any:
        return self.payload.spec

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return self.payload.dtype


def is_array(value: Any) -> bool:
    """Whether a value goes through JAX's control flow: an array, or a list of arrays."""
    return not isinstance(value, (HeldVariable, HandedOn))


def leaf_of(value: Any) -> Any:
    """An array, constants among them, as JAX's."""
    return jnp.asarray(value) if isinstance(value, np.ndarray) else value


def same_handle(one: Any, other: Any) -> bool:
    """Whether two stand for the same thing."""
    if isinstance(one, HeldVariable) and isinstance(other, HeldVariable):
        return (one.slot, one.number) == (other.slot, other.number)
    if isinstance(one, HandedOn) and isinstance(other, HandedOn):
        return one.payload is other.payload
    return one is other


def listed(results: Any) -> Sequence[Any]:
    """What a rule returned, as a sequence."""
    if results is None:
        return ()
    return (
        tuple(cast("Sequence[Any]", results)) if isinstance(results, (tuple, list)) else (results,)
    )


def held_constant(attrs: Mapping[str, Any]) -> Any:
    """The value of a constant."""
    return attrs["value"] if dtype_is_usual(attrs["dtype"]) else HandedOn(attrs["value"])
