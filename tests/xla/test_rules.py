"""Every operation's rule for XLA gives what its kernel gives.

All samples of a topic are one program. Of topics whose programs take long to compile only the first
sample of each operation is in it; `TENSORMILL_EFFORT=2` runs all of them.
"""

from __future__ import annotations

import os

import pytest

from tensormill.ops.op import REGISTRY
from tests.ops import rules as of_kernels
from tests.ops.samples import SAMPLES, TOPICS

from . import operations, rules

LONG = {
    "arithmetic", "boxes", "convolutions", "elementwise", "images", "matrices", "reductions",
    "special",
}  # fmt: skip
# How much they find depends on what they are given: samples of these are refused.
REFUSED = {"Raise", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionWithOverlaps"}


def chosen(topic: str) -> list[tuple[str, int]]:
    found = rules.topic_cases(topic)
    if topic in LONG and os.environ.get("TENSORMILL_EFFORT") != "2":
        return [(name, number) for name, number in found if number == 0]
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("topic", [topic for topic in TOPICS if rules.topic_cases(topic)])
def test_rules_give_what_kernels_give(topic: str) -> None:
    cases = chosen(topic)
    for (name, number), outputs in zip(cases, rules.computed(cases), strict=True):
        if outputs is None:
            assert name in REFUSED
            continue
        sample = SAMPLES[name][number]
        expected = of_kernels.eager_outputs(REGISTRY[name], sample)

        assert len(expected) == len(outputs), name
        for one, output in zip(expected, outputs, strict=True):
            of_kernels.assert_close(one, output, sample.tolerance, f"{name}, sample {number}")


def test_the_page_lists_operations_as_they_are() -> None:
    """`python -m tests.xla.operations` writes it."""
    assert operations.PAGE.read_text().endswith(operations.listed())
