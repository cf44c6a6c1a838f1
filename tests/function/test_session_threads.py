"""Threads that share a session."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tensormill as tf


def test_threads_that_begin_together_find_one_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    with tf.Graph().as_default():
        queue = tf.queue.FIFOQueue(3, tf.int32)
        put, size = queue.enqueue(1), queue.size()
        session = tf.compat.v1.Session()
    kind: Any = queue.queue_ref.op.kind
    made, both = kind.made, threading.Barrier(2)

    def made_by_both(self: Any, value_of: Any) -> Any:
        both.wait(10)
        return made(self, value_of)

    monkeypatch.setattr(kind, "made", made_by_both)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(session.run, [put, put]))

    assert 2 == session.run(size)
