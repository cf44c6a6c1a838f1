"""Ctrl-C stops a trace or a native loop, and everything can be used afterwards."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends

SOON = 0.05  # seconds until the signal comes
LONG = 2**40  # turns that nobody waits for


class Stopped(Exception):
    """Raised by a signal's handler."""


@contextmanager
def signal_soon(
    handler: Callable[[int, Any], None] | None = None, after: float = SOON
) -> Iterator[None]:
    """A signal while the block runs: as Ctrl-C, or for `handler`."""
    number = signal.SIGINT if handler is None else signal.SIGALRM
    before = signal.signal(number, handler or signal.default_int_handler)
    # From another thread, as a terminal's comes from outside; a timer's counts as well.
    timer = threading.Timer(after, signal.raise_signal, [number])
    main = threading.main_thread().ident
    assert main is not None
    timer.function, timer.args = signal.pthread_kill, [main, number]
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(number, before)


@contextmanager
def interrupted(within: float = 2.0) -> Iterator[None]:
    """The block ends by KeyboardInterrupt, soon after the signal."""
    started = time.monotonic()
    with signal_soon(), pytest.raises(KeyboardInterrupt):
        yield
    assert time.monotonic() - started < SOON + within


@tf.function
def collatz(start: Any, turns: Any) -> Any:
    n = start
    for _ in tf.range(turns):
        n = tf.where(n % 2 == 0, n // 2, 3 * n + 1)
    return n


def test_a_native_loop_stops():
    start = tf.constant(27, tf.int64)
    expected = collatz(start, tf.constant(10, tf.int64))

    with interrupted():
        collatz(start, tf.constant(LONG, tf.int64))

    assert int(collatz(start, tf.constant(10, tf.int64))) == int(expected)
    assert collatz.experimental_get_tracing_count() == 1


def test_nested_loops_stop_whichever_is_long():
    @tf.function
    def nested(outer: Any, inner: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in tf.range(outer):
            j = tf.constant(0, tf.int64)
            while j < inner:
                total += i ^ j
                j += 1
        return total

    few, many = tf.constant(3, tf.int64), tf.constant(LONG, tf.int64)
    nested(few, few)

    with interrupted():
        nested(many, few)
    with interrupted():
        nested(few, many)

    assert int(nested(few, few)) == 15 - 3


def test_a_loop_with_large_turns_stops():
    w = tf.constant(np.eye(200, dtype=np.float32))

    @tf.function
    def powers(x: Any, turns: Any) -> Any:
        for _ in tf.range(turns):
            x = tf.tanh(tf.matmul(w, x))
        return x

    powers(w, 1)
    with interrupted():
        powers(w, tf.constant(2**30))

    assert powers(w, tf.constant(1)).shape == (200, 200)


def test_a_variable_holds_what_was_assigned_until_then():
    v, w = tf.Variable(tf.zeros([3], tf.int64)), tf.Variable(tf.zeros([], tf.int64))

    @tf.function
    def count(turns: Any) -> Any:
        for _ in tf.range(turns):
            v.assign_add([1, 2, 3])
            w.assign_add(1)
        return v.read_value()

    count(tf.constant(2, tf.int64))
    with interrupted():
        count(tf.constant(LONG, tf.int64))

    turns = int(w)  # whole turns were made
    assert turns > 2
    assert v.numpy().tolist() == [turns, 2 * turns, 3 * turns]
    assert count(tf.constant(1, tf.int64)).numpy().tolist() == [
        turns + 1, 2 * turns + 2, 3 * turns + 3
    ]  # fmt: skip


def test_a_loop_with_tensor_arrays_stops_and_gives_back_its_memory():
    @tf.function
    def written(turns: Any) -> Any:
        rows = tf.TensorArray(tf.float32, 4)
        for i in tf.range(turns):
            rows = rows.write(0 if False else i % 4, tf.fill([1000], 1.0))
        return rows.stack()

    written(tf.constant(4))
    for _ in range(2):
        with interrupted():
            written(tf.constant(2**30))

    assert float(tf.reduce_sum(written(tf.constant(4)))) == 4000.0


def test_a_loop_that_prints_stops(capfd: pytest.CaptureFixture[str]):
    @tf.function
    def noisy(turns: Any) -> Any:
        i = tf.constant(0, tf.int64)
        while i < turns:
            if i == 1:
                tf.print("one")
            i += 1
        return i

    noisy(tf.constant(2, tf.int64))
    with interrupted():
        noisy(tf.constant(LONG, tf.int64))

    assert int(noisy(tf.constant(2, tf.int64))) == 2
    assert capfd.readouterr().err.count("one") == 3


def test_the_reference_back_end_stops():
    with backends.using("reference"):
        endless = tf.function(lambda n: tf.while_loop(lambda i: i < n, lambda i: [i + 1], [n * 0]))
        endless(tf.constant(1, tf.int64))
        with interrupted():
            endless(tf.constant(LONG, tf.int64))
        assert int(endless(tf.constant(3, tf.int64))[0]) == 3


# An interrupt that comes between native code and the `try` of a callback stops the loop, too, but
# ctypes prints it (calling/general.py).
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_loop_over_a_dataset_stops():
    numbers = tf.data.Dataset.range(LONG).map(lambda x: x * 2)

    @tf.function
    def total() -> Any:
        result = tf.constant(0, tf.int64)
        for x in numbers:
            result += x
        return result

    with interrupted():
        total()
    with interrupted():
        numbers.reduce(np.int64(0), lambda x, y: x + y)
    assert [int(x) for x in numbers.take(3)] == [0, 2, 4]


@pytest.mark.sampled(among="threads and interrupts")
def test_a_handler_that_returns_lets_the_loop_go_on():
    seen: list[int] = []
    with signal_soon(lambda number, frame: seen.append(number), after=0.1):
        result = collatz(tf.constant(27, tf.int64), tf.constant(30_000_000, tf.int64))

    assert seen == [signal.SIGALRM]
    assert int(result) in (1, 2, 4)


def test_what_a_handler_raises_comes_out_of_the_loop():
    def stop(number: int, frame: Any) -> None:
        raise Stopped("enough")

    with signal_soon(stop), pytest.raises(Stopped, match="enough"):
        collatz(tf.constant(27, tf.int64), tf.constant(LONG, tf.int64))


@pytest.mark.sampled(among="threads and interrupts")
def test_loops_in_other_threads_are_left_alone():
    results: list[int] = []

    def work() -> None:
        result = collatz(tf.constant(27, tf.int64), tf.constant(30_000_000, tf.int64))
        results.append(int(result))

    thread = threading.Thread(target=work)
    thread.start()
    with interrupted():
        wait([True])
    thread.join()

    assert results[0] in (1, 2, 4)


def test_a_trace_stops_and_the_next_call_traces_anew():
    patience = [True]

    @tf.function
    def slow(x: Any) -> Any:
        y = x * 2.0
        wait(patience)
        return y + 1.0

    with interrupted():
        slow(tf.constant(1.0))
    assert tf.executing_eagerly()
    assert slow.experimental_get_tracing_count() == 0

    patience.clear()
    assert float(slow(tf.constant(1.0))) == 3.0
    assert slow.experimental_get_tracing_count() == 1


@tf.autograph.experimental.do_not_convert
def wait(patience: list[bool]) -> None:
    while patience:
        time.sleep(0.001)


def test_a_stopped_trace_leaves_no_lock_and_no_graph_behind():
    @tf.function
    def inner(x: Any) -> Any:
        wait([True])
        return x

    @tf.function
    def outer(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 0.0, lambda: inner(x), lambda: x)
        return tape.gradient(y, x)

    with interrupted():
        outer(tf.constant(1.0))

    assert tf.executing_eagerly()
    results: list[float] = []
    thread = threading.Thread(
        target=lambda: results.append(float(tf.function(lambda x: x + 1.0)(tf.constant(1.0))))
    )
    thread.start()
    thread.join(30)
    assert results == [2.0]


# What is raised in a finalizer Python prints, and goes on.
@pytest.mark.sampled(among="threads and interrupts")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_interrupts_at_any_moment_of_tracing_do_no_harm():
    """The signal comes later and later, into tracing, lowering, LLVM, linking and running."""
    count, seen = 0, list[int]()

    def interrupt(number: int, frame: Any) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    for delay in np.linspace(0.0005, 0.12, 25):
        function = tf.function(lambda x, k=count: tf.reduce_sum(tf.exp(x) * float(k)) + x[0])
        try:
            with signal_soon(interrupt, after=float(delay)):
                function(tf.zeros([3]))
                while len(seen) <= count:
                    time.sleep(0.001)
        except KeyboardInterrupt:
            pass
        assert float(function(tf.zeros([3]))) == 3.0 * count
        count += 1


@pytest.mark.sampled(among="threads and interrupts")
def test_a_handler_that_reads_what_the_loop_changes_is_told_so():
    v = tf.Variable(tf.zeros([], tf.int64))

    @tf.function
    def count(turns: Any) -> Any:
        for _ in tf.range(turns):
            v.assign_add(1)
        return v.read_value()

    def read(number: int, frame: Any) -> None:
        raise Stopped(f"it could be read: {v.numpy()}")

    count(tf.constant(1, tf.int64))
    with (
        signal_soon(read, after=0.2),
        pytest.raises(tf.errors.FailedPreconditionError, match="interrupted"),
    ):
        count(tf.constant(LONG, tf.int64))

    assert int(v) > 0
