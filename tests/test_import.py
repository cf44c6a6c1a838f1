"""What `import tensormill` costs, and what it leaves alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCES = Path(__file__).parents[1] / "src"

# Loaded when a compiled function, a file or the command line wants them, and not before.
LATE = (
    "llvmlite", "google.protobuf", "scipy", "jax", "keras", "typer", "rich", "tensorflow",
    "asyncio", "logging",
)  # fmt: skip
THREADS = "len(os.listdir('/proc/self/task'))"


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def process() -> dict[str, Any]:
    """What one process is after the import, and what it said."""
    told = f"[sorted(sys.modules), {THREADS}]"
    finished = run(
        f"import tensormill; import json, os, sys; print(json.dumps({told}))\n"
        "tensormill.GradientTape; from tensormill.ops.op import REGISTRY\n"
        "print(json.dumps(sorted(REGISTRY)))"
    )
    *before, facts, operations = finished.stdout.splitlines()
    modules, threads = json.loads(facts)
    said = [*before, finished.stderr]
    return {
        "said": said, "modules": modules, "threads": threads, "operations": json.loads(operations)
    }  # fmt: skip


def test_the_import_says_nothing(process: dict[str, Any]) -> None:
    assert [""] == process["said"]


@pytest.mark.parametrize("library", LATE)
def test_the_import_leaves_a_library_for_later(library: str, process: dict[str, Any]) -> None:
    assert library not in process["modules"]


def test_the_way_back_finds_the_operations_that_it_names(process: dict[str, Any]) -> None:
    texts = [path.read_text() for path in (SOURCES / "tensormill" / "autodiff").glob("*.py")]
    named = {name for text in texts for name in re.findall(r'REGISTRY\["(\w+)"\]', text)}

    assert "Reshape" in named
    assert named - set(process["operations"]) == set()


def test_the_import_starts_no_thread(process: dict[str, Any]) -> None:
    assert int(run(f"import os, numpy; print({THREADS})").stdout) == process["threads"]


def test_the_import_loads_few_modules(process: dict[str, Any]) -> None:
    assert len(process["modules"]) < 400


def test_the_import_is_quick() -> None:
    """0.2 s is wanted and measured in bench/; this only notices a heavy library coming in."""
    program = "from time import process_time as now; t = now(); import tensormill; print(now() - t)"

    assert any(float(run(program).stdout) < 0.5 for _ in range(3))


def test_eager_work_does_not_load_the_compiler() -> None:
    program = """
import sys, tensormill as tf
v = tf.Variable([1.0, 2.0])
v.assign_add(tf.nn.sigmoid(v) * tf.constant(2.0) + v[0])
print('llvmlite' in sys.modules)
"""
    assert "False\n" == run(program).stdout


# Another thread asks for a namespace when the package has begun to import its first part; the main
# thread goes on when that one has asked the last finder there was.
ASKING_EARLY = """
import importlib, sys, threading
asked, answers = threading.Event(), []

def ask():
    try:
        answers.append(importlib.import_module("tensormill.nn").relu(-1.0).numpy().item())
    except ImportError as error:
        answers.append(error)

def begin(event, arguments):
    if event == "import" and arguments[0] == "tensormill.core" and thread.ident is None:
        thread.start()
        asked.wait(30)

class Last:
    def find_spec(name, path=None, target=None):
        if name == "tensormill.nn":
            asked.set()

thread = threading.Thread(target=ask)
sys.meta_path.append(Last)
sys.addaudithook(begin)
import tensormill
thread.join(30)
print(answers)
"""


def test_a_namespace_may_be_wanted_as_soon_as_the_package_begins():
    finished = run(ASKING_EARLY)

    assert finished.stderr == ""
    assert finished.stdout == "[0.0]\n"


def test_classes_of_strategies_that_keras_asks_for_load_little() -> None:
    finished = run(
        "import sys, tensormill as tf; tf.distribute.get_strategy(); before = set(sys.modules)\n"
        "tf.distribute.TPUStrategy, tf.distribute.MultiWorkerMirroredStrategy\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = finished.stdout.split()

    assert "tensormill.distribution.workers.strategy" in loaded
    assert not [name for name in loaded if ".distribution" not in name]
    assert len(loaded) < 15
