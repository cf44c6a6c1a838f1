"""Datasets of many kinds: prints the same with TensorFlow and with tensormill in its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Dataset = tf.data.Dataset


def plain(value: Any) -> Any:
    """Elements as Python values."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


def show(name: str, dataset: Any) -> None:
    elements = [plain(element) for element in dataset.as_numpy_iterator()]
    print(f"{name}: {dataset.element_spec} x {int(dataset.cardinality())}")
    print(f"    {elements}")


def pair(x: Any) -> Any:
    return {"x": x, "rows": tf.fill([2], x)}


def collatz(n: Any) -> Any:
    count = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        count += 1
    return count


def sum_of(window: Any) -> Any:
    return Dataset.from_tensors(window.reduce(np.int64(0), lambda total, x: total + x))


def odd(x: Any) -> Any:
    return x % 2 == 1


def countdown(n: Any) -> Any:
    while n:
        yield n, [float(n)] * int(n)
        n -= 1


def elements() -> None:
    show("slices", Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [[1.0], [2.0], [3.0]]}))
    show("tensors", Dataset.from_tensors(([1, 2], "text")))
    show("mapped", Dataset.range(3).map(pair))
    show("loops", Dataset.range(1, 8).map(collatz))
    show("filtered", Dataset.range(10).filter(odd))
    show("batches", Dataset.range(7).batch(3))
    show("whole batches", Dataset.range(7).batch(3, drop_remainder=True))
    show("rows", Dataset.range(6).batch(4).unbatch())
    show("padded", Dataset.range(1, 5).map(lambda x: tf.range(x)).padded_batch(3))
    show("windows", Dataset.range(8).window(3, shift=2).flat_map(sum_of))
    show("numbered", Dataset.from_tensor_slices(["a", "b"]).enumerate(5))
    show("zipped", Dataset.zip((Dataset.range(3), Dataset.range(10, 20))))
    show("chosen", Dataset.range(10).skip(2).take(5).shard(2, 1).repeat(2))
    show("joined", Dataset.range(2).concatenate(Dataset.range(5, 7)))
    show("flat", Dataset.range(4).flat_map(Dataset.range))
    show("interleaved", Dataset.range(1, 5).interleave(Dataset.range, cycle_length=2))
    show("scanned", Dataset.range(5).scan(np.int64(0), lambda s, x: (s + x, s * x)))
    show("until", Dataset.range(10).take_while(lambda x: x < 4))
    signature = (tf.TensorSpec([], tf.int64), tf.TensorSpec([None], tf.float32))
    show("generated", Dataset.from_generator(countdown, args=(3,), output_signature=signature))


def orders() -> None:
    tf.random.set_seed(42)
    shuffled = Dataset.range(12).shuffle(5)
    show("first pass", shuffled)
    show("second pass", shuffled)
    show("same order", Dataset.range(12).shuffle(12, seed=3, reshuffle_each_iteration=False))
    show("repeated", Dataset.range(4).shuffle(4, seed=1).repeat(3))
    show("random", Dataset.random(seed=7).take(3))


@tf.function
def total(dataset: Any) -> Any:
    found = tf.constant(0, tf.int64)
    for number, x in dataset.enumerate():
        if x == 3:
            continue
        if number > 6:
            break
        found += x
    return found


@tf.function
def step(iterator: Any) -> Any:
    x, y = iterator.get_next()
    return tf.reduce_sum(x) * y


@tf.function
def maybe(iterator: Any) -> Any:
    return iterator.get_next_as_optional()


def functions() -> None:
    print("total", int(total(Dataset.range(10))), int(total(Dataset.range(4))))
    iterator = iter(
        Dataset.from_tensor_slices((np.arange(6).reshape(3, 2), np.array([1, 10, 100])))
    )
    try:
        while True:
            print("step", int(step(iterator)))
    except tf.errors.OutOfRangeError:
        print("the end")
    iterator = iter(Dataset.range(1))
    for _ in range(2):
        found = maybe(iterator)
        print(
            "maybe", bool(found.has_value()), int(found.get_value()) if found.has_value() else None
        )


def mistakes() -> None:
    for name, mistake in {
        "scalar": lambda: Dataset.from_tensor_slices(3),
        "unequal": lambda: Dataset.from_tensor_slices(([1, 2], [1])),
        "empty batch": lambda: Dataset.range(3).batch(0),
        "shard": lambda: Dataset.range(3).shard(2, 2),
        "kinds": lambda: Dataset.range(3).concatenate(Dataset.from_tensors(1.0)),
        "predicate": lambda: Dataset.range(3).filter(lambda x: x),
        "length": lambda: len(Dataset.range(3).repeat()),
        "shapes": lambda: list(Dataset.range(3).map(tf.range).batch(2)),
    }.items():
        try:
            mistake()
        except Exception as error:
            print(
                name, type(error).__name__ if name != "unequal" else isinstance(error, ValueError)
            )


if __name__ == "__main__":
    elements()
    orders()
    functions()
    mistakes()
