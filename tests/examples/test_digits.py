"""The main job: an unmodified TensorFlow script, on real data, through `tensormill run`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.sampled(among="examples")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("digits")


@pytest.fixture(scope="module")
def finished(folder: Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "examples" / "digits.py"
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tensormill", "run", str(script)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_it_reads_96_percent_of_unseen_digits(finished) -> None:
    assert finished.returncode == 0, finished.stderr
    accuracy = re.search(r"test accuracy: ([\d.]+)% of 360 digits", finished.stdout)
    assert accuracy is not None
    assert float(accuracy[1]) >= 96


def test_the_compiled_step_is_faster_than_the_eager_one(finished) -> None:
    speeds = re.search(r"([\d,]+) eager, ([\d,]+) compiled", finished.stdout)

    assert speeds is not None
    eager, compiled = (int(speed.replace(",", "")) for speed in speeds.groups())
    assert eager < compiled


def test_it_draws_a_picture(finished, folder) -> None:
    assert "picture: digits.png" in finished.stdout
    pixels = np.asarray(Image.open(folder / "digits.png"))[..., :3] / 255
    assert pixels.shape == (540, 1320, 3)
    curve = np.abs(pixels - (31 / 255, 119 / 255, 180 / 255)).max(axis=-1) < 0.02
    assert curve.sum() > 500  # the blue line of the averages
    right = pixels[:, 790:]
    assert (right < 0.1).mean() > 0.005  # the ink of misread digits


def test_it_shows_progress(finished) -> None:
    assert "training: 100%" in finished.stderr
