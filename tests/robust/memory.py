"""What a process takes while a function is traced for thousands of signatures.

    python -m tests.robust.memory 5000

prints the resident memory, the lines of the memory map and Python's blocks on the way, and fails
where they grow by more than they may. Run with TENSORMILL_CACHE=0 to compile everything.
"""

from __future__ import annotations

import gc
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tensormill as tf

WARM = 300  # signatures after which growth counts
MOST_KEPT = 16 << 20  # bytes that may stay with the process when the function is gone


class Sample(NamedTuple):
    """The process at one moment."""

    signatures: int
    resident: int  # bytes
    maps: int
    blocks: int  # that Python has allocated


class Growth(NamedTuple):
    """What thousands of signatures did."""

    samples: Sequence[Sample]
    slope: float  # bytes per signature after the first WARM
    maps: int  # lines more
    returned: float  # the share of all blocks that dropping the function freed
    resident: float  # the share of the resident memory that went back to the system
    kept: int  # bytes that did not


def measure(signatures: int, every: int = 100) -> Growth:
    """Trace and call one function for so many signatures, then drop it."""
    logging.getLogger("tensormill").setLevel(logging.ERROR)  # it is retraced on purpose
    function, x = make(), tf.ones([8])
    for number in range(-10, 0):  # what is loaded and compiled once is no growth
        function(x, number)
    function = make()
    gc.collect()
    samples = [sample(0)]
    for number in range(signatures):
        assert float(function(x, number)) == 12.0 + number
        if number + 1 == WARM or (number + 1) % every == 0:
            samples.append(sample(number + 1))
    warm = next(one for one in samples if one.signatures >= WARM)
    slope = (samples[-1].resident - warm.resident) / max(1, signatures - WARM)
    maps = samples[-1].maps - samples[0].maps
    del function
    gc.collect()
    after = sample(signatures)
    first, last = samples[0], samples[-1]
    returned = (last.blocks - after.blocks) / max(1, last.blocks - first.blocks)
    # CPython gives back an arena (1 MiB) only when nothing is left in it, and a few small objects,
    # these samples among them, lie in many: what is kept does not grow with the signatures.
    resident = (last.resident - after.resident) / max(1, last.resident - first.resident)
    kept = after.resident - first.resident
    return Growth([*samples, after], slope, maps, returned, resident, kept)


def make() -> Any:
    @tf.function(autograph=False)
    def function(x: Any, k: int) -> Any:
        return tf.reduce_sum(tf.nn.relu(x) * 1.5) + float(k)

    return function


def sample(signatures: int) -> Sample:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    maps = len(Path("/proc/self/maps").read_text().splitlines())
    return Sample(signatures, pages * 4096, maps, sys.getallocatedblocks())


def main(arguments: Sequence[str]) -> int:
    started = time.monotonic()
    growth = measure(int(arguments[0]) if arguments else 5000, every=500)
    for one in growth.samples:
        resident = f"{one.resident / 2**20:8.1f} MiB"
        print(f"{one.signatures:6} {resident} {one.maps:5} maps {one.blocks:8} blocks")
    print(f"{time.monotonic() - started:.0f} s; {growth.slope / 1024:.2f} KB per signature,")
    freed = f"{growth.returned:.0%} of all blocks and {growth.resident:.0%} of the memory freed"
    print(f"{growth.maps} more maps, {freed}")
    bounded = growth.slope <= 5 * 1024 and growth.maps <= 200
    return int(not bounded or growth.returned < 0.9 or growth.kept > MOST_KEPT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
