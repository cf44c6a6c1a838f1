"""Orders of all elements of a dataset: what TensorFlow 2.21 gives for the same seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

from .test_raw_datasets import ONE, RAW, numbers, passed, traced
from .test_raw_orders_and_files import ROW, flat, rows

PERMUTED: dict[str, tuple[Callable[[], Any], list[Any], list[Any]]] = {
    "numbers": (lambda: numbers(8), [3, 4, 5, 6, 0, 2, 1, 7], [1, 6, 3, 7, 5, 2, 4, 0]),
    "one": (lambda: numbers(1), [0], [0]),
    "map": (
        lambda: RAW.MapDataset(
            input_dataset=numbers(8), other_arguments=[], f=traced(lambda x: x * 2),
            preserve_cardinality=True, **ONE,
        ),
        [6, 8, 10, 12, 0, 4, 2, 14], [2, 12, 6, 14, 10, 4, 8, 0],
    ),
    "repeat": (
        lambda: RAW.RepeatDataset(input_dataset=numbers(3), count=2, **ONE),
        [0, 1, 2, 1, 0, 2], [1, 1, 0, 0, 2, 2],
    ),
    "take": (
        lambda: RAW.TakeDataset(input_dataset=numbers(7), count=4, **ONE),
        [3, 0, 2, 1], [1, 2, 3, 0],
    ),
    "skip": (
        lambda: RAW.SkipDataset(input_dataset=numbers(7), count=4, **ONE), [5, 4, 6], [5, 6, 4]
    ),
    "shard": (
        lambda: RAW.ShardDataset(input_dataset=numbers(7), num_shards=2, index=1, **ONE),
        [3, 1, 5], [3, 5, 1],
    ),
    "concatenate": (
        lambda: RAW.ConcatenateDataset(
            input_dataset=numbers(3), another_dataset=numbers(9, 5), **ONE
        ),
        [5, 6, 7, 8, 0, 2, 1], [1, 8, 5, 0, 7, 2, 6],
    ),
    "prefetch": (
        lambda: RAW.PrefetchDataset(input_dataset=numbers(3), buffer_size=2, **ONE),
        [1, 0, 2], [1, 2, 0],
    ),
    "cache": (
        lambda: RAW.CacheDataset(input_dataset=numbers(3), filename="", **ONE),
        [1, 0, 2], [1, 2, 0],
    ),
    "tensor": (
        lambda: RAW.TensorDataset(components=[tf.constant(4, tf.int64)], output_shapes=[[]]),
        [4], [4],
    ),
    "twice": (lambda: permuted(numbers(5)), [1, 0, 2, 4, 3], [4, 2, 0, 1, 3]),
}  # fmt: skip


def permuted(dataset: Any, fresh: bool = True, seeds: Any = None, **said: Any) -> Any:
    told: dict[str, Any] = {"seed": 1, "seed2": 2, "reshuffle_each_iteration": fresh, **ONE}
    generator = RAW.DummySeedGenerator() if seeds is None else seeds
    return RAW.GlobalShuffleDataset(input_dataset=dataset, seed_generator=generator, **told | said)


@pytest.mark.parametrize("name", PERMUTED)
def test_all_elements_are_put_in_an_order_by_their_numbers(name: str) -> None:
    make, first, second = PERMUTED[name]
    dataset = permuted(make())

    assert len(first) == int(RAW.DatasetCardinality(input_dataset=dataset))
    assert first == flat(dataset)
    assert second == flat(dataset)


def test_batches_are_put_in_an_order_whole() -> None:
    batches = RAW.BatchDatasetV2(input_dataset=numbers(7), batch_size=2, drop_remainder=True, **ROW)
    pairs = RAW.ZipDataset(
        input_datasets=[numbers(3), numbers(9, 5)], output_types=[tf.int64] * 2,
        output_shapes=[[]] * 2,
    )  # fmt: skip
    both = {"output_types": [tf.int64] * 2, "output_shapes": [[]] * 2}

    assert [[2, 3], [0, 1], [4, 5]] == rows(permuted(batches, **ROW))
    assert [[1, 6], [0, 5], [2, 7]] == passed(permuted(pairs, **both), *both.values())


def test_orders_of_all_elements_are_of_a_generators_seeds() -> None:
    same, _ = RAW.AnonymousSeedGenerator(seed=5, seed2=6, reshuffle=False)
    fresh, _ = RAW.AnonymousSeedGenerator(seed=5, seed2=6, reshuffle=True)
    unchanging = permuted(numbers(8), fresh=False)
    first, second = permuted(numbers(8), seeds=fresh), permuted(numbers(8), seeds=fresh)

    assert [7, 6, 1, 0, 5, 2, 4, 3] == flat(unchanging) == flat(unchanging)
    assert [5, 1, 7, 4, 2, 3, 6, 0] == flat(permuted(numbers(8), fresh=False, seeds=same))
    assert [7, 1, 4, 6, 0, 3, 5, 2] == flat(first)
    assert [4, 7, 2, 0, 5, 3, 6, 1] == flat(second)


def test_elements_that_have_no_numbers_are_put_in_no_order() -> None:
    def counted_by_nobody(name: str, **told: Any) -> Any:
        make = getattr(RAW, f"{name}Dataset")
        return lambda: make(input_dataset=numbers(4), **told, **ONE)

    none: dict[str, Any] = {"other_arguments": []}
    refused = [
        counted_by_nobody("Filter", predicate=traced(lambda x: x > 2), **none),
        counted_by_nobody("Repeat", count=-1),
        counted_by_nobody("Shuffle", buffer_size=2, seed=1, seed2=1),
        counted_by_nobody("FlatMap", f=traced(lambda x: numbers(2)), **none),
    ]
    for make in refused:
        with pytest.raises(tf.errors.FailedPreconditionError, match="global_shuffle"):
            flat(permuted(make()))
    for make in (
        lambda: numbers(0),
        counted_by_nobody("Map", f=traced(lambda x: x * 2), **none),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="global_shuffle"):
            flat(permuted(make()))


def test_a_cache_gives_an_order_the_elements_that_were_computed_once() -> None:
    computed: list[int] = []

    def noted(x: Any) -> Any:
        computed.append(int(x))
        return x + 10 * len(computed)

    def cached() -> Any:
        computed.clear()
        noting = tf.data.Dataset.range(3).map(
            lambda x: tf.ensure_shape(tf.numpy_function(noted, [x], tf.int64), [])
        )
        return noting.cache()

    dataset = permuted(cached()._variant_tensor)
    first = flat(dataset)

    assert [11, 20, 32] == first
    assert sorted(first) == sorted(flat(dataset))
    assert [1, 0, 2] == computed

    source = cached()
    assert [10, 21, 32] == list(source.as_numpy_iterator())
    assert [21, 10, 32] == flat(permuted(source._variant_tensor))

    source = cached()
    assert [11, 20, 32] == flat(permuted(source._variant_tensor))
    assert [20, 11, 32] == list(source.as_numpy_iterator())


COUNTED = tf.data.experimental.assert_cardinality(6)


def test_elements_that_were_counted_are_put_in_an_order() -> None:
    counted = tf.data.Dataset.range(6).apply(COUNTED)
    dataset = permuted(counted._variant_tensor)

    assert [3, 4, 5, 1, 0, 2] == flat(dataset)
    assert [1, 4, 3, 0, 5, 2] == flat(dataset)

    with pytest.raises(tf.errors.FailedPreconditionError, match="only 3"):
        flat(permuted(tf.data.Dataset.range(3).apply(COUNTED)._variant_tensor))
