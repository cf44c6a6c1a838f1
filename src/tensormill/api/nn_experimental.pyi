# Written by `make stubs` from the table beside it.

"""`tf.nn.experimental`: dropout by a seed alone."""

from builtins import str as _str
from typing import Any as _Any

__all__ = ['stateless_dropout']

def stateless_dropout(x: _Any, rate: _Any, seed: _Any, rng_alg: _Any = 'auto_select', noise_shape: _Any = None, name: _str | None = None) -> _Any:
    """`dropout` whose randomness is `seed` alone: two integers.

    Raises:
        ValueError: as `dropout` does."""
