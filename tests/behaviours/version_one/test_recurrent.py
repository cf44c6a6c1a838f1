"""Cells that are applied step after step, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
X = np.arange(1, 7, dtype=np.float32).reshape(2, 3, 1)


class Leaky:
    """Half of what it had, and what comes, by a weight that a variable holds."""

    state_size = output_size = 1

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return tf.zeros([batch_size, 1], dtype)

    def __call__(self, x: Any, state: Any, scope: Any = None) -> Any:
        with v1.variable_scope("leaky"):
            weight = v1.get_variable("weight", initializer=np.float32(2.0))
        state = state / 2 + x * weight
        return state + 1, state


def run(make: Any) -> tuple[Any, list[str]]:
    """What a session gives for what `make(x)` returns, and the names of variables."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 3, 1])
        fetches = make(x)
        session.run(v1.global_variables_initializer())
        found = session.run(fetches, {x: X})
        names = [one.name for one in v1.global_variables()]
    return tf.nest.map_structure(lambda one: np.squeeze(one, -1).tolist(), found), names


AHEAD = [[3.0, 6.0, 9.5], [9.0, 15.0, 20.0]]
CUT = [[3.0, 0.0, 0.0], [9.0, 15.0, 20.0]]


@behaviour("I10")
def test_a_cell_goes_over_sequences():
    def make(x: Any) -> Any:
        return v1.nn.dynamic_rnn(Leaky(), x, dtype=tf.float32)

    assert ((AHEAD, [8.5, 19.0]), ["rnn/leaky/weight:0"]) == run(make)

    def cut(x: Any) -> Any:
        return v1.nn.dynamic_rnn(Leaky(), x, sequence_length=[1, 3], dtype=tf.float32, scope="cut")

    assert ((CUT, [2.0, 19.0]), ["cut/leaky/weight:0"]) == run(cut)

    def by_time(x: Any) -> Any:
        steps = tf.transpose(x, [1, 0, 2])
        return v1.nn.dynamic_rnn(Leaky(), steps, initial_state=tf.ones([2, 1]) * 8, time_major=True)

    assert [[7.0, 13.0], [8.0, 17.0], [10.5, 21.0]] == run(by_time)[0][0]


@behaviour("I10")
def test_what_goes_over_sequences_has_gradients():
    def make(x: Any) -> Any:
        output, _ = v1.nn.dynamic_rnn(Leaky(), x, sequence_length=[1, 3], dtype=tf.float32)
        by_x, by_weight = tf.gradients(output, [x, *v1.trainable_variables()])
        return by_x, by_weight[None, None]

    (by_x, by_weight), _ = run(make)
    assert [[2.0, 0.0, 0.0], [3.5, 3.0, 2.0]] == by_x
    assert [1.0 + 4 * 1.75 + 5 * 1.5 + 6] == by_weight


@behaviour("I10")
def test_two_cells_go_forwards_and_backwards():
    def make(x: Any) -> Any:
        (_, back), _ = v1.nn.bidirectional_dynamic_rnn(
            Leaky(), Leaky(), x, sequence_length=[2, 3], dtype=tf.float32
        )
        steps = tf.unstack(x, axis=1)
        both, _, _ = v1.nn.static_bidirectional_rnn(
            Leaky(), Leaky(), steps, dtype=tf.float32, scope="both"
        )
        return back, tf.stack(both, 1)[:, :, 1:]

    found, names = run(make)
    scopes = ("bidirectional_rnn/fw", "bidirectional_rnn/bw", "both/fw", "both/bw")
    assert [f"{scope}/leaky/weight:0" for scope in scopes] == names
    assert [[5.0, 5.0, 0.0], [17.0, 17.0, 13.0]] == found[0]
    assert [17.0, 17.0, 13.0] == found[1][1]


@behaviour("I10")
def test_a_cell_takes_a_list_of_steps():
    def make(x: Any) -> Any:
        outputs, state = v1.nn.static_rnn(
            Leaky(), tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=[1, 3]
        )
        return tf.stack(outputs, 1), state

    assert ((CUT, [2.0, 19.0]), ["rnn/leaky/weight:0"]) == run(make)


@behaviour("I10")
def test_a_function_may_say_what_comes_next():
    def make(x: Any) -> Any:
        def loop_fn(time: Any, output: Any, state: Any, total: Any) -> Any:
            first = output is None
            state = tf.zeros([2, 1]) if first else state
            finished = time >= tf.constant([1, 2])
            total = tf.zeros([2, 1]) if first else total + output
            return finished, tf.ones([2, 1]), state, output, total

        emitted, state, total = v1.nn.raw_rnn(Leaky(), loop_fn)
        return emitted.stack(), state, total

    (emitted, state, _), _ = run(make)
    assert [[3.0, 3.0], [0.0, 4.0]] == emitted
    assert [2.0, 3.0] == state


@behaviour("I10")
def test_cells_and_inputs_are_looked_at():
    steps = tf.zeros([2, 3, 1])
    with tf.Graph().as_default():
        for refused, wrong in (
            (TypeError, lambda: v1.nn.dynamic_rnn(3, steps)),
            (ValueError, lambda: v1.nn.dynamic_rnn(Leaky(), tf.zeros([2, 3, 1]))),
            (ValueError, lambda: v1.nn.static_rnn(Leaky(), [], dtype=tf.float32)),
            (TypeError, lambda: v1.nn.static_rnn(Leaky(), tf.zeros([2]), dtype=tf.float32)),
            (TypeError, lambda: v1.nn.raw_rnn(Leaky(), 3)),
        ):
            with pytest.raises(refused):
                wrong()
