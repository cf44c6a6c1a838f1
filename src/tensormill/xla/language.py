"""The language of `xla` rules: JAX's functions, and what rules share.

A rule `xla(self, xla)` finds JAX's arrays in its fields, tracers mostly, whose sizes are known;
attributes are what they are in other rules, `self.found` is what `demands` returned: a size of it
that depends on the elements of an operand is an array. It returns an array, or a tuple for several.

    xla.np    jax.numpy          xla.lax    jax.lax          xla.jax    jax
    xla.scalars                  the language of scalar rules (ops/scalar.py), on whole arrays

An array that the program's operands do not decide is a constant: `xla.constant_of(self.axis)` is
its value as NumPy's array. Where it is none, and wherever XLA can not do what is asked, the rule
refuses (`xla.refuse`, or `constant_of` itself): the operation then runs on the CPU, between two
programs. The dtype of a result must be the one that `infer` says; it is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

import jax
import numpy as np

from ..core.dtypes import DType, of_storage
from ..eager.devices import choices
from ..graph.ir import Application
from ..ops.dispatch.divisions import Division
from ..ops.lowering import NotStatic
from ..ops.shared_rules import SharedRule
from .scalars import JaxScalars

Constant: TypeAlias = np.ndarray[Any, Any]  # in a Language, `np` is JAX's


class NotInXla(NotStatic):
    """XLA has no such operation, or not of such operands; the text says why.

    `operations`: the refused one first, then those around it whose graphs it is in.
    """

    def __init__(self, reason: str, operations: tuple[Application, ...] = ()) -> None:
        super().__init__(reason)
        self.operations = operations

    def at(self, *path: Application) -> NotInXla:
        """The same of the last one of operations, or of what is in its graph; it is in the graph of
        the one before, and so on.
        """
        return type(self)(self.args[0], (*self.operations, *reversed(path)))


class RuleFailed(NotInXla):
    """A rule for XLA went wrong, or gave something else than its operation does: a defect of ours.

    The operation is done elsewhere, and the user is warned.
    """

    def __str__(self) -> str:
        return f"its rule for XLA failed ({self.args[0]})"


class Language:
    """What `xla` rules may say; a program adds what it knows of values, variables and checks."""

    jax = jax
    np = jax.numpy
    lax = jax.lax
    scalars = JaxScalars()

    def refuse(self, reason: str) -> NoReturn:
        """Say that this application can not be part of a program, and why."""
        raise NotInXla(reason)

    def known(self, x: Any) -> Constant | None:
        """The value of an operand that is a constant of the program; None where it is not."""
        raise NotImplementedError

    def constant_of(self, x: Any, what: str = "an operand") -> Constant:
        """The value of an operand that has to be a constant of the program.

        Raises:
            NotInXla: it is not; `what` is what the user is told of.
        """
        found = self.known(x)
        if found is None:
            self.refuse(f"{what} is only known when the program runs")
        return found

    def static(self, x: Any) -> Any:
        """The same as an int, or a list."""
        return self.constant_of(x).tolist()

    def fixed(self, size: Any, what: str = "a size") -> int:
        """A number, of `self.found` mostly, that has to be known: most are ints."""
        return int(size if isinstance(size, int) else self.constant_of(size, what))

    def divide(self, x: Any, y: Any) -> Any:
        """x / y; by a constant rounded once. Others, as sums of rows, are left to XLA: written out
        for each element they would go through memory.
        """
        return x / y if self.known(y) is None else self.scalars.divide(x, y)

    def constant(self, value: Any, dtype: DType) -> Any:
        """A number as a scalar constant."""
        return np.asarray(value, dtype.storage)

    def sizes(self, x: Any) -> tuple[Any, ...]:
        """The elements of a vector, or a scalar, of integers: ints where they are known."""
        known = self.known(x)
        if known is not None:
            return tuple(known.reshape(-1).tolist())
        return tuple(self.np.ravel(x)[k].astype(np.int64) for k in range(x.size))

    def count(self, shape: Sequence[int]) -> int:
        """The product of sizes."""
        return math.prod(shape)

    def vector(self, elements: Sequence[Any], dtype: DType) -> Any:
        """Scalars in a row."""
        return self.np.stack([self.np.asarray(one, dtype.storage) for one in elements])

    def elements(self, x: Any) -> tuple[Any, ...]:
        """The elements of a vector of known length, or of a scalar."""
        flat = self.np.ravel(x)
        return tuple(flat[k] for k in range(flat.shape[0]))

    def accepted(self, rows: int, width: int, dtype: DType, candidates: Callable[..., Any]) -> Any:
        """For every row the first `width` numbers that are good: [rows, width]. `candidates(row,
        step)` are those of a step, a number and whether it is good each; there are enough.
        """
        jnp, row = self.np, self.np.arange(rows)

        def is_short(carry: Any) -> Any:
            return jnp.any(carry[1] < width)

        def go_on(carry: Any) -> Any:
            result, found, step = carry
            for number, is_good in candidates(row, step):
                place = jnp.minimum(found, width)
                result = result.at[row, place].set(number)
                found = found + is_good
            return result, found, step + 1

        start = (
            jnp.zeros((rows, width + 1), dtype.storage),
            jnp.zeros(rows, np.int64),
            jnp.zeros((), np.int64),
        )
        result, *_ = self.lax.while_loop(is_short, go_on, start)
        return result[:, :width]

    # ---- single numbers, which `apart` does all at once
    def repeat(
        self, values: Sequence[Any], goes_on: Callable[..., Any], step: Callable[..., Sequence[Any]]
    ) -> tuple[Any, ...]:
        """Numbers that become `step(*values)` as long as `goes_on(*values)`, asked first."""
        start = tuple([self.np.asarray(one) for one in values])

        def stepped(now: Sequence[Any]) -> Any:
            after = zip(step(*now), start, strict=True)
            return tuple([self.np.asarray(one, first.dtype) for one, first in after])

        return self.lax.while_loop(lambda now: goes_on(*now), stepped, start)

    def rounds(
        self, count: int, values: Sequence[Any], step: Callable[..., Sequence[Any]]
    ) -> Sequence[Any]:
        """Numbers that become `step(*values)` so many times."""
        for _ in range(count):
            values = step(*values)
        return values

    def shared(self, rule: SharedRule, *operands: Any) -> Any:
        """What a rule of ops/shared_rules.py gives for numbers."""
        return rule.body(self, *operands)

    def apart(self, shape: Sequence[int], dtype: DType, element: Callable[..., Any]) -> Any:
        """An array of `element(*index)`, each of which may repeat something until it is done."""
        sizes = tuple(shape)
        index = self.np.indices(sizes, np.int64).reshape(len(sizes), -1)
        if not index.shape[1]:
            return self.np.zeros(sizes, dtype.storage)
        return self.jax.vmap(element)(*index).reshape(sizes)

    def held(self, value: Any) -> Any:
        """The value: nothing here changes in its place."""
        return value

    kept = held

    def reshape(self, x: Any, shape: Sequence[int]) -> Any:
        return self.np.reshape(x, tuple(shape))

    def broadcast(self, x: Any, shape: Sequence[int]) -> Any:
        return self.np.broadcast_to(x, tuple(shape))

    def broadcast_shape(self, *shapes: Sequence[int]) -> tuple[int, ...]:
        return self.np.broadcast_shapes(*map(tuple, shapes))

    def dtype_of(self, x: Any) -> DType:
        """Our dtype of an array."""
        return of_storage(np.dtype(x.dtype))

    def cast(self, x: Any, dtype: DType) -> Any:
        """An array of another dtype, by the rules of `scalars.cast`."""
        return self.scalars.cast(x, dtype)

    @property
    def precision(self) -> Any:
        """Of products: float32 is float32, on GPUs as well, unless somebody asked for less."""
        return self.lax.Precision.HIGH if choices.tensor_float_32 else self.lax.Precision.HIGHEST

    def matmul(self, a: Any, b: Any) -> Any:
        """Products of matrices; leading axes broadcast."""
        return self.np.matmul(a, b, precision=self.precision)

    def wide(self, *operands: Any) -> list[Any]:
        """Operands in one shape, as float64: how functions are computed that want many steps."""
        return [one.astype(self.np.float64) for one in self.np.broadcast_arrays(*operands)]

    def divided(self, x: Any, division: Division) -> Any:
        """The same array, over devices where there are as many: nothing else asks for them."""
        return x

    def full(self, shape: Any, value: Any, dtype: DType) -> Any:
        """An array of one value."""
        return self.np.full(tuple(shape), value, dtype.storage)
