"""Names of operations that composed functions make, as TensorFlow 2.21 names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf


def names(function: Callable[[Any], Any]) -> list[str]:
    traced = tf.function(function).get_concrete_function(tf.TensorSpec([None, 3], tf.float32))
    return [one.name for one in traced.graph.get_operations() if one.type != "Const"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.random.normal([3], 1.0, 2.0) + x,
         ["random_normal/RandomStandardNormal", "random_normal/mul", "random_normal", "add"]),
        (lambda x: tf.math.reduce_std(x, 0),
         ["reduce_std/reduce_variance/Mean", "reduce_std/reduce_variance/sub",
          "reduce_std/reduce_variance/Square", "reduce_std/reduce_variance/Mean_1",
          "reduce_std/Sqrt"]),
        (lambda x: tf.nn.l2_normalize(x, 0),
         ["l2_normalize/Square", "l2_normalize/Sum", "l2_normalize/Maximum",
          "l2_normalize/Rsqrt", "l2_normalize"]),
        (lambda x: tf.zeros_like(x) + tf.ones_like(x), ["zeros_like", "ones_like", "add"]),
        (lambda x: tf.nn.dropout(x, 0.5),
         ["dropout/mul", "dropout/Shape", "dropout/random_uniform/RandomUniform",
          "dropout/GreaterEqual", "dropout/SelectV2"]),
    ],
)  # fmt: skip
def test_operations_are_named_below_the_function(function: Any, expected: list[str]) -> None:
    assert names(function) == ["x", *expected, "Identity"]


def test_a_scope_is_named_as_asked() -> None:
    found = names(lambda x: tf.random.normal([3], name="noise") + tf.nn.dropout(x, 0.5, name="off"))

    assert {"noise", "noise/mul", "off/SelectV2"} <= set(found)


def test_a_name_may_be_passed_by_its_place() -> None:
    assert "mine/Mean" in names(lambda x: tf.math.reduce_variance(x, 0, False, "mine"))


def test_an_operand_among_any_number_of_them_is_no_name() -> None:
    found = names(lambda x: tf.einsum("ij,kj,kl->il", x, x, x))

    assert all(name.startswith("einsum/") for name in found[1:-1])


def test_scopes_of_the_same_name_are_numbered() -> None:
    found = names(lambda x: tf.random.normal([3]) + tf.random.normal([3]))

    assert {"random_normal", "random_normal_1", "random_normal_1/mul"} <= set(found)
