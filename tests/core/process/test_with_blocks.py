"""Blocks in which a context variable has another value, and signals that come at any step."""

from __future__ import annotations

import copy
import gc
import inspect
import itertools
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from contextvars import ContextVar
from typing import Any

import pytest

import tensormill as tf
from tensormill.autograph.conversion import _deep_recursion
from tensormill.compiler.garbage_collection import collection_paused, collection_seldom
from tensormill.core import context
from tensormill.core.process import blas_threads
from tensormill.core.process.with_blocks import setting
from tensormill.distribution.staging import staged_for
from tests.attack.interrupting import Interrupter

Act = Callable[[], None]

VARIABLE: ContextVar[str] = ContextVar("test", default="outside")


@pytest.fixture(autouse=True)
def at_the_begin() -> Iterator[None]:
    yield
    context.current.set(None)


def test_a_block_sets_and_restores() -> None:
    with setting(VARIABLE, "inside", gives="this") as given:
        assert (VARIABLE.get(), given) == ("inside", "this")
        with setting(VARIABLE, "within"):
            assert VARIABLE.get() == "within"
        assert VARIABLE.get() == "inside"
    assert VARIABLE.get() == "outside"


def test_what_is_raised_in_a_block_comes_out() -> None:
    with pytest.raises(ZeroDivisionError), setting(VARIABLE, "inside"):
        1 / 0  # noqa: B018
    assert VARIABLE.get() == "outside"


def interrupt_everywhere(act: Act, check: Callable[[str], None]) -> int:
    """How often a signal was raised: at each line that `act` runs and the 15 instructions after."""
    came = 0
    for instruction in range(16):
        for line in itertools.count(1):
            interrupter = Interrupter(line, instruction)
            came += interrupter.run(act)
            check(interrupter.place)
            if interrupter.lines < line:
                break
    return came


def test_an_interrupt_at_any_step_restores() -> None:
    def act() -> None:
        with setting(VARIABLE, "inside"):
            VARIABLE.get()
            VARIABLE.get()

    def check(place: str) -> None:
        assert VARIABLE.get() == "outside", place

    assert interrupt_everywhere(act, check) > 30


def enter(make: Callable[[], Any], again: Callable[[Any], Any] | None = None) -> Act:
    def act() -> None:
        with make() as given:
            context.top()
            if again is not None:
                with again(given):
                    context.top()
                context.top()

    return act


x = tf.constant(2.0)
graph = tf.Graph()
BLOCKS: dict[str, Act] = {
    "a tape": enter(tf.GradientTape),
    "a tape in a tape": enter(tf.GradientTape, again=lambda _: tf.GradientTape(persistent=True)),
    "a pause of a tape": enter(tf.GradientTape, again=tf.GradientTape.stop_recording),
    "an accumulator": enter(lambda: tf.autodiff.ForwardAccumulator(x, x)),
    "a name scope": enter(lambda: tf.name_scope("a"), again=tf.name_scope),
    "a summary scope": enter(lambda: tf.summary.experimental.summary_scope("a")),
    "a graph": enter(graph.as_default, again=lambda _: tf.device("CPU:0")),
    "a replica": enter(graph.as_default, again=lambda _: staged_for(1, "CPU:0")),
    "control inputs": enter(graph.as_default, again=lambda _: tf.control_dependencies([])),
    "a session": enter(lambda: tf.compat.v1.Session(graph=graph)),
    "a session again": enter(lambda: tf.compat.v1.Session(graph=graph), again=lambda one: one),
    "a pause of the collector": enter(collection_paused),
    "a collector that seldom looks": enter(collection_seldom),
    "room for recursion": enter(_deep_recursion),
    "one thread": enter(blas_threads._limit.block),
    "a default session": enter(lambda: tf.compat.v1.Session(graph=graph).as_default()),
}


@pytest.mark.sampled
@pytest.mark.parametrize("act", BLOCKS.values(), ids=BLOCKS)
def test_what_is_interrupted_at_any_step_is_left(act: Act) -> None:
    def check(place: str) -> None:
        assert context.current.get(None) is None, place
        assert tf.compat.v1.get_default_session() is None, place
        assert graph.devices.said == ("", (), None), place
        assert gc.isenabled(), place
        assert gc.get_threshold() == threshold, place
        assert not blas_threads._limit._inside, place
        assert sys.getrecursionlimit() == recursion, place

    recursion, threshold = sys.getrecursionlimit(), gc.get_threshold()

    assert interrupt_everywhere(act, check) > 30


@pytest.mark.sampled(among="threads and interrupts")
def test_a_tape_whose_block_was_interrupted_can_be_entered_again() -> None:
    tape, v = tf.GradientTape(), tf.Variable(3.0)

    def act() -> None:
        with tape:
            context.top()
            with tape.stop_recording():
                context.top()

    def check(place: str) -> None:
        tf.square(v)
        with tape:
            y = v * v
        assert float(tape.gradient(y, v)) == 6.0, place

    assert interrupt_everywhere(act, check) > 30


def test_a_tape_goes_on_recording_when_its_pause_was_interrupted() -> None:
    v = tf.Variable(3.0)

    with tf.GradientTape(persistent=True) as tape:

        def act() -> None:
            with tape.stop_recording():
                context.top()

        def check(place: str) -> None:
            assert float(tape.gradient(v * v, v)) == 6.0, place
            tape.reset()

        assert interrupt_everywhere(act, check) > 15


def test_blocks_are_left_in_any_order() -> None:
    first, second = tf.GradientTape(), tf.GradientTape()
    v = tf.Variable(3.0)
    first.__enter__()
    second.__enter__()
    y = v * v
    first.__exit__(None, None, None)
    z = y * v
    second.__exit__(None, None, None)
    second.__exit__(None, None, None)

    assert float(second.gradient(z, v)) == 27.0
    assert first.gradient(z, v) is None
    assert context.top().plain


def test_blocks_can_be_left_by_an_exit_stack_and_by_who_takes_the_method_from_the_class() -> None:
    v = tf.Variable(3.0)
    with ExitStack() as stack:
        tape = stack.enter_context(tf.GradientTape())
        stack.enter_context(tf.name_scope("a"))
        y = v * v
    assert context.current.get(None) is None
    assert float(tape.gradient(y, v)) == 6.0

    type(tape).__enter__(tape)
    type(tape).__exit__(tape, None, None, None)
    assert context.current.get(None) is None


def test_copies_of_blocks_that_are_entered_are_not() -> None:
    with tf.name_scope("a") as scope:
        copied = copy.deepcopy(tf.name_scope("b"))
        with copied as inner:
            pass
    with tf.GradientTape() as tape:
        other = copy.deepcopy(tape)
    assert (scope, inner) == ("a/", "a/b/")
    with pytest.raises(ValueError, match="still recording"), other:
        pass
    assert pickle.loads(pickle.dumps(tf.name_scope("c"))).name == "c"


def test_the_methods_of_blocks_are_seen() -> None:
    parameters = ["self", "kind", "error", "traceback"]
    assert parameters == [*inspect.signature(tf.GradientTape.__exit__).parameters]
    assert isinstance(tf.GradientTape(), AbstractContextManager)
    assert {"__enter__", "__exit__", "gradient", "watch"} <= {*dir(tf.GradientTape)}
    assert "read" not in dir(tf.GradientTape())
