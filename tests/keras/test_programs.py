"""Programs with Keras compute what they compute with TensorFlow: `record.py` wrote down what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensormill.compat import install
from tests.keras import loops, trainers

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("recorded.json").read_text())
PROGRAMS = {program.__name__: program for program in (*loops.PROGRAMS, *trainers.PROGRAMS)}

# What Keras warns of is its own business: shuffled datasets, optimizers without variables.
pytestmark = pytest.mark.filterwarnings("ignore")


def test_every_program_has_a_recorded_answer() -> None:
    assert PROGRAMS.keys() == RECORDED.keys()


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_computes_what_it_computes_with_tensorflow(name: str) -> None:
    expected = RECORDED[name]

    found = run(PROGRAMS[name])

    assert expected.keys() == found.keys()
    for part, numbers in expected.items():
        assert numbers == pytest.approx(found[part], rel=2e-4, abs=2e-4), part


def run(program: Callable[[Any, Any], Any]) -> Any:
    tensorflow = install()
    import keras

    return program(tensorflow, keras)
