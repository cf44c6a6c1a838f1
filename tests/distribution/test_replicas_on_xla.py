"""Replicas share the work of programs of XLA's: each device has its variables, and does its part.

JAX counts its devices once in a process, so one child process with four of them tells all of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from .replicas_on_xla import BITS, ROWS, TARGETS

pytestmark = pytest.mark.sampled(among="processes of several devices")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    environment = os.environ | {"TENSORMILL_EFFORT": "0"}
    folder = str(tmp_path_factory.mktemp("checkpoints"))
    command = [sys.executable, "-m", "tests.distribution.replicas_on_xla", folder]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def trained(steps: int) -> tuple[list[float], list[Any]]:
    """The losses, and the weights after each step, of one device with the global batch."""
    weights, losses, found = np.zeros((3, 1)), list[float](), list[Any]()
    for _ in range(steps):
        error = ROWS.astype(np.float64) @ weights - TARGETS
        losses.append(float((error**2).sum() / 8))
        weights = weights - 0.1 * 2 * ROWS.T.astype(np.float64) @ error / 8
        found.append(weights)
    return losses, found


def test_each_device_keeps_its_part_of_variables_and_changes_it_there(told: Any) -> None:
    found = told["shared_step"]
    assert found["devices"] == [0, 1, 2, 3]
    assert found["shapes"] == [[3, 1]] * 4
    assert found["stays"]
    assert found["report"] == "  divided over the mesh replica=4"


def test_the_program_adds_up_over_all_devices(told: Any) -> None:
    exchanges = told["shared_step"]["exchanges"]
    assert exchanges
    assert all("replica_groups={{0,1,2,3}}" in one for one in exchanges)


def test_replicas_train_as_one_device_does(told: Any) -> None:
    found, (losses, weights) = told["shared_step"], trained(3)
    assert found["losses"] == pytest.approx(losses, rel=1e-5)
    np.testing.assert_allclose(found["parts"], [weights[-1]] * 4, rtol=1e-5)
    assert (found["steps"], found["seen"]) == (3, [6.0] * 4)


def test_batches_of_uneven_parts_are_shared_too(told: Any) -> None:
    losses, parts, seen = told["uneven"]
    expected, weights = trained(3)
    assert losses == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(parts, [weights[-1]] * 4, rtol=1e-5)
    assert seen == [7.0, 6.0, 6.0, 5.0]


def test_exchanges_give_what_all_replicas_have(told: Any) -> None:
    each, joined, mean = told["exchanges"]
    x = np.arange(8.0).reshape(4, 2)
    assert each["sum"] == [x.sum(0).tolist()] * 4
    assert each["mean"] == [x.mean(0).tolist()] * 4
    assert each["rows"] == [x.tolist()] * 4
    assert each["uneven"] == [[1, 2, 2, 3, 3, 3, 4, 4, 4, 4]] * 4
    assert each["merged"] == [x.sum(0).tolist()]
    assert each["number"] == [0, 1, 2, 3]
    assert joined == [np.tile(x, 4).tolist()]
    assert mean == 3.0


def test_exchanges_keep_the_bits_of_zeros_and_subnormal_numbers_and_what_is_none(told: Any) -> None:
    found, report = told["sent_bits"]
    assert report == "  divided over the mesh replica=4"
    for name, bits in BITS.items():
        values = -bits.view(name)
        rows = np.stack([values[::-1], values])
        assert found[name][:2] == rows.view(bits.dtype).tolist(), name


def test_replicas_may_differ_and_draw_the_numbers_of_one_device(told: Any) -> None:
    (each, drawn, alike), total, own = told["each_its_own"]
    np.testing.assert_allclose(each[1], [6.268941, 6.731059], rtol=1e-6)
    assert [each[0], *each[2:]] == [[4.0, 6.0], [-8.0, -10.0], [-12.0, -14.0]]
    assert (total, own) == (-42.0, [20.0, 26.0, -36.0, -52.0])
    assert len({tuple(one) for one in drawn}) == 4
    assert len({tuple(one) for one in alike}) == 1
    np.testing.assert_allclose(drawn, told["drawn_on_cpu"], rtol=1e-6)


def test_what_turns_out_not_to_be_alike_changes_variables_once(told: Any) -> None:
    found, calls, report = told["sizes_of_each"]
    assert report == "  divided over the mesh replica=4"
    assert found == [2.0, 5.0, 8.0, 11.0]
    assert calls == [1.0] * 4


def test_steps_in_a_loop_are_shared(told: Any) -> None:
    loss, parts, steps = told["steps_in_a_loop"]
    losses, weights = trained(3)
    assert loss == pytest.approx(losses[-1], rel=1e-5)
    np.testing.assert_allclose(parts, [weights[-1]] * 4, rtol=1e-5)
    assert steps == 3


def test_nothing_is_changed_on_any_device_after_a_check_failed_on_one(told: Any) -> None:
    assert told["failing"] == [[[8.0, 2.0]] * 4, [[8.0, 2.0]] * 4, True]


@pytest.mark.parametrize(
    ("case", "parts"),
    [
        ("before", [[2.0, -2.0, 6.0, 2.0], [1.0, 2.0, 3.0, 1.0], [2.0, 4.0, 6.0, 2.0]]),
        ("inside", [[2.0, 4.0, 6.0, 2.0]]),
        ("above", [[21.0] * 4]),
    ],
)
def test_nor_in_branches_and_loops_that_each_device_is_in_by_itself(
    told: Any, case: str, parts: Any
) -> None:
    before, after, report = told["failing_apart"][case]
    assert report == "  divided over the mesh replica=4"
    assert before == parts
    assert after == before


def test_an_assertion_prints_what_the_replica_has_in_which_it_failed(told: Any) -> None:
    message, report = told["asserting"]
    assert report == "  divided over the mesh replica=4"
    assert "assertion failed: [70 80]" in message  # as TensorFlow prints it


def test_code_for_several_devices_is_no_work_of_replicas(told: Any) -> None:
    found, report = told["no_replicas"]
    assert found == [[2.0, 4.0], [6.0, 8.0], [2.0, 4.0], [4.0, 6.0]]
    assert "replica" not in report


def test_checkpoints_go_from_replicas_to_one_device_and_back(told: Any) -> None:
    plain, seen, parts, loss = told["checkpoints"]
    _, (first, *_) = trained(1)
    np.testing.assert_allclose(plain, first + 1, rtol=1e-5)
    np.testing.assert_allclose(parts, [first + 1] * 4, rtol=1e-5)
    assert seen == 8.0
    error = ROWS @ (first + 1) - TARGETS
    assert loss == pytest.approx(float((error**2).sum() / 8), rel=1e-5)
