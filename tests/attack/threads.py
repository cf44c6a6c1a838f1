"""Threads, forks and tasks that use the same functions, variables, datasets and generators."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

import tensormill as tf
from tensormill.core import context
from tensormill.core.process.logs import logger

PATIENCE = 60
SHORT = 1e-5  # seconds between switches of threads
THREADS = 6

numbers = itertools.count(2)


def functions(draw: random.Random) -> None:
    """New signatures, retracing, calls within calls; variables that all add to."""
    factor, v = float(next(numbers)), tf.Variable(0, dtype=tf.int64)

    @tf.function(reduce_retracing=draw.random() < 0.5)
    def inner(x: Any) -> Any:
        v.assign_add(1)
        return tf.reduce_sum(x) * factor

    @tf.function
    def outer(x: Any, twice: bool) -> Any:
        return inner(x) + inner(x) if twice else inner(x)

    plan = [[(draw.randint(1, 3), draw.random() < 0.5) for _ in range(4)] for _ in range(THREADS)]

    def work(number: int) -> None:
        for size, twice in plan[number]:
            assert float(outer(tf.ones([size]), twice)) == size * factor * (1 + twice)

    together(work)
    assert int(v) == sum(1 + twice for one in plan for _, twice in one)


def tapes(draw: random.Random) -> None:
    """Each thread's tapes see what it does; variables are made in functions."""
    made: list[Any] = []

    @tf.function
    def squared(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(2.0))
        return made[0] * x * x

    def work(number: int) -> None:
        x = tf.constant(float(number))
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = squared(x)
            first = inner.gradient(y, x)
        assert float(first) == 4.0 * number
        assert float(outer.gradient(first, x)) == 4.0
        assert context.current.get(None) is None

    together(work)
    assert len(made) == 1


def elements(draw: random.Random) -> None:
    """One iterator for all, and iterators for each; one generator, whose numbers all differ."""
    shift = next(numbers)
    dataset = tf.data.Dataset.range(60).map(lambda x: x + shift, num_parallel_calls=2).prefetch(2)
    shared, seen = iter(dataset), list[int]()
    generator = tf.random.Generator.from_seed(shift)
    drawn: list[float] = []

    def work(number: int) -> None:
        for _ in range(10):
            seen.append(int(next(shared)))
            drawn.append(float(generator.uniform([])))
        assert [int(x) for x in dataset] == list(range(shift, 60 + shift))

    together(work)
    assert sorted(seen) == list(range(shift, 60 + shift))
    assert len(set(drawn)) == len(drawn)


def forks(draw: random.Random) -> None:
    """Children of a process whose other threads trace, call, iterate and draw."""
    stopped = threading.Event()
    v = tf.Variable(0.0)
    generator = tf.random.Generator.from_seed(1)

    def busy(number: int) -> None:
        while not stopped.is_set():
            factor = float(next(numbers))
            function = tf.function(lambda x, k=factor: x * k + v)
            assert float(function(tf.ones([])) - v) == factor
            generator.normal([2])
            assert [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x * 2)] == [0, 2, 4]

    def child() -> None:
        signal.alarm(PATIENCE)
        factor = float(next(numbers))
        function = tf.function(lambda x: x * factor + v)
        assert float(function(tf.ones([]))) == factor
        generator.normal([2])
        assert [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x + 2)] == [2, 3, 4]

    def forking(number: int) -> None:
        if number < 2:
            return busy(number)
        try:
            for _ in range(2):
                assert status_of(child) == 0
        finally:
            stopped.set()

    together(forking, threads=3)


def tasks(draw: random.Random) -> None:
    """Tasks that take turns within tapes, scopes and graphs, and hand work to threads."""
    turns = iter([draw.random() < 0.5 for _ in range(40)])
    function = tf.function(lambda x: x * x * 40.0)

    async def pause() -> None:
        if next(turns, False):
            await asyncio.sleep(0)

    async def one(number: int) -> None:
        await derived(number, function, pause)
        await built(pause)
        assert tf.executing_eagerly()

    async def main() -> None:
        await asyncio.gather(*(one(number) for number in range(5)))

    asyncio.run(main())
    assert context.current.get(None) is None


Pause = Callable[[], Coroutine[Any, Any, None]]


async def derived(number: int, function: Any, pause: Pause) -> None:
    """A tape and a scope of this task's own."""
    x = tf.constant(float(number))
    with tf.GradientTape() as tape, tf.name_scope(f"task{number}"):
        tape.watch(x)
        await pause()
        y = function(x)
        await pause()
        assert tf.get_current_name_scope() == f"task{number}"
        z = await asyncio.to_thread(lambda: x * x)
        await pause()
    assert float(tape.gradient(y, x)) == 80.0 * number
    assert float(z) == number * number
    assert tf.get_current_name_scope() == ""


async def built(pause: Pause) -> None:
    """A graph of this task's own."""
    with tf.Graph().as_default() as graph:
        await pause()
        assert tf.compat.v1.get_default_graph() is graph
        assert not tf.executing_eagerly()


KINDS: Final[dict[str, Callable[[random.Random], None]]] = {
    kind.__name__: kind for kind in (functions, tapes, elements, forks, tasks)
}


def attack(count: int, seed: int) -> list[str]:
    """Try `count` times, each kind in turn, with threads that are switched all the time."""
    found: list[str] = []
    with hurried():
        for number, name in zip(range(count), itertools.cycle(KINDS), strict=False):
            try:
                KINDS[name](random.Random(f"{seed} {number}"))
            except Exception:
                found.append(f"{name}, try {number} of seed {seed}: {traceback.format_exc()}")
    return found


@contextmanager
def hurried() -> Iterator[None]:
    interval, level = sys.getswitchinterval(), logger.level
    sys.setswitchinterval(SHORT)
    logger.setLevel("ERROR")
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        logger.setLevel(level)


def together(work: Callable[[int], None], threads: int = THREADS) -> None:
    """`work(number)` in threads that begin at once. Raises what one of them raises."""
    begin = threading.Barrier(threads)
    failures: list[BaseException] = []

    def run(number: int) -> None:
        begin.wait()
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    running = [threading.Thread(target=run, args=[k], daemon=True) for k in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(PATIENCE)
    if any(thread.is_alive() for thread in running):
        raise TimeoutError("threads wait for ever")
    if failures:
        raise failures[0]


def status_of(work: Callable[[], None]) -> int:
    """The exit status of a forked child that does `work`."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
