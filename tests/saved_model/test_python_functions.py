"""Saved functions that call Python: the process that has saved them may load them."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.proto.import_checks import function_called
from tensormill.ops.control.python_functions import FunctionToken

VECTOR = tf.TensorSpec([2], tf.float32)


def saved(path: Path, function: Any) -> Any:
    """What is loaded of a module with that function; the module is gone by then."""
    module = tf.Module()
    module.call = tf.function(function, input_signature=[VECTOR])
    tf.saved_model.save(module, str(path))
    del module
    gc.collect()
    return tf.saved_model.load(str(path))


def test_python_functions_are_found_again(tmp_path: Path) -> None:
    def call(x: Any) -> Any:
        doubled = tf.py_function(lambda x: x * 2.0, [x], VECTOR)
        tripled = tf.numpy_function(lambda x: x * 3.0, [x], tf.float32)
        return doubled + tripled

    loaded = saved(tmp_path / "one", call)
    again = saved(tmp_path / "two", loaded.call)

    assert [5.0, 10.0] == loaded.call(tf.constant([1.0, 2.0])).numpy().tolist()
    assert [5.0, 10.0] == again.call(tf.constant([1.0, 2.0])).numpy().tolist()


def test_they_are_differentiated(tmp_path: Path) -> None:
    loaded = saved(tmp_path, lambda x: tf.py_function(lambda x: x * x, [x], VECTOR))
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.call(x)
    assert [2.0, 4.0] == tape.gradient(y, x).numpy().tolist()


def test_they_are_found_in_branches_and_loops(tmp_path: Path) -> None:
    def step(x: Any) -> Any:
        return tf.py_function(lambda x: x * 2.0, [x], VECTOR)

    def call(x: Any) -> Any:
        looped = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, step(x)), [0, x])[1]
        return tf.cond(looped[0] > 0.0, lambda: step(looped), lambda: looped)

    loaded = saved(tmp_path, call)
    assert [16.0, 32.0] == loaded.call(tf.constant([1.0, 2.0])).numpy().tolist()


def test_a_graph_def_brings_them_into_another_graph() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
        tf.identity(tf.py_function(lambda x: x * 2.0, [x], VECTOR), name="y")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        names = ["x:0", "y:0"]
        x, y = tf.graph_util.import_graph_def(graph.as_graph_def(), {}, names, name="")
        assert [2.0, 4.0] == session.run(y, {x: [1.0, 2.0]}).tolist()


def test_another_process_cannot_name_them(tmp_path: Path) -> None:
    saved(tmp_path, lambda x: tf.py_function(lambda x: x * 2.0, [x], VECTOR))
    file = tmp_path / "saved_model.pb"
    names = re.findall(rb"pyfunc_\d+_[0-9a-f]{32}", file.read_bytes())
    assert names
    others = file.read_bytes().replace(names[0], names[0][:-32] + b"0" * 32)
    file.write_bytes(others)

    loaded = tf.saved_model.load(str(tmp_path))
    with pytest.raises(tf.errors.UnimplementedError, match="only the process that traced it"):
        loaded.call(tf.constant([1.0, 2.0]))


def test_a_node_promises_what_the_function_does() -> None:
    token = FunctionToken.of(lambda x: x, [VECTOR])
    name = token.in_files.encode()

    assert token is function_called("PyFunc", {"token": name, "Tout": [tf.float32]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="'Tout' of PyFunc"):
        function_called("PyFunc", {"token": name, "Tout": [tf.int32]})
    with pytest.raises(tf.errors.UnimplementedError):
        function_called("PyFunc", {"token": str(token).encode(), "Tout": [tf.float32]})
