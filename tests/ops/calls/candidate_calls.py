"""Samples of classes and losses over them, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call
from .gradient_calls import gradient

TRUE = np.array([[0, 2], [5, 1]], np.int64)
SAMPLED = np.array([3, 5, 7], np.int64)
COUNTS = np.array([[0.1, 0.2], [0.3, 0.4]], np.float32)
RNG = np.random.RandomState(0)
WEIGHTS, BIASES, INPUTS = (RNG.randn(*shape).astype("f") for shape in ((10, 3), (10,), (2, 3)))
WEIGHTED = [0.1, 0.2, 0.3, 0.1, 0.2, 0.1]
# The sampler's name after `tf.random.`, and what else it is told.
SAMPLERS: dict[str, tuple[str, dict[str, Any]]] = {
    "uniform": ("uniform", {"range_max": 9}),
    "log_uniform": ("log_uniform", {"range_max": 11}),
    "learned_unigram": ("learned_unigram", {"range_max": 7}),
    "fixed_unigram": ("fixed_unigram", {"range_max": 6, "unigrams": WEIGHTED}),
    "fixed_unigram, reserved": (
        "fixed_unigram",
        {"range_max": 8, "unigrams": WEIGHTED, "num_reserved_ids": 2, "distortion": 0.5},
    ),
    "fixed_unigram, sharded": (
        "fixed_unigram",
        {"range_max": 3, "unigrams": WEIGHTED, "num_shards": 2, "shard": 1, "num_sampled": 2},
    ),
}


def drawn(name: str, told: dict[str, Any], seed: int | None, unique: bool, times: int = 2) -> Call:
    """Samples, one after the other."""

    def call(tf: Any, classes: Any) -> Any:
        tf.random.set_seed(42)
        sample = getattr(tf.random, f"{name}_candidate_sampler")
        options = {"num_true": 2, "num_sampled": 4, "unique": unique, "seed": seed} | told
        return [list(sample(classes % told["range_max"], **options)) for _ in range(times)]

    return call, [TRUE]


def one_draw(name: str, num_true: int, num_sampled: int, **told: Any) -> Call:
    """A sample of classes as they are, by a seed; operands that do not fit."""

    def call(tf: Any, classes: Any) -> Any:
        tf.random.set_seed(42)
        sample = getattr(tf.random, f"{name}_candidate_sampler")
        return list(sample(classes, num_true, num_sampled, True, seed=3, **told))

    return call, [TRUE]


def loss(name: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, weights: Any, biases: Any, inputs: Any) -> Any:
        values = (tf.constant(SAMPLED), tf.constant(COUNTS), tf.constant([0.5, 0.6, 0.7]))
        return getattr(tf.nn, name)(
            weights, biases, tf.constant(TRUE), inputs, 3, 10, num_true=2, sampled_values=values,
            **options,
        )  # fmt: skip

    return call


def own_sample(tf: Any, weights: Any, biases: Any, inputs: Any) -> Any:
    tf.random.set_seed(1)
    labels = tf.constant(TRUE[:, :1])
    return tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, 3, 10, seed=3)


def in_two(tf: Any, weights: Any, biases: Any, inputs: Any) -> Any:
    parts, offsets = [weights[:5], weights[5:]], [biases[:5], biases[5:]]
    return loss("nce_loss")(tf, parts, offsets, inputs)


def in_three(name: str, strategy: str) -> Any:
    """Both losses of TensorFlow 1, and their gradients, of tables in parts of unlike sizes."""

    def call(tf: Any, weights: Any, biases: Any, inputs: Any) -> Any:
        parts = [tf.split(one, [4, 3, 3]) for one in (weights, biases)]
        values = (tf.constant(SAMPLED), tf.constant(COUNTS), tf.constant([0.5, 0.6, 0.7]))
        with tf.GradientTape() as tape:
            tape.watch([*parts, inputs])
            losses = getattr(tf.compat.v1.nn, name)(
                *parts, tf.constant(TRUE), inputs, 3, 10, num_true=2, sampled_values=values,
                partition_strategy=strategy,
            )  # fmt: skip
        found = tape.gradient(losses, [*parts[0], *parts[1], inputs])
        return [losses, *[tf.convert_to_tensor(one) for one in found]]

    return call


DATA = [WEIGHTS, BIASES, INPUTS]
# By their names: the sampler, what it is told, its seed, whether classes are unique.
OPTIONS: dict[str, tuple[str, dict[str, Any], int | None, bool]] = {
    f"{title}_candidate_sampler, seed {seed}{', unique' if unique else ''}": (
        name, told, seed, unique,
    )
    for title, (name, told) in SAMPLERS.items()
    for seed, unique in ((None, False), (7, True), (3, False))
}  # fmt: skip
DRAWN = {name: drawn(*options) for name, options in OPTIONS.items()}
# Where a graph is compared with eager execution, in which two draws share a stream.
DRAWN_ONCE = {name: drawn(*options, times=1) for name, options in OPTIONS.items()}
CALLS: dict[str, Call] = DRAWN | {
    "stateless_shuffle": (
        lambda tf, x: [
            tf.random.experimental.stateless_shuffle(x, [3, 2]),
            tf.random.experimental.stateless_shuffle(tf.range(10), [1, 2]),
            tf.random.experimental.stateless_shuffle(["a", "b", "c"], [-1, 2**40]),
        ],
        [np.arange(6000).reshape(3000, 2)],
    ),
    "stateless_shuffle of a scalar": (
        lambda tf, x: tf.random.experimental.stateless_shuffle(x, [1, 2]), [np.int32(3)],
    ),
    "stateless_shuffle of three seeds": (
        lambda tf, x: tf.random.experimental.stateless_shuffle(x, [1, 2, 3]),
        [np.array([3, 4], np.int32)],
    ),
    "sampled_softmax_loss, own sample": (own_sample, DATA),
    "all_candidate_sampler": (
        lambda tf, c: list(tf.random.all_candidate_sampler(c, 2, 6, True)), [TRUE],
    ),
    "uniform_candidate_sampler of too few": one_draw("uniform", 2, 9, range_max=5),
    "uniform_candidate_sampler of other classes": one_draw("uniform", 2, 2, range_max=5),
    "uniform_candidate_sampler of other columns": one_draw("uniform", 3, 2, range_max=5),
    "fixed_unigram_candidate_sampler of other weights": one_draw(
        "fixed_unigram", 2, 2, range_max=5, unigrams=WEIGHTED
    ),
    "compute_accidental_hits": (
        lambda tf, c: list(tf.nn.compute_accidental_hits(c, [5, 0, 3, 2, 0], 2)), [TRUE],
    ),
    "compute_accidental_hits, none": (
        lambda tf, c: list(tf.nn.compute_accidental_hits(c, [9], 2)), [TRUE],
    ),
    "nce_loss": (loss("nce_loss"), DATA),
    "nce_loss without hits": (loss("nce_loss", remove_accidental_hits=True), DATA),
    "nce_loss of two tables": (in_two, DATA),
    **{
        f"v1 {name} of three tables, {strategy}": (in_three(name, strategy), DATA)
        for name in ("nce_loss", "sampled_softmax_loss")
        for strategy in ("mod", "div", "none")
    },
    "sampled_softmax_loss": (loss("sampled_softmax_loss"), DATA),
    "sampled_softmax_loss with hits": (
        loss("sampled_softmax_loss", remove_accidental_hits=False), DATA,
    ),
    "gradient of nce_loss": (gradient(loss("nce_loss")), DATA),
    "gradient of sampled_softmax_loss": (gradient(loss("sampled_softmax_loss")), DATA),
    "sobol_sample": (lambda tf, x: tf.math.sobol_sample(40, 9, 100), [TRUE]),
    "sobol_sample, float64": (lambda tf, x: tf.math.sobol_sample(3, 5, dtype=tf.float64), [TRUE]),
    "sobol_sample of tensors": (
        lambda tf, x: tf.math.sobol_sample(x[0], 4, x[1]), [np.array([2, 3], np.int32)],
    ),
    "sobol_sample of no axes": (lambda tf, x: tf.math.sobol_sample(0, 5), [TRUE]),
    "sobol_sample of no points": (lambda tf, x: tf.math.sobol_sample(2, 0), [TRUE]),
    "accumulate_n": (lambda tf, x: tf.math.accumulate_n([x, x, 2 * x]), [TRUE]),
    "accumulate_n of a shape": (
        lambda tf, x: tf.math.accumulate_n([x, x], [2, 2], tf.int64), [TRUE],
    ),
}  # fmt: skip
# Numbers that are drawn depend on when a function is traced.
COMPILED = [*(CALLS.keys() - DRAWN.keys() - {"sampled_softmax_loss, own sample"})]
