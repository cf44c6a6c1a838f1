"""What goes from step to step, as one operation, is a loop in the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends

STEPS, BATCH, INPUTS, CELLS = 4, 2, 3, 2
SHAPES = {
    "x": (STEPS, BATCH, INPUTS), "cs_prev": (BATCH, CELLS), "h_prev": (BATCH, CELLS),
    "w": (INPUTS + CELLS, 4 * CELLS), "wci": (CELLS,), "wcf": (CELLS,), "wco": (CELLS,),
    "b": (4 * CELLS,),
}  # fmt: skip
# Of labels, and of steps; the last labels are impossible in so few of these.
LABELS, LABEL_LENGTHS, LENGTHS = [[1, 2, 2], [2, 1, 0], [1, 1, 1]], [3, 2, 3], [5, 0, 4]


def numbers(seed: int, *shape: int) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network(steps: Any, given: dict[str, Any]) -> list[Any]:
    """All that an LSTM gives, and its gradients by all that it is given."""
    with tf.GradientTape() as tape:
        tape.watch(given)
        found = tf.raw_ops.BlockLSTMV2(seq_len_max=steps, **given, use_peephole=True, cell_clip=0.5)
        loss = tf.reduce_sum(found.h * found.h) + tf.reduce_sum(found.cs)
    return [*found, *tape.gradient(loss, given).values()]


def alignment(logits: Any) -> list[Any]:
    """The losses of labels, and their gradients."""
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.nn.ctc_loss(LABELS, logits, LABEL_LENGTHS, LENGTHS, blank_index=-1)
    return [loss, tape.gradient(loss, logits)]


def over_time(given: dict[str, Any], steps: Any, logits: Any) -> list[Any]:
    return [*network(steps, given), *alignment(logits)]


@pytest.mark.sampled(among="long programs of XLA")
def test_networks_and_alignments_are_what_kernels_give() -> None:
    given = {name: tf.constant(numbers(k, *SHAPES[name])) for k, name in enumerate(SHAPES)}
    operands = given, tf.constant(STEPS - 1, tf.int64), tf.constant(numbers(9, 5, 3, 4))
    compiled = tf.function(over_time)
    with backends.using("xla"):
        found = compiled(*operands)

    assert not compiled.report().callbacks
    for one, expected in zip(found, over_time(*operands), strict=True):
        np.testing.assert_allclose(one.numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)


def test_counting_ends_at_its_limit() -> None:
    v = tf.Variable(1)
    count = tf.function(lambda: tf.raw_ops.ResourceCountUpTo(resource=v.handle, limit=2, T=v.dtype))
    with backends.using("xla"):
        assert count().numpy() == 1
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
            count()

    assert v.numpy() == 2
    assert not count.report().callbacks


def test_nan_in_a_matrix_spreads_over_all_that_is_solved_with_it() -> None:
    x = tf.constant([[[1.0, 0.0, 0.0], [0.0, np.nan, 0.0], [0.0, 0.0, 1.0]], np.eye(3).tolist()])
    with backends.using("xla"):
        found = tf.function(lambda x: (tf.linalg.inv(x), tf.linalg.solve(x, x)))(x)

    for one in found:
        assert np.isnan(one.numpy()).all((-2, -1)).tolist() == [True, False]
