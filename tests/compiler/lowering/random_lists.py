"""Programs made at random that read, change, copy and hand on lists."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

import tensormill as tf

SHAPE = [2, 3]
LISTS, TENSORS, DEPTH = 2, 4, 2

raw = tf.raw_ops


def program_of(seed: int, element_shape: list[int]) -> Callable[..., Any]:
    """A function of a matrix; `element_shape` is what its lists know of their elements."""

    def fn(x: Any) -> Any:
        lists = [
            raw.TensorListFromTensor(tensor=tf.stack(rows), element_shape=element_shape)
            for rows in ([x, x + 1.0, x * 2.0], [x - 1.0])
        ]
        tensors = [x + float(number) for number in range(TENSORS)]
        lists, tensors = _steps(Random(seed), lists, tensors, DEPTH)
        return [*(_stacked(one) for one in lists), *tensors]

    return fn


def _stacked(items: Any) -> Any:
    return raw.TensorListStack(input_handle=items, element_shape=SHAPE, element_dtype=tf.float32)


def _steps(random: Random, lists: Any, tensors: Any, depth: int) -> tuple[list[Any], list[Any]]:
    lists, tensors = list(lists), list(tensors)
    for _ in range(random.randrange(2, 7)):
        step = random.choice([_read, _read, _write, _write, _push, _pop, _sum, _compute, _copy])
        if depth and random.random() < 0.2:
            step = random.choice([_branch, _loop])
        step(random, lists, tensors, depth)
    return lists, tensors


def _place(random: Random, items: Any) -> Any:
    """An index: lists always have an element."""
    return tf.math.floormod(random.randrange(5), raw.TensorListLength(input_handle=items))


def _put(random: Random, tensors: list[Any], value: Any) -> None:
    tensors[random.randrange(TENSORS)] = value


def _read(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    items = random.choice(lists)
    found = raw.TensorListGetItem(
        input_handle=items, index=_place(random, items), element_shape=SHAPE,
        element_dtype=tf.float32,
    )  # fmt: skip
    _put(random, tensors, found)


def _write(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    number = random.randrange(LISTS)
    lists[number] = raw.TensorListSetItem(
        input_handle=lists[number], index=_place(random, lists[number]),
        item=random.choice(tensors),
    )  # fmt: skip


def _push(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    number = random.randrange(LISTS)
    lists[number] = raw.TensorListPushBack(
        input_handle=lists[number], tensor=random.choice(tensors)
    )


def _pop(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    number = random.randrange(LISTS)
    left, found = raw.TensorListPopBack(
        input_handle=lists[number], element_shape=SHAPE, element_dtype=tf.float32
    )
    lists[number] = raw.TensorListPushBack(input_handle=left, tensor=random.choice(tensors))
    _put(random, tensors, found)


def _sum(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    rows = _stacked(random.choice(lists))
    _put(random, tensors, rows[0] if random.random() < 0.5 else tf.reduce_mean(rows, 0))


def _compute(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    a, b = random.choice(tensors), random.choice(tensors)
    made = random.choice(
        [
            lambda: a * 0.5 + b * 0.25,
            lambda: a - b[:1],
            lambda: tf.reverse(a, [1]),
            lambda: tf.reshape(tf.transpose(a), SHAPE) * 0.5,
            lambda: a @ tf.ones([3, 3]) * 0.1,
            lambda: tf.tanh(a),
        ]
    )
    _put(random, tensors, made())


def _copy(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    lists[random.randrange(LISTS)] = random.choice(lists)


def _branch(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    seeds = random.random(), random.random()

    def side(seed: float) -> Callable[[], Any]:
        return lambda: [*chain(*_steps(Random(seed), lists, tensors, depth - 1))]

    condition = tf.reduce_sum(random.choice(tensors)) > random.choice([0.0, 3.0])
    found = tf.cond(condition, side(seeds[0]), side(seeds[1]))
    lists[:], tensors[:] = found[:LISTS], found[LISTS:]


def _loop(random: Random, lists: list[Any], tensors: list[Any], depth: int) -> None:
    seed = random.random()

    def body(k: Any, *carried: Any) -> Any:
        inner = Random(seed)
        found = _steps(inner, carried[:LISTS], carried[LISTS:], depth - 1)
        keeps = [inner.random() < 0.4 for _ in range(LISTS)]  # some stay as they are
        triples = zip(keeps, carried[:LISTS], found[0], strict=True)
        new = [old if keep else one for keep, old, one in triples]
        return (k + 1, *new, *found[1])

    found = tf.while_loop(lambda k, *_: k < 3, body, [tf.constant(0), *lists, *tensors])
    lists[:], tensors[:] = found[1 : 1 + LISTS], found[1 + LISTS :]
