"""Variables that another thread's compiled function is changing when the process is forked."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.process import locks
from tensormill.eager.storage import Lent, Storage
from tests.robust.test_threads import in_child


@contextmanager
def lent_by_another(variable: tf.Variable) -> Iterator[threading.Event]:
    """Until the event is set, as native code that runs without Python's lock does it."""
    storage: Storage = variable._storage
    lent, back = threading.Event(), threading.Event()

    def run() -> None:
        array = storage.lend(Lent(threading.get_ident()))
        lent.set()
        assert back.wait(60)
        storage.array = array + 1

    thread = threading.Thread(target=run)
    thread.start()
    assert lent.wait(60)
    try:
        yield back
    finally:
        back.set()
        thread.join(60)


def test_a_fork_waits_until_it_is_whole(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    variable = tf.Variable([1.0, 2.0])

    def work() -> None:
        np.testing.assert_array_equal([2.0, 3.0], variable.numpy())

    with lent_by_another(variable) as back:
        timer = threading.Timer(0.02, back.set)
        timer.start()
        assert in_child(work) == 0
        timer.join()


def test_what_does_not_come_back_has_no_value_in_the_child(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.01)
    variable, other = tf.Variable(1.0), tf.Variable(5.0)
    double = tf.function(lambda: 2.0 * variable)
    double()

    def work() -> None:
        signal.alarm(30)  # ends a child that waits for ever
        assert float(other.numpy()) == 5.0
        with pytest.raises(tf.errors.FailedPreconditionError, match=r"forked while .* changing it"):
            variable.numpy()
        with pytest.raises(tf.errors.FailedPreconditionError):
            double()
        variable.assign(7.0)
        assert float(variable.numpy()) == 7.0
        assert float(double()) == 14.0

    with lent_by_another(variable):
        assert in_child(work) == 0
    assert float(variable.numpy()) == 2.0  # in the parent it came back


def test_a_thread_that_forks_keeps_what_it_has_lent_itself():
    storage: Storage = tf.Variable(1.0)._storage
    lent = Lent(threading.get_ident())

    def work() -> None:
        assert storage.array is lent

    array = storage.lend(lent)
    try:
        assert in_child(work) == 0
    finally:
        storage.array = array
