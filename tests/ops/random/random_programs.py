"""Programs that draw random numbers, and what TensorFlow draws in them.

Run `python tests/ops/random/random_programs.py` where TensorFlow is to write
`random_programs.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")
Program = Callable[[Any], Any]


def eager_streams(tf: Any) -> Any:
    tf.random.set_seed(5)
    return [tf.random.normal([3]), tf.random.normal([3]), tf.random.uniform([3])]


def operation_seeds(tf: Any) -> Any:
    tf.random.set_seed(5)
    return [tf.random.normal([2], seed=seed) for seed in (3, 3, 0, 0, None, 3)]


def a_seed_begins_again(tf: Any) -> Any:
    tf.random.set_seed(5)
    first = tf.random.normal([2])
    tf.random.set_seed(5)
    return [first, tf.random.normal([2])]


def large_and_negative_seeds(tf: Any) -> Any:
    drawn: list[Any] = []
    for seed in (0, 1 << 40, -5, 2**31 - 1):
        tf.random.set_seed(seed)
        drawn += [tf.random.normal([1]), tf.random.normal([1], seed=seed)]
    return drawn


def of_each_dtype(tf: Any) -> Any:
    tf.random.set_seed(1)
    return [
        tf.cast(draw([5], dtype=dtype), tf.float64)
        for draw in (tf.random.normal, tf.random.uniform, tf.random.truncated_normal)
        for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64)
    ]


def integers(tf: Any) -> Any:
    tf.random.set_seed(1)
    return [
        tf.random.uniform([6], -5, 9, tf.int32),
        tf.random.uniform([6], 0, 1 << 40, tf.int64),
        tf.random.shuffle(tf.range(8)),
        tf.random.shuffle(tf.reshape(tf.range(6), [3, 2]), seed=4),
    ]


def parameters_broadcast(tf: Any) -> Any:
    tf.random.set_seed(1)
    return [
        tf.random.normal([2], mean=[1.0, 100.0], stddev=[1.0, 2.0]),
        tf.random.uniform([2, 2], [0.0, 10.0], [1.0, 20.0]),
        tf.random.truncated_normal([2, 2], [[0.0], [10.0]]),
    ]


def a_function_has_its_own_streams(tf: Any) -> Any:
    tf.random.set_seed(5)
    fn = tf.function(lambda: [tf.random.normal([2]), tf.random.normal([2]), tf.random.uniform([5])])
    first = [*fn(), *fn()]
    tf.random.set_seed(5)
    return [*first, *fn()]


def seeds_in_a_function(tf: Any) -> Any:
    tf.random.set_seed(5)
    fn = tf.function(lambda: [tf.random.uniform([2], seed=3), tf.random.uniform([2], seed=3)])
    return [*fn(), *fn()]


def two_functions_and_eager(tf: Any) -> Any:
    tf.random.set_seed(5)
    first = tf.function(lambda: tf.random.normal([2]))
    second = tf.function(lambda: tf.random.normal([2]))
    return [first(), second(), tf.random.normal([2]), first(), second(), tf.random.normal([2])]


def sizes_that_run_time_knows(tf: Any) -> Any:
    tf.random.set_seed(9)
    fn = tf.function(lambda n: tf.random.normal([n, 2]))
    return [fn(tf.constant(2)), fn(tf.constant(3)), fn(tf.constant(2))]


def in_a_loop(tf: Any) -> Any:
    tf.random.set_seed(9)

    @tf.function
    def fn() -> Any:
        total = tf.zeros([2])
        for _ in tf.range(3):
            total += tf.random.uniform([2])
        return total

    return [fn(), fn()]


def in_branches(tf: Any) -> Any:
    tf.random.set_seed(9)

    @tf.function
    def fn(flag: Any) -> Any:
        if flag:
            drawn = tf.random.normal([2])
        else:
            drawn = tf.random.normal([2]) * 10.0
        return drawn

    return [fn(tf.constant(True)), fn(tf.constant(False)), fn(tf.constant(True))]


def in_functions_that_are_called(tf: Any) -> Any:
    tf.random.set_seed(9)
    inner = tf.function(lambda: tf.random.normal([2]))
    outer = tf.function(lambda: [inner() + 0.0, inner() + 0.0])
    return [*outer(), *outer()]


def functions_of_each_kind(tf: Any) -> Any:
    tf.random.set_seed(2)

    @tf.function
    def fn() -> Any:
        return [
            tf.random.normal([3], dtype=tf.float64),
            tf.cast(tf.random.normal([3], dtype=tf.float16), tf.float32),
            tf.random.truncated_normal([3]),
            tf.random.uniform([3], -5, 9, tf.int32),
            tf.random.shuffle(tf.range(5)),
            tf.nn.dropout(tf.ones([4]), 0.5),
        ]

    return [*fn(), *fn()]


def shuffles(tf: Any) -> Any:
    """Each function's operation has a stream of its own, although the seeds are the same."""
    tf.random.set_seed(3)
    drawn: list[Any] = []
    for count in (0, 1, 4, 5, 6, 13):
        fn = tf.function(lambda x: tf.random.shuffle(x, seed=2))
        x = tf.range(count)
        drawn += [fn(x), fn(x), tf.random.shuffle(x, seed=7)]
    return drawn


