"""Kernels that are found by dtypes and ranks do what the slow way does, which looks at all."""

from __future__ import annotations

import gc
import operator
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import context
from tensormill.core.numpy_behavior import changes
from tensormill.eager.kernels import learning, lookup
from tensormill.eager.kernels import numbers as kept_numbers
from tensormill.ops.bind import applied
from tensormill.ops.op import REGISTRY

T = tf.constant
CORNERS = [0.0, -0.0, 1.0, -1.5, 0.1, np.inf, -np.inf, np.nan, 3e38, 1e-45]

TENSORS: list[Callable[[], Any]] = [
    lambda: T(1.5),
    lambda: T(-0.0),
    lambda: T([0.5, -2.0]),
    lambda: T([[1.0, 2.0], [-3.0, np.inf]]),
    lambda: T(np.zeros((0, 2), np.float32)),
    lambda: T(2.5, tf.float64),
    lambda: T([1.0, 3.0], tf.float16),
    lambda: T(3),
    lambda: T([[1, -2], [0, 2**31 - 1]]),
    lambda: T([2, 5], tf.int64),
    lambda: T([7, 200], tf.uint8),
    lambda: T([True, False]),
    lambda: T(["a", "b"]),
    lambda: T([1 + 2j, 3 - 1j]),
    lambda: tf.Variable([1.5, -0.5], name="v"),
    lambda: tf.Variable([[1.0, 2.0], [0.5, -1.0]], name="w"),
    lambda: tf.Variable(3, name="n", trainable=False),
]
NUMBERS = [0, 1, -2, 0.0, -0.0, 2.5, np.inf, np.nan, 2**40, True, 1j, None, "a", np.float64(0.5)]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in "add sub mul truediv pow matmul lt le gt ge eq ne mod floordiv".split()
} | {
    "tf.add": tf.add,
    "tf.subtract": tf.subtract,
    "tf.multiply": tf.multiply,
    "tf.realdiv": tf.realdiv,
    "tf.maximum": tf.maximum,
    "tf.pow": tf.pow,
    "tf.matmul": tf.matmul,
    "transposed product": lambda x, y: tf.matmul(x, y, transpose_b=True),
    "neg": lambda x, _: -x,
    "tf.square": lambda x, _: tf.square(x),
    "tf.sqrt": lambda x, _: tf.sqrt(x),
    "tf.exp": lambda x, _: tf.exp(x),
    "tf.nn.relu": lambda x, _: tf.nn.relu(x),
    "tf.reduce_sum": lambda x, _: tf.reduce_sum(x),
    "tf.reduce_mean": lambda x, _: tf.reduce_mean(x, keepdims=True),
    "tf.where": lambda x, y: tf.where(x, y, y),
}
made = st.integers(0, len(TENSORS) + 3).map(lambda place: ("made", place))
numbers = st.sampled_from(NUMBERS).map(lambda number: ("number", number))
# Two numbers would be Python's business.
pairs = st.tuples(made, made | numbers) | st.tuples(numbers, made)
steps = st.tuples(st.sampled_from(sorted(FUNCTIONS)), pairs)
programs = st.lists(steps, min_size=1, max_size=4)
Program = list[tuple[str, tuple[tuple[str, Any], tuple[str, Any]]]]


@pytest.fixture(autouse=True)
def are_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests call most operations too seldom for a kernel that is written out."""
    monkeypatch.setattr(learning, "SOME_CALLS", 1)


@contextmanager
def slow_way() -> Iterator[None]:
    """No operation has a kernel within, or gets one."""
    for op in REGISTRY.values():
        op.quick = False
        op.kernels.clear()
    try:
        yield
    finally:
        for op in REGISTRY.values():
            op.quick = None


def told(value: Any) -> Any:
    """A value to the bit, but for which NaN it is."""
    if isinstance(value, tf.Tensor):
        array = value.numpy()
        is_number = np.asarray(array).dtype.kind in "fc"
        shown = np.where(np.isnan(array), 0, array).tobytes() if is_number else array.tolist()
        return value.dtype.name, value.shape.as_list(), shown, np.isnan(array).tolist() * is_number
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    return repr(value)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return told(call())
    except Exception as error:
        return type(error), str(error), error.__context__ is None


class Names:
    """A recorder of what happened."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def record(self, application: Any) -> None:
        self.seen.append(application.name)


def results_of(program: Program, pool: list[Any], outcomes: list[Any]) -> list[Any]:
    for name, places in program:
        x, y = (pool[value % len(pool)] if kind == "made" else value for kind, value in places)

        def step(name: str = name, x: Any = x, y: Any = y) -> Any:
            made = FUNCTIONS[name](x, y)
            if isinstance(made, tf.Tensor):
                pool.append(made)
            return made

        outcomes.append(outcome(step))
    return pool


def plainly(program: Program) -> Any:
    outcomes: list[Any] = []
    results_of(program, [make() for make in TENSORS], outcomes)
    return outcomes


def recorded(program: Program) -> Any:
    names, outcomes = Names(), list[Any]()
    with context.entered(context.top().replace(recorders=(names,))):
        results_of(program, [make() for make in TENSORS], outcomes)
    return outcomes, names.seen


def smooth(values: list[Any]) -> list[Any]:
    return [one for one in values if one.dtype.is_floating]


