"""What may be decorated, and methods."""

from __future__ import annotations

import functools
import gc
import inspect
import threading
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

    @staticmethod
    @tf.function
    def fixed(x: Any) -> Any:
        return x + 1.0

    @classmethod
    @tf.function
    def made(cls, x: Any) -> Any:
        return x + 2.0

    @property
    @tf.function
    def value(self) -> Any:
        return self.factor + 1.0

    @tf.function
    def __call__(self, x: Any) -> Any:
        return x - self.factor


def test_each_instance_has_traces_of_its_own() -> None:
    two, three = Model(2.0), Model(3.0)

    assert (two.scale(TWO).numpy(), three.scale(TWO).numpy()) == (4.0, 6.0)
    assert two.scale.experimental_get_tracing_count() == 1
    assert Model.scale.experimental_get_tracing_count() == 0


def test_a_method_is_the_same_object_each_time() -> None:
    model = Model(2.0)

    assert model.scale is model.scale
    model.scale(TWO)
    model.scale(TWO)
    assert model.scale.experimental_get_tracing_count() == 1


def test_a_method_of_a_temporary_works() -> None:
    assert Model(3.0).scale(TWO).numpy() == 6.0


def test_a_method_can_be_called_through_its_class() -> None:
    assert Model.scale(Model(2.0), TWO).numpy() == 4.0


def test_static_class_property_and_call() -> None:
    model = Model(2.0)

    assert Model.fixed(ONE).numpy() == 2.0
    assert model.fixed(ONE).numpy() == 2.0
    assert Model.made(ONE).numpy() == 3.0
    assert model.value.numpy() == 3.0
    assert model(TWO).numpy() == 0.0


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


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + 1.0,
        functools.partial(lambda y, x: x + y, 1.0),
        Model(0.0).scale.python_function,
        tf.abs,
        tf.function(lambda x: x),
        Model(1.0),
    ],
)
def test_callables_of_all_kinds_can_be_decorated(function: Any) -> None:
    assert tf.function(function)(TWO).numpy() == function(TWO).numpy()


def test_len_can_be_decorated() -> None:
    assert tf.function(len)([ONE, TWO]).numpy() == 2


def test_a_partial_has_no_name() -> None:
    assert not hasattr(tf.function(functools.partial(max, 1)), "__name__")


def test_other_things_cannot_be_decorated() -> None:
    with pytest.raises(TypeError, match="3 is not a callable object"):
        tf.function(3)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError):
        tf.function(lambda x: x, unknown=1)  # type: ignore[call-arg]


def test_the_decorator_has_three_spellings() -> None:
    def body(x: Any) -> Any:
        return x * 2.0

    for made in (tf.function(body), tf.function()(body), tf.function(autograph=False)(body)):
        assert made(TWO).numpy() == 4.0


def test_nested_functions_are_called_not_copied() -> None:
    inner = tf.function(lambda x: x * 2.0)

    @tf.function
    def outer(x: Any) -> Any:
        return inner(x) + inner(x + 1.0)

    assert outer(ONE).numpy() == 6.0
    assert inner.experimental_get_tracing_count() == 1
    kinds = [op.type for op in outer.get_concrete_function(ONE).graph.get_operations()]
    assert kinds.count("PartitionedCall") == 2


def test_recursion_on_python_values_works() -> None:
    @tf.function(autograph=False)
    def factorial(n: int) -> Any:
        return tf.constant(1) if n <= 1 else n * factorial(n - 1)

    assert factorial(5).numpy() == 120
    assert factorial.experimental_get_tracing_count() == 5


def test_recursion_decided_by_a_tensor_ends_in_an_error() -> None:
    @tf.function
    def endless(x: Any) -> Any:
        if x > 0.0:
            return endless(x - 1.0)
        return x

    with pytest.raises(RecursionError):
        endless(ONE)


def test_threads_share_one_trace() -> None:
    traces = []
    started = threading.Barrier(8)

    @tf.function(autograph=False)
    def doubled(x: Any) -> Any:
        traces.append(None)
        return x * 2.0

    results: list[Any] = []

    def run(value: float) -> None:
        started.wait()
        results.append(doubled(tf.constant(value)).numpy() == value * 2.0)

    threads = [threading.Thread(target=run, args=(float(k),)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [True] * 8
    assert len(traces) == 1


def with_captured(big: Any) -> Any:
    return tf.function(lambda x: x + tf.reduce_sum(big), autograph=False)


def test_a_dropped_function_frees_what_it_captured_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        big = tf.ones([1000])
        reference = weakref.ref(big)
        function = with_captured(big)
        function(ONE)
        graph = weakref.ref(function.get_concrete_function(ONE).graph)
        del function, big
        assert graph() is None
        assert reference() is None
    finally:
        gc.enable()


def test_arguments_are_not_kept_alive() -> None:
    function = tf.function(lambda x: x * 2.0)
    x = tf.ones([1000])
    function(x)
    reference = weakref.ref(x)
    del x

    assert reference() is None


def test_functions_can_run_as_plain_python() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        calls.append(x)
        return 5

    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert [f(ONE), f(ONE)] == [5, 5]
    finally:
        tf.config.run_functions_eagerly(False)

    assert len(calls) == 2
    assert f.experimental_get_tracing_count() == 0
    assert f(ONE).numpy() == 5


def test_a_function_is_copied_without_its_traces_and_not_pickled() -> None:
    import copy
    import pickle

    f = tf.function(lambda x: x)
    f(ONE)
    other = copy.deepcopy(f)

    assert [0, 1] == [g.experimental_get_tracing_count() for g in (other, f)]
    assert 1.0 == float(other(ONE))
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(f)


def test_jit_compile_compiles_or_says_why_not() -> None:
    v = tf.Variable(1.0)
    numbers = tf.function(lambda x: v.assign_add(x), jit_compile=True)
    strings = tf.function(lambda x: x + "b", jit_compile=True)

    assert numbers(ONE).numpy() == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="unsupported operations when trying"):
        strings(tf.constant("a"))


def test_the_report_names_the_steps_in_python() -> None:
    @tf.function
    def greet(name: Any, x: Any) -> Any:
        return "hello " + name, x * 2.0

    greet(tf.constant("you"), ONE)
    report = greet.report()

    assert len(report.traces) == 1
    assert [callback.operation.op.name for callback in report.callbacks] == ["Add"]
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
