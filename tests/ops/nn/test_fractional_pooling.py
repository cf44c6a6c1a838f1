"""Cells of fractional pooling are no wider than compiled code takes them to be."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensormill.ops.nn.fractional_pooling import FractionalMaxPool, cells


class Drawn:
    """Words of which one number is told, and the others are any."""

    def __init__(self, unit: float) -> None:
        self._unit, self._random = unit, random.Random(0)

    def wide_unit(self) -> float:
        return self._unit

    def below(self, limit: int) -> int:
        return self._random.randrange(limit)


@pytest.mark.parametrize("unit", [0.0, 0.3, 0.5, 0.9, float(np.nextafter(1, 0))])
@pytest.mark.parametrize("pseudo_random", [False, True])
def test_no_cell_is_wider_than_the_mean_rounded_up(pseudo_random: bool, unit: float) -> None:
    op: Any = SimpleNamespace(pseudo_random=pseudo_random)
    words: Any = Drawn(unit)
    for size in range(1, 130):
        for ratio in (1.0, 1.05, 1.25, 1.44, 1.5, 1.99, 2.0, 2.5, 3.7, 7.0):
            if ratio <= size:
                count = cells(size, ratio)
                borders = FractionalMaxPool.sequence(op, np, words, size, count)

                assert max(np.diff(borders)) <= size // count + 1
