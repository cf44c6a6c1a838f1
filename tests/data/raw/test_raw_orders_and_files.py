"""Datasets by names that only TensorFlow's own code calls: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

from .test_raw_datasets import NUMBER, ONE, RAW, numbers, passed, traced

ROW = {"output_types": [tf.int64], "output_shapes": [[None]]}
DATASET = tf.TensorSpec([], tf.variant)


def flat(dataset: Any) -> list[Any]:
    """The elements, which have one component."""
    return [element[0] for element in passed(dataset)]


def rows(dataset: Any) -> list[Any]:
    return [element[0] for element in passed(dataset, shapes=[[None]])]


# ---------------------------------------------------------------- orders


def test_a_generator_gives_seeds_to_all_passes_over_all_its_datasets() -> None:
    def shuffled(generator: Any, **told: Any) -> Any:
        seeds = {"seed": 1, "seed2": 2, "seed_generator": generator}
        return RAW.ShuffleDatasetV3(input_dataset=numbers(6), buffer_size=3, **seeds, **ONE, **told)

    fresh, deleter = RAW.AnonymousSeedGenerator(seed=5, seed2=6, reshuffle=True)
    first, second = shuffled(fresh), shuffled(fresh)
    assert [0, 1, 2, 5, 4, 3] == flat(first)
    assert [1, 2, 0, 5, 4, 3] == flat(second)
    assert [2, 3, 1, 5, 4, 0] == flat(first)
    RAW.DeleteSeedGenerator(handle=fresh, deleter=deleter)

    same, _ = RAW.AnonymousSeedGenerator(seed=5, seed2=6, reshuffle=False)
    repeated = shuffled(same, reshuffle_each_iteration=False)
    assert [0, 2, 3, 5, 1, 4] == flat(repeated) == flat(repeated)


def test_an_older_shuffle_has_no_seeds_but_a_generators() -> None:
    generator, _ = RAW.AnonymousSeedGenerator(seed=1, seed2=2, reshuffle=True)
    older = RAW.ShuffleDatasetV2(
        input_dataset=numbers(6), buffer_size=3, seed_generator=generator, **ONE
    )

    assert [1, 3, 2, 4, 5, 0] == flat(older)
    assert [1, 3, 4, 0, 2, 5] == flat(older)


@pytest.mark.parametrize(
    ("fresh", "expected"),
    [
        (True, [1, 3, 2, 4, 5, 0, 1, 3, 4, 0, 2, 5]),
        (False, [2, 3, 0, 5, 1, 4, 2, 3, 0, 5, 1, 4]),
    ],
)
def test_shuffling_and_repeating_is_one_operation(fresh: bool, expected: list[int]) -> None:
    told: dict[str, Any] = {"buffer_size": 3, "seed": 1, "seed2": 2, "count": 2,
                            "reshuffle_each_iteration": fresh, **ONE}  # fmt: skip
    generator, _ = RAW.AnonymousSeedGenerator(seed=1, seed2=2, reshuffle=fresh)
    first = RAW.ShuffleAndRepeatDataset(input_dataset=numbers(6), **told)
    second = RAW.ShuffleAndRepeatDatasetV2(
        input_dataset=numbers(6), seed_generator=generator, **told
    )

    assert expected == flat(first) == flat(second)


def test_each_element_is_drawn_with_a_probability() -> None:
    def drawn(rate: float) -> list[int]:
        return flat(
            RAW.SamplingDataset(input_dataset=numbers(30), rate=rate, seed=1, seed2=2, **ONE)
        )

    assert [2, 3, 5, 7, 9, 10, 11, 12, 20, 24] == drawn(0.4)
    assert [] == drawn(0.0)
    assert list(range(30)) == drawn(1.0)


# ---------------------------------------------------------------- pieces


def test_windows_are_stacked() -> None:
    def windows(name: str = "", **told: Any) -> list[Any]:
        given = {"window_size": 3, "window_shift": 2, "window_stride": 1} | told
        make = getattr(RAW, f"{name}SlidingWindowDataset")
        return rows(make(input_dataset=numbers(7), **given, **ROW))

    full = [[0, 1, 2], [2, 3, 4], [4, 5, 6]]
    assert full == windows() == windows("Experimental")
    assert [*full, [6]] == windows(drop_remainder=False)
    assert [[0, 2], [4, 6]] == windows(window_size=2, window_shift=4, window_stride=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="size"):
        windows(window_size=0)


@pytest.mark.parametrize("prefix", ["", "Experimental"])
def test_batches_are_divided_between_replicas(prefix: str) -> None:
    def divided(dataset: Any, replicas: int) -> list[Any]:
        make = getattr(RAW, f"{prefix}RebatchDataset")
        return rows(make(input_dataset=dataset, num_replicas=replicas, **ROW))

    batches = RAW.BatchDatasetV2(
        input_dataset=numbers(10), batch_size=4, drop_remainder=False, **ROW
    )
    assert [[0, 1], [2, 3], [4, 5], [6, 7], [8], [9]] == divided(batches, 2)
    assert [[0, 1], [2, 3], [], [4, 5], [6, 7], [], [8], [9], []] == divided(batches, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot rebatch"):
        divided(numbers(3), 2)


def test_elements_are_given_component_by_component() -> None:
    def made(count: int, width: int) -> Any:
        tensors = [tf.constant(k, tf.int64) for k in range(count)]
        kinds = {"output_types": [tf.int64] * width, "output_shapes": [[]] * width}
        return passed(RAW.WindowOp(inputs=tensors, **kinds), *kinds.values())

    assert [[0], [1], [2]] == made(3, 1)
    assert [[0, 1], [2, 3]] == made(4, 2)
    assert [[0, 1]] == made(3, 2)  # and one component is left over


def test_rows_of_a_sparse_tensor() -> None:
    def sliced(indices: list[list[int]]) -> Any:
        dataset = RAW.SparseTensorSliceDataset(
            indices=indices, values=np.arange(1, 1 + len(indices)), dense_shape=[3, 4]
        )
        return passed(dataset, [tf.int64] * 3, [[None, 1], [None], [1]])

    assert sliced([[0, 1], [0, 2], [2, 0]]) == [
        [[[1], [2]], [1, 2], [4]],
        [[], [], [4]],
        [[[0]], [3], [4]],
    ]
    with pytest.raises(tf.errors.UnimplementedError, match="ordered"):
        sliced([[2, 1], [0, 2]])


@pytest.mark.parametrize("prefix", ["", "Experimental"])
def test_files_that_fit_come_pattern_by_pattern(prefix: str, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.csv"):
        (tmp_path / name).touch()

    def found(*patterns: str) -> list[str]:
        make = getattr(RAW, f"{prefix}MatchingFilesDataset")
        dataset = make(patterns=[str(tmp_path / one) for one in patterns])
        return [Path(one.decode()).name for (one,) in passed(dataset, [tf.string])]

    assert ["c.csv", "a.txt", "b.txt"] == found("*.csv", "*.txt")
    assert ["a.txt"] == found("*.none", "a*")
    with pytest.raises(tf.errors.NotFoundError, match="none"):
        found("*.none")


# ---------------------------------------------------------------- functions


def test_a_generator_of_functions_ends_with_an_error_that_says_so() -> None:
    items, ended = iter(range(3)), []
    init = tf.function(lambda: tf.constant(7, tf.int64)).get_concrete_function()
    following = traced(lambda s: tf.numpy_function(lambda s: np.int64(next(items)), [s], tf.int64))
    last = traced(lambda s: tf.numpy_function(lambda s: ended.append(s) or s, [s], tf.int64))
    dataset = RAW.GeneratorDataset(
        init_func_other_args=[], next_func_other_args=[], finalize_func_other_args=[],
        init_func=init, next_func=following, finalize_func=last, **ONE,
    )  # fmt: skip

    assert [0, 1, 2] == flat(dataset)
    assert [7] == ended


def test_a_generator_of_functions_that_is_left_is_told() -> None:
    ended: list[Any] = []
    init = tf.function(lambda: tf.constant(7, tf.int64)).get_concrete_function()
    last = traced(lambda s: tf.numpy_function(lambda s: ended.append(s) or s, [s], tf.int64))
    dataset = RAW.GeneratorDataset(
        init_func_other_args=[], next_func_other_args=[], finalize_func_other_args=[],
        init_func=init, next_func=traced(lambda s: s + 1), finalize_func=last, **ONE,
    )  # fmt: skip
    iterator = RAW.AnonymousIteratorV3(**ONE)
    RAW.MakeIterator(dataset=dataset, iterator=iterator)

    assert [8] == [int(one) for one in RAW.IteratorGetNext(iterator=iterator, **ONE)]
    assert ended == []
    del iterator
    gc.collect()
    assert ended == [7]


def test_a_function_of_the_datasets_state_is_given_what_it_captured() -> None:
    dataset = RAW.GeneratorDataset(
        init_func_other_args=[tf.constant(2, tf.int64)],
        next_func_other_args=[tf.constant(5, tf.int64)], finalize_func_other_args=[],
        init_func=traced(lambda s: (s, s + 1)), next_func=traced(lambda a, b, k: a * b * k, 3),
        finalize_func=traced(lambda a, b: a, 2), **ONE,
    )  # fmt: skip

    assert [30, 30] == flat(RAW.TakeDataset(input_dataset=dataset, count=2, **ONE))


def test_of_equal_branches_one_is_taken() -> None:
    double = traced(lambda x: x * 2)
    branch = tf.function(
        lambda d: RAW.MapDataset(input_dataset=d, other_arguments=[], f=double, **ONE)
    ).get_concrete_function(DATASET)
    fastest = RAW.ChooseFastestBranchDataset(
        input_dataset=numbers(4), ratio_numerator=1, ratio_denominator=1, other_arguments=[],
        num_elements_per_branch=1, branches=[branch, branch], other_arguments_lengths=[0, 0], **ONE,
    )  # fmt: skip

    assert [0, 2, 4, 6] == flat(fastest)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_function_maps_rows(compiled: bool) -> None:
    both = traced(lambda x, y: (x * y, x + y), 2)

    def mapped(x: Any, y: Any) -> Any:
        return RAW.MapDefun(
            arguments=[x, y], captured_inputs=[], f=both, output_types=[tf.int64] * 2,
            output_shapes=[[], []],
        )  # fmt: skip

    run = tf.function(mapped) if compiled else mapped
    products, sums = run(tf.constant([1, 2, 3], tf.int64), tf.constant([4, 5, 6], tf.int64))
    assert [4, 10, 18] == products.numpy().tolist()
    assert [5, 7, 9] == sums.numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="dimension 0"):
        run(tf.constant([1, 2, 3], tf.int64), tf.constant([4, 5], tf.int64))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("start", "limit", "delta", "expected"), [(0, 0, 1, 1), (0, 3, 1, 12), (5, 0, -2, 35)]
)
def test_a_function_is_called_for_numbers_up_to_a_limit(
    compiled: bool, start: int, limit: int, delta: int, expected: int
) -> None:
    body = tf.function(lambda i, x: x * 2 + tf.cast(i, tf.int64)).get_concrete_function(
        tf.TensorSpec([], tf.int32), NUMBER
    )

    def looped(start: Any, limit: Any, delta: Any) -> Any:
        return RAW.For(start=start, limit=limit, delta=delta, input=[np.int64(1)], body=body)

    run: Callable[..., Any] = tf.function(looped) if compiled else looped
    assert [expected] == [int(one) for one in run(*map(tf.constant, (start, limit, delta)))]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid start/limit/delta"):
        run(tf.constant(5), tf.constant(6), tf.constant(-1))


@pytest.mark.parametrize(
    ("start", "limit", "delta", "turns"),
    [(0, 2**31 - 1, 2**30, 2), (3, 3, 0, 0), (2**31 - 2, -(2**31), -(2**31), 2)],
)
def test_numbers_may_be_as_large_as_they_can_be(
    start: int, limit: int, delta: int, turns: int
) -> None:
    body = tf.function(lambda i, x: x + 1).get_concrete_function(
        tf.TensorSpec([], tf.int32), NUMBER
    )
    (found,) = RAW.For(start=start, limit=limit, delta=delta, input=[np.int64(0)], body=body)

    assert turns == int(found)


# ---------------------------------------------------------------- files and caches


def test_a_dataset_is_saved_whole_or_in_each_pass(tmp_path: Path) -> None:
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    told: dict[str, Any] = {"input_dataset": numbers(4), "shard_func_other_args": []}
    RAW.SaveDataset(path=first, shard_func=traced(lambda x: x * 0), **told)
    saving = RAW.SaveDatasetV2(path=second, shard_func=traced(lambda x: x % 2), **told, **ONE)

    assert [0, 1, 2, 3] == flat(saving)
    for path in (first, second):
        loaded = tf.data.Dataset.load(path, element_spec=(NUMBER,))
        assert [0, 1, 2, 3] == sorted(int(x) for (x,) in loaded)


def reader() -> Any:
    """The elements of all shards, one shard after the other."""
    of_shard = tf.function(lambda shard: RAW.SkipDataset(input_dataset=shard, count=0, **ONE))
    return tf.function(
        lambda shards: RAW.FlatMapDataset(
            input_dataset=shards,
            other_arguments=[],
            f=of_shard.get_concrete_function(DATASET),
            **ONE,
        )
    ).get_concrete_function(DATASET)


def test_a_function_reads_the_shards_of_a_saved_dataset(tmp_path: Path) -> None:
    tf.data.Dataset.range(4).save(str(tmp_path))
    loaded = RAW.LoadDataset(
        path=str(tmp_path), reader_func_other_args=[], reader_func=reader(), **ONE
    )

    assert [0, 1, 2, 3] == flat(loaded)
    with pytest.raises(tf.errors.NotFoundError, match="metadata"):
        RAW.LoadDataset(
            path=str(tmp_path / "none"), reader_func_other_args=[], reader_func=reader(), **ONE
        )


@pytest.mark.parametrize("mode", ["auto", "passthrough", "write"])
def test_a_snapshot_is_written_once_or_never(mode: str, tmp_path: Path) -> None:
    dataset = RAW.SnapshotDataset(input_dataset=numbers(3), path=str(tmp_path), mode=mode, **ONE)

    assert [0, 1, 2] == flat(dataset) == flat(dataset)
    assert bool(list(tmp_path.iterdir())) is (mode != "passthrough")


def test_a_snapshot_without_such_a_mode(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="mode='x'"):
        RAW.SnapshotDataset(input_dataset=numbers(3), path=str(tmp_path), mode="x", **ONE)


def test_a_function_reads_the_shards_of_a_snapshot(tmp_path: Path) -> None:
    dataset = RAW.SnapshotDatasetV2(
        input_dataset=numbers(4), path=str(tmp_path), reader_func_other_args=[],
        shard_func_other_args=[], reader_func=reader(), shard_func=traced(lambda x: x * 0), **ONE,
    )  # fmt: skip

    assert [0, 1, 2, 3] == flat(dataset) == flat(dataset)
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize("prefix", ["", "Experimental"])
def test_strings_are_written_as_records(prefix: str, tmp_path: Path) -> None:
    write = getattr(RAW, f"{prefix}DatasetToTFRecord")
    path = str(tmp_path / "records")
    texts = RAW.TensorSliceDataset(components=[["a", "bc"]], output_shapes=[[]])
    write(input_dataset=texts, filename=path, compression_type="GZIP")

    assert [b"a", b"bc"] == [one.numpy() for one in tf.data.TFRecordDataset(path, "GZIP")]
    with pytest.raises(tf.errors.InvalidArgumentError, match="string"):
        write(input_dataset=numbers(3), filename=path, compression_type="")


def test_datasets_share_a_cache() -> None:
    def cached(count: int, cache: Any) -> list[int]:
        return flat(
            RAW.CacheDatasetV2(input_dataset=numbers(count), filename="", cache=cache, **ONE)
        )

    cache, deleter = RAW.AnonymousMemoryCache()
    assert [0, 1, 2] == cached(3, cache) == cached(5, cache)
    RAW.DeleteMemoryCache(handle=cache, deleter=deleter)
    own = RAW.DummyMemoryCache()
    assert [0, 1, 2] == cached(3, own)
    assert [0, 1, 2, 3, 4] == cached(5, own)


# ---------------------------------------------------------------- iterators and handles


def test_an_iterator_gives_devices_their_elements_in_turn() -> None:
    made = RAW.MultiDeviceIterator(devices=["/cpu:0"] * 2, shared_name="", container="", **ONE)

    def next_of(iterator: Any, device: int, begun: Any) -> int:
        (element,) = RAW.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=iterator, shard_num=device, incarnation_id=begun, **ONE
        )
        return int(element)

    def begin(iterator: Any) -> Any:
        return RAW.MultiDeviceIteratorInit(
            dataset=numbers(5), multi_device_iterator=iterator, max_buffer_size=1
        )

    first = begin(made)
    assert [0, 1, 3, 2, 4] == [next_of(made, device, first) for device in (0, 1, 1, 0, 0)]
    text = RAW.MultiDeviceIteratorToStringHandle(multi_device_iterator=made)
    again = RAW.MultiDeviceIteratorFromStringHandle(string_handle=text, **ONE)
    with pytest.raises(tf.errors.OutOfRangeError):
        next_of(again, 1, first)
    assert 2 == int(begin(again))
    with pytest.raises(tf.errors.InvalidArgumentError, match="incarnation id"):
        next_of(again, 1, first)


def test_an_iterator_over_devices_has_no_name_or_is_deleted() -> None:
    unnamed = RAW.AnonymousMultiDeviceIteratorV3(devices=["/cpu:0"], **ONE)
    with pytest.raises(tf.errors.FailedPreconditionError, match="not begun"):
        RAW.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=unnamed, shard_num=0, incarnation_id=0, **ONE
        )
    older, deleter = RAW.AnonymousMultiDeviceIterator(devices=["/cpu:0"], **ONE)
    RAW.MultiDeviceIteratorInit(dataset=numbers(2), multi_device_iterator=older, max_buffer_size=1)
    RAW.DeleteMultiDeviceIterator(multi_device_iterator=older, iterators=[], deleter=deleter)


def test_sessions_go_on_with_iterators_that_graphs_make() -> None:
    made = tf.function(lambda: numbers(3)).get_concrete_function()
    with tf.Graph().as_default():
        whole = RAW.OneShotIterator(dataset_factory=made, **ONE)
        (element,) = RAW.IteratorGetNext(iterator=whole, **ONE)
        parts = RAW.MultiDeviceIterator(devices=["/cpu:0"] * 2, shared_name="", container="", **ONE)
        begun = RAW.MultiDeviceIteratorInit(
            dataset=numbers(4), multi_device_iterator=parts, max_buffer_size=1
        )
        (share,) = RAW.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=parts, shard_num=1, incarnation_id=1, **ONE
        )
        for _ in range(2):
            with tf.compat.v1.Session() as session:
                assert [0, 1, 2] == [int(session.run(element)) for _ in range(3)]
                with pytest.raises(tf.errors.OutOfRangeError):
                    session.run(element)
                assert 1 == int(session.run(begun))
                assert [1, 3] == [int(session.run(share)) for _ in range(2)]


def test_an_iterator_goes_back_to_where_it_was() -> None:
    shuffled = RAW.ShuffleDataset(input_dataset=numbers(9), buffer_size=4, seed=1, seed2=1, **ONE)
    iterator = RAW.AnonymousIteratorV3(**ONE)
    RAW.MakeIterator(dataset=shuffled, iterator=iterator)

    def following(count: int) -> list[int]:
        return [int(RAW.IteratorGetNext(iterator=iterator, **ONE)[0]) for _ in range(count)]

    assert [2, 4] == following(2)
    place = RAW.SerializeIterator(resource_handle=iterator)
    assert [1, 3, 5] == following(3)
    RAW.DeserializeIterator(resource_handle=iterator, serialized=place)
    assert [1, 3, 5] == following(3)
    device = RAW.IteratorGetDevice(resource=iterator).numpy()
    assert device == RAW.ExperimentalIteratorGetDevice(resource=iterator).numpy()
    assert device.endswith(b"CPU:0")


def test_a_dataset_fills_a_table() -> None:
    kinds = {"output_types": [tf.int64] * 2, "output_shapes": [[]] * 2}
    pairs = RAW.ZipDataset(input_datasets=[numbers(4), numbers(14, 10)], **kinds)
    table = RAW.AnonymousHashTable(key_dtype=tf.int64, value_dtype=tf.int64)
    RAW.InitializeTableFromDataset(table_handle=table, dataset=pairs)

    found = RAW.LookupTableFindV2(
        table_handle=table, keys=np.array([1, 3, 9]), default_value=np.int64(-1)
    )
    assert [11, 13, -1] == found.numpy().tolist()
    nothing = RAW.TakeDataset(input_dataset=pairs, count=0, **kinds)
    with pytest.raises(tf.errors.OutOfRangeError, match="no elements"):
        RAW.InitializeTableFromDataset(table_handle=table, dataset=nothing)
    several = {"output_types": [tf.int64] * 2, "output_shapes": [[None]] * 2}
    batches = RAW.BatchDataset(input_dataset=pairs, batch_size=2, **several)
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalars"):
        RAW.InitializeTableFromDataset(table_handle=table, dataset=batches)


def test_wrapped_datasets_are_the_same() -> None:
    wrapped = RAW.WrapDatasetVariant(input_handle=numbers(3))

    assert [0, 1, 2] == flat(RAW.UnwrapDatasetVariant(input_handle=wrapped))
    number = RAW.DatasetFingerprint(input_dataset=numbers(3))
    assert int(number) == int(RAW.DatasetFingerprint(input_dataset=numbers(3)))
    assert int(number) != int(RAW.DatasetFingerprint(input_dataset=numbers(4)))


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ([2, 0], [[0, 1], [], [2, 3], [], [4], "end"]),
        ([0, 5], [[], [0, 1, 2, 3, 4], [], "end"]),
        ([5, 0, 0], [[0, 1, 2, 3, 4], [], [], "end"]),
    ],
)
def test_batches_without_rows_are_made_until_a_row_is_missing(sizes: Any, wanted: Any) -> None:
    batches = {"output_types": [tf.int64], "output_shapes": [[None]]}
    dataset = RAW.RebatchDatasetV2(
        input_dataset=tf.data.Dataset.range(5).batch(2)._variant_tensor,
        batch_sizes=tf.constant(sizes, tf.int64), drop_remainder=False, **batches,
    )  # fmt: skip
    iterator = RAW.AnonymousIteratorV3(**batches)
    RAW.MakeIterator(dataset=dataset, iterator=iterator)
    found: list[Any] = []
    while "end" not in found:
        try:
            (batch,) = RAW.IteratorGetNext(iterator=iterator, **batches)
            found.append(batch.numpy().tolist())
        except tf.errors.OutOfRangeError:
            found.append("end")
    assert wanted == found


def test_iterators_of_several_devices_share_what_has_their_name() -> None:
    told = {"devices": ["/cpu:0"] * 2, "shared_name": "shared by two", "container": "", **ONE}
    first, second = RAW.MultiDeviceIterator(**told), RAW.MultiDeviceIterator(**told)
    begun = RAW.MultiDeviceIteratorInit(
        dataset=numbers(4), multi_device_iterator=first, max_buffer_size=1
    )
    taken = [
        int(one)
        for iterator in (first, second)
        for shard in (0, 1)
        for one in RAW.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=iterator, shard_num=shard, incarnation_id=begun, **ONE
        )
    ]

    assert [0, 1, 2, 3] == taken
    with pytest.raises(tf.errors.InvalidArgumentError, match="shared by two"):
        RAW.MultiDeviceIterator(**{**told, "output_types": [tf.int32]})


def test_a_function_begins_an_iterator_of_a_name_again() -> None:
    @tf.function
    def passes() -> Any:
        iterator = RAW.MultiDeviceIterator(
            devices=["/cpu:0"], shared_name="begun again", container="", **ONE
        )
        return RAW.MultiDeviceIteratorInit(
            dataset=numbers(4), multi_device_iterator=iterator, max_buffer_size=1
        )

    assert [1, 2] == [int(passes()) for _ in range(2)]


# ---------------------------------------------------------------- several datasets


def weighed(counts: list[int], weights: list[float]) -> list[int]:
    """How many elements come of each of several datasets."""
    datasets = [numbers(1000 * place + count, 1000 * place) for place, count in enumerate(counts)]
    joined = RAW.WeightedFlatMapDataset(input_datasets=datasets, weights=weights, **ONE)
    found = flat(joined)
    assert found == sorted(found)
    assert len(found) == RAW.DatasetCardinality(input_dataset=joined)
    return [sum(number // 1000 == place for number in found) for place in range(len(counts))]


# The last three have whole numbers that TensorFlow's arithmetic does not reach.
@pytest.mark.parametrize(
    ("expected", "counts", "weights"),
    [
        ([10, 10], [10, 10], [1.0, 1.0]),
        ([3, 10], [10, 10], [1.0, 3.0]),
        ([20, 10], [100, 20], [2.0, 1.0]),
        ([12, 8, 20], [30, 20, 50], [3.0, 2.0, 5.0]),
        ([0, 5], [5, 5], [1.0, 100.0]),
        ([0, 0], [0, 3], [2.0, 1.0]),
        ([10, 5, 4], [10, 10, 10], [0.5, 0.3, 0.2]),
        ([1, 0, 17, 2], [15, 18, 21, 9], [0.6, 0.1, 6.0, 0.7]),
        ([2, 48, 29], [48, 48, 48], [0.24, 4.8, 3.0]),
    ],
)
def test_datasets_give_as_many_elements_as_they_weigh(
    expected: list[int], counts: list[int], weights: list[float]
) -> None:
    assert expected == weighed(counts, weights)


@pytest.mark.parametrize(
    ("words", "counts", "weights"),
    [
        ("input 1 needs to have at least 10 elements; it only has 3", [10, 3], [1.0, 4.0]),
        ("input 2 needs to have at least 7 elements", [7, 11, 5], [3.0, 2.0, 5.0]),
        ("greater than 0", [3, 3], [1.0, 0.0]),
        ("greater than 0", [3, 3], [1.0, float("nan")]),
        ("two datasets at least", [3], [1.0]),
        ("2 datasets and 1 weights", [3, 3], [1.0]),
    ],
)
def test_datasets_that_cannot_be_weighed_are_refused(
    words: str, counts: list[int], weights: list[float]
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        weighed(counts, weights)


def test_datasets_without_end_cannot_be_weighed() -> None:
    endless = RAW.RepeatDataset(input_dataset=numbers(3), count=-1, **ONE)

    with pytest.raises(tf.errors.InvalidArgumentError, match="must be known, and finite"):
        RAW.WeightedFlatMapDataset(input_datasets=[endless, numbers(3)], weights=[1.0, 1.0], **ONE)
