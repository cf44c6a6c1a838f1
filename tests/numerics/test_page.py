"""docs/numerics.md names all functions, and has what was measured."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import tensormill as tf
from tensormill.core import dtypes
from tensormill.ops import catalogue as catalogue
from tensormill.ops.op import REGISTRY, Op
from tests.compiler.elementwise import error_in_ulps

from . import page, record
from .calls import call
from .catalogue import ALIKE, EXACT, FUNCTIONS
from .measure import KIND


def test_the_page_has_what_was_measured() -> None:
    """`python -m tests.numerics` writes it."""
    assert page.PAGE.read_text().endswith(page.tables())


def is_a_function_of_floats(op: type[Op]) -> bool:
    """Slopes are left out: they are made of the functions."""
    own = op.__module__.startswith("tensormill.ops.") and not op.__name__.endswith("Grad")
    return (
        own
        and op.by_element
        and op.outputs[0].dtype == "T"
        and dtypes.float32 in getattr(op, "T", ())
    )


def test_every_function_of_floats_is_measured_or_exact() -> None:
    named = {one.op for one in FUNCTIONS.values()} | EXACT | set(ALIKE)

    assert {name for name, op in REGISTRY.items() if is_a_function_of_floats(op)} - named == set()
    assert set(record.measured()["functions"]) == set(FUNCTIONS)


@pytest.mark.parametrize("dtype", KIND)
def test_the_worst_results_are_no_worse(dtype: str) -> None:
    """On other processors NumPy has other code: they may be twice as far off, and one more."""
    worse = []
    for name, measured in record.measured()["functions"].items():
        places = measured[dtype].values()
        rows = [(one["worst"], float(one["eager"][1])) for one in places]
        operands = np.array([operands for (operands, _), _ in rows]).T
        found = call(tf, name, *(tf.constant(one, dtype) for one in operands)).numpy()
        with mpmath.workdps(30):
            true = [mpmath.mpf(value) for (_, value), _ in rows]
        errors = [error_in_ulps(float(x), y, KIND[dtype]) for x, y in zip(found, true, strict=True)]
        limits = [2 * limit + 1 for _, limit in rows]
        worse += [(name, *row) for row in zip(errors, limits, strict=True) if row[0] > row[1]]

    assert worse == []
