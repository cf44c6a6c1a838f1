"""Reading examples in level-2 code touches nothing but their bytes, whatever these are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tensormill.compiler.native.records import EXAMPLES as RECORD
from tensormill.core.native_examples import FLOATS, INTEGERS, WantedFeatures
from tensormill.ops.records.wire_examples import FoundInPython
from tests.compiler.native.functions import Evaluated
from tests.ops.records.damaged_examples import EXAMPLES


class Job:
    """The record Examples for one example, in a memory that knows what may be touched."""

    def __init__(self, machine: Evaluated, text: bytes, kind: int) -> None:
        self.whole, self.found = np.zeros(1, np.uint8), np.zeros(3, np.int64)
        data = np.frombuffer(text or b"\0", np.uint8).copy()
        slots = np.full(8, -1, np.int64)
        slots[_slot(b"k", 7)] = 0
        found = machine.room(self.found)
        rooms = {
            "keys": np.frombuffer(b"k", np.uint8).copy(), "ends": np.array([0, 1]), "slots": slots,
            "kinds": np.array([kind]), "keeps": np.zeros(1, np.uint8),
            "texts": np.array([machine.room(data)]), "sizes": np.array([len(text)]),
            "whole": self.whole,
        }  # fmt: skip
        words = {
            "count": 1, "features": 1, "mask": 7, "counts": found, "places": found + 8,
            "lengths": found + 16, "grain": 1,
            **{name: machine.room(one) for name, one in rooms.items()},
        }  # fmt: skip
        self.address = machine.room(np.array([words[name] for name in RECORD.fields], np.int64))


def _slot(key: bytes, mask: int) -> int:
    found = 14695981039346656037
    for byte in key:
        found = (found ^ byte) * 1099511628211 & 2**64 - 1
    return found & mask


@pytest.mark.sampled
@pytest.mark.parametrize("kind", [INTEGERS, FLOATS])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if "bytes" not in name])
def test_damaged_examples_are_read_within_their_bytes(name: str, kind: int) -> None:
    machine = Evaluated()
    job = Job(machine, EXAMPLES[name], kind)
    machine("tm_examples_find", job.address)
    twin: Any = FoundInPython([EXAMPLES[name]], WantedFeatures((b"k",), (kind,), (False,)))

    assert twin.whole.tolist() == job.whole.tolist()
    if twin.whole[0]:
        assert_read_alike(machine, twin, job, kind)


def assert_read_alike(machine: Evaluated, twin: Any, job: Job, kind: int) -> None:
    """What an example has that can be read: how many numbers, and which."""
    assert twin.counts[0, 0] == job.found[0]
    dtype = np.int64 if kind == INTEGERS else np.float32
    wanted, made = (np.zeros(max(int(job.found[0]), 0), dtype) for _ in range(2))
    twin.take(np.zeros((1, 1), np.int64), [wanted])
    outs = machine.room(np.array([machine.room(made) if len(made) else 0]))
    machine("tm_examples_numbers", job.address, machine.room(np.zeros(1, np.int64)), outs, 1)
    assert wanted.tolist() == made.tolist()
