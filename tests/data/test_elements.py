"""What datasets give, compared with what TensorFlow 2.21 gave for the same programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings

Dataset = tf.data.Dataset


def contents(dataset: Any) -> list[Any]:
    """The elements as Python values."""
    return [plain(element) for element in dataset.as_numpy_iterator()]


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


def test_slices_keep_the_structure() -> None:
    dataset = Dataset.from_tensor_slices({"a": [1, 2], "b": [[1.0], [2.0]]})

    assert [{"a": 1, "b": [1.0]}, {"a": 2, "b": [2.0]}] == contents(dataset)
    assert {"a": tf.TensorSpec([], tf.int32), "b": tf.TensorSpec([1])} == dataset.element_spec


def test_a_list_is_a_tensor_and_a_tuple_is_structure() -> None:
    dataset = Dataset.from_tensors(([1, 2], (3.0, None)))
    first, (second, nothing) = next(iter(dataset))

    assert [1, 2] == first.numpy().tolist()
    assert 3.0 == second
    assert nothing is None


def test_ranges_are_those_of_python() -> None:
    assert [10, 7, 4, 1] == contents(Dataset.range(10, 0, -3))
    assert [1, 4] == contents(Dataset.range(1, 7, 3))
    assert [] == contents(Dataset.range(0))
    assert tf.TensorSpec([], tf.float32) == Dataset.range(3, output_type=tf.float32).element_spec


@pytest.mark.parametrize("dataset", [Dataset.range(3), Dataset.range(3).filter(lambda x: x >= 0)])
@pytest.mark.parametrize(("count", "expected"), [(0, [0, 1, 2]), (2, [2]), (3, []), (-1, [])])
def test_skipping_none_some_and_all(dataset: Any, count: int, expected: list[int]) -> None:
    assert expected == contents(dataset.skip(count))


def test_strings_are_bytes() -> None:
    assert [b"a", b"bc"] == contents(Dataset.from_tensor_slices(["a", "bc"]))


def test_windows() -> None:
    def windows(drop: bool) -> list[list[int]]:
        dataset = Dataset.range(7).window(3, 2, 2, drop)
        return [[int(one) for one in window] for window in dataset]

    assert [[0, 2, 4], [2, 4, 6]] == windows(True)
    assert [[0, 2, 4], [2, 4, 6], [4, 6], [6]] == windows(False)


def test_windows_of_structures_hold_a_dataset_for_each_component() -> None:
    dataset = Dataset.zip(Dataset.range(4), Dataset.range(4, 8)).window(2)

    assert [([0, 1], [4, 5]), ([2, 3], [6, 7])] == [(contents(x), contents(y)) for x, y in dataset]


def test_a_window_becomes_a_batch() -> None:
    dataset = Dataset.range(7).window(3).flat_map(lambda window: window.batch(3))

    assert [[0, 1, 2], [3, 4, 5], [6]] == contents(dataset)


def test_interleaving() -> None:
    def five(x: Any) -> Any:
        return Dataset.from_tensors(x).repeat(5)

    dataset = Dataset.range(1, 4).interleave(five, cycle_length=2, block_length=3)

    assert [1, 1, 1, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 3] == contents(dataset)


@pytest.mark.parametrize(
    ("calls", "expected"),
    [(None, [0, 1, 0, 1, 2, 2]), (1, [0, 0, 1, 1, 2, 2]), (2, [0, 1, 0, 1, 2, 2])],
)
def test_as_many_are_interleaved_as_there_are_calls_or_threads(
    monkeypatch: pytest.MonkeyPatch, calls: int | None, expected: list[int]
) -> None:
    monkeypatch.setattr(settings, "threads", 2)
    twice = Dataset.range(3).interleave(
        lambda x: Dataset.from_tensors(x).repeat(2), num_parallel_calls=calls
    )

    assert expected == contents(twice)


@pytest.mark.parametrize(("cores", "opened"), [(2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (16, 6)])
def test_a_third_of_the_cores_is_interleaved_where_tensorflow_tunes(
    monkeypatch: pytest.MonkeyPatch, cores: int, opened: int
) -> None:
    monkeypatch.setattr(settings, "threads", cores)
    twice = Dataset.range(12).interleave(
        lambda x: Dataset.from_tensors(x).repeat(2), num_parallel_calls=tf.data.AUTOTUNE
    )

    assert opened == contents(twice).index(0, 1)


def test_an_exhausted_dataset_loses_a_turn() -> None:
    def few(x: Any) -> Any:
        return Dataset.range(x * 10, x * 10 + x % 4)

    single = Dataset.range(1, 5).interleave(Dataset.range, cycle_length=2, block_length=1)
    blocks = Dataset.range(6).interleave(few, cycle_length=3, block_length=2)

    assert [0, 0, 1, 0, 1, 0, 2, 1, 2, 3] == contents(single)
    assert [10, 20, 21, 30, 31, 32, 50] == contents(blocks)


def test_padded_batches() -> None:
    rows = Dataset.range(1, 5).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
    wide = rows.padded_batch(2, padded_shapes=[5], padding_values=np.int64(-1))

    assert [[[1, 0], [2, 2]], [[3, 3, 3, 0], [4, 4, 4, 4]]] == contents(rows.padded_batch(2))
    assert [[1, -1, -1, -1, -1], [2, 2, -1, -1, -1]] == contents(wide)[0]
    assert tf.TensorSpec([None, 5], tf.int64) == wide.element_spec
    with pytest.raises(tf.errors.DataLossError, match="pad to a smaller size"):
        contents(rows.padded_batch(2, padded_shapes=[2]))


def test_batches_of_other_sizes() -> None:
    dataset = Dataset.range(10).batch(4)

    assert [[0], [1, 2], [3, 4, 5], [6], [7, 8], [9]] == contents(dataset.rebatch([1, 2, 3]))
    assert [[0, 1, 2], [3, 4, 5], [6, 7, 8]] == contents(dataset.rebatch(3, drop_remainder=True))


def test_groups() -> None:
    dataset = Dataset.range(10).group_by_window(
        key_func=lambda x: x % 2, reduce_func=lambda key, window: window.batch(3), window_size=3
    )

    assert [[0, 2, 4], [1, 3, 5], [6, 8], [7, 9]] == contents(dataset)


def python(function: Callable[[Any], Any], dtype: Any) -> Callable[[Any], Any]:
    return lambda x: tf.numpy_function(function, [x], dtype)


def test_python_functions_choose_elements_and_groups() -> None:
    numbers, is_even = Dataset.range(6), python(lambda x: x % 2 == 0, tf.bool)
    by_parity = python(lambda x: [x % 2], tf.int64)
    groups = numbers.group_by_window(by_parity, lambda key, window: window.batch(3), 3)

    assert [0, 2, 4] == contents(numbers.filter(is_even))
    assert [0] == contents(numbers.take_while(is_even))
    assert [[0, 2, 4], [1, 3, 5]] == contents(groups)


def test_two_numbers_are_neither_a_choice_nor_a_key() -> None:
    two = python(lambda x: [x, x], tf.int64)

    with pytest.raises(tf.errors.InvalidArgumentError):
        contents(Dataset.range(2).filter(lambda x: two(x) > 0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        contents(Dataset.range(2).group_by_window(two, lambda key, window: window.batch(3), 3))


def test_buckets_by_length() -> None:
    rows = Dataset.from_tensor_slices([1, 5, 2, 6, 1, 7]).map(lambda n: tf.range(n))
    dataset = rows.bucket_by_sequence_length(lambda row: tf.size(row), [3], [2, 2])

    assert [(2, 2), (2, 6), (1, 1), (1, 7)] == [batch.shape for batch in dataset]


def test_batches_of_a_bucket_are_as_long_as_its_boundary_allows() -> None:
    rows = Dataset.range(1, 6).map(lambda n: {"row": tf.range(n), "size": n})
    fillers = {"row": np.int64(-1), "size": np.int64(0)}
    buckets = rows.bucket_by_sequence_length(
        lambda one: one["size"], [3, 7], [2, 2, 1], None, fillers, True
    )

    assert [
        ([[0, -1], [0, 1]], [1, 2]),
        ([[0, 1, 2, -1, -1, -1], [0, 1, 2, 3, -1, -1]], [3, 4]),
        ([[0, 1, 2, 3, 4, -1]], [5]),
    ] == [(batch["row"], batch["size"]) for batch in contents(buckets)]


def test_no_boundary_is_long_enough_for_the_last_bucket() -> None:
    rows = Dataset.range(3, 6).map(tf.range)
    buckets = rows.bucket_by_sequence_length(tf.size, [3], [1, 1], pad_to_bucket_boundary=True)

    with pytest.raises(tf.errors.InvalidArgumentError, match="not shorter than the last"):
        contents(buckets)


def test_scan_and_reduce() -> None:
    scanned = Dataset.range(5).scan(np.int64(0), lambda state, x: (state + x, (state, x)))

    assert [(0, 0), (0, 1), (1, 2), (3, 3), (6, 4)] == contents(scanned)
    assert 10 == Dataset.range(5).reduce(np.int64(0), lambda state, x: state + x)


def test_the_state_of_a_reduction_may_grow() -> None:
    empty = tf.zeros([0], tf.int64)
    found = Dataset.range(5).reduce(empty, lambda state, x: tf.concat([state, [x]], 0))

    assert [0, 1, 2, 3, 4] == found.numpy().tolist()


def test_a_reduction_of_pairs_gets_a_tuple() -> None:
    pairs = Dataset.zip(Dataset.range(3), Dataset.range(3))

    def add(state: Any, pair: Any) -> Any:
        return {"sum": state["sum"] + pair[0] * pair[1]}

    assert 5 == pairs.reduce({"sum": np.int64(0)}, add)["sum"]


def test_choices_and_samples() -> None:
    parts = [Dataset.from_tensors(k).repeat(3) for k in range(3)]
    choices = Dataset.range(3).repeat(3)
    sampled = Dataset.sample_from_datasets(parts, weights=[0.2, 0.3, 0.5], seed=1)

    assert [0, 1, 2] * 3 == contents(Dataset.choose_from_datasets(parts, choices))
    # As recorded from TensorFlow.
    assert [2, 1, 0, 0, 0, 2, 2, 1, 1] == contents(sampled) == contents(sampled)
    stopping = Dataset.sample_from_datasets(parts, seed=1, stop_on_empty_dataset=True)
    assert [2, 0, 0, 0] == contents(stopping)
    never = Dataset.sample_from_datasets(parts, weights=[0.0, 0.5, 0.5], seed=1)
    assert [2, 1, 1, 1, 2, 2] == contents(never)


def test_distinct_elements() -> None:
    assert [1, 2, 3] == contents(Dataset.from_tensor_slices([1, 2, 1, 3, 2]).unique())
    assert [b"a", b"b"] == contents(Dataset.from_tensor_slices(["a", "b", "a"]).unique())
    rows = Dataset.from_tensor_slices([["a", "b"], ["a", "b"], ["ab", ""]])
    assert [[b"a", b"b"], [b"ab", b""]] == contents(rows.unique())


def test_a_list_as_result_is_a_tuple_and_a_list_within_is_a_tensor() -> None:
    scalar = tf.TensorSpec([], tf.int64)

    assert (scalar, scalar) == Dataset.range(2).map(lambda x: [x, x + 1]).element_spec
    assert (scalar, tf.TensorSpec([2], tf.int64)) == (
        Dataset.range(2).map(lambda x: (x, [x, x + 1])).element_spec
    )


def test_the_single_element() -> None:
    assert 7 == Dataset.from_tensors(7).get_single_element()
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one element"):
        Dataset.range(2).get_single_element()
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty"):
        Dataset.range(0).get_single_element()


def test_errors_can_be_ignored() -> None:
    def checked(x: Any) -> Any:
        tf.debugging.assert_none_equal(x, np.int64(2))
        return x

    assert [0, 1, 3] == contents(Dataset.range(4).map(checked).ignore_errors())


def test_an_iterator_goes_on_after_an_error() -> None:
    def checked(x: Any) -> Any:
        tf.debugging.assert_none_equal(x, np.int64(1))
        return x

    iterator = iter(Dataset.range(3).map(checked))

    assert 0 == next(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError):
        next(iterator)
    assert 2 == next(iterator)


def test_a_cache_is_filled_by_the_first_whole_pass() -> None:
    runs = tf.Variable(0)

    def counted(x: Any) -> Any:
        runs.assign_add(1)
        return x

    dataset = Dataset.range(3).map(counted).cache()
    next(iter(dataset))

    assert [0, 1, 2] == contents(dataset) == contents(dataset)
    assert 4 == runs


def test_the_length_of_what_repeats_nothing() -> None:
    assert [] == contents(Dataset.range(0).repeat())
    assert [] == contents(Dataset.range(3).repeat(0))
    assert [] == contents(Dataset.range(3).filter(lambda x: x > 5).repeat())


def test_repeated_passes_are_shuffled_anew() -> None:
    dataset = Dataset.range(5).shuffle(5, seed=7).repeat(2)

    assert 10 == len(contents(dataset))
    assert contents(dataset)[:5] != contents(dataset)[5:]


def test_generators() -> None:
    def pairs(count: Any) -> Any:
        for k in range(count):
            yield k, {"row": [1.0] * k}

    signature = (tf.TensorSpec([], tf.int64), {"row": tf.TensorSpec([None])})
    dataset = Dataset.from_generator(pairs, args=(2,), output_signature=signature)

    assert [(0, {"row": []}), (1, {"row": [1.0]})] == contents(dataset)
    assert signature == dataset.element_spec
    assert 2 == len(contents(dataset))  # a new generator for each pass


def test_generators_described_by_types() -> None:
    dataset = Dataset.from_generator(lambda: iter([(1, [2.0])]), (tf.int64, tf.float32))

    assert [(1, [2.0])] == contents(dataset)
    assert tf.TensorSpec(None, tf.float32) == dataset.element_spec[1]


def test_python_functions_run_in_parallel_and_in_order() -> None:
    def slow(x: Any) -> Any:
        return tf.py_function(lambda y: y * 2, [x], tf.int64)

    dataset = Dataset.range(20).map(slow, num_parallel_calls=4)
    unordered = Dataset.range(20).map(slow, num_parallel_calls=4, deterministic=False)

    assert list(range(0, 40, 2)) == contents(dataset)
    assert list(range(0, 40, 2)) == sorted(contents(unordered))


def test_debug_mode_runs_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensormill.data import functions

    seen: list[int] = []

    def remember(x: Any) -> Any:
        if not tf.is_symbolic_tensor(x):
            seen.append(int(x))
        return x

    monkeypatch.setattr(functions, "_debugging", True)

    assert [0, 1] == contents(Dataset.range(2).map(remember))
    assert [0, 1] == seen


def test_composites_are_elements() -> None:
    def one_hot(x: Any) -> Any:
        return tf.SparseTensor([[x]], [1], [3]), x

    dataset = Dataset.range(3).map(one_hot)
    dense = dataset.map(lambda row, x: tf.sparse.to_dense(row))

    assert isinstance(dataset.element_spec[0], tf.SparseTensorSpec)
    assert [[1, 0, 0], [0, 1, 0], [0, 0, 1]] == contents(dense)
    assert isinstance(next(iter(dataset))[0], tf.SparseTensor)


def test_windows_that_are_left_come_in_the_order_of_their_keys() -> None:
    numbers = np.array([3, 1, 2, 0, 1, 3, 2, 2, 0], np.int64)
    dataset = Dataset.from_tensor_slices(numbers).group_by_window(
        lambda x: x, lambda _, window: window.batch(9), window_size=9
    )

    assert [one.tolist() for one in dataset.as_numpy_iterator()] == [
        [0, 0],
        [1, 1],
        [2, 2, 2],
        [3, 3],
    ]


def test_numpy_iterators_give_sparse_elements_as_dense_arrays() -> None:
    sparse = tf.SparseTensor([[0, 1]], [1.5], [2, 3])

    (found,) = Dataset.from_tensors(sparse).as_numpy_iterator()

    assert [[0.0, 1.5, 0.0], [0.0, 0.0, 0.0]] == found.tolist()


def test_an_iterator_tells_what_elements_are_by_older_names() -> None:
    """Recorded from TensorFlow 2.21."""
    slices = tf.data.Dataset.from_tensor_slices(([1, 2], tf.ragged.constant([[1], []])))
    iterator: Any = iter(slices.map(lambda x, row: (x, row, tf.sparse.from_dense([1]))))

    assert (tf.int32, tf.int32, tf.int32) == iterator.output_types
    assert [[], [None], [1]] == [shape.as_list() for shape in iterator.output_shapes]
    assert (tf.Tensor, tf.Tensor, tf.SparseTensor) == iterator.output_classes


@pytest.mark.parametrize("shapes", [[1], [1, 2], tf.TensorShape([1])])
def test_padded_shapes_that_elements_cannot_have_are_refused_at_once(shapes: Any) -> None:
    with pytest.raises(ValueError, match="not compatible"):
        tf.data.Dataset.from_tensor_slices([[1, 2]]).padded_batch(1, padded_shapes=shapes)


def test_padding_values_are_scalars() -> None:
    with pytest.raises(ValueError, match="scalars"):
        tf.data.Dataset.from_tensor_slices([[1, 2]]).padded_batch(1, padding_values=[1, 2])
