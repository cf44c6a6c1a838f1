"""What `import tensormill` costs and leaves alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"


def run(program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip


def test_it_loads_neither_compiler_nor_protos_nor_scipy() -> None:
    heavy = "('llvmlite', 'google.protobuf', 'scipy', 'typer', 'rich', 'keras', 'jax', 'asyncio')"
    program = f"import sys, tensormill; print([m for m in {heavy} if m in sys.modules])"

    assert "[]" == run(program).stdout.strip()


def test_it_prints_nothing_and_starts_no_thread() -> None:
    done = run("import threading, tensormill; print(threading.active_count())")

    assert ("1", "") == (done.stdout.strip(), done.stderr)


def test_eager_work_does_not_load_the_compiler() -> None:
    program = """
import sys, tensormill as tf
v = tf.Variable([1.0, 2.0])
v.assign_add(tf.nn.sigmoid(v) * tf.constant(2.0) + v[0])
print('llvmlite' in sys.modules)
"""
    assert "False" == run(program).stdout.strip()
