"""Functions that know sizes, or even ranks, of their arguments only when they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import differs, tf

X = np.arange(6, dtype=np.float32).reshape(2, 3)
REFUSALS = (tf.errors.InvalidArgumentError, ValueError)


def results(call: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Of the call itself, and of functions that know ranks only, or nothing but dtypes."""
    sizes = [tf.TensorSpec([None] * np.ndim(one), one.dtype) for one in arrays]
    nothing = [tf.TensorSpec(None, one.dtype) for one in arrays]
    runs = [call, *(tf.function(call, specs, autograph=False) for specs in (sizes, nothing))]
    return [run(*map(tf.constant, arrays)) for run in runs]


def lists(call: Callable[..., Any], *arrays: Any) -> list[Any]:
    return [one.numpy().tolist() for one in results(call, *arrays)]


def int32(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("repeats", "axis", "expected"),
    [
        (int32(2), 0, [[0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5]]),
        (int32(1, 2), 0, [[0, 1, 2], [3, 4, 5], [3, 4, 5]]),
        (int32(2), 1, [[0, 0, 1, 1, 2, 2], [3, 3, 4, 4, 5, 5]]),
        (int32(0, 2, 1), 1, [[1, 1, 2], [4, 4, 5]]),
        (int32(0, -2, 1), 1, [[2], [5]]),
        (int32(1), None, [0, 1, 2, 3, 4, 5]),
        (int32(0, 0, 1, 0, 2, 0), None, [2, 4, 4]),
        (np.int32(2), None, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
    ],
)
def test_one_number_of_repeats_is_for_all(repeats: Any, axis: Any, expected: Any) -> None:
    found = lists(lambda x, times: tf.repeat(x, times, axis=axis), X, np.asarray(repeats))

    assert found == [expected] * 3


@pytest.mark.parametrize("repeats", [int32(), int32(1, 2, 3), int32(1, 1, 1, 1)])
@pytest.mark.parametrize("told", [None, [None]])
def test_repeats_for_another_number_of_slices_are_refused(repeats: Any, told: Any) -> None:
    specs = [tf.TensorSpec([None, None]), tf.TensorSpec(told, tf.int32)]
    function = tf.function(lambda x, times: tf.repeat(x, times, axis=0), specs, autograph=False)

    with pytest.raises(REFUSALS):
        function(X, repeats)


EINSUM = "bij,bjk->bik"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("equation", "left", "right"),
    [
        ("bi,bi->b", [1, 3], [2, 3]),
        (EINSUM, [1, 2, 2], [2, 2, 2]),
        (EINSUM, [2, 2, 1], [2, 2, 2]),
        (EINSUM, [2, 2, 2], [1, 2, 2]),
        ("i,i->i", [1], [2]),
        ("i,i->", [2], [1]),
    ],
)
@pytest.mark.parametrize("told", ["eager", "sizes", "nothing"])
def test_a_letter_stands_for_one_size(equation: str, left: Any, right: Any, told: str) -> None:
    def call(x: Any, y: Any) -> Any:
        return tf.einsum(equation, x, y)

    shapes = [None, None] if told == "nothing" else [[None] * len(left), [None] * len(right)]
    specs = [tf.TensorSpec(shape) for shape in shapes]
    run = call if told == "eager" else tf.function(call, specs, autograph=False)
    with pytest.raises(REFUSALS):
        run(tf.ones(left), tf.ones(right))


@pytest.mark.parametrize(
    ("left", "right"), [([1, 2, 2], [3, 2, 2]), ([3, 2, 2], [1, 2, 2]), ([2, 2], [3, 2, 2])]
)
def test_dots_stand_for_sizes_that_broadcast(left: Any, right: Any) -> None:
    specs = [tf.TensorSpec([None] * len(shape)) for shape in (left, right)]
    function = tf.function(lambda x, y: tf.einsum("...ij,...jk->...ik", x, y), specs)
    x, y = np.ones(left, np.float32), np.arange(np.prod(right), dtype=np.float32).reshape(right)

    np.testing.assert_array_equal(x @ y, function(x, y))


@pytest.mark.parametrize("pad_end", [False, True])
@pytest.mark.parametrize("told", [[3], [None], None])
def test_frames_that_do_not_move_are_refused(told: Any, pad_end: bool) -> None:
    def frames(x: Any) -> Any:
        return tf.signal.frame(x, 2, 0, pad_end)

    with pytest.raises(REFUSALS):
        frames(tf.ones([3]))
    with pytest.raises(REFUSALS):
        tf.function(frames, [tf.TensorSpec(told)], autograph=False)(tf.ones([3]))


LOW, HIGH = -(2**63), 2**63 - 1


@pytest.mark.parametrize(
    "numbers",
    [(LOW, HIGH, 2**62), (HIGH, LOW, -(2**62)), (HIGH, LOW, LOW), (-1, HIGH, HIGH), (3, 10, 3)],
)
def test_ranges_go_as_far_as_their_numbers(numbers: Any) -> None:
    found = lists(tf.range, *(np.int64(one) for one in numbers))

    assert found == [list(range(*numbers))] * 3


