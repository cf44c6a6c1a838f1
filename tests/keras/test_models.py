"""Keras on tensormill, where TensorFlow has no answer to compare with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

pytestmark = pytest.mark.filterwarnings("ignore")  # of Keras's own


class Inner:
    """Makes a model of two layers whose `call` is `decorate(call)`."""

    def __init__(self, decorate: Any) -> None:
        keras = tf.keras

        class Net(keras.Model):
            def __init__(self) -> None:
                super().__init__(name="net")
                self.dense_1 = keras.layers.Dense(8, activation="relu")
                self.dense_2 = keras.layers.Dense(3)

            @decorate
            def call(self, inputs: Any) -> Any:
                return self.dense_2(self.dense_1(inputs))

        tf.keras.utils.set_random_seed(1)
        self.model = Net()


def losses_of(model: Any) -> list[float]:
    """Five steps without `build`, as in a loop of one's own."""
    optimizer = tf.keras.optimizers.SGD(0.1)
    x = np.random.default_rng(0).normal(size=(16, 4)).astype(np.float32)
    found = []
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)))
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        found.append(float(loss))
    return found


def test_a_model_whose_call_is_a_function_with_a_signature_trains() -> None:
    """TensorFlow: `ValueError: No gradients provided for any variable`."""
    signature = [tf.TensorSpec([None, 4], tf.float32)]

    compiled = losses_of(Inner(tf.function(input_signature=signature)).model)

    expected = losses_of(Inner(lambda call: call).model)
    assert compiled == pytest.approx(expected, rel=1e-5)
    assert expected[-1] < expected[0]


def test_a_train_step_with_keras_is_native_and_reads_each_variable_once() -> None:
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
    optimizer, mean = keras.optimizers.Adam(), keras.metrics.Mean()
    loss_of = keras.losses.MeanSquaredError()

    @tf.function
    def step(x: Any, y: Any) -> None:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(tf.expand_dims(x, 0)))
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        mean.update_state(loss)

    for _ in range(3):
        step(tf.ones([4]), tf.constant(1.0))

    assert "call back" not in str(step.report())
    assert 1 == step.experimental_get_tracing_count()
    assert 3 == optimizer.iterations


def test_keras_variables_are_what_tapes_differentiate() -> None:
    variable = tf.keras.Variable([1.0, 2.0])

    with tf.GradientTape() as tape:
        tape.watch(variable)
        loss = tf.reduce_sum(variable * variable)

    assert tf.is_tensor(variable)
    assert [2.0, 4.0] == tape.gradient(loss, variable).numpy().tolist()


def test_an_exported_model_answers_as_the_model_does(tmp_path: Path) -> None:
    keras = tf.keras
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, "tanh")])
    x = np.ones((2, 4), np.float32)

    model.export(tmp_path / "exported", verbose=False)
    loaded = tf.saved_model.load(str(tmp_path / "exported"))

    np.testing.assert_allclose(loaded.serve(x), model(x), rtol=1e-6)


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")

    showing: Any = 2
    model.fit(np.ones((8, 2)), np.ones(8), batch_size=4, epochs=2, verbose=showing)

    assert "Epoch 1/2" in (shown := capsys.readouterr().out)
    assert "2/2" in shown
    assert "loss:" in shown


def test_optimizers_know_variables_that_are_arguments() -> None:
    optimizers = [tf.keras.optimizers.Adam(rate) for rate in (0.01, 0.001)]
    w = tf.Variable(2.0)

    def step(w: Any, optimizer: Any) -> None:
        with tf.GradientTape() as tape:
            loss = tf.square(w + 2.0)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])

    staged = tf.function(step)
    for optimizer in optimizers:
        optimizer.build([w])
        staged(w, optimizer)

    assert w.numpy() == pytest.approx(2.0 - 0.01 - 0.001, abs=1e-6)
