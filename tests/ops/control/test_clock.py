"""`tf.timestamp`."""

from __future__ import annotations

import time

import tensormill as tf


def test_a_function_asks_for_the_time_each_time_it_runs() -> None:
    now = tf.function(tf.timestamp)

    times = [time.time(), float(now()), float(now()), float(tf.timestamp()), time.time()]

    assert times == sorted(times)
    assert (tf.float64, ()) == (now().dtype, now().shape)


def test_both_times_of_one_function_are_asked_for() -> None:
    both = tf.function(lambda: (tf.timestamp(), tf.timestamp()))

    first, second = map(float, both())

    assert first <= second
    assert 2 == sum(
        one.type == "Timestamp" for one in both.get_concrete_function().graph.get_operations()
    )
