"""`fit`, `evaluate`, `predict`, callbacks and files, written with Keras.

Each takes the modules `tensorflow` and `keras` and returns numbers by name; `record.py` writes what
they are with TensorFlow.
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

Numbers = dict[str, list[float]]


def points(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def history(fitted: Any) -> Numbers:
    return {name: [float(value) for value in values] for name, values in fitted.history.items()}


def perceptron(keras: Any, seed: int, *inner: str) -> Any:
    """A compiled Sequential of two layers of weights, and of `inner` ones between them."""
    keras.utils.set_random_seed(seed)
    between = [getattr(keras.layers, name)() for name in inner]
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(8, "relu"), *between, keras.layers.Dense(3)]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def labelled(count: int) -> tuple[Any, Any]:
    x = points(20, count, 4)
    return x, (x[:, 0] > 0).astype(np.int64) + (x[:, 1] > 0.5)


def sequential(tf: Any, keras: Any) -> Numbers:
    """Arrays, shuffled, with validation; then evaluate and predict."""
    model = perceptron(keras, 11, "LayerNormalization")
    x, y = labelled(70)
    fitted = model.fit(x, y, batch_size=16, epochs=3, validation_split=0.2, verbose=0)
    return {
        **history(fitted),
        "evaluate": [float(value) for value in model.evaluate(x, y, batch_size=32, verbose=0)],
        "predict": np.ravel(model.predict(x[:5], batch_size=2, verbose=0)).tolist(),
    }


def functional(tf: Any, keras: Any) -> Numbers:
    """Two inputs, two outputs, weights of samples; batches from a tf.data pipeline."""
    keras.utils.set_random_seed(12)
    first, second = keras.Input((3,), name="first"), keras.Input((2,), name="second")
    joined = keras.layers.Concatenate()([keras.layers.Dense(4, "tanh")(first), second])
    outputs = {
        "a": keras.layers.Dense(1, name="a")(joined),
        "b": keras.layers.Dense(1, "sigmoid", name="b")(joined),
    }
    model = keras.Model([first, second], outputs)
    losses = {"a": "mse", "b": "binary_crossentropy"}
    model.compile("sgd", losses, loss_weights={"a": 1.0, "b": 0.5}, metrics={"a": ["mae"]})
    x = {"first": points(21, 24, 3), "second": points(22, 24, 2)}
    y = {"a": points(23, 24, 1), "b": (points(24, 24, 1) > 0).astype(np.float32)}
    weights = np.linspace(0.5, 1.5, 24, dtype=np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((x, y, {"a": weights, "b": weights}))
    return history(model.fit(dataset.batch(10), epochs=3, verbose=0))


def callbacks(tf: Any, keras: Any) -> Numbers:
    """EarlyStopping, ModelCheckpoint, CSVLogger, a schedule and a function of one's own."""
    model = perceptron(keras, 13)
    x, y = labelled(40)
    seen: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        log, best = Path(folder) / "log.csv", Path(folder) / "best.keras"
        fitted = model.fit(
            x,
            y,
            batch_size=8,
            epochs=20,
            validation_data=(points(25, 16, 4), np.zeros(16, np.int64)),
            verbose=0,
            callbacks=[
                keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True),
                keras.callbacks.ModelCheckpoint(str(best), save_best_only=True),
                keras.callbacks.CSVLogger(str(log)),
                keras.callbacks.ReduceLROnPlateau(patience=1, factor=0.5),
                keras.callbacks.LambdaCallback(
                    on_epoch_end=lambda epoch, logs: seen.append(logs["accuracy"])
                ),
            ],
        )
        rows = list(csv.DictReader(log.open()))
        loaded = keras.models.load_model(best)
    return {
        **history(fitted),
        "seen": seen,
        "logged": [float(row["val_loss"]) for row in rows],
        "best": [float(loaded.evaluate(x, y, verbose=0)[0])],
        "restored": [float(model.evaluate(x, y, verbose=0)[0])],
    }


def files(tf: Any, keras: Any) -> Numbers:
    """A model in a .keras file goes on training where it stopped; weights in .weights.h5."""
    model = perceptron(keras, 14, "BatchNormalization")
    x, y = labelled(32)
    model.fit(x, y, batch_size=8, epochs=1, verbose=0, shuffle=False)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.keras")
        model.save_weights(Path(folder) / "model.weights.h5")
        loaded = keras.models.load_model(Path(folder) / "model.keras")
        other = perceptron(keras, 15, "BatchNormalization")
        other.load_weights(Path(folder) / "model.weights.h5")
    return {
        **history(loaded.fit(x, y, batch_size=8, epochs=2, verbose=0, shuffle=False)),
        "other": np.ravel(other.predict(x[:3], verbose=0)).tolist(),
    }


def own_step(tf: Any, keras: Any) -> Numbers:
    """A model with a `train_step` of its own, several steps in one call, sample weights."""

    class Net(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = keras.layers.Dense(1)
            self.mean = keras.metrics.Mean(name="mean")

        def call(self, x: Any) -> Any:
            return self.dense(x)

        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                found = self(x, training=True)  # pyrefly: ignore[not-callable]
                loss = tf.reduce_mean(tf.square(y - found))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))  # noqa: B905
            self.mean.update_state(loss)
            return {"mean": self.mean.result()}

    keras.utils.set_random_seed(16)
    model = Net()
    model.compile(keras.optimizers.SGD(0.1))
    numbers = history(model.fit(points(26, 20, 3), points(27, 20, 1), epochs=3, verbose=0))
    other = perceptron(keras, 17)
    x, y = labelled(60)
    other.compile("sgd", other.loss, steps_per_execution=3)
    fitted = other.fit(x, y, batch_size=8, epochs=2, verbose=0, sample_weight=np.linspace(0, 1, 60))
    return {**numbers, "several": history(fitted)["loss"]}


PROGRAMS = (sequential, functional, callbacks, files, own_step)
