"""What can be a function, how it lives, and how it is switched off: statements F80 to F86."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

ONE = tf.constant(1.0)


class Scale:
    """Has a function of every kind that a class can have."""

    unit = 10.0

    def __init__(self, factor: float) -> None:
        self.factor = factor

    @tf.function
    def scaled(self, x: Any) -> Any:
        return x * self.factor

    @tf.function
    def __call__(self, x: Any) -> Any:
        return x + self.factor

    @staticmethod
    @tf.function
    def static(x: Any) -> Any:
        return x * 2.0

    @classmethod
    @tf.function
    def of_class(cls, x: Any) -> Any:
        return x * cls.unit

    @property
    @tf.function
    def doubled(self) -> Any:
        return self.factor * 2.0


# ---- methods


@behaviour("F80")
def test_a_method_is_one_object_for_each_instance() -> None:
    a, b = Scale(2.0), Scale(3.0)

    assert a.scaled is a.scaled
    assert a.scaled is not b.scaled
    assert (a.scaled(ONE).numpy(), b.scaled(ONE).numpy()) == (2.0, 3.0)


@behaviour("F80")
def test_each_instance_has_traces_of_its_own() -> None:
    a, b = Scale(2.0), Scale(3.0)
    for value in (ONE, tf.constant(2.0), tf.zeros([1])):
        a.scaled(value)
    b.scaled(ONE)

    assert a.scaled.experimental_get_tracing_count() == 2
    assert b.scaled.experimental_get_tracing_count() == 1
    assert Scale.scaled.experimental_get_tracing_count() == 0


@behaviour("F80")
def test_a_method_can_be_called_through_its_class() -> None:
    assert Scale.scaled(Scale(3.0), ONE).numpy() == 3.0


@behaviour("F80")
def test_functions_of_all_kinds_work_in_a_class() -> None:
    one = Scale(3.0)

    assert one.static(ONE).numpy() == 2.0
    assert Scale.static(ONE).numpy() == 2.0
    assert one.of_class(ONE).numpy() == 10.0
    assert Scale.of_class(ONE).numpy() == 10.0
    assert one.doubled.numpy() == 6.0
    assert one(ONE).numpy() == 4.0


@behaviour("F80")
def test_instances_are_collected() -> None:
    one = Scale(3.0)
    one.scaled(ONE)
    gone = weakref.ref(one)
    del one
    gc.collect()

    assert gone() is None


@behaviour("F80")
def test_attributes_that_change_after_the_trace_are_not_seen() -> None:
    one = Scale(3.0)
    one.scaled(ONE)
    one.factor = 5.0

    assert one.scaled(ONE).numpy() == 3.0


# ---- callables


def tripled(x: Any, factor: Any = 3.0) -> Any:
    return x * factor


class Adder:
    """A callable object."""

    def __call__(self, x: Any) -> Any:
        return x + 2.0

    def method(self, x: Any) -> Any:
        return x + 2.0


@behaviour("F81")
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 3.0,
        tripled,
        functools.partial(tripled, factor=3.0),
        Adder(),
        Adder().method,
        tf.function(tripled),
        lambda x: tf.function(Adder())(x),
    ],
)
def test_callables_of_all_kinds_can_be_decorated(function: Any) -> None:
    f = tf.function(function)

    assert [f(ONE).numpy() for _ in range(2)] == [3.0, 3.0]


@behaviour("F81")
def test_operations_and_builtins_can_be_decorated() -> None:
    assert tf.function(tf.add)(ONE, ONE).numpy() == 2.0
    assert tf.function(tf.nn.relu)(-ONE).numpy() == 0.0
    assert tf.function(len)([1, 2]).numpy() == 2


@behaviour("F81")
@pytest.mark.parametrize("thing", [3, "f", [1]])
def test_other_things_are_not_callable(thing: Any) -> None:
    with pytest.raises(TypeError, match="is not a callable object"):
        tf.function(thing)


@behaviour("F81")
def test_functions_of_numpy_cannot_be_traced() -> None:
    with pytest.raises(TypeError):
        tf.function(np.sin)(ONE)


@behaviour("F81")
def test_the_decorator_has_three_spellings() -> None:
    @tf.function
    def bare(x: Any) -> Any:
        return x

    @tf.function()
    def called(x: Any) -> Any:
        return x

    @tf.function(autograph=False)
    def configured(x: Any) -> Any:
        return x

    assert [f(ONE).numpy() for f in (bare, called, configured)] == [1.0] * 3


@behaviour("F81")
def test_a_decorator_under_it_is_kept_and_what_it_wraps_is_converted() -> None:
    def plus_one(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            return function(*args) + 1.0

        return wrapper

    @tf.function
    @plus_one
    def f(x: Any) -> Any:
        if x > 0.0:
            x = x * 10.0
        return x

    assert f(ONE).numpy() == 11.0
    assert f(-ONE).numpy() == 0.0
    assert f.experimental_get_tracing_count() == 1
    assert f.__name__ == "f"


# ---- nesting and recursion


@behaviour("F82")
def test_nested_functions_are_traced_once_and_called() -> None:
    runs: list[str] = []

    @tf.function
    def inner(x: Any) -> Any:
        runs.append("inner")
        return x * 2.0

    @tf.function
    def outer(x: Any) -> Any:
        runs.append("outer")
        return inner(x) + inner(x + 1.0)

    results = [outer(ONE).numpy() for _ in range(2)]
    kinds = [op.type for op in outer.get_concrete_function(ONE).graph.get_operations()]

    assert results == [6.0, 6.0]
    assert runs == ["outer", "inner"]
    assert kinds.count("PartitionedCall") + kinds.count("StatefulPartitionedCall") == 2
    assert "Mul" not in kinds


@behaviour("F82")
def test_recursion_that_python_decides_works() -> None:
    @tf.function
    def factorial(n: Any) -> Any:
        return tf.constant(1) if n <= 1 else n * factorial(n - 1)

    assert factorial(5).numpy() == 120
    assert factorial.experimental_get_tracing_count() == 5


@behaviour("F82")
def test_recursion_that_a_tensor_decides_ends_in_an_error() -> None:
    @tf.function
    def count_down(n: Any) -> Any:
        if n > 0:
            return count_down(n - 1)
        return n

    with pytest.raises(Exception, match=r"(?i)recursion"):
        count_down(tf.constant(3))


# ---- threads and memory


@behaviour("F83")
def test_threads_that_call_first_at_once_share_one_trace() -> None:
    f = tf.function(lambda x: x * 2.0)
    barrier = threading.Barrier(8)
    results: list[Any] = [None] * 8

    def call(number: int) -> None:
        barrier.wait()
        results[number] = f(tf.constant(float(number))).numpy()

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [2.0 * number for number in range(8)]
    assert f.experimental_get_tracing_count() == 1


def dropped_function() -> list[Any]:
    """Weak references to a function, its graph, and a tensor that it captured."""
    captured = tf.ones([200])
    f = tf.function(lambda x: x + tf.reduce_sum(captured))
    f(ONE)
    graph = f.get_concrete_function(ONE).graph
    return [weakref.ref(f), weakref.ref(graph), weakref.ref(captured)]


@behaviour("F84")
def test_a_dropped_function_frees_its_graph_and_what_it_captured() -> None:
    references = dropped_function()
    gc.collect()

    assert [reference() for reference in references] == [None] * 3


@behaviour("F84")
@differs
def test_a_dropped_function_is_freed_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        references = dropped_function()
        living = [reference() is not None for reference in references]
    finally:
        gc.enable()

    assert living == [False] * 3


@behaviour("F84")
def test_arguments_are_not_kept() -> None:
    f = tf.function(lambda x: x)
    argument = tf.ones([200])
    f(argument)
    gone = weakref.ref(argument)
    del argument
    gc.collect()

    assert gone() is None


# ---- running eagerly


@behaviour("F85")
def test_functions_can_run_as_plain_python() -> None:
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(x)
        return 7

    tf.config.run_functions_eagerly(True)
    results = [f(ONE) for _ in range(2)]

    assert tf.config.functions_run_eagerly()
    assert results == [7, 7]
    assert type(results[0]) is int
    assert [one is ONE for one in seen] == [True, True]
    assert f.experimental_get_tracing_count() == 0


@behaviour("F85")
def test_it_is_switched_off_again() -> None:
    f = tf.function(lambda x: 7)
    tf.config.run_functions_eagerly(True)
    tf.config.run_functions_eagerly(False)

    assert not tf.config.functions_run_eagerly()
    assert tf.is_tensor(f(ONE))
    assert f.experimental_get_tracing_count() == 1


@behaviour("F85")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_functions_of_datasets_are_traced_all_the_same() -> None:
    runs: list[bool] = []

    def double(x: Any) -> Any:
        runs.append(tf.executing_eagerly())
        return x * 2

    tf.config.run_functions_eagerly(True)
    result = [int(x) for x in tf.data.Dataset.range(3).map(double)]

    assert result == [0, 2, 4]
    assert runs == [False]


@behaviour("F85")
def test_none_means_no() -> None:
    tf.config.run_functions_eagerly(None)

    assert not tf.config.functions_run_eagerly()


# ---- options


@behaviour("F86")
@pytest.mark.parametrize("option", ["jit_compile", "experimental_compile"])
def test_compiling_works_with_variables(option: str) -> None:
    v = tf.Variable(1.0)

    @tf.function(**{option: True})
    def f(x: Any) -> Any:
        v.assign_add(x)
        return tf.sin(v) * 2.0

    assert f(ONE).numpy() == pytest.approx(2.0 * np.sin(2.0), rel=1e-6)
    assert v.numpy() == 2.0


@behaviour("F86")
def test_what_cannot_be_compiled_is_refused() -> None:
    f = tf.function(lambda x: tf.strings.length(x), jit_compile=True)

    with pytest.raises(
        tf.errors.InvalidArgumentError, match="unsupported operations when trying to compile"
    ):
        f(tf.constant("text"))


@behaviour("F86")
def test_checks_with_texts_are_compiled() -> None:
    def halved(x: Any, parts: Any) -> Any:
        tf.debugging.assert_equal(tf.shape(x)[0] % parts, 0, message="parts of unequal length")
        tf.debugging.Assert(tf.reduce_all(x >= 0.0), ["below zero:", x])
        return tf.reshape(x, [parts, -1])

    f = tf.function(halved, jit_compile=True)

    assert f(tf.range(4.0), tf.constant(2)).numpy().tolist() == [[0.0, 1.0], [2.0, 3.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="parts of unequal length"):
        f(tf.range(4.0), tf.constant(3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="below zero:"):
        f(-tf.range(4.0), tf.constant(2))


@behaviour("F86")
def test_type_hints_have_no_effect() -> None:
    def body(x: Any) -> Any:
        return x

    body.__annotations__["x"] = tf.Tensor
    f = tf.function(body, experimental_follow_type_hints=True)
    for value in (1, 2):
        f(value)

    assert f.experimental_get_tracing_count() == 2


@behaviour("F86")
def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        tf.function(tripled, colour="red")
