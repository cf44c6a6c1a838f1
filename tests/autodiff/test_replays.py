"""Gradients that are replayed are those that the slow way gives, to the bit."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.autodiff import kernel_sequence, registry, replays
from tensormill.dtensor import placement
from tests.eager.test_kernels import told

F = np.float32
UNARY: dict[str, Callable[[Any], Any]] = {
    "exp": tf.exp,
    "tanh": tf.tanh,
    "relu": tf.nn.relu,
    "leaky": lambda x: tf.nn.leaky_relu(x, 0.3),
    "softmax": tf.nn.softmax,
    "mean": lambda x: tf.reduce_mean(x, axis=-1, keepdims=True),
    "sum": tf.reduce_sum,
    "max": lambda x: tf.reduce_max(x, axis=0),
    "transposed": tf.transpose,
    "rows": lambda x: tf.gather(x, [1, 0, 1]) if len(x.shape) else x,
    "a part": lambda x: x[..., :1] if len(x.shape) else x,
    "reshaped": lambda x: tf.reshape(x, [-1]),
    "stopped": tf.stop_gradient,
    "power": lambda x: tf.pow(x, 3.0),
    "by a branch of Python's": lambda x: x * 2.0 if float(tf.reduce_sum(x)) > 0 else -x,
    "by a branch": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: tf.sin(x)),
    "in turns": lambda x: tf.while_loop(
        lambda k, _: k < 3, lambda k, y: (k + 1, y * x), (tf.constant(0), x)
    )[1],
    "by a user's gradient": tf.custom_gradient(lambda x: (x * x, lambda dy: dy * 5.0)),
    "compiled": tf.function(lambda x: tf.sin(x) * x),
    "gradients of its own": lambda x: derivative(tf.sin, x),
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "sum of both": lambda x, y: x + y,
    "product": lambda x, y: x * y,
    "quotient": lambda x, y: x / (y * y + 1.0),
    "larger": tf.maximum,
    "matrices": lambda x, y: tf.matmul(x, y, transpose_b=True) if x.shape.rank == 2 else x,
    "joined": lambda x, y: tf.concat([tf.reshape(x, [-1]), tf.reshape(y, [-1])], 0),
    "chosen": lambda x, y: tf.where(x > y, x, y),
}
steps = st.tuples(
    st.sampled_from(sorted(UNARY) + sorted(BINARY)), st.integers(0, 9), st.integers(0, 9)
)
Program = list[tuple[str, int, int]]
programs = st.lists(steps, min_size=1, max_size=6)
options = st.fixed_dictionaries(
    {
        "persistent": st.booleans(),
        "watches": st.booleans(),
        "zeros": st.booleans(),
        "factors": st.booleans(),
        "pauses": st.booleans(),
        "orders": st.integers(1, 2),
        "targets": st.lists(st.integers(0, 9), min_size=1, max_size=2),
    }
)


def derivative(function: Callable[[Any], Any], x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


def pool_of(seed: int) -> list[Any]:
    draw = np.random.default_rng(seed).standard_normal
    return [
        tf.Variable(draw((2, 3)).astype(F)),
        tf.Variable(draw(3).astype(F)),
        tf.constant(draw((2, 3)).astype(F)),
        tf.constant(F(draw())),
    ]


def run(program: Program, pool: list[Any]) -> list[Any]:
    """The tensors that a program makes; it leaves out what does not fit."""
    values = list(pool)
    for name, one, other in program:
        x, y = values[one % len(values)], values[other % len(values)]
        try:
            values.append(UNARY[name](x) if name in UNARY else BINARY[name](x, y))
        except (ValueError, tf.errors.InvalidArgumentError, IndexError):
            continue
    return values


def gradients_of(program: Program, how: dict[str, Any], seed: int) -> Any:
    """The gradients of what a program makes, and those of their sums or once more, to the bit."""
    pool = pool_of(seed)
    sources = [*pool, pool[0]]
    if how["orders"] == 1:
        tape, first = gradients_once(program, how, pool, sources)
        again = tape.gradient(pool[0], sources[:1]) if how["persistent"] else None
        return told_all(first), told_all(again)
    with tf.GradientTape() as outer:
        outer.watch(pool[2:])
        _, first = gradients_once(program, how, pool, sources)
        found = [tf.reduce_sum(tf.convert_to_tensor(one)) for one in first if one is not None]
    return told_all(first), told_all(outer.gradient(found, sources) if found else None)


def gradients_once(
    program: Program, how: dict[str, Any], pool: list[Any], sources: list[Any]
) -> tuple[tf.GradientTape, list[Any]]:
    with tf.GradientTape(how["persistent"], how["watches"]) as tape:
        tape.watch(pool[2:])
        values = run(program, pool)
        if how["pauses"]:
            with tape.stop_recording():
                values.append(values[-1] * 2.0)
        values.append(values[-1] + values[0][0, 0])
    targets = [values[-1 - k % len(values)] for k in how["targets"]]
    factors = [tf.fill(one.shape, 0.5) for one in targets] if how["factors"] else None
    unconnected = "zero" if how["zeros"] else "none"
    return tape, tape.gradient(targets, sources, factors, unconnected)


def told_all(found: Any) -> Any:
    """Gradients to the bit, and whether they are slices."""
    if isinstance(found, tf.IndexedSlices):
        return "slices", told([found.values, found.indices]), told(found.dense_shape)
    return [told_all(one) for one in found] if isinstance(found, list) else told(found)


@contextmanager
def slow_way() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replays, "LONGEST", 0)
        yield


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is met a second time is replayed."""
    monkeypatch.setattr(replays, "PATIENCE", 0)
    replays._known_structures.clear()
    yield
    replays._known_structures.clear()


