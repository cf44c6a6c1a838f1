"""TensorFlow's modules of generated functions (`gen_array_ops` …): raw operations in other letters.

`gen_sparse_ops.sparse_reorder(indices, values, shape)` is `tf.raw_ops.SparseReorder`, which takes
keywords alone.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any


def function(name: str) -> Callable[..., Any] | None:
    """The raw operation that a name in small letters stands for, taking arguments by position."""
    if not name.islower():
        return None
    full = _full_names().get(name.replace("_", ""))
    return None if full is None else _by_position(full, name)


@functools.cache
def _full_names() -> Mapping[str, str]:
    from ...api import raw_ops

    return {one.lower(): one for one in dir(raw_ops)}


@functools.cache
def _by_position(full: str, name: str) -> Callable[..., Any]:
    from ...api import raw_ops

    raw = getattr(raw_ops, full)
    keywords = inspect.signature(raw)
    parameters = [
        one.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for one in keywords.parameters.values()
    ]
    signature = keywords.replace(parameters=parameters)

    def call(*args: Any, **kwargs: Any) -> Any:
        return raw(**signature.bind(*args, **kwargs).arguments)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = raw.__doc__
    vars(call)["__signature__"] = signature
    return call