def without_state(tf: Any) -> Any:
    seed = [1, 2]
    return [
        tf.random.stateless_normal([3], seed),
        tf.random.stateless_uniform([3], seed, -3.0, 4.0),
        tf.random.stateless_truncated_normal([3], seed),
        tf.random.stateless_normal([3], seed, dtype=tf.float64),
        tf.random.stateless_uniform([3], [-1, 1 << 40], 0, 10, tf.int32),
        tf.random.stateless_uniform([3], seed, None, None, tf.int32),
        tf.random.stateless_uniform([3], seed, None, None, tf.int64),
        tf.random.stateless_uniform([3], seed, None, None, tf.uint32),
    ]


def without_state_in_a_function(tf: Any) -> Any:
    return tf.function(lambda: without_state(tf))()


LOGITS = [[-0.7, -1.2, -1.6], [-2.3, -2.3, -0.2]]


def families(tf: Any) -> Any:
    """Twice: the second begins where the first ended."""
    tf.random.set_seed(3)
    drawn: list[Any] = []
    for _ in range(2):
        drawn += [
            tf.random.categorical(LOGITS, 6, seed=5),
            tf.random.gamma([4], [2.5, 0.5, 1.0], seed=5),
            tf.random.gamma([2, 2], 2.5, 2.0, tf.float64, seed=6),
            tf.random.poisson([4], [2.5, 50.0], seed=5),
        ]
    return drawn


def families_in_a_function(tf: Any) -> Any:
    tf.random.set_seed(3)
    fn = tf.function(
        lambda: [
            tf.random.categorical(LOGITS, 5, seed=5), tf.random.gamma([3], [2.5, 0.5], seed=5),
            tf.random.poisson([3], [2.5, 50.0], seed=5),
        ]
    )  # fmt: skip
    return [*fn(), *fn()]


def families_without_state(tf: Any) -> Any:
    seed = [1, 2]
    return [
        tf.random.stateless_gamma([5], seed, 2.5),
        tf.random.stateless_gamma([3, 2], seed, [0.5, 2.5], beta=4.0),
        tf.random.stateless_gamma([4], seed, 1.0, dtype=tf.float64),
        tf.random.stateless_poisson([3, 2], seed, [3.0, 30.0]),
        tf.random.stateless_binomial([6], seed, 100.0, 0.4),
        tf.random.stateless_categorical(LOGITS, 6, seed),
        tf.random.split(seed, 3), tf.random.fold_in(seed, 7),
        tf.random.experimental.stateless_split(tf.constant(seed, tf.int64), 2),
    ]  # fmt: skip


def binomials(tf: Any) -> Any:
    """Of few and of many expected successes, which use the stream differently."""
    seed, half = [1, 2], tf.constant(0.5, tf.float16)
    shapes = [([40], 10.0, 0.5), ([5, 2, 3], [[10.0], [200.0]], [0.3, 0.99, 0.5])]
    singles = [(3.0, 0.7), (40.0, 0.1), (100.0, 0.1), (100.0, 0.5), (19.0, half), (20.0, half)]
    drawn = [tf.random.stateless_binomial(shape, seed, *given) for shape, *given in shapes]
    drawn += [tf.random.stateless_binomial([9], seed, *given) for given in singles]
    given = (seed, tf.constant([9.0, 99.0], tf.float64), tf.constant(0.3, tf.float64))
    kinds = (tf.int32, tf.int64, tf.float16, tf.float32, tf.float64)
    return [*drawn, *(tf.random.stateless_binomial([4, 2], *given, kind) for kind in kinds)]


def binomials_in_a_function(tf: Any) -> Any:
    return tf.function(lambda: binomials(tf))()


def families_without_state_in_a_function(tf: Any) -> Any:
    return tf.function(lambda: families_without_state(tf))()


