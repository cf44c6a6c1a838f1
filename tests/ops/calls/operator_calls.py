"""Calls of linear operators: one of each kind, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.linear_operators.kinds import KINDS

from .call import Call


def described(name: str) -> Callable[..., Any]:
    """The matrix, a product, a solution and some numbers; sizes and hints as numbers."""

    def call(tf: Any) -> Any:
        operator, matrix = KINDS[name][0](tf), KINDS[name][1]
        x = tf.ones([matrix.shape[-1], 2], matrix.dtype) * 0.5
        found = [operator.to_dense(), operator.matmul(x), operator.diag_part(), operator.trace()]
        if matrix.shape[-1] == matrix.shape[-2] and name not in ("zeros", "Kronecker, rows"):
            found += [operator.solve(x), operator.determinant(), operator.inverse().matmul(x)]
        return [*found, tf.constant([HINTS[one] for one in hints(operator)])]

    return call


HINTS = {None: -1, False: 0, True: 1}


def hints(operator: Any) -> list[bool | None]:
    return [
        operator.is_non_singular,
        operator.is_self_adjoint,
        operator.is_positive_definite,
        operator.is_square,
    ]


# TensorFlow takes no diagonal of a Kronecker product whose factors are not square.
NAMES = [name for name in KINDS if name != "Kronecker, rows"]
CALLS: dict[str, Call] = {f"operator: {name}": (described(name), []) for name in NAMES}
COMPILED: list[str] = []
