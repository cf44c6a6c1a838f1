"""Methods, what a function keeps alive, and what it tells of its traces."""

from __future__ import annotations

import gc
import inspect
import weakref
from typing import Any

import pytest

import tensormill as tf

ONE, TWO = tf.constant(1.0), tf.constant(2.0)


class Model:
    def __init__(self, factor: float) -> None:
        self.factor = tf.constant(factor)

    @tf.function
    def scale(self, x: Any) -> Any:
        """Scaled."""
        return x * self.factor


def test_a_method_of_a_temporary_works() -> None:
    assert Model(3.0).scale(TWO).numpy() == 6.0


def test_instances_are_freed_without_the_collector() -> None:
    model = Model(2.0)
    model.scale(TWO)
    reference = weakref.ref(model)
    gc.disable()
    try:
        del model
        assert reference() is None
    finally:
        gc.enable()


def test_attributes_are_those_of_the_function() -> None:
    assert Model.scale.__name__ == "scale"
    assert Model(1.0).scale.__doc__ == "Scaled."
    assert Model.scale.__qualname__ == "Model.scale"
    assert Model.scale.__module__ == __name__
    assert list(inspect.signature(Model.scale).parameters) == ["self", "x"]
    assert list(inspect.signature(Model(1.0).scale).parameters) == ["x"]
    assert Model(1.0).scale.python_function(TWO).numpy() == 2.0


def test_what_is_going_to_be_traced_can_be_wrapped() -> None:
    function: Any = tf.function(lambda x: x)
    function._decorate(lambda body: lambda x: body(x) + 1)

    assert function(tf.constant(2)).numpy() == 3
    with pytest.raises(ValueError, match="traced"):
        function._decorate(lambda body: body)


def test_arguments_are_not_kept_alive() -> None:
    function = tf.function(lambda x: x * 2.0)
    x = tf.ones([1000])
    function(x)
    reference = weakref.ref(x)
    del x

    assert reference() is None


def test_the_report_names_the_steps_in_python() -> None:
    @tf.function
    def greet(name: Any, x: Any) -> Any:
        return tf.numpy_function(lambda text: b"hello " + text, [name], tf.string), x * 2.0

    greet(tf.constant("you"), ONE)
    report = greet.report()

    assert len(report.traces) == 1
    assert [callback.operation.op.name for callback in report.callbacks] == ["PyFunc"]
    assert "test_callables.py" in str(report)
    assert tf.function(lambda x: x).report().callbacks == ()


def test_the_graph_of_the_latest_trace_can_be_seen() -> None:
    doubled = tf.function(lambda x: x * 2.0)

    with pytest.raises(AttributeError, match="was not traced yet"):
        doubled.graph  # noqa: B018
    doubled(ONE)
    assert "Mul(x, mul/y)" in str(doubled.graph)


def test_a_function_lists_its_traces() -> None:
    f = tf.function(lambda x: x + 1)

    assert [] == f._list_all_concrete_functions()
    f(1.0)
    f(tf.constant(1.0))

    assert 2 == len(f._list_all_concrete_functions())
    assert {} == f._trackable_children()
    assert ["trace_0", "trace_1"] == list(f._trackable_children("savedmodel"))
