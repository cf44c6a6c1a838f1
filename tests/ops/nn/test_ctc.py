"""Connectionist temporal classification: what it says about every way through the labels."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf

BACKENDS = pytest.mark.parametrize("staged", [False, True], ids=["eager", "compiled"])


def loss_by_enumeration(labels: Sequence[int], logits: Any, blank: int) -> float:
    """-log of the sum over all sequences of states that go through the labels in order."""
    chance = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    symbols = [blank] + [one for label in labels for one in (label, blank)]
    total = 0.0
    for states in itertools.product(range(len(symbols)), repeat=len(logits)):
        begins, ends = states[0] <= 1, states[-1] >= len(symbols) - 2
        if begins and ends and all(map(lambda pair: follows(symbols, *pair), pairs(states))):
            total += np.prod([chance[step, symbols[state]] for step, state in enumerate(states)])
    return -np.log(total)


def meant(labels: Sequence[int], blank: int) -> list[int]:
    """The blank among labels is the class before it, as in TensorFlow, but for 0."""
    return [max(one - 1, 0) if one == blank else one for one in labels]


def pairs(states: Sequence[int]) -> list[tuple[int, int]]:
    return list(itertools.pairwise(states))


def follows(symbols: Sequence[int], before: int, state: int) -> bool:
    """A state stays, or the next one follows; from label to label, unless they are the same."""
    if state - before in (0, 1):
        return True
    return state - before == 2 and state % 2 == 1 and symbols[state] != symbols[before]


def logits_of(seed: int, steps: int = 4, classes: int = 3) -> Any:
    return np.random.default_rng(seed).normal(size=(steps, classes))


def loss_of(labels: Sequence[int], logits: Any, blank: int, staged: bool = False) -> Any:
    def loss(logits: Any) -> Any:
        given = tf.constant([[*labels, 0]])  # one more than count
        steps = [logits.shape[0]]
        return tf.nn.ctc_loss(given, logits[:, None], [len(labels)], steps, blank_index=blank)[0]

    return (tf.function(loss) if staged else loss)(logits)


@pytest.mark.sampled
@BACKENDS
@pytest.mark.parametrize("blank", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("labels", [(), (0,), (1, 2), (1, 1), (0, 2), (2, 1, 0)])
def test_the_loss_is_that_of_all_ways_together(
    labels: tuple[int, ...], blank: int, staged: bool
) -> None:
    logits = logits_of(len(labels))

    expected = loss_by_enumeration(meant(labels, blank % 3), logits, blank % 3)
    assert expected == pytest.approx(float(loss_of(labels, tf.constant(logits), blank, staged)))


@pytest.mark.sampled
@BACKENDS
@pytest.mark.parametrize("blank", [0, 2])
@pytest.mark.parametrize("labels", [(0,), (1, 0), (2, 2)])
def test_gradients_are_those_of_the_loss(labels: tuple[int, ...], blank: int, staged: bool) -> None:
    logits = logits_of(3)
    x = tf.constant(logits)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = loss_of(labels, x, blank, staged)
    gradient = tape.gradient(loss, x).numpy()

    for place in np.ndindex(logits.shape):
        step = np.zeros_like(logits)
        step[place] = 1e-5
        high, low = (
            loss_by_enumeration(meant(labels, blank), logits + k * step, blank) for k in (1, -1)
        )
        assert (high - low) / 2e-5 == pytest.approx(gradient[place], abs=1e-8)


def test_too_many_labels_have_a_gradient_as_others_do() -> None:
    x = tf.constant(logits_of(5))
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = loss_of((1, 1, 1), x, 0)
    gradient = tape.gradient(loss, x).numpy()

    assert 706 < float(loss) < 712
    np.testing.assert_allclose(gradient.sum(-1), 0, atol=1e-12)
    assert np.abs(gradient).max() > 0.1


@pytest.mark.parametrize(
    ("labels", "lengths", "steps", "message"),
    [
        ([[1, 3]], [2], [4], "labels, of the classes, must be 0 to 2, not 3"),
        ([[1, -1]], [2], [4], "labels, of the classes, must be 0 to 2, not -1"),
        ([[1, 1]], [3], [4], "label_length must be 0 to 2, not 3"),
        ([[1, 1]], [2], [5], "logit_length must be 0 to 4, not 5"),
        ([[1, 1]], [2], [-1], "logit_length must be 0 to 4, not -1"),
    ],
)
def test_lengths_and_labels_out_of_range_are_refused(
    labels: Any, lengths: Any, steps: Any, message: str
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.nn.ctc_loss(labels, logits_of(0)[:, None], lengths, steps)


def test_what_stands_behind_the_labels_may_be_anything() -> None:
    logits = logits_of(0)[:, None]
    with_zeros, with_others = (
        tf.nn.ctc_loss([[1, rest]], logits, [1], [4]).numpy() for rest in (0, 99)
    )
    assert with_zeros == with_others


@BACKENDS
@pytest.mark.parametrize(
    ("values", "blank", "message"),
    [
        ([0, 1], 0, r"labels\[0,0\] is the blank, 0"),
        ([0, 1], -1, r"Not enough time for target transition sequence \(required: 2\)"),
    ],
)
def test_sparse_labels_that_are_impossible_are_refused(
    values: list[int], blank: int, message: str, staged: bool
) -> None:
    def loss(logits: Any) -> Any:
        labels = tf.SparseTensor([[0, 0], [0, 1]], values, [1, 2])
        return tf.nn.ctc_loss(labels, logits, None, [1], blank_index=blank)

    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        (tf.function(loss) if staged else loss)(tf.constant(logits_of(0)[:, None]))


DECODERS = pytest.mark.parametrize(
    "decode", [tf.nn.ctc_greedy_decoder, tf.nn.ctc_beam_search_decoder]
)


@BACKENDS
@DECODERS
def test_sequences_to_decode_are_no_longer_than_the_time(decode: Any, staged: bool) -> None:
    run = tf.function(decode) if staged else decode

    with pytest.raises(tf.errors.FailedPreconditionError, match=r"sequence_length\[1\] = 5"):
        run(tf.zeros([3, 2, 4]), tf.constant([3, 5]))
    with pytest.raises(tf.errors.FailedPreconditionError, match="!= batch_size"):
        run(tf.zeros([3, 2, 4]), tf.constant([3]))


@DECODERS
def test_sequences_of_no_steps_or_less_decode_to_nothing(decode: Any) -> None:
    (decoded,), scores = decode(logits_of(0)[:, None].repeat(3, 1), [4, 0, -1])

    assert {0} == set(decoded.indices.numpy()[:, 0].tolist())
    assert [False, True, True] == (scores.numpy()[:, 0] == 0).tolist()


@BACKENDS
def test_more_paths_than_there_are_are_refused(staged: bool) -> None:
    def decoded(logits: Any) -> Any:
        return tf.nn.ctc_beam_search_decoder(logits, [1], 10, 4)[1]

    with pytest.raises(tf.errors.InvalidArgumentError, match="Less leaves in the beam search"):
        (tf.function(decoded) if staged else decoded)(tf.constant(logits_of(0)[:1, None]))


def test_a_beam_that_holds_every_path_finds_the_best_ones() -> None:
    logits = logits_of(7)
    paths, scores = tf.nn.ctc_beam_search_decoder(logits[:, None], [4], 1000, 5)

    every = [path for size in range(5) for path in itertools.product((0, 1), repeat=size)]
    chances = {path: -loss_by_enumeration(path, logits, 2) for path in every if possible(path)}
    best = sorted(chances, key=lambda path: -chances[path])[:5]
    assert best == [tuple(one.values.numpy().tolist()) for one in paths]
    np.testing.assert_allclose(scores[0], [chances[path] for path in best])


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize(
    ("width", "top", "scale"), [(1, 1, 0.3), (2, 1, 0.5), (3, 2, 1), (70, 5, 3)]
)
def test_compiled_beams_have_the_paths_of_the_kernel(
    dtype: Any, merged: bool, width: int, top: int, scale: float
) -> None:
    decode = tf.compat.v1.nn.ctc_beam_search_decoder

    @tf.function(
        input_signature=[tf.TensorSpec([None] * 3, dtype), tf.TensorSpec([None], tf.int32)]
    )
    def compiled(logits: Any, lengths: Any) -> Any:
        return decode(logits, lengths, width, top, merged)

    for seed in range(40):
        random = np.random.default_rng(seed)
        steps, classes = random.integers(4, 24), random.integers(4, 7)
        logits = (random.standard_normal((steps, 2, classes)) * scale).astype(dtype)
        lengths = np.array([steps, random.integers(3, steps + 1)], np.int32)
        expected, chances = decode(logits, lengths, width, top, merged)
        found, scores = compiled(logits, lengths)

        np.testing.assert_allclose(chances, scores, 1e-6 if dtype is np.float32 else 1e-11)
        for one, other in zip(expected, found, strict=True):
            for part in ("indices", "values", "dense_shape"):
                np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    assert compiled.report().callbacks == ()


def possible(path: Sequence[int]) -> bool:
    """Whether 4 steps are enough."""
    return len(path) + sum(one == other for one, other in itertools.pairwise(path)) <= 4


def test_unique_labels_are_a_pair_of_ints() -> None:
    def loss(unique: Any) -> Any:
        logits = tf.zeros([4, 1, 4])
        return tf.nn.ctc_loss([[1, 2]], logits, [2], [4], unique=unique)

    assert loss(None) == loss(([[1, 2]], [[0, 1]]))
    for unique, error in (("X", ValueError), (3, TypeError), ([[1]], ValueError)):
        with pytest.raises(error, match="`unique` must be a pair of int tensors"):
            loss(unique)
    with pytest.raises(tf.errors.InvalidArgumentError, match="one of dtype float32"):
        loss(([[1.0]], [[0]]))


UNKNOWN_SIZES = [
    tf.TensorSpec([None, None, None], tf.float64), tf.TensorSpec([None, None], tf.int32),
    tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.int32),
]  # fmt: skip


@tf.function(input_signature=UNKNOWN_SIZES)
def everything(logits: Any, labels: Any, counts: Any, steps: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.nn.ctc_loss(labels, logits, counts, steps, blank_index=-1)
    (path,), score = tf.nn.ctc_greedy_decoder(logits, steps, blank_index=0)
    gradient = tape.gradient(loss, logits)
    return loss, gradient, path.indices, path.values, path.dense_shape, score


def test_compiled_walks_are_those_of_numpy() -> None:
    random = np.random.default_rng(0)
    for _ in range(40):
        time, batch, classes, most = random.integers([1, 0, 2, 0], [12, 5, 6, 5])
        operands = [
            tf.constant(random.normal(0, 3, (time, batch, classes))),
            *(tf.constant(random.integers(0, end, shape).astype(np.int32)) for end, shape in
              ((classes, (batch, most)), (most + 1, batch), (time + 1, batch))),
        ]  # fmt: skip
        expected = everything.python_function(*operands)
        for one, found in zip(expected, everything(*operands), strict=True):
            np.testing.assert_allclose(found, one, rtol=1e-9, atol=1e-9)
    assert everything.report().callbacks == ()


SCORES = np.random.default_rng(0).standard_normal((6, 1, 4)).astype(np.float32)


@pytest.mark.parametrize(
    ("labels", "blank", "other"),
    [([1, 2], 1, [0, 2]), ([3], -1, [2]), ([3, 1], 3, [2, 1]), ([1, 3, 3], -1, [1, 2, 2])],
)
@pytest.mark.parametrize("is_sparse", [False, True], ids=["dense", "sparse"])
def test_a_label_that_is_the_blank_is_the_class_before_it(
    labels: list[int], blank: int, other: list[int], is_sparse: bool
) -> None:
    def loss(given: list[int]) -> float:
        row = tf.constant([given])
        sparse = tf.SparseTensor([[0, k] for k in range(len(given))], given, [1, len(given)])
        one = tf.cast(sparse, tf.int32) if is_sparse else row
        return float(tf.nn.ctc_loss(one, SCORES, [len(given)], [6], blank_index=blank)[0])

    assert loss(other) == loss(labels)


def test_in_version_one_blanks_behind_the_labels_do_not_count() -> None:
    def loss(labels: list[int]) -> Any:
        sparse = tf.SparseTensor([[0, k] for k in range(len(labels))], labels, [1, len(labels)])
        return tf.compat.v1.nn.ctc_loss(tf.cast(sparse, tf.int32), SCORES, [6]).numpy()

    np.testing.assert_allclose(loss([1, 3, 3]), [4.5735], rtol=1e-4)  # TensorFlow's
    assert loss([1]) == loss([1, 3, 3])
    with pytest.raises(tf.errors.InvalidArgumentError, match="blank"):
        loss([1, 3, 2])


def test_too_few_axes_are_told() -> None:
    with pytest.raises(IndexError, match="3 axes"):
        tf.nn.ctc_loss([[1]], tf.zeros([2, 3]), [1], [2])
    with pytest.raises(IndexError, match="2 axes"):
        tf.nn.ctc_loss([1], tf.zeros([2, 1, 3]), [1], [2])


def test_distinct_labels_are_a_list() -> None:
    assert isinstance(tf.nn.ctc_unique_labels([[1, 2]]), list)
