"""Special functions, eager and compiled, have the values that mpmath finds (special_values.py)."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

FILE = Path(__file__).with_name("special_values.json")
VALUES: dict[str, np.ndarray[Any, Any]] = {
    name: np.array(rows) for name, rows in json.loads(FILE.read_text()).items()
}
# In units of the last place; `USUAL` elsewhere. More where numbers are close to a root, or SciPy is
# not as right (large arguments of Bessel functions, betainc).
WAVES = dict.fromkeys([f"math.special.bessel_{one}" for one in ("j0", "j1", "y0", "y1")], 1000)
LIMITS: dict[type[np.generic], dict[str, int]] = {
    np.float32: {"math.betainc": 1, "math.igamma": 1, "math.igammac": 1, "math.erfcinv": 6},
    np.float64: {
        "math.betainc": 30, "math.igamma": 30, "math.igammac": 100, "math.digamma": 80,
        "math.special.dawsn": 14, "math.special.fresnel_sin": 30, "math.special.fresnel_cos": 30,
        "math.special.dawsn, float64": 4, "math.lgamma, float64": 6, "math.special.expint": 30,
        "math.special.fresnel_cos, float64": 2, "raw_ops.IgammaGradA": 200, **WAVES,
    },
}  # fmt: skip
USUAL: dict[type[np.generic], int] = {np.float32: 4, np.float64: 10}


def names_of(dtype: type[np.generic]) -> list[str]:
    other = "float32" if dtype is np.float64 else "float64"
    return [one for one in VALUES if not one.endswith(other)]


def functions(names: list[str], operands: list[list[Any]]) -> list[Any]:
    found = []
    for name, given in zip(names, operands, strict=True):
        path = name.partition(",")[0].split(".")
        function: Any = reduce(getattr, path, tf)
        if path[0] == "raw_ops":
            found.append(function(a=given[0], x=given[1]))
        else:
            found.append(function(*given))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_are_right_to_the_last_places(dtype: type[np.generic], compiled: bool) -> None:
    names = names_of(dtype)
    operands = [[tf.constant(column.astype(dtype)) for column in VALUES[name].T[:-1]]
                for name in names]  # fmt: skip
    run = tf.function(lambda given: functions(names, given)) if compiled else None
    found = run(operands) if run else functions(names, operands)
    for name, values in zip(names, found, strict=True):
        expected = VALUES[name].T[-1]
        with np.errstate(over="ignore", invalid="ignore"):  # some are infinite
            units = np.spacing(np.abs(expected.astype(dtype))).astype(np.float64)
            away = np.abs(values.numpy().astype(np.float64) - expected) / units
        error = np.where(expected.astype(dtype) == values.numpy(), 0.0, away)
        assert error.max() <= LIMITS[dtype].get(name, USUAL[dtype]), (
            name, VALUES[name][error.argmax()], values.numpy()[error.argmax()], error.max(),
        )  # fmt: skip
