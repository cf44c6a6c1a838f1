"""Threads of datasets: they end, they pass on errors, and a forked process makes its own."""

from __future__ import annotations

import gc
import itertools
import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.native.threads import work_beside
from tensormill.config import settings
from tensormill.data.nodes import buffering, parallel_calls
from tensormill.data.nodes.buffering import AUTOTUNED, Prefetched
from tensormill.data.nodes.parallel_calls import CallsAhead, Pace
from tensormill.eager.tensor import wrap

from .test_elements import contents

Dataset = tf.data.Dataset


def workers() -> list[threading.Thread]:
    names = ("tensormill-prefetch", "tensormill-map")
    return [thread for thread in threading.enumerate() if thread.name.startswith(names)]


def wait_for_the_end_of_threads() -> None:
    gc.collect()
    for worker in workers():
        worker.join(10.0)


@pytest.fixture(autouse=True)
def no_threads_are_left() -> Iterator[None]:
    yield
    wait_for_the_end_of_threads()

    assert [] == workers()


def counted() -> Any:
    """Elements that are no rows of a table, so that they are computed by a thread."""
    return Dataset.range(100).filter(lambda x: x >= 0)


def test_elements_are_computed_ahead() -> None:
    seen, enough = list[int](), threading.Event()

    def remember(x: Any) -> Any:
        seen.append(int(x))
        if len(seen) == 6:
            enough.set()
        return x

    dataset = counted().map(lambda x: tf.py_function(remember, [x], tf.int64)).prefetch(5)
    iterator = iter(dataset)
    next(iterator)
    enough.wait(10.0)

    assert [0, 1, 2, 3, 4, 5] == seen[:6]
    assert 7 > len(seen)


def test_nothing_is_lost_or_changed() -> None:
    assert list(range(100)) == contents(counted().prefetch(3))
    assert list(range(100)) == contents(counted().prefetch(0).prefetch(-1).prefetch(1))


def test_an_iterator_that_is_dropped_half_way_leaves_no_thread() -> None:
    iterator = iter(counted().prefetch(2))
    next(iterator)

    assert 1 == len(workers())
    del iterator
    wait_for_the_end_of_threads()
    assert [] == workers()


def test_no_thread_starts_before_the_first_element() -> None:
    iterator = iter(counted().prefetch(2))

    assert [] == workers()
    assert iterator is not None


@pytest.mark.parametrize("ordered", [True, False])
def test_an_element_that_fails_before_takes_no_result_with_it(ordered: bool) -> None:
    def tested(n: int) -> Any:
        if n % 6 in (2, 4):
            raise ValueError("it is wrong")
        return (wrap(np.array(n)),)

    found, calls = list[Any](), CallsAhead(lambda one: one, map(tested, range(14)), 3, ordered)
    for _ in range(14):
        try:
            found.append(int(next(calls)[0]))
        except ValueError:
            found.append("wrong")

    expected = [n if n % 6 not in (2, 4) else "wrong" for n in range(14)]
    assert sorted(expected, key=str) == sorted(found, key=str)
    assert expected == found or not ordered
    assert next(calls, None) is None


def test_errors_reach_the_consumer_and_the_rest_follows() -> None:
    def checked(x: Any) -> Any:
        tf.debugging.assert_none_equal(x, tf.constant(1, tf.int64), message="one is wrong")
        return x

    iterator = iter(counted().map(checked).prefetch(4))

    assert 0 == next(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError, match="one is wrong"):
        next(iterator)
    assert 2 == next(iterator)


def test_where_no_thread_begins_the_consumer_computes_all(monkeypatch: Any) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)

    assert list(range(100)) == contents(counted().prefetch(3))
    assert list(range(100)) == contents(counted().map(lambda x: x, num_parallel_calls=3))


def test_calls_are_made_at_once_by_threads_that_another_thread_begins(monkeypatch: Any) -> None:
    beginners: set[int | None] = set()
    start = threading.Thread.start

    def noted(thread: threading.Thread) -> None:
        beginners.add(threading.get_ident())
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", noted)
    together = threading.Barrier(3)

    def meet(x: Any) -> Any:
        together.wait(10.0)
        return x

    mapped = Dataset.range(6).map(
        lambda x: tf.py_function(meet, [x], tf.int64), num_parallel_calls=3
    )

    assert list(range(6)) == contents(mapped)
    assert beginners
    assert threading.main_thread().ident not in beginners


