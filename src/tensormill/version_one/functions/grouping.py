"""`tf.compat.v1.tuple`, whose arguments came in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...control import grouping


def tuple(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] | None = None
) -> list[Any]:
    """The tensors as a list, available once all of them and `control_inputs` are (`tf.tuple`).

    >>> [int(one) for one in tf.compat.v1.tuple([tf.constant(1), tf.constant(2)])]
    [1, 2]

    Raises:
        ValueError: there is no tensor.
        TypeError: a control input is neither a tensor nor an operation.
    """
    return grouping.tuple(tensors, control_inputs, name)
