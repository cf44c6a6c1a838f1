"""A call of a compiled function with nested dicts and a flag, as agents and filters pass state."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2


def state_of(array: Any) -> dict[str, Any]:
    small = array([1.0, 2.0, 3.0])
    return {"mean": small, "filter": {"gain": small, "history": [small, small]}}


def step(state: dict[str, Any]) -> dict[str, Any]:
    filtered = state["filter"]
    first, second = filtered["history"]
    history = [second, first + filtered["gain"]]
    return {"mean": state["mean"] + first, "filter": {"gain": filtered["gain"], "history": history}}


def total(state: dict[str, Any]) -> float:
    return float(sum(map(sum, (np.asarray(one) for one in state["filter"]["history"]))))


def with_tf2(tf: Any) -> Timed:
    stepped = tf.function(lambda state, training: step(state))
    state = state_of(lambda numbers: tf.constant(numbers, tf.float32))
    return Timed(lambda: stepped(state, training=True), check=total(stepped(state, training=True)))


def with_jax() -> Timed:
    jax = import_module("jax")
    stepped = jax.jit(lambda state, training: step(state), static_argnames="training")
    state = state_of(lambda numbers: jax.numpy.array(numbers, "float32"))
    return Timed(
        lambda: stepped(state, training=True),
        jax.block_until_ready,
        check=total(stepped(state, training=True)),
    )


WORK = Work(
    title="cached call, nested dicts and a flag",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(Goal("tensorflow", 1 / 100), Goal("jax", 1 / 3)),
)
