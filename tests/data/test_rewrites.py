"""How much is lost with an element that fails says which rewrites TensorFlow 2.21 makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

from .test_failing_elements import FAILED, checked, passed

Dataset = tf.data.Dataset
# Batches of 0 to 8, where 4 fails: all of its batch is gone, or what came before it.
TOGETHER = [[0, 1], [2, 3], FAILED, [6, 7], [8]]
ONE_BY_ONE = [[0, 1], [2, 3], FAILED, [5, 6], [7, 8]]


def numbers() -> Any:
    """0 to 8, of which 4 fails."""
    return Dataset.range(9).map(lambda x: checked(x + 1) - 1)


def some() -> Any:
    return numbers().filter(lambda x: x > -1)


def asked(**options: Any) -> Any:
    found = tf.data.Options()
    for name, value in options.items():
        setattr(found.experimental_optimization, name, value)
    return found


def batches(dataset: Any, **options: Any) -> Any:
    return dataset.batch(2).with_options(asked(**options))


def within(**options: Any) -> Any:
    outer = Dataset.range(1).flat_map(lambda _: numbers().batch(2))
    return outer.with_options(asked(**options))


def twice(first: bool, second: bool) -> Any:
    found = batches(numbers(), map_and_batch_fusion=first)
    return found.with_options(asked(map_and_batch_fusion=second))


NONE = {"apply_default_optimizations": False}
CASES: dict[str, tuple[list[Any], Callable[[], Any]]] = {
    "a map": (TOGETHER, lambda: numbers().batch(2)),
    "no map": (ONE_BY_ONE, lambda: some().batch(2)),
    "no fusion": (ONE_BY_ONE, lambda: batches(numbers(), map_and_batch_fusion=False)),
    "no rewrites": (ONE_BY_ONE, lambda: batches(numbers(), **NONE)),
    "fusion alone": (TOGETHER, lambda: batches(numbers(), **NONE, map_and_batch_fusion=True)),
    "options that are taken back": (TOGETHER, lambda: twice(False, True)),
    "options of before": (ONE_BY_ONE, lambda: twice(False, False).map(lambda x: x)),
    "options between": (ONE_BY_ONE, lambda: numbers().with_options(asked()).batch(2)),
    "inner datasets": (TOGETHER, lambda: within()),
    "inner datasets without": (ONE_BY_ONE, lambda: within(map_and_batch_fusion=False)),
    "all of it": (TOGETHER, lambda: numbers().take(-1).batch(2)),
    "nothing skipped": (TOGETHER, lambda: numbers().skip(0).batch(2)),
    "once": (TOGETHER, lambda: numbers().repeat(1).take(-1).batch(2)),
    "the one share": (TOGETHER, lambda: numbers().shard(1, 0).batch(2)),
    "once, kept": (ONE_BY_ONE, lambda: batches(numbers().repeat(1), noop_elimination=False)),
    "a prefix": (ONE_BY_ONE, lambda: numbers().take(9).batch(2)),
    "an identity": (ONE_BY_ONE, lambda: some().map(lambda x: x).batch(2)),
    "an identity of threads": (ONE_BY_ONE, lambda: some().map(tf.identity, 2).batch(2)),
    "an identity, kept": (
        TOGETHER, lambda: batches(some().map(lambda x: x), noop_elimination=False),
    ),
    "no identity": (TOGETHER, lambda: some().map(lambda x: x + 0).batch(2)),
    "batches of threads": (ONE_BY_ONE, lambda: numbers().batch(2, num_parallel_calls=2)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_as_much_is_lost_with_an_element_as_in_tensorflow(name: str) -> None:
    expected, made = CASES[name]

    assert expected == passed(made())


def test_an_identity_that_does_something_else_is_none() -> None:
    def told(x: Any) -> Any:
        tf.debugging.assert_greater(x, tf.constant(-1, tf.int64))
        return x

    assert passed(some().map(told).batch(2)) == TOGETHER
