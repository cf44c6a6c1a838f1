"""`experimental_attributes` and `experimental_implements` of tf.function."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf


@behaviour("F1")
@pytest.mark.parametrize(
    ("attributes", "error"),
    [
        ({"no_such_attribute": 1}, ValueError),
        ({"implements": "mine"}, ValueError),
        ({"api_implements": object()}, ValueError),
        (3, TypeError),
    ],
)
def test_attributes_are_known_ones(attributes: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.function(tf.identity, experimental_attributes=attributes)(1.0)


@behaviour("F1")
def test_attributes_are_written_into_functions() -> None:
    function = tf.function(
        tf.identity,
        experimental_implements="mine",
        experimental_attributes={"go_backwards": True, "time_major": 3, "api_implements": "all"},
    )
    found = function.get_concrete_function(tf.TensorSpec([], tf.float32)).function_def.attr

    assert (b"mine", b"all") == (found["_implements"].s, found["api_implements"].s)
    assert (True, 3) == (found["go_backwards"].b, found["time_major"].i)


@behaviour("F1")
def test_what_libraries_ask_of_traces_by_private_names() -> None:
    v = tf.Variable(2.0)
    function = tf.function(lambda x, *, k: x["a"] * v + x["b"] + k, jit_compile=None)
    spec = tf.TensorSpec([], tf.float32)
    concrete = function.get_concrete_function({"a": spec, "b": spec}, k=spec)

    assert ["x", "x_1", "k"] == concrete._arg_keywords
    assert 3 == concrete._num_positional_args
    assert [tf.resource] == [one.dtype for one in concrete._captured_inputs]
    assert concrete.graph.capture_by_value is False
    assert ("<lambda>", None) == (function._name, function._jit_compile)
    assert ["x", "k"] == list(function._function_type.parameters)
