"""`tf.timestamp`: what time it is when the program gets there."""

from __future__ import annotations

import time
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ..bind import bind
from ..effects import World
from ..op import Op, Out


class Timestamp(Op):
    """Seconds since 1970, UTC."""

    ts = Out("f64")
    # It is asked anew wherever it stands, as random numbers are drawn.
    effects = (World.DRAWS,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.float64)

    def eager(self, np: Any) -> Any:
        return np.float64(time.time())


def timestamp(name: str | None = None) -> Any:
    """Seconds since 1970 (UTC) when the program gets here: a float64 scalar.

    In a function it is asked each time the function runs; operations with effects (assignments,
    prints, other timestamps) that come before it happen before.

    >>> before = tf.timestamp()
    >>> bool(tf.timestamp() >= before)
    True

    Raises:
        ValueError: a graph can have no operation of this name.
    """
    return bind(Timestamp, name=name)
