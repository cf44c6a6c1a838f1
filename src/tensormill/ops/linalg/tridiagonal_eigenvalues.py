"""Eigenvalues of Hermitian matrices of which three diagonals are not zero."""

from __future__ import annotations

import math
from typing import Any

from ..array.fill import zeros_like
from ..array.select import boolean_mask, where
from ..checks.assertions import assert_less_equal
from ..conversion import as_tensor, known_rank
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import conjugated
from ..math.comparison import is_finite
from ..math.complex import real
from ..math.reduce import reduce_all
from ..math.signs import abs as absolute
from .diagonals import diag
from .eigenvalues import eigh, eigvalsh

SELECTIONS = ("a", "i", "v")


@dispatchable
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """The eigenvalues, in ascending order, of Hermitian matrices with these diagonals.

    alpha: [..., n], the main diagonal (real: imaginary parts do not count). beta: [..., n - 1], the
    one above it. float32, float64 or complex, as alpha. Without `eigvals_only` also the
    eigenvectors: [..., n, n], a column each, real or complex as alpha. select: "a", all; "i", those
    with the numbers select_range[0] to select_range[1], which is included; "v", those in
    (select_range[0], select_range[1]], for one matrix alone. The whole matrix is decomposed, to
    the last digit whatever `tol` is; TensorFlow stops bisecting at `tol`. All is NaN where a
    diagonal is not finite.

    >>> tf.linalg.eigh_tridiagonal([2., 2.], [1.]).numpy()
    array([1., 3.], dtype=float32)

    Raises:
        ValueError: another `select`; "i" or "v" without a range.
        InvalidArgumentError: the range is empty.
    """
    if select not in SELECTIONS:
        raise ValueError(f"'select' must have a value in {SELECTIONS}, got {select!r}")
    alpha = as_tensor(alpha)
    beta = as_tensor(beta, alpha.dtype)
    if select != "a" and select_range is None:
        raise ValueError(f"select={select!r} needs a select_range of two numbers")
    matrix = diag(alpha) + diag(beta, k=1) + diag(conjugated(beta), k=-1)
    known = reduce_all(is_finite(absolute(matrix)), [-2, -1])[..., None]
    matrix = where(known[..., None], matrix, zeros_like(matrix))
    if eigvals_only:
        return _chosen(_or_nan(known, real(eigvalsh(matrix))), select, select_range)
    values, vectors = eigh(matrix)
    values, vectors = _or_nan(known, real(values)), _or_nan(known[..., None], vectors)
    return _chosen(values, select, select_range), _chosen(vectors, select, select_range, values)


def _or_nan(known: Any, x: Any) -> Any:
    return where(known, x, as_tensor(math.nan, x.dtype))


def _chosen(x: Any, select: str, select_range: Any, values: Any = None) -> Any:
    """Of the last axis what is selected."""
    if select == "a":
        return x
    low, high = select_range
    assert_less_equal(low, high, "Got empty index range in select_range.")
    if select == "i":
        return x[..., low : high + 1]
    values = x if values is None else values
    rank = known_rank(x, "eigh_tridiagonal")
    return boolean_mask(x, (values > low) & (values <= high), axis=rank - 1)
