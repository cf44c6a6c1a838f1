"""A size of -1 that is a constant: tracing takes it for unknown, and who runs it fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import tf

ROW = (1.0, 2.0, 3.0)
PIXELS = tf.ones([1, 4, 4, 3])
TURN = [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]

LATE = {
    "broadcast_to": lambda: tf.broadcast_to(ROW, [-1, 3]),
    "gamma": lambda: tf.random.gamma([-1], 1.0),
    "irfft": lambda: tf.signal.irfft(tf.constant(ROW, tf.complex64), [-1]),
    "lanczos3": lambda: tf.image.resize(PIXELS, [-1, 2], method="lanczos3"),
    "nearest": lambda: tf.image.resize(PIXELS, [2, -1], method="nearest"),
    "normal": lambda: tf.random.normal([2, -1]),
    "poisson": lambda: tf.random.poisson([-1], 1.0),
    "projective": lambda: tf.raw_ops.ImageProjectiveTransformV3(
        images=PIXELS,
        transforms=TURN,
        output_shape=[-1, 2],
        fill_value=0.0,
        interpolation="NEAREST",
    ),
    "repeat": lambda: tf.repeat(ROW, -1),
    "repeat by a vector": lambda: tf.repeat(ROW, [-1]),
    "reshape": lambda: tf.reshape(ROW, [-1, -1]),
    "reshape beside an unknown size": lambda: tf.reshape(ROW, [-1, -1, tf.size(ROW)]),
    "resize": lambda: tf.image.resize(PIXELS, [-1, 2]),
    "rfft": lambda: tf.abs(tf.signal.rfft(ROW, [-1])),
    "scatter_nd": lambda: tf.scatter_nd([[0]], [1.0], [-1]),
    "stateless_uniform": lambda: tf.random.stateless_uniform([-1], [1, 2]),
    "tile": lambda: tf.tile(ROW, [-1]),
    "uniform": lambda: tf.random.uniform([-1]),
}
AT_ONCE = {
    "fill": lambda: tf.fill([-1], 1.0),
    "less": lambda: tf.random.uniform([-2]),
    "one_hot": lambda: tf.one_hot([1], -2),
    "reshape": lambda: tf.reshape(ROW, [-2]),
    "segments": lambda: tf.math.unsorted_segment_sum(ROW, [0, 1, 2], -1),
    "zeros": lambda: tf.zeros([2, -1]),
}
IMPOSSIBLE = (tf.errors.InvalidArgumentError, ValueError)


def chosen(call: Any) -> Any:
    """A function that calls only where it is told to."""
    return tf.function(
        lambda wanted: tf.cond(wanted, lambda: tf.reduce_sum(call()), lambda: 7.0),
        autograph=False,
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", LATE)
def test_a_size_of_minus_1_fails_where_it_runs(name: str) -> None:
    call = LATE[name]
    function = chosen(call)

    assert function(tf.constant(False)).numpy() == 7.0
    for run in (call, tf.function(call, autograph=False), lambda: function(tf.constant(True))):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run()


@pytest.mark.parametrize("name", AT_ONCE)
def test_other_sizes_that_cannot_be_fail_while_tracing(name: str) -> None:
    call = AT_ONCE[name]

    with pytest.raises(ValueError, match=r"-1|-2|>= 0"):
        chosen(call)(tf.constant(False))
    with pytest.raises(IMPOSSIBLE):
        call()


@pytest.mark.parametrize("method", ["bilinear", "nearest", "bicubic", "area", "lanczos3"])
def test_resized_images_have_pixels_before_and_after(method: str) -> None:
    for images, size in ((PIXELS, [0, 2]), (PIXELS[:, :0], [1, 2])):

        def resized(images: Any = images, size: Any = size) -> Any:
            return tf.image.resize(images, size, method=method)

        assert chosen(resized)(tf.constant(False)).numpy() == 7.0
        for run in (resized, tf.function(resized, autograph=False)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"positive|non-zero"):
                run()
