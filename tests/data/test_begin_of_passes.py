"""Iterators over the inputs of a dataset begin when its own does: who is made first has the first
order of a shuffled dataset, whoever is read first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

Dataset = tf.data.Dataset

CHANGES: dict[str, Callable[[Any], Any]] = {
    "map": lambda d: d.map(lambda x: x),
    "batch": lambda d: d.batch(3),
    "cache": lambda d: d.cache(),
    "concatenate": lambda d: d.concatenate(d),
    "choose": lambda d: Dataset.choose_from_datasets([d, d], Dataset.range(2).repeat(4)),
    "enumerate": lambda d: d.enumerate(),
    "group": lambda d: d.group_by_window(lambda x: x % 2, lambda _, w: w.batch(3), window_size=3),
    "interleave": lambda d: d.interleave(lambda x: Dataset.from_tensors(x), cycle_length=3),
    "rebatch": lambda d: d.batch(4).rebatch(3),
    "repeat": lambda d: d.repeat(2),
    "repeat what is mapped": lambda d: d.map(lambda x: x).repeat(2),
    "sample": lambda d: Dataset.sample_from_datasets([d, d], [0.5, 0.5], seed=3),
    "shard": lambda d: d.shard(2, 1),
    "skip": lambda d: d.skip(2),
    "take": lambda d: d.take(5),
    "unique": lambda d: d.unique(),
    "unbatch": lambda d: d.batch(4).unbatch(),
    "window": lambda d: d.window(3),
}


def listed(elements: Any) -> list[Any]:
    return [
        [np.asarray(y).tolist() for y in x] if isinstance(x, Dataset) else np.asarray(x).tolist()
        for x in elements
    ]


def changed(name: str) -> Any:
    return CHANGES[name](Dataset.range(8).shuffle(8, seed=1))


@pytest.mark.parametrize("name", sorted(CHANGES.keys() - {"cache", "enumerate"}))
def test_an_iterator_that_is_made_first_has_the_first_order(name: str) -> None:
    first, dataset = listed(changed(name)), changed(name)

    waiting = iter(dataset)
    second = listed(dataset)

    assert first[:3] == listed(waiting)[:3]
    assert first[:3] != second[:3]


def test_what_is_shuffled_twice_begins_with_the_first_element() -> None:
    """TensorFlow fills the buffer of a shuffle, and begins its input, when it is asked."""
    dataset = Dataset.range(8).shuffle(8, seed=1).map(lambda x: x).shuffle(1, seed=2)
    first = listed(Dataset.range(8).shuffle(8, seed=1))

    waiting = iter(dataset)

    assert first == listed(dataset)
    assert first != listed(waiting)


def test_the_first_pass_that_ends_is_what_a_cache_keeps() -> None:
    dataset = Dataset.range(8).shuffle(8, seed=1).cache()

    begun = iter(dataset)
    next(begun)
    kept = listed(dataset)

    assert kept != listed(begun)
    assert kept == listed(dataset)
