"""Subclassed models without `build`: Keras finds out by itself which variables they have.

It calls them on symbolic tensors, in graphs within graphs; where that fails it says nothing, and a
model that is loaded has no variables. A model here is a plan: layers which nest in any way, all of
which take and give rows of `WIDTH` numbers.
"""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.keras.trainers import points

WIDTH = 4
EXPORT = ".export"  # a SavedModel; the other suffixes are Keras's own
Plan = str | tuple[str, list[Any]]

LAYERS: dict[str, Callable[[Any], list[Any]]] = {
    "dense": lambda layers: [layers.Dense(WIDTH, "tanh")],
    "dropout": lambda layers: [layers.Dropout(0.25)],
    "batch": lambda layers: [layers.BatchNormalization()],
    "norm": lambda layers: [layers.LayerNormalization(), layers.PReLU()],
    "gru": lambda layers: [layers.Reshape((-1, 1)), layers.GRU(WIDTH)],
    "lstm": lambda layers: [layers.Reshape((-1, 1)), layers.Bidirectional(layers.LSTM(WIDTH // 2))],
    "conv": lambda layers: [layers.Reshape((-1, 1)), layers.Conv1D(1, 2, padding="same")],
}


@functools.cache
def kinds() -> dict[str, Any]:
    """The classes of models by name; a class says what it does with its `parts`."""
    import keras

    register = keras.saving.register_keras_serializable("unbuilt")
    planned = _planned()
    classes = (*_in_order(planned), _staged(planned), _functional(planned), _branching(planned))
    return {cls.__name__.lower(): register(cls) for cls in classes}


def _planned() -> Any:
    import keras

    class Planned(keras.Model):
        def __init__(self, plans: list[Plan], **options: Any) -> None:
            super().__init__(**options)
            self.plans = plans
            self.parts = [layer(plan) for plan in plans]

        def get_config(self) -> dict[str, Any]:
            return {**super().get_config(), "plans": self.plans}

    return Planned


def _in_order(planned: Any) -> list[Any]:
    class Chain(planned):
        def call(self, x: Any) -> Any:
            for part in self.parts:
                x = part(x)
            return x

    class Named(planned):
        def __init__(self, plans: list[Plan], **options: Any) -> None:
            super().__init__(plans, **options)
            self.by_name = {"first": self.parts[0], "others": {"all": self.parts[1:]}}
            self.scale = self.add_weight(shape=(WIDTH,), initializer="ones")

        def call(self, x: Any) -> Any:
            x = self.by_name["first"](x) * self.scale
            return sum((part(x) for part in self.by_name["others"]["all"]), x)

    return [Chain, Named]


def _staged(planned: Any) -> Any:
    import tensorflow as tf

    class Staged(planned):
        @tf.function
        def call(self, x: Any, training: bool = False) -> Any:
            for part in self.parts:
                if tf.reduce_sum(x) > 0.0:
                    x = x * 2.0
                x = part(x)
            return x

    return Staged


def _functional(planned: Any) -> Any:
    import keras

    class Functional(planned):
        def __init__(self, plans: list[Plan], **options: Any) -> None:
            super().__init__(plans, **options)
            inputs = keras.Input((WIDTH,))
            outputs = [part(inputs) for part in self.parts]
            self.inner = keras.Model(inputs, keras.layers.Add()([inputs, *outputs]))

        def call(self, x: Any) -> Any:
            return self.inner(x)

    return Functional


def _branching(planned: Any) -> Any:
    import keras
    import tensorflow as tf

    class Branching(planned):
        def call(self, x: Any) -> Any:
            for part in self.parts:
                changed = part(x)
                x = tf.cond(tf.reduce_mean(x) > 0.0, lambda y=changed: y, lambda y=changed: -y)
            halved: Any = keras.ops.while_loop(
                lambda i, y: i < 2, lambda i, y: (i + 1, y * 0.5), (0, x)
            )
            return halved[1]

    return Branching


def layer(plan: Plan) -> Any:
    """What a plan describes: layers, or a model of some kind with the plans of its parts."""
    import keras

    if not isinstance(plan, str):
        return kinds()[plan[0]](list(plan[1]))
    return keras.Sequential([*LAYERS[plan](keras.layers), keras.layers.Reshape((WIDTH,))])


def random_plan(numbers: random.Random, depth: int = 3) -> Plan:
    """A model, whose parts are models again where `depth` allows it."""
    kind = numbers.choice(sorted(kinds()))
    parts: list[Plan] = [
        random_plan(numbers, depth - 1)
        if depth > 1 and numbers.random() < 0.5
        else numbers.choice(sorted(LAYERS))
        for _ in range(numbers.randint(1, 3))
    ]
    return kind, parts


def what_is_lost(plan: Plan, suffix: str = ".keras", jit: bool = False) -> list[str]:
    """Train a model, write it, read it: the differences between the two."""
    import keras

    keras.utils.set_random_seed(1)
    model = layer(plan)
    model.compile("adam", "mse", jit_compile=jit)
    x, y = points(0, 6, WIDTH), points(1, 6, WIDTH)
    model.fit(x, y, batch_size=3, verbose=0)
    expected = model.predict(x, verbose=0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"model{suffix}")
        if suffix == EXPORT:
            return _differences(expected, _exported(model, path)(x), "results")
        again = _reread(model, path, plan)
        return _lost(model, again) + _differences(expected, again.predict(x, verbose=0), "results")


def _exported(model: Any, path: Path) -> Callable[[Any], Any]:
    import tensorflow as tf

    model.export(path, verbose=False)
    loaded = tf.saved_model.load(str(path))
    return lambda x: loaded.serve(x).numpy()


def _reread(model: Any, path: Path, plan: Plan) -> Any:
    import keras

    if not path.name.endswith(".weights.h5"):
        model.save(path)
        return keras.models.load_model(path)
    model.save_weights(path)
    again = layer(plan)
    again(points(0, 1, WIDTH))
    again.load_weights(path)
    return again


def _lost(model: Any, again: Any) -> list[str]:
    """Variables that differ. Keras itself does not keep the seeds of nested generators."""
    counts = [len(one.variables) for one in (model, again)]
    if counts[0] != counts[1]:
        return [f"{counts[1]} of {counts[0]} variables"]
    return [
        line
        for one, other in zip(model.variables, again.variables, strict=True)
        if "seed" not in one.path
        for line in _differences(one.numpy(), other.numpy(), one.path)
    ]


def _differences(expected: Any, found: Any, what: str) -> list[str]:
    close = expected.shape == found.shape and np.allclose(expected, found, rtol=1e-4, atol=1e-5)
    return [] if close else [f"{what}: {expected.tolist()} became {found.tolist()}"]
