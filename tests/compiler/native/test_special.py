"""Special functions in native code are SciPy's, to the bit but for those of our own."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.externals import SPECIAL, signature_of
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library, special

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


def test_level_2_functions_make_sense_and_are_read_back() -> None:
    for name in (f"{special.PREFIX}{one}_{short}" for one in SPECIAL for short in ("f32", "f64")):
        whole, block = special.functions(name)
        signatures = {**library.SIGNATURES, block.name: signature_of(block)}
        for function in (whole, block):
            verify_function(function, signatures)
            assert function_text(parse_function(function_text(function))) == function_text(function)
