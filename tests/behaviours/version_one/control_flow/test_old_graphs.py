"""Loops and branches as TensorFlow 1 has them in graphs, with their gradients: I10."""

from __future__ import annotations

import pytest

from tests.behaviours.library import behaviour
from tests.behaviours.version_one.control_flow.old_graphs import results, written

# Of TensorFlow 2.21, for 0, 1, 2 and 4 turns.
EXPECTED = {
    "of_a_loop": [[2.0, 1.0], [3.6, 0.585], [6.48, 0.2054], [20.9952, 0.01038]],
    "of_loops_in_loops": [[2.0, 1.0], [1.62, 0.81], [1.3122, 0.6561], [263.28824, 14.81564]],
    "of_a_branch_in_a_loop": [[2.0, 1.0], [2.53, 1.32], [2.65318, 1.06814], [3.60449, 1.12498]],
    "of_branches_that_take_two_values": [
        [18.0, 9.0], [4.69492, 1.45946], [11.03218, 4.73586], [-17.74938, 21.6938]
    ],
    "of_branches_in_branches": [
        [2.0, 1.0], [0.9093, 0.84147], [0.28819, 0.3559], [0.07517, 0.03625]
    ],
    "of_drawn_numbers": [[102.0, 51.0], [0.0, 24.41149], [74.1005, 5.79681], [22.28643, 0.0]],
    "a_loop_waits": [[1001.5], [1003.5], [1005.5], [1009.5]],
    "a_branch_waits": [[1004.5], [1004.5], [1003.0], [1003.0]],
}  # fmt: skip


@behaviour("I10")
@pytest.mark.parametrize("name", EXPECTED)
def test_graphs_of_tensorflow_1_give_what_they_gave(name: str) -> None:
    for expected, found in zip(EXPECTED[name], results(written(), name), strict=True):
        assert pytest.approx(expected, rel=1e-4, abs=1e-4) == found
