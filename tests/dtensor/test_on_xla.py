"""DTensors in functions of the back end XLA: divided arrays, and one program for all devices.

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

from .on_xla import ROWS
from .programs import laid_out

pytestmark = pytest.mark.sampled(among="processes of several devices")


@pytest.fixture(scope="module")
def told() -> Any:
    environment = os.environ | {"TENSORMILL_EFFORT": "0"}
    command = [sys.executable, "-m", "tests.dtensor.on_xla"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def trained_weights() -> Any:
    """What NumPy makes of the steps of `step_in_place`."""
    weights = ROWS.astype(np.float64)
    x = laid_out((4, 4), "x.")._array.astype(np.float64)
    for _ in range(3):
        weights = weights - 0.1 * x.T @ (x @ weights)
    return weights


def test_a_divided_variable_is_changed_where_it_lies(told: Any) -> None:
    found = told["step_in_place"]
    assert found["stays"]
    assert (found["spec"], found["parts"]) == ([None, "y"], [[4, 2]] * 4)
    np.testing.assert_allclose(found["weights"], trained_weights(), rtol=1e-5)
    assert found["report"].strip() == "divided over the mesh x=2, y=2"


def test_results_lie_as_on_the_cpu(told: Any) -> None:
    assert told["step_in_place"]["letters"] == "xy"
    assert told["step_in_place"]["total"] == ""


def test_a_program_of_one_device_reads_what_several_had(told: Any) -> None:
    assert told["step_in_place"]["count"] == 2 * (3 + 5)


def test_a_function_divides_what_it_lays_out(told: Any) -> None:
    assert told["relayout_within"] == ["xy", (ROWS * 2 + 1).tolist()]


def test_between_two_divided_programs_python_sees_the_whole(told: Any) -> None:
    captured = laid_out((4, 4), ".y")._array.astype(np.float64)
    x = laid_out((4, 4), "x.")._array.astype(np.float64)
    for _ in range(3):
        x = x @ captured / 8
    value, cuts = told["captured_and_cut"]
    assert cuts == 1
    assert value == pytest.approx(((x + 1) * captured).sum(), rel=1e-6)


def test_strings_beside_divided_numbers_are_read_on_the_cpu(told: Any) -> None:
    assert told["texts"] == [1 + 6, 3 + 8]


def test_a_call_is_laid_out(told: Any) -> None:
    assert told["laid_out_by_call"] == "xy"


def test_a_mesh_for_which_there_are_no_devices_is_told(told: Any) -> None:
    value, note = told["larger_mesh"]
    assert value == 16.0
    assert "the mesh has 8 devices, JAX 4" in note
