"""Writes `fixtures/keras`: models of Keras that TensorFlow exported, and what they compute there.

PYTHONPATH=. python -m tests.saved_model.record_keras     (with TensorFlow 2.21 and Keras 3)
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from .record import array_of, as_text, from_text

MODELS = Path(__file__).parent / "fixtures" / "keras"
# Each has operations that no other one has.
NAMES = (
    "layer.CategoryEncoding.count", "layer.EinsumDense", "layer.HashedCrossing",
    "layer.MultiHeadAttention", "layer.TextVectorization.tf_idf", "step.of.Attention",
    "step.of.GRU.masked", "step.Adam",
)  # fmt: skip
CALLS, RESULTS = "calls.json", "results.json"


def unpacked(name: str, folder: Path) -> tuple[str, list[tuple[str, list[Any]]], list[Any]]:
    """The directory of a recorded model, the calls that are made of it, and the results."""
    with zipfile.ZipFile(MODELS / f"{name}.zip") as archive:
        archive.extractall(folder)
    calls = [
        (attribute, [array_of(*one) for one in arrays])
        for attribute, arrays in json.loads((folder / CALLS).read_text())
    ]
    return str(folder / "model"), calls, from_text((folder / RESULTS).read_text())


def record(keras_models: Any, name: str) -> None:
    import pickle

    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        keras_models.save("tensorflow", folder, [name])
        calls, results = pickle.loads(Path(f"{folder}/{name}.pickle").read_bytes())
        told = [[attribute, json.loads(as_text(list(arrays)))] for attribute, arrays in calls]
        path = Path(folder) / name
        with zipfile.ZipFile(
            MODELS / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9
        ) as archive:
            archive.writestr(CALLS, json.dumps(told))
            archive.writestr(RESULTS, as_text([np.asarray(one) for one in results]))
            for file in sorted(path.rglob("*")):
                archive.write(file, Path("model") / file.relative_to(path))


if __name__ == "__main__":
    from tests.interop import keras_models

    MODELS.mkdir(parents=True, exist_ok=True)
    for model in sys.argv[1:] or NAMES:
        record(keras_models, model)
