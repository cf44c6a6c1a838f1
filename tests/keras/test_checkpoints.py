"""tf.train.Checkpoint of Keras models that get their variables after `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

pytestmark = pytest.mark.filterwarnings("ignore")  # of Keras's own


def program(units: int = 2) -> tuple[Any, Any, Any]:
    """A model without `build`, its optimizer, and a checkpoint of both."""

    class Net(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = tf.keras.layers.Dense(units)

        def call(self, inputs: Any) -> Any:
            return self.dense(inputs)

    model, optimizer = Net(), tf.keras.optimizers.Adam(0.1)
    return model, optimizer, tf.train.Checkpoint(model=model, optimizer=optimizer)


def loss_of_step(model: Any, optimizer: Any) -> float:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(tf.ones([2, 3])) - 5.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return float(loss)


def test_training_goes_on_from_a_checkpoint_restored_before_the_first_call(
    tmp_path: Path,
) -> None:
    model, optimizer, checkpoint = program()
    for _ in range(3):
        loss_of_step(model, optimizer)
    path = checkpoint.save(tmp_path / "first")
    expected = [loss_of_step(model, optimizer) for _ in range(2)]
    again, fresh, restored = program()
    status = restored.restore(path)
    np.testing.assert_allclose([loss_of_step(again, fresh) for _ in range(2)], expected, rtol=1e-6)
    assert (2, 6, 5) == (len(again.trainable_variables), len(fresh.variables), fresh.iterations)
    status.assert_consumed()


def test_a_layer_of_another_size_says_so_when_it_is_called(tmp_path: Path) -> None:
    model, optimizer, checkpoint = program()
    loss_of_step(model, optimizer)
    path = checkpoint.save(tmp_path / "first")
    other, _, restored = program(units=7)
    restored.restore(path)
    with pytest.raises(ValueError, match=r"\(3, 2\).*\(3, 7\).*model/dense/_kernel"):
        other(tf.ones([2, 3]))


def test_models_work_after_one_that_could_not_be_restored(tmp_path: Path) -> None:
    model, optimizer, checkpoint = program()
    loss_of_step(model, optimizer)
    other, _, restored = program(units=7)
    restored.restore(checkpoint.save(tmp_path / "first"))
    with pytest.raises(ValueError, match="incompatible"):
        other(tf.ones([2, 3]))

    next_model, next_optimizer, _ = program()

    assert loss_of_step(next_model, next_optimizer) > 0.0
