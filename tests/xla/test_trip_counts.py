"""How often a loop runs, told before it does, is how often it runs."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.xla.trip_counts import trip_count

COMPARISONS = {
    "<": (operator.lt, tf.less), "<=": (operator.le, tf.less_equal),
    ">": (operator.gt, tf.greater), ">=": (operator.ge, tf.greater_equal),
}  # fmt: skip


def told(comparison: Any, body: Any, begin: int, limit: int, dtype: Any = np.int32) -> Any:
    """What is known of `while comparison(i, n): i, n = body(i, n)`: turns, and both behind it."""

    @tf.function
    def run(i: Any, n: Any) -> Any:
        return tf.while_loop(comparison, body, (i, n))

    given = [np.array(begin, dtype), np.array(limit, dtype)]
    graph = run.get_concrete_function(*map(tf.constant, given)).callee.graph
    (one,) = (one for one in graph.operations if one.op.name.endswith("While"))
    names = [value.name for value in one.operands]
    values: list[Any] = [None] * len(names)
    for name, value in zip(("i", "n"), given, strict=True):
        values[names.index(name)] = value
    found = trip_count(
        one.attrs["cond"], one.attrs["body"], values,
        lambda value: value if isinstance(value, np.ndarray) else None,
    )  # fmt: skip
    if found is None:
        return None
    return found.count, {names[k]: number for k, number in found.results.items()}


@pytest.mark.parametrize("sign", COMPARISONS)
@pytest.mark.parametrize("change", [1, 3, -2])
def test_a_counter_runs_as_often_as_python_counts(sign: str, change: int) -> None:
    holds, comparison = COMPARISONS[sign]
    for limit in (-7, 0, 6, 7):
        found = told(comparison, lambda i, n: (i + change, n), 0, limit)
        i, turns = 0, 0
        while holds(i, limit) and turns < 100:
            i, turns = i + change, turns + 1
        if turns == 100:
            assert found is None
        else:
            assert found == (turns, {"i": i}), (limit, turns)


def test_both_sides_may_change() -> None:
    found = told(tf.less, lambda i, n: (i + 2, n - 1), 0, 10)

    assert found == (4, {"i": 8, "n": 6})


@pytest.mark.parametrize(
    ("comparison", "body", "dtype"),
    [
        (tf.less_equal, lambda i, n: (i + 1, n), np.int8),  # it goes round at 127
        (tf.less, lambda i, n: (i * 2, n), np.int32),
        (tf.less, lambda i, n: (i + n, n), np.int32),
        (tf.less, lambda i, n: (i + 1, n), np.float32),
        (tf.not_equal, lambda i, n: (i + 1, n), np.int32),
    ],
)
def test_of_others_nothing_is_told(comparison: Any, body: Any, dtype: Any) -> None:
    assert told(comparison, body, 1, 127, dtype) is None
