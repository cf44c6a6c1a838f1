"""Batches that are cut out of several rows at a time are those of single elements."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.data.nodes import stacks

Dataset = tf.data.Dataset
BATCHES: dict[str, Callable[[Any, int], Any]] = {
    "batch": lambda data, size: data.batch(size),
    "whole batches": lambda data, size: data.batch(size, drop_remainder=True),
    "padded": lambda data, size: data.padded_batch(size),
    "whole padded": lambda data, size: data.padded_batch(size, drop_remainder=True),
}


def one_by_one(data: Any) -> Any:
    """The same elements, of which nobody can have several at once."""
    return data.filter(lambda *_: True)


def rows(count: int, first: int = 0) -> Any:
    numbers = np.arange(first, first + count)
    words = np.array([b"w" * (n % 3) for n in numbers], dtype=object).reshape(-1)
    columns = {"x": numbers[:, None] * np.ones(3, np.float32), "n": numbers, "w": words}
    return Dataset.from_tensor_slices(columns)


def passed(data: Any) -> list[Any]:
    """The elements, and the classes of errors where there are none."""
    found: list[Any] = []
    iterator = iter(data)
    while len(found) < 99:
        try:
            element = next(iterator)
        except StopIteration:
            return found
        except tf.errors.OpError as error:
            found.append(type(error))
            continue
        parts = tf.nest.flatten(element, expand_composites=True)
        found.append([(one.dtype.name, np.asarray(one.numpy()).tolist()) for one in parts])
    raise AssertionError("it does not end")


SOURCES: dict[str, Callable[[int], Any]] = {
    "rows": rows,
    "shuffled": lambda count: rows(count).shuffle(4, seed=3),
    "repeated": lambda count: rows(count).shuffle(4, seed=3).repeat(3),
    "concatenated": lambda count: rows(count).concatenate(rows(5, 7)),
    "concatenated shuffles": lambda count: (
        rows(count).shuffle(3, seed=1).concatenate(rows(5).shuffle(2, seed=2))
    ),
    "unbatched": lambda count: rows(count).batch(3).unbatch(),
    "unbatched concatenated": lambda count: rows(count).concatenate(rows(4).batch(3).unbatch()),
    "zipped": lambda count: Dataset.zip(Dataset.range(2, 99, 3), rows(count)),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("count", [0, 1, 4, 11])
@pytest.mark.parametrize("at_once", [1, 150, 1 << 15])
def test_batches_are_those_of_single_elements(
    source: str, batch: str, count: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stacks, "BYTES_AT_ONCE", at_once)

    def made(between: Callable[[Any], Any]) -> list[Any]:
        tf.random.set_seed(5)
        data = BATCHES[batch](between(SOURCES[source](count)), 4)
        return [passed(data), passed(data)]

    assert made(one_by_one) == made(lambda data: data)


def failing() -> Any:
    """Batches of three numbers, of which the third is none."""
    return Dataset.range(15).batch(3).map(lambda x: (tf.debugging.assert_none_equal(x, 7), x)[1])


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_what_comes_after_a_failure_is_that_of_single_elements(batch: str, size: int) -> None:
    data = failing().unbatch()

    assert passed(BATCHES[batch](one_by_one(data), size)) == passed(BATCHES[batch](data, size))


@pytest.mark.parametrize("batch", BATCHES)
def test_rows_that_differ_in_shape_are_refused_or_padded(batch: str) -> None:
    lengths = Dataset.from_tensor_slices([2, 2, 3, 1, 1])
    data = lengths.map(lambda n: tf.ones((3, n), tf.int32)).unbatch()

    expected = passed(BATCHES[batch](one_by_one(data), 4))
    assert expected == passed(BATCHES[batch](data, 4))
    assert (tf.errors.InvalidArgumentError in expected) == ("padded" not in batch)


def test_columns_of_different_lengths_are_no_rows() -> None:
    data = Dataset.range(3).map(lambda n: (tf.zeros(n), tf.zeros(2))).unbatch().batch(2)

    failure = tf.errors.InvalidArgumentError
    assert [failure, failure, [("float32", [0.0, 0.0])] * 2] == passed(data)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 5), max_size=8), st.integers(1, 6), st.booleans())
def test_batches_of_batches_have_the_rows_in_order(sizes: list[int], size: int, drop: bool) -> None:
    numbers = np.arange(sum(sizes))
    ends = np.cumsum([0, *sizes])
    pieces = [[numbers[a:b]] for a, b in itertools.pairwise(ends)]

    taken = stacks.StackedRows(iter(pieces))
    found: list[Any] = []
    while (some := taken.take(size)) and (stacks.count_of(some) == size or not drop):
        found.append(stacks.joined_stacks(some)[0].numpy().tolist())

    expected = [numbers[at : at + size].tolist() for at in range(0, len(numbers), size)]
    assert [one for one in expected if len(one) == size or not drop] == found


@pytest.mark.parametrize("size", [1, 2, 4, 5, 30])
@pytest.mark.parametrize("drop", [False, True])
def test_rebatched_rows_are_those_of_batches_of_rows(size: int, drop: bool) -> None:
    data = rows(11).batch(3)

    expected = passed(one_by_one(rows(11)).batch(size, drop_remainder=drop))
    assert expected == passed(data.rebatch(size, drop_remainder=drop))


def test_a_batch_that_is_kept_stays_as_it_is() -> None:
    batches = list(rows(64).shuffle(8, seed=2).batch(4))
    before = [one["x"].numpy().tolist() for one in batches]

    copies = [tf.Variable(one["x"]) for one in batches]
    for copy in copies:
        copy.assign_add(tf.ones_like(copy))

    assert before == [one["x"].numpy().tolist() for one in batches]


KEPT: dict[str, Callable[[], Any]] = {
    "rows": lambda: one_by_one(rows(11)),
    "nothing": lambda: one_by_one(rows(0)),
    "numbers": lambda: Dataset.range(9).map(lambda n: (n * 2, tf.cast(n, tf.float32))),
    "lengths": lambda: Dataset.range(5).map(lambda n: tf.range(n)),
    "long": lambda: Dataset.range(5).map(lambda n: tf.fill([600], n)),
    "ragged": lambda: Dataset.range(5).map(lambda n: tf.RaggedTensor.from_row_lengths([n], [1])),
    "datasets": lambda: Dataset.range(6).window(2).flat_map(lambda window: window),
    "failing": lambda: failing().unbatch(),
}


@pytest.mark.parametrize("source", KEPT)
@pytest.mark.parametrize(
    "after",
    [
        lambda data: data,
        lambda data: data.batch(4),
        lambda data: data.shuffle(3, seed=7),
        lambda data: data.shuffle(3, seed=7).repeat(2).take(9),
        lambda data: data.skip(2).shard(2, 1).enumerate(),
    ],
)
def test_what_is_kept_is_what_came_first(source: str, after: Any) -> None:
    def made(data: Any) -> list[Any]:
        tf.random.set_seed(5)
        data = after(data)
        return [passed(data) for _ in range(3)]

    data = KEPT[source]()
    kept = data.cache()
    assert [one for one in passed(data) if isinstance(one, list)] == [
        one for one in passed(kept) if isinstance(one, list)
    ]
    assert made(one_by_one(kept)) == made(kept)
