"""Sizes that only run time knows are checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import ShapeMismatchError


def integers(x: Any) -> Any:
    return tf.cast(x, tf.int32)


ROWS = tf.Variable(tf.zeros([4, 2]))
Case = tuple[Callable[[Any, Any], Any], tuple[int, ...], tuple[int, ...]]
CASES: dict[str, Case] = {
    "AddN": (lambda x, y: tf.add_n([x, y]), (4,), (3,)),
    "AddV2": (lambda x, y: x + y, (4,), (3,)),
    "Concat": (lambda x, y: tf.concat([x, y], 0), (2, 3), (2, 4)),
    "Einsum": (lambda x, y: tf.einsum("ijk,jk->i", x, y), (1, 2, 6), (3, 4)),
    "InTopK": (lambda x, y: tf.math.in_top_k(integers(x), y, 1), (4,), (3, 2)),
    "MatMul": (lambda x, y: x @ y, (2, 3), (4, 5)),
    "Pack": (lambda x, y: tf.stack([x, y]), (4,), (3,)),
    "ScatterNd": (lambda x, y: tf.scatter_nd(integers(x)[:, None], y, [8]), (4,), (3,)),
    "ScatterRows": (lambda x, y: ROWS.scatter_add(tf.IndexedSlices(y, [0, 1])), (4,), (2, 3)),
    "SearchSorted": (lambda x, y: tf.searchsorted(x, y), (4, 2), (3, 2)),
    "SegmentSum": (lambda x, y: tf.math.unsorted_segment_sum(x, integers(y), 5), (4,), (3,)),
    "Select": (lambda x, y: tf.where(x > 0, x, y), (4,), (3,)),
    "SoftmaxCrossEntropy": (tf.nn.softmax_cross_entropy_with_logits, (3, 2), (4, 2)),
    "SparseSoftmaxCrossEntropy": (
        lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(integers(x), y),
        (3,),
        (4, 2),
    ),
    "TensorScatterUpdate": (
        lambda x, y: tf.tensor_scatter_nd_update(x, [[0], [1]], y),
        (4,),
        (3,),
    ),
    "Unpack": (lambda x, y: tf.unstack(x, num=3)[0] + y[0], (4,), (3,)),
}


def operand(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return (np.arange(np.prod(shape)) % 2 + 0.5).reshape(shape).astype(np.float32)


def of_unknown_sizes(name: str) -> Any:
    body, x, y = CASES[name]
    specs = [tf.TensorSpec([None] * len(shape), tf.float32) for shape in (x, y)]
    return tf.function(body, input_signature=specs, autograph=False)


@pytest.mark.sampled
@pytest.mark.parametrize("name", CASES)
def test_a_function_checks_the_sizes_of_its_arguments(name: str) -> None:
    _, x, y = CASES[name]
    with pytest.raises(tf.errors.InvalidArgumentError):
        of_unknown_sizes(name)(operand(x), operand(y))


@pytest.mark.sampled
@pytest.mark.parametrize("name", CASES)
def test_a_function_that_is_called_in_another_checks_sizes_that_are_known_there(name: str) -> None:
    _, x, y = CASES[name]
    inner = of_unknown_sizes(name)
    outer = tf.function(lambda: inner(operand(x), operand(y)), autograph=False)

    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        outer()


@pytest.mark.parametrize("name", CASES)
def test_eager_operations_check_the_same(name: str) -> None:
    body, x, y = CASES[name]
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        body(tf.constant(operand(x)), tf.constant(operand(y)))


@pytest.mark.parametrize("name", ["AddV2", "Select", "SoftmaxCrossEntropy"])
def test_shapes_that_do_not_broadcast_are_told_as_they_are_eagerly(name: str) -> None:
    body, x, y = CASES[name]
    with pytest.raises(ShapeMismatchError, match=r"\[4.*\] .*\[3.*\]") as eager:
        body(tf.constant(operand(x)), tf.constant(operand(y)))

    with pytest.raises(ShapeMismatchError, match=re.escape(str(eager.value))):
        of_unknown_sizes(name)(operand(x), operand(y))


@pytest.mark.parametrize("read", [lambda same: same, tf.reduce_any, lambda same: same[0]])
def test_equality_keeps_the_rank_that_was_traced(read: Callable[[Any], Any]) -> None:
    vector = tf.TensorSpec([None], tf.float32)
    inner = tf.function(lambda x, y: read(x == y), input_signature=[vector, vector])
    outer = tf.function(lambda: inner(operand((4,)), operand((3,))))

    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        outer()


@pytest.mark.parametrize("equation", ["ii->i", "ii", "ij,ij->i"])
def test_a_letter_stands_for_one_size(equation: str) -> None:
    shapes = [(3, 2), (3, 4)][: equation.count(",") + 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="stands for the size"):
        tf.einsum(equation, *[tf.ones(shape) for shape in shapes])


def test_batches_of_gather_nd_go_together() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="must agree"):
        tf.gather_nd(tf.ones([4, 2]), tf.zeros([3, 1], tf.int32), batch_dims=1)


def test_a_check_that_is_never_reached_fails_nothing() -> None:
    inner = of_unknown_sizes("AddN")

    @tf.function
    def f(right: Any) -> Any:
        if right:
            return 1.0
        return tf.reduce_sum(inner(operand((4,)), operand((3,))))

    assert f(tf.constant(True)).numpy() == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be equal"):
        f(tf.constant(False))


@pytest.mark.parametrize("labels", [[3, 2], [6]])
@pytest.mark.parametrize("rank_known", [True, False])
def test_labels_are_those_of_the_rows_not_only_as_many(labels: list[int], rank_known: bool) -> None:
    function = tf.nn.sparse_softmax_cross_entropy_with_logits
    shapes = ([None] * len(labels), [None] * 3) if rank_known else (None, None)
    if rank_known and len(labels) != 2:
        shapes = (None, [None] * 3)
    dtypes = (tf.int32, tf.float32)
    specs = [tf.TensorSpec(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    compiled = tf.function(function, input_signature=specs)

    for run in (function, compiled):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            run(tf.zeros(labels, tf.int32), tf.ones([2, 3, 5]))
    assert compiled(tf.zeros([2, 3], tf.int32), tf.ones([2, 3, 5])).shape == [2, 3]


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_shifts_along_one_axis_are_added_without_overflow(dtype: tf.DType) -> None:
    compiled = tf.function(
        lambda x, by: tf.roll(x, by, [0, -1]),
        [tf.TensorSpec([None]), tf.TensorSpec([2], dtype)],
        autograph=False,
    )
    for by in ([4, dtype.max], [dtype.min, dtype.min], [-1, dtype.min]):
        moved = np.roll(np.arange(3.0), sum(by) % 3)
        np.testing.assert_array_equal(moved, compiled(tf.range(3.0), by))
    assert compiled(tf.zeros([0]), [1, 2]).shape == [0]


def test_columns_of_a_confusion_matrix_are_found_while_running() -> None:
    unknown = tf.TensorSpec(None, tf.int32)
    compiled = tf.function(tf.math.confusion_matrix, input_signature=[unknown, unknown])
    labels, predictions = tf.constant([0, 1, 1]), tf.constant([0, 1, 0])

    wanted = [[1, 0], [1, 1]]
    assert compiled(labels, predictions).numpy().tolist() == wanted
    assert compiled(labels[:, None], predictions).numpy().tolist() == wanted
    assert compiled(labels, predictions[:, None]).numpy().tolist() == wanted
    for wrong in (labels[None], tf.constant(1), labels[:, None, None]):
        with pytest.raises(tf.errors.InvalidArgumentError):
            compiled(wrong, predictions)
    for run in (compiled, tf.math.confusion_matrix):
        with pytest.raises(tf.errors.InvalidArgumentError, match="vector"):
            run(labels[:, None], predictions[:, None])


UNKNOWN = tf.TensorSpec(None, tf.float32)


def test_channels_are_counted_where_the_rank_is_unknown() -> None:
    grey = tf.function(tf.image.rgb_to_grayscale, input_signature=[UNKNOWN])
    colours = tf.function(tf.image.grayscale_to_rgb, input_signature=[UNKNOWN])

    assert grey(tf.ones([2, 3])).shape == [2, 1]
    assert colours(tf.ones([2, 5, 1])).numpy().tolist() == tf.ones([2, 5, 3]).numpy().tolist()
    for run in (grey, tf.image.rgb_to_grayscale):
        for wrong in (tf.ones([2, 2, 1]), tf.ones([2, 2, 4]), tf.ones([])):
            with pytest.raises(tf.errors.InvalidArgumentError):
                run(wrong)
    for run in (colours, tf.image.grayscale_to_rgb):
        for wrong in (tf.ones([2, 2, 3]), tf.ones([])):
            with pytest.raises(tf.errors.InvalidArgumentError):
                run(wrong)


def test_filters_of_images_need_no_rank_while_tracing() -> None:
    images = tf.reshape(tf.range(2.0 * 12 * 12), [2, 12, 12, 1])
    edges = tf.function(tf.image.sobel_edges, input_signature=[UNKNOWN])
    like = tf.function(lambda a, b: tf.image.ssim(a, b, 1.0), input_signature=[UNKNOWN, UNKNOWN])

    expected = tf.image.sobel_edges(images).numpy()
    assert edges(images).numpy().tolist() == expected.tolist()
    assert like(images, images).numpy().tolist() == [1.0, 1.0]
    for run in (edges, tf.image.sobel_edges):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(images[0])
