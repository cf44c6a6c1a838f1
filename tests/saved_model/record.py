"""Writes `fixtures/models`: SavedModels of TensorFlow, and what it computes with them.

PYTHONPATH=. python -m tests.saved_model.record     (with a Python that has TensorFlow 2.21)
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from . import programs

MODELS = Path(__file__).parent / "fixtures" / "models"
OUTPUTS = "outputs.json"


def as_text(arrays: list[Any]) -> str:
    """Arrays as JSON; strings are in UTF-8."""
    return json.dumps([[str(one.dtype), list(one.shape), listed(one)] for one in arrays])


def listed(array: Any) -> list[Any]:
    values = array.reshape(-1).tolist()
    if array.dtype == object:
        return [one.decode() for one in values]
    return [[one.real, one.imag] for one in values] if array.dtype.kind == "c" else values


def from_text(text: str) -> list[Any]:
    return [array_of(*one) for one in json.loads(text)]


def array_of(dtype: str, shape: list[int], values: list[Any]) -> Any:
    if dtype == "object":
        values = [one.encode() for one in values]
    if dtype.startswith("complex"):
        values = [complex(*one) for one in values]
    array = np.empty(len(values), dtype)
    array[:] = values
    return array.reshape(shape)


def unpacked(name: str, folder: Path) -> tuple[str, list[Any]]:
    """The directory of a recorded SavedModel, and what TensorFlow computed with it."""
    with zipfile.ZipFile(MODELS / f"{name}.zip") as archive:
        archive.extractall(folder)
    return str(folder / "model"), from_text((folder / OUTPUTS).read_text())


def record(tf: Any, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        model, signatures = programs.prepared(tf, name)
        tf.saved_model.save(model, str(path), signatures=signatures)
        results = programs.outputs(tf, tf.saved_model.load(str(path)), name)
        with zipfile.ZipFile(MODELS / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(OUTPUTS, as_text(results))
            for file in sorted(path.rglob("*")):
                archive.write(file, file.relative_to(folder))


if __name__ == "__main__":
    MODELS.mkdir(parents=True, exist_ok=True)
    for program in sys.argv[1:] or programs.PROGRAMS:
        record(import_module("tensorflow"), program)
