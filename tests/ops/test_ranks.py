"""Operands of another rank than an operation takes: NumPy would repeat, or take, what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

from . import rules
from .calls.tables import ALL_CALLS

ONE = np.ones([1], np.float32)
IMAGES = np.ones([1, 2, 2, 3], np.float32)

# A vector of one number where a scalar is wanted, or two shapes where one is.
WRONG: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "linspace": (lambda x: tf.raw_ops.LinSpace(start=x, stop=4.0, num=3), [ONE]),
    "one_hot": (
        lambda x: tf.raw_ops.OneHot(indices=[0, 1], depth=2, on_value=x, off_value=0.0), [ONE],
    ),
    "pad": (lambda x: tf.pad([1.0], [[1, 1]], constant_values=x), [ONE]),
    "adjust_contrast": (
        lambda x: tf.raw_ops.AdjustContrastv2(images=IMAGES, contrast_factor=x), [ONE],
    ),
    "fake_quant": (lambda x: tf.quantization.fake_quant_with_min_max_vars(IMAGES, x, 6.0), [ONE]),
    "approximate_equal": (lambda x: tf.raw_ops.ApproximateEqual(x=x, y=[1.0, 1.0]), [ONE]),
}  # fmt: skip

# One number as well in a vector, as TensorFlow's kernels take it.
TAKEN: dict[str, tuple[Callable[..., Any], list[Any], Any]] = {
    "fill": (lambda x: tf.fill([2, 3], x), [ONE], [[1.0] * 3] * 2),
    "diag_part": (
        lambda x: tf.linalg.diag_part(tf.eye(2), k=(0, 1), padding_value=x), [ONE * 7],
        [[7.0, 0.0], [1.0, 1.0]],
    ),
}  # fmt: skip


def test_what_is_joined_has_the_sizes_that_any_operand_tells() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([2, None, 3])])
    def joined(x: Any, y: Any) -> Any:
        assert [2, None, 3] == tf.concat([x, y], 1).shape.as_list()
        return tf.concat([x, y], 1)

    assert [2, 5, 3] == joined(np.ones([2, 1, 3]), np.ones([2, 4, 3])).shape


@pytest.mark.parametrize("together", [1, 2])
def test_batches_are_gathered_from_at_any_rank(together: int) -> None:
    def gathered(x: Any, places: Any) -> Any:
        return tf.gather_nd(x, places, batch_dims=together)

    x, places = np.arange(24.0).reshape(2, 3, 4), np.array([[[2], [0], [1]], [[1], [1], [0]]])
    specs = [tf.TensorSpec(None, tf.float64), tf.TensorSpec(None, tf.int64)]
    compiled = tf.function(gathered, input_signature=specs)

    elements = np.take_along_axis(x, places, 2)[..., 0]
    expected = np.take_along_axis(x, places, 1) if together == 1 else elements
    np.testing.assert_array_equal(expected, compiled(x, places))
    np.testing.assert_array_equal(expected, gathered(x, places))


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT"])
def test_paddings_are_pairs_one_for_each_axis(mode: str, staged: bool) -> None:
    def padded(x: Any, paddings: Any) -> Any:
        return tf.pad(x, paddings, mode)

    specs = [tf.TensorSpec(None), tf.TensorSpec([None, None], tf.int32)]
    run = tf.function(padded, input_signature=specs) if staged else padded

    assert run([5.0, 6.0], [[1, 0]]).numpy().tolist()[1:] == [5.0, 6.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="matrix with 2 columns"):
        run([5.0, 6.0], [[1, 0, 0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be the rank of inputs"):
        run([5.0, 6.0], [[1, 0], [0, 1]])


def test_batches_of_an_equation_are_repeated_where_their_size_is_1() -> None:
    def product(*sizes: int) -> Any:
        left, right = (tf.ones([size, 2, 2]) for size in sizes)
        return tf.einsum("...ij,...jk->...ik", left, right).shape

    assert [[4, 2, 2], [3, 2, 2]] == [product(1, 4), product(3, 1)]
    with pytest.raises(ValueError, match="Expected dimension to be the same"):
        product(2, 3)


@pytest.mark.parametrize("known", ["eager", "sizes", "nothing"])
@pytest.mark.parametrize("name", WRONG)
def test_an_operand_of_another_rank_is_refused(name: str, known: str) -> None:
    call, arrays = WRONG[name]

    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        told(call, arrays, known)(*map(tf.constant, arrays))


@pytest.mark.parametrize("known", ["eager", "sizes", "nothing"])
@pytest.mark.parametrize("name", TAKEN)
def test_a_number_may_be_a_vector_of_one(name: str, known: str) -> None:
    call, arrays, expected = TAKEN[name]

    assert told(call, arrays, known)(*map(tf.constant, arrays)).numpy().tolist() == expected


def test_an_assertion_takes_a_vector_of_one_condition() -> None:
    @tf.function(autograph=False)
    def check(x: Any) -> None:
        tf.debugging.Assert(x, ["never"])

    check(tf.constant([True]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="never"):
        check(tf.constant([False]))


def told(call: Callable[..., Any], arrays: list[Any], known: str) -> Callable[..., Any]:
    """The call itself, or a function that knows the sizes, or nothing, of its arguments."""
    if known == "eager":
        return call
    specs = [tf.TensorSpec(None if known == "nothing" else a.shape, a.dtype) for a in arrays]
    return tf.function(call, specs, autograph=False)


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def in_every_way(call: Callable[..., Any]) -> list[Callable[..., Any]]:
    """The call, and functions that know the rank of their argument, or not even that."""
    specs = [tf.TensorSpec([None, None]), tf.TensorSpec(None)]
    return [call, *(tf.function(call, [spec], autograph=False) for spec in specs)]


@pytest.mark.sampled
@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("softmax", [tf.nn.softmax, tf.nn.log_softmax])
def test_the_axis_of_softmax_counts_for_any_rank(softmax: Any, axis: int) -> None:
    eager, *others = [run(X) for run in in_every_way(lambda x: softmax(x, axis=axis))]

    for one in others:
        np.testing.assert_allclose(eager, one, rtol=1e-6)


def test_labels_lie_along_the_axis_for_any_rank() -> None:
    def loss(x: Any) -> Any:
        return tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(x + 1, 0), x, axis=0)

    eager, *others = [run(X) for run in in_every_way(loss)]
    for one in others:
        np.testing.assert_allclose(eager, one, rtol=1e-6)


# Calls that go another way where a rank is unknown; all others know it or need it.
WITHOUT_RANK = [
    "argsort", "eigvals", "einsum ij,jk", "einsum batch", "einsum trace", "einsum sum",
    "einsum spread", "embedding_lookup", "frame", "frame of an axis", "frame of nothing",
    "frame, padded", "gather_nd in batches", "gradient of dct",
    "gradient of fake_quant by channels", "gradient of rfft", "gradient of rfft, odd",
    "gradient of rfft2d", "gradient of irfft", "gradient of irfft2d", "gradient of stft", "dct",
    "dct, orthonormal", "dct of a length", "inverse_stft", "inverse_stft of a window",
    "invert_permutation", "linspace", "linspace of integers", "linspace of vectors",
    "lu_matrix_inverse", "lu_reconstruct", "lu_solve", "norm 1 of matrices", "norm 2 of matrices",
    "outer product", "overlap_and_add", "pinv", "reduce_prod with zeros", "repeat",
    "repeat differently", "softmax of an axis", "gradient of sort", "sort", "sort bytes",
    "sort descending",
    "sort integers", "stft", "stft without a window", "tensordot", "tensordot of one axis", "top_k",
    "gradient of top_k",
    "unravel_index", "unsorted_segment_mean", "unsorted_segment_sqrt_n",
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", WITHOUT_RANK)
def test_calls_without_ranks_return_what_tensorflow_does(name: str) -> None:
    call, arrays = ALL_CALLS[name]
    specs = [tf.TensorSpec(None, array.dtype) for array in arrays]
    compiled = tf.function(lambda *operands: call(tf, *operands), specs, autograph=False)

    rules.assert_call_as_recorded(name, compiled, arrays)


@pytest.mark.parametrize(
    "window", [tf.signal.hann_window, tf.signal.hamming_window, tf.signal.kaiser_window]
)
def test_a_window_of_one_number_holds_one(window: Callable[..., Any]) -> None:
    compiled = tf.function(window, [tf.TensorSpec([], tf.int32)], autograph=False)

    assert compiled(tf.constant(1)).numpy().tolist() == window(1).numpy().tolist() == [1.0]
    np.testing.assert_allclose(window(5), compiled(tf.constant(5)), rtol=1e-6)


@pytest.mark.parametrize("axes", [[[2], [0]], [[1], [7]], [[-3], [0]]])
@pytest.mark.parametrize("rank", [2, None])
def test_axes_that_are_not_there_are_not_summed_over(axes: Any, rank: int | None) -> None:
    spec = tf.TensorSpec(None if rank is None else [None] * rank)
    function = tf.function(lambda a, b: tf.tensordot(a, b, axes), [spec, spec])

    with pytest.raises(tf.errors.InvalidArgumentError, match="tensordot: `axes` name"):
        function(tf.ones([2, 3]), tf.ones([3, 2]))
    with pytest.raises(IndexError, match=r"which has 2 dimension"):
        tf.tensordot(tf.ones([2, 3]), tf.ones([3, 2]), axes)
