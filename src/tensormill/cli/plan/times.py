"""How long what was counted takes at least, by the figures of a chip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from .devices import Chip
from .exchanges import DeviceExchange

NARROW: Final = frozenset(("bf16", "f16"))
# What of the bytes goes over the link of each of n devices, one after the other in a ring.
WAYS: Final = {"all-reduce": 2.0}


def time_of_work(work: Mapping[str, int], chip: Chip) -> float:
    """Seconds for products."""
    return sum(
        number / (chip.work if dtype in NARROW else chip.wide_work)
        for dtype, number in work.items()
    )


def speed_of(exchange: DeviceExchange, chip: Chip) -> float:
    """Bytes in a second that a device sends to the next one: within a node by its link, else by the
    network, which the devices of a node that take part use together.
    """
    nodes = Counter(number // chip.node for number in exchange.group)
    if len(nodes) == 1:
        return chip.link
    return min(chip.link, chip.network * min(nodes.values()))


def time_of(exchange: DeviceExchange, chip: Chip) -> float:
    """Seconds for one exchange in a ring."""
    size = len(exchange.group)
    if exchange.kind in ("collective-permute", "collective-broadcast"):
        share = 1.0
    else:
        share = WAYS.get(exchange.kind, 1.0) * (size - 1) / size
    return share * exchange.bytes / speed_of(exchange, chip)
