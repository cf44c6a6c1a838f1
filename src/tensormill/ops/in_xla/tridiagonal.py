"""Tridiagonal systems in XLA's words: a scan down the rows, and one back up."""

from __future__ import annotations

from typing import Any


def eliminated_in_xla(xla: Any, diagonals: Any, rhs: Any, pivoting: bool) -> Any:
    """The solutions of all systems at once; NaN of singular ones."""
    np, lax = xla.np, xla.lax
    if not rhs.size:
        return rhs
    above, main, below = np.moveaxis(np.moveaxis(diagonals, -2, 0), -1, 1)
    above, x = above.at[-1].set(0), np.moveaxis(rhs, -2, 0)

    def down(row: Any, following: Any) -> Any:
        return _step_down(np, row, following, pivoting)

    first = (main[0], above[0], x[0])
    last, rows = lax.scan(down, first, (below[1:], main[1:], above[1:], x[1:]))

    def up(later: Any, row: Any) -> Any:
        (after, beyond), (pivot, near, far, own) = later, row
        found = own - near[..., None] * after - far[..., None] * beyond
        found = found / pivot[..., None]
        return (found, after), found

    end = last[2] / last[0][..., None]
    _, found = lax.scan(up, (end, np.zeros_like(end)), rows, reverse=True)
    found = np.moveaxis(np.concatenate([found, end[None]]), 0, -2)
    singular = (rows[0] == 0).any(0) | (last[0] == 0)
    return np.where(singular[..., None, None], np.asarray(np.nan, found.dtype), found)


def _step_down(np: Any, row: Any, following: Any, pivoting: bool) -> Any:
    """What is left of the next row, and how this one stands in the upper triangle."""
    main, above, x = row
    lower, next_main, next_above, next_x = following
    exchanged = (np.abs(main) < np.abs(lower)) & pivoting
    pivot, other = np.where(exchanged, lower, main), np.where(exchanged, main, lower)
    factor = np.where(pivot == 0, 0, other / pivot)
    near, second = np.where(exchanged, next_main, above), np.where(exchanged, above, next_main)
    far, swap = np.where(exchanged, next_above, 0), exchanged[..., None]
    upper, under = np.where(swap, next_x, x), np.where(swap, x, next_x)
    after = np.where(exchanged, -factor * next_above, next_above)
    left = second - factor * near, after, under - factor[..., None] * upper
    return left, (pivot, near, far, upper)