@pytest.mark.parametrize(
    "made",
    [counted, lambda: counted().batch(1).prefetch(2).unbatch(), lambda: counted().prefetch(1)],
)
def test_a_pass_that_was_interrupted_does_not_seem_to_end(made: Any) -> None:
    interrupted: list[int] = []

    def interrupt(x: Any) -> Any:
        if x == 7 and not interrupted:
            interrupted.append(7)
            raise KeyboardInterrupt
        return x

    dataset = made().map(lambda x: tf.py_function(interrupt, [x], tf.int64)).ignore_errors()
    iterator = iter(dataset)
    with pytest.raises(KeyboardInterrupt):
        list(iterator)

    for _ in range(2):
        with pytest.raises(tf.errors.FailedPreconditionError, match="was interrupted"):
            next(iterator)
    assert 100 == len(list(dataset))


def test_many_threads_share_an_iterator() -> None:
    iterator = iter(counted().prefetch(4))
    found: list[int] = []

    def drain() -> None:
        found.extend(int(x) for x in iterator)

    threads = [threading.Thread(target=drain) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert list(range(100)) == sorted(found)


def test_a_parallel_map_leaves_no_thread() -> None:
    dataset = Dataset.range(100).map(
        lambda x: tf.py_function(lambda y: y, [x], tf.int64), num_parallel_calls=4
    )
    iterator = iter(dataset)

    assert 0 == next(iterator)
    del iterator


def ahead(deterministic: bool) -> Any:
    def same(x: Any) -> Any:
        return tf.py_function(lambda y: y, [x], tf.int64)

    return counted().map(same, num_parallel_calls=3, deterministic=deterministic)


@pytest.mark.parametrize(
    "made",
    [
        counted,
        lambda: counted().prefetch(2).prefetch(2),
        lambda: ahead(True),
        lambda: ahead(True).prefetch(2),
    ],
)
def test_a_forked_process_goes_on_by_itself(made: Any) -> None:
    iterator = iter(made())
    assert 0 == next(iterator)
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.write(writer, bytes(int(x) for x in iterator))
        os._exit(0)
    os.close(writer)
    os.waitpid(process, 0)
    with os.fdopen(reader, "rb") as pipe:
        received = list(pipe.read())

    assert list(range(1, 100)) == received == [int(x) for x in iterator]


def test_as_much_is_fetched_ahead_as_is_asked_for() -> None:
    asked: list[Any] = [
        tf.data.Dataset.range(3).prefetch(size).node for size in (tf.data.AUTOTUNE, 0, 5)
    ]

    assert [AUTOTUNED, 0, 5] == [node._size for node in asked]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_call_that_no_thread_has_begun_is_made_by_whoever_wants_it(
    monkeypatch: pytest.MonkeyPatch, ordered: bool
) -> None:
    monkeypatch.setattr(parallel_calls, "start_thread", lambda thread: None)  # it never begins
    makers = []

    def call(element: Any) -> Any:
        makers.append(threading.current_thread())
        if element == (2,):
            raise ValueError("no twos")
        return element

    found = CallsAhead(call, iter([(1,), (2,), (3,)]), 2, ordered)

    assert (1,) == next(found)
    with pytest.raises(ValueError, match="no twos"):
        next(found)
    assert [(3,)] == list(found)
    assert [threading.current_thread()] * 3 == makers


def test_calls_know_how_many_are_made_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "threads", 2)

    def company(_element: Any) -> Any:
        before = work_beside(0)
        work_beside(before)
        return (before,)

    calls = CallsAhead(company, iter([(k,) for k in range(20)]), calls=3, ordered=True)

    assert list(calls) == [(3,)] * 20
    assert company(()) == (0,)


def test_calls_are_made_once_and_in_order_by_many_threads() -> None:
    made: list[Any] = []

    def call(element: Any) -> Any:
        made.append(element)
        return element

    elements = [(k,) for k in range(500)]

    assert elements == list(CallsAhead(call, iter(elements), 4, ordered=True))
    assert elements == sorted(made)


