"""Systems of equations, solved by products alone.

The preconditioned method of conjugate gradients (Y. Saad: Iterative Methods for Sparse Linear
Systems, 2nd ed., algorithm 9.1).
"""

from __future__ import annotations

from typing import Any

from ..control.while_loop import while_loop
from ..core import dtypes
from ..core.process.named_tuples import NamedTuple
from ..eager.scopes import name_scope
from ..ops.array.fill import zeros_like
from ..ops.array.select import where
from ..ops.conversion import as_tensor
from ..ops.math.arithmetic import conjugated
from ..ops.math.comparison import logical_and
from ..ops.math.norms import norm
from ..ops.math.reduce import reduce_any, reduce_sum
from .operator import LinearOperator


class CGState(NamedTuple):
    """Where the method is: the turn, the solution, its residual, the direction, r^H z."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def conjugate_gradient(
    operator: LinearOperator,
    rhs: Any,
    preconditioner: LinearOperator | None = None,
    x: Any = None,
    tol: float = 1e-5,
    max_iter: int = 20,
    name: str | None = "conjugate_gradient",
) -> CGState:
    """x with A x = rhs, by products with A alone.

    operator: A, [..., n, n], with the hints is_self_adjoint and is_positive_definite.
    rhs: [..., n]. preconditioner: an operator near A^-1. x: where to begin, zeros unless it is
    given. It ends when the residuals are below tol times the norms of rhs, or after max_iter turns.
    The result is a tuple: i, the turns; x; r, the residuals rhs - A x; p, the next directions;
    gamma, r^H z.

    >>> a = tf.linalg.LinearOperatorFullMatrix(
    ...     [[4., 1.], [1., 3.]], is_self_adjoint=True, is_positive_definite=True
    ... )
    >>> tf.linalg.experimental.conjugate_gradient(a, tf.constant([5., 4.])).x.numpy().round(3)
    array([1., 1.], dtype=float32)

    Raises:
        ValueError: an operator lacks the hints, or sizes do not fit.
        TypeError: the dtypes differ.
    """
    for one in (operator, preconditioner):
        if one is not None and not (one.is_self_adjoint and one.is_positive_definite):
            raise ValueError("Expected a self-adjoint, positive definite operator.")
    with name_scope(name or "conjugate_gradient"):
        rhs = as_tensor(rhs, None, operator.dtype)
        limit = tol * norm(rhs, axis=-1)
        start = zeros_like(rhs) if x is None else as_tensor(x, rhs.dtype)
        rest = rhs if x is None else rhs - operator.matvec(start)
        first = preconditioned(preconditioner, rest)
        state = CGState(as_tensor(0, dtypes.int32), start, rest, first, inner(rest, first))

        def goes_on(state: CGState) -> Any:
            return logical_and(state.i < max_iter, reduce_any(norm(state.r, axis=-1) > limit))

        def turn(state: CGState) -> tuple[CGState]:
            image = operator.matvec(state.p)
            step = ratio(state.gamma, inner(state.p, image))
            rest = state.r - step * image
            changed = preconditioned(preconditioner, rest)
            gamma = inner(rest, changed)
            direction = changed + ratio(gamma, state.gamma) * state.p
            return (CGState(state.i + 1, state.x + step * state.p, rest, direction, gamma),)

        return while_loop(goes_on, turn, [state])[0]


def preconditioned(operator: LinearOperator | None, rest: Any) -> Any:
    return rest if operator is None else operator.matvec(rest)


def inner(x: Any, y: Any) -> Any:
    return reduce_sum(conjugated(x) * y, -1)


def ratio(x: Any, y: Any) -> Any:
    """x / y for vectors to be scaled with; 0 where a residual is 0 already."""
    return where(y == 0, zeros_like(y), x / where(y == 0, y + 1, y))[..., None]