@pytest.mark.parametrize("indices", [int32(1, 2, 3), np.int32(3)])
def test_indices_are_unravelled_for_any_number_of_axes(indices: Any) -> None:
    found = lists(tf.unravel_index, np.asarray(indices), int32(2, 3))

    assert found == [np.array(np.unravel_index(indices, (2, 3))).tolist()] * 3


@pytest.mark.parametrize("axis", [0, 1, -1, [0, 1], None])
def test_products_with_zeros_have_gradients_for_any_rank(axis: Any) -> None:
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            product = tf.reduce_prod(x, axis)
        return tape.gradient(product, x)

    eager, *others = results(gradient, X[:, :2] + np.float32(0))
    for one in others:
        np.testing.assert_allclose(eager, one)


def concat_slopes(x: Any, axis: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        joined = tf.concat([x, 2.0 * x], axis)
        y = joined * joined
    return tape.gradient(y, x)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_concatenation_has_a_gradient_along_any_axis_of_any_rank(axis: int):
    expected = (10 * X).tolist()

    assert [expected] * 3 == lists(lambda x: concat_slopes(x, axis), X)
    assert [expected] * 3 == lists(concat_slopes, X, np.int32(axis))


@pytest.mark.parametrize(
    ("axis", "mask", "expected"),
    [(0, [False, True], [[3, 4, 5]]), (1, [True, False, True], [[0, 2], [3, 5]])],
)
def test_a_mask_goes_along_an_axis_that_only_a_run_knows(axis: int, mask: Any, expected: Any):
    found = lists(lambda x, k: tf.boolean_mask(x, mask, k), X, np.int32(axis))

    assert [expected] * 3 == found


def test_the_axis_of_a_sort_is_known_while_tracing():
    sort = tf.function(lambda k: tf.sort(X, k), [tf.TensorSpec([], tf.int32)], autograph=False)

    with pytest.raises(ValueError, match="Argument `axis` must be"):
        sort(tf.constant(1))


def test_strides_are_known_while_tracing():
    image, window = np.ones((1, 3, 3, 1), np.float32), np.ones((2, 2, 1, 1), np.float32)
    strided = tf.function(
        lambda k: tf.nn.conv2d(image, window, k, "VALID"), [tf.TensorSpec([], tf.int32)]
    )

    with pytest.raises(TypeError):
        strided(tf.constant(1))


@differs("rows of one element come back where their size is not known while tracing")
@pytest.mark.parametrize("spec", [tf.TensorSpec([None]), tf.TensorSpec(None)])
def test_one_element_has_no_cosine_transform_of_type_1(spec: Any):
    transform = tf.function(lambda x: tf.signal.dct(x, 1), [spec], autograph=False)

    assert transform(tf.constant([1.0, 2.0])).numpy().tolist() == [3.0, -1.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Type-I DCT"):
        transform(tf.constant([1.0]))


@differs
def test_elements_are_gathered_by_batches_where_ranks_are_unknown() -> None:
    params, places = np.arange(24.0).reshape(2, 3, 4), int32(1, 2, 3, 0, 1, 2).reshape(2, 3, 1)
    found = lists(lambda x, at: tf.gather_nd(x, at, batch_dims=2), params, places)

    assert found == [[[1, 6, 11], [12, 17, 22]]] * 3


def test_a_line_has_as_many_numbers_as_tracing_knows() -> None:
    known = tf.function(lambda: tf.linspace(0.0, 1.0, 5)).get_concrete_function()
    unknown = tf.function(
        lambda count: tf.linspace(0.0, 1.0, count), [tf.TensorSpec([], tf.int32)]
    ).get_concrete_function()

    assert [[5], [None]] == [one.output_shapes.as_list() for one in (known, unknown)]


def test_least_squares_of_other_numbers_of_rows_are_refused() -> None:
    specs = [tf.TensorSpec([None, None])] * 2
    function = tf.function(tf.linalg.lstsq, specs, autograph=False)

    for matrix, rhs in ((X[:1], X), (X, X[:1])):
        with pytest.raises(REFUSALS):
            function(matrix, rhs)


def test_weights_of_rows_weigh_rows() -> None:
    square, weights = np.array([[1, 2], [3, 4]], np.float32), np.array([1, 0], np.float32)

    def average(losses: Any, weights: Any) -> Any:
        return tf.nn.compute_average_loss(losses, weights, global_batch_size=1)

    for losses, rows, expected in ((square, weights, 3), (square[0], weights[:, None], 1)):
        sizes = [tf.TensorSpec([None] * one.ndim) for one in (losses, rows)]
        assert average(losses, rows).numpy() == expected
        assert tf.function(average, sizes)(losses, rows).numpy() == expected


@differs("whether weights are of rows is known when it runs in TensorFlow, and while tracing here")
def test_weights_of_unknown_rank_are_refused() -> None:
    square, weights = np.array([[1, 2], [3, 4]], np.float32), np.array([1, 0], np.float32)
    of_any_rank = [tf.TensorSpec(None), tf.TensorSpec(None)]

    with pytest.raises(ValueError, match="losses and weights of known rank"):
        tf.function(tf.nn.compute_average_loss, of_any_rank)(square, weights)
