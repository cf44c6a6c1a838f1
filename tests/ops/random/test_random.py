"""Random numbers: TensorFlow's, whoever draws them; and what may go wrong."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.ops.bind import bind
from tensormill.ops.math.gamma_functions import IgammaGradA, RandomGammaGrad
from tensormill.ops.random.philox import (
    FEW,
    MASK,
    TOGETHER,
    NumpyWords,
    WordStream,
    words,
    words_of_one,
)
from tensormill.ops.random.rejection_sampling import _draw_by_squeeze, _stirling

from .random_programs import FILE, PROGRAMS, Program, numbers


@pytest.mark.sampled
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_programs_draw_what_tensorflow_draws(program: Program) -> None:
    recorded = json.loads(FILE.read_text())[program.__name__]
    drawn = numbers(program, tf)

    assert len(recorded) == len(drawn)
    for theirs, ours in zip(recorded, drawn, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


# The smallest of tf.random.stateless_normal([2000], [1, 2]), where the sine's angle shows.
SMALL = {331: -0.0024813427589833736, 1730: 0.0030476159881800413, 1418: 0.004249163903295994}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_small_normal_numbers_have_tensorflows_digits(compiled: bool) -> None:
    def draw() -> Any:
        return tf.random.stateless_normal([2000], [1, 2])

    found = (tf.function(draw) if compiled else draw)().numpy()

    np.testing.assert_allclose(found[[*SMALL]], [*SMALL.values()], rtol=5e-7)


def test_what_stirling_leaves_out_of_factorials_is_known() -> None:
    for k in (0, 3, 9, 10, 25, 1000):
        rest = math.lgamma(k + 1) - (k + 0.5) * math.log(k + 1) + k + 1 - 0.5 * math.log(math.tau)
        assert pytest.approx(rest, abs=1e-10) == float(_stirling(np.array(float(k))))


def test_the_state_of_a_generator_is_not_trained() -> None:
    assert not tf.random.Generator.from_seed(1).state.trainable


def test_a_copy_of_a_generator_goes_on_alone() -> None:
    generator = tf.random.Generator.from_seed(1)
    copy = tf.random.Generator(copy_from=generator)

    assert copy.uniform([3]).numpy().tolist() == generator.uniform([3]).numpy().tolist()
    with pytest.raises(ValueError, match="excludes"):
        tf.random.Generator(copy_from=generator, state=[1, 2, 3])


def test_rejected_draws_of_binomials_may_be_zero() -> None:
    found = np.full(1, -1.0)
    drawn = iter([0.012, 1e-9])  # far to the left, and below the curve there
    _draw_by_squeeze(
        SimpleNamespace(uniform=lambda pending: np.full(1, next(drawn))),  # type: ignore[arg-type]
        np.array([20.0]), np.array([0.5]), np.arange(1), found,
    )  # fmt: skip

    assert [0.0] == found.tolist()


def test_a_generator_is_split_into_as_many_as_wanted() -> None:
    generator = tf.random.Generator.from_seed(1)

    assert [1, 3] == [len(generator.split()), len(generator.split(3))]


def test_without_any_seed_numbers_differ_each_time() -> None:
    tf.random.set_seed(None)
    fn = tf.function(lambda: tf.random.uniform([4]))
    drawn = [tf.random.uniform([4]), tf.random.uniform([4]), fn(), fn()]

    assert 4 == len({tuple(one.numpy().tolist()) for one in drawn})


def test_compiled_numbers_have_the_distribution() -> None:
    tf.random.set_seed(0)
    fn = tf.function(lambda: [tf.random.normal([100, 100]), tf.random.uniform([10000], 2.0, 4.0)])
    normal, uniform = (one.numpy() for one in fn())

    assert abs(normal.mean()) < 0.05
    assert abs(normal.std() - 1) < 0.05
    assert abs(uniform.mean() - 3) < 0.05
    assert uniform.min() >= 2
    assert uniform.max() < 4


def test_truncated_numbers_stay_within_two_deviations() -> None:
    drawn = tf.random.truncated_normal([5000], 10.0, 2.0, seed=1).numpy()

    assert drawn.min() > 6
    assert drawn.max() < 14


def test_shuffling_moves_whole_slices() -> None:
    rows = np.arange(20).reshape(10, 2)
    moved = tf.random.shuffle(tf.constant(rows), seed=3).numpy()

    assert sorted(rows.tolist()) == sorted(moved.tolist())
    assert rows.tolist() != moved.tolist()


def test_shapes_are_known_in_a_trace_as_far_as_sizes_are() -> None:
    shapes: list[Any] = []

    @tf.function
    def fn(n: Any) -> Any:
        drawn = tf.random.normal([n, 3])
        shapes.append(drawn.shape.as_list())
        return drawn

    assert (2, 3) == fn(tf.constant(2)).shape
    assert [[None, 3]] == shapes


def empty_range() -> Any:
    return tf.random.uniform([2], 5, 5, tf.int32)


def vector_bound() -> Any:
    return tf.random.uniform([2], [1, 2], [3, 4], tf.int32)


def negative_size() -> Any:
    return tf.random.normal([-1])


def three_seeds() -> Any:
    return tf.random.stateless_normal([2], [1, 2, 3])


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (empty_range, "Need minval < maxval"),
        (vector_bound, "minval must be 0-D"),
        (negative_size, "must be >= 0"),
        (three_seeds, r"seed must have shape \[2\]"),
    ],
)
def test_what_cannot_be_drawn_is_an_error_also_when_compiled(draw: Any, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        draw()
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.function(draw)()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: tf.random.uniform([2], dtype=tf.int32), "Must specify maxval"),
        (lambda: tf.random.stateless_uniform([2], [1, 2], 0, None, tf.int32), "both None or not"),
        (lambda: tf.random.stateless_uniform([2], [1, 2], 0, 5, tf.uint32), "invalid value"),
        (lambda: tf.random.stateless_normal([2], [1, 2], alg="fourfry"), "alg"),
    ],
)
def test_arguments_that_make_no_sense_are_value_errors(draw: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        draw()


def test_a_size_that_is_only_known_when_the_graph_runs_is_checked_there() -> None:
    fn = tf.function(lambda n: tf.random.uniform([n]))

    assert (3,) == fn(tf.constant(3)).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be >= 0"):
        fn(tf.constant(-3))


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_seeds_that_run_time_knows_give_the_same_numbers_natively(dtype: Any) -> None:
    def draw(seed: Any) -> list[Any]:
        return [
            tf.random.stateless_normal([2, 3], seed, dtype=dtype),
            tf.random.stateless_uniform([5], seed, dtype=dtype),
        ]

    fn = tf.function(draw)
    for seed in ([3, 5], [-1, 2**31 - 1]):
        for native, eager in zip(fn(tf.constant(seed)), draw(seed), strict=True):
            wide = eager.numpy().astype(np.float64)
            np.testing.assert_allclose(native.numpy().astype(np.float64), wide, rtol=1e-2)
    assert "in Python" not in str(fn.report())


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_integers_are_drawn_natively(dtype: Any) -> None:
    def draw(seed: Any, low: Any, high: Any) -> list[Any]:
        return [
            tf.random.stateless_uniform([9], seed, low, high, dtype),
            tf.random.stateless_uniform([9], seed, None, None, dtype),
        ]

    fn = tf.function(draw)
    arguments = (tf.constant([3, 5]), tf.constant(-7, dtype), tf.constant(2**30, dtype))
    for native, eager in zip(fn(*arguments), draw(*arguments), strict=True):
        assert native.numpy().tolist() == eager.numpy().tolist()
    uniform = tf.function(lambda: tf.random.uniform([500], -3, 3, dtype))
    assert {-3, -2, -1, 0, 1, 2} == set(uniform().numpy().tolist())
    assert "in Python" not in f"{fn.report()}{uniform.report()}"


def test_the_number_of_seeds_is_checked_when_the_graph_runs() -> None:
    specs = [tf.TensorSpec([None], tf.int32)]
    fn = tf.function(lambda seed: tf.random.stateless_normal([2], seed), input_signature=specs)

    assert (2,) == fn(tf.constant([1, 2])).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"must have shape \[2\]"):
        fn(tf.constant([1, 2, 3]))


def test_binomial_numbers_of_few_successes_have_the_distribution() -> None:
    drawn = tf.random.stateless_binomial([4000, 2], [1, 2], [10.0, 200.0], [0.3, 0.99]).numpy()

    np.testing.assert_allclose(drawn.mean(0), [3.0, 198.0], rtol=0.03)
    np.testing.assert_allclose(drawn.std(0), [1.449, 1.407], rtol=0.06)


NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("expected", "alpha"),
    [(NAN, -1.0), (NAN, -0.7), (NAN, NAN), (NAN, -INFINITY), (INFINITY, INFINITY)],
)
@pytest.mark.parametrize("staged", [False, True])
def test_gamma_of_no_such_distribution_ends(expected: float, alpha: float, staged: bool) -> None:
    def draw(alpha: Any) -> Any:
        found = [tf.random.gamma([2], alpha), tf.random.stateless_gamma([2], [1, 2], alpha)]
        for _ in tf.range(2):
            found[0] += tf.random.gamma([2], alpha)
        return found

    draws = tf.function(draw) if staged else draw
    np.testing.assert_array_equal([[expected] * 2] * 2, draws(tf.constant(alpha)))


def test_a_gradient_to_a_wrong_alpha_is_nan_and_that_to_a_large_one_ends() -> None:
    alpha = tf.constant([2.0, -1.0, NAN, 1e30])
    with tf.GradientTape() as tape:
        tape.watch(alpha)
        drawn = tf.random.gamma([], alpha, seed=1)
    gradient = tape.gradient(drawn, alpha).numpy()

    assert [False, True, True, False] == np.isnan(gradient).tolist()
    np.testing.assert_allclose(1.0, gradient[3], rtol=1e-5)


@pytest.mark.parametrize("deviations", [-3.0, -0.5, 0.0, 2.0, 4.0])
def test_gradients_to_large_alphas_follow_the_quantile(deviations: float) -> None:
    from scipy.special import gammaincinv, ndtr

    alpha, step = 1e6, 10.0
    below, at, above = gammaincinv([alpha - step, alpha, alpha + step], ndtr(deviations))
    found = bind(RandomGammaGrad, tf.constant(alpha, tf.float64), tf.constant(at, tf.float64))

    np.testing.assert_allclose((above - below) / (2 * step), found, rtol=1e-5)


@pytest.mark.parametrize("apart", [-3e3, -10.0, 0.0, 500.0, 2e3])
def test_incomplete_gamma_of_large_operands_has_its_slope(apart: float) -> None:
    from scipy.special import gammainc

    alpha, step = 1e6, 10.0
    slope = (gammainc(alpha + step, alpha + apart) - gammainc(alpha - step, alpha + apart)) / 20
    found = bind(
        IgammaGradA, tf.constant(alpha, tf.float64), tf.constant(alpha + apart, tf.float64)
    )

    np.testing.assert_allclose(slope, found, rtol=2e-4)


def test_incomplete_gamma_far_from_its_slope_ends() -> None:
    a, x = [0.5, 1e9, 1e-300, 2.0, NAN, INFINITY], [1e9, 1.0, 1e300, INFINITY, 1.0, 1.0]
    found = bind(IgammaGradA, tf.constant(a, tf.float64), tf.constant(x, tf.float64))

    np.testing.assert_array_equal([0, 0, 0, 0, NAN, NAN], found)


def test_gamma_of_a_wrong_alpha_leaves_the_others() -> None:
    alpha = np.array([1.5, -1.0, 0.5], np.float32)
    found = tf.random.stateless_gamma([4, 3], [1, 2], alpha).numpy()

    assert [False, True, False] == np.isnan(found).all(0).tolist()
    assert (found[:, [0, 2]] > 0).all()


def test_no_shape_and_a_single_parameter_give_a_scalar() -> None:
    for draw in (lambda: tf.random.poisson([], 3.0), lambda: tf.random.gamma([], 3.0)):
        assert () == draw().shape == tf.function(draw)().shape


# TensorFlow never returns for a rate or a count that is NaN. Integers have 0 for NaN and infinity.
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("expected", "rate"),
    [(0, -1.0), (0, -INFINITY), (0, -0.0), (INFINITY, INFINITY), (NAN, NAN), (1e30, 1e30)],
)
def test_poisson_of_bad_rates_ends(expected: float, rate: float) -> None:
    of_integers = expected if np.isfinite(expected) else 0

    for found in (
        tf.random.poisson([2], rate),
        tf.random.stateless_poisson([2], [1, 2], rate, tf.float32),
        tf.function(lambda: tf.random.poisson([2], rate))(),
    ):
        np.testing.assert_allclose(found, [expected] * 2)
    if of_integers < 2**31:
        assert [of_integers] * 2 == tf.random.poisson([2], rate, tf.int64).numpy().tolist()
        assert [of_integers] * 2 == tf.random.stateless_poisson([2], [1, 2], rate).numpy().tolist()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("expected", "count", "prob"),
    [
        (0, -3.0, 0.5), (NAN, 10.0, NAN), (10, 10.0, 2.0), (0, 10.0, -1.0), (10, 10.0, 1.0),
        (NAN, NAN, 0.5), (INFINITY, INFINITY, 0.5), (0, -INFINITY, 0.5), (0, INFINITY, 0.0),
        (INFINITY, INFINITY, 1.0), (10, 10.0, INFINITY), (0, 10.0, -INFINITY), (0, -3.0, 2.0),
        (0, 0.0, NAN), (0, -3.0, NAN), (NAN, NAN, NAN), (0, NAN, 0.0), (NAN, NAN, 2.0),
        (100, 100.0, 1.5), (0, 100.0, -0.5), (INFINITY, INFINITY, 0.7),
    ],
)  # fmt: skip
def test_binomial_of_bad_parameters_ends(expected: float, count: float, prob: float) -> None:
    def draw(dtype: Any) -> Any:
        return tf.random.stateless_binomial([2], [1, 2], count, prob, dtype)

    np.testing.assert_array_equal([expected] * 2, draw(tf.float32))
    np.testing.assert_array_equal([expected] * 2, tf.function(draw)(tf.float64))
    for dtype in (tf.int32, tf.int64):
        assert [expected if np.isfinite(expected) else 0] * 2 == draw(dtype).numpy().tolist()


def test_a_shape_must_end_with_that_of_the_parameters() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="end with broadcasted shape"):
        tf.random.stateless_gamma([3, 2], [1, 2], [1.0, 2.0, 3.0])


def test_classes_need_a_matrix_of_logits() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="matrix"):
        tf.random.categorical([1.0, 2.0], 3)


LOGITS = np.array([[0.5, -1.0, 2.0], [0.0, -np.inf, 0.1], [np.nan, 1.0, 1.0], [-np.inf] * 3])


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_classes_are_drawn_natively(dtype: str, count: int) -> None:
    def draw(logits: Any, seeds: Any) -> Any:
        first = tf.random.categorical(logits, count, dtype=tf.int32)
        again = [tf.random.categorical(logits, count, seed=seed) for seed in (5, 6)]
        return first, again, tf.random.stateless_categorical(logits, count, seeds)

    spec = [tf.TensorSpec([None, None], dtype), tf.TensorSpec([2], tf.int64)]
    operands = tf.constant(LOGITS, dtype), tf.constant([3, 2**40])
    tf.random.set_seed(4)
    native = tf.function(draw, input_signature=spec)
    found = [tf.nest.flatten(native(*operands)) for _ in range(3)]
    tf.random.set_seed(4)
    with backends.using("reference"):
        evaluated = tf.function(draw, input_signature=spec)
        expected = [tf.nest.flatten(evaluated(*operands)) for _ in range(3)]

    assert "in Python" not in str(native.report())
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        assert one.dtype == other.dtype
        assert one.numpy().tolist() == other.numpy().tolist()


def test_classes_of_no_logits_are_an_error_natively() -> None:
    fn = tf.function(
        tf.random.categorical,
        input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([], tf.int32)],
    )

    with pytest.raises(tf.errors.InvalidArgumentError, match="num_classes should be positive"):
        fn(tf.zeros([2, 0]), 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_samples should be nonnegative"):
        fn(tf.zeros([2, 3]), -1)
    assert fn(tf.zeros([0, 0]), 3).shape == (0, 3)


ALGORITHMS = tf.random.Algorithm.PHILOX, tf.random.Algorithm.AUTO_SELECT


@pytest.mark.parametrize("alg", [1, 3, "philox", "Philox", "AUTO_SELECT", *ALGORITHMS])
def test_an_algorithm_is_said_by_name_number_or_member(alg: Any) -> None:
    draws = [tf.random.stateless_normal([2], [1, 2], alg=one).numpy() for one in (alg, "philox")]

    np.testing.assert_array_equal(*draws)


def test_nothing_is_drawn_by_threefry() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Philox"):
        tf.random.stateless_normal([2], [1, 2], alg="threefry")
    generator = tf.random.Generator.from_seed(5, "threefry")

    assert ([5, 0], 2) == (generator.state.numpy().tolist(), generator.algorithm)
    with pytest.raises(tf.errors.UnimplementedError, match="Philox"):
        generator.normal([2])


def test_a_generator_tells_the_algorithm_that_it_was_given() -> None:
    make = tf.random.Generator.from_seed

    assert [1, 3, 2] == [make(1).algorithm, make(1, "auto_select").algorithm, make(1, 2).algorithm]


def test_a_counter_has_as_many_words_as_the_algorithm_wants() -> None:
    make = tf.random.Generator.from_key_counter

    assert [4, 3] == make(3, [4], "threefry").state.numpy().tolist()
    with pytest.raises(ValueError, match=r"shape \[2\]"):
        make(3, [4, 5], "threefry")


def test_the_global_generator_can_be_replaced() -> None:
    generator = tf.random.Generator.from_seed(3)
    tf.random.set_global_generator(generator)

    assert generator is tf.random.get_global_generator()


def test_generators_carry_into_the_second_word() -> None:
    generator = tf.random.Generator.from_key_counter(1, [-1, 5], "philox")
    generator.skip(1)

    assert [255, 6, 1] == generator.state.numpy().tolist()


def test_words_of_one_counter_are_those_that_arrays_of_counters_give() -> None:
    drawn = np.random.default_rng(0).integers(0, 2**32, (50, 6), np.uint64)
    edges = [(0,) * 6, (MASK,) * 6, (1, 0, MASK, 0, MASK, 1)]

    for a, b, c, d, *key in [*drawn.tolist(), *edges]:
        counter = tuple(np.array([word], np.uint32) for word in (a, b, c, d))
        expected = [int(word[0]) for word in words(NumpyWords(), counter, (key[0], key[1]))]
        assert list(words_of_one((a, b, c, d), (key[0], key[1]))) == expected


@pytest.mark.parametrize("start", [0, 2**32 - 3, 2**64 - 5])
def test_a_few_groups_are_the_first_of_many(start: int) -> None:
    stream = WordStream.of_seeds(7, 2**40 + 1)
    numbers = np.arange(FEW + 4, dtype=np.uint64) + np.uint64(start)

    many = stream.groups(numbers)

    for count in (0, 1, FEW):
        few = stream.groups(numbers[:count])
        assert few.dtype == many.dtype
        assert few.tolist() == many[:count].tolist()


def test_many_groups_of_words_are_the_groups_one_by_one() -> None:
    """They are reckoned some at a time, and a few by Python."""
    stream, count = WordStream.of_seeds(87654321, 2**40 + 5), 2 * TOGETHER + 3
    numbers = np.arange(count, dtype=np.uint64) + np.uint64(2**32 - TOGETHER)

    many = stream.groups(numbers)
    for place in (0, 1, TOGETHER - 1, TOGETHER, 2 * TOGETHER, count - 1):
        np.testing.assert_array_equal(stream.groups(numbers[place : place + 1]), many[[place]])


def test_tensorflow_1_says_the_mean_of_poisson_numbers_first() -> None:
    means = [0.0, 100.0]

    for draw in (tf.compat.v1.random.poisson, tf.compat.v1.random_poisson):
        drawn = draw(means, [4], seed=1).numpy()
        assert (4, 2) == drawn.shape
        assert (drawn[:, 0] == 0).all()
        assert (drawn[:, 1] > 40).all()


@pytest.mark.parametrize("draw", [tf.random.normal, tf.random.stateless_truncated_normal])
def test_normal_numbers_are_floats(draw: Any) -> None:
    more = {} if draw is tf.random.normal else {"seed": [1, 2]}

    with pytest.raises(tf.errors.InvalidArgumentError, match="int32 is not in the list"):
        draw([2], mean=0, stddev=1, dtype=tf.int32, **more)
    with pytest.raises(TypeError, match="Cannot convert"):
        draw([2], dtype=tf.int32, **more)


def test_seeds_of_other_dtypes_are_refused() -> None:
    for bad in ([1.0, 2.0], tf.constant([1, 2], tf.int16)):
        with pytest.raises(ValueError, match="32 or 64 bits"):
            tf.random.split(bad)


def test_an_index_is_shuffled_by_seeds_of_a_known_size() -> None:
    with pytest.raises(ValueError, match="seed must have the shape"):
        tf.function(lambda: tf.random.experimental.index_shuffle(2, [1], 9))()
    with pytest.raises(tf.errors.InvalidArgumentError, match="seed must have the shape"):
        tf.random.experimental.index_shuffle(2, [1, 2, 3], 9)
