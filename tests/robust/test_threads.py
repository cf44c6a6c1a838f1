"""Functions and variables may be used by any number of threads, and after a fork."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings


def together(work: Callable[[int], Any], threads: int) -> list[Any]:
    """The results of `work(number)`, which all threads begin at once."""
    results: list[Any] = [None] * threads
    failures: list[BaseException] = []
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            failures.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(120)
        assert not thread.is_alive()
    if failures:
        raise failures[0]
    return results


@pytest.mark.sampled(among="threads and interrupts")
def test_cold_signatures_are_traced_once_each_by_many_threads():
    @tf.function(autograph=False)
    def scaled(x: Any, k: int) -> Any:
        return tf.reduce_sum(x * float(k)) + 1.0

    x = tf.ones([4])

    def work(number: int) -> list[float]:
        order = np.random.default_rng(number).permutation(50)
        found = {int(k): float(scaled(x, int(k))) for k in order}
        return [found[k] for k in range(50)]

    results = together(work, 32)

    assert results == [[4.0 * k + 1.0 for k in range(50)]] * 32
    assert scaled.experimental_get_tracing_count() == 50


@pytest.mark.sampled(among="threads and interrupts")
def test_different_functions_are_traced_at_once():
    def work(number: int) -> float:
        @tf.function
        def own(x: Any) -> Any:
            total = tf.constant(0.0)
            for i in tf.range(3):
                total += x * tf.cast(i, tf.float32) + number
            return total

        with tf.GradientTape() as tape:
            x = tf.constant(2.0)
            tape.watch(x)
            y = own(x)
        return float(y) + float(tape.gradient(y, x))

    assert together(work, 8) == [6.0 + 3 * number + 3.0 for number in range(8)]


def test_calls_go_on_while_another_thread_traces():
    tracing, done = threading.Event(), threading.Event()

    @tf.function(autograph=False)
    def function(x: Any) -> Any:
        if x.shape[0] == 3:
            tracing.set()
            assert done.wait(60)
        return x + 1.0

    function(tf.ones([2]))
    other = threading.Thread(target=function, args=(tf.ones([3]),))
    other.start()
    assert tracing.wait(60)

    assert function(tf.ones([2])).numpy().tolist() == [2.0, 2.0]

    done.set()
    other.join(60)
    assert function.experimental_get_tracing_count() == 2


def test_functions_that_call_each_other_may_be_traced_at_once():
    inside = threading.Barrier(2)

    def calling(name: str) -> Any:
        @tf.function(autograph=False)
        def function(x: Any, k: int) -> Any:
            if k == 1:
                inside.wait(60)
            return x if k == 0 else functions[name](x, k - 1) + 1.0

        return function

    functions = {"even": calling("odd"), "odd": calling("even")}

    results = together(lambda k: float(list(functions.values())[k](tf.constant(3.0), 1)), 2)

    assert results == [4.0, 4.0]
    assert [one.experimental_get_tracing_count() for one in functions.values()] == [2, 2]


@pytest.mark.sampled(among="threads and interrupts")
def test_many_threads_trace_functions_that_call_each_other_once_for_each_signature():
    @tf.function(autograph=False)
    def even(x: Any, k: int) -> Any:
        return x if k == 0 else odd(x, k - 1) + 1.0

    @tf.function(autograph=False)
    def odd(x: Any, k: int) -> Any:
        return x if k == 0 else even(x, k - 1) + 1.0

    x = tf.constant(0.0)

    def work(number: int) -> list[float]:
        order = np.random.default_rng(number).permutation(10)
        found = {int(k): float((even, odd)[number % 2](x, int(k))) for k in order}
        return [found[k] for k in range(10)]

    results = together(work, 16)

    assert results == [[float(k) for k in range(10)]] * 16
    assert even.experimental_get_tracing_count() == 10
    assert odd.experimental_get_tracing_count() == 10


def adds_one(v: Any) -> Callable[[], Any]:
    return tf.function(lambda: v.assign_add(tf.ones_like(v)))


def adds_one_and_calls_python(v: Any) -> Callable[[], Any]:
    def add() -> None:
        v.assign_add(tf.ones_like(v))
        tf.numpy_function(lambda: np.int32(0), [], tf.int32)

    return tf.function(add, autograph=False)


def adds_one_in_a_loop(v: Any) -> Callable[[], Any]:
    @tf.function
    def add() -> None:
        for _ in tf.range(tf.size(v) // tf.size(v)):
            v.assign_add(tf.ones_like(v))

    return add


def adds_one_eagerly(v: Any) -> Callable[[], Any]:
    return lambda: v.assign_add(np.ones(v.shape, np.int64))


@pytest.mark.sampled
@pytest.mark.parametrize("size", [1, 200_000])
@pytest.mark.parametrize(
    "made", [adds_one, adds_one_in_a_loop, adds_one_and_calls_python, adds_one_eagerly]
)
def test_additions_of_many_threads_all_count(made: Callable[[Any], Any], size: int):
    v = tf.Variable(np.zeros(size, np.int64))
    add, times = made(v), 1000 if size == 1 else 10
    add()

    together(lambda _: [add() for _ in range(times)], 8)

    assert v.numpy().tolist() == [8 * times + 1] * size


@pytest.mark.parametrize("size", [1, 50_000])
def test_additions_of_eager_and_compiled_code_do_not_mix(size: int):
    v = tf.Variable(np.zeros(size, np.int64))
    one, first = tf.ones([size], tf.int64), tf.constant([[0]])

    def scatter() -> None:
        v.scatter_nd_add(first, tf.ones([1], tf.int64))

    compiled, times = adds_one(v), 100
    compiled()
    adds = [compiled, lambda: v.assign_add(one), scatter, compiled]

    together(lambda number: [adds[number]() for _ in range(times)], 4)

    assert int(v[0]) == 4 * times + 1
    assert v.numpy()[1:].tolist() == [3 * times + 1] * (size - 1)


@pytest.mark.sampled(among="threads and interrupts")
@pytest.mark.parametrize("decorate", [lambda draw: draw, tf.function])
def test_threads_draw_different_numbers_from_one_generator(decorate: Callable[[Any], Any]):
    generator = tf.random.Generator.from_seed(1)
    draw = decorate(lambda: generator.uniform([], maxval=2**62, dtype=tf.int64))
    draw()

    drawn = together(lambda _: [int(draw()) for _ in range(100)], 6)

    assert len({number for each in drawn for number in each}) == 600


def test_nobody_sees_a_value_half_changed_and_what_was_read_stays():
    v = tf.Variable(np.zeros(200_000, np.int64))
    add = adds_one(v)
    add()
    stop = threading.Event()

    def work(number: int) -> Sequence[Any]:
        if number < 3:
            for _ in range(40):
                add()
            stop.set()
            return []
        seen: list[tuple[Any, int]] = []
        while not stop.is_set():
            tensor = v.read_value()
            value = v.numpy()
            assert value.min() == value.max()
            seen.append((tensor, int(tensor[0])))
        return seen[-3:]

    for seen in together(work, 5):
        for tensor, first in seen:
            assert np.unique(tensor.numpy()).tolist() == [first]


@pytest.mark.sampled(among="threads and interrupts")
def test_functions_are_dropped_while_others_are_made():
    def work(number: int) -> float:
        total = 0.0
        for k in range(6):
            function = tf.function(lambda x, k=k: tf.exp(x) * float(k))
            total += float(function(tf.constant(0.0)))
            del function
            gc.collect(0)
        return total

    assert together(work, 8) == [15.0] * 8


# ---------------------------------------------------------------- fork


@tf.function
def triple(x: Any) -> Any:
    return x * 3.0


@tf.function
def large(x: Any) -> Any:
    return tf.reduce_sum(tf.tanh(x))


def in_child(work: Callable[[], None]) -> int:
    """The exit status of a forked child that does `work` and nothing else."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.sampled(among="forked children")
