"""`tf.test.compute_gradient`: derivatives by the tape beside those by differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..eager.convert import convert_to_tensor
from ..errors import InvalidArgumentError

Array = np.ndarray[Any, Any]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """The Jacobians of `f(*x)` by each of `x`: by gradients, and by differences of `delta`.

    x: a list of what can be tensors of floats or complex numbers. f gives one tensor. A Jacobian
    has a row for each element of the result and a column for each of the argument; a complex
    number counts as two. delta: 1/1024 by default.

    >>> by_gradients, by_differences = tf.test.compute_gradient(tf.square, [[1.0, 3.0]])
    >>> by_gradients
    (array([[2., 0.],
           [0., 6.]], dtype=float32),)

    Raises:
        ValueError: `x` is no list.
        AssertionError: an argument is of integers.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x)}"
        )
    arguments = [convert_to_tensor(one) for one in x]
    for position, one in enumerate(arguments):
        if not (one.dtype.is_floating or one.dtype.is_complex):
            raise AssertionError(
                f"Cannot compute gradient for unsupported type {one.dtype.name} of argument "
                f"{position}"
            )
    step = 1.0 / 1024 if delta is None else delta
    places = range(len(arguments))
    return (
        tuple([_by_gradients(f, arguments, place) for place in places]),
        tuple([_by_differences(f, arguments, place, step) for place in places]),
    )


def reals(array: Array) -> Array:
    """The elements as real numbers: of a complex one two."""
    flat: Any = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _by_gradients(f: Callable[..., Any], arguments: list[Any], place: int) -> Array:
    with GradientTape(persistent=True) as tape:
        tape.watch(arguments[place])
        y = f(*arguments)
    seed = np.zeros(y.shape, y.dtype.storage)
    rows: list[Array] = []
    for row in range(reals(seed).size):
        one = seed.copy()
        reals(one)[row] = 1
        found = tape.gradient(y, arguments[place], output_gradients=convert_to_tensor(one))
        dense = np.zeros(arguments[place].shape, arguments[place].dtype.storage)
        rows.append(reals(dense if found is None else convert_to_tensor(found).numpy()))
    columns = reals(arguments[place].numpy()).size
    found = np.stack(rows) if rows else np.zeros((0, columns), arguments[place].dtype.storage)
    if np.isnan(found).any() and not np.isnan(y.numpy()).any():
        raise InvalidArgumentError("a gradient is NaN where the function's result is a number")
    return found


def _by_differences(f: Callable[..., Any], arguments: list[Any], place: int, step: float) -> Array:
    start = arguments[place].numpy()
    columns: list[Array] = []
    for column in range(reals(np.asarray(start)).size):
        ends: list[Array] = []
        for side in (step, -step):
            moved = np.array(start)
            reals(moved)[column] += side
            inputs = [*arguments[:place], convert_to_tensor(moved), *arguments[place + 1 :]]
            ends.append(reals(np.asarray(f(*inputs).numpy())))
        columns.append((ends[0] - ends[1]) / (2 * step))
    if columns:
        return np.stack(columns, axis=1)
    rows = reals(np.asarray(f(*arguments).numpy())).size
    return np.zeros((rows, 0), np.asarray(start).dtype)


def max_error(grad1: Sequence[Array], grad2: Sequence[Array]) -> float:
    """How far two lists of Jacobians are apart at most.

    >>> max_error(*tf.test.compute_gradient(tf.square, [np.array([1.0, 3.0])])) < 1e-6
    True
    """
    differences = [np.abs(one - other) for one, other in zip(grad1, grad2, strict=True)]
    return float(max((one.max() for one in differences if one.size), default=0.0))
