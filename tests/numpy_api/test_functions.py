"""`tf.experimental.numpy` where no call is recorded: what TensorFlow refuses, or NumPy knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

tnp = tf.experimental.numpy

X = np.array([[1.5, -2.5, 3.0], [0.25, 4.75, -1.0]], np.float32)
N = np.array([[15, -25, 3], [7, 2, -5]], np.int32)


def assert_equal(expected: Any, actual: Any) -> None:
    actual = np.asarray(actual)
    assert np.asarray(expected).dtype == actual.dtype
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", "sin sqrt floor cbrt log2 sinc deg2rad angle isfinite".split())
@pytest.mark.parametrize("value", [2, True, [1, 4], np.array([3], np.int8), np.float64(2)])
def test_integers_and_bools_are_floats_where_functions_need_them(name: str, value: Any) -> None:
    wide = np.asarray(value).astype(np.float64)

    assert_equal(getattr(np, name)(wide), getattr(tnp, name)(value))


@pytest.mark.parametrize("name", "sin log2 floor isnan sinc angle".split())
def test_bfloat16_stays_what_it_is(name: str) -> None:
    x = tf.constant([0.5, 1.0], tf.bfloat16)

    assert getattr(tnp, name)(x).dtype in (tf.bfloat16, tf.bool)
    assert tf.bfloat16 is tnp.add(x, 1.5).dtype


@pytest.mark.parametrize("decimals", [-1, 0, 1])
@pytest.mark.parametrize("x", [X, N, 15, 2.25, [0.5, 1.5]])
def test_halves_are_rounded_to_the_even_neighbour(x: Any, decimals: int) -> None:
    assert_equal(np.around(x, decimals), tnp.around(x, decimals))


def test_isclose_is_of_integers_and_infinities_too() -> None:
    assert_equal([True, True], tnp.isclose([1, 2], [1, 3], atol=5))
    assert_equal([True, False], tnp.isclose([np.inf, np.inf], [np.inf, -np.inf]))


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("x", [X, N, X + 1j * X])
def test_variances_divide_by_what_is_left(x: Any, ddof: int) -> None:
    wide = x if x.dtype.kind != "i" else x.astype(np.float64)

    assert_equal(np.var(wide, 1, ddof=ddof), tnp.var(x, 1, ddof=ddof))


@pytest.mark.parametrize("decimals", [0, 2])
def test_what_numpy_takes_and_tensorflow_does_not(decimals: int) -> None:
    assert_equal(np.flip(X, (0, 1)), tnp.flip(X, (0, 1)))
    assert_equal(np.expand_dims(X, (0, 2)), tnp.expand_dims(X, (0, 2)))
    assert_equal(np.concatenate([X, X], None), tnp.concatenate([X, X], None))
    assert_equal(np.pad(X, decimals), tnp.pad(X, decimals, "constant"))
    assert_equal(np.eye(2, 0), tnp.eye(2, 0))
    assert_equal(np.linspace(0, 9, 4, dtype=int), tnp.linspace(0, 9, 4, dtype=int))


NOTHING: Any = None

REFUSED: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "arange step": (ValueError, lambda: tnp.arange(0, 1, 0)),
    "arange complex": (TypeError, lambda: tnp.arange(1j)),
    "array of nothing": (ValueError, lambda: tnp.array(None)),
    "array of rows": (ValueError, lambda: tnp.array([[1], [2, 3]])),
    "average axis": (ValueError, lambda: tnp.average(X, axis=(0,))),
    "argsort kind": (ValueError, lambda: tnp.argsort([1], kind="x")),
    "broadcast_arrays subok": (ValueError, lambda: tnp.broadcast_arrays(X, subok=True)),
    "clip without bounds": (ValueError, lambda: tnp.clip(X, None, None)),
    "compress matrix": (ValueError, lambda: tnp.compress([[1]], [1])),
    "compress too long": (ValueError, lambda: tnp.compress([1, 1, 1], [1, 2])),
    "concatenate nothing": (ValueError, lambda: tnp.concatenate([])),
    "cross of one": (ValueError, lambda: tnp.cross([1], [2])),
    "diag of a cube": (ValueError, lambda: tnp.diag(np.zeros((2, 2, 2)))),
    "diag_indices": (ValueError, lambda: tnp.diag_indices(-1)),
    "diff backwards": (ValueError, lambda: tnp.diff([1, 2], n=-1)),
    "diff axis": (ValueError, lambda: tnp.diff([1, 2], axis=3)),
    "dsplit of a matrix": (ValueError, lambda: tnp.dsplit(X, 1)),
    "finfo of int": (ValueError, lambda: tnp.finfo(int)),
    "flatten order": (ValueError, lambda: tnp.flatten(X, "X")),
    "full too small": (tf.errors.InvalidArgumentError, lambda: tnp.full((2,), [1, 2, 3])),
    "full_like shape": (ValueError, lambda: tnp.full_like(X, 1, shape=(2,))),
    "gcd of floats": (ValueError, lambda: tnp.gcd(1.0, 2)),
    "ix_ of a matrix": (ValueError, lambda: tnp.ix_([[1]])),
    "ix_ of floats": (ValueError, lambda: tnp.ix_([1.0])),
    "linspace": (ValueError, lambda: tnp.linspace(0, 1, -1)),
    "matmul of a scalar": (ValueError, lambda: tnp.matmul(1, X)),
    "mean out": (ValueError, lambda: tnp.mean(X, out=X)),
    "meshgrid sparse": (ValueError, lambda: tnp.meshgrid([1], sparse=True)),
    "meshgrid indexing": (ValueError, lambda: tnp.meshgrid([1], indexing="zz")),
    "moveaxis": (ValueError, lambda: tnp.moveaxis(X, [0, 1], [0])),
    "ones without a dtype": (TypeError, lambda: tnp.ones(2, dtype=None)),
    "pad mode": (ValueError, lambda: tnp.pad(X, 1, "edge")),
    "randint dtype": (ValueError, lambda: tnp.random.randint(5, dtype=np.uint8)),
    "randint of nothing": (tf.errors.InvalidArgumentError, lambda: tnp.random.randint(0)),
    "reshape order": (ValueError, lambda: tnp.reshape(X, 6, "A")),
    "reshape": (tf.errors.InvalidArgumentError, lambda: tnp.reshape(X, (4, 2))),
    "rot90 of a vector": (ValueError, lambda: tnp.rot90([1, 2])),
    "seed": (ValueError, lambda: tnp.random.seed(NOTHING)),
    "select lengths": (ValueError, lambda: tnp.select([[True]], [1, 2])),
    "select nothing": (ValueError, lambda: tnp.select([], [])),
    "sign out": (ValueError, lambda: tnp.sign(1, out=X)),
    "size axis": (NotImplementedError, lambda: tnp.size(X, 0)),
    "sort kind": (ValueError, lambda: tnp.sort([1], kind="stable")),
    "sort order": (ValueError, lambda: tnp.sort([1], order="x")),
    "split backwards": (ValueError, lambda: tnp.split([1, 2, 3], [2, 1])),
    "split in fractions": (TypeError, lambda: tnp.split([1, 2], 2.0)),
    "stack nothing": (ValueError, lambda: tnp.stack([])),
    "swapaxes": (IndexError, lambda: tnp.swapaxes(X, 0, 7)),
    "take mode": (ValueError, lambda: tnp.take(X, [0], mode="raise")),
    "take at floats": (TypeError, lambda: tnp.take(X, [0.5])),
    "tril of a vector": (ValueError, lambda: tnp.tril([1, 2])),
    "vander of a matrix": (ValueError, lambda: tnp.vander([[1]])),
    "var of integers": (TypeError, lambda: tnp.var(X, dtype=int)),
    "where with one": (ValueError, lambda: tnp.where([1, 0], 1)),
    "zeros of fractions": (TypeError, lambda: tnp.zeros(2.5)),
    "dtypes without a common one": (TypeError, lambda: tnp.promote_types(tf.bfloat16, "float16")),
    "no dtype": (TypeError, lambda: tnp.promote_types(1, 2)),
    "a number that is too big": (TypeError, lambda: tnp.add(np.int8(1), 300)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_as_tensorflow_or_numpy_does(name: str) -> None:
    kind, call = REFUSED[name]

    with pytest.raises(kind):
        call()


@pytest.mark.parametrize(
    ("expected", "of"),
    [
        (tf.int64, [1]), (tf.float64, [1.0]), (tf.float64, [1, 2.0]),
        (tf.float32, [np.float32, 1.0]),
        (tf.int8, [np.array([1], np.int8), 300]), (tf.int16, ["int8", "uint8"]),
        (tf.float64, [tf.int32, tf.float32]), (tf.float64, []), (tf.float64, [None]),
        (tf.complex128, [1j]), (tf.bfloat16, [tf.bfloat16, 1]),
        (tf.float32, [tf.bfloat16, tf.float32]),
        (tf.float64, [[1, 2], 1.5]), (tf.int64, [bool, int]), (tf.float32, [X, 1]),
    ],
)  # fmt: skip
def test_dtypes_are_promoted_as_numpy_does(expected: tf.DType, of: list[Any]) -> None:
    assert expected is tnp.result_type(*of)


def test_random_numbers_are_those_of_tensorflow_for_the_same_seed() -> None:
    tnp.random.seed(3)
    first = tnp.random.rand(2, 3)
    tf.random.set_seed(3)

    assert_equal(tf.random.uniform([2, 3], dtype=tf.float64).numpy(), first)
    assert {tf.float64} == {
        one.dtype
        for one in (tnp.random.randn(2), tnp.random.random(1), tnp.random.standard_normal())
    }
    assert (3, 2, 2) == tnp.random.poisson([1.0, 2.0], (3, 2)).shape
    assert (2,) == tnp.random.uniform([0.0, 10.0], [1.0, 20.0]).shape


def test_functions_are_traced_for_unknown_sizes() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def several(x: Any) -> Any:
        tall = tnp.vstack([x, tnp.ones_like(x)])
        return tnp.sum(tnp.where(tall > 0, tall, 0)), tnp.mean(tall, 0), tnp.size(x)

    total, mean, count = several(X)

    assert_equal(np.float32(15.5), total)
    assert_equal(np.vstack([X, np.ones_like(X)]).mean(0), mean)
    assert (tf.int32, 6) == (count.dtype, int(count))
    assert several.report().callbacks == ()


OF_ANY_RANK: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "atleast_1d": (lambda lib, x: lib.atleast_1d(x), [X, X[0], X[0, 0]]),
    "atleast_2d": (lambda lib, x: lib.atleast_2d(x), [X, X[0], X[0, 0]]),
    "atleast_3d": (lambda lib, x: lib.atleast_3d(x), [X, X[0], X[0, 0], X[None, None]]),
    "ascontiguousarray": (lambda lib, x: lib.ascontiguousarray(x), [X, X[0, 0]]),
    "flip": (lambda lib, x: lib.flip(x), [X, X[0]]),
    "moveaxis": (lambda lib, x: lib.moveaxis(x, [0, -1], [1, 0]), [X, X[None]]),
    "swapaxes": (lambda lib, x: lib.swapaxes(x, -1, 0), [X, X[None], X[0]]),
    "take": (lambda lib, x: lib.take(x, [1, 0], axis=-2), [X, X[None]]),
    "matmul of rows": (lambda lib, x: lib.matmul(x, X.T), [X, X[0], X[None]]),
    "matmul of columns": (lambda lib, x: lib.matmul(X, x), [X.T, X[0], X.T[None]]),
    "sum": (lambda lib, x: lib.sum(lib.where(x > 0, x, 0), -1), [X, X[0]]),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", OF_ANY_RANK)
def test_functions_are_traced_for_unknown_ranks(name: str) -> None:
    call, arrays = OF_ANY_RANK[name]
    traced = tf.function(lambda x: call(tnp, x), input_signature=[tf.TensorSpec(None)])

    for array in arrays:
        assert_equal(call(np, array), traced(array))


def test_datasets_take_them() -> None:
    doubled = tf.data.Dataset.range(3).map(lambda n: tnp.add(n, [0.5]))

    assert [[0.5], [1.5], [2.5]] == [one.numpy().tolist() for one in doubled]


def test_tile_needs_to_know_how_many_axes_it_repeats() -> None:
    """It was a TypeError about None, which did not say of what."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def tiled(times):
        return tf.experimental.numpy.tile(tf.ones([2, 3]), times)

    with pytest.raises(ValueError, match="how many `reps` there are is not known"):
        tiled(tf.constant([2, 1]))


