"""The functions of numbers that JAX lacks: the compiler's recipes, read with JAX's arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast, final

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compiler.llvm.vector_math.emulation import fused_multiply_add
from ..compiler.llvm.vector_math.language import Kind, Term
from ..compiler.llvm.vector_math.library import recipe

_DTYPES: Final[dict[Kind, Any]] = {
    "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i1": np.bool_,
}  # fmt: skip
_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "add": jnp.add, "subtract": jnp.subtract, "multiply": jnp.multiply, "divide": jnp.divide,
    "negative": jnp.negative, "absolute": jnp.abs, "sqrt": jnp.sqrt, "floor": jnp.floor,
    "ceil": jnp.ceil, "trunc": jnp.trunc, "rint": jnp.rint, "copysign": jnp.copysign,
    "and": jnp.bitwise_and, "or": jnp.bitwise_or, "xor": jnp.bitwise_xor,
    "shift left": jnp.left_shift, "shift right, signed": jnp.right_shift,
    "shift right": lax.shift_right_logical,
    "less": jnp.less, "less or equal": jnp.less_equal, "greater": jnp.greater,
    "greater or equal": jnp.greater_equal, "equal": jnp.equal, "select": jnp.where,
    "unordered": lambda x, y: jnp.isnan(x) | jnp.isnan(y),
}  # fmt: skip


def _rounds(operand: Any) -> bool:
    """Whether it is a constant so large that a sum with it is a whole number."""
    return isinstance(operand, np.floating) and abs(float(operand)) >= 2.0**22


@final
class JaxReader:
    """Payloads are JAX's arrays of one shape; constants are arrays without axes."""

    def constant(self, kind: Kind, number: float) -> Any:
        return np.asarray(number).astype(_DTYPES[kind])[()]

    def table(self, kind: Kind, numbers: Sequence[float], index: Any) -> Any:
        return jnp.asarray(np.asarray(numbers, _DTYPES[kind]))[index]

    def repeat(
        self,
        kinds: Sequence[Kind],
        initial: Sequence[Any],
        unfinished: Callable[[Sequence[Any]], Any],
        step: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> list[Any]:
        """Steps until no element needs one; finished elements stay as they are."""

        def stepped(state: Any) -> Any:
            going, after = unfinished(state), step(state)
            return [jnp.where(going, new, old) for new, old in zip(after, state, strict=True)]

        shape = jnp.broadcast_shapes(*map(jnp.shape, initial), jnp.shape(unfinished(initial)))
        start = [jnp.broadcast_to(one, shape) for one in initial]
        return lax.while_loop(lambda state: jnp.any(unfinished(state)), stepped, start)

    def either(
        self, kind: Kind, condition: Any, yes: Callable[[], Any], no: Callable[[], Any]
    ) -> Any:
        return jnp.where(condition, yes(), no())

    def apply(self, operation: str, kind: Kind, operand_kind: Kind, operands: Sequence[Any]) -> Any:
        match operation:
            case "bits" | "float of bits":
                return lax.bitcast_convert_type(operands[0], _DTYPES[kind])
            case "widen" | "narrow" | "float of integer":
                return jnp.asarray(operands[0]).astype(_DTYPES[kind])
            case "add" if any(map(_rounds, operands)):
                # XLA would take (x + c) - c for x.
                return lax.optimization_barrier(jnp.add(*operands))
            case "multiply-add":
                x, y, z = operands
                return jnp.multiply(x, y) + z
            case "fma":
                values = [Term(self, kind, operand) for operand in operands]
                return fused_multiply_add(*values).payload
            case _:
                return _OPERATIONS[operation](*jnp.broadcast_arrays(*operands))


def of_recipe(name: str) -> Callable[..., Any]:
    """A method of scalars: the recipe with this name; 16 bits are computed as float32."""

    def function(self: Any, *operands: Any) -> Any:
        dtype = operands[0].dtype
        kind = "f64" if dtype == np.float64 else "f32"
        reader, wide = JaxReader(), _DTYPES[kind]
        terms = [Term(reader, cast("Kind", kind), one.astype(wide)) for one in operands]
        return recipe(name, kind)(*terms).payload.astype(dtype)

    return function
