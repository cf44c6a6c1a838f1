"""Pipelines made by chance do what plain Python does with lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf

from .test_elements import contents

Dataset = tf.data.Dataset
Rows = list[Any]
# A transformation of datasets, and what it does to a list.
Step = tuple[str, Callable[[Any], Any], Callable[[Rows], Rows]]


def double(x: Any) -> Any:
    return 2 * x + 1


def is_odd(x: Any) -> Any:
    return x % 3 == 1


def batches(rows: Iterable[Any], size: int, drop: bool) -> Rows:
    rest = iter(rows)
    found: Rows = []
    while batch := list(islice(rest, size)):
        if len(batch) == size or not drop:
            found.append(batch)
    return found


def take(n: int) -> Step:
    return f"take {n}", lambda d: d.take(n), lambda rows: rows if n < 0 else rows[:n]


def skip(n: int) -> Step:
    return f"skip {n}", lambda d: d.skip(n), lambda rows: [] if n < 0 else rows[n:]


def repeat(n: int) -> Step:
    return f"repeat {n}", lambda d: d.repeat(n), lambda rows: rows * n


def shard(n: int) -> Step:
    return f"shard {n}", lambda d: d.shard(n, n // 2), lambda rows: rows[n // 2 :: n]


def rebatched(n: int, drop: bool) -> Step:
    return (
        f"batch {n} {drop} unbatch",
        lambda d: d.batch(n, drop).unbatch(),
        lambda rows: [x for batch in batches(rows, n, drop) for x in batch],
    )


def windows(n: int, shift: int) -> Step:
    def rows_of(rows: Rows) -> Rows:
        return [x for at in range(0, len(rows), shift) for x in rows[at : at + n]]

    return (
        f"window {n} {shift}",
        lambda d: d.window(n, shift).flat_map(lambda window: window),
        rows_of,
    )


PLAIN: list[Step] = [
    ("map", lambda d: d.map(double), lambda rows: [double(x) for x in rows]),
    ("filter", lambda d: d.filter(is_odd), lambda rows: [x for x in rows if is_odd(x)]),
    ("prefetch", lambda d: d.prefetch(2), lambda rows: rows),
    ("cache", lambda d: d.cache(), lambda rows: rows),
    ("concatenate", lambda d: d.concatenate(Dataset.range(3)), lambda rows: [*rows, 0, 1, 2]),
    (
        "enumerate",
        lambda d: d.enumerate(2).map(lambda k, x: k * x),
        lambda rows: [k * x for k, x in enumerate(rows, 2)],
    ),
    (
        "zip",
        lambda d: Dataset.zip((d, Dataset.range(5))).map(lambda x, y: x - y),
        lambda rows: [x - y for x, y in zip(rows, range(5), strict=False)],
    ),
]
small = st.integers(-1, 7)
positive = st.integers(1, 5)
steps = st.lists(
    st.one_of(
        st.sampled_from(PLAIN),
        st.builds(take, small),
        st.builds(skip, small),
        st.builds(repeat, st.integers(0, 3)),
        st.builds(shard, positive),
        st.builds(rebatched, positive, st.booleans()),
        st.builds(windows, positive, positive),
    ),
    max_size=5,
)


@given(st.integers(0, 20), steps)
@settings(max_examples=60, deadline=None)
def test_pipelines_are_those_of_lists(count: int, steps: list[Step]) -> None:
    dataset, expected = Dataset.range(count), list(range(count))
    for _, transform, model in steps:
        dataset, expected = transform(dataset), model(expected)

    assert expected == contents(dataset)
    assert expected == contents(dataset)
    assert int(dataset.cardinality()) in (len(expected), -2)


@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 2**31), steps)
@settings(max_examples=40, deadline=None)
def test_shuffling_loses_nothing(count: int, size: int, seed: int, steps: list[Step]) -> None:
    dataset, expected = Dataset.range(count), list(range(count))
    for _, transform, model in steps:
        dataset, expected = transform(dataset), model(expected)

    shuffled = contents(dataset.shuffle(size, seed=seed))

    assert sorted(expected) == sorted(shuffled)
    # No element comes earlier than a buffer of that size allows.
    if len(set(expected)) == len(expected):
        assert all(expected.index(x) < k + size for k, x in enumerate(shuffled))


@given(st.integers(0, 12), positive, positive)
@settings(max_examples=30, deadline=None)
def test_a_batch_of_rows_is_a_batch_of_elements(count: int, size: int, buffer: int) -> None:
    rows = Dataset.from_tensor_slices({"x": tf.range(count), "y": tf.ones([count, 2])})
    elements = rows.filter(lambda row: True)

    def batched(dataset: Any) -> Rows:
        return contents(dataset.shuffle(buffer, seed=1).repeat(2).batch(size))

    assert batched(elements) == batched(rows)
