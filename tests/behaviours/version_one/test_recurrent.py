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


class Summing:
    """What has come so far, and what comes."""

    state_size = output_size = 3

    def build(self, shape: Any) -> None:
        self.seen = tuple(shape)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return tf.zeros([batch_size, 3], dtype)

    def call(self, x: Any, state: Any) -> Any:
        return x + state, x + state

    __call__ = call


ONES = np.ones([2, 3], np.float32)


@behaviour("I10")
def test_wrappers_hand_inputs_and_states_on_to_their_cell() -> None:
    cell = Summing()
    residual = tf.nn.RNNCellResidualWrapper(cell)
    product = tf.nn.RNNCellResidualWrapper(Summing(), residual_fn=lambda x, y: x * y)
    placed = tf.nn.RNNCellDeviceWrapper(Summing(), "CPU:0")
    kept = tf.nn.RNNCellDropoutWrapper(Summing())

    found = [[int(one[0, 0]) for one in wrapped(ONES * 2, ONES)]
             for wrapped in (residual, product, placed, kept)]  # fmt: skip
    assert [[5, 3], [6, 3], [3, 3], [3, 3]] == found
    assert (3, 3, cell, (2, 3)) == (
        residual.state_size, residual.output_size, residual.cell, cell.seen,
    )  # fmt: skip
    assert [0.0] * 3 == residual.zero_state(1, tf.float32)[0].numpy().tolist()
    last, _ = v1.nn.dynamic_rnn(residual, tf.ones([2, 4, 3]), dtype=tf.float32)
    assert [2, 3, 4, 5] == last.numpy()[0, :, 0].tolist()


@behaviour("I10")
@pytest.mark.parametrize("dropped", ["input", "state", "output"])
def test_dropout_of_a_cell_drops_from_what_it_is_told_to(dropped: str) -> None:
    """Where inputs and states are ones: what is dropped is 0, and what is not twice as much."""
    cell = tf.nn.RNNCellDropoutWrapper(
        Summing(), **{f"{dropped}_keep_prob": 0.5}, variational_recurrent=True,
        input_size=tf.TensorShape([3]), dtype=tf.float32,
    )  # fmt: skip
    never: Any = tf.nn.RNNCellDropoutWrapper(
        Summing(), state_keep_prob=0.1, dropout_state_filter_visitor=lambda state: False
    )

    outputs, state = (np.asarray(one) for one in cell(ONES, ONES))
    again = np.asarray(cell(ONES, ONES)[0])
    may = {"input": ({1, 3}, {1, 3}), "state": ({2}, {0, 4}), "output": ({0, 4}, {2})}[dropped]
    assert (True, True) == ({*outputs.flat} <= may[0], {*state.flat} <= may[1])
    assert outputs.tolist() == again.tolist()
    assert outputs[0].tolist() == outputs[1].tolist()
    assert [2.0] * 3 == np.asarray(never(ONES, ONES)[1])[0].tolist()


@behaviour("I10")
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"input_keep_prob": 1.5}, ValueError),
        ({"variational_recurrent": True}, ValueError),
        ({"variational_recurrent": True, "dtype": "float32", "input_keep_prob": 0.5}, ValueError),
        ({"dropout_state_filter_visitor": 3}, TypeError),
    ],
)
def test_dropout_of_a_cell_refuses_what_it_cannot_do(options: Any, error: Any) -> None:
    with pytest.raises(error):
        tf.nn.RNNCellDropoutWrapper(Summing(), **options)
    with pytest.raises(AttributeError):
        tf.nn.RNNCellResidualWrapper(3)
    with pytest.raises(ValueError):  # noqa: PT011
        tf.nn.RNNCellResidualWrapper(Summing())(np.ones([2, 1], np.float32), ONES)
