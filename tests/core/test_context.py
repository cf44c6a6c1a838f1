"""Who gives operations their meaning."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.graph.func_graph import FuncGraph


def test_what_is_entered_is_left_even_after_an_error() -> None:
    before = context.top()
    scoped = before.replace(name_scope="a/")
    with pytest.raises(ZeroDivisionError), context.entered(scoped):
        1 / int(context.top() is not scoped)
    assert context.top() is before


def test_another_interpreter_hides_recorders() -> None:
    class Recorder:
        def record(self, application: Any) -> None: ...

    with context.entered(context.top().replace(recorders=(Recorder(),))):
        assert not context.top().plain
        with context.interpreting(FuncGraph("f")):
            assert () == context.top().recorders
            assert context.building_graph()
            with context.init_scope():
                assert context.top().plain
        assert 1 == len(context.top().recorders)


def test_threads_do_not_see_each_others_context() -> None:
    seen: list[bool] = []
    with FuncGraph("f").as_default():
        thread = threading.Thread(target=lambda: seen.append(tf.executing_eagerly()))
        thread.start()
        thread.join()

    assert [True] == seen


def test_observers_see_what_is_traced_as_well() -> None:
    seen: list[str] = []

    class Watching:
        def applied(self, application: context.Applied) -> None:
            assert application.start <= application.end
            seen.append(application.op.name)

        def called(self, function: Any, start: int, end: int) -> None:
            assert start <= end
            seen.append("call")

    watching = Watching()
    context.observe(watching)
    try:
        with context.init_scope():
            tf.constant(1) + 2
        tf.function(lambda x: x * 2, autograph=False)(tf.constant(1))
    finally:
        context.stop_observing(watching)
    tf.constant(1) - 2

    assert ["AddV2", "Mul", "Identity", "call"] == seen
    assert None is context.current.get(None)


def test_an_observer_that_stops_in_a_block_has_stopped_behind_it() -> None:
    seen: list[str] = []

    class Watching:
        def applied(self, application: context.Applied) -> None:
            seen.append(application.op.name)

        def called(self, function: Any, start: int, end: int) -> None: ...

    watching = Watching()
    context.observe(watching)
    with tf.name_scope("within"), tf.GradientTape():
        tf.constant(1) + 2
        context.stop_observing(watching)
    tf.constant(1) - 2

    assert ["AddV2"] == seen
    assert context.top().plain
    context.current.set(None)