def test_children_call_trace_and_use_threads():
    settings_before, settings.threads = settings.threads, 2
    x = tf.ones([1_000_000])
    expected = float(large(x))
    float(triple(tf.constant(1.0)))

    def work() -> None:
        assert float(triple(tf.constant(2.0))) == 6.0
        assert triple(tf.ones([2])).numpy().tolist() == [3.0, 3.0]  # a new trace
        assert float(large(x)) == expected

    statuses = [in_child(work) for _ in range(20)]
    settings.threads = settings_before

    assert statuses == [0] * 20
    assert float(large(x)) == expected


@pytest.mark.sampled(among="forked children")
def test_a_child_may_trace_what_another_thread_was_tracing():
    tracing, done = threading.Event(), threading.Event()
    patient = [True]

    @tf.function(autograph=False)
    def function(x: Any) -> Any:
        if patient:
            tracing.set()
            assert done.wait(60)
        return x + 1.0

    thread = threading.Thread(target=function, args=(tf.constant(1.0),))
    thread.start()
    assert tracing.wait(60)

    def work() -> None:
        patient.clear()
        assert float(function(tf.constant(2.0))) == 3.0

    status = in_child(work)
    done.set()
    thread.join(60)

    assert status == 0
    assert float(function(tf.constant(5.0))) == 6.0