@pytest.mark.sampled
@given(programs, options)
@settings(max_examples=40, deadline=None)
def test_replays_give_the_bits_of_the_slow_way(program: Program, how: dict[str, Any]) -> None:
    for seed in (1, 1, 2, 3):
        with slow_way():
            expected = gradients_of(program, how, seed)
        assert gradients_of(program, how, seed) == expected


PLAIN: dict[str, Any] = {
    "persistent": False, "watches": True, "zeros": False, "factors": False, "pauses": False,
    "orders": 1, "targets": [0],
}  # fmt: skip


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The results of all replays from here on."""
    found: list[Any] = []
    play = kernel_sequence.KernelSequence.__call__

    def noted(self: Any, operands: Any) -> Any:
        found.append(play(self, operands))
        return found[-1]

    monkeypatch.setattr(kernel_sequence.KernelSequence, "__call__", noted)
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(UNARY) + sorted(BINARY))
def test_what_is_met_again_is_replayed(name: str, played: list[Any]) -> None:
    for _ in range(3):
        gradients_of([(name, 0, 2)], PLAIN, 1)
    by_users = name in ("by a user's gradient", "compiled")  # who are asked each time
    assert bool(played) is not by_users


def test_the_way_back_is_traced_when_it_was_met_often_enough(
    played: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "PATIENCE", 2)
    x = tf.constant([1.0, 2.0])
    found = [(derivative(tf.square, x).numpy().tolist(), len(played)) for _ in range(5)]
    assert found == [([2.0, 4.0], count) for count in (0, 0, 0, 1, 2)]


def test_values_that_rules_ask_for_are_looked_at_each_time(played: list[Any]) -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for axis in [0, 1, 0, 1, -1]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_mean(x, tf.constant(axis)) * tf.constant([1.0, 10.0])
        expected = [[0.5, 5.0], [0.5, 5.0]] if axis == 0 else [[0.5, 0.5], [5.0, 5.0]]
        assert tape.gradient(y, x).numpy().tolist() == expected
    assert len(played) == 2


def test_attributes_that_are_equal_and_not_the_same_are_told_apart() -> None:
    x = tf.constant(-1.0)
    for slope in [0.0, -0.0, 0.0, -0.0, 0.5]:
        leaky = partial(tf.nn.leaky_relu, alpha=slope)
        with slow_way():
            expected = told(derivative(leaky, x))
        assert told(derivative(leaky, x)) == expected


def test_what_outer_tapes_record_is_not_replayed(played: list[Any]) -> None:
    x = tf.constant(2.0)
    for _ in range(3):
        with tf.GradientTape() as outer:
            outer.watch(x)
            slope = derivative(lambda x: x * x * x, x)
        assert (float(slope), float(outer.gradient(slope, x))) == (12.0, 12.0)
    assert all(float(results[0]) == 12.0 for results in played)


def test_programs_that_import_dtensor_have_replays(played: list[Any]) -> None:
    """As Keras does."""
    assert placement.installed.placements is not None
    for _ in range(3):
        assert float(derivative(tf.square, tf.constant(3.0))) == 6.0
    assert played


def test_users_who_replace_a_gradient_are_asked() -> None:
    x = tf.constant(3.0)
    slopes = [float(derivative(tf.square, x)) for _ in range(3)]
    registry.replace("Square", lambda op, dy: dy * 7.0)
    try:
        slopes.append(float(derivative(tf.square, x)))
    finally:
        registry.restore("Square")
    assert [*slopes, float(derivative(tf.square, x))] == [6.0, 6.0, 6.0, 7.0, 6.0]


def test_replays_keep_nothing_of_the_users_alive_and_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replays, "MOST_ENTRIES", 20)
    gone: list[Any] = []
    for count in range(1, 9):
        for _ in range(2):
            v = tf.Variable(tf.ones([count]))
            with tf.GradientTape() as tape:
                y = v * v + v
            gone += [weakref.ref(v), weakref.ref(tape.gradient(y, v)), weakref.ref(y)]
            del v, y, tape
    gc.collect()
    assert [one() for one in gone] == [None] * len(gone)
    assert replays._known_structures.entries <= 20


def test_where_a_replay_fails_the_slow_way_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Any, operands: Any) -> Any:
        raise MemoryError

    x = tf.constant(3.0)
    assert float(derivative(tf.square, x)) == 6.0
    monkeypatch.setattr(kernel_sequence.KernelSequence, "__call__", fails)
    assert float(derivative(tf.square, x)) == 6.0
