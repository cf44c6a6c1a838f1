"""Factors of matrices that hold NaN or infinities, which LAPACK's blocks pass over here and there.

These go from element to element, as compiled loops do: what such numbers make of others is what
arithmetic says.
"""

from __future__ import annotations

from typing import Any


def cholesky_factor(np: Any, x: Any) -> Any:
    """The lower factor of one matrix; its triangle is NaN where a pivot is not positive."""
    factor = np.zeros_like(x)

    def rest(i: int, j: int) -> Any:
        found = x[i, j]
        for k in range(j):
            found = found - factor[i, k] * np.conj(factor[j, k])
        return found

    with np.errstate(all="ignore"):
        for i in range(len(x)):
            for j in range(i):
                factor[i, j] = rest(i, j) / factor[j, j]
            pivot = rest(i, i).real
            if pivot <= 0:
                return np.tril(np.full_like(x, np.nan))
            factor[i, i] = np.sqrt(pivot)
    return factor


def pivots(np: Any, x: Any) -> tuple[Any, int]:
    """What Gauss's elimination of one matrix leaves on the diagonal, and the sign of its exchanges.

    The largest element of a column is its pivot; a column of zeros is passed over.
    """
    x, sign = x.copy(), 1
    with np.errstate(all="ignore"):
        for step in range(len(x)):
            pivot = step + largest(np, np.abs(x[step:, step]))
            if pivot != step:
                x[[step, pivot]], sign = x[[pivot, step]], -sign
            if x[step, step] != 0:
                rest = slice(step + 1, None)
                x[rest, step] = quotients(np, x[rest, step], x[step, step])
                x[rest, rest] -= np.outer(x[rest, step], x[step, rest])
    return np.diagonal(x), sign


def quotients(np: Any, column: Any, pivot: Any) -> Any:
    """The column by its pivot. Complex numbers by one that is not finite are NaN, as where they are
    multiplied by its conjugate first.
    """
    if np.iscomplexobj(pivot) and not np.isfinite(pivot):
        return np.full_like(column, complex(np.nan, np.nan))
    return column / pivot


def largest(np: Any, sizes: Any) -> int:
    """The place of the largest number; a NaN counts as one at the first place only."""
    place = int(np.argmax(sizes))
    if np.isnan(sizes[place]):
        return 0 if np.isnan(sizes[0]) else int(np.nanargmax(sizes))
    return place


def determinants(np: Any, x: Any) -> Any:
    """Those of matrices [..., n, n]."""
    found = np.empty(x.shape[:-2], x.dtype)
    for place in np.ndindex(found.shape):
        numbers, sign = pivots(np, x[place])
        with np.errstate(all="ignore"):
            found[place] = sign * np.prod(numbers)
    return found


def signs_and_logarithms(np: Any, x: Any) -> tuple[Any, Any]:
    """Those of the determinants of matrices [..., n, n]."""
    signs, logarithms = np.empty(x.shape[:-2], x.dtype), np.empty(x.shape[:-2], x.real.dtype)
    for place in np.ndindex(signs.shape):
        numbers, sign = pivots(np, x[place])
        with np.errstate(all="ignore"):
            sizes = np.abs(numbers)
            directions = numbers / sizes if np.iscomplexobj(x) else np.sign(numbers)
            signs[place] = sign * np.prod(np.where(sizes == 0, 0, directions))
            logarithms[place] = np.log(sizes).sum()
    return signs, logarithms.astype(x.dtype)


def have_eigenvalues(np: Any, x: Any) -> bool:
    """Whether the search for those of lower triangles of two rows and more ends.

    It begins by dividing by the largest element, and stands still at what is not a number then, but
    in the corner from which it starts; of two rows, in both.
    """
    settled = np.isfinite(x)
    corners = 2 if x.shape[-1] == 2 else 1
    for corner in range(corners):
        settled[..., corner, corner] |= np.isinf(x[..., corner, corner])
    return bool(settled.all())
