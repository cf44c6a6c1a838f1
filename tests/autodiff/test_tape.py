"""GradientTape: what it watches, what it answers, what it refuses."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.ops.arithmetic import Mul
from tests.autodiff.modes import MODES

MODE_NAMES = sorted(MODES)


def gradient_of(function: Any, *sources: Any, **options: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function(*sources)
    return tape.gradient(target, list(sources), **options)


def test_trainable_variables_are_watched_when_they_are_read() -> None:
    trained, fixed = tf.Variable(3.0), tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = trained * trained * fixed
    assert tape.watched_variables() == (trained,)
    assert [12.0, None] == [
        g if g is None else g.numpy() for g in tape.gradient(y, [trained, fixed])
    ]


def test_a_variable_can_be_watched_by_hand_only() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        unwatched = v * v
        tape.watch(v)
        watched = v * v
    assert tape.gradient(unwatched, v) is None
    assert tape.gradient(watched, v).numpy() == 6.0


def test_watching_after_the_use_is_too_late() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
    assert tape.gradient(y, x) is None


def test_watching_before_the_block_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="within its `with` block"):
        tf.GradientTape().watch(tf.constant(3.0))


def test_a_variable_in_a_trace_is_known_by_its_variable() -> None:
    v = tf.Variable(3.0)
    found: list[Any] = []

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            y = v * v
        found.extend(tape.watched_variables())
        return tape.gradient(y, v)

    assert step().numpy() == 6.0
    assert found[0] is v


def test_gradients_are_structured_as_the_sources() -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * x * y
    found = tape.gradient(z, {"first": x, "rest": [y, (x,)]})
    assert found["first"].numpy() == 12.0
    assert found["rest"][0].numpy() == 4.0
    assert found["rest"][1][0].numpy() == 12.0


def test_several_targets_are_added_up() -> None:
    (found,) = gradient_of(lambda x: [x * x, {"a": tf.stack([x, 3.0 * x])}], tf.constant(2.0))
    assert found.numpy() == 8.0


def test_a_target_that_is_a_source_has_gradient_one() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
    np.testing.assert_array_equal([1.0, 1.0], tape.gradient(x, x))


def test_a_source_between_others() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert [8.0, 32.0] == [g.numpy() for g in tape.gradient(z, [y, x])]


def test_what_does_not_depend_gives_none_or_zeros() -> None:
    x, other = tf.constant(2.0), tf.constant([1.0, 2.0])
    assert gradient_of(lambda x, _: x * x, x, other)[1] is None
    for zero in (tf.UnconnectedGradients.ZERO, "zero"):
        found = gradient_of(lambda x, _: x * x, x, other, unconnected_gradients=zero)[1]
        np.testing.assert_array_equal([0.0, 0.0], found)
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'x'"):
        gradient_of(lambda x: x, x, unconnected_gradients="x")


def test_a_tape_computes_gradients_once_unless_it_is_persistent() -> None:
    x = tf.constant(3.0)
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = x * x
        assert tape.gradient(y, x).numpy() == 6.0
        if persistent:
            assert tape.gradient(y, x).numpy() == 6.0
            continue
        with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
            tape.gradient(y, x)


def test_a_failed_call_does_not_use_up_the_tape() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(TypeError, match=r"must be a tf\.Tensor or tf\.Variable"):
        tape.gradient(y, 1.0)
    with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure"):
        tape.gradient(None, x)
    assert tape.gradient(y, x).numpy() == 6.0


def test_a_tape_that_was_never_entered_has_nothing() -> None:
    with pytest.raises(RuntimeError, match="non-persistent GradientTape can only be used"):
        tf.GradientTape().gradient(tf.constant(1.0), tf.constant(1.0))


def test_only_tensors_can_be_watched() -> None:
    with (
        tf.GradientTape() as tape,
        pytest.raises(ValueError, match=r"not tf\.Tensor or tf\.Variable or ExtensionType"),
    ):
        tape.watch(1.0)


def test_watching_an_integer_warns(caplog: Any) -> None:
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(1))
    assert "dtype of the watched tensor must be floating" in caplog.text


def test_one_warning_names_the_source_that_cannot_have_a_gradient(caplog: Any) -> None:
    count = tf.Variable(1, name="count")
    with tf.GradientTape() as tape, caplog.at_level(logging.WARNING, "tensorflow"):
        y = count * 2
        assert tape.gradient(y, [count, count]) == [None, None]
    assert caplog.text.count("count:0") == 1
    assert "int32 is not floating" in caplog.text


def test_output_gradients_are_factors() -> None:
    x = tf.constant([1.0, 2.0])
    (found,) = gradient_of(lambda x: x * x, x, output_gradients=tf.constant([1.0, 10.0]))
    np.testing.assert_array_equal([2.0, 40.0], found)
    factors = tf.constant([5.0, 6.0])
    (found,) = gradient_of(lambda x: [x * x, x], x, output_gradients=[None, factors])
    np.testing.assert_array_equal([7.0, 10.0], found)


def test_a_repeated_target_with_output_gradients_counts_each_time() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient([y, y], x, output_gradients=[None, tf.constant(2.0)]).numpy() == 18.0


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([1.0, 2.0, 3.0], tf.errors.InvalidArgumentError, "cannot be reshaped"),
        (np.array([1, 2]), TypeError, "cannot compute Mul"),
        ([[1.0, 2.0], [1.0, 2.0]], ValueError, "one gradient"),
    ],
)
def test_output_gradients_that_do_not_fit(given: Any, error: Any, words: str) -> None:
    wrapped = given if isinstance(given, list) and isinstance(given[0], list) else [given]
    with pytest.raises(error, match=words):
        gradient_of(
            lambda x: x * x,
            tf.constant([1.0, 2.0]),
            output_gradients=[tf.constant(one) for one in wrapped],
        )


def test_an_active_tape_cannot_be_entered_again() -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="Tape is still recording"):
        tape.__enter__()


def test_a_tape_can_be_entered_again_later() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with tape:
        z = y * x
    assert tape.gradient(z, x).numpy() == 27.0


def test_recording_can_be_stopped_for_a_while() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            unseen = x * x
        z = y * x
    assert tape.gradient(unseen, x) is None
    assert tape.gradient(z, x).numpy() == 27.0


def test_reset_forgets() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = x * x * x
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x).numpy() == 27.0


def test_an_error_within_leaves_the_tape_usable() -> None:
    x, computed = tf.constant(3.0), []
    tape = tf.GradientTape()

    def fail_within() -> None:
        with tape:
            tape.watch(x)
            computed.append(x * x)
            raise KeyError

    with pytest.raises(KeyError):
        fail_within()
    (y,) = computed
    z = y * x
    assert tape.gradient(y, x).numpy() == 6.0
    assert z.numpy() == 27.0


def test_gradients_within_the_block_stop_a_tape_that_is_not_persistent() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x).numpy() == 6.0
    assert context.top() is context.base  # on which the quick path of calls relies


def test_a_persistent_tape_warns_when_it_records_its_own_gradients(caplog: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(x * x * x, x)
    assert "significantly less efficient" in caplog.text
    assert tape.gradient(first, x).numpy() == 18.0


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_tapes_nest(mode: str) -> None:
    def third(x: Any) -> Any:
        with tf.GradientTape() as outermost:
            outermost.watch(x)
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x * x * x * x
                first = inner.gradient(y, x)
            second = outer.gradient(first, x)
        return first, second, outermost.gradient(second, x)

    assert [32.0, 48.0, 48.0] == [float(one) for one in MODES[mode](third, np.float32(2.0))]


def test_values_are_those_that_were_read() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign_add(1.0)
    assert tape.gradient(y, v).numpy() == 6.0


def test_what_an_assignment_gives_depends_on_the_variable() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = v.assign_add(1.0)
        y = z * z
    assert tape.gradient(y, v).numpy() == 8.0


def test_assigning_and_numpy_break_the_chain() -> None:
    x, v = tf.constant(3.0), tf.Variable(0.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        v.assign(x)
        y = v * 2.0
        z = tf.constant(x.numpy()) * x.numpy()
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x) is None


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.stop_gradient(x) * 2.0,
        lambda x: tf.cast(tf.argmax(x), tf.float32),
        lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32),
    ],
)
def test_operations_that_pass_no_gradient_on(function: Any) -> None:
    assert gradient_of(function, tf.constant([1.0, 2.0]))[0] is None


def test_an_operation_that_is_used_twice_adds_up() -> None:
    (found,) = gradient_of(lambda x: x * x + x, tf.constant([1.0, 2.0]))
    np.testing.assert_array_equal([3.0, 5.0], found)


def test_a_broadcast_operand_gets_the_sum() -> None:
    found = gradient_of(lambda x, y: x * y, tf.constant([1.0, 2.0]), tf.constant([[3.0], [4.0]]))
    np.testing.assert_array_equal([7.0, 7.0], found[0])
    np.testing.assert_array_equal([[3.0], [3.0]], found[1])


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_gathered_rows_have_a_sparse_gradient(mode: str) -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    def gradient() -> Any:
        with tf.GradientTape() as tape:
            y = tf.gather(v, [0, 0, 2])
        found = tape.gradient(y, v)
        assert isinstance(found, tf.IndexedSlices)
        return found.values, found.indices, tf.convert_to_tensor(found)

    values, indices, dense = MODES[mode](gradient)
    np.testing.assert_array_equal(np.ones((3, 2)), values)
    np.testing.assert_array_equal([0, 0, 2], indices)
    np.testing.assert_array_equal([[2, 2], [0, 0], [1, 1]], dense)


def test_sparse_gradients_are_joined_and_dense_ones_win() -> None:
    v = tf.Variable([[1.0], [2.0], [3.0]])
    with tf.GradientTape(persistent=True) as tape:
        sparse = tf.gather(v, [0, 2]), tf.gather(v, [2])
        mixed = tf.reduce_sum(tf.gather(v, [0, 2])) + tf.reduce_sum(v * v)
    joined = tape.gradient(list(sparse), v)
    assert [0, 2, 2] == sorted(joined.indices.numpy())
    np.testing.assert_array_equal([[3.0], [4.0], [7.0]], tape.gradient(mixed, v))


def test_a_sparse_gradient_comes_out_of_a_call() -> None:
    v = tf.Variable([[1.0], [2.0], [3.0]])
    rows = tf.function(lambda: tf.gather(v, [2, 2]))
    with tf.GradientTape() as tape:
        y = rows()
    found = tape.gradient(y, v)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal([[0.0], [0.0], [2.0]], tf.convert_to_tensor(found))


def test_a_training_step_in_a_function() -> None:
    w = tf.Variable(2.0)

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = (w - 5.0) ** 2.0
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    np.testing.assert_allclose([9.0, 5.76, 3.6864], [step().numpy() for _ in range(3)], rtol=1e-6)


def test_a_tape_around_a_trace_does_not_see_into_it() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda: x * x)()
    assert tape.gradient(y, x).numpy() == 6.0


def test_the_gradient_of_a_tape_outside_can_be_asked_for_in_a_trace() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tf.function(lambda: tape.gradient(y, x))().numpy() == 6.0


def test_a_tape_in_a_branch_and_in_a_loop() -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    @tf.function
    def both(x: Any) -> Any:
        chosen = tf.cond(x > 0.0, lambda: slope(x), lambda: x)
        return chosen, tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, slope(a)), [0, x])[1]

    assert [12.0, 432.0] == [one.numpy() for one in both(tf.constant(2.0))]


def test_an_operation_without_a_rule_says_so(monkeypatch: Any) -> None:
    monkeypatch.setattr(Mul, "vjp", None)
    with pytest.raises(LookupError, match="gradient registry has no entry for: Mul"):
        gradient_of(lambda x: x * x, tf.constant(1.0))


def test_threads_have_tapes_of_their_own() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(k: int) -> float:
        x = tf.constant(float(k))
        return float(gradient_of(lambda x: x * x, x)[0])

    with ThreadPoolExecutor(4) as pool, tf.GradientTape():
        assert [2.0 * k for k in range(20)] == list(pool.map(work, range(20)))


def test_a_tensor_from_outside_depends_on_itself_in_a_branch() -> None:
    def inner(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
        return tape.gradient(y, x)

    @tf.function
    def fn(x: Any) -> Any:
        doubled = x * 2.0
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: inner(doubled), lambda: doubled)

    assert fn(tf.constant([1.0, 2.0])).numpy().tolist() == [1.0, 1.0]
