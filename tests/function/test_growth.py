"""A function that calls another twice, n levels deep, is n functions: nothing meets 2^n of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.autodiff.graphs.forward_and_backward import Augmentation, Replay
from tensormill.compiler.machine.stored_programs import graph_key
from tensormill.compiler.specialize import specialize, variant_key
from tensormill.function.jit_compile import refused
from tensormill.function.traces.cache import estimated_bytes
from tensormill.graph.ir import Graph
from tensormill.graph.passes.order import simplify
from tensormill.graph.verify import verify
from tests.visits import visits

DEEP = 12
FLOATS = tf.TensorSpec([3], tf.float32)


def called_twice(depth: int, of: Callable[..., Any] = tf.function) -> Any:
    """`x -> tanh(x) / 2`, called twice by a function that is called twice and so on."""
    fn = of(lambda x: tf.tanh(x) * 0.5)
    for _ in range(depth):
        fn = of(lambda x, fn=fn: fn(fn(x)) + x)
    return fn


def traced(fn: Any, spec: Any = FLOATS) -> Graph:
    return fn.get_concrete_function(spec).callee.graph


def gradient_of(fn: Any) -> Any:
    @tf.function
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = fn(x)
        return tape.gradient(y, x)

    return gradient


def tangent_of(fn: Any) -> Any:
    @tf.function
    def tangent(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = fn(x)
        return accumulator.jvp(y)

    return tangent


def specialized(graph: Graph) -> Graph:
    return specialize(graph, variant_key(graph, [np.ones(3, np.float32)]))


def called_graph(depth: int) -> Graph:
    return traced(called_twice(depth))


ANY_RANK = tf.TensorSpec(None, tf.float32)
WORK: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {
    "tracing": (called_twice, traced),
    "tracing a tangent": (lambda depth: tangent_of(called_twice(depth)), traced),
    "estimating its size": (called_graph, estimated_bytes),
    "simplifying": (called_graph, simplify),
    "verifying": (called_graph, verify),
    "printing": (called_graph, str),
    "asking what is native": (called_graph, lambda graph: [*refused(graph)]),
    "a key for the disk": (called_graph, lambda graph: graph_key(simplify(graph), 1)),
    "filling in ranks": (lambda depth: traced(called_twice(depth), ANY_RANK), specialized),
    "exporting": (called_twice, lambda fn: fn.get_concrete_function(FLOATS).graph.as_graph_def()),
}


def test_a_function_called_in_many_places_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its calls keep for the way back is as much as they are: 2^n times."""
    made: list[str] = []
    before = Augmentation.__init__

    def counted(self: Augmentation, graph: Graph, wanted: Sequence[int], replay: Replay) -> None:
        made.append(graph.name)
        before(self, graph, wanted, replay)

    monkeypatch.setattr(Augmentation, "__init__", counted)
    traced(gradient_of(called_twice(6)))

    assert len(made) == 7


@pytest.mark.sampled
@pytest.mark.parametrize("name", WORK)
def test_twice_as_deep_is_twice_the_work(name: str) -> None:
    make, work = WORK[name]
    shallow, deep = (visits(lambda: work(make(depth))) for depth in (DEEP // 2, DEEP))  # noqa: B023

    assert deep < 2.3 * shallow


def test_a_cache_knows_how_much_its_traces_take() -> None:
    fn = tf.function(lambda x: x + 1.0)
    for size in (1, 2, 3):
        fn(tf.zeros([size]))

    cache = fn.traces.cache
    assert cache.size_bytes == sum(estimated_bytes(one.callee.graph) for one in cache.all()) > 0