@pytest.mark.parametrize(
    ("more", "size", "taken"), [(0, 8, 2), (6, 8, 8), (6, 16 << 20, 6), (6, 100 << 20, 2)]
)
def test_as_many_elements_are_taken_as_results_may_wait(more: int, size: int, taken: int) -> None:
    given: list[int] = []

    def elements() -> Any:
        for k in range(20):
            given.append(k)
            yield (k,)

    result = (wrap(np.empty(size, np.uint8)),)
    found = CallsAhead(lambda _: result, elements(), 2, True, more)

    next(found)
    assert 1 + taken == len(given)  # one was taken, and its place filled
    assert [result] * 19 == list(found)


def test_short_calls_are_made_by_whoever_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 1e-5  # that a call takes
    ticks = itertools.count()
    monkeypatch.setattr(parallel_calls, "perf_counter", lambda: next(ticks) * seconds)
    elements = [(wrap(np.array(k)),) for k in range(500)]
    pace = Pace()
    calls = CallsAhead(lambda element: element, iter(elements), 2, True, 6, pace)

    found = list(itertools.islice(calls, 100))
    assert pace.alone
    seconds = 1e-3
    found += itertools.islice(calls, 10)
    assert not pace.alone
    found += calls

    assert found == elements


def test_a_call_that_takes_long_once_is_still_short() -> None:
    pace = Pace()
    while not pace.alone:
        pace.met_beside(1e-4)

    pace.met_alone(1.0)
    assert pace.alone
    pace.met_alone(1.0)
    assert not pace.alone


class OfOthers(Pace):
    """What another pass finds in between: it is something else whenever somebody looks."""

    def __init__(self) -> None:
        super().__init__()
        self._turns = itertools.count()

    @property
    def alone(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return next(self._turns) % 2 == 0

    @alone.setter
    def alone(self, value: bool) -> None:
        pass


def test_a_pass_has_all_elements_whatever_others_find_of_their_calls() -> None:
    elements = [(wrap(np.array(k)),) for k in range(50)]

    found = CallsAhead(lambda element: element, iter(elements), 2, True, 6, OfOthers())

    assert list(found) == elements


def test_short_elements_are_fetched_when_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = 1e-6  # that an element takes
    ticks = itertools.count()
    monkeypatch.setattr(buffering, "perf_counter", lambda: next(ticks) * seconds)
    elements = [(wrap(np.array(k)),) for k in range(500)]
    pace = Pace(buffering.SHORT_SECONDS)
    fetched = Prefetched(iter(elements), 3, pace)

    found = list(itertools.islice(fetched, 100))
    assert pace.alone
    seconds = 1e-3
    found += itertools.islice(fetched, 10)
    assert not pace.alone
    found += fetched

    assert found == elements


def test_nobody_else_computes_while_short_elements_are_fetched() -> None:
    pace = Pace(1.0)
    pace.alone = True
    threads: set[int] = set()
    elements = ((threads.add(threading.get_ident()), k)[1:] for k in range(50))

    assert [(k,) for k in range(50)] == list(Prefetched(elements, 3, pace))
    assert {threading.get_ident()} == threads


def test_what_users_may_notice_is_fetched_ahead() -> None:
    def computed(x: tf.Tensor) -> tf.Tensor:
        return tf.py_function(lambda x: x + 1, [x], tf.int64)

    numbers = Dataset.range(100)
    plain: Any = iter(numbers.map(lambda x: x + 1).prefetch(2)).handle
    noticed: Any = iter(numbers.map(computed).prefetch(2)).handle
    buffers = [one._array._elements._buffer for one in (plain, noticed)]

    assert [False, True] == [buffer.pace is None for buffer in buffers]


@pytest.mark.parametrize("position", [3, 50])
def test_failures_of_short_elements_come_where_they_are(position: int) -> None:
    quotients = Dataset.range(100).map(lambda x: 10 // (x - position))
    iterator, fetched = iter(quotients), iter(quotients.prefetch(2))

    def outcome(one: Any) -> Any:
        try:
            return int(next(one))
        except tf.errors.InvalidArgumentError as error:
            return type(error)

    assert [outcome(iterator) for _ in range(100)] == [outcome(fetched) for _ in range(100)]
    assert [None, None] == [next(one, None) for one in (iterator, fetched)]
