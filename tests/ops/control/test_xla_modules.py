"""Programs that JAX has exported, in a process of their own: JAX warns of every fork after it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).with_name("xla_modules.py")


def test_programs_of_jax_run_as_there() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PROGRAMS)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)

    assert told.returncode == 0, told.stdout + told.stderr
