"""Calls of several threads that run as one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.control import joined_calls
from tensormill.control.joined_calls import CallJoiner

joined = tf.nondifferentiable_batch_function
LONG = 60_000_000  # microseconds: who waits so long hangs


@pytest.mark.parametrize("staged", [False, True])
def test_calls_of_threads_run_as_one_batch(staged: bool) -> None:
    sizes: list[int] = []

    def note(rows: Any) -> Any:
        sizes.append(len(rows))
        return rows

    @joined(1, 4, LONG)
    def doubled(x: Any) -> Any:
        return {"rows": tf.numpy_function(note, [x], tf.int32) * 2, "words": tf.as_string(x)}

    call = tf.function(doubled) if staged else doubled
    call(tf.constant([0, 0, 0, 0]))  # traced; a full batch waits for nobody
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: call(tf.constant([k])), range(4)))

    assert [4, 4] == sizes
    assert [[0], [2], [4], [6]] == [one["rows"].numpy().tolist() for one in found]
    assert [b"0", b"1", b"2", b"3"] == [one["words"].numpy()[0] for one in found]


def test_batches_are_padded_to_allowed_sizes_by_rows_nobody_sees() -> None:
    @joined(1, 8, 1, allowed_batch_sizes=[3, 8])
    def counted(x: Any) -> Any:
        return x * 0 + tf.shape(x)[0]

    results = [counted(tf.ones([rows], tf.int32)).numpy().tolist() for rows in (2, 4, 0)]

    assert [[3, 3], [8] * 4, []] == results


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (tf.errors.InvalidArgumentError, lambda: joined(1, 2, 1)(lambda x: x)(tf.ones([3]))),
        (tf.errors.InvalidArgumentError, lambda: joined(1, 4, 1, [4, 2])(lambda x: x)),
        (
            tf.errors.InvalidArgumentError,
            lambda: joined(1, 4, 1)(lambda x, y: x)(tf.ones([2]), tf.ones([3])),
        ),
        (tf.errors.FailedPreconditionError, lambda: joined(1, 4, 1)(tf.reduce_sum)(tf.ones([2]))),
        (tf.errors.FailedPreconditionError, lambda: joined(1, 4, 1)(lambda x: x[:1])(tf.ones([2]))),
        (ValueError, lambda: joined(1, 4, 1)(lambda x: x)([1.0])),
        (ValueError, lambda: joined(1, 4, 1)(lambda x: x)(tf.Variable([1.0]))),
        (tf.errors.UnavailableError, lambda: joined(1, 4, 1, None, 0)(lambda x: x)(np.ones(2))),
    ],
)
def test_calls_that_make_no_batch_are_refused(error: Any, call: Any) -> None:
    with pytest.raises(error):
        call()


def doubled(rows: Any) -> list[Any]:
    return [rows * 2]


def interrupt(monkeypatch: pytest.MonkeyPatch, when: Callable[[], Any]) -> None:
    """Let whoever runs a batch be interrupted while it waits for others."""
    times = iter([0.0])

    def now() -> float:
        for time in times:
            return time
        when()
        raise KeyboardInterrupt

    monkeypatch.setattr(joined_calls, "time", SimpleNamespace(monotonic=now))


def test_who_was_interrupted_waits_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    join = CallJoiner(doubled, 1, range(1, 5), 4, LONG, 1)
    with monkeypatch.context() as patch:
        interrupt(patch, lambda: None)
        with pytest.raises(KeyboardInterrupt):
            join(np.ones(2))

    assert join(np.ones(4))[0].tolist() == [2.0] * 4


def test_an_interrupt_is_of_the_thread_that_it_was_sent_to(monkeypatch: pytest.MonkeyPatch) -> None:
    join = CallJoiner(doubled, 1, range(1, 5), 4, LONG, 1)
    begun, has_joined, errors = threading.Event(), threading.Event(), list[type[BaseException]]()

    class Meeting(joined_calls.JoinedCalls):
        def take(self, arrays: Any, captured: Any) -> int:
            number = super().take(arrays, captured)
            (has_joined if number else begun).set()
            return number

    def follow() -> None:
        begun.wait()
        try:
            join(np.ones(1))
        except BaseException as error:
            errors.append(type(error))

    monkeypatch.setattr(joined_calls, "JoinedCalls", Meeting)
    follower = threading.Thread(target=follow)
    follower.start()
    lock = join._changed

    def let_join() -> None:
        lock.release()
        has_joined.wait()
        lock.acquire()

    with monkeypatch.context() as patch:
        interrupt(patch, let_join)
        with pytest.raises(KeyboardInterrupt):
            join(np.ones(2))
    follower.join()

    assert errors == [tf.errors.CancelledError]