def from_generator(tf: Any, generator: Any) -> Any:
    return [
        generator.normal([3]), generator.uniform([3]), generator.uniform([3], 0, 10, tf.int32),
        generator.truncated_normal([3], 5.0), generator.uniform_full_int([2], tf.int64),
        generator.make_seeds(2), generator.key, generator.state.read_value(),
    ]  # fmt: skip


def generators(tf: Any) -> Any:
    generator = tf.random.Generator.from_seed(1234)
    drawn = from_generator(tf, generator)
    drawn += [one.state.read_value() for one in generator.split(2)]
    drawn += [generator.skip(5), generator.state.read_value()]
    generator.reset_from_seed(1 << 70)
    drawn.append(generator.state.read_value())
    generator.reset_from_key_counter(3, [4, 5])
    drawn.append(generator.normal([3], dtype=tf.float64))
    generator.reset([1, 2, 3])
    other = tf.random.Generator.from_key_counter(9, [-1, 2], "philox")
    drawn += [generator.normal([2]), other.normal([3]), other.state.read_value()]
    drawn += [tf.random.create_rng_state(123, "philox"), tf.random.create_rng_state([1, 2], 1)]
    return [*drawn, tf.random.Generator.from_state([7, 8, 9], "philox").normal([2])]


def a_generator_in_a_function(tf: Any) -> Any:
    generator = tf.random.Generator.from_seed(1)
    fn = tf.function(lambda: from_generator(tf, generator))
    return [*fn(), *fn()]


def binomials_from_generator(tf: Any, generator: Any) -> Any:
    # In front of `read_value`, whose earlier results they would change in TensorFlow.
    return [
        generator.binomial([3, 2], [10.0, 2000.0], [0.5, 0.9]),
        generator.binomial([7], 5.0, 0.01, tf.float64), generator.normal([2]),
        generator.binomial([4, 3, 2], [[5.0], [50.0], [500.0]], [0.1, 0.7], tf.int64),
        generator.state.read_value(),
    ]  # fmt: skip


def binomials_of_generators(tf: Any) -> Any:
    eager, traced = (tf.random.Generator.from_seed(seed) for seed in (1, 2))
    fn = tf.function(lambda: binomials_from_generator(tf, traced))
    return [*binomials_from_generator(tf, eager), *fn()]


def one_seed_in_kernels_of_all_kinds(tf: Any) -> Any:
    tf.random.set_seed(5)

    def sampled(count: int, unique: bool, below: int) -> Any:
        classes = [[1]]
        sampler = tf.random.log_uniform_candidate_sampler
        return sampler(classes, 1, count, unique, below, seed=3).sampled_candidates

    return [
        *(sampled(3, True, below) for below in (8, 40, 8)),
        sampled(4, True, 40),
        sampled(3, False, 40),
        *(tf.random.shuffle(tf.range(n), seed=3) for n in (5, 5.0, 5)),
        *(
            tf.random.categorical([[1.0, 1.0]], 6, dtype, seed=3)
            for dtype in (tf.int64, tf.int32, tf.int64)
        ),
        tf.random.categorical(tf.ones([1, 2], tf.float64), 6, seed=3),
        *(
            tf.cast(tf.random.gamma([2], 1.0, dtype=dtype, seed=3), tf.float64)
            for dtype in (tf.float32, tf.float64, tf.float32)
        ),
        *(
            tf.cast(tf.random.poisson([3], 3.0, dtype=dtype, seed=3), tf.float64)
            for dtype in (tf.float32, tf.float64, tf.float32)
        ),
    ]


PROGRAMS: tuple[Program, ...] = (
    eager_streams, operation_seeds, a_seed_begins_again, large_and_negative_seeds, of_each_dtype,
    integers, parameters_broadcast, a_function_has_its_own_streams, seeds_in_a_function,
    two_functions_and_eager, sizes_that_run_time_knows, in_a_loop, in_branches,
    in_functions_that_are_called, functions_of_each_kind, shuffles, without_state,
    without_state_in_a_function, families, families_in_a_function, families_without_state,
    families_without_state_in_a_function, binomials, binomials_in_a_function,
    generators, a_generator_in_a_function, binomials_of_generators,
    one_seed_in_kernels_of_all_kinds,
)  # fmt: skip


def numbers(program: Program, tf: Any) -> list[Any]:
    return [result.numpy().tolist() for result in program(tf)]


if __name__ == "__main__":
    import tensorflow

    lines = (f'"{p.__name__}": {json.dumps(numbers(p, tensorflow))}' for p in PROGRAMS)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
