"""One step of the attack on Keras models."""

from __future__ import annotations

import pytest

from tests.attack.keras_models import attack


@pytest.mark.sampled(among="attacks")
@pytest.mark.filterwarnings("ignore")
def test_a_random_model_survives_a_file() -> None:
    assert [] == attack(1, seed=5)
