"""Calls of public functions that few other tables have, one on each line of the files in `lines`.

A line is its own name, and an expression of what `names_of` says. These run eagerly alone: what is
compiled of them are operations and functions that have samples and calls of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .call import Call, gradient

COMPILED: list[str] = []
FILES = sorted((Path(__file__).parent / "lines").glob("*.txt"))
LINES = [line for file in FILES for line in file.read_text().splitlines()]


def names_of(tf: Any) -> dict[str, Any]:
    """What expressions are made of: modules, a few operands, and how to look at things."""
    image = (np.arange(2 * 4 * 5 * 3, dtype=np.float32).reshape(2, 4, 5, 3) * 7 % 29) / 29
    wave = np.cos(np.arange(32.0) * 1.7).astype(np.float32)
    sparse = tf.sparse.from_dense([[1.0, 0, -2], [0, 3, 0]])
    return {
        "tf": tf, "np": np, "tnp": tf.experimental.numpy,
        "X": tf.constant([[1.0, -2, 3.5], [0.5, 4, -1.5]]),
        "N": tf.constant([[3, 1, 2], [0, 5, 4]]),
        "M": tf.constant([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]], tf.float64),
        "Z": tf.constant([[1 + 2j, -0.5], [0.25j, 3 - 1j]], tf.complex64),
        "IMAGE": tf.constant(image), "BYTES": tf.constant((image * 255).astype(np.uint8)),
        "WAVE": tf.constant(wave), "CUBE": tf.constant(wave.reshape(2, 4, 4)),
        "S": sparse, "T": tf.sparse.from_dense([[0.5, 7, 0], [0, 3, 1]]),
        "R": tf.ragged.constant([[3, 1], [], [4, 1, 5]]),
        "inf": float("inf"), "nan": float("nan"),
        "data": tf.data.experimental, "range_of": tf.data.Dataset.range,
        "rows": lambda *values: tf.data.Dataset.from_tensor_slices(list(values)),
        "elements": lambda dataset: [tf.nest.flatten(one, expand_composites=True)
                                     for one in dataset],
        "gradient": lambda function, *operands: gradient(
            lambda _, *given: function(*given))(tf, *operands),
        "nothing": lambda result: [] if result is None else result,
    }  # fmt: skip


def evaluated(line: str) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        found = tf.nest.flatten(eval(line, names_of(tf)), expand_composites=True)
        return [tf.convert_to_tensor(one) for one in found]

    return call


CALLS: dict[str, Call] = {line: (evaluated(line), []) for line in LINES}
