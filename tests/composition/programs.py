"""Programs in which everything stands in everything else: functions of a float64 vector of 3.

Each is smooth near the points that tests use, so that finite differences tell its derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tensormill as tf

PROGRAMS: dict[str, Callable[..., Any]] = {}


def program(function: Callable[..., Any]) -> Callable[..., Any]:
    PROGRAMS[function.__name__] = function
    return function


# ---- calls, loops and branches in each other
@tf.function
def squashed(x: Any, scale: Any = 0.5) -> Any:
    return tf.tanh(x * scale)


@tf.function
def several_times(x: Any, times: Any) -> Any:
    for _ in tf.range(times):
        x = squashed(x) + squashed(x, 2.0) * 0.1
    return x


@program
def calls_in_calls_in_loops_in_branches(x: Any) -> Any:
    y = x
    if tf.reduce_sum(x) > 0.0:
        for i in tf.range(3):
            y = several_times(y, i) * x + 0.1
    else:
        y = squashed(y)
    return tf.reduce_sum(y * y)


@program
def branches_in_loops_in_branches(x: Any) -> Any:
    total = tf.zeros_like(x)
    if x[0] > -10.0:
        for i in tf.range(4):
            if i % 2 == 0:
                total = total + x * x
            elif x[1] > 100.0:
                total = total * 0.0
            else:
                total = tf.sin(total) * x[2]
    return tf.reduce_sum(total)


@program
def return_from_nested_loops(x: Any) -> Any:
    y = x
    for i in tf.range(10):
        for j in tf.range(10):
            y = y * x + tf.cast(j, tf.float64) * 0.01
            if i * 10 + j >= 12:
                return tf.reduce_sum(y) + x[0] ** 2
            if tf.reduce_sum(y * y) > 1e6:
                return tf.reduce_max(y)
    return tf.reduce_sum(x)


@program
def break_and_continue(x: Any) -> Any:
    y = tf.reduce_sum(x)
    i = 0
    while True:
        i += 1
        if i % 3 == 0:
            continue
        for j in tf.range(5):
            if j > i:
                break
            y = tf.sin(y) + x[0] * tf.cast(j, tf.float64)
        if i > 5 or y > 1e9:
            break
    return y * x[1]


@program
def a_loop_that_data_ends(x: Any) -> Any:
    guess = tf.reduce_sum(x)
    while tf.abs(guess * guess - x[0] * x[1]) > 1e-13:
        guess = 0.5 * (guess + x[0] * x[1] / guess)
    return guess * x[2]


@program
def loops_that_do_not_run(x: Any) -> Any:
    y = x * x
    for _ in tf.range(tf.cast(x[0] * 0.1, tf.int32)):
        y = tf.sin(y) * x
        for _ in tf.range(2):
            y = y + 1.0
    return tf.reduce_sum(y)


@program
def cases_in_loops(x: Any) -> Any:
    y = tf.constant(0.0, tf.float64)
    for i in tf.range(5):
        y = y + tf.switch_case(
            i % 3, [lambda: x[0] * x[1], lambda y=y: tf.sin(y) * x[2], lambda: squashed(x)[0]]
        )
    return y


@program
def a_loop_in_a_condition(x: Any) -> Any:
    def not_done(i: Any, y: Any) -> Any:
        return tf.reduce_sum(several_times(tf.abs(x), i)) + tf.cast(i, tf.float64) < 4.0

    return tf.while_loop(not_done, lambda i, y: (i + 1, y * x[1] + x), [0, x])[1]


@program
def recursion_that_python_unrolls(x: Any) -> Any:
    def power(y: Any, n: int) -> Any:
        if n == 0:
            return tf.ones_like(y)
        half = power(y, n // 2)
        return half * half * (several_times(y, 2) if n % 2 else 1.0)

    return power(x, 5)


# ---- TensorArrays
@program
def arrays_made_in_loops(x: Any) -> Any:
    outer = tf.TensorArray(tf.float64, size=3)
    for i in tf.range(3):
        inner = tf.TensorArray(tf.float64, size=0, dynamic_size=True)
        for j in tf.range(i + 1):
            inner = inner.write(j, x * tf.cast(i + j + 1, tf.float64))
        outer = outer.write(i, tf.reduce_prod(inner.stack(), 0))
    return tf.reduce_sum(outer.stack() * outer.read(1))


@program
def an_array_that_remembers(x: Any) -> Any:
    states = tf.TensorArray(tf.float64, size=6, clear_after_read=False)
    states = states.write(0, x).write(1, x * x)
    for i in tf.range(2, 6):
        states = states.write(i, tf.sin(states.read(i - 1)) * states.read(i - 2) + x[0])
    return tf.reduce_sum(states.gather([1, 3, 3, 5])) + tf.reduce_sum(states.read(5) ** 2)


@program
def arrays_in_branches(x: Any) -> Any:
    rows = tf.TensorArray(tf.float64, size=4).unstack(tf.stack([x, x * 2.0, x * x, tf.exp(x)]))
    total = tf.constant(0.0, tf.float64)
    for i in tf.range(4):
        if i < 2:
            rows = rows.write(i + 2, rows.read(i) * rows.read(i + 1))
        else:
            total = total + tf.reduce_sum(rows.read(i))
    return total + tf.reduce_sum(rows.concat())


@program
def maps_in_scans_in_folds(x: Any) -> Any:
    def step(carried: Any, row: Any) -> Any:
        return carried * tf.map_fn(lambda one: tf.sin(one) * row, x) + row

    scanned = tf.scan(step, x, initializer=x)
    return tf.foldl(lambda total, row: total * 0.5 + row * row, scanned)


@program
def a_variable_that_grows(x: Any) -> Any:
    rows = x[tf.newaxis]
    for i in tf.range(3):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(rows, tf.TensorShape([None, x.shape[0]]))]
        )
        rows = tf.concat([rows, rows[-1:] * x + tf.cast(i, tf.float64)], 0)
    return tf.reduce_sum(tf.sin(rows) * rows)


# ---- gradients that users say, or that are computed again
@tf.custom_gradient
def softplus(x: Any) -> Any:
    e = tf.exp(x)
    return tf.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))


@program
def custom_gradients_in_loops(x: Any) -> Any:
    y = x
    for i in tf.range(3):
        y = softplus(y * x) + softplus(y) if i > 0 else softplus(y)
    return tf.reduce_sum(y)


@tf.custom_gradient
def cube_by_loops(x: Any) -> Any:
    y = x
    for _ in tf.range(2):
        y = y * x

    def gradient(dy: Any) -> Any:
        total = tf.zeros_like(x)
        for _ in tf.range(3):
            total = total + dy * x * x
        return total

    return y, gradient


@program
def custom_gradients_with_loops_within(x: Any) -> Any:
    y = x
    for _ in tf.range(2):
        y = cube_by_loops(y) + several_times(y, 1)
    return tf.reduce_sum(y)


@program
def recomputed_steps_in_loops(x: Any) -> Any:
    step = tf.recompute_grad(lambda y, x, i: tf.sin(y * x) + squashed(y) * tf.cast(i, tf.float64))
    y = x * 1.0
    for i in tf.range(3):
        y = step(y, x, i)
    return tf.reduce_sum(y)


@program
def recomputed_loops(x: Any) -> Any:
    return tf.recompute_grad(lambda y: several_times(y * y, 3) * y)(x)


# ---- tapes and accumulators inside
@program
def tapes_in_loops(x: Any) -> Any:
    """Descent whose steps are differentiated."""
    w = tf.zeros_like(x)
    for _ in tf.range(3):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum((squashed(w, 1.0) - x) ** 2)
        w = w - 0.3 * tape.gradient(loss, w)
    return w


@program
def tapes_that_jumps_leave(x: Any) -> Any:
    w, best = x * 2.0, tf.constant(1e9, tf.float64)
    for _ in tf.range(10):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum((w - 1.0) ** 2)
            if loss < 0.1:
                break
        if loss > 1e6:
            return w * 0.0
        slope = tape.gradient(loss, w)
        if tf.reduce_sum(slope) < -100.0:
            continue
        w = w - 0.2 * slope * tf.sin(x)
        best = tf.minimum(best, loss)
    return w * best


@program
def gradients_in_a_condition(x: Any) -> Any:
    def is_steep(w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum(w**2)
        return tf.norm(tape.gradient(loss, w)) > 0.6

    w = x
    while is_steep(w):
        w = tf.sin(w) * 0.7 + 0.01 * x * w
    return w


@program
def loops_in_tapes_in_loops(x: Any) -> Any:
    total = x * 1.0  # in a trace, what a loop carries is another tensor than x
    for i in tf.range(2):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(total)
            y = several_times(total * x, i + 1)
            z = tf.reduce_sum(y * y)
        total = total + tape.gradient(z, total) * 0.1 + tape.gradient(y, total) * 0.1
    return total


@program
def accumulators_in_loops(x: Any) -> Any:
    y = x * 1.0
    for i in tf.range(2):
        with tf.autodiff.ForwardAccumulator(y, x) as accumulator:
            z = several_times(y, i + 1) * y
        y = y + 0.2 * accumulator.jvp(z)
    return y


@program
def a_jacobian_in_a_loop(x: Any) -> Any:
    y = x * 1.0
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = tf.reverse(y, [0]) * tf.sin(y)
        y = tf.linalg.matvec(tape.jacobian(z, y), x) * 0.5
    return y


# ---- Python around it
@contextmanager
def scaled(name: str) -> Iterator[float]:
    with tf.name_scope(name):
        yield 0.5


def pieces(x: Any) -> Iterator[Any]:
    with scaled("pieces") as factor:
        yield x * factor
        yield several_times(x, 2)
    yield squashed(x)


@program
def generators_and_contexts(x: Any) -> Any:
    total = tf.zeros_like(x)
    for piece in pieces(x):
        with scaled("outer") as factor:
            for i in tf.range(2):
                with tf.name_scope("inner"):
                    total = total * piece + factor * tf.cast(i, tf.float64) + x
                    if tf.reduce_sum(total) > 1e6:
                        break
    return total


@program
def closures_and_cells(x: Any) -> Any:
    steps = [lambda y: y * x, squashed, lambda y: several_times(y, 2)]
    seen = {"y": x}

    def advance(k: int) -> None:
        seen["y"] = steps[k](seen["y"]) + x

    for k in range(3):
        advance(k)
    y = seen["y"]
    for _ in tf.range(2):
        for step in steps:
            y = step(y) + x
    return y


@program
def dtypes_that_change(x: Any) -> Any:
    y = tf.complex(x, x * 0.5)
    for i in tf.range(2):
        y = y * tf.exp(y * 0.3) + tf.cast(i, tf.complex128)
    return tf.math.real(y) * tf.math.imag(y) + tf.abs(y)


@program
def rows_gathered_in_loops(x: Any) -> Any:
    table = tf.reshape(tf.stack([x, x * x, tf.sin(x)]), [9, 1])
    total = tf.zeros([1], tf.float64)
    for i in tf.range(5):
        rows = tf.gather(table, tf.stack([i, (i * 2) % 9, i]))
        total = total * 0.5 + tf.reduce_prod(rows, 0)
        table = tf.tensor_scatter_nd_add(table, [[i]], total[tf.newaxis])
    return total + tf.reduce_sum(table)


@program
def matrices_in_loops(x: Any) -> Any:
    m = tf.eye(3, dtype=tf.float64) * 3.0 + x[:, tf.newaxis] * x
    for i in tf.range(2):
        factor = tf.linalg.cholesky(m)
        m = factor @ factor + tf.linalg.diag(x) + tf.transpose(factor) @ m
        m = (m + tf.transpose(m)) * 0.1 + tf.eye(3, dtype=tf.float64) * tf.cast(i + 3, tf.float64)
    return tf.linalg.solve(m, x[:, tf.newaxis])[:, 0]