def test_logaddexp2_has_digits_close_to_its_zeros() -> None:
    """By mpmath; with operands, or what they are apart by, scaled first it was 30 and 2 700 units
    in the last place off.
    """
    wide = tnp.logaddexp2(-7.094845108279843, -0.00934401158708625)
    short = tnp.logaddexp2(np.float32(-0.10431328415870667), np.float32(-3.8426387310028076))

    np.testing.assert_allclose(wide, 0.0012395590952315105, rtol=3e-15)
    np.testing.assert_allclose(short, -7.145620454410944e-05, rtol=1e-4)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_lengths_are_right_where_their_squares_are_no_numbers(dtype: Any) -> None:
    most, least = np.finfo(dtype).max / 8, np.finfo(dtype).smallest_subnormal
    x = np.array([3 * most, 300 * least, np.inf, 0.0], dtype)
    y = np.array([4 * most, 400 * least, -2.0, -0.0], dtype)

    np.testing.assert_array_equal(tnp.hypot(x, y), np.hypot(x, y))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cube_roots_are_right_to_the_last_place(dtype: Any) -> None:
    limits = np.finfo(dtype)
    x = np.array([1.7e30, -3e-33, 2.0, limits.max, limits.smallest_subnormal, 0.0, -np.inf], dtype)

    np.testing.assert_array_almost_equal_nulp(tnp.cbrt(x).numpy()[:-2], np.cbrt(x)[:-2], 1)
    np.testing.assert_array_equal(tnp.cbrt(x)[-2:], [0.0, -np.inf])


def test_equal_ratios_have_the_dtype_of_ten() -> None:
    assert tf.float64 is tnp.geomspace(np.float32(1), np.float32(9), 3).dtype
    assert tf.float64 is tnp.geomspace(np.float16(1), np.float16(9), 3).dtype
    assert tf.bfloat16 is tnp.geomspace(tf.cast(1, tf.bfloat16), tf.cast(9, tf.bfloat16), 3).dtype


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_sums_so_far_of_uint64_are_float64(name: str) -> None:
    found = getattr(tnp, name)(tf.constant([1, 2**63], tf.uint64))

    np.testing.assert_array_equal(found, getattr(np, name)([1.0, 2.0**63]), strict=True)


def test_hypot_takes_complex_numbers() -> None:
    found = tnp.hypot(tf.constant([3 + 0j]), tf.constant([4 + 0j]))

    np.testing.assert_array_equal(found, np.array([5 + 0j]), strict=True)