@pytest.mark.sampled(among="forked children")
def test_children_enter_the_sections_that_other_threads_are_in():
    section = tf.CriticalSection()
    inside, done = threading.Event(), threading.Event()

    def stay() -> None:
        inside.set()
        assert done.wait(60)

    thread = threading.Thread(target=section.execute, args=(stay,))
    thread.start()
    assert inside.wait(60)

    def enter() -> None:
        signal.alarm(60)  # ends a child that waits for ever
        assert int(section.execute(lambda: tf.constant(1))) == 1

    status = in_child(enter)
    done.set()
    thread.join(60)

    assert status == 0
    assert int(section.execute(lambda: tf.constant(2))) == 2


@pytest.mark.sampled(among="forked children")
def test_a_child_drops_code_that_its_parent_keeps():
    functions = [tf.function(lambda x, k=k: x + float(k)) for k in range(20)]
    x = tf.constant(1.0)
    for function in functions:
        function(x)

    def work() -> None:
        del functions[5:]
        gc.collect()
        made = [tf.function(lambda x, k=k: x * float(k)) for k in range(10)]
        assert [float(function(x)) for function in made] == [float(k) for k in range(10)]
        assert [float(function(x)) for function in functions] == [1.0 + k for k in range(5)]

    status = in_child(work)

    assert status == 0
    assert [float(function(x)) for function in functions] == [1.0 + k for k in range(20)]


def busy(stop: threading.Event, work: Callable[[], Any]) -> threading.Thread:
    def run() -> None:
        while not stop.is_set():
            work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def check_children_of_busy_threads(works: Sequence[Callable[[], Any]], forks: int) -> None:
    """Whatever other threads do when a child is forked, it can do the same."""
    for work in works:
        work()  # imports a part of the library, which no child may find half imported
    stop = threading.Event()
    threads = [busy(stop, work) for work in works]

    def use_all() -> None:
        faulthandler.register(signal.SIGALRM, file=2, chain=True)  # tells where it waits
        signal.alarm(60)  # ends a child that waits for ever
        for work in works:
            work()

    try:
        statuses = [in_child(use_all) for _ in range(forks)]
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)

    assert statuses == [0] * forks


@pytest.mark.sampled(among="forked children")
def test_children_draw_and_iterate_as_other_threads_did():
    generator = tf.random.Generator.from_seed(1)
    numbers = tf.data.Dataset.range(1000).filter(lambda x: x >= 0).shuffle(10).repeat()
    iterator, ahead = iter(numbers), iter(numbers.prefetch(2))

    def draw() -> None:
        tf.random.normal([3])
        generator.normal([3])

    works = [draw, lambda: next(iterator), lambda: next(ahead)]
    check_children_of_busy_threads(works, forks=12)


@pytest.mark.sampled(among="forked children")
def test_children_trace_and_compile_as_other_threads_did():
    numbers = np.random.default_rng()
    counter = tf.Variable(0.0)

    def compile_new() -> None:
        function = tf.function(lambda x: counter.assign_add(x * numbers.random()))
        function(tf.constant(1.0))

    check_children_of_busy_threads([compile_new], forks=12)


def pooled(number: int) -> float:
    return float(triple(tf.constant(float(number))) + triple(tf.ones([number + 1]))[0])


@pytest.mark.sampled(among="forked children")
def test_a_pool_of_forked_processes_computes():
    triple(tf.constant(1.0))

    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map_async(pooled, range(8)).get(60)

    assert results == [3.0 * number + 3.0 for number in range(8)]
