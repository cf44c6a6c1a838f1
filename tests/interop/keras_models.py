"""Keras models that one library exports: each loads in the other, and computes the same there.

    python tests/interop/keras_models.py [WORDS…]

WORDS choose models by parts of their names ("layer", "step", "application.Mobile"); without any, a
few of each kind are taken; "all" takes all (a quarter of an hour). Run by a Python that has
TensorFlow and tensormill; where they are in different ones, TENSORMILL_PYTHON names that of
tensormill. EXPORTED names a folder in which the models are kept, and looked for.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import traceback
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.interop.exported.applications import SMALLEST, application, size_of  # noqa: E402
from tests.interop.exported.layers import LAYERS, Layer, unpacked  # noqa: E402
from tests.interop.exported.training import (  # noqa: E402
    DENSE,
    OPTIMIZERS,
    learning_layers,
    steps_of,
    training_step,
)

LIBRARIES: Final = ("tensorflow", "tensormill")
# Random networks of a hundred layers multiply what differs in the last bit.
TOLERANCE: Final = {"rtol": 2e-3, "atol": 2e-4}
DEFAULT: Final = (
    "layer.Dense", "layer.GRU", "layer.LSTM.masked", "layer.MultiHeadAttention",
    "layer.EinsumDense", "layer.CategoryEncoding.multi_hot", "layer.StringLookup.int",
    "layer.TextVectorization.int", "layer.BatchNormalization", "layer.Conv2D",
    "application.MobileNetV3Small", "step.Adam", "step.of.LSTM", "step.of.MultiHeadAttention",
)  # fmt: skip


class Exported(NamedTuple):
    """What is saved, and the calls (attribute, arguments) that are made of it."""

    model: Any
    calls: list[tuple[str, tuple[Any, ...]]]


def functional(keras: Any, layer: Layer, learns: bool = False) -> Any:
    """A model of one layer; one that `learns` has a layer before it, which its gradient reaches."""
    inputs = [keras.Input(one.shape, dtype=one.dtype) for one in layer.inputs]
    given = inputs
    if learns and not any(one.kind == "ids" for one in layer.inputs):
        given = [keras.layers.Dense(one.shape[-1])(one) for one in inputs]
    return keras.Model(inputs, layer.call(layer.make(keras.layers), given))


def _of_layer(name: str, layer: Layer) -> Callable[..., Exported]:
    def made(tf: Any, keras: Any, generator: Any) -> Exported:
        model = functional(keras, layer)
        batches = [tuple(one.drawn(generator, size) for one in layer.inputs) for size in (3, 1)]
        archive = keras.export.ExportArchive()
        archive.track(model)
        archive.add_endpoint(
            "serve",
            lambda *inputs: model(unpacked(inputs)),
            [tf.TensorSpec([None, *one.shape], one.dtype) for one in layer.inputs],
        )
        return Exported(archive, [("serve", batch) for batch in batches])

    return made


def _of_application(name: str) -> Callable[..., Exported]:
    def made(tf: Any, keras: Any, generator: Any) -> Exported:
        size = size_of(name)
        batch = generator.random((2, size, size, 3)).astype(np.float32)
        return Exported(application(keras, name), [("serve", (batch,))])

    return made


def _of_step(layer: Layer, optimizer: Callable[[Any], Any]) -> Callable[..., Exported]:
    def made(tf: Any, keras: Any, generator: Any) -> Exported:
        model = functional(keras, layer, learns=True)
        module = training_step(tf, keras, model, optimizer(keras.optimizers), layer.inputs)
        steps = [("step", batch) for batch in steps_of(layer.inputs, generator)]
        return Exported(module, [*steps, ("learned", ())])

    return made


MODELS: Final[dict[str, Callable[..., Exported]]] = {
    **{f"layer.{name}": _of_layer(name, layer) for name, layer in LAYERS.items()},
    **{f"application.{name}": _of_application(name) for name in SMALLEST},
    **{f"step.{name}": _of_step(DENSE, made) for name, made in OPTIMIZERS.items()},
    **{
        f"step.of.{name}": _of_step(layer, lambda optimizers: optimizers.SGD(0.1))
        for name, layer in learning_layers().items()
    },
}


# ---------------------------------------------------------------- in processes of their own
def save(library: str, folder: str, names: list[str]) -> None:
    """Export models; note what they are called with, and what they give."""
    if library == "tensormill":
        import_module("tensormill.compat").install()
    tf: Any = import_module("tensorflow")
    keras: Any = import_module("keras")
    keras.utils.set_random_seed(1)
    for name in names:
        with noting_errors(folder, name, "save"):
            generator = np.random.default_rng(zlib.crc32(name.encode()))
            exported = MODELS[name](tf, keras, generator)
            path = f"{folder}/{name}"
            if hasattr(exported.model, "write_out"):
                exported.model.write_out(path, verbose=False)
            elif hasattr(exported.model, "export"):
                exported.model.export(path, verbose=False)
            else:
                tf.saved_model.save(exported.model, path)
            results = called(tf, tf.saved_model.load(path), exported.calls)
            Path(f"{path}.pickle").write_bytes(pickle.dumps((exported.calls, results)))


def run(library: str, folder: str, names: list[str]) -> None:
    """Load what was exported, and compare."""
    tf: Any = import_module(library)
    for name in names:
        path = f"{folder}/{name}"
        if not Path(f"{path}.pickle").exists():
            continue
        with noting_errors(folder, name, "run"):
            calls, wanted = pickle.loads(Path(f"{path}.pickle").read_bytes())
            found = called(tf, tf.saved_model.load(path), calls)
            complaints = [f"result {place}: {got!r:.300} with {library}, wanted {one!r:.300}"
                          for place, (one, got) in enumerate(zip(wanted, found, strict=True))
                          if not alike(one, got)]  # fmt: skip
            if complaints:
                raise AssertionError("\n".join(complaints))


def called(tf: Any, model: Any, calls: list[Any]) -> list[Any]:
    found: list[Any] = []
    for attribute, args in calls:
        results = getattr(model, attribute)(*map(tf.constant, args))
        found += [one.numpy() for one in tf.nest.flatten(results, expand_composites=True)]
    return found


def alike(theirs: Any, ours: Any) -> bool:
    theirs, ours = np.asarray(theirs), np.asarray(ours)
    if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return False
    if theirs.dtype.kind in "fc":
        return bool(np.allclose(theirs, ours, equal_nan=True, **TOLERANCE))
    return bool(np.array_equal(theirs, ours))


@contextmanager
def noting_errors(folder: str, name: str, task: str) -> Iterator[None]:
    """Write what is raised into a file, and go on."""
    try:
        yield
    except Exception:
        Path(f"{folder}/{name}.{task}.error").write_text(traceback.format_exc())


# ---------------------------------------------------------------- the whole
def start(library: str, task: str, folder: str, names: list[str]) -> None:
    python = sys.executable
    if library == "tensormill":
        python = os.environ.get("TENSORMILL_PYTHON", python)
    quiet = {
        "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "KERAS_BACKEND": "tensorflow",
        "CUDA_VISIBLE_DEVICES": "-1",
    }  # fmt: skip
    command = [python, __file__, "--work", task, library, folder, *names]
    subprocess.run(command, check=True, env=os.environ | quiet)


def chosen(words: list[str]) -> list[str]:
    if not words:
        return list(DEFAULT)
    return [name for name in MODELS if "all" in words or any(word in name for word in words)]


def main(words: list[str]) -> int:
    with tempfile.TemporaryDirectory() as made:
        folder = os.environ.get("EXPORTED", made)
        names, (one, other) = chosen(words), LIBRARIES
        return exchanged(folder, one, other, names) + exchanged(folder, other, one, names)


def exchanged(folder: str, writer: str, reader: str, names: list[str]) -> int:
    """Let one library write and the other read; how many models fail."""
    folder = f"{folder}/{writer}"
    os.makedirs(folder, exist_ok=True)
    for path in Path(folder).glob("*.error"):
        path.unlink()
    missing = [name for name in names if not Path(f"{folder}/{name}.pickle").exists()]
    start(writer, "save", folder, missing)
    start(reader, "run", folder, names)
    return sum(not reported(folder, name, writer) for name in names)


def reported(folder: str, name: str, writer: str) -> bool:
    """Print how it went with a model."""
    paths = [Path(f"{folder}/{name}.{task}.error") for task in ("save", "run")]
    errors = [path.read_text()[-1500:] for path in paths if path.exists()]
    head = f"{'FAIL' if errors else 'ok':5} {name}, written by {writer}"
    print(head, *errors, sep="\n  ", flush=True)
    return not errors


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        {"save": save, "run": run}[sys.argv[2]](sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(1 if main(sys.argv[1:]) else 0)
