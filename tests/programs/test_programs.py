"""Whole programs, unchanged through `tensormill run`, print what TensorFlow 2.21 printed.

`expected/<program>.txt` is what `python <program>.py` printed with TensorFlow. Words must be equal,
and numbers up to one unit of their last printed digit: sums are added in another order here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
PROGRAMS = sorted(path.stem for path in (FOLDER / "expected").glob("*.txt"))
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")


def test_every_program_has_a_recorded_answer() -> None:
    programs = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("test_")}

    assert programs == set(PROGRAMS)


@pytest.mark.sampled
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_prints_what_it_prints_with_tensorflow(program: str, tmp_path: Path) -> None:
    expected = (FOLDER / "expected" / f"{program}.txt").read_text()

    finished = run(FOLDER / f"{program}.py", tmp_path)

    assert finished.returncode == 0, finished.stderr
    assert NUMBER.sub("#", finished.stdout) == NUMBER.sub("#", expected)
    for ours, theirs in zip(NUMBER.findall(finished.stdout), NUMBER.findall(expected), strict=True):
        assert float(ours) == pytest.approx(float(theirs), rel=1e-5, abs=last_digit(theirs))
    assert [] == list(tmp_path.iterdir())  # nothing is left behind


def run(script: Path, temporary: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tensormill", "run", str(script)],
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def last_digit(number: str) -> float:
    """What one unit of the last digit is worth: 0.01 for '3.14', 1e-6 for '1.2e-5'."""
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2])
    return 1.01 * 10.0 ** (int(exponent or 0) - decimals)
