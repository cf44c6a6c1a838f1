"""Whose turn it is, is drawn for many elements at once as it is for one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tensormill.data.nodes.drawing import DrawnPlaces, borders_of
from tensormill.data.seeds import SeedWords
from tensormill.ops.random.philox import stateless_stream
from tensormill.ops.random.rejection_sampling import categories


@pytest.mark.parametrize("shares", [[0.5, 0.5], [1.0], [0.1, 0.0, 0.7, 0.2], [3.0, 1e-9, 5.0]])
def test_places_are_those_of_single_stateless_draws(shares: Any) -> None:
    shares = np.array(shares)
    words, draws = SeedWords(3, 5), DrawnPlaces(SeedWords(3, 5))
    with np.errstate(divide="ignore"):
        logits = np.log(shares.astype(np.float32))[None]
    one_by_one = [
        int(categories(stateless_stream(words.next(), words.next()), 0, logits, 1)[0, 0])
        for _ in range(3000)
    ]

    assert one_by_one == [draws.next(borders_of(shares)) for _ in range(3000)]
