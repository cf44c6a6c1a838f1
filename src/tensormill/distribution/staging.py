"""Operations of a graph say whose work they are, where it is a replica's."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ..core import context
from ..core.device_specs import canonical_device
from ..core.process.with_blocks import block
from ..eager.placement import device
from ..graph.ir import ReplicaPlace


@block
def staged_for(number: int, name: str) -> Generator[None]:
    """A block in which operations of a graph are work of a replica, by its number, on its device;
    others are where they are.
    """
    if not context.building_graph():
        yield
        return
    interpreter: Any = context.top().interpreter
    place = ReplicaPlace(number, canonical_device(name).rpartition("/device:")[2])
    with device(name), interpreter.devices.of_replica(place):
        yield
