"""What the workloads share: a pass over a dataset, and files that are there while it is timed."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

from bench.work import Timed


def folder() -> Path:
    """A folder that is deleted when the process ends."""
    made = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def timed_pass(dataset: Any, check: Any, units: int) -> Timed:
    """Going through all elements; `check` makes a number of the last one."""

    def one_pass() -> Any:
        element = None
        for element in dataset:  # noqa: B007
            pass
        return element

    return Timed(one_pass, check=float(check(one_pass())), units=units)
