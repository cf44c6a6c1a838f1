"""Losses that are scaled before they are differentiated, on TensorFlow and on ours: I10."""

from __future__ import annotations

import math

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
scales = v1.mixed_precision


@behaviour("I10")
def test_a_fixed_scale_stays() -> None:
    scale = scales.FixedLossScale(3.0)

    assert (3.0, (None, True)) == (float(scale()), scale.update([tf.constant(math.nan)]))
    assert {"loss_scale_value": 3.0} == scale.get_config()
    assert "FixedLossScale(3.0)" == repr(scale)
    for wrong in (0.5, "3"):
        with pytest.raises(ValueError, match="loss_scale_value must be"):
            scales.FixedLossScale(wrong)
    with pytest.raises(TypeError):
        scales.LossScale()


@behaviour("I10")
def test_a_dynamic_scale_follows_the_gradients() -> None:
    scale = scales.DynamicLossScale(8.0, increment_period=2, multiplier=2.0)
    found = []
    for gradient in (1.0, 1.0, math.nan, 1.0, math.inf, 1.0):
        _, finite = scale.update([tf.constant([gradient]), None])
        found.append((bool(finite), float(scale())))

    assert found == [
        (True, 8.0), (True, 16.0), (False, 8.0), (True, 8.0), (False, 4.0), (True, 4.0),
    ]  # fmt: skip
    config = {"initial_loss_scale": 8.0, "increment_period": 2, "multiplier": 2.0}
    assert config == scale.get_config()
    assert (
        "DynamicLossScale(current_loss_scale=4.0, num_good_steps=1, initial_loss_scale=8.0, "
        "increment_period=2, multiplier=2.0)"
    ) == repr(scale)
    assert 8.0 == float(scales.DynamicLossScale.from_config(config)())


@behaviour("I10")
def test_an_optimizer_leaves_out_steps_that_are_not_finite() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        x = v1.placeholder(tf.float32, [])
        sgd = v1.train.GradientDescentOptimizer(0.1)
        optimizer = scales.enable_mixed_precision_graph_rewrite(sgd)
        step = optimizer.apply_gradients(optimizer.compute_gradients(v * v * x))
        session.run(v1.global_variables_initializer())
        found = []
        for number in (1.0, math.inf, 1.0):
            session.run(step, {x: number})
            found.append(session.run([v, *optimizer.variables()]))

        expected = [[0.8, 32768.0, 1], [0.8, 16384.0, 0], [0.64, 16384.0, 1]]
        assert [pytest.approx(one) for one in expected] == found
        assert ("GradientDescent", []) == (optimizer.get_name(), optimizer.get_slot_names())
        for opt, scale in ((optimizer, "dynamic"), (3, "dynamic"), (sgd, "static"), (sgd, None)):
            with pytest.raises(ValueError, match=r"opt|loss"):
                scales.enable_mixed_precision_graph_rewrite(opt, scale)
    scales.disable_mixed_precision_graph_rewrite()


@behaviour("I10")
def test_an_optimizer_scales_eagerly() -> None:
    v = tf.Variable(1.0)
    scale = scales.DynamicLossScale(4.0, increment_period=1)
    sgd = v1.train.GradientDescentOptimizer(0.1)
    v1.train.experimental.MixedPrecisionLossScaleOptimizer(sgd, scale).minimize(lambda: v * v)

    assert (pytest.approx(0.8), 8.0) == (v.numpy(), float(scale()))
