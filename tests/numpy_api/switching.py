"""Tensors with NumPy's behaviour for one test: the library itself never turns it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tensormill.core.numpy_behavior import changes
from tensormill.eager.tensor import Tensor
from tensormill.numpy_api.behavior import METHODS


@contextmanager
def put_back() -> Iterator[None]:
    """Afterwards tensors behave as they did before."""
    before = {**vars(changes)}
    own = {name: vars(Tensor)[name] for name in METHODS if name in vars(Tensor)}
    try:
        yield
    finally:
        vars(changes).update(before)
        for name in METHODS:
            if name in own:
                setattr(Tensor, name, own[name])
            elif name in vars(Tensor):
                delattr(Tensor, name)
