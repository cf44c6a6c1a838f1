"""Calls of `tf.experimental.numpy`: of several functions at a time, each with several operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .call import Call, gradient

X = np.array([[0.25, -0.5, 0.75], [1.0, 0.125, -1.5]], np.float32)
Y = np.array([0.5, 2.0, -3.0])
Z = np.array([0.5 + 1j, -2j, 3.0], np.complex64)
N = np.array([[3, -1, 0], [7, 2, -5]], np.int32)
M = np.array([4, 0, 6], np.int64)
B = np.array([True, False, True])
CUBE = (np.arange(24) * 7 % 11).reshape(2, 3, 4).astype(np.float32)
SQUARE = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]], np.int64)
WITH_NAN = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, -2.0]], np.float32)

ROWS = 6  # functions of one call: compiling several at once is quicker


def of_all(name: str, functions: str, operands: Sequence[Any], *others: Any) -> dict[str, Call]:
    """Calls of functions, with each of the operands first and then the others."""

    def call_of(row: Sequence[str]) -> Callable[..., Any]:
        return lambda tf, *tensors: [
            getattr(tf.experimental.numpy, function)(tensor, *others)
            for function in row
            for tensor in tensors
        ]

    return {
        f"numpy {name}: {' '.join(row)}": (call_of(row), list(operands)) for row in rows(functions)
    }


def of_pairs(name: str, functions: str, *operands: Any) -> dict[str, Call]:
    """Calls of functions with each two operands beside each other, and with a Python number."""

    def call_of(row: Sequence[str]) -> Callable[..., Any]:
        return lambda tf, *tensors: [
            getattr(tf.experimental.numpy, function)(*pair)
            for function in row
            for pair in [*pairwise(tensors), (tensors[0], 2)]
        ]

    return {
        f"numpy {name}: {' '.join(row)}": (call_of(row), list(operands)) for row in rows(functions)
    }


def rows(functions: str) -> list[list[str]]:
    names = functions.split()
    return [names[start : start + ROWS] for start in range(0, len(names), ROWS)]


def numpy(name: str, calls: Callable[..., Any], *arrays: Any) -> dict[str, Call]:
    """One call that is several of one function: `calls(tnp, *tensors)` lists them."""

    def call(tf: Any, *tensors: Any) -> Any:
        return calls(tf.experimental.numpy, *tensors)

    return {f"numpy {name}": (call, list(arrays))}


FLOATS = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh ceil cos cosh deg2rad exp exp2 "
    "expm1 fabs fix floor isfinite isinf isnan isneginf isposinf log log10 log1p log2 rad2deg "
    "sin sinh sqrt tan tanh reciprocal sinc cbrt"
)
NUMBERS = (
    "negative positive real imag conjugate conj iscomplex isreal square ravel copy transpose "
    "zeros_like ones_like empty_like atleast_1d atleast_2d atleast_3d array asarray asanyarray "
    "ascontiguousarray squeeze flatten count_nonzero flip diagflat abs"
)
ORDERED = "less less_equal greater greater_equal maximum minimum floor_divide mod remainder divmod"
PAIRED = (
    "add multiply subtract true_divide divide equal not_equal logical_and logical_or logical_xor"
)
REDUCED = "amax amin max min mean prod ptp std sum var argmax argmin cumsum cumprod sort argsort"

CALLS: dict[str, Call] = {
    **of_all("of floats", FLOATS, [X, Y[:1], Y[1]]),
    **of_all("of numbers", NUMBERS, [N, M[:1], Z]),
    **of_all("truths", "logical_not any all", [N, M, X]),
    **of_all("signs", "sign signbit nansum nanprod nanmean", [X, WITH_NAN, Y]),
    **of_pairs("pairs", PAIRED, M, X, Y),
    **of_pairs("orders", ORDERED, X, Y, M[:1] + 1),
    **of_pairs("powers", "power float_power nextafter maximum", abs(X), abs(X) * 2, abs(X[0])),
    **numpy("lengths", lambda tnp, x, y: [
        function(*pair) for function in (tnp.arctan2, tnp.hypot, tnp.heaviside)
        for pair in ((x, y), (y, x), (x[0], x))
    ], X, X[1] * 2),
    **of_pairs("logarithms", "logaddexp logaddexp2 kron outer isclose allclose",
               X, X * 2, X[0]),
    **of_pairs("integers", "gcd lcm bitwise_and bitwise_or bitwise_xor", N, M, N[0]),
    **of_all("reductions", REDUCED, [N, X, Y]),
    **of_all("reductions along an axis", REDUCED, [N, X, CUBE], 1),
    **of_all("nan along an axis", "nansum nanprod nanmean", [WITH_NAN, X, CUBE], 1),
    **of_all("any along an axis", "any all count_nonzero", [N, X, CUBE], 0),
    **numpy("bitwise_not", lambda tnp, n, m, b: [tnp.bitwise_not(one) for one in (n, m, b)], N, M,
        B),
    **numpy("array_equal", lambda tnp, x, y: [
        tnp.array_equal(x, x), tnp.array_equal(x, y), tnp.array_equal(y, [0.5, 2, -3]),
    ], X, Y),
    **numpy("array_equal of other shapes", lambda tnp, x, y: [
        tnp.array_equal(x, y), tnp.array_equal(tnp.ravel(x), y), tnp.array_equal(x[:0], y[:0]),
    ], X[:2], X[:1]),
    **numpy("angle", lambda tnp, x, z: [tnp.angle(x), tnp.angle(z), tnp.angle(z, True)], X, Z),
    **numpy("var, ddof", lambda tnp, x, n: [
        tnp.var(x, ddof=1, dtype=np.float64), tnp.var(n, 0, np.float32), tnp.std(x, 1, True),
    ], X, N),
    **numpy("average", lambda tnp, x, y: [
        tnp.average(x), tnp.average(x, 1, [1.0, 2.0, 3.0]), tnp.average(x, weights=x),
        tnp.average(y, 0, y, True),
    ], X, Y),
    **numpy("sums with dtypes", lambda tnp, n, x: [
        tnp.sum(n, 0, np.float32), tnp.prod(n, dtype="int32"), tnp.mean(n, (0, 1), "float64", None,
        True),
        tnp.cumsum(n, 1, np.float32), tnp.cumprod(n, None, np.int32), tnp.sum(x > 0),
        tnp.prod(x > 0),
    ], N, X),
    **numpy("creation", lambda tnp: [
        tnp.zeros(3), tnp.zeros((2, 1), int), tnp.ones([2], np.float32), tnp.ones(()), tnp.ones(2,
        bool),
        tnp.empty((2,)), tnp.empty(1, np.int8), tnp.empty((1, 2)), tnp.full(2, 3), tnp.full((2, 2),
        [1.0, 2]),
        tnp.full((), 1, np.float16), tnp.zeros(0), tnp.eye(2), tnp.eye(2, 3, 1), tnp.eye(3, k=-1,
        dtype=int),
        tnp.identity(2), tnp.identity(1, int), tnp.identity(0), tnp.tri(3), tnp.tri(2, 3, 1),
        tnp.tri(3, 2, -1, int), tnp.array([1, 2.5], ndmin=2), tnp.array(1), tnp.array([True]),
    ]),
    **numpy("creation from others", lambda tnp, x, n: [
        tnp.full_like(x, 3), tnp.full_like(n, 2.7), tnp.full_like(n, 1, float), tnp.zeros_like(n,
        float),
        tnp.ones_like(x, np.int8), tnp.asarray(n, np.float32), tnp.array(x, int),
    ], X, N),
    **numpy("ranges", lambda tnp: [
        tnp.arange(3), tnp.arange(1, 3, 0.5), tnp.arange(3, 0, -1), tnp.arange(2, dtype=np.float32),
        tnp.linspace(0, 1, 5), tnp.linspace(0, 1, 4, endpoint=False), tnp.linspace(0, 3, 2,
        retstep=True),
        tnp.linspace(2, 1, 1), tnp.logspace(0, 2, 3), tnp.logspace(0, 2, 3, base=2),
        tnp.logspace(1, 2, 2, False), tnp.geomspace(1, 100, 3), tnp.geomspace(-1, -8, 4),
        tnp.geomspace(1, 8, 3, endpoint=False),
    ]),
    **numpy("ranges of tensors", lambda tnp, x: [
        tnp.linspace(x[0], x[1], 3), tnp.linspace(x[0], x[1], 3, axis=1), tnp.logspace(x[0], x[1],
        2),
    ], X),
    **numpy("triangles", lambda tnp, s, c: [
        tnp.tril(s), tnp.tril(s, 1), tnp.tril(c, -1), tnp.triu(s), tnp.triu(s, -1), tnp.triu(c, 1),
    ], SQUARE, CUBE),
    **numpy("diagonals", lambda tnp, s, c: [
        tnp.diag(s), tnp.diag(s, 1), tnp.diag(s[0]), tnp.diag(s[0], -1), tnp.diagonal(s, -1),
        tnp.diagonal(c), tnp.diagonal(c, 1, 1, 2), tnp.trace(s), tnp.trace(s, 1), tnp.trace(c, 0,
        1, 2),
        tnp.diagflat(s[:1], 1), tnp.diag_indices(2), tnp.diag_indices(3), tnp.diag_indices(1, 3),
        tnp.vander(s[0]), tnp.vander(s[0], 2), tnp.vander(s[1], 4, True),
    ], SQUARE, CUBE),
    **numpy("shapes", lambda tnp, x, c: [
        tnp.reshape(x, (3, -1)), tnp.reshape(x, 6, "F"), tnp.reshape(c, [4, 6]), tnp.flatten(x,
        "F"),
        tnp.transpose(c, (1, 0, 2)), tnp.transpose(c, [0, -1, 1]), tnp.moveaxis(c, 0, -1),
        tnp.moveaxis(c, [0, 1], [-1, -2]), tnp.moveaxis(c, 2, 0), tnp.swapaxes(c, 0, 2),
        tnp.swapaxes(c, -1, 0), tnp.swapaxes(x, 0, 1), tnp.expand_dims(x, 0), tnp.expand_dims(x,
        -1),
        tnp.expand_dims(c, 1), tnp.squeeze(x[:1]), tnp.squeeze(c[:, :1], 1), tnp.ravel(c),
    ], X, CUBE),
    **numpy("broadcasts", lambda tnp, x, y: [
        tnp.broadcast_to(x, (2, 2, 3)), tnp.broadcast_to(5, 3), tnp.broadcast_to(y, [1, 3]),
        tnp.broadcast_arrays(x, y), tnp.broadcast_arrays(y, x, 1), tnp.broadcast_arrays(x),
    ], X, Y),
    **numpy("turns", lambda tnp, x, c: [
        tnp.flip(c), tnp.flip(x, 0), tnp.flip(c, -1), tnp.flipud(x), tnp.flipud(c),
        tnp.flipud(x[0]),
        tnp.fliplr(x), tnp.fliplr(c), tnp.fliplr(x[:1]), tnp.roll(x, 1), tnp.roll(x, -1, 1),
        tnp.roll(c, (1, 2), (0, 1)), tnp.rot90(x), tnp.rot90(x, 2), tnp.rot90(c, -1, (1, 2)),
    ], X, CUBE),
    **numpy("joined", lambda tnp, x, y, n: [
        tnp.concatenate([x, n]), tnp.concatenate([x, x], 1), tnp.concatenate([y, [1]]),
        tnp.stack([x, n]), tnp.stack([y, y], 1), tnp.stack([1, 2.5]), tnp.vstack([x, y]),
        tnp.vstack([y, y]), tnp.vstack([n, n]), tnp.hstack([x, n]), tnp.hstack([y, y]),
        tnp.hstack([n]),
        tnp.dstack([x, n]), tnp.dstack([y, y]), tnp.dstack([x]), tnp.append(x, y), tnp.append(n, n,
        0),
        tnp.append(y, 1),
    ], X, Y, N),
    **numpy("parts", lambda tnp, c, x: [
        tnp.split(x, 3, 1), tnp.split(x, [1]), tnp.split(c, [1, 3], 2), tnp.hsplit(x, 3),
        tnp.hsplit(c, [1]), tnp.hsplit(x, [2]), tnp.vsplit(x, 2), tnp.vsplit(c, 2), tnp.vsplit(x,
        [1]),
        tnp.dsplit(c, 2), tnp.dsplit(c, [3]), tnp.dsplit(c, 4),
    ], CUBE, X),
    **numpy("repeated", lambda tnp, x, y: [
        tnp.tile(x, 2), tnp.tile(y, (2, 2)), tnp.tile(x, (2, 1, 1)), tnp.repeat(y, 2),
        tnp.repeat(x, [1, 2], 0), tnp.repeat(x, 2, 1), tnp.pad(y, [(1, 2)], "constant"),
        tnp.pad(x, ((1, 1), (2, 1)), "reflect"), tnp.pad(y, [(2, 1)], "symmetric"),
        tnp.pad(y, [(0, 1)], "constant", constant_values=9.0),
    ], X, Y),
    **numpy("choices", lambda tnp, x, n, y: [
        tnp.where(x > 0, x, n), tnp.where(n, 1, 2.5), tnp.where(x), tnp.nonzero(n),
        tnp.nonzero(y > 0),
        tnp.nonzero(x), tnp.select([x > 0, n > 0], [x, 1]), tnp.select([x > 0], [n], -1),
        tnp.select([y > 0], [y]), tnp.compress([0, 1], x, 0), tnp.compress([1, 0, 1], y),
        tnp.compress([True, False], x), tnp.clip(x, -0.5, 0.5), tnp.clip(n, 0, None), tnp.clip(y,
        None, 1),
        tnp.diff(y), tnp.diff(x, axis=0), tnp.diff(x, 2), tnp.ix_([0, 1], [2]), tnp.ix_(n[0],
        y > 0),
        tnp.ix_([1]),
    ], X, N, Y),
    **numpy("places", lambda tnp, x, c, y: [
        tnp.take(x, [0, 5]), tnp.take(x, [0, 2], 1), tnp.take(c, [[0], [7]], -1, mode="wrap"),
        tnp.take_along_axis(x, [[0], [2]], 1), tnp.take_along_axis(x, [[0, 1, 0]], 0),
        tnp.take_along_axis(y, [-1, 0], 0), tnp.meshgrid(y, y), tnp.meshgrid(x[0], x[1],
        indexing="ij"),
        tnp.meshgrid(y),
    ], X, CUBE, Y),
    **numpy("products", lambda tnp, x, y, n, c: [
        tnp.matmul(x, y), tnp.matmul(x, tnp.transpose(n)), tnp.matmul(c, c[0, 0]), tnp.matmul(y,
        [1, 2, 3]),
        tnp.dot(x, y), tnp.dot(2, n), tnp.dot(c, tnp.swapaxes(c, 1, 2)), tnp.inner(x, n),
        tnp.inner(y, y),
        tnp.inner(c, c[0, 0]), tnp.vdot(x, n), tnp.vdot(y, y), tnp.outer(y, n), tnp.kron(x, n),
        tnp.tensordot(x, y, 1), tnp.tensordot(x, x), tnp.tensordot(x, n, [[0], [0]]),
        tnp.einsum("ij,kj->ik", x, n), tnp.einsum("i,i", y, y), tnp.einsum("ijk->k", c),
        tnp.polyval([1, 2, 3], y), tnp.polyval(y, x), tnp.polyval([2], n),
    ], X, Y, N, CUBE),
    **numpy("vdot of complex numbers", lambda tnp, z: [tnp.vdot(z, z), tnp.sqrt(z), tnp.log(z)], Z),
    **numpy("about arrays", lambda tnp, x: [
        np.asarray(tnp.isscalar(one), np.int32) + 0 * tnp.array([0]) for one in (1.5, [1], "a")
    ] + [tnp.array([int(tnp.iscomplexobj(one)), int(tnp.isrealobj(one))]) for one in (1j, 1, x)],
        X),
    **numpy("poisson of nothing", lambda tnp: [
        tnp.random.poisson(0.0, (2,)), tnp.random.poisson([0.0, 0.0]), tnp.random.poisson(0.0),
        tnp.random.randint(3, 4, (2,)), tnp.random.randint(1), tnp.random.randint(1, size=2,
        dtype=np.int32),
        tnp.random.uniform(2.0, 2.0, (2,)), tnp.random.uniform([1.0, 2.0], [1.0, 2.0]),
        tnp.random.uniform(3, 3),
    ]),
    "numpy gradients of floats": (
        gradient(lambda tf, x: sum(
            tf.reduce_sum(getattr(tf.experimental.numpy, name)(x))
            for name in "sin exp2 log2 log10 sinc cbrt deg2rad arctan sqrt square".split()
        )),
        [abs(X)],
    ),
    "numpy gradients of pairs": (
        gradient(lambda tf, x, y: sum(
            tf.reduce_sum(getattr(tf.experimental.numpy, name)(x, y))
            for name in "hypot logaddexp logaddexp2 arctan2 power maximum kron outer dot".split()
        )),
        [abs(X), np.float32(abs(Y))],
    ),
    "numpy gradients of nextafter": (
        gradient(lambda tf, x, y: tf.reduce_sum(y * tf.experimental.numpy.nextafter(x, y))),
        [X, X[0] + 1],
    ),
    "numpy gradients of selections": (
        gradient(lambda tf, x: sum(
            tf.reduce_sum(one * one) for one in (
                tf.experimental.numpy.take_along_axis(x, [[0], [2]], 1),
                tf.experimental.numpy.diagonal(x),
                tf.experimental.numpy.diag(x[0], 1),
                tf.experimental.numpy.roll(x, 1),
                tf.experimental.numpy.var(x, 0),
                tf.experimental.numpy.nanmean(x),
                tf.experimental.numpy.average(x, 1),
                tf.experimental.numpy.cross(x, x[::-1]),
                tf.experimental.numpy.linspace(x[0], x[1], 4),
            )
        )),
        [X],
    ),
}  # fmt: skip
CALLS |= numpy("cross", lambda tnp, x, s: [
    tnp.cross(x, s[:2]), tnp.cross(s, s, axisc=0), tnp.cross(x[:, :2], [1.0, 2, 3]),
    tnp.cross(s, s[0], 0, 0),
], X, SQUARE)  # fmt: skip
# How many numbers vectors have decides the rank of the result.
CALLS |= numpy("cross of pairs", lambda tnp, x: tnp.cross(x, [1.0, 2.0]), X[:, :2])
