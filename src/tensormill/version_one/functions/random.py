"""Random numbers as TensorFlow 1 draws them."""

from __future__ import annotations

from typing import Any

from ...core import context, dtypes
from ...ops.random import categories, seeds
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


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The seeds of the graph and of an operation that is made now, or None twice where there are
    none.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.set_random_seed(1)
    ...     tf.compat.v1.get_seed(3)
    (1, 3)

    Raises:
        ValueError: it is no number.
    """
    if op_seed is None and seeds.seed_of(context.top().interpreter) is None:
        return None, None
    return seeds.get_seed(op_seed)


def multinomial(
    logits: Any,
    num_samples: Any,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: Any = None,
) -> Any:
    """Classes [batch, num_samples] of the probabilities softmax(logits): `tf.random.categorical`.

    >>> tf.compat.v1.multinomial([[0.0, 99.0]], 3).numpy()
    array([[1, 1, 1]])

    Raises:
        InvalidArgumentError: `logits` is no matrix, or `num_samples` is negative.
    """
    return categories.categorical(logits, num_samples, output_dtype, seed, name or "multinomial")


def stateless_multinomial(
    logits: Any,
    num_samples: Any,
    seed: Any,
    output_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Any:
    """Classes of the probabilities softmax(logits) that two integers determine:
    `tf.random.stateless_categorical`.

    >>> tf.compat.v1.random.stateless_multinomial([[0.0, 99.0]], 3, seed=[1, 2]).numpy()
    array([[1, 1, 1]])

    Raises:
        InvalidArgumentError: `logits` is no matrix, or `num_samples` is negative.
    """
    return categories.stateless_categorical(logits, num_samples, seed, output_dtype, name)
