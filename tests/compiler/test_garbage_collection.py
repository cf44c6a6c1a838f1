from __future__ import annotations

import gc

import pytest

import tensormill as tf
from tensormill.compiler.garbage_collection import collection_paused, collection_seldom
from tensormill.compiler.translation import translate
from tensormill.graph.builder import trace_graph


def test_cycles_are_kept_until_the_block_ends() -> None:
    with collection_paused():
        assert not gc.isenabled()
        with collection_paused():
            pass
        assert not gc.isenabled()

    assert gc.isenabled()


def fail() -> None:
    with collection_paused():
        raise KeyError


def test_a_failure_ends_the_pause() -> None:
    with pytest.raises(KeyError):
        fail()

    assert gc.isenabled()


def test_a_program_that_collects_by_itself_goes_on_to() -> None:
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_trace_lets_the_collector_look_seldom() -> None:
    usual, seen = gc.get_threshold(), list[int]()

    @tf.function(autograph=False)
    def traced(x: tf.Tensor) -> tf.Tensor:
        seen.append(gc.get_threshold()[0])
        return x + 1

    traced(tf.constant(1.0))

    assert usual == gc.get_threshold()
    assert usual[0] < seen[0]


def test_what_a_program_tells_the_collector_meanwhile_stays() -> None:
    usual = gc.get_threshold()
    try:
        with collection_seldom():
            gc.set_threshold(900, 9, 9)
        assert gc.get_threshold() == (900, 9, 9)
    finally:
        gc.set_threshold(*usual)


def test_a_compile_leaves_no_cycles() -> None:
    def steps(x: tf.Tensor) -> tf.Tensor:
        for i in range(100):
            x = tf.sin(x * x) + 0.1 * i
        return x

    graph = trace_graph(steps, [tf.TensorSpec(())]).graph
    translate(graph, 1)
    gc.collect()
    with collection_paused():
        translate(graph, 1)

        assert gc.collect() < 100
