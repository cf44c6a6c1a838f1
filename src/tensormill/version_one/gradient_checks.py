"""`tf.compat.v1.test.compute_gradient`: derivatives in a graph beside those by differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..autodiff.symbolic import gradients
from ..graph.by_hand.placeholders import placeholder
from ..graph.by_hand.sessions import get_default_session
from ..testing.gradients import reals

Array = np.ndarray[Any, Any]
Pair = tuple[Array, Array]


def compute_gradient(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None, delta: float = 1e-3,
    init_targets: Any = None, extra_feed_dict: Any = None,
) -> Any:  # fmt: skip
    """The Jacobian of `y` by `x`, by gradients and by differences of `delta`: two matrices.

    They have a row for each element of x and a column for each of y; a complex number counts as
    two. x: a tensor of floats, or a list of such, for which the result is a list of pairs; then
    `x_shape` and `x_init_value` are lists, too. x_init_value: where the derivatives are taken;
    random without. init_targets: what the default session runs before.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session():
    ...     x = tf.compat.v1.placeholder(tf.float32, [2])
    ...     found, _ = tf.compat.v1.test.compute_gradient(
    ...         x, [2], x * x, [2], x_init_value=np.array([1.0, 3.0], np.float32))
    >>> found
    array([[2., 0.],
           [0., 6.]], dtype=float32)

    Raises:
        ValueError: there is no default session.
    """
    session = get_default_session()
    if session is None:
        raise ValueError("compute_gradient needs a default session: `with tf.Session():`")
    if init_targets is not None:
        targets = init_targets if isinstance(init_targets, (list, tuple)) else [init_targets]
        for target in targets:
            session.run(target)
    if not isinstance(x, list):
        return _pair(session, x, x_shape, y, y_shape, x_init_value, delta, extra_feed_dict or {})
    values = x_init_value if x_init_value is not None else [None] * len(x)
    starts = [_start(*one) for one in zip(x, x_shape, values, strict=True)]
    feeds = {**(extra_feed_dict or {}), **dict(zip(x, starts, strict=True))}
    return [
        _pair(session, one, shape, y, y_shape, start, delta, feeds)
        for one, shape, start in zip(x, x_shape, starts, strict=True)
    ]


def compute_gradient_error(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None, delta: float = 1e-3,
    init_targets: Any = None, extra_feed_dict: Any = None,
) -> float:  # fmt: skip
    """How far the two matrices of `compute_gradient` are apart at most.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session():
    ...     x = tf.compat.v1.placeholder(tf.float64, [2])
    ...     error = tf.compat.v1.test.compute_gradient_error(x, [2], x * x, [2])
    >>> bool(error < 1e-6)
    True

    Raises:
        ValueError: there is no default session.
    """
    found = compute_gradient(
        x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict
    )
    pairs: list[Pair] = [found] if isinstance(found, tuple) else found
    differences = [np.abs(one - other) for one, other in pairs]
    return max((one.max() for one in differences if one.size), default=0.0)


def _start(x: Any, shape: Sequence[int], value: Any) -> Array:
    dtype = np.dtype(x.dtype.as_numpy_dtype)
    if value is not None:
        return np.array(value, dtype)
    real, imaginary = np.random.random_sample([2, *shape])
    return (real + 1j * imaginary if dtype.kind == "c" else real).astype(dtype)


def _pair(
    session: Any, x: Any, x_shape: Any, y: Any, y_shape: Any, value: Any, delta: float, feeds: Any
) -> Pair:
    start = _start(x, x_shape, value)
    return (
        _by_gradients(session, x, start, y, y_shape, feeds),
        _by_differences(session, x, start, y, delta, feeds),
    )


def _by_gradients(
    session: Any, x: Any, start: Array, y: Any, y_shape: Sequence[int], feeds: Any
) -> Array:
    seed = placeholder(y.dtype, list(y_shape))
    (slope,) = gradients(y, x, grad_ys=seed)
    one = np.zeros(y_shape, y.dtype.as_numpy_dtype)
    columns: list[Array] = []
    for column in range(reals(one).size):
        moved = one.copy()
        reals(moved)[column] = 1
        dense = np.zeros_like(start) if slope is None else None
        found = session.run(slope, {**feeds, x: start, seed: moved}) if dense is None else dense
        columns.append(reals(np.asarray(found)).copy())
    rows = reals(start).size
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0), reals(start).dtype)


def _by_differences(session: Any, x: Any, start: Array, y: Any, delta: float, feeds: Any) -> Array:
    rows: list[Array] = []
    for row in range(reals(start).size):
        ends: list[Array] = []
        for side in (delta, -delta):
            moved = start.copy()
            reals(moved)[row] += side
            ends.append(reals(np.asarray(session.run(y, {**feeds, x: moved}))))
        rows.append((ends[0] - ends[1]) / (2 * delta))
    if rows:
        return np.stack(rows)
    columns = reals(np.asarray(session.run(y, {**feeds, x: start}))).size
    return np.zeros((0, columns), reals(start).dtype)
