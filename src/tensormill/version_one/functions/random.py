"""Random numbers as TensorFlow 1 draws them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...ops.random.gamma_and_poisson import poisson


def random_poisson(
    lam: Any,
    shape: Any,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Poisson distributed numbers [*shape, *shape of lam]: `tf.random.poisson`, the mean first.

    >>> tf.compat.v1.random.poisson(lam=[0.0, 0.0], shape=[3]).shape
    TensorShape([3, 2])

    Raises:
        InvalidArgumentError: `shape` is no vector of sizes.
    """
    return poisson(shape, lam, dtype, seed, name)
