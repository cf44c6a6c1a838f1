"""The programs of examples/seeds print what TensorFlow 2.21 prints, or better where that fails.

`expected/` holds TensorFlow's output. `make interop` compares with a living TensorFlow.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.interop.compare import differences
from tests.keras.optional import running

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "seeds").glob("*.py"))


@pytest.mark.sampled(among="examples")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_it_prints_what_tensorflow_prints(program: Path, tmp_path: Path) -> None:
    expected = ROOT / "tests" / "examples" / "expected" / f"{program.stem}.txt"

    done = subprocess.run(
        [sys.executable, *running(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert differences(program.stem, expected.read_text(), done.stdout) == []
