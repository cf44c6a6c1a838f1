"""Derivatives: tapes that watch programs run, and the differentiation of graphs.

What the gradient of an operation is stands beside it: it is the rule `vjp` of its class in ops/
(of `tf.gather`, in ops/array/gather.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.control import python_functions


def _differentiate(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    from .python_functions import differentiate

    return differentiate(function, count)


# Operations do not know this folder, and whoever differentiates one has imported something of it.
python_functions.differentiate = _differentiate
