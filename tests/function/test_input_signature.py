"""One trace for all calls: arguments are made to fit the signature."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

FLOATS = tf.TensorSpec([None], tf.float32)
SCALAR = tf.TensorSpec([], tf.float32)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (SCALAR, "must be either a tuple or a list"),
        ([1], "must be a possibly nested sequence of TensorSpec objects"),
        ([[SCALAR, "x"]], "must be a possibly nested sequence of TensorSpec objects"),
    ],
)
def test_a_signature_is_a_sequence_of_specs(signature: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        tf.function(lambda x: x, input_signature=signature)


def test_too_many_specs_are_refused_when_the_decorator_runs() -> None:
    with pytest.raises(TypeError, match="contains 1 extra type constraints"):
        tf.function(lambda x: x, input_signature=[SCALAR, SCALAR])


def test_too_few_specs_are_refused_when_the_decorator_runs() -> None:
    with pytest.raises(TypeError, match="missing type constraint for y"):
        tf.function(lambda x, y: x, input_signature=[SCALAR])


def test_a_keyword_without_default_cannot_have_a_spec() -> None:
    def f(x: Any, *, y: Any) -> Any:
        return x

    with pytest.raises(TypeError, match="keyword-only parameter `y` must have a default value"):
        tf.function(f, input_signature=[SCALAR])


def test_python_values_and_arrays_are_cast_to_the_one_trace() -> None:
    @tf.function(input_signature=[FLOATS])
    def doubled(x: Any) -> Any:
        return x * 2.0

    given = [[1, 2], [1.5], np.array([1.0, 2.0]), np.array([1, 2], np.int64), tf.constant([3.0])]
    results = [doubled(value) for value in given]

    assert [r.dtype for r in results] == [tf.float32] * 5
    assert results[3].numpy().tolist() == [2.0, 4.0]
    assert doubled.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    "value", [tf.constant([1]), tf.constant(1.0), tf.ones([2, 2]), tf.constant([1.0], tf.float64)]
)
def test_tensors_are_not_cast(value: Any) -> None:
    function = tf.function(lambda x: x, input_signature=[FLOATS])

    with pytest.raises(TypeError, match=r"Can not cast TensorSpec.* to TensorSpec"):
        function(value)


@pytest.mark.parametrize(("value", "message"), [("a", "Cannot convert 'a'"), (None, "NoneType")])
def test_values_without_the_dtype_are_refused(value: Any, message: str) -> None:
    function = tf.function(lambda x: x, input_signature=[SCALAR])

    with pytest.raises(TypeError, match=message):
        function(value)


def test_a_variable_enters_as_its_value() -> None:
    @tf.function(input_signature=[SCALAR])
    def doubled(x: Any) -> Any:
        assert not hasattr(x, "assign_add")
        return x * 2.0

    assert doubled(tf.Variable(4.0)).numpy() == 8.0


def test_a_parameter_without_spec_is_frozen_to_its_default() -> None:
    @tf.function(input_signature=[SCALAR])
    def scaled(x: Any, by: Any = 4.0) -> Any:
        return x * by

    assert scaled(2.0).numpy() == 8.0
    assert scaled(2.0, 4.0).numpy() == 8.0
    with pytest.raises(TypeError, match=r"Can not cast 5.0 to Literal\[4.0\]"):
        scaled(2.0, 5.0)


def test_a_default_with_a_spec_becomes_a_tensor() -> None:
    @tf.function(input_signature=[SCALAR, SCALAR])
    def scaled(x: Any, by: Any = 4.0) -> Any:
        return x * by

    assert scaled(2.0).numpy() == 8.0
    assert scaled(2.0, 5.0).numpy() == 10.0
    assert scaled.experimental_get_tracing_count() == 1


NESTED = [{"a": SCALAR}, [SCALAR, SCALAR]]


def test_signatures_may_be_nested() -> None:
    function = tf.function(lambda d, k: d["a"] + k[0] * k[1], input_signature=NESTED)

    assert function({"a": 1.0}, [2.0, 3.0]).numpy() == 7.0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (({"a": 1.0}, (2.0, 3.0)), "to list type"),
        (({"b": 1.0}, [2.0, 3.0]), "has different keys"),
        (({"a": 1.0, "b": 2.0}, [2.0, 3.0]), "has different keys"),
        (({"a": 1.0}, [2.0]), "length"),
    ],
)
def test_nests_must_be_as_the_signature_says(args: Any, message: str) -> None:
    function = tf.function(lambda d, k: d["a"], input_signature=NESTED)

    with pytest.raises(TypeError, match=message):
        function(*args)


def test_with_a_signature_no_further_keywords_are_accepted() -> None:
    def f(x: Any, **kwargs: Any) -> Any:
        return x

    with pytest.raises(TypeError, match="'y'"):
        tf.function(f, input_signature=[SCALAR])(1.0, y=2.0)


def test_varargs_take_one_spec_each() -> None:
    function = tf.function(lambda *args: args[0] - args[1], input_signature=[SCALAR, SCALAR])

    assert function(3.0, 1.0).numpy() == 2.0


def test_an_empty_signature_is_a_function_without_arguments() -> None:
    assert tf.function(lambda: tf.constant(1), input_signature=[])().numpy() == 1


def test_a_spec_without_rank_takes_any_rank() -> None:
    function = tf.function(tf.reduce_sum, input_signature=[tf.TensorSpec(None, tf.float32)])

    assert [function(tf.ones(shape)).numpy() for shape in ([], [3], [2, 2])] == [1.0, 3.0, 4.0]
    assert function.experimental_get_tracing_count() == 1


def test_the_instance_of_a_method_has_no_spec_whatever_its_name() -> None:
    class Model:
        @tf.function(input_signature=[SCALAR])
        def call(this, x: Any) -> Any:
            return x * 3.0

    assert Model().call(2.0).numpy() == 6.0
    assert Model.call(Model(), 2.0).numpy() == 6.0


def test_the_signature_can_be_asked_for() -> None:
    assert tf.function(lambda x: x, input_signature=[SCALAR]).input_signature == (SCALAR,)
    assert tf.function(lambda x: x).input_signature is None


def test_the_one_trace_can_be_had_without_arguments() -> None:
    function = tf.function(lambda x: x * 2.0, input_signature=[SCALAR])

    assert function.get_concrete_function()(tf.constant(2.0)).numpy() == 4.0


def test_a_looser_spec_than_the_signature_is_refused() -> None:
    function = tf.function(lambda x: x, input_signature=[tf.TensorSpec([2], tf.float32)])

    with pytest.raises(TypeError, match="Can not cast"):
        function.get_concrete_function(tf.TensorSpec([None], tf.float32))
    with pytest.raises(TypeError, match="Can not cast"):
        function.get_concrete_function(tf.TensorSpec([2], tf.int32))
