"""Calls on a device that a tensor names: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

SCALAR = tf.TensorSpec([], tf.float32)
HERE = ("/cpu:0", "CPU:0", "/device:CPU:*", "/job:localhost/replica:0/task:0/device:CPU:0", "")
OTHERS = ("/cpu:99", "/gpu:0", "/job:worker/task:0/device:CPU:0", "/task:1")


def traced(function: Any) -> Any:
    return tf.function(function, input_signature=[SCALAR]).get_concrete_function()


def called(target: Any, *args: Any, function: Any = None, **told: Any) -> Any:
    given = {"Tout": [tf.float32], "f": function or traced(lambda x: x * x)} | told
    (found,) = tf.raw_ops.RemoteCall(target=target, args=list(args), **given)
    return found


@pytest.mark.parametrize("target", HERE)
def test_the_devices_of_this_process_run_it(target: str) -> None:
    x, named = tf.constant(3.0), tf.constant(target)
    known, unknown = tf.function(lambda x: called(target, x)), tf.function(called)

    assert [9.0] * 3 == [float(one) for one in (called(target, x), known(x), unknown(named, x))]


def test_a_known_device_costs_no_call_of_python() -> None:
    known = tf.function(lambda x: called("/cpu:0", x))
    known(tf.constant(3.0))

    assert "in Python" not in str(known.report())


def test_what_it_captured_comes_with_the_operands() -> None:
    variable = tf.Variable(2.0)

    def added(x: Any) -> Any:
        variable.assign_add(x)
        return x * variable

    function = traced(added)
    operands = tf.constant(3.0), *function.captured_inputs
    inside = tf.function(lambda: called("/cpu:0", *operands, function=function))

    assert [15.0, 24.0] == [float(called("/cpu:0", *operands, function=function)), float(inside())]


@pytest.mark.parametrize("target", OTHERS)
def test_devices_of_others_are_not_there(target: str) -> None:
    for run in (called, tf.function(called), tf.function(lambda _, x: called(target, x))):
        with pytest.raises(tf.errors.InternalError, match="instantiating functions"):
            run(tf.constant(target), tf.constant(3.0))


REFUSED: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "no device": (("foo", 3.0), {}, "parse foo"),
    "no name": (([], 3.0), {}, "is empty"),
    "more operands": (("", 3.0, 4.0), {}, "Expects 1 arguments"),
    "another operand": (("", 3), {}, "to be float32 but int32"),
    "another result": (("", 3.0), {"Tout": [tf.int32]}, "Type mismatch"),
    "more results": (("", 3.0), {"Tout": [tf.float32] * 2}, "Type mismatch"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_call_is_refused(why: str) -> None:
    (target, *operands), told, words = REFUSED[why]

    def call() -> Any:
        return called(tf.constant(target, tf.string), *map(tf.constant, operands), **told)

    for run in (call, tf.function(call)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run()


def test_there_is_no_gradient() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = called("", x)

    with pytest.raises(LookupError, match="RemoteCall"):
        tape.gradient(y, x)
