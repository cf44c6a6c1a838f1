"""Models without `build` are the same after they were written and read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensormill.compat import install
from tests.keras.unbuilt import EXPORT, WIDTH, Plan, layer, what_is_lost

pytestmark = pytest.mark.filterwarnings("ignore")  # of Keras's own

PLANS: dict[str, Plan] = {
    "flat": ("chain", ["dense", "dense"]),
    "nested": ("chain", ["dense", ("chain", [("chain", ["batch", "dropout"])])]),
    "in lists and dicts": ("named", ["dense", "norm", ("named", ["dense", "dropout"])]),
    "of functions": ("chain", [("staged", ["dense", ("staged", ["norm"])])]),
    "around functional models": ("chain", [("functional", ["dense", ("chain", ["conv"])])]),
    "with branches and loops": ("chain", [("branching", ["dense", ("branching", ["norm"])])]),
    "recurrent": ("chain", [("chain", ["gru"])]),
}


@pytest.fixture(autouse=True)
def tensorflow() -> Any:
    return install()


@pytest.mark.sampled
@pytest.mark.parametrize("name", PLANS)
def test_a_model_keeps_its_variables_and_predictions(name: str) -> None:
    assert [] == what_is_lost(PLANS[name])


@pytest.mark.parametrize("suffix", [".weights.h5", EXPORT])
def test_so_does_one_in_another_format(suffix: str) -> None:
    assert [] == what_is_lost(PLANS["nested"], suffix)


def test_so_does_one_that_is_compiled_by_request() -> None:
    assert [] == what_is_lost(PLANS["nested"], jit=True)


def test_weights_that_find_no_place_are_an_error(tmp_path: Path) -> None:
    """Keras takes an object that it comes to again, on another way, to be loaded after all."""
    plan: Plan = ("chain", ["gru"])
    model, again = layer(plan), layer(plan)
    model(np.ones([1, WIDTH], np.float32))
    model.save_weights(tmp_path / "model.weights.h5")
    again.build((None, WIDTH))  # marks the model only, not what is in it

    with pytest.raises(ValueError, match="could not be loaded"):
        again.load_weights(tmp_path / "model.weights.h5")
