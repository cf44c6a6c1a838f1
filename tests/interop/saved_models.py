"""SavedModels that one library writes and both run: the outputs must be equal, both ways.

    python tests/interop/saved_models.py [WORDS…]

Run by a Python that has TensorFlow and tensormill; where they are in different ones, the
environment variable TENSORMILL_PYTHON names that of tensormill.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
LIBRARIES = ("tensorflow", "tensormill")
TOLERANCE = {"rtol": 2e-5, "atol": 1e-6}


def work(library: str, task: str, folder: str, names: list[str]) -> None:
    """In a process of its own: `save` programs, or `run` those that were saved."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    programs: Any = import_module("tests.saved_model.programs")
    tf: Any = import_module(library)
    for name in names:
        try:
            if task == "save":
                model, signatures = programs.prepared(tf, name)
                tf.saved_model.save(model, f"{folder}/{name}", signatures=signatures)
            else:
                loaded = tf.saved_model.load(f"{folder}/{name}")
                results = programs.outputs(tf, loaded, name)
                np.savez(f"{folder}/{name}.{library}.npz", *results)
        except Exception:
            Path(f"{folder}/{name}.{library}.{task}.error").write_text(traceback.format_exc())


def start(library: str, task: str, folder: str, names: list[str]) -> None:
    python = sys.executable
    if library == "tensormill":
        python = os.environ.get("TENSORMILL_PYTHON", python)
    command = [python, __file__, "--work", library, task, folder, *names]
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    subprocess.run(command, check=True, env=os.environ | quiet, stderr=subprocess.DEVNULL)


def failures(folder: str, name: str) -> list[str]:
    """What is wrong with a program whose SavedModel both libraries have run."""
    errors = sorted(Path(folder).glob(f"{name}.*.error"))
    if errors:
        return [f"{path.name}:\n{path.read_text()[-1500:]}" for path in errors]
    theirs, ours = (
        np.load(f"{folder}/{name}.{library}.npz", allow_pickle=True) for library in LIBRARIES
    )
    if len(theirs.files) != len(ours.files):
        return [f"{name}: {len(theirs.files)} results there, {len(ours.files)} here"]
    return [
        f"{name}: result {key} is {ours[key]} here, {theirs[key]} there"
        for key in theirs.files
        if not alike(theirs[key], ours[key])
    ]


def alike(theirs: Any, ours: Any) -> bool:
    if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return False
    if theirs.dtype.kind in "fc":
        return bool(np.allclose(theirs, ours, equal_nan=True, **TOLERANCE))
    return bool(np.array_equal(theirs, ours))


def main(words: list[str]) -> int:
    sys.path.insert(0, str(ROOT))
    programs: Any = import_module("tests.saved_model.programs")
    names = [n for n in programs.PROGRAMS if not words or any(word in n for word in words)]
    count = 0
    for writer in LIBRARIES:
        with tempfile.TemporaryDirectory() as folder:
            start(writer, "save", folder, names)
            for library in LIBRARIES:
                start(library, "run", folder, names)
            for name in names:
                found = failures(folder, name)
                count += bool(found)
                print(
                    f"{'FAIL' if found else 'ok':5} {name}, written by {writer}", *found, sep="\n  "
                )
    return count


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(1 if main(sys.argv[1:]) else 0)
