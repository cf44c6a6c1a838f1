"""What programs of TensorFlow 1 import from private modules: functions, layers, gradients."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.api.packages import public_namespace
from tensormill.compat import older_layers, private_names
from tensormill.compat.private_modules.older import evaluation, various
from tensormill.compat.private_modules.older.functions import Defun

v1 = tf.compat.v1


# As TensorFlow 2.21 answers.
def test_functions_of_dtypes_are_called_in_graphs() -> None:
    with tf.Graph().as_default(), v1.Session() as session:

        @Defun(tf.float32, tf.float32, func_name="Foo")
        def foo(x: Any, y: Any) -> Any:
            return x * y, x + y

        @Defun()
        def double(x: Any) -> Any:
            return x * 2

        x = tf.constant(3.0)
        assert [6.0, 5.0] == session.run(list(foo(2.0, tf.constant(3.0))))
        assert [2, 4] == session.run(double(tf.constant([1, 2]))).tolist()
        assert [6.0] == session.run(v1.gradients(foo(x, x)[0], x))
        assert ("Foo", (tf.float32, tf.float32)) == (foo.name, foo.declared_input_types)
        with pytest.raises(ValueError, match="number of arguments: 2"):
            foo(1.0)
        with pytest.raises(ValueError, match="must be a callable"):
            Defun(tf.float32)(3)  # type: ignore[arg-type]


def test_functions_of_dtypes_have_gradients_of_their_own() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.constant(3.0)

        @Defun(tf.float32, python_grad_func=lambda op, dy: dy * 7.0 * op.inputs[0])
        def square(x: Any) -> Any:
            return x * x

        @Defun(tf.float32, tf.float32)
        def fives(x: Any, dy: Any) -> Any:
            return dy * 5.0

        other = Defun(tf.float32, grad_func=fives)(lambda x: x * x)
        assert [21.0] == session.run(v1.gradients(square(x), x))
        assert [9.0, 5.0] == session.run([other(x), *v1.gradients(other(x), x)])


def test_shapes_and_fans_are_those_of_private_functions() -> None:
    one, other = tf.TensorShape([2, 1]), tf.TensorShape([3])

    assert [2, 3] == various.broadcast_shape(one, other).as_list()
    assert [True, False, False] == [
        various.is_broadcast_compatible(one, shape)
        for shape in (other, tf.TensorShape([3, 1]), tf.TensorShape(None))
    ]
    assert [(18, 36), (2, 3), (4, 4)] == [
        various.compute_fans(shape) for shape in ([3, 3, 2, 4], [2, 3], [4])
    ]
    assert [[1, 2]] == various.np_reshape(various.np_array([1, 2]), (1, 2)).tolist()


def test_metrics_and_steps_have_variables() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        total = various.metric_variable([2], tf.float64, name="total")
        step = various.get_or_create_global_step_read()
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])

        assert [[0.0, 0.0], 0] == [one.tolist() for one in session.run([total, step])]
        assert np.float64 == session.run(total).dtype
        assert ["total"] == [one.op.name for one in v1.local_variables()]


def test_checkpoints_are_evaluated_so_many_times(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        kept = v1.get_variable("kept", initializer=2.0)
        session.run(v1.global_variables_initializer())
        path = v1.train.Saver().save(session, str(tmp_path / "model"))
    with tf.Graph().as_default():
        kept = v1.get_variable("kept", initializer=0.0)
        total = v1.get_variable(
            "total", initializer=0.0, collections=[v1.GraphKeys.LOCAL_VARIABLES]
        )
        found = evaluation.evaluate_once(
            path, eval_ops=total.assign_add(kept), final_ops={"total": total, "kept": kept},
            hooks=[evaluation.StopAfterEvaluations(3)],
        )  # fmt: skip
        step = evaluation.get_or_create_eval_step()

        assert {"total": 6.0, "kept": 2.0} == found
        assert ("eval_step", tf.int64) == (step.op.name, step.dtype)
        assert step in v1.local_variables()


@pytest.mark.parametrize("path", older_layers.PLACES)
def test_layers_say_where_they_come_from(path: str) -> None:
    names = path.split(".")

    assert private_names.has_private_module(names)
    if find_spec("tf_keras") is None:
        with pytest.raises(ImportError, match="pip install --no-deps tf_keras"):
            older_layers.member(names, "Dense")


def test_stars_import_what_layers_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ModuleType("tf_keras.src.layers.rnn.legacy_cells")
    exec("class RNNCell: pass\ndef _hidden(): pass\nimport os", vars(cells))
    monkeypatch.setattr(older_layers, "find_spec", lambda name: name)
    monkeypatch.setattr(older_layers, "module_at", lambda root, place: [cells][: "cells" in place])

    assert ["RNNCell"] == older_layers.names(["python", "ops", "rnn_cell"])
    assert [] == older_layers.names(["python", "ops", "nn"])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("lite.python.interpreter", "ai-edge-litert"),
        ("python.grappler.cluster", "extract_sub_graph"),
        ("python.tpu.tpu_ops", "TPU"),
        ("python.debug.lib", "enable_check_numerics"),
    ],
)
def test_what_is_not_here_says_what_to_use(path: str, words: str) -> None:
    assert words in str(private_names.reason_of_refusal(path.split(".")))


def test_modules_of_distributions_and_gradients_are_found() -> None:
    for one in ("ops.distributions.normal", "ops.nn_grad", "ops.array_grad", "platform.benchmark"):
        assert private_names.has_private_module(f"python.{one}".split("."))
    (space,) = private_names.faces("python.ops.distributions.normal".split("."))

    assert public_namespace(space.split(".")).Normal is v1.distributions.Normal  # type: ignore[union-attr]
