"""Ctrl-C at any step of `fit`, `evaluate`, `predict` and `save`; then the model goes on.

`python -m tests.attack.interrupted_fits SCENARIO SEED NUMBER` shows one try again.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tensormill.compat import install
from tests.attack.interrupts import Scenario, attack_on, attempt, length, quiet
from tests.keras.trainers import labelled, perceptron


def batches() -> Any:
    """The data, by a pipeline with threads."""
    import tensorflow as tf

    x, y = labelled(48)
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(48, seed=3)
    return data.map(lambda a, b: (a * 1.0, b), num_parallel_calls=2).batch(16).prefetch(2)


def trained(model: Any) -> Any:
    model.fit(batches(), epochs=2, verbose=0)
    x, y = labelled(20)
    return model.evaluate(x, y, verbose=0), model.predict(x, verbose=0)


def fresh() -> Any:
    import keras

    keras.utils.clear_session()
    return perceptron(keras, 5, "BatchNormalization", "LayerNormalization")


@cache
def undisturbed() -> Any:
    return trained(fresh())


def require_same(expected: Any, found: Any) -> None:
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)


def new_model() -> Scenario:
    """A model is made, built, compiled and trained for the first time."""
    expected, made = undisturbed(), list[Any]()

    def act() -> None:
        made.append(fresh())
        trained(made[0])

    def check() -> None:
        for model in made:
            goes_on(model)
        require_same(expected, trained(fresh()))

    return Scenario(act, check)


def goes_on(model: Any) -> None:
    """Train it, unless Keras itself stopped half way: what it calls built it builds no more."""
    try:
        scores, _ = trained(model)
    except AttributeError:
        count, optimizer = len(model.trainable_variables), model.optimizer
        slots = (getattr(optimizer, name, ()) for name in ("_momentums", "_velocities"))
        assert any(len(slot) < count for slot in slots)
    else:
        assert np.isfinite(scores).all(), f"the interrupted model gives {scores}"


def known_model() -> Scenario:
    """One that was trained before goes on, from its state before or from any later step."""
    model = fresh()
    model.fit(batches(), epochs=1, verbose=0)
    variables = [*model.variables, *model.optimizer.variables]
    names = {one.path for one in variables}
    before = [np.array(one) for one in variables]

    def reset() -> None:
        for variable, value in zip(variables, before, strict=True):
            variable.assign(value)

    trained(model)
    reset()
    expected = trained(model)
    reset()

    def check() -> None:
        assert names == {one.path for one in (*model.variables, *model.optimizer.variables)}
        assert all(np.isfinite(np.array(one)).all() for one in variables)
        reset()
        require_same(expected, trained(model))

    return Scenario(lambda: trained(model), check)


def files() -> Scenario:
    """What is written is the old model or the new one."""
    import keras

    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    model = fresh()
    x, _ = labelled(4)
    model.export(place / "exported", verbose=False)

    def act() -> None:
        model.save(place / "model.keras")
        model.save_weights(place / "model.weights.h5")
        model.export(place / "exported", verbose=False)
        keras.models.load_model(place / "model.keras")

    def check() -> None:
        import tensorflow as tf

        exported: Any = tf.saved_model.load(str(place / "exported"))
        expected = model.predict(x, verbose=0)
        require_same([expected], [exported.serve(x).numpy()])
        act()
        loaded: Any = keras.models.load_model(place / "model.keras")
        require_same([expected], [loaded.predict(x, verbose=0)])
        folder.cleanup()

    return Scenario(act, check)


SCENARIOS: Final[dict[str, Callable[[], Scenario]]] = {
    one.__name__: one for one in (new_model, known_model, files)
}


def attack(count: int, seed: int) -> list[str]:
    """Interrupt `count` times, each scenario in turn, at steps that `seed` decides."""
    install()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Keras warns of much
        return attack_on(SCENARIOS, count, seed)


if __name__ == "__main__":
    _, scenario_name, seed_text, number_text = sys.argv
    install()
    scenario = SCENARIOS[scenario_name]
    with quiet():
        steps = length(scenario)
        for line in attempt(scenario, int(seed_text), int(number_text), steps):
            print(line)
