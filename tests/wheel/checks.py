"""What is asked of a wheel that was installed alone, in its environment.

    .venv-wheel/bin/python -m tests.wheel.checks

The first sample of every operation, and all programs that draw random numbers, run eagerly and
compiled with what the wheel itself requires, or say which extra they need.
"""

from __future__ import annotations

import json
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import numpy as np

import tensormill as tf

from ..ops import rules
from ..ops.random import random_programs
from ..ops.samples.sample import Sample

# What is in the environment of development, and not asked for by the wheel.
STRANGERS = (
    "keras",
    "simplejpeg",
    "scikit-learn",
    "jax",
    "tensorflow",
    "pytest",
    "matplotlib",
    "hypothesis",
)

# So many operations are one program, which takes a quarter less time than as many programs.
TOGETHER = 12

Check = tuple[str, Callable[[], None]]


def main() -> int:
    """Run all checks; say which fail, and why."""
    failed = count = 0
    tf.get_logger().setLevel("ERROR")
    for name, check in checks():
        count += 1
        try:
            unless_an_extra_is_needed(check)
        except Exception:
            failed += 1
            print(f"{name}:\n{traceback.format_exc()}", file=sys.stderr)
    print(
        f"wheel, Python {sys.version.split()[0]}: {count - failed} checks passed, {failed} failed"
    )
    return 1 if failed else 0


def checks() -> Iterator[Check]:
    yield "the wheel is what runs, alone", assert_alone
    yield "tensormill doctor", assert_well
    for name in rules.SAMPLES:
        yield f"{name}, eager", lambda name=name: rules.assert_as_told(name, 0)
    every = list(rules.SAMPLES)
    for first in range(0, len(every), TOGETHER):
        names = every[first : first + TOGETHER]
        yield f"{'/'.join(names)}, compiled", lambda names=names: assert_compiled(names)
    for program in random_programs.PROGRAMS:
        yield program.__name__, lambda program=program: assert_drawn(program)


def unless_an_extra_is_needed(check: Callable[[], None]) -> None:
    try:
        check()
    except ImportError as error:
        if not asks_for_an_extra(error):
            raise


def asks_for_an_extra(error: ImportError) -> bool:
    return "pip install 'tensormill[" in str(error)


def assert_alone() -> None:
    place = Path(tf.__file__)
    beside = [one for one in STRANGERS if is_installed(one)]

    assert place.is_relative_to(sys.prefix), f"{place} is not in {sys.prefix}"
    assert beside == [], f"{beside} are installed beside the wheel"


def is_installed(distribution: str) -> bool:
    return any(True for _ in metadata.distributions(name=distribution))


def assert_well() -> None:
    command = Path(sys.prefix) / "bin" / "tensormill"
    finished = subprocess.run([command, "doctor"], capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stdout + finished.stderr


def assert_compiled(names: list[str]) -> None:
    """In one program; where that fails, one by one, so that one that needs an extra hides no other.

    Raises:
        Exception: what one of them fails with, or what all do together.
    """
    try:
        rules.assert_compiled_as_evaluated([first_sample(name) for name in names], sizes_known=True)
    except Exception:
        if not [name for name in names if needs_an_extra(name)]:
            raise


def needs_an_extra(name: str) -> bool:
    """Whether an operation says so when it is compiled alone.

    Raises:
        Exception: it fails otherwise.
    """
    try:
        rules.assert_compiled_as_evaluated([first_sample(name)], sizes_known=True)
    except ImportError as error:
        if asks_for_an_extra(error):
            return True
        raise
    return False


def first_sample(name: str) -> tuple[str, Sample]:
    return name, rules.SAMPLES[name][0]


def assert_drawn(program: random_programs.Program) -> None:
    recorded = json.loads(random_programs.FILE.read_text())[program.__name__]

    for theirs, ours in zip(recorded, random_programs.numbers(program, tf), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


if __name__ == "__main__":
    sys.exit(main())
