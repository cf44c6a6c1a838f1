"""The compiled program and the reference agree; the reference is the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.backends import reference


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def softmax(x: Any) -> Any:
    e = tf.exp(x - tf.reduce_max(x, -1, keepdims=True))
    return e / tf.reduce_sum(e, -1, keepdims=True)


def prefix_sums(x: Any) -> Any:
    ta = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    total = 0.0
    for i in tf.range(tf.shape(x)[0]):
        total += x[i]
        ta = ta.write(i, total)
    return ta.stack()


def greeting(x: Any) -> Any:
    return tf.constant("hello ") + x


X = tf.constant([[0.5, -1.0, 2.0], [3.0, 0.0, -2.0]])

PROGRAMS = [
    (collatz, (tf.constant(27),)),
    (softmax, (X,)),
    (prefix_sums, (X[0],)),
    (greeting, (tf.constant("you"),)),
    (lambda x: (x, [x[0], {"a": tf.reduce_mean(x)}], None), (X,)),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("body", "args"), PROGRAMS)
def test_every_back_end_gives_the_same(body: Any, args: Any) -> None:
    results = []
    for name in ("reference", "cpu"):
        with backends.using(name):
            results.append(tf.nest.flatten(tf.function(body)(*args)))

    for wanted, found in zip(*results, strict=True):
        if wanted is None:
            assert found is None
        elif wanted.dtype == tf.string:
            assert wanted.numpy() == found.numpy()
        else:
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)


def test_the_reference_says_that_it_evaluates() -> None:
    with backends.using("reference"):
        doubled = tf.function(lambda x: x * 2.0)
        doubled(X)

        assert "the reference back end evaluates" in str(doubled.report())


def test_the_references_entry_refuses_other_operands() -> None:
    graph = tf.function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([2])).callee.graph
    bound = reference.compile(graph).bind(())

    assert bound.entry(tf.ones([2]))[0].numpy().tolist() == [2.0, 2.0]
    for operands in ((tf.ones([3]),), (tf.constant([1, 2]),), (1.0,), ()):
        assert bound.entry(*operands) is NotImplemented


def test_the_compiler_is_the_default() -> None:
    assert backends.default().__name__.endswith(".cpu")
