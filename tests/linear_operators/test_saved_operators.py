"""Operators as arguments and results of saved functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.type_spec_names import lookup
from tests.linear_operators.kinds import KINDS


class Holder(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.numbers = tf.Variable([1.0, 2.0])
        self.own = tf.linalg.LinearOperatorDiag(self.numbers)

    @tf.function
    def both(self, operator: Any) -> dict[str, Any]:
        return {"whole": operator.to_dense(), "given": operator, "own": self.own}


@pytest.mark.sampled
@pytest.mark.parametrize("name", KINDS)
def test_an_operator_goes_through_a_saved_function(name: str, tmp_path: Path) -> None:
    make, _ = KINDS[name]
    operator, holder = make(tf), Holder()
    holder.both(operator)
    tf.saved_model.save(holder, tmp_path)
    found = tf.saved_model.load(tmp_path).both(make(tf))

    expected = np.asarray(operator.to_dense())
    np.testing.assert_allclose(expected, found["whole"], rtol=1e-12)
    np.testing.assert_allclose(expected, found["given"].to_dense(), rtol=1e-12)
    assert type(operator) is type(found["given"])
    np.testing.assert_array_equal([1.0, 2.0], found["own"].diag)


def test_what_describes_a_kind_is_found_by_its_name() -> None:
    operator = tf.linalg.LinearOperatorDiag([1.0])

    assert lookup("tf.linalg.LinearOperatorDiagSpec") is type(tf.type_spec_from_value(operator))


def test_operators_of_other_names_share_a_trace() -> None:
    whole = tf.function(lambda operator: operator.to_dense())
    whole(tf.linalg.LinearOperatorDiag([1.0], name="first"))
    whole(tf.linalg.LinearOperatorDiag([2.0], name="second"))

    assert whole.experimental_get_tracing_count() == 1
