"""Gradients that `gradient_override_map` says for types of operations, in functions: I10."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.gradients.derivatives import derivative, gradient_of
from tests.behaviours.library import behaviour, tf

tf.RegisterGradient("OverriddenTripled")(lambda op, dy, *others: 3.0 * dy)
tf.RegisterGradient("OverriddenByValues")(lambda op, dy: 10.0 * dy * op.inputs[0] * op.outputs[0])
tf.RegisterGradient("OverriddenTwice")(lambda op, dy: (dy, dy))
tf.no_gradient("OverriddenByNone")


def overridden(types: Any, function: Any) -> Any:
    def body(x: Any) -> Any:
        with tf.compat.v1.get_default_graph().gradient_override_map(types):
            return function(x)

    return body


tripled = overridden({"Square": "OverriddenTripled"}, tf.square)
by_values = overridden({"Square": "OverriddenByValues"}, tf.square)


@behaviour("I10")
@pytest.mark.parametrize(
    "way", [lambda f: derivative(tf.function(f)), lambda f: tf.function(derivative(tf.function(f)))]
)
def test_a_function_is_differentiated_by_what_overrides(way: Any):
    assert 3.0 == float(way(tripled)(tf.constant(2.0)))


@behaviour("I10")
def test_a_tape_within_the_function_asks_the_operation_itself():
    assert 4.0 == float(tf.function(derivative(tripled))(tf.constant(2.0)))


@behaviour("I10")
def test_tf_gradients_within_the_function_obey_it():
    found = tf.function(lambda x: tf.gradients(tripled(x), x))(tf.constant(2.0))
    assert [3.0] == [float(one) for one in found]


@behaviour("I10")
@pytest.mark.parametrize("nested", [False, True])
def test_derivatives_of_derivatives_obey_it(nested: bool):
    second = derivative(derivative(tf.function(by_values)))
    assert 1640.0 == float((tf.function(second) if nested else second)(tf.constant(2.0)))


@behaviour("I10")
def test_branches_and_loops_obey_what_is_said_within():
    loop = lambda x: tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, tripled(a)), [0, x])[1]  # noqa: E731
    branch = lambda x: tf.cond(x > 0.0, lambda: tripled(x), lambda: x)  # noqa: E731
    many = lambda x: tf.map_fn(tripled, tf.stack([x, x]))  # noqa: E731

    x = tf.constant(2.0)
    assert [9.0, 3.0, 6.0] == [float(tf.function(derivative(f))(x)) for f in (loop, branch, many)]


@behaviour("I10")
def test_bodies_and_called_functions_do_not_inherit_it():
    loop = lambda x: tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, a * a), [0, x])[1]  # noqa: E731
    branch = lambda x: tf.cond(x > 0.0, lambda: tf.square(x), lambda: x)  # noqa: E731
    call = tf.function(tf.square)
    types = {one: "OverriddenTripled" for one in ("Square", "Mul", "PartitionedCall")}
    found = [derivative(tf.function(overridden(types, f))) for f in (loop, branch, call)]

    assert [32.0, 4.0, 4.0] == [float(f(tf.constant(2.0))) for f in found]


@behaviour("I10")
@pytest.mark.parametrize(
    ("kind", "function", "expected"),
    [
        ("StopGradient", tf.stop_gradient, 3.0),
        ("Round", tf.round, 3.0),
        ("Exp", tf.square, 4.0 * 4.0),
    ],
)
def test_any_type_of_operation_may_be_overridden(kind: str, function: Any, expected: float):
    types = {"StopGradient": "OverriddenTripled", "Round": "OverriddenTripled", "Square": "Exp"}
    body = overridden(types, lambda x: function(x) * 4.0 if kind == "Exp" else function(x))
    assert expected == float(derivative(tf.function(body))(tf.constant(2.0)))


@behaviour("I10")
def test_a_read_of_a_variable_may_be_overridden():
    v = tf.Variable(3.0)
    body = tf.function(overridden({"ReadVariableOp": "OverriddenTripled"}, lambda x: v * x))
    with tf.GradientTape() as tape:
        y = body(tf.constant(2.0))
    assert 6.0 == float(tape.gradient(y, v))


@behaviour("I10")
def test_results_that_nobody_uses_have_zeros():
    tf.RegisterGradient("OverriddenSplit")(
        lambda op, first, second: (None, tf.concat([first + 1.0, second * 5.0], 0))
    )
    body = overridden(
        {"Split": "OverriddenSplit"}, lambda x: tf.split(tf.stack([x, x * 2.0]), 2)[1]
    )
    assert 11.0 == float(derivative(tf.function(body))(tf.constant(2.0)))


@behaviour("I10")
def test_forward_mode_obeys_it():
    x, function = tf.constant(2.0), tf.function(tripled)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = function(x)
    assert 3.0 == float(accumulator.jvp(y))


@behaviour("I10")
def test_the_innermost_map_counts():
    def body(x: Any) -> Any:
        inner = overridden({"Square": "OverriddenByValues"}, lambda x: tf.square(x) + tf.exp(x))
        types = {"Square": "OverriddenTripled", "Exp": "OverriddenTripled"}
        return overridden(types, lambda x: inner(x) + tf.square(x))(x) + tf.square(x)

    assert 80.0 + 3.0 + 3.0 + 4.0 == float(derivative(tf.function(body))(tf.constant(2.0)))


@behaviour("I10")
def test_operations_know_the_name():
    graph = tf.function(tripled).get_concrete_function(tf.constant(2.0)).graph
    (square,) = (one for one in graph.get_operations() if one.type == "Square")
    (node,) = (one for one in graph.as_graph_def().node if one.op == "Square")

    assert b"OverriddenTripled" == square.get_attr("_gradient_op_type")
    assert b"OverriddenTripled" == node.attr["_gradient_op_type"].s


@behaviour("I10")
def test_what_is_imported_into_a_function_brings_it_along():
    saved = tf.function(tripled).get_concrete_function(tf.constant(2.0)).graph.as_graph_def()
    body = tf.function(lambda x: tf.graph_util.import_graph_def(saved, {"x": x}, ["Square:0"])[0])
    assert 3.0 == float(derivative(body)(tf.constant(2.0)))


@behaviour("I10")
def test_nothing_is_refused_before_a_gradient_is_asked_for():
    function = tf.function(overridden({"Square": "NobodyKnowsThisName"}, tf.square))
    x = tf.constant(2.0)

    assert 4.0 == float(function(x))
    with pytest.raises(LookupError, match="No gradient defined"):
        derivative(function)(x)


@behaviour("I10")
def test_the_number_of_gradients_has_to_fit():
    function = tf.function(overridden({"Square": "OverriddenTwice"}, tf.square))
    with pytest.raises(ValueError, match="Num gradients 2 generated for"):
        derivative(function)(tf.constant(2.0))


@behaviour("I10")
def test_it_may_say_that_there_is_none():
    function = tf.function(overridden({"Square": "OverriddenByNone"}, tf.square))
    assert derivative(function)(tf.constant(2.0)) is None


@behaviour("I10")
@pytest.mark.parametrize("wrong", [3, {3: "a"}, {"a": 3}])
def test_maps_in_functions_are_of_names(wrong: Any):
    with pytest.raises(TypeError, match="mapping strings"):
        tf.function(overridden(wrong, tf.square))(tf.constant(1.0))


@behaviour("I10")
@pytest.mark.parametrize("gradients", [False, True])
def test_a_saved_function_is_differentiated_by_the_name(tmp_path: Any, gradients: bool):
    module = tf.Module()
    module.f = tf.function(tripled, input_signature=[tf.TensorSpec([], tf.float32)])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=gradients)
    tf.saved_model.save(module, str(tmp_path), options=options)

    (found,) = gradient_of(tf.saved_model.load(str(tmp_path)).f, tf.constant(2.0))
    assert 3.0 == float(found)
