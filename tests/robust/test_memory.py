"""What a function takes is bounded while it lives, and goes with it."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings
from tensormill.function.traces import cache
from tests.robust.memory import make, sample


class Model:
    """Something that a function closes over."""


def test_a_dropped_function_is_freed_at_once_with_all_that_it_made():
    gc.collect()
    gc.disable()
    try:
        model, function, x = Model(), make(), tf.ones([3])
        function.model = model
        function(x, 1)
        concrete = function.get_concrete_function(x, 1)
        compiled = next(iter(concrete.callee.executable._variants.values()))
        dead = [
            weakref.ref(one) for one in (model, function, concrete, concrete.graph, compiled.module)
        ]
        del model, function, concrete, compiled
        assert [one() for one in dead] == [None] * 5
    finally:
        gc.enable()


def test_captured_constants_go_with_the_function():
    def weighted() -> tuple[Any, Any]:
        weights = tf.constant(np.arange(300_000.0))
        product = tf.function(lambda x: tf.reduce_sum(x * weights))
        return product, weakref.ref(weights)

    product, weights = weighted()
    product(tf.ones([], tf.float64))
    assert weights() is not None
    del product
    gc.collect()

    assert weights() is None


def test_a_trace_keeps_no_object_that_its_function_only_looked_at():
    model = Model()
    model.scale = 2.0  # pyright: ignore[reportAttributeAccessIssue]
    models = [model]

    @tf.function
    def scaled(x: Any) -> Any:
        return x * models[0].scale  # pyright: ignore[reportAttributeAccessIssue]

    assert float(scaled(tf.constant(3.0))) == 6.0
    dead = weakref.ref(model)
    models.clear()
    del model
    gc.collect()

    assert dead() is None
    assert float(scaled(tf.constant(4.0))) == 8.0  # the trace has what it needs


def test_an_instance_goes_while_its_class_and_its_methods_stay():
    class Layer:
        def __init__(self) -> None:
            self.v = tf.Variable(3.0)

        @tf.function
        def __call__(self, x: Any) -> Any:
            return self.v * x

    layer = Layer()
    assert float(layer(tf.constant(2.0))) == 6.0
    dead = [weakref.ref(layer), weakref.ref(layer.v)]
    del layer
    gc.collect()

    assert [one() for one in dead] == [None, None]
    assert float(Layer()(tf.constant(4.0))) == 12.0


@pytest.mark.parametrize("failing", [ValueError, KeyboardInterrupt])
def test_a_failed_trace_keeps_nothing(failing: type[BaseException]):
    seen: list[Any] = []

    @tf.function(autograph=False)
    def fails(x: Any) -> Any:
        seen.append(weakref.ref(x.graph))
        raise failing

    with pytest.raises(failing):
        fails(tf.ones([3]))
    gc.collect()

    assert [one() for one in seen] == [None]


def test_a_function_keeps_so_many_traces_and_traces_dropped_ones_again(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(cache, "LARGEST", 5)
    function, x = make(), tf.ones([2])

    results = [float(function(x, k)) for k in range(12)]

    assert results == [3.0 + k for k in range(12)]
    assert len(function.traces.cache) == 5
    assert function.traces.cache.evictions == 7
    assert "7 traces were dropped" in function.explain()
    assert function.experimental_get_tracing_count() == 12
    assert float(function(x, 11)) == 14.0  # there still
    assert function.experimental_get_tracing_count() == 12
    assert float(function(x, 0)) == 3.0  # traced again
    assert function.experimental_get_tracing_count() == 13


def test_the_trace_that_was_longest_unused_goes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache, "LARGEST", 3)
    function, x = make(), tf.ones([2])
    for k in (0, 1, 2, 0, 3):  # 3 pushes out 1
        function(x, k)

    for k in (0, 2, 3):
        function(x, k)

    assert function.experimental_get_tracing_count() == 4


def test_large_traces_of_all_functions_share_a_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache, "FEWEST", 2)
    monkeypatch.setattr(cache, "_caches", weakref.WeakSet[Any]())
    functions, x = [make(), make()], tf.ones([2])
    functions[0](x, -1)
    one = functions[0].traces.cache.size_bytes
    monkeypatch.setattr(settings, "trace_limit_bytes", 6 * one)

    for k in range(10):
        functions[0](x, k)
    functions[1](x, 0)

    total = sum(function.traces.cache.size_bytes for function in functions)
    assert total <= 6 * one
    assert [len(function.traces.cache) for function in functions] == [5, 1]


def test_constants_count_as_what_they_are():
    data = np.ones(100_000)

    @tf.function
    def f(x: Any) -> Any:
        return x + tf.constant(data)

    f(tf.ones([], tf.float64))
    graph = f.get_concrete_function(tf.ones([], tf.float64)).callee.graph
    assert cache.estimated_bytes(graph) >= sum(
        value.nbytes
        for operation in graph.operations
        for value in operation.attrs.values()
        if isinstance(value, np.ndarray)
    )


@pytest.mark.sampled(among="long lives")
def test_hundreds_of_signatures_take_no_more_than_the_cache_allows(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(cache, "LARGEST", 30)
    monkeypatch.setattr(settings, "cache_enabled", False)
    function, x = make(), tf.ones([8])
    for k in range(60):
        function(x, k)
    gc.collect()
    before = sample(0)

    for k in range(60, 310):
        function(x, k)
    gc.collect()
    after = sample(310)

    assert (after.resident - before.resident) / 250 < 5 * 1024
    assert after.maps - before.maps < 10


@pytest.mark.sampled(among="long lives")
def test_what_hundreds_of_signatures_took_is_free_again():
    function, x = make(), tf.ones([8])
    function(x, -1)
    gc.collect()
    blocks = sys.getallocatedblocks()
    for k in range(100):
        function(x, k)
    gc.collect()
    grown = sys.getallocatedblocks() - blocks

    del function
    gc.collect()

    assert sys.getallocatedblocks() - blocks < 0.1 * grown


_DROPPED = """
import gc, logging
import tensormill as tf
from tests.robust.memory import sample

logging.getLogger("tensormill").setLevel(logging.ERROR)

def traced(numbers):
    @tf.function(autograph=False)
    def function(x, k):
        for i in range(40):
            x = tf.tanh(x * (1.0 + i)) + float(k)
        return x

    for number in numbers:
        function.get_concrete_function(tf.TensorSpec([8]), number)
    return function

traced(range(5))
gc.collect()
before = sample(0).resident
function = traced(range(5, 70))
grown = sample(0).resident
del function
gc.collect()
print((grown - sample(0).resident) / (grown - before))
"""


@pytest.mark.sampled(among="long lives")
def test_memory_of_a_dropped_function_goes_back_to_the_system():
    process = [sys.executable, "-c", _DROPPED]
    done = subprocess.run(process, capture_output=True, text=True, timeout=120, check=True)

    assert float(done.stdout) > 0.8
