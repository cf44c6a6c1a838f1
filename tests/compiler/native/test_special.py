"""Special functions in native code are SciPy's, to the bit but for those of our own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.externals import SPECIAL, signature_of
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library
from tensormill.compiler.native.special import functions as special

FEW = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, -3.0, 1e6, float("inf"), -float("inf"), float("nan")]
NUMBERS = st.lists(st.one_of(st.sampled_from(FEW), st.floats(-30, 30)), max_size=9)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
def values(x: Any) -> list[Any]:
    column, narrow = x[:, None], tf.cast(x, tf.float16)
    return [
        tf.math.erfinv(x), tf.math.ndtri(x),
        tf.math.igamma(column, x), tf.math.igammac(column, x),
        tf.math.zeta(column, tf.abs(x)), tf.math.polygamma(tf.floor(column), tf.abs(x)),
        tf.math.betainc(x, tf.ones_like(x) * 0.5, x),
        tf.math.erfinv(narrow), tf.math.igamma(narrow, narrow),
    ]  # fmt: skip


@pytest.mark.sampled
@given(NUMBERS)
@settings(max_examples=40, deadline=None)
def test_functions_are_those_of_the_kernels(numbers: list[float]) -> None:
    x = tf.constant(numbers, tf.float64)
    with np.errstate(all="ignore"):
        expected = values.python_function(x)
    for one, found in zip(expected, values(x), strict=True):
        assert one.dtype == found.dtype
        np.testing.assert_allclose(
            found, one, rtol=1e-12 if one.dtype == tf.float64 else 0, atol=1e-12
        )
    assert values.report().callbacks == ()


@tf.function
def incomplete(a: Any, b: Any, x: Any, part: Any) -> list[Any]:
    return [
        tf.math.igamma(a, x), tf.math.igammac(a, x), tf.math.betainc(a, b, part),
        tf.math.erfinv(part), tf.math.ndtri(part),
        *slopes(tf.minimum(a, 300.0), tf.minimum(x, 300.0)),
    ]  # fmt: skip


def slopes(a: Any, x: Any) -> list[Any]:
    """Of modest operands: the kernels take as many steps as the largest needs, a second each."""
    return [tf.raw_ops.IgammaGradA(a=a, x=x), tf.raw_ops.RandomGammaGrad(alpha=a, sample=x)]


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_numbers_are_those_of_the_kernels(dtype: type[np.generic]) -> None:
    random, count = np.random.default_rng(1), 1100
    a, b, wide = np.exp(random.uniform(np.log(1e-6), np.log(1e5), (3, count)))
    close = a * np.exp(random.normal(0, 0.8, count))
    x = np.where(random.uniform(size=count) < 0.8, close, wide)
    part = np.clip(np.where(wide < 1, random.uniform(size=count), a / (a + b) * close / a), 0, 1)
    operands = [tf.constant(one.astype(dtype)) for one in (a, b, x, part)]
    expected = incomplete.python_function(*operands)
    scale = 2e-6 if dtype is np.float32 else 1e-9

    for one, found in zip(expected, incomplete(*operands), strict=True):
        np.testing.assert_allclose(found, one, rtol=scale, atol=1e-30)
    assert incomplete.report().callbacks == ()


def test_quantiles_of_float32_are_those_of_float64_rounded_once() -> None:
    tail = np.exp(np.random.default_rng(2).uniform(np.log(1e-45), np.log(0.5), 5000))
    ends = [0.0, -0.0, 1.0, 0.5, np.nextafter(np.float32(0.5), 0.0), 1e-45, 1.0 - 6e-8, -1.0, 2.0]
    x = np.concatenate([tail, 1 - tail, 0.5 - tail, ends, [np.inf, np.nan]]).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = tf.math.ndtri(x.astype(np.float64)).numpy()
        unit = np.spacing(np.abs(expected).astype(np.float32))
        found = tf.function(lambda x: tf.math.ndtri(x))(tf.constant(x)).numpy()
        distance = np.abs(found.astype(np.float64) - expected) / unit

    finite = np.isfinite(expected)
    assert np.max(distance[finite]) < 0.52
    np.testing.assert_array_equal(expected[~finite].astype(np.float32), found[~finite])


def test_level_2_functions_make_sense_and_are_read_back() -> None:
    for name in (f"{special.PREFIX}{one}_{short}" for one in SPECIAL for short in ("f32", "f64")):
        functions = special.functions(name)
        signatures = {**library.SIGNATURES, **{one.name: signature_of(one) for one in functions}}
        for function in functions:
            verify_function(function, signatures)
            assert function_text(parse_function(function_text(function))) == function_text(function)
