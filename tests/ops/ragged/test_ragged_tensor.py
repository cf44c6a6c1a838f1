"""Rows of different lengths; numbers recorded from TensorFlow."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest

import tensormill as tf
from tensormill import backends
from tensormill.errors import ShapeMismatchError
from tensormill.ops.ragged.constant import constant
from tensormill.ops.ragged.elementwise import map_flat_values
from tensormill.ops.ragged.ragged_tensor import RaggedTensor, RaggedTensorSpec

ROWS = [[3, 1, 4, 1], [], [5, 9, 2], [6], []]
DEEP = [[[1.0, 2.0], [3.0]], [], [[4.0]]]


def test_nested_lists_become_values_and_row_splits() -> None:
    ragged = constant(ROWS)

    assert [5, None] == ragged.shape.as_list()
    assert [0, 4, 4, 7, 8, 8] == ragged.row_splits.numpy().tolist()
    assert ROWS == ragged.to_list()
    assert [0, 0, 0, 0, 2, 2, 2, 3] == ragged.value_rowids().numpy().tolist()
    assert 5 == ragged.nrows().numpy()
    assert tf.is_tensor(ragged)


def test_rows_can_be_ragged_themselves() -> None:
    ragged = constant(DEEP)

    assert (2, DEEP) == (ragged.ragged_rank, ragged.to_list())
    assert [3, None, None] == ragged.shape.as_list()
    padded = [[[1, 2], [3, 0]], [[0, 0], [0, 0]], [[4, 0], [0, 0]]]
    assert padded == ragged.to_tensor().numpy().tolist()


def test_inner_axes_become_one() -> None:
    ragged = constant([[[[1, 2], [3]], [[4]]], []])

    assert [[[1, 2, 3], [4]], []] == ragged.merge_dims(2, 3).to_list()
    assert [[1, 2, 3, 4], []] == ragged.merge_dims(1, 3).to_list()
    deeper = constant([ragged.to_list()])
    assert [[[1, 2, 3, 4], []]] == deeper.merge_dims(2, 4).to_list()
    assert [[[[1, 2, 3], [4]], []]] == deeper.merge_dims(3, 4).to_list()


def test_a_partition_knows_where_rows_begin_and_end() -> None:
    rows = tf.experimental.RowPartition.from_row_splits([0, 2, 2, 5])

    assert [0, 2, 2] == rows.row_starts().numpy().tolist()
    assert [2, 2, 5] == rows.row_limits().numpy().tolist()


@pytest.mark.parametrize("part", [slice(0, 0), slice(1, 1), slice(5, None), slice(1, 3)])
def test_there_may_be_no_rows_in_a_slice(part: slice) -> None:
    for rows in (ROWS, DEEP):
        taken = constant(rows)[part]
        staged = tf.function(lambda ragged: ragged[part])(constant(rows))
        assert rows[part] == taken.to_list() == staged.to_list()


def test_rows_are_gone_through() -> None:
    def longest(ragged: Any) -> Any:
        most = tf.constant(0)
        for row in ragged:
            most = tf.maximum(most, tf.size(row))
        return most

    assert ROWS == [row.numpy().tolist() for row in constant(ROWS)]
    assert DEEP == [row.to_list() for row in constant(DEEP)]
    assert 4 == longest(constant(ROWS)) == tf.function(longest)(constant(ROWS))


def test_rows_have_no_truth_value() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(RaggedTensor.from_row_lengths([1], [1]) == 1)


def test_rows_are_filled_up_or_cut() -> None:
    padded = constant(ROWS).to_tensor(-1, shape=[None, 3])

    expected = [[3, 1, 4], [-1, -1, -1], [5, 9, 2], [6, -1, -1], [-1, -1, -1]]
    assert expected == padded.numpy().tolist()


SLICES = [
    slice(None), slice(2), slice(-2, None), slice(None, None, 2), slice(None, None, -1),
    slice(1, 1), slice(-3, -1), slice(2, 0, -1), slice(5, None), slice(None, None, -2),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("part", SLICES)
def test_slices_are_those_of_lists(part: slice) -> None:
    for rows in (ROWS, [[[1, 2, 3], [4]], [[5], [], [6]], [[7]], [[8, 9], [10]]]):
        for first in (slice(None), slice(1, None), part):
            key = (first, part)
            # The same operations for each: one key is compiled, the others are evaluated.
            with backends.using("cpu" if first is part else "reference"):
                taken, staged = constant(rows)[key], tf.function(itemgetter(key))(constant(rows))
            expected = [row[part] for row in rows[first]]
            assert expected == taken.to_list() == staged.to_list()


def test_indices_have_new_axes_and_ellipses() -> None:
    ragged, deep = constant(ROWS[2:4]), constant([[[1, 2, 3], [4]], [[5, 6]]])

    assert [[[5, 9, 2], [6]]] == ragged[None].to_list()
    assert [[[5, 9, 2]], [[6]]] == ragged[:, None].to_list()
    assert [[[5], [9]], [[6]]] == ragged[:, :2, tf.newaxis].to_list()
    assert [[[1, 2], [4]], [[5, 6]]] == deep[..., :2].to_list() == deep[:, ..., :2].to_list()
    assert [[4]] == deep[0, 1:].to_list()
    assert [[9, 2], []] == ragged[: tf.constant(2), tf.constant(1) :].to_list()


def test_a_number_for_an_axis_of_rows_is_refused() -> None:
    for key in ((slice(None), 0), (..., 0)):
        with pytest.raises(ValueError, match="inner ragged dimension"):
            constant(ROWS)[key]
    with pytest.raises(ValueError, match="one ellipsis"):
        constant(ROWS)[..., ...]
    with pytest.raises(ValueError, match="step"):
        constant(ROWS)[:, ::0]


def test_rows_are_found_by_number_and_by_slice() -> None:
    ragged = constant(ROWS)

    assert [3, 1, 4, 1] == ragged[0].numpy().tolist()
    assert [[], [5, 9, 2]] == ragged[1:3].to_list()
    assert 9 == ragged[2, 1].numpy()


@pytest.mark.parametrize(
    ("expected", "made"),
    [
        ([[1, 2], [3]], lambda: RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0)),
        ([[], [3, 0]], lambda: RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], lengths=[0, 2])),
        ([[1, 2], [3, 0]], lambda: RaggedTensor.from_tensor([[1, 2], [3, 0]])),
        ([[1, 2], [], [3], []], lambda: RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], 4)),
        ([[1, 2], [], [3]], lambda: RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2])),
        ([[1, 2], [], [3]], lambda: RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])),
        ([[2, 4], [6]], lambda: map_flat_values(tf.multiply, constant([[1, 2], [3]]), 2)),
    ],
)
def test_rows_come_from(expected: Any, made: Any) -> None:
    assert expected == made().to_list()


@pytest.mark.parametrize(("length", "rows"), [(2, None), (2, 3), (6, None)])
def test_rows_may_have_one_length(length: int, rows: int | None) -> None:
    ragged = RaggedTensor.from_uniform_row_length(range(6), length, rows)

    assert [[*range(at, at + length)] for at in range(0, 6, length)] == ragged.to_list()


def test_rows_of_no_values() -> None:
    assert [[], [], []] == RaggedTensor.from_uniform_row_length([], 0, 3).to_list()


@pytest.mark.parametrize(("length", "rows"), [(2, 2), (4, None), (0, None), (-1, None), (-2, -3)])
def test_rows_of_one_length_take_all_values(length: int, rows: int | None) -> None:
    with pytest.raises(ValueError, match=f"uniform_row_length={length} are not 6 values"):
        RaggedTensor.from_uniform_row_length(range(6), length, rows)


def test_values_are_in_rows_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"got nrows=2, value_rowids\[-1\]=3"):
        RaggedTensor.from_value_rowids([1, 2], [0, 3], nrows=2)


def test_rows_of_rows_are_told_by_numbers() -> None:
    numbers = [[0, 0, 2], [0, 1, 1, 2]]
    make = RaggedTensor.from_nested_value_rowids

    assert [[[1], [2, 3]], [], [[4]]] == make([1, 2, 3, 4], numbers).to_list()
    assert [[[1], [2, 3]], [], [[4]], []] == make([1, 2, 3, 4], numbers, [4, 3]).to_list()
    with pytest.raises(ValueError, match="1 numbers of rows do not go with 2 ragged axes"):
        make([1, 2, 3, 4], numbers, [4])
    with pytest.raises(TypeError, match="a list of tensors"):
        make([1, 2, 3, 4], tf.constant([0, 0, 1, 1]))


def test_functions_take_and_return_them() -> None:
    @tf.function(reduce_retracing=True)
    def doubled(ragged: Any) -> Any:
        return ragged.to_tensor(), ragged.with_values(ragged.values * 2)

    padded, twice = doubled(constant([[1, 2], [3]]))

    assert [[1, 2], [3, 0]] == padded.numpy().tolist()
    assert [[2, 4], [6]] == twice.to_list()
    assert [[8]] == doubled(constant([[4]]))[1].to_list()


def test_specs_describe_them() -> None:
    spec = tf.type_spec_from_value(constant(DEEP))

    assert RaggedTensorSpec([3, None, None], tf.float32, 2) == spec
    assert 3 == len(spec._component_specs)
    with pytest.raises(ValueError, match="ragged_rank"):
        RaggedTensorSpec()


@pytest.mark.parametrize(
    ("words", "splits"), [("zero", [1, 2]), ("descend", [0, 2, 1, 2]), ("end at 1", [0, 1])]
)
def test_splits_that_do_not_fit_are_an_error(words: str, splits: list[int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        RaggedTensor.from_row_splits([1, 2], splits)


def test_embeddings_of_ragged_ids_are_ragged() -> None:
    table = tf.constant([[0.0], [1.0], [2.0]])

    found = tf.nn.embedding_lookup(table, constant([[2, 1], [], [0]]))

    assert [[[2.0], [1.0]], [], [[0.0]]] == found.to_list()


@pytest.mark.parametrize("mixed", [["a", ["b", "c"]], [[1], 2], [[[1]], [2]]])
def test_scalars_beside_lists_are_refused(mixed: Any) -> None:
    with pytest.raises(ValueError, match="nested equally deep"):
        constant(mixed)


def added(ragged: Any, other: Any) -> Any:
    return tf.add(ragged, other).to_list()


def test_tensors_are_broadcast_along_rows() -> None:
    flat, deep = constant([[1, 2], [3]]), constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1)

    assert [[6, 7], [8]] == added(flat, [5]) == added(flat, [[5]])
    assert [[2, 3], [5]] == added(flat, [[1], [2]])
    assert [[[11, 22], [13, 24]], [[15, 26]]] == added(deep, [[[10, 20]]])
    assert [[[11, 12], [13, 14]], [[15, 16]]] == added(deep, [[10]])
    for other in ([[1, 2]], [1, 2], [[1, 2, 3], [4, 5, 6]]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to broadcast"):
            added(flat, other)


@pytest.mark.parametrize("shape", [[3], [2, 2, 2], (2,)])
def test_a_shape_with_other_axes_is_refused(shape: Any) -> None:
    rows = tf.ragged.constant([[1, 2], [3]])

    with pytest.raises(ShapeMismatchError, match=r"shape \(2, None\) cannot become a tensor"):
        rows.to_tensor(shape=shape)


def test_a_shape_with_other_inner_sizes_is_refused() -> None:
    rows = tf.RaggedTensor.from_row_splits(tf.ones([3, 2]), [0, 1, 3])

    with pytest.raises(ShapeMismatchError, match=r"cannot become a tensor of shape \[2, 2, 3\]"):
        rows.to_tensor(shape=[2, 2, 3])


def test_the_shape_that_is_asked_for_is_known_while_tracing() -> None:
    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def dense(rows: Any) -> Any:
        result = rows.to_tensor(shape=[4, None])
        assert [4, None] == result.shape.as_list()
        return result

    assert [[1, 2], [3, 0], [0, 0], [0, 0]] == dense(
        tf.ragged.constant([[1, 2], [3]])
    ).numpy().tolist()


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    "gathered",
    [
        lambda rows: tf.gather(rows, [0], axis=1),
        lambda rows: tf.gather(rows, tf.constant([[0], [0], [1]]), batch_dims=1),
        lambda rows: tf.gather(rows, tf.ragged.constant([[-1], [], []], tf.int32), batch_dims=1),
        lambda rows: tf.gather_nd(rows, [[1, 0]]),
    ],
)
def test_an_index_reaches_no_other_row(gathered: Any, staged: bool) -> None:
    rows = tf.ragged.constant([[1, 2], [], [3]])

    with pytest.raises(tf.errors.InvalidArgumentError, match="an index is not in its row"):
        (tf.function(gathered) if staged else gathered)(rows)


def test_a_ragged_tensor_of_symbolic_values_has_a_text() -> None:
    rows = tf.ragged.constant([[1.0], [2.0]])

    @tf.function
    def text() -> Any:
        assert "values=" in repr(tf.exp(rows))
        return tf.math.log_sigmoid(rows)

    assert [[True], [True]] == (text() < 0.0).to_list()


CUBE = tf.reshape(tf.range(8), [2, 2, 2])


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("expected", "made"),
    [
        ([[[0, 1], [2, 3]], [[4, 5], [6, 7]]], {"ragged_rank": 2}),
        ([[[0, 1]], [[4, 5], [6, 7]]], {"lengths": [1, 2]}),
        ([[[0]], [[], [6, 7]]], {"lengths": ([1, 2], [1, 0, 2])}),
        ([[[0, 1], [2]], [[4, 5], [6, 7]]], {"padding": 3, "ragged_rank": 2}),
        ([[[0, 1]], [[4, 5], [6, 7]]], {"padding": [2, 3]}),
        ([[], [[4, 5], [6, 7]]], {"lengths": [-1, 9]}),
    ],
)
@pytest.mark.parametrize("shape", [[2, 2, 2], [None] * 3, None])
def test_tensors_become_rows(shape: Any, expected: Any, made: Any) -> None:
    assert tf.RaggedTensor.from_tensor(CUBE, **made).to_list() == expected
    spec = tf.TensorSpec(shape, tf.int32)
    staged = tf.function(lambda x: tf.RaggedTensor.from_tensor(x, **made), input_signature=[spec])
    assert staged(CUBE).to_list() == expected


def test_tensors_become_rows_with_splits_of_the_dtype_asked_for() -> None:
    rows = tf.RaggedTensor.from_tensor(CUBE, ragged_rank=2, row_splits_dtype=tf.int32)
    assert [one.dtype for one in rows.nested_row_splits] == [tf.int32, tf.int32]


@pytest.mark.parametrize(
    ("error", "made"),
    [
        (ValueError, {"ragged_rank": 3}),
        (ValueError, {"ragged_rank": 0}),
        (TypeError, {"ragged_rank": "1"}),
        (ValueError, {"lengths": [1, 2], "padding": 0}),
        (ValueError, {"lengths": [1, 2, 3]}),
        (ValueError, {"padding": 0}),
    ],
)
def test_tensors_that_cannot_become_rows_are_refused(error: Any, made: Any) -> None:
    with pytest.raises(error):
        tf.RaggedTensor.from_tensor(CUBE, **made)


@pytest.mark.parametrize("inner", [2, None])
def test_elements_of_rows_have_the_size_that_a_tensor_asks_for(inner: int | None) -> None:
    spec = tf.RaggedTensorSpec([None, None, inner], tf.int32, ragged_rank=1)
    filled = tf.function(
        lambda rows, shape: rows.to_tensor(shape=shape),
        input_signature=[spec, tf.TensorSpec([3], tf.int32)],
    )
    rows = tf.RaggedTensor.from_tensor(CUBE)
    assert [2, 1, 2] == filled(rows, tf.constant([-1, 1, 2])).shape
    assert [2, 1, 2] == filled(rows, tf.constant([-1, 1, -1])).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="another size than is asked for"):
        filled(rows, tf.constant([-1, 1, 3]))


def test_no_function_of_ragged_tensors_writes_them_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    monkeypatch.setattr(tf.RaggedTensor, "__repr__", lambda _: pytest.fail("it was written out"))

    assert tf.reduce_sum(rows, 1).numpy().tolist() == [3.0, 3.0]
    assert tf.concat([rows, rows], 1).row_lengths().numpy().tolist() == [4, 2]
    assert tf.exp(rows).shape.as_list() == [2, None]
    with pytest.raises(ValueError, match="RaggedTensorSpec"):
        tf.convert_to_tensor(rows)


def test_powers_are_those_of_the_values() -> None:
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])

    assert [[1.0, 4.0], [9.0]] == (rows**2.0).to_list()
    assert [[2.0, 4.0], [8.0]] == (2.0**rows).to_list()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_argument_like_the_number_of_operands_is_given(number: int) -> None:
    ragged: Any = tf.ragged.constant([["a", "b"], [], ["c"]])
    flat = ragged.flat_values
    fast, strong = tf.strings.to_hash_bucket_fast, tf.strings.to_hash_bucket_strong

    for found, expected in (
        (fast(ragged, number), fast(flat, number)),
        (fast(ragged, num_buckets=number), fast(flat, number)),
        (strong(ragged, number, [1, 2]), strong(flat, number, [1, 2])),
    ):
        assert expected.numpy().tolist() == found.flat_values.numpy().tolist()
        assert [0, 2, 2, 3] == found.row_splits.numpy().tolist()


def test_a_mask_begins_at_the_first_axis() -> None:
    rows = tf.ragged.constant([[1, 2], [3]])

    assert [[3]] == tf.boolean_mask(rows, [False, True], axis=0).to_list()
    with pytest.raises(ValueError, match="begins at axis 0"):
        tf.boolean_mask(rows, [False, True], axis=1)


def test_numbers_are_true_where_they_are_not_0() -> None:
    rows = tf.ragged.constant([[1.0, -2.0, 0.0], [], [0.5, 2.0]])

    for function in (lambda f: f, tf.function):
        everything, anything = function(tf.reduce_all), function(tf.reduce_any)
        assert [False, True, True] == everything(rows, 1).numpy().tolist()
        assert [True, True, False] == anything(rows, axis=0).numpy().tolist()
        assert (False, True) == (bool(everything(rows)), bool(anything(rows)))


def test_one_alone_is_joined_with_nothing() -> None:
    rows = tf.ragged.constant([[1, 2], [], [3]])

    for one in (rows, [rows]):
        assert rows.to_list() == tf.concat(one, 1).to_list()
        assert [rows.to_list()] == tf.stack(one).to_list()
        assert [[[1, 2]], [[]], [[3]]] == tf.stack(one, 1).to_list()
