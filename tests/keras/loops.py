"""Custom training loops written with Keras, all inside of `tf.function`.

Each takes the modules `tensorflow` and `keras` and returns numbers by name; `record.py` writes what
they are with TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Numbers = dict[str, list[float]]


def points(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def sizes(arrays: Iterable[Any]) -> list[float]:
    """One number for each array."""
    return [float(np.abs(array).sum()) for array in arrays]


def training(
    tf: Any, model: Any, loss: Any, optimizer: Any, metrics: Any, calls_training: bool = False
) -> Callable[[Any, Any], Any]:
    """A compiled step: gradients of `loss` of the model, an update, metrics."""

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            prediction = model(x, training=True) if calls_training else model(x)
            value = loss(y, prediction) + sum(model.losses)
        gradients = tape.gradient(value, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights))  # noqa: B905
        for metric in metrics:
            metric.update_state(y, prediction)
        return value

    return step


def optimizers(tf: Any, keras: Any) -> Numbers:
    """Ten steps of a small perceptron with each optimizer."""
    numbers = {}
    makers = {
        "sgd": lambda: keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
        "adamw": lambda: keras.optimizers.AdamW(0.01, weight_decay=0.1),
        "rmsprop": lambda: keras.optimizers.RMSprop(0.01, momentum=0.5, centered=True),
        "adam_schedule": lambda: keras.optimizers.Adam(
            keras.optimizers.schedules.ExponentialDecay(0.1, 5, 0.5), clipnorm=1.0
        ),
    }
    x, y = points(0, 16, 5), points(1, 16, 1)
    for name, make in makers.items():
        keras.utils.set_random_seed(1)
        model = keras.Sequential(
            [keras.layers.Dense(8, "relu", kernel_regularizer="l2"), keras.layers.Dense(1)]
        )
        step = training(tf, model, keras.losses.MeanSquaredError(), make(), [])
        numbers[name] = [float(step(x, y)) for _ in range(10)]
        numbers[f"{name}.weights"] = sizes(model.get_weights())
    return numbers


def losses_and_metrics(tf: Any, keras: Any) -> Numbers:
    """The common losses and metrics of fixed predictions."""
    labels = np.array([0, 2, 1, 2])
    one_hot = np.eye(3, dtype=np.float32)[labels]
    scores = points(2, 4, 3)
    chances = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    binary, guesses = (
        np.array([[0.0], [1.0], [1.0], [0.0]], np.float32),
        np.abs(points(3, 4, 1)) % 1,
    )
    cases = [
        (keras.losses.SparseCategoricalCrossentropy(from_logits=True), labels, scores),
        (keras.losses.CategoricalCrossentropy(label_smoothing=0.1), one_hot, chances),
        (keras.losses.BinaryCrossentropy(), binary, guesses),
        (keras.losses.BinaryFocalCrossentropy(), binary, guesses),
        (keras.losses.Huber(), one_hot, scores),
        (keras.losses.MeanAbsoluteError(), one_hot, scores),
        (keras.losses.KLDivergence(), one_hot, chances),
        (keras.losses.Hinge(), binary, guesses),
        (keras.losses.CosineSimilarity(), one_hot, scores),
        (keras.metrics.SparseCategoricalAccuracy(), labels, scores),
        (keras.metrics.CategoricalAccuracy(), one_hot, chances),
        (keras.metrics.TopKCategoricalAccuracy(2), one_hot, chances),
        (keras.metrics.AUC(), binary, guesses),
        (keras.metrics.Precision(), binary, guesses),
        (keras.metrics.Recall(0.3), binary, guesses),
        (keras.metrics.MeanIoU(3), labels, scores.argmax(1)),
        (keras.metrics.RootMeanSquaredError(), one_hot, scores),
        (keras.metrics.F1Score(), one_hot, chances),
        (keras.metrics.R2Score(), one_hot, chances),
    ]
    names = [type(case[0]).__name__ for case in cases]
    measure = tf.function(lambda pairs: [case[0](*pair) for case, pair in zip(cases, pairs)])  # noqa: B905
    values = measure([case[1:] for case in cases])
    return {name: np.ravel(value).tolist() for name, value in zip(names, values, strict=True)}


def normalization(tf: Any, keras: Any) -> Numbers:
    """Dropout, batch and layer normalization, trained and then used."""
    keras.utils.set_random_seed(3)
    model = keras.Sequential(
        [
            keras.layers.Dense(6, use_bias=False),
            keras.layers.BatchNormalization(momentum=0.8),
            keras.layers.Activation("relu"),
            keras.layers.Dropout(0.3),
            keras.layers.LayerNormalization(),
            keras.layers.Dense(2),
        ]
    )
    accuracy = keras.metrics.SparseCategoricalAccuracy()
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    step = training(tf, model, loss, keras.optimizers.Adam(0.05), [accuracy], calls_training=True)
    x, y = points(4, 32, 4), (points(5, 32) > 0).astype(np.int64)
    values = [float(step(x, y)) for _ in range(8)]
    use = tf.function(lambda x: model(x, training=False))
    return {
        "losses": values,
        "accuracy": [float(accuracy.result())],
        "moving": sizes(model.non_trainable_weights),
        "prediction": np.ravel(use(x[:2])).tolist(),
    }


def sequences(tf: Any, keras: Any) -> Numbers:
    """An embedding with a mask, LSTM, GRU, and an RNN of a cell."""
    keras.utils.set_random_seed(4)
    model = keras.Sequential(
        [
            keras.layers.Embedding(20, 6, mask_zero=True),
            keras.layers.LSTM(5, return_sequences=True),
            keras.layers.GRU(4, return_sequences=True),
            keras.layers.RNN(keras.layers.LSTMCell(3)),
            keras.layers.Dense(2),
        ]
    )
    loss = keras.losses.MeanSquaredError()
    step = training(tf, model, loss, keras.optimizers.SGD(0.1, momentum=0.9), [])
    x, y = np.random.default_rng(6).integers(0, 20, (8, 7)), points(7, 8, 2)
    values = [float(step(x, y)) for _ in range(4)]
    return {"losses": values, "weights": sizes(model.get_weights())}


def images(tf: Any, keras: Any) -> Numbers:
    """A small convolutional network."""
    keras.utils.set_random_seed(5)
    model = keras.Sequential(
        [
            keras.layers.Conv2D(4, 3, padding="same", activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(3, 3, strides=2),
            keras.layers.Flatten(),
            keras.layers.Dense(3, "softmax"),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy()
    step = training(tf, model, loss, keras.optimizers.Adam(0.01), [])
    x, y = points(8, 4, 10, 10, 2), np.array([0, 1, 2, 1])
    values = [float(step(x, y)) for _ in range(5)]
    return {"losses": values, "weights": sizes(model.get_weights())}


def subclassed(tf: Any, keras: Any) -> Numbers:
    """A layer and a model of one's own: weights made in `build`, a loss added in `call`."""

    class Scale(keras.layers.Layer):
        def build(self, shape: Any) -> None:
            self.factor = self.add_weight(shape=(shape[-1],), initializer="ones", name="factor")
            self.seen = self.add_weight(shape=(), initializer="zeros", trainable=False)

        def call(self, x: Any) -> Any:
            self.seen.assign_add(1.0)
            self.add_loss(0.01 * keras.ops.sum(self.factor**2))
            return x * self.factor

    class Net(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.blocks = [keras.layers.Dense(4, "tanh"), Scale()]
            self.heads = {"y": keras.layers.Dense(1)}

        def call(self, x: Any) -> Any:
            for block in self.blocks:
                x = block(x)
            return self.heads["y"](x)

    keras.utils.set_random_seed(6)
    model = Net()
    step = training(tf, model, keras.losses.MeanSquaredError(), keras.optimizers.SGD(0.1), [])
    values = [float(step(points(9, 6, 3), points(10, 6, 1))) for _ in range(5)]
    return {
        "losses": values,
        "weights": sizes(model.get_weights()),
        "seen": [float(model.blocks[1].seen.numpy())],
    }


PROGRAMS = (optimizers, losses_and_metrics, normalization, sequences, images, subclassed)
