"""All that the runtime knows about tensors, so that the rest can be read without them.

The imports inside of functions are there because converted code may run on Python values alone.
"""

from __future__ import annotations

from typing import Any

from tensormill.core import context, values


def is_tensor(value: Any) -> bool:
    return values.is_tensor(value)


def is_staged(value: Any) -> bool:
    """Whether control that depends on the value belongs into the graph that is being traced."""
    return values.is_tensor(value) and context.building_graph()


def building_graph() -> bool:
    return context.building_graph()
