"""What the rows of this folder share: one model, trained by each peer's back end of Keras.

A row is a `Model`. Every peer gets the same weights and the same batch, and calls
`train_on_batch`, which returns when the loss is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import prod
from typing import Any

import numpy as np

from bench.work import Bound, Goal, Process, Timed, Work, keep_what_jax_compiles

Batch = tuple[np.ndarray, np.ndarray]

# Keras's back end for each peer, and the module to import first.
BACK_ENDS = {
    "tensormill": ("tensorflow", "tensormill"),
    "tensorflow": ("tensorflow", "tensorflow"),
    "jax": ("jax", "jax"),
    "torch": ("torch", "torch"),
}
CHECKED_STEPS = 2


@dataclass(frozen=True)
class Model:
    """A model and what it learns from.

    `build` makes it with this Keras. `loss` is a name of Keras's. `operations` are those of the
    products of one step. Peers that draw random numbers (`is_random`) need not have equal losses.
    """

    title: str
    build: Callable[[Any], Any]
    batch: Callable[[np.random.Generator], Batch]
    operations: int
    loss: str = "sparse_categorical_crossentropy"
    is_random: bool = False

    def compiled(self, peer: str) -> Any:
        """The model with Adam and with weights that do not depend on the back end."""
        os.environ["KERAS_BACKEND"], library = BACK_ENDS[peer]
        module = import_module(library)
        keras = module.keras if hasattr(module, "keras") else import_module("keras")
        model = self.build(keras)
        generator = np.random.default_rng(0)
        model.set_weights([initial(value, generator) for value in model.get_weights()])
        model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=self.loss)
        return model

    def step(self, peer: str) -> Callable[[], Any]:
        model = self.compiled(peer)
        x, y = self.batch(np.random.default_rng(1))
        return lambda: model.train_on_batch(x, y)

    def checked(self, peer: str) -> Timed:
        step = self.step(peer)
        losses = [float(step()) for _ in range(CHECKED_STEPS)]
        return Timed(step, check=None if self.is_random else losses[-1])

    def row(self, *goals: Goal) -> Work:
        return Work(
            self.title,
            "step",
            {peer: partial(self.checked, peer) for peer in BACK_ENDS},
            goals,
            Bound(operations=self.operations),
        )

    def first_step(self, process: Process, title: str, *goals: Goal) -> Work:
        """The row of the first call in a new process; making the model is not counted."""
        programs = {peer: partial(self.first, peer) for peer in ("tensormill", "tensorflow", "jax")}
        return Work(title, "step", programs, goals, process=process)

    def first(self, peer: str) -> Timed:
        if peer == "jax":
            keep_what_jax_compiles()
        return Timed(self.step(peer))


def initial(value: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Kernels are drawn with the variance that keeps a relu's; vectors stay what they are."""
    if value.ndim < 2:
        return value
    scale = (2 / prod(value.shape[:-1])) ** 0.5
    return (scale * generator.standard_normal(value.shape)).astype(value.dtype)