def differentiated(program: Program) -> Any:
    """First and second derivatives, of tapes in each other, one of which does not see all."""
    outcomes: list[Any] = []
    pool = [make() for make in TENSORS]
    with tf.GradientTape(persistent=True) as outer, tf.GradientTape() as inner:
        outer.watch(smooth([one for one in pool if isinstance(one, tf.Tensor)]))
        inner.watch(pool[2])
        last = results_of(program, list(pool), outcomes)[-1]
        with outer.stop_recording():
            unseen = results_of(program, list(pool), [])[-1]
        slopes = inner.gradient(last, smooth(pool)) if last.dtype.is_floating else []
    if not last.dtype.is_floating:
        return outcomes
    known = [one for one in slopes if isinstance(one, tf.Tensor)]
    names = [one.name for one in outer.watched_variables()]
    return [
        outcomes, told(slopes), names, told(outer.gradient(last, smooth(pool))),
        told(outer.gradient(known, smooth(pool))) if known else None,
        told(outer.gradient(unseen, smooth(pool))) if unseen.dtype.is_floating else None,
    ]  # fmt: skip


def pushed_forward(program: Program) -> Any:
    outcomes: list[Any] = []
    pool = [make() for make in TENSORS]
    with tf.autodiff.ForwardAccumulator(pool[2], tf.ones_like(pool[2])) as accumulator:
        last = results_of(program, pool, outcomes)[-1]
    return outcomes, told(accumulator.jvp(last)) if isinstance(last, tf.Tensor) else None


def elsewhere(program: Program) -> Any:
    """On a device by its name, and in a graph."""
    outcomes: list[Any] = []
    with tf.device("CPU:0"):
        results_of(program, [make() for make in TENSORS], outcomes)
    return outcomes


WAYS = [plainly, recorded, differentiated, pushed_forward, elsewhere]


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
def test_kernels_do_what_the_slow_way_does(way: Callable[[Program], Any]) -> None:
    @settings(max_examples=20, deadline=None)
    @given(programs)
    def check(program: Program) -> None:
        with np.errstate(all="ignore"):
            with slow_way():
                expected = outcome(lambda: way(program))
            learning = outcome(lambda: way(program))
            assert expected == learning
            assert expected == outcome(lambda: way(program))

    check()


NUMBERS_OF = {
    "float32": CORNERS,
    "int32": [0, 1, -1, 7, 2**31 - 1, -(2**31)],
}


@pytest.mark.parametrize("dtype", NUMBERS_OF)
def test_kernels_that_became_native_give_the_same_bits(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "MANY_CALLS", 1)
    names = [name for name in ("AddV2", "Sub", "Mul", "RealDiv") if is_exact(name, dtype)]
    with np.errstate(all="ignore"):
        scalars = [T(one, dtype) for one in NUMBERS_OF[dtype]]
        pairs = list(product(scalars, scalars))
        for op in map(REGISTRY.__getitem__, names):
            op.kernels.clear()
            with slow_way():
                expected = [told(applied(op, pair, {}, None)) for pair in pairs]
            assert expected == [told(applied(op, pair, {}, None)) for pair in pairs]
            assert expected == [told(op.quick(*pair)) for pair in pairs]
            assert "native" == op.kernels[key_of(pairs[0])].__name__
            op.kernels.clear()


def is_exact(name: str, dtype: str) -> bool:
    return tf.as_dtype(dtype) in REGISTRY[name].exact


def key_of(operands: Any) -> Any:
    return lookup.key_of(operands, None)


def test_products_of_integers_become_native(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "MANY_CALLS", 1)
    op, generator = REGISTRY["MatMul"], np.random.default_rng(0)
    op.kernels.clear()
    for sizes in [(1, 1, 1), (3, 2, 4), (10, 10, 10), (0, 2, 3), (2, 0, 3)]:
        rows, inner, columns = sizes
        a = T(generator.integers(-(2**31), 2**31, (rows, inner)).astype(np.int32))
        b = T(generator.integers(-(2**31), 2**31, (inner, columns)).astype(np.int32))
        expected = a.numpy() @ b.numpy()
        for _ in range(3):
            assert expected.tolist() == tf.matmul(a, b).numpy().tolist()
    assert "native" == op.kernels[key_of((a, b))].__name__
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        tf.matmul(a, a)
    op.kernels.clear()


def test_kernels_and_numbers_are_kept_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "MOST_KERNELS", 3)
    monkeypatch.setattr(kept_numbers, "MOST_NUMBERS", 4)
    kept_numbers._numbers.clear()
    for rank in range(8):
        x = tf.ones([1] * rank)
        for number in range(1, 9):
            assert 1.0 + number == float(tf.reshape(x + float(number), []))
            assert len(REGISTRY["AddV2"].kernels) <= 3
            assert len(kept_numbers._numbers) <= 4


def test_numpy_behaviour_is_asked_of_what_is_no_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    x = T([1.0])
    assert [3.0] == (x + 2).numpy().tolist()
    monkeypatch.setattr(changes, "operate", lambda apply, x, y: apply(x, 10))

    assert [11.0] == (x + 2).numpy().tolist()


def test_operands_that_have_no_kernel_are_let_go() -> None:
    x = T([1.0])
    assert [2.0] == (x + np.ones(1, np.float32)).numpy().tolist()
    alive = weakref.ref(x)
    del x
    gc.collect()

    assert alive() is None
