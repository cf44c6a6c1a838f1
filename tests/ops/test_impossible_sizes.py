"""Sizes that no tensor has are refused, whoever finds them: nothing is read or written for them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

ROW = tf.range(4.0)
SPECTRUM = tf.ones([3], tf.complex64)
NOTHING = tf.zeros([0])


def resized(size: Any) -> Any:
    made = tf.raw_ops.TensorListReserve(
        element_shape=tf.constant([2]), num_elements=3, element_dtype=tf.float32
    )
    return tf.raw_ops.TensorListResize(input_handle=made, size=size)


# Functions of sizes, and sizes for which they fail.
NEGATIVE: dict[str, tuple[Callable[[Any], Any], list[int]]] = {
    "broadcast_to": (lambda n: tf.broadcast_to(1.0, n), [2, -1]),
    "a list": (
        lambda n: tf.raw_ops.TensorListLength(input_handle=resized(n[0])),
        [-1],
    ),
    "a list of 100 000 less": (
        lambda n: tf.raw_ops.TensorListLength(input_handle=resized(n[0])),
        [-100_000],
    ),
    "eye": (lambda n: tf.eye(n[0]), [-1]),
    "fill": (lambda n: tf.fill(n, 1), [-2]),
    "gamma": (lambda n: tf.random.gamma(n, 1.0), [-1]),
    "irfft": (lambda n: tf.signal.irfft(SPECTRUM, n), [-1]),
    "linspace": (lambda n: tf.linspace(0.0, 1.0, n[0]), [-1]),
    "normal": (tf.random.normal, [-2]),
    "repeat": (lambda n: tf.repeat(ROW, n[0]), [-1]),
    "rfft": (lambda n: tf.signal.rfft(ROW, n), [-1]),
    "scatter_nd": (lambda n: tf.scatter_nd(tf.zeros([0, 1], tf.int32), NOTHING, n), [-3]),
    "segments": (
        lambda n: tf.math.unsorted_segment_sum(NOTHING, tf.zeros([0], tf.int32), n[0]),
        [-1],
    ),
    "split": (lambda n: tf.split(ROW, n, num=2)[0], [6, -2]),
    "split twice the rest": (lambda n: tf.split(ROW, n, num=2)[0], [-1, -1]),
    "split beyond the end": (lambda n: tf.split(ROW, n, num=2)[0], [1000, -996]),
    "split too much": (lambda n: tf.split(ROW, n, num=2)[0], [5, -1]),
    "stateless": (lambda n: tf.random.stateless_normal(n, [1, 2]), [-3]),
    "tile": (lambda n: tf.tile(ROW, n), [-1]),
    "uniform": (tf.random.uniform, [2, -1]),
}
TOO_MANY: dict[str, tuple[Callable[[Any], Any], list[int]]] = {
    "broadcast_to": (lambda n: tf.reduce_sum(tf.broadcast_to(1.0, n)), [2**32, 2**32]),
    "cumsum": (lambda n: tf.cumsum(tf.broadcast_to(1.0, n)), [2**32, 2**32]),
    "fill": (lambda n: tf.reduce_sum(tf.fill(n, 1.0)), [2**31, 2**32]),
    "range": (lambda n: tf.range(-n[0], n[0])[-1], [2**63 - 1]),
    "range of floats": (lambda n: tf.range(0.0, tf.cast(n[0], tf.float32), 1e-9)[:1], [2**62]),
    "range of floats with 64 bits": (
        lambda n: tf.range(0.0, 3.0 * tf.cast(n[0], tf.float64))[:1],
        [2**62],
    ),
    "reshape": (lambda n: tf.reshape(ROW, n)[5], [2**62 + 1, 4]),
    "scatter_nd": (lambda n: tf.scatter_nd([[5, 3]], [1.0], n)[0], [2**62 + 1, 4]),
    "split": (lambda n: tf.split(ROW, n, num=4)[0], [2**62, 2**62, 2**62, 2**62 + 4]),
    "sizes of 32 bits": (
        lambda n: tf.fill([tf.shape(tf.zeros(n))[0] * 2**16], 1.0)[:1],
        [2**15],
    ),
    "tile": (lambda n: tf.reduce_sum(tf.tile(ROW, n)), [2**62 + 1]),
    "uniform": (lambda n: tf.random.uniform(n)[0], [2**62, 4]),
}
# What memory cannot hold, known while compiling or not.
TOO_LARGE: dict[str, Callable[[Any], Any]] = {
    "fill": lambda n: tf.fill(n, 1.0),
    "cumsum": lambda n: tf.cumsum(tf.broadcast_to(1.0, n)),
    "sum of sums": lambda n: tf.reduce_sum(tf.cumsum(tf.fill(n, 1.0))),
}


def ways(function: Callable[[Any], Any], sizes: list[int], dtype: Any) -> list[Callable[[], Any]]:
    """Eagerly, with sizes known while tracing, and with sizes that the run gets."""
    known = tf.constant(sizes, dtype)
    spec = tf.TensorSpec([len(sizes)], dtype)
    compiled = tf.function(function, input_signature=[spec], autograph=False)
    return [
        lambda: function(known),
        tf.function(lambda: function(tf.constant(sizes, dtype)), autograph=False),
        lambda: compiled(known),
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("name", NEGATIVE)
def test_negative_sizes_are_invalid_arguments(name: str) -> None:
    for run in ways(*NEGATIVE[name], tf.int32):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            run()


@pytest.mark.sampled
@pytest.mark.parametrize("name", TOO_MANY)
def test_a_product_of_sizes_fits_into_64_bits(name: str) -> None:
    for run in ways(*TOO_MANY[name], tf.int64):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            run()


@pytest.mark.sampled
@pytest.mark.parametrize("sizes", [[2**31, 2**31], [2**61], [2**59, 2], [2**50]])
@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_memory_cannot_hold_is_an_exhausted_resource(name: str, sizes: list[int]) -> None:
    for run in ways(TOO_LARGE[name], sizes, tf.int64)[1:]:
        with pytest.raises(tf.errors.ResourceExhaustedError):
            run()


def test_eager_tensors_that_memory_cannot_hold_are_an_exhausted_resource() -> None:
    with pytest.raises(tf.errors.ResourceExhaustedError, match="Tile"):
        tf.tile([1.0], [2**45])


def test_one_size_of_a_split_may_be_the_rest_at_run_time() -> None:
    split = tf.function(lambda x, n: tf.split(x, n, num=3), autograph=False)

    for sizes in ([1, 1, 2], [1, -1, 2], [-1, 0, 4], [0, 3, -1]):
        parts = split(ROW, tf.constant(sizes))
        assert [one.numpy().tolist() for one in parts] == [
            one.numpy().tolist() for one in tf.split(ROW, sizes)
        ]


def test_bincount_refuses_negative_integers() -> None:
    for run in ways(tf.math.bincount, [0, -1], tf.int32):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be non-negative"):
            run()


@pytest.mark.parametrize("delta", [1, 3, 2**62, 2**63 - 1, -(2**63), -(2**62), -1])
def test_ranges_of_large_steps_have_their_length(delta: int) -> None:
    spec = tf.TensorSpec([], tf.int64)
    compiled = tf.function(tf.range, input_signature=[spec] * 3, autograph=False)
    ends = (-(2**62), 2**62 - 5) if abs(delta) > 3 else (-7, 12)

    for start, limit in (ends, (ends[0], ends[0]), (5, 6), (6, 5)):
        numbers = [tf.constant(one, tf.int64) for one in (start, limit, delta)]
        if (limit - start) * delta < 0:
            with pytest.raises(tf.errors.InvalidArgumentError):
                compiled(*numbers)
        else:
            assert compiled(*numbers).numpy().tolist() == list(range(start, limit, delta))


@pytest.mark.parametrize("bounds", [(0.0, 0.3, 0.1), (0.1, 1.1, 0.1), (0.0, 1.0, 0.1)])
def test_ranges_of_floats_have_one_length_in_every_way(bounds: tuple[float, float, float]) -> None:
    compiled = tf.function(tf.range, input_signature=[tf.TensorSpec([])] * 3, autograph=False)
    expected = int(
        np.ceil(abs((np.float32(bounds[1]) - np.float32(bounds[0])) / np.float32(bounds[2])))
    )

    for found in (tf.range(*bounds), tf.function(lambda: tf.range(*bounds))(), compiled(*bounds)):
        assert len(found) == expected


def test_bincount_of_nothing_is_nothing() -> None:
    spec = tf.TensorSpec([None], tf.int32)
    compiled = tf.function(tf.math.bincount, input_signature=[spec], autograph=False)

    assert compiled(tf.zeros([0], tf.int32)).shape == [0]


def test_gradients_of_slices_have_the_shape_of_the_slice() -> None:
    def gradient(dy: Any) -> Any:
        return tf.raw_ops.StridedSliceGrad(shape=[5], begin=[0], end=[5], strides=[1], dy=dy)

    compiled = tf.function(gradient, input_signature=[tf.TensorSpec([None])], autograph=False)

    assert compiled(tf.ones([5])).numpy().tolist() == [1.0] * 5
    for run in (gradient, compiled):
        for size in (0, 2, 6):
            with pytest.raises(tf.errors.InvalidArgumentError, match="shape of dy"):
                run(tf.ones([size]))


@pytest.mark.parametrize("index", [[2], [0, 1, 1]])
def test_gradients_of_gathered_rows_have_the_shape_of_the_rows(index: list[int]) -> None:
    matrix, vector = tf.TensorSpec([None, None]), tf.TensorSpec([None], tf.int32)

    @tf.function(input_signature=[matrix, vector, matrix], autograph=False)
    def gradient(x: Any, index: Any, dy: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, index, axis=1)
        return tape.gradient(y, x, dy)

    rows, places = tf.ones([2, 3]), tf.constant(index)
    assert gradient(rows, places, tf.ones([2, len(index)])).shape == [2, 3]
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        gradient(rows, places, tf.ones([2, len(index) + 1]))


def test_a_diagonal_is_set_in_as_many_matrices_as_it_has() -> None:
    specs = [tf.TensorSpec([None, None, None]), tf.TensorSpec([None, None])]
    compiled = tf.function(tf.linalg.set_diag, input_signature=specs, autograph=False)

    assert compiled(tf.zeros([2, 3, 3]), tf.ones([2, 3])).shape == [2, 3, 3]
    with pytest.raises(ValueError, match="diagonal has shape"):
        tf.linalg.set_diag(tf.zeros([4, 3, 3]), tf.ones([2, 3]))
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        compiled(tf.zeros([4, 3, 3]), tf.ones([2, 3]))


LOW, HIGH = -(2**63), 2**63 - 1
WIDE_RANGES = {
    tf.uint64: [
        (3, 10, 3), (2**63, 2**63 + 5, 2), (2**63 - 2, 2**63 + 2, 1), (0, 2**64 - 1, 2**63),
        (0, 10, 2**63), (7, 7, 1),
    ],
    tf.int64: [
        (LOW, HIGH, 2**62), (HIGH, LOW, -(2**62)), (HIGH, LOW, LOW), (-1, HIGH, HIGH),
        (LOW, LOW, 1), (LOW, HIGH, HIGH), (5, -6, -2), (0, LOW, LOW),
    ],
    tf.int32: [(-(2**31), 2**31 - 1, 2**30), (2**31 - 1, -(2**31), -(2**31)), (3, 10, 3)],
}  # fmt: skip


@pytest.mark.parametrize("dtype", WIDE_RANGES, ids=lambda dtype: dtype.name)
def test_ranges_go_as_far_as_their_numbers(dtype: tf.DType) -> None:
    spec = tf.TensorSpec([], dtype)
    compiled = tf.function(tf.range, input_signature=[spec] * 3, autograph=False)

    for numbers in WIDE_RANGES[dtype]:
        operands: list[Any] = [tf.constant(one, dtype) for one in numbers]
        assert compiled(*operands).numpy().tolist() == list(range(*numbers))
        assert tf.range(*operands).numpy().tolist() == list(range(*numbers))


@pytest.mark.parametrize("numbers", [(0, 2**63 + 5, 1), (0, 2**64 - 1, 2), (0, 9, 0), (9, 0, 1)])
def test_ranges_of_too_many_numbers_are_refused(numbers: tuple[int, int, int]) -> None:
    spec = tf.TensorSpec([], tf.uint64)
    compiled = tf.function(tf.range, input_signature=[spec] * 3, autograph=False)

    with pytest.raises(tf.errors.InvalidArgumentError, match="Range"):
        compiled(*(tf.constant(one, tf.uint64) for one in numbers))


SECOND: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "MaxPoolGradGrad": (
        lambda grad: tf.raw_ops.MaxPoolGradGrad(
            orig_input=tf.ones([1, 4, 4, 1]), orig_output=tf.ones([1, 2, 2, 1]), grad=grad,
            ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID",
        ), [1, 4, 4, 1],
    ),
    "MaxPoolGradGradWithArgmax": (
        lambda grad: tf.raw_ops.MaxPoolGradGradWithArgmax(
            input=tf.ones([1, 4, 4, 1]), grad=grad, argmax=tf.zeros([1, 2, 2, 1], tf.int64),
            ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID",
        ), [1, 4, 4, 1],
    ),
    "MirrorPadGrad": (
        lambda grad: tf.raw_ops.MirrorPadGrad(
            input=grad, paddings=[[0, 0], [2, 1], [0, 0], [0, 0]], mode="REFLECT"
        ), [1, 7, 1, 1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SECOND)
def test_gradients_have_the_shape_of_what_was_pooled_or_mirrored(name: str) -> None:
    function, shape = SECOND[name]
    spec = tf.TensorSpec([None] * 4)
    compiled = tf.function(function, input_signature=[spec], autograph=False)
    smaller = [1, shape[1] - 2, *shape[2:]]

    np.testing.assert_array_equal(compiled(tf.ones(shape)), function(tf.ones(shape)))
    for run in (function, compiled):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            run(tf.ones(smaller))


MANY = 2**22
NONE: dict[str, tuple[Callable[[], Any], list[int]]] = {
    "argsort": (lambda: tf.argsort(tf.zeros([MANY, 0]), 0), [MANY, 0]),
    "band_part": (
        lambda: tf.linalg.band_part(tf.zeros([0, MANY, MANY]), 1, 1),
        [0, MANY, MANY],
    ),
    "diag": (lambda: tf.linalg.diag(tf.zeros([0, MANY])), [0, MANY, MANY]),
    "diag of no columns": (
        lambda: tf.linalg.diag(tf.zeros([0]), num_rows=MANY, num_cols=0),
        [MANY, 0],
    ),
    "diag_part": (lambda: tf.linalg.diag_part(tf.zeros([0, MANY, MANY])), [0, MANY]),
    "eye of no columns": (lambda: tf.eye(MANY, 0), [MANY, 0]),
    "eyes of no batch": (lambda: tf.eye(MANY, batch_shape=[0]), [0, MANY, MANY]),
    "frame": (lambda: tf.signal.frame(tf.zeros([0]), MANY, 1), [0, MANY]),
    "frame of a batch": (
        lambda: tf.signal.frame(tf.zeros([0, 2 * MANY]), MANY, 1),
        [0, MANY + 1, MANY],
    ),
    "frame, too long": (lambda: tf.signal.frame(tf.zeros([5]), MANY, 1), [0, MANY]),
    "linspace": (lambda: tf.linspace(tf.zeros([0]), 1.0, MANY), [MANY, 0]),
    "linspace along the last axis": (
        lambda: tf.linspace(tf.zeros([0, 3]), 1.0, MANY, axis=-1),
        [0, 3, MANY],
    ),
    "zeros, more than 31 bits": (lambda: tf.zeros([2**31, 0]), [2**31, 0]),
    "one_hot": (lambda: tf.one_hot([], MANY), [0, MANY]),
    "one_hot of no depth": (lambda: tf.one_hot([1, 2], 0), [2, 0]),
    "one_hot along the first axis": (lambda: tf.one_hot([], MANY, axis=0), [MANY, 0]),
    "sequence_mask": (lambda: tf.sequence_mask(tf.zeros([2, 0], tf.int32), MANY), [2, 0, MANY]),
    "set_diag": (
        lambda: tf.linalg.set_diag(tf.zeros([0, MANY, MANY]), tf.zeros([0, MANY])),
        [0, MANY, MANY],
    ),
    "sort": (lambda: tf.sort(tf.zeros([MANY, 0])), [MANY, 0]),
    "tensor_diag": (lambda: tf.linalg.tensor_diag(tf.zeros([0, MANY])), [0, MANY, 0, MANY]),
    "top_k": (lambda: tf.math.top_k(tf.zeros([MANY, 0]), 0).indices, [MANY, 0]),
}


@pytest.mark.parametrize("name", NONE)
def test_results_of_nothing_take_no_memory(name: str) -> None:
    call, shape = NONE[name]

    tracemalloc.start()
    try:
        found = call()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert shape == found.shape.as_list()
    assert most < MANY


def test_frames_of_nothing_have_a_gradient() -> None:
    x = tf.ones([3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        frames = tf.signal.frame(x, 5, 1)

    assert [0.0] * 3 == tape.gradient(frames, x).numpy().tolist()
