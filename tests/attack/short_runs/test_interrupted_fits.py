"""One step of the attack on models that are trained."""

from __future__ import annotations

import pytest

from tests.attack.interrupted_fits import install, known_model
from tests.attack.interrupts import attempt, quiet


@pytest.mark.sampled(among="attacks")
@pytest.mark.filterwarnings("ignore")  # of Keras's own
def test_a_model_goes_on_after_an_interrupt() -> None:
    install()
    with quiet():
        assert [] == attempt(known_model, seed=1, number=1, lines=100_000)
