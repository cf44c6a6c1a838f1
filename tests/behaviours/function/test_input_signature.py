"""One trace for all calls, whose arguments are made to fit: statements F39 to F47."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

SCALAR = tf.TensorSpec([], tf.float32)
VECTOR = tf.TensorSpec([None], tf.float32)
PAIR = tf.TensorSpec([2], tf.float32)


Pair = collections.namedtuple("Pair", "x y")


def one(x: Any) -> Any:
    return x


def two(x: Any, y: Any) -> Any:
    return x + y


def signed(body: Any, *signature: Any) -> Any:
    return tf.function(body, input_signature=signature, autograph=False)


# ---------------------------------------------------------------- when the decorator runs


@behaviour("F39")
@pytest.mark.parametrize("signature", [SCALAR, {"x": SCALAR}, 3, "x"])
def test_a_signature_is_a_tuple_or_list(signature: Any) -> None:
    with pytest.raises(TypeError, match="must be either a tuple or a list"):
        tf.function(one, input_signature=signature)


@behaviour("F39")
@pytest.mark.parametrize("signature", [[1], (None,), [[SCALAR, "x"]], [{"a": tf.float32}]])
def test_a_signature_holds_specs_alone(signature: Any) -> None:
    with pytest.raises(TypeError, match="must be a possibly nested sequence of TensorSpec objects"):
        tf.function(one, input_signature=signature)


@behaviour("F39")
def test_a_signature_holds_no_spec_of_a_variable() -> None:
    f = tf.function(lambda v: tf.constant(0))
    whole = f.get_concrete_function(tf.Variable(1.0))
    ((spec,), _) = whole.structured_input_signature

    with pytest.raises(TypeError, match="doesn't support VariableSpec"):
        signed(one, spec)


@behaviour("F40")
def test_too_many_specs_are_counted() -> None:
    with pytest.raises(TypeError, match="contains 1 extra type constraint"):
        signed(one, SCALAR, SCALAR)


@behaviour("F40")
def test_a_parameter_without_spec_and_default_is_named() -> None:
    with pytest.raises(TypeError, match="missing type constraint for y"):
        signed(two, SCALAR)


@behaviour("F40")
def test_a_keyword_only_parameter_needs_a_default() -> None:
    def keyword(x: Any, *, y: Any) -> Any:
        return x

    with pytest.raises(TypeError, match="keyword-only parameter `y` must have a default value"):
        signed(keyword, SCALAR)


# ---------------------------------------------------------------- calls


@behaviour("F41")
def test_python_values_and_arrays_are_cast_for_the_one_trace() -> None:
    f = signed(lambda x: x * 2.0, VECTOR)
    given = [[1, 2], (1.5,), np.array([1.0, 2.0]), np.array([1, 2], np.int64), tf.constant([3.0])]

    results = [f(value) for value in given]

    assert [result.dtype for result in results] == [tf.float32] * 5
    assert [result.numpy().tolist() for result in results] == [
        [2.0, 4.0], [3.0], [2.0, 4.0], [2.0, 4.0], [6.0]
    ]  # fmt: skip
    assert f.experimental_get_tracing_count() == 1


@behaviour("F41")
def test_scalars_are_cast() -> None:
    f = signed(one, SCALAR)

    assert [f(value).numpy() for value in (1, 2.5, np.int64(3))] == [1.0, 2.5, 3.0]


@behaviour("F41")
@pytest.mark.parametrize(
    "value",
    [
        tf.constant([1, 2]),
        tf.constant([1.0, 2.0], tf.float64),
        tf.constant(1.0),
        tf.ones([2, 2]),
        tf.ones([3]),
    ],
    ids=["int32", "float64", "rank 0", "rank 2", "size"],
)
def test_tensors_are_not_cast(value: Any) -> None:
    with pytest.raises(TypeError, match=r"Can not cast TensorSpec\(.* to TensorSpec\("):
        signed(one, PAIR)(value)


@behaviour("F41")
def test_strings_are_no_numbers() -> None:
    with pytest.raises(TypeError, match="Cannot convert 'a'"):
        signed(one, SCALAR)("a")


@behaviour("F41")
@pytest.mark.parametrize("value", [len, np.float32, tf.float32, object(), {1.0}, [1.0]])
def test_what_is_no_scalar_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        signed(one, SCALAR)(value)


@behaviour("F41")
@pytest.mark.parametrize("spec", [VECTOR, tf.TensorSpec([], tf.int32)])
def test_a_spec_is_no_value(spec: Any) -> None:
    with pytest.raises(TypeError, match="Can not cast"):
        signed(one, SCALAR)(spec)


@behaviour("F41")
def test_none_is_no_tensor() -> None:
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed") as failure:
        signed(one, SCALAR)(None)

    assert "unsupported type" in str(failure.value)
    assert "NoneType" in str(failure.value)


@behaviour("F42")
def test_a_variable_enters_as_its_value() -> None:
    f = signed(lambda x: x * 2.0, SCALAR)
    v = tf.Variable(4.0)
    first = f(v).numpy()
    v.assign(5.0)

    assert (first, f(v).numpy()) == (8.0, 10.0)
    assert f.experimental_get_tracing_count() == 1


@behaviour("F42")
def test_what_entered_as_a_value_cannot_be_assigned_to() -> None:
    with pytest.raises(AttributeError, match="object has no attribute") as failure:
        signed(lambda x: x.assign_add(1.0), SCALAR)(tf.Variable(4.0))

    assert "assign_add" in str(failure.value)


def scaled(x: Any, by: Any = 4.0) -> Any:
    return x * by


@behaviour("F43")
def test_a_parameter_without_spec_is_frozen_to_its_default() -> None:
    f = signed(scaled, SCALAR)

    assert [f(2.0).numpy(), f(2.0, 4.0).numpy(), f(2.0, by=4.0).numpy()] == [8.0, 8.0, 8.0]
    with pytest.raises(TypeError, match=r"Can not cast 5.0 to Literal\[4.0\]"):
        f(2.0, 5.0)
    with pytest.raises(TypeError, match=r"Literal\[4.0\]"):
        f(2.0, tf.constant(4.0))


@behaviour("F43")
def test_a_default_with_a_spec_becomes_a_tensor() -> None:
    f = signed(scaled, SCALAR, SCALAR)

    assert [f(2.0).numpy(), f(2.0, 5.0).numpy(), f(2.0, tf.constant(6.0)).numpy()] == [8, 10, 12]
    assert f.experimental_get_tracing_count() == 1


# ---------------------------------------------------------------- nests


def nested() -> Any:
    body = lambda d, items: d["a"] + items[0] * items[1]  # noqa: E731
    return signed(body, {"a": SCALAR}, [SCALAR, SCALAR])


@behaviour("F44")
def test_signatures_may_be_nested() -> None:
    f = nested()

    assert f({"a": 1}, [2.0, tf.constant(3.0)]).numpy() == 7.0
    assert f({"a": np.float64(1)}, [0, 0]).numpy() == 1.0
    assert f.experimental_get_tracing_count() == 1


@behaviour("F44")
def test_a_tuple_is_no_list() -> None:
    with pytest.raises(TypeError, match="to list type"):
        nested()({"a": 1.0}, (2.0, 3.0))


@behaviour("F44")
def test_a_named_tuple_is_a_tuple() -> None:
    f = signed(lambda pair: pair[0] - pair[1], (SCALAR, SCALAR))

    assert [f((3.0, 1.0)).numpy(), f(Pair(3.0, 2.0)).numpy()] == [2.0, 1.0]
    assert f.experimental_get_tracing_count() == 1


@behaviour("F44")
@pytest.mark.parametrize("given", [{"b": 1.0}, {"a": 1.0, "b": 1.0}, {}])
def test_keys_of_dicts_have_to_be_those_of_the_signature(given: Any) -> None:
    with pytest.raises(TypeError, match="has different keys"):
        nested()(given, [2.0, 3.0])


@behaviour("F44")
def test_lists_have_to_be_as_long_as_in_the_signature() -> None:
    with pytest.raises(TypeError, match=r"\blen"):
        nested()({"a": 1.0}, [2.0])


@behaviour("F44")
def test_keys_of_dicts_may_come_in_any_order() -> None:
    f = signed(lambda d: d["a"] - d["b"], {"b": SCALAR, "a": SCALAR})

    assert [f({"a": 3.0, "b": 1.0}).numpy(), f({"b": 1.0, "a": 5.0}).numpy()] == [2.0, 4.0]
    assert f.experimental_get_tracing_count() == 1


@behaviour("F44")
def test_no_keyword_is_accepted_by_kwargs() -> None:
    def keywords(x: Any, **kwargs: Any) -> Any:
        return x

    f = signed(keywords, SCALAR)

    assert f(1.0).numpy() == 1.0
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed") as failure:
        f(1.0, y=2.0)
    assert "unexpected keyword argument 'y'" in str(failure.value)


@behaviour("F44")
def test_varargs_take_one_spec_each() -> None:
    f = signed(lambda *args: args[0] - args[1], SCALAR, SCALAR)

    assert f(3.0, 1).numpy() == 2.0
    with pytest.raises(TypeError):
        f(3.0)
    with pytest.raises(TypeError):
        f(3.0, 2.0, 1.0)


@behaviour("F44")
@pytest.mark.parametrize("empty", [[], ()])
def test_an_empty_signature_is_a_function_without_arguments(empty: Any) -> None:
    f = tf.function(lambda: tf.constant(1), input_signature=empty)

    assert f().numpy() == 1
    with pytest.raises(TypeError, match="too many positional arguments"):
        f(1)


@behaviour("F44")
def test_a_spec_without_shape_takes_any_rank() -> None:
    f = signed(tf.reduce_sum, tf.TensorSpec(None, tf.float32))

    assert [f(tf.ones(shape)).numpy() for shape in ([], [3], [2, 2])] == [1.0, 3.0, 4.0]
    assert f.experimental_get_tracing_count() == 1


# ---------------------------------------------------------------- methods


@behaviour("F45")
def test_a_method_needs_no_spec_for_self() -> None:
    class Model:
        @tf.function(input_signature=[SCALAR])
        def call(self, x: Any) -> Any:
            return x * 3.0

    assert Model().call(2.0).numpy() == 6.0


@behaviour("F45")
@differs
def test_the_instance_of_a_method_may_have_any_name() -> None:
    class Model:
        by = 3.0

        @tf.function(input_signature=[SCALAR])
        def call(this, x: Any) -> Any:
            return x * this.by

    model = Model()

    assert [model.call(2.0).numpy(), Model.call(model, 3.0).numpy()] == [6.0, 9.0]


# ---------------------------------------------------------------- asking


@behaviour("F46")
def test_the_signature_can_be_asked_for() -> None:
    assert tf.function(one, input_signature=[SCALAR]).input_signature == (SCALAR,)
    assert tf.function(one).input_signature is None


@behaviour("F46")
def test_the_one_trace_can_be_had_without_arguments_or_with_what_can_be_cast() -> None:
    f = signed(lambda x: x * 2.0, VECTOR)
    whole = f.get_concrete_function()

    assert whole(tf.constant([2.0])).numpy().tolist() == [4.0]
    assert f.get_concrete_function(PAIR) is whole
    assert f.get_concrete_function(VECTOR) is whole
    assert f.experimental_get_tracing_count() == 1


@behaviour("F46")
@pytest.mark.parametrize(
    "spec",
    [VECTOR, tf.TensorSpec(None, tf.float32), tf.TensorSpec([2], tf.int32), tf.TensorSpec([3])],
    ids=["looser", "without shape", "dtype", "size"],
)
def test_a_spec_that_the_signature_does_not_cover_is_refused(spec: Any) -> None:
    with pytest.raises(TypeError, match="Can not cast"):
        signed(one, PAIR).get_concrete_function(spec)


@behaviour("F47")
def test_without_a_signature_arguments_have_to_be_given() -> None:
    f = tf.function(two)

    with pytest.raises(TypeError, match="missing a required argument"):
        f.get_concrete_function()
    with pytest.raises(TypeError, match="missing a required argument"):
        f.get_concrete_function(SCALAR)
