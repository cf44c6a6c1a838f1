"""Keras on real patients, row by row, through `tensormill run`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.keras.optional import running

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.sampled(among="examples")


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", *running(ROOT / "examples" / "regression.py")],
        cwd=tmp_path_factory.mktemp("regression"),
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def test_it_judges_nearly_as_well_as_a_linear_fit(finished) -> None:
    assert finished.returncode == 0, finished.stderr[-3000:]
    error = re.search(r"error on 89 unseen patients: ([\d.]+)", finished.stdout)
    assert error is not None
    assert float(error[1]) < 64


def test_losses_are_those_of_tensorflow(finished) -> None:
    # TensorFlow 2.21 with Keras 3.15 prints these: the same weights, the same order of rows.
    expected = [0.745, 0.560, 0.485, 0.446, 0.423, 0.412, 0.402, 0.392]

    losses = [float(number) for number in re.findall(r"loss ([\d.]+)", finished.stdout)]

    assert losses == pytest.approx(expected, abs=0.005)


def test_the_graph_is_many_times_faster(finished) -> None:
    speeds = re.search(r"([\d,]+) without tf.function, ([\d,]+) with it", finished.stdout)
    assert speeds is not None
    eager, graph = (int(speed.replace(",", "")) for speed in speeds.groups())

    assert eager * 10 < graph
