"""Signs of eigenvectors and singular vectors, which LAPACK leaves to how it rounds.

NumPy's LAPACK and that of compiled code round otherwise. So the first of the nearly largest numbers
of each vector is made positive, here and in compiler/native/lapack.py.
"""

from __future__ import annotations

from typing import Any


def turns(np: Any, vectors: Any) -> Any:
    """What each column [..., m, k] is multiplied by, [..., 1, k]: 1, -1, or a complex number."""
    if not vectors.size:
        return vectors[..., :1, :]
    sizes = np.abs(vectors)
    largest = sizes.max(-2, keepdims=True)
    first = np.argmax(sizes >= 0.9 * largest, -2)[..., None, :]
    chosen = np.conj(np.take_along_axis(vectors, first, -2))
    length = np.where(largest > 0, np.abs(chosen), 1)
    return np.where(largest > 0, chosen / length, 1).astype(vectors.dtype)


def turned(np: Any, vectors: Any, turn: Any) -> Any:
    """The vectors, the first of them turned: a full basis has more of them."""
    if not turn.size:
        return vectors
    count = turn.shape[-1]
    return np.concatenate([vectors[..., :count] * turn, vectors[..., count:]], -1)
