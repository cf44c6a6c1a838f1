"""What a first call imports and compiles, and what it is spared."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.pipeline import compile_graph
from tensormill.config import settings
from tests.compiler.processes import outcome, start

IMPORTED = """
import os, sys
os.environ["TENSORMILL_CACHE"] = "0"
import tensormill as tf
{work}
print(*sorted(name for name in sys.modules if name.startswith({prefixes!r})))
"""
# The work, and what it does without.
SPARED: dict[str, tuple[str, ...]] = {
    "tf.function(lambda x: x + 1.0)(tf.constant(2.0))": (
        "tensormill.compiler.loops.parse",
        "tensormill.compiler.loops.verify",
        "tensormill.compiler.loops.guards",
        "tensormill.compiler.calling.frame_functions",
        "tensormill.compiler.spelled",
        "tensormill.graph.parse",
    ),
    "tf.matmul(tf.ones([100, 100]), tf.ones([100, 100]))": (
        "tensormill.compiler.lowering",
        "tensormill.compiler.translation",
    ),
}


def test_first_calls_import_nothing_that_they_do_without() -> None:
    processes = [
        start(IMPORTED.format(work=work, prefixes=prefixes)) for work, prefixes in SPARED.items()
    ]

    assert [(0, b"\n", b"")] * len(SPARED) == [outcome(one) for one in processes]


def text_of(function: Any, *specs: tf.TensorSpec) -> str:
    graph = tf.function(function).get_concrete_function(*specs).callee.graph
    return compile_graph(graph, len(specs)).text


def rows(x: tf.Tensor) -> tf.Tensor:
    found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for k in tf.range(x):
        found = found.write(k, 1.0)
    return found.stack()


def test_only_programs_that_keep_memory_release_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "cache_enabled", False)  # the disk has no text

    assert "tm_release_kept" not in text_of(lambda x: x * 2.0, tf.TensorSpec([None]))
    assert "tm_release_kept" in text_of(rows, tf.TensorSpec([], tf.int32))


COUNTED = """
import os
os.environ["TENSORMILL_CACHE"] = "0"
import tensormill as tf
from bench.workloads.train_step import make_tf2_step
from tests.visits import visits
print(visits(make_tf2_step(tf)))
"""


def test_the_first_call_of_a_train_step_takes_no_more_steps_than_it_did() -> None:
    code, output, errors = outcome(start(COUNTED))

    assert (code, errors) == (0, b"")
    assert int(output) < 310_000  # 281 000 with CPython 3.11
