"""`tensorflow.python.eager.context`: the process's state, as far as clients ask for it."""

from __future__ import annotations

from ...core.context import building_graph


class EagerContext:
    """Nothing runs behind a program's back here, so there is little to ask for."""

    def executing_eagerly(self) -> bool:
        return not building_graph()

    def clear_kernel_cache(self) -> None:
        """Nothing: eager operations keep nothing between calls."""

    def ensure_initialized(self) -> None:
        """Nothing: there is no device to prepare."""


def context() -> EagerContext:
    return EagerContext()


def async_wait() -> None:
    """Nothing: an operation has ended when its call returns."""
