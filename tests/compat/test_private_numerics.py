"""Parts of layers, losses and initial values in private modules, as TensorFlow 2.21 answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat.private_modules.numerics import (
    convolution_sizes,
    initial_values,
    parts_of_losses,
)
from tensormill.version_one.metrics.counts import confusions

v1 = tf.compat.v1
ROWS = tf.constant([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(("value", "numbers"), [(2, (2, 2)), ([3, 4], (3, 4)), (0, (0, 0))])
def test_one_number_is_for_all_axes(value: Any, numbers: tuple[int, int]) -> None:
    assert numbers == convolution_sizes.normalize_tuple(value, 2, "strides")


@pytest.mark.parametrize("value", [(1,), "a", (1, "x"), 2.5, None])
def test_other_things_than_numbers_of_axes_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="`strides` must be one integer or 2 of them"):
        convolution_sizes.normalize_tuple(value, 2, "strides")


def test_orders_of_axes_and_paddings_have_their_words() -> None:
    assert "channels_first" == convolution_sizes.normalize_data_format("Channels_First")
    assert "NDHWC" == convolution_sizes.convert_data_format("channels_last", 5)
    assert "NCW" == convolution_sizes.convert_data_format("channels_first", 3)
    assert "same" == convolution_sizes.normalize_padding("SAME")
    for call in (
        lambda: convolution_sizes.normalize_data_format("NHWC"),
        lambda: convolution_sizes.normalize_padding("causal"),
        lambda: convolution_sizes.convert_data_format("channels_last", 2),
        lambda: convolution_sizes.convert_data_format("x", 4),
    ):
        with pytest.raises(ValueError, match=r"got|not 2"):
            call()


@pytest.mark.parametrize(
    ("padding", "after", "before", "transposed"),
    [
        ("valid", [3, 3, 2], [15, 22], [15, 21, 23]),
        ("same", [4, 7, 3], [13, 18], [14, 21, 21]),
        ("full", [5, 11, 4], [11, 16], [11, 19, 15]),
    ],
)
def test_lengths_follow_from_windows(
    padding: str, after: list[int], before: list[int], transposed: list[int]
) -> None:
    output, given = convolution_sizes.conv_output_length, convolution_sizes.conv_input_length
    wider = convolution_sizes.deconv_output_length

    assert after == [
        output(7, 3, padding, 2),
        output(7, 3, padding, 1, 2),
        output(7, 4, padding, 3),
    ]
    assert before == [given(7, 3, padding, 2), given(7, 4, padding, 3)]
    assert transposed == [wider(7, 3, padding, 2), wider(7, 1, padding, 3), wider(7, 5, padding, 3)]
    assert convolution_sizes.conv_output_length(None, 3, padding, 1) is None


def test_a_known_condition_calls_one_function() -> None:
    assert 1 == convolution_sizes.smart_cond(tf.constant(1), lambda: 1, lambda: 2)
    assert 2 == convolution_sizes.smart_cond(0, lambda: 1, lambda: 2)
    assert convolution_sizes.constant_value(tf.Variable(True)) is None
    with pytest.raises(TypeError, match="got 2"):
        convolution_sizes.constant_value(2)


# By TensorFlow 2.21, for the seed 3 and the shape [2, 3].
FIRST_ROWS = {
    "VarianceScaling": [-0.539868, 1.347331, -0.759053],
    "GlorotUniform": [-0.666222, 0.962557, 0.070711],
    "GlorotNormal": [-0.482873, 1.205089, -0.678918],
    "TruncatedNumbers": [-0.033579, 0.083803, -0.047212],
    "OrthogonalMatrix": [-0.393548, -0.553327, 0.734131],
    "he_normal": [-0.763489, 1.905413, -1.073463],
    "he_uniform": [-1.053389, 1.521936, 0.111805],
    "lecun_normal": [-0.539868, 1.347331, -0.759053],
    "lecun_uniform": [-0.744858, 1.076172, 0.079058],
}


@pytest.mark.parametrize("name", FIRST_ROWS)
def test_initial_values_of_a_seed_are_those_of_tensorflow(name: str) -> None:
    drawn = getattr(initial_values, name)(seed=3)

    np.testing.assert_allclose(FIRST_ROWS[name], drawn([2, 3])[0], atol=2e-6)
    assert tf.float64 == drawn([2, 3], tf.float64).dtype
    with pytest.raises(ValueError, match="floating point"):
        drawn([2, 3], tf.int32)


def test_other_distributions_and_parts() -> None:
    spread = initial_values.VarianceScaling(1.0, "fan_out", "untruncated_normal", 3)
    part = initial_values.GlorotUniform(3)([2, 3], partition_shape=[2, 2], partition_offset=[0, 0])

    np.testing.assert_allclose([-0.38774, 0.967668, -0.54516], spread([2, 3])[0], atol=2e-6)
    np.testing.assert_allclose([-0.666222, 0.962557], part[0], atol=2e-6)
    assert {"seed": 3} == initial_values.GlorotNormal(3).get_config()
    assert "truncated_normal" == initial_values.VarianceScaling(distribution="normal").distribution
    np.testing.assert_allclose([[3, 0, 0], [0, 3, 0]], initial_values.IdentityMatrix(3.0)((2, 3)))
    for call in (
        lambda: initial_values.VarianceScaling(0),
        lambda: initial_values.VarianceScaling(mode="a"),
        lambda: initial_values.OrthogonalMatrix()([4]),
        lambda: initial_values.IdentityMatrix()([2, 2], partition_shape=[1, 2]),
    ):
        with pytest.raises(ValueError, match=r"must|parts"):
            call()


def test_losses_count_what_has_a_weight() -> None:
    count, mean = parts_of_losses.present_count, parts_of_losses.mean_of_present

    assert 4.0 == count(ROWS, tf.constant(2.0))
    assert 2.0 == count(ROWS, tf.constant([[1.0], [0.0]]))
    assert [[2.0], [0.0]] == count(ROWS, [[1.0], [0.0]], per_batch=True).numpy().tolist()
    assert (2.5, 0.0) == (mean(ROWS, parts_of_losses.element_count(ROWS)), mean(ROWS, 0.0))
    assert [3.0, 7.0] == parts_of_losses.sums_of_rows(ROWS).numpy().tolist()


@pytest.mark.parametrize(
    ("labels", "predictions", "weights", "shapes"),
    [
        ([[1], [2]], [1, 2], [[1.0], [2.0]], ([2], [2], [2])),
        ([1, 2], [[1], [2]], [1.0, 2.0], ([2], [2], [2])),
        ([[1], [2]], [[1, 2], [3, 4]], 3.0, ([2, 1], [2, 2], [])),
        ([[1], [2]], [[1], [2]], [1.0, 2.0], ([2, 1], [2, 1], [2])),
    ],
)
def test_a_last_axis_of_one_goes(
    labels: Any, predictions: Any, weights: Any, shapes: tuple[list[int], ...]
) -> None:
    found = parts_of_losses.without_last_axis(labels, predictions, weights)

    assert list(shapes) == [one.shape.as_list() for one in found]


def test_similarity_is_luminance_and_structure() -> None:
    images = tf.reshape(tf.range(2 * 13 * 12 * 1.0), [2, 13, 12, 1]) / 400

    def mean(x: Any) -> Any:
        return tf.reduce_mean(x, [1, 2])

    luminance, structure = parts_of_losses.similarity_of(images, images[::-1] * 0.9, mean, 1.0)
    np.testing.assert_allclose([[0.64938], [0.54861]], luminance, atol=2e-5)
    np.testing.assert_allclose([[0.99468], [0.99468]], structure, atol=2e-5)
    others = parts_of_losses.similarity_of(images, images[::-1] * 0.9, mean, 2.0, 0.9, 0.02, 0.05)
    np.testing.assert_allclose([[0.65105], [0.55043]], others[0], atol=2e-5)
    np.testing.assert_allclose([[0.99603], [0.99603]], others[1], atol=2e-5)


def test_logits_of_samples_lose_how_often_classes_are_expected() -> None:
    table, offsets = tf.reshape(tf.range(12.0), [6, 2]) / 10, tf.range(6.0) / 10
    drawn = (tf.constant([1, 4], tf.int64), tf.constant([[0.3], [0.2]]), tf.constant([0.4, 0.1]))
    labels = tf.constant([[1], [2]], tf.int64)

    def logits(**told: Any) -> Any:
        return parts_of_losses.logits_of_samples(
            table, offsets, labels, ROWS, 2, 6, sampled_values=drawn, **told
        )

    np.testing.assert_allclose([2.10397, 1.81629, 5.30258], logits()[0][0], rtol=1e-5)
    np.testing.assert_allclose([0.9, 0.9, 3.0], logits(subtract_log_q=False)[0][0], rtol=1e-5)
    np.testing.assert_allclose([[1, 0, 0], [1, 0, 0]], logits()[1])


def test_a_confusion_matrix_grows() -> None:
    with tf.Graph().as_default():
        seen = confusions(tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2, [1.0, 2.0, 3.0])
        session = v1.Session()
        session.run(v1.local_variables_initializer())

        assert [[1, 0], [3, 2]] == session.run(seen[1]).tolist()
        assert [[2, 0], [6, 4]] == session.run(seen[1]).tolist()
        assert [[2, 0], [6, 4]] == session.run(seen[0]).tolist()
