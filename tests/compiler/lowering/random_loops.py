"""Loops made at random that hand on vectors, some of sizes that change."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import tensormill as tf

VECTOR = tf.TensorShape([None])
MOST = 32  # elements of a result


def random_loop(random: Random, vectors: list[Any], depth: int = 1) -> Any:
    """A vector that a loop leaves behind, made of these ones; other loops may be inside."""
    start = [random.choice(vectors) for _ in range(random.randrange(1, 4))]
    seed, keeps_list = random.random(), random.random() < 0.4
    items = tf.TensorArray(
        tf.float32, 0, dynamic_size=True, element_shape=[None], infer_shape=False,
        clear_after_read=False,
    ).write(0, start[0])  # fmt: skip

    def body(k: Any, *carried: Any) -> Any:
        inner = Random(seed)
        given = [*carried[: len(start)], vectors[0]]
        lists = carried[len(start) :]
        given += [items.read(0) for items in lists]
        new = [_step(inner, given, depth) for _ in start]
        place = inner.choice([0, k])
        return (k + 1, *new, *(items.write(place, inner.choice(new)) for items in lists))

    lists = [items] if keeps_list else []
    shapes = [tf.TensorShape([]), *[VECTOR for _ in start], *[None for _ in lists]]
    left = tf.while_loop(lambda k, *_: k < 3, body, [1, *start, *lists], shapes)
    return tf.concat([left[1], *(items.read(0) for items in left[1 + len(start) :])], 0)[:MOST]


def _step(random: Random, vectors: list[Any], depth: int) -> Any:
    a, b, c = (random.choice(vectors) for _ in range(3))
    steps: list[Callable[[], Any]] = [
        lambda: a + 1.0,
        lambda: a * 0.5,
        lambda: a,
        lambda: tf.concat([a, b[:1]], 0),
        lambda: a[1:],
        lambda: tf.zeros([tf.shape(a)[0]]) + 2.0,
        lambda: tf.reverse(a, [0]),
        lambda: tf.cond(tf.reduce_sum(a) > 1.0, lambda: b + 0.5, lambda: c),
        lambda: tf.boolean_mask(a, a > -100.0),
        lambda: random_loop(random, vectors, depth + 1) if depth < 3 else b,
    ]
    return random.choice(steps)()[:MOST]
