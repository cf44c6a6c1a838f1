"""Operations whose derivatives nobody knows: asking for one says so, rather than to give zeros."""

from __future__ import annotations

from typing import Any


def no_derivative(self: Any, *doutputs: Any) -> Any:
    """The rule `vjp` of an operation that has none, as in TensorFlow.

    Raises:
        LookupError: always.
    """
    raise LookupError(
        f"gradient registry has no entry for: {self.name}: what it computes has no derivative; "
        "where it counts as a constant, take tf.stop_gradient of its operand"
    )
