"""Steps of training, saved as functions: one for each optimizer, and one for each kind of layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.interop.exported.layers import LAYERS, Input, Layer, unpacked

OPTIMIZERS: Final[dict[str, Callable[[Any], Any]]] = {
    "Adadelta": lambda o: o.Adadelta(0.5),
    "Adafactor": lambda o: o.Adafactor(0.1),
    "Adagrad": lambda o: o.Adagrad(0.1),
    "Adam": lambda o: o.Adam(0.05, clipnorm=1.0),
    "Adam.amsgrad": lambda o: o.Adam(0.05, amsgrad=True, use_ema=True),
    "AdamW": lambda o: o.AdamW(0.05, weight_decay=0.01),
    "Adamax": lambda o: o.Adamax(0.05),
    "Ftrl": lambda o: o.Ftrl(0.1, l1_regularization_strength=0.01),
    "Lamb": lambda o: o.Lamb(0.05),
    "Lion": lambda o: o.Lion(0.05),
    "LossScaleOptimizer": lambda o: o.LossScaleOptimizer(o.SGD(0.1), initial_scale=8.0),
    "Muon": lambda o: o.Muon(0.05),
    "Nadam": lambda o: o.Nadam(0.05),
    "RMSprop": lambda o: o.RMSprop(0.05, momentum=0.5, centered=True),
    "SGD": lambda o: o.SGD(o.schedules.CosineDecay(0.1, 5), momentum=0.9, nesterov=True),
    "SGD.accumulated": lambda o: o.SGD(0.1, gradient_accumulation_steps=2, clipvalue=0.5),
    "ScheduleFreeAdamW": lambda o: o.ScheduleFreeAdamW(0.05),
}

# Layers whose gradients are operations of their own.
LEARNING: Final = (
    "Dense", "Conv1D", "Conv2D", "Conv2DTranspose", "Conv3D", "DepthwiseConv2D",
    "SeparableConv2D", "BatchNormalization.images", "LayerNormalization", "GroupNormalization",
    "MaxPooling2D", "AveragePooling2D", "Embedding", "GRU", "LSTM", "SimpleRNN", "GRU.masked",
    "LSTM.unrolled", "Bidirectional", "StackedRNNCells", "TimeDistributed", "ConvLSTM2D",
    "Attention", "AdditiveAttention", "MultiHeadAttention", "MultiHeadAttention.causal",
    "GroupQueryAttention", "EinsumDense", "PReLU", "SpectralNormalization", "UnitNormalization",
    "UpSampling2D.bilinear", "Dot", "Concatenate", "Maximum", "AdaptiveAveragePooling2D",
)  # fmt: skip


def training_step(
    tf: Any, keras: Any, model: Any, optimizer: Any, inputs: tuple[Input, ...]
) -> Any:
    """A module with `step`, which trains on one batch and gives the loss, and with `learned`."""

    class Training(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model, self.optimizer = model, optimizer
            self.loss = keras.losses.MeanSquaredError()
            self.state = [one.value for one in model.trainable_variables]
            optimizer.build(model.trainable_variables)

        @tf.function(
            input_signature=[tf.TensorSpec([None, *one.shape], one.dtype) for one in inputs]
        )
        def step(self, *arrays: Any) -> Any:
            with tf.GradientTape() as tape:
                found = self.model(unpacked(arrays), training=True)
                loss = tf.add_n([tf.reduce_mean(tf.square(one - 0.5)) for one in
                                 tf.nest.flatten(found)])  # fmt: skip
            variables = self.model.trainable_variables
            gradients = tape.gradient(loss, [one.value for one in variables])
            pairs = zip(gradients, variables, strict=True)
            self.optimizer.apply_gradients([(g, v) for g, v in pairs if g is not None])
            return loss

        @tf.function(input_signature=[])
        def learned(self) -> Any:
            return [tf.convert_to_tensor(one) for one in self.state]

    return Training()


DENSE: Final = Layer(lambda L: L.Dense(3, activation="tanh"), (Input((4,)),))


def learning_layers() -> dict[str, Layer]:
    return {name: LAYERS[name] for name in LEARNING}


def steps_of(inputs: tuple[Input, ...], generator: np.random.Generator) -> list[tuple[Any, ...]]:
    """The batches of three steps."""
    return [tuple(one.drawn(generator) for one in inputs) for _ in range(3)]
