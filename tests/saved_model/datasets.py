"""A program whose functions make datasets and go over them: `programs.py` has them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .resources import Call, Program


def passes(tf: Any) -> Any:
    """Functions that use datasets otherwise than in loops."""
    D = tf.data.Dataset
    count = tf.TensorSpec([], tf.int64)
    numbers = tf.TensorSpec([None], tf.float32)
    zero = tf.constant(0, tf.int64)

    class Passes(tf.Module):
        w: Any
        total: Any

        @tf.function(input_signature=[count])
        def reduced(self, n: Any) -> Any:
            squares = D.range(n).map(lambda n: n * n).batch(3)
            return squares.reduce(zero, lambda a, b: a + tf.reduce_sum(b)), squares.cardinality()

        @tf.function(input_signature=[count])
        def by_hand(self, n: Any) -> Any:
            elements = iter(D.range(n).skip(1).take(5))
            first, last = next(elements), elements.get_next_as_optional()
            rest = last.get_value() if last.has_value() else zero - 1
            again = elements.get_next_as_optional()
            return first, rest, again.has_value()

        @tf.function(input_signature=[numbers])
        def single(self, x: Any) -> Any:
            data = D.from_tensors({"x": x}).map(lambda one: tf.reduce_sum(one["x"]) + self.w)
            return data.get_single_element()

        @tf.function(input_signature=[count])
        def assigned(self, n: Any) -> Any:
            for k in D.range(n):
                self.total.assign_add(k)
            return self.total.read_value()

    return Passes


def loops(tf: Any) -> Any:
    """Functions with loops over datasets."""
    D = tf.data.Dataset
    count = tf.TensorSpec([], tf.int64)
    numbers = tf.TensorSpec([None], tf.float32)
    zero = tf.constant(0, tf.int64)

    class Loops(tf.Module):
        w: Any

        @tf.function(input_signature=[numbers])
        def looped(self, x: Any) -> Any:
            total = tf.constant(0.0)
            for one in D.from_tensor_slices(x).filter(lambda one: one > 0):
                total += one * self.w
            for left, right in D.from_tensor_slices((x, 2 * x)).batch(2):
                total += tf.reduce_sum(left * right) / tf.cast(tf.shape(left)[0], tf.float32)
            return total

        @tf.function(input_signature=[count])
        def left_early(self, n: Any) -> Any:
            total, kept = zero, tf.TensorArray(tf.int64, 0, dynamic_size=True, element_shape=())
            for one in D.range(n).shuffle(1).repeat(2):
                if total > 3:
                    break
                total += one
                kept = kept.write(kept.size(), total)
            return kept.stack()

        @tf.function(input_signature=[count])
        def inside(self, n: Any) -> Any:
            total = zero
            if n > 3:
                for k in D.range(n):
                    for j in D.range(k):
                        total += j * k
            else:
                total = D.range(n).reduce(total, lambda a, b: a - b)
            return total

    return Loops


def changes(tf: Any) -> Any:
    """Functions whose datasets have other elements."""
    D = tf.data.Dataset
    count = tf.TensorSpec([], tf.int64)
    zero = tf.constant(0, tf.int64)

    class Changes(tf.Module):
        @tf.function(input_signature=[count])
        def side_by_side(self, n: Any) -> Any:
            both = D.zip((D.range(n), D.range(10, 10 + n).enumerate(start=5)))
            return all_of(both.map(lambda a, pair: a * 10_000 + pair[0] * 100 + pair[1]))

        @tf.function(input_signature=[count])
        def one_after_another(self, n: Any) -> Any:
            rows = D.range(n).flat_map(lambda k: D.range(k).map(lambda j: j + k))
            rows = rows.concatenate(D.range(100, 103))
            twice = rows.interleave(lambda k: D.from_tensors(k).repeat(2), cycle_length=2)
            at_once = rows.interleave(
                lambda k: D.from_tensors(k + n), cycle_length=2, num_parallel_calls=2
            )
            return all_of(twice), all_of(at_once)

        @tf.function(input_signature=[count])
        def windows(self, n: Any) -> Any:
            pairs = D.zip((D.range(n), D.range(n))).window(3, shift=2, drop_remainder=True)
            batches = pairs.flat_map(lambda a, b: D.zip((a.batch(3), b.batch(3))))
            return all_of(batches)

        @tf.function(input_signature=[count])
        def padded(self, n: Any) -> Any:
            rows = D.range(1, n).map(lambda k: tf.fill([k], k))
            filled = rows.padded_batch(3, padding_values=zero - 1, drop_remainder=True)
            return all_of(filled.map(tf.reduce_sum))

        @tf.function(input_signature=[count])
        def scanned(self, n: Any) -> Any:
            products = D.range(n).scan(zero + 1, lambda s, x: (s + x, s * x))
            return all_of(products.take_while(lambda one: one < 200))

    return Changes


def choices(tf: Any) -> Any:
    """Functions whose datasets have elements in another order, or fewer."""
    D = tf.data.Dataset
    count = tf.TensorSpec([], tf.int64)

    class Choices(tf.Module):
        @tf.function(input_signature=[count])
        def grouped(self, n: Any) -> Any:
            def add(key: Any, window: Any) -> Any:
                return window.batch(4).map(lambda one: tf.reduce_sum(one) + key)

            sums = D.range(n).group_by_window(lambda k: k % 2, add, window_size=4)
            reducer = tf.data.experimental.Reducer(lambda key: key, lambda a, b: a + b, tf.negative)
            by_key = tf.data.experimental.group_by_reducer(lambda k: k % 3, reducer)
            return all_of(sums), all_of(D.range(n).apply(by_key))

        @tf.function(input_signature=[count])
        def several(self, n: Any) -> Any:
            data = D.range(n).shard(2, 1).prefetch(2).cache().batch(3).rebatch(2).unbatch()
            options = tf.data.Options()
            options.deterministic = True
            known = data.unique().apply(tf.data.experimental.assert_cardinality(6))
            return all_of(known.with_options(options)), known.cardinality()

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def texts(self, texts: Any) -> Any:
            data = D.from_tensor_slices({"text": texts, "size": tf.strings.length(texts)})
            pairs = data.map(lambda one: (tf.strings.upper(one["text"]), one["size"]), 4)
            joined = tf.constant("")
            for text, size in pairs:
                joined = tf.strings.join([joined, text, tf.strings.as_string(size)])
            return joined[None]

        @tf.function(input_signature=[count])
        def shuffled(self, n: Any) -> Any:
            once = D.range(n).shuffle(5, seed=3, reshuffle_each_iteration=False)
            often = D.range(n).shuffle(5, seed=3).repeat(2)
            return all_of(once), all_of(often), all_of(D.random(seed=4).take(5))

        @tf.function(input_signature=[count])
        def chosen(self, n: Any) -> Any:
            parts = [D.range(n), D.range(100, 100 + n)]
            return all_of(D.choose_from_datasets(parts, D.range(2).repeat(3)))

        @tf.function(input_signature=[count])
        def failing(self, n: Any) -> Any:
            inverses = D.range(n).map(lambda k: 1 / (tf.cast(k, tf.float32) - 2))
            checked = inverses.map(lambda one: tf.debugging.check_numerics(one, "infinite"))
            return all_of(checked.ignore_errors())

    return Choices


def all_of(data: Any) -> Any:
    """All elements, stacked."""
    return data.batch(100).get_single_element()


def datasets(tf: Any) -> Program:
    """Every transformation that TensorFlow has an operation for, and every way to use one."""

    class Datasets(passes(tf), loops(tf), changes(tf), choices(tf)):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(3.0)
            self.total = tf.Variable(2, dtype=tf.int64)

    return Datasets(), None


PROGRAMS: list[Callable[[Any], Program]] = [datasets]

_x, _texts = np.array([1, -2, 3], np.float32), np.array([b"a", b"bc"], object)
CALLS: dict[str, list[Call]] = {
    "datasets": [
        *((name, (np.int64(n),), {}) for name, n in [
            ("reduced", 10), ("left_early", 7), ("by_hand", 3), ("side_by_side", 3),
            ("one_after_another", 4), ("windows", 8), ("scanned", 6), ("grouped", 11),
            ("several", 13), ("shuffled", 12), ("chosen", 5), ("failing", 5), ("inside", 5),
            ("inside", 3), ("assigned", 4), ("padded", 8),
        ]),
        ("looped", (_x,), {}), ("single", (_x,), {}), ("texts", (_texts,), {}),
    ],
}  # fmt: skip
