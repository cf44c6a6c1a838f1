# Written by `make stubs` from the table beside it.

"""`tf.nn.experimental`: dropout by a seed alone."""

from builtins import str as _str
from typing import Any as _Any

__all__ = ['stateless_dropout']

def stateless_dropout(x: _Any, rate: _Any, seed: _Any, rng_alg: _Any = 'auto_select', noise_shape: _Any = None, name: _str | None = None) -> _Any:
    """`dropout` whose randomness is `seed` alone: two integers.

    x, rate, noise_shape: as of `dropout`. rng_alg: as `alg` of `tf.random.stateless_uniform`.

    >>> tf.nn.experimental.stateless_dropout(tf.ones([6]), rate=0.5, seed=[1, 2]).numpy()
    array([2., 0., 2., 0., 0., 2.], dtype=float32)

    Raises:
        ValueError: as `dropout` does."""
