"""Concrete functions: their face, and how they may be called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def scaled(x: Any, n: Any = 1, *, k: Any = 2) -> Any:
    return x * float(n * k)


def concrete() -> Any:
    return tf.function(scaled).get_concrete_function(tf.TensorSpec([None], tf.float32, name="inp"))


def test_placeholders_are_called_as_the_spec_or_the_parameter() -> None:
    @tf.function
    def f(x: Any, d: Any, l: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: E741
        return x

    scalar = tf.TensorSpec([])
    graph = f.get_concrete_function(
        tf.TensorSpec([], name="inp"), {"a": scalar}, [scalar], scalar, scalar, z=scalar
    ).graph

    assert [t.op.name for t in graph.inputs] == ["inp", "d", "l", "args_0", "args_1", "z"]
    assert graph.structured_input_signature[0][1]["a"].name == "d_a"
    assert graph.structured_input_signature[0][2][0].name == "l_0"


def test_illegal_names_fall_back() -> None:
    graph = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([], name="a b")).graph

    assert graph.inputs[0].op.name in ("Placeholder", "a_b")


def test_the_same_spec_gives_the_same_object() -> None:
    function = tf.function(lambda x: x)
    named = function.get_concrete_function(tf.TensorSpec([], name="a"))

    assert function.get_concrete_function(tf.TensorSpec([], name="a")) is named
    assert function.get_concrete_function(tf.TensorSpec([])) is named
    assert function.get_concrete_function(tf.constant(1.0)) is named
    other = function.get_concrete_function(tf.TensorSpec([], name="b"))
    assert other is not named
    assert function.get_concrete_function(tf.TensorSpec([], name="b")) is other


def test_the_signature_has_specs_and_python_values() -> None:
    assert concrete().structured_input_signature == (
        (tf.TensorSpec([None], tf.float32, name="inp"), 1),
        {"k": 2},
    )


def test_outputs_keep_their_structure() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return {"b": x, "a": (x + 1.0, None)}

    cf = f.get_concrete_function(tf.TensorSpec([2]))

    assert list(cf.structured_outputs) == ["b", "a"]
    assert cf.structured_outputs["a"][1] is None
    assert cf.output_shapes == {"b": tf.TensorShape([2]), "a": (tf.TensorShape([2]), None)}
    assert cf.output_dtypes == {"b": tf.float32, "a": (tf.float32, None)}
    assert [t.name for t in cf.outputs] == [
        cf.structured_outputs["a"][0].name,
        cf.structured_outputs["b"].name,
    ]


def test_a_function_that_returns_nothing_has_no_outputs() -> None:
    cf = tf.function(lambda: None).get_concrete_function()

    assert cf.structured_outputs is None
    assert cf.outputs == []
    assert cf() is None


def test_captures_are_inputs_after_the_parameters() -> None:
    v = tf.Variable(2.0)
    big = tf.ones([200])
    cf = tf.function(lambda x: x * v + tf.reduce_sum(big)).get_concrete_function(tf.TensorSpec([]))

    assert [t.dtype for t in cf.inputs] == [tf.float32, tf.resource, tf.float32]
    assert cf.captured_inputs[0] is v.handle
    assert cf.captured_inputs[1] is big
    assert cf.variables == (v,)
    assert cf.trainable_variables == (v,)
    assert [pair[0] for pair in cf.graph.captures] == [v.handle, big]


def test_names() -> None:
    cf = concrete()

    assert cf.graph.name == "scaled"
    assert cf.name.startswith(b"__inference_scaled_")
    assert type(cf.graph).__name__ == "FuncGraph"
    assert type(cf).__name__ == "ConcreteFunction"
    assert type(tf.function(scaled)).__name__ == "Function"


def test_the_pretty_signature_lists_parameters_results_and_captures() -> None:
    text = concrete().pretty_printed_signature()

    assert text.splitlines() == [
        "Input Parameters:",
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(None,), dtype=tf.float32, name='inp')",
        "  n (POSITIONAL_OR_KEYWORD): Literal[1]",
        "  k (KEYWORD_ONLY): Literal[2]",
        "Output Type:",
        "  TensorSpec(shape=(None,), dtype=tf.float32, name=None)",
        "Captures:",
        "  None",
    ]
    assert str(concrete()).startswith("ConcreteFunction Input Parameters:")
    assert repr(concrete()).startswith("<ConcreteFunction (x: TensorSpec(shape=(None,)")
    assert "*, k: Literal[2]) -> TensorSpec" in repr(concrete())


def test_all_signatures_can_be_printed() -> None:
    function = tf.function(lambda x: x)
    function(tf.constant(1.0))
    function(tf.constant(1))

    assert function.pretty_printed_concrete_signatures().count("Input Parameters:") == 2


X = tf.constant([1.0, 2.0])


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((X, 1), {"k": 2}),
        ((X,), {}),
        ((X,), {"n": 1}),
        ((), {"x": X}),
        ((), {"inp": X}),
        (([1.0, 2.0],), {}),
        ((np.array([1.0, 2.0]),), {}),
    ],
)
def test_spellings_of_a_call(args: Any, kwargs: Any) -> None:
    assert concrete()(*args, **kwargs).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((X, 7), {}, r"Can not cast 7 to Literal\[1\]"),
        ((), {}, "missing a required argument: 'x'"),
        ((X, 1, 2), {}, "too many positional arguments"),
        ((X,), {"z": 1}, "unexpected keyword argument 'z'"),
        ((X,), {"x": X}, "multiple values for argument 'x'"),
        ((tf.constant([1]),), {}, "Can not cast"),
    ],
)
def test_calls_that_do_not_fit_say_why(args: Any, kwargs: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        concrete()(*args, **kwargs)


def test_a_wrong_dtype_is_an_invalid_argument_too() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32"):
        concrete()(tf.constant([1]))


def test_nested_arguments_may_be_given_flat() -> None:
    scalar = tf.TensorSpec([])
    cf = tf.function(lambda d, k: d["a"] - k[0]).get_concrete_function({"a": scalar}, [scalar])
    three, one = tf.constant(3.0), tf.constant(1.0)

    assert cf({"a": three}, [one]).numpy() == 2.0
    assert cf(three, one).numpy() == 2.0
    assert cf(d=three, k=one).numpy() == 2.0


@pytest.mark.parametrize("value", [tf.ones([3]), tf.ones([1, 1]), tf.ones([])])
def test_shapes_are_checked_at_every_call(value: Any) -> None:
    cf = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([2]))

    with pytest.raises(tf.errors.InvalidArgumentError, match="x: Can not cast"):
        cf(value)


def test_captured_variables_are_live() -> None:
    v = tf.Variable(2.0)
    cf = tf.function(lambda: v * 2.0).get_concrete_function()
    v.assign(5.0)

    assert cf().numpy() == 10.0


def test_a_variable_argument_is_the_one_that_is_passed() -> None:
    one, two = tf.Variable(1.0), tf.Variable(2.0)
    cf = tf.function(lambda v: v.assign_add(10.0)).get_concrete_function(one)
    cf(two)

    assert (one.numpy(), two.numpy()) == (1.0, 12.0)
    assert "VariableSpec(shape=()" in str(cf)


def test_inside_another_trace_it_is_one_call() -> None:
    cf = tf.function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([]))
    v = tf.Variable(1.0)
    changes = tf.function(lambda x: v.assign_add(x)).get_concrete_function(tf.TensorSpec([]))
    outer = tf.function(lambda x: cf(x) + changes(x)).get_concrete_function(tf.TensorSpec([]))

    kinds = [op.type for op in outer.graph.get_operations()]
    assert kinds.count("PartitionedCall") == 1
    assert kinds.count("StatefulPartitionedCall") == 1
    assert outer(tf.constant(3.0)).numpy() == 10.0


def test_it_outlives_its_function() -> None:
    def make() -> Any:
        v = tf.Variable(2.0)
        return tf.function(lambda: v * 2.0).get_concrete_function()

    assert make()().numpy() == 4.0


def test_failed_traces_are_not_counted() -> None:
    fail = True

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if fail:
            raise ValueError("no")
        return x

    with pytest.raises(ValueError, match="no"):
        f(tf.constant(1))
    count = f.experimental_get_tracing_count()
    fail = False

    assert (count, f(tf.constant(1)).numpy()) == (0, 1)


def test_an_unused_function_can_be_initialized() -> None:
    f = tf.function(lambda x: x)
    f.get_initialization_function(tf.constant(1))

    with pytest.raises(RuntimeError, match="cannot be called after the function has been used"):
        f.get_initialization_function(tf.constant(1))
