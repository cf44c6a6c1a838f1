"""Variables of a traced function: created, captured, changed."""

from __future__ import annotations

import collections
from contextlib import nullcontext
from typing import Any, cast

import pytest

import tensormill as tf
from tensormill.core import context
from tests.visits import visits


def test_a_later_trace_may_not_create() -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if x.dtype == tf.float32 and not made:
            made.append(tf.Variable(1.0))
        return x

    f(tf.constant(1))
    with pytest.raises(ValueError, match="Creating variables on a non-first call"):
        f(tf.constant(1.0))


class Layers:
    """Layers that make a variable each on the first call, starting at `initial` of its input."""

    def __init__(self, count: int, initial: Any) -> None:
        self.count = count
        self.initial = initial
        self.made: list[Any] = []

    def __call__(self, x: Any) -> Any:
        is_first = not self.made
        for number in range(self.count):
            if is_first:
                self.made.append(tf.Variable(self.initial(x)))
            x = tf.tanh(x + self.made[number])
        return x


def eager_runs(monkeypatch: pytest.MonkeyPatch, call: Any) -> collections.Counter[str]:
    """How often `call` runs operations at once, by their names."""
    counts: collections.Counter[str] = collections.Counter()
    interpreter = context.base.interpreter
    apply = interpreter.apply

    def counting(op: Any, *rest: Any) -> Any:
        counts[op.name] += 1
        return apply(op, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(interpreter, "apply", counting)
        call()
    return counts


def test_variables_that_start_at_what_a_network_computes_run_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layers = Layers(12, lambda x: tf.reduce_mean(x, 0))

    counts = eager_runs(monkeypatch, lambda: tf.function(layers)(tf.ones([2, 3])))

    assert counts["Tanh"] == 11
    assert counts["Mean"] == 12


def test_so_do_layers_that_are_functions_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = [tf.function(Layers(1, lambda x: tf.reduce_mean(x, 0))) for _ in range(12)]

    @tf.function
    def network(x: Any) -> Any:
        for layer in layers:
            x = layer(x)
        return x

    counts = eager_runs(monkeypatch, lambda: network(tf.ones([2, 3])))

    assert counts["Tanh"] == 11
    assert counts["Mean"] == 12


@pytest.mark.parametrize(
    "initial",
    [tf.zeros_like, lambda x: tf.ones([x.shape[1]]), lambda x: tf.zeros([tf.shape(x)[1]])],
)
def test_variables_that_start_at_a_shape_run_nothing_of_the_network(
    initial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    layers = Layers(12, lambda x: initial(tf.reduce_mean(x, 0, keepdims=True)))
    signature = [tf.TensorSpec([None, 3])]
    network = tf.function(layers, input_signature=signature)

    counts = eager_runs(monkeypatch, lambda: network(tf.ones([2, 3])))

    assert counts["Tanh"] == counts["Mean"] == 0
    assert 12 == len(layers.made)


def test_what_a_network_changes_is_looked_for_once() -> None:
    """Each initial value reads the variables before: none may have been assigned until then."""

    def steps(count: int) -> int:
        layers = Layers(count, lambda x: tf.reduce_mean(x, 0))

        @tf.function(autograph=False)
        def traced(x: Any) -> Any:
            layers(x)
            raise LookupError("that is all")

        def run() -> None:
            with pytest.raises(LookupError, match="that is all"):
                traced(tf.ones([2, 3]))

        return visits(run)

    steps(2)
    assert steps(80) < 2.1 * steps(40)


def test_a_trace_keeps_nothing_of_what_was_computed_ahead_of_it() -> None:
    graphs: list[Any] = []

    @cast("Any", tf.function)
    def f(x: Any) -> Any:
        graphs.append(x.graph)
        if len(graphs) == 1:
            f.variable = tf.Variable(x * 2.0)
            assert graphs[0].lifted
        return f.variable + x

    f(tf.ones([3]))

    assert [((), {})] * len(graphs) == [(graph.arguments, graph.lifted) for graph in graphs]


def test_what_python_holds_of_a_variable_does_not_change() -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign_add([1.0, 1.0]))
    step()
    before = v.read_value()
    step()

    assert before.numpy().tolist() == [2.0, 3.0]
    assert v.numpy().tolist() == [3.0, 4.0]


@pytest.mark.parametrize("lifted", [False, True])
def test_the_innermost_function_that_makes_a_variable_is_traced_twice(lifted: bool) -> None:
    # As in TensorFlow; Nadam of Keras 2 counts in Python how often it is traced.
    traces: list[str] = []
    made: list[Any] = []

    @tf.function
    def inner(x: Any) -> Any:
        traces.append("inner")
        if not made:
            with tf.init_scope() if lifted else nullcontext():
                made.append(tf.Variable(2.0))
        return x * made[0]

    @tf.function
    def outer(x: Any) -> Any:
        traces.append("outer")
        return inner(x)

    assert float(outer(tf.constant(3.0))) == 6.0
    assert ["outer", "inner", "inner"] == traces


def test_a_concrete_function_keeps_the_variables_that_it_captured() -> None:
    def make() -> Any:
        v = tf.Variable(2.0)
        return tf.function(lambda: v * 2.0).get_concrete_function()

    assert make()().numpy() == 4.0


def test_a_variable_that_is_an_argument_and_captured_is_one_variable() -> None:
    shared = tf.Variable(1.0)

    @tf.function
    def twice(v: Any) -> Any:
        v.assign_add(1.0)
        shared.assign_add(10.0)
        return v.read_value(), shared.read_value()

    other = tf.Variable(100.0)
    results = [twice(other), twice(shared), twice(other), twice(shared)]

    assert [tuple(x.numpy() for x in pair) for pair in results] == [
        (101.0, 11.0), (22.0, 22.0), (102.0, 32.0), (43.0, 43.0)
    ]  # fmt: skip


def assigned(v: Any) -> Any:
    return v.assign_add(1.0) * 2.0


def read_after(v: Any) -> Any:
    v.assign_add(1.0)
    return v.read_value() * 2.0


def read_after_a_branch(v: Any) -> Any:
    tf.cond(v > 0.0, lambda: v.assign_add(1.0), lambda: v)
    return v * 2.0


def read_within(v: Any) -> Any:
    v.assign_add(1.0)
    return tf.function(lambda: v * 2.0)()


@pytest.mark.parametrize("initial", [assigned, read_after, read_after_a_branch, read_within])
def test_no_variable_starts_at_what_another_is_no_more(initial: Any) -> None:
    v, made = tf.Variable(1.0), list[Any]()

    @tf.function
    def function() -> Any:
        if not made:
            made.append(tf.Variable(initial(v)))
        return made[0] + 0.0

    with pytest.raises(ValueError, match=r"depends on another variable that the function.*changes"):
        function()
    assert v.numpy() == 1.0


def test_a_variable_may_start_at_another_that_changes_later() -> None:
    v, made = tf.Variable(1.0), list[Any]()

    @tf.function
    def function() -> Any:
        if not made:
            made.append(tf.Variable(v * 2.0))
        v.assign_add(1.0)
        return made[0] + v

    assert [function().numpy(), function().numpy()] == [4.0, 5.0]
