"""What workers tell each other before they exchange anything."""

import numpy as np
import pytest

import tensormill as tf
from tensormill.distribution.workers.group import HEADER, agreed, header
from tensormill.distribution.workers.membership import Membership

MEMBER = Membership("worker", 0, 0, ["a:1", "b:2"])


def test_rows_may_differ() -> None:
    told = np.stack([header("CollectiveGather float32[?, 2]", rows) for rows in (3, 5)])

    assert told.shape == (2, HEADER)
    assert agreed(told, MEMBER) == [3, 5]


def test_different_programs_are_told_by_name() -> None:
    told = np.stack([header("CollectiveReduce Add Id float32[3]", 3), header("barrier end", 0)])
    text = (
        r"worker 0 \(a:1\) is at CollectiveReduce Add Id float32\[3\] of 3 rows, "
        r"worker 1 \(b:2\) at barrier end of 0 rows"
    )

    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        agreed(told, MEMBER)
