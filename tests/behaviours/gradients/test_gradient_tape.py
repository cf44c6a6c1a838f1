"""What a tape records and answers: statements G1 to G9."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import gradient_of
from tests.behaviours.library import behaviour, differs, tf

SPENT = "A non-persistent GradientTape can only be used to ?compute one set of gradients"


def numbers(gradients: Any) -> list[Any]:
    return [one if one is None else float(one) for one in gradients]


@contextmanager
def logged() -> Iterator[list[str]]:
    """What the library's logger is told meanwhile."""
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    tf.get_logger().addHandler(handler)
    try:
        yield messages
    finally:
        tf.get_logger().removeHandler(handler)


# ---- G1
@behaviour("G1")
@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (tf.GradientTape, {"persistent": False, "watch_accessed_variables": True}),
        (
            tf.GradientTape.gradient,
            {"output_gradients": None, "unconnected_gradients": tf.UnconnectedGradients.NONE},
        ),
        (
            tf.GradientTape.jacobian,
            {
                "unconnected_gradients": tf.UnconnectedGradients.NONE,
                "parallel_iterations": None,
                "experimental_use_pfor": True,
            },
        ),
        (
            tf.GradientTape.batch_jacobian,
            {
                "unconnected_gradients": tf.UnconnectedGradients.NONE,
                "parallel_iterations": None,
                "experimental_use_pfor": True,
            },
        ),
    ],
)
def test_optional_parameters_and_their_defaults(function: Any, parameters: dict[str, Any]):
    known = inspect.signature(function).parameters.values()
    assert parameters == {p.name: p.default for p in known if p.default is not p.empty}


@behaviour("G1")
def test_names_of_the_arguments():
    x = tf.constant([[2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(tensor=x)
        y = x * x
    assert tape.gradient(target=y, sources=x).numpy() == 4.0
    assert tape.jacobian(target=y, sources=x).shape == (1, 1, 1, 1)
    assert tape.batch_jacobian(target=y, source=x).shape == (1, 1, 1)


# ---- G2
@behaviour("G2")
def test_trainable_variables_are_watched_when_read():
    trained, fixed = tf.Variable(3.0), tf.Variable(2.0, trainable=False)
    counter = tf.Variable(2)
    with tf.GradientTape() as tape:
        y = trained * fixed * tf.cast(counter, tf.float32)

    assert numbers(tape.gradient(y, [trained, fixed, counter])) == [4.0, None, None]


@behaviour("G2")
def test_watched_variables_are_a_tuple_of_what_was_read():
    first, second = tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        second * first * second

    assert isinstance(tape.watched_variables(), tuple)
    assert {id(second), id(first)} == {id(one) for one in tape.watched_variables()}
    assert len(tape.watched_variables()) == 2


@behaviour("G2")
def test_a_tape_that_is_spent_knows_what_it_watched():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    tape.gradient(y, v)

    assert [id(v)] == [id(one) for one in tape.watched_variables()]


@behaviour("G2")
def test_tensors_count_from_the_moment_they_are_watched():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        unseen = x * x
        tape.watch(x)
        seen = x * x

    assert tape.gradient(unseen, x) is None
    assert tape.gradient(seen, x).numpy() == 6.0


@behaviour("G8")
def test_a_tape_that_gave_its_gradient_while_suspended_records_what_comes():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        with tape.stop_recording():
            assert tape.gradient(y, v).numpy() == 4.0
        z = v * v * v

    assert tape.gradient(z, v).numpy() == 12.0


@behaviour("G2")
def test_a_tape_that_watches_nothing_by_itself():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        unseen = v * v
        tape.watch(v)
        seen = v * v

    assert tape.gradient(unseen, v) is None
    assert tape.gradient(seen, v).numpy() == 6.0
    assert [id(v)] == [id(one) for one in tape.watched_variables()]


@behaviour("G2")
def test_a_variable_that_is_not_trainable_can_be_watched_by_hand():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * v

    assert tape.gradient(y, v).numpy() == 6.0


@behaviour("G2", "G6")
@differs
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (tf.Variable(2.0, trainable=False), "not trainable"),
        (tf.Variable(2), "int32 is not floating"),
        (tf.constant(2), "int32 is not floating"),
    ],
)
def test_a_gradient_that_can_only_be_none_is_told_once_for_a_tape(source: Any, words: str):
    with tf.GradientTape(persistent=True) as tape:
        y = tf.cast(source * source, tf.float32)
    with logged() as messages:
        assert [tape.gradient(y, source), tape.gradient(y, source)] == [None, None]

    (message,) = messages
    assert words in message


# ---- G3
@behaviour("G3")
@pytest.mark.parametrize("second", ["gradient", "jacobian", "batch_jacobian"])
@pytest.mark.parametrize("first", ["gradient", "jacobian", "batch_jacobian"])
def test_a_tape_computes_one_set_of_gradients(first: str, second: str):
    x = tf.constant([[3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    getattr(tape, first)(y, x)

    with pytest.raises(RuntimeError, match=SPENT):
        getattr(tape, second)(y, x)


@behaviour("G3")
def test_a_persistent_tape_computes_any_number_of_gradients():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * x

    assert [6.0, 27.0, 6.0] == [tape.gradient(one, x).numpy() for one in (y, z, y)]


@behaviour("G3")
@pytest.mark.parametrize("method", ["gradient", "jacobian"])
def test_a_tape_that_was_never_entered_has_no_gradients(method: str):
    x = tf.constant(3.0)
    with pytest.raises(RuntimeError, match=SPENT):
        getattr(tf.GradientTape(), method)(x, x)


@behaviour("G3")
@differs
@pytest.mark.parametrize(
    "wrong",
    [tf.constant([1.0, 2.0]), tf.constant(1.0, tf.float64)],
)
def test_a_call_that_failed_does_not_spend_the_tape(wrong: Any):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(tf.errors.InvalidArgumentError):
        tape.gradient(y, x, output_gradients=wrong)

    assert tape.gradient(y, x).numpy() == 6.0


# ---- G4
@behaviour("G4")
def test_gradients_are_structured_as_the_sources():
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * x * y

    assert tape.gradient(z, {"b": x, "a": [y, (x,)]}) == {"a": [4.0, (12.0,)], "b": 12.0}
    assert tape.gradient(z, (x, y)) == (12.0, 4.0)
    assert tape.gradient(z, []) == []
    assert tape.gradient(z, x).numpy() == 12.0


@behaviour("G4")
@pytest.mark.parametrize(
    "targets",
    [
        lambda x: [x * x, x * x * x],
        lambda x: {"a": x * x, "b": (x * x * x,)},
        lambda x: tf.stack([x * x, x * x * x]),
        lambda x: [tf.stack([x * x, x * x]), x * x, x * x],
    ],
)
def test_targets_and_their_elements_are_added_up(targets: Any):
    assert gradient_of(targets, tf.constant(2.0)) == [16.0]


@behaviour("G4")
def test_a_source_given_twice_gets_the_full_gradient_twice():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x

    assert tape.gradient(y, [x, x]) == [6.0, 6.0]


@behaviour("G4")
def test_a_target_given_twice_counts_twice():
    assert gradient_of(lambda x: [x * x] * 2, tf.constant(3.0)) == [12.0]


@behaviour("G4")
def test_a_target_that_is_a_source_has_ones():
    x, v = tf.constant([2.0, 3.0]), tf.Variable([4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, v])

    np.testing.assert_array_equal([1.0, 1.0], tape.gradient(x, x))
    np.testing.assert_array_equal([1.0], tape.gradient(v, v))


# ---- G5
@behaviour("G5")
def test_what_does_not_depend_on_a_source_gives_none():
    assert gradient_of(lambda x, y: x * x, tf.constant(2.0), tf.constant([1.0]))[1] is None
    assert gradient_of(lambda x: tf.constant(2.0), tf.Variable(1.0)) == [None]


@behaviour("G5")
@pytest.mark.parametrize("zero", [tf.UnconnectedGradients.ZERO, "zero"])
def test_zeros_in_place_of_none_look_like_the_source(zero: Any):
    sources = [
        tf.constant(2.0),
        tf.constant([1.0, 2.0], tf.float64),
        tf.Variable([[1.0]]),
        tf.constant(3),
    ]
    with tf.GradientTape() as tape:
        tape.watch(sources[:3])
        y = sources[0] * sources[0]
    _, *found = tape.gradient(y, sources, unconnected_gradients=zero)

    for gradient, source in zip(found, sources[1:], strict=True):
        assert gradient.dtype == source.dtype
        np.testing.assert_array_equal(np.zeros(source.shape), gradient)


@behaviour("G5")
def test_another_word_for_unconnected_gradients():
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'ones'"):
        gradient_of(lambda x: x * x, tf.constant(1.0), unconnected_gradients="ones")


# ---- G6
@behaviour("G6")
@pytest.mark.parametrize("wrong", [1.0, [1.0], "x", np.ones(2)])
def test_only_tensors_and_variables_can_be_watched(wrong: Any):
    words = "not tf.Tensor or tf.Variable or ExtensionType"
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=words):
        tape.watch(wrong)


@behaviour("G6")
def test_watching_integers_is_warned_of():
    with tf.GradientTape() as tape, logged() as messages:
        tape.watch(tf.constant([1, 2]))

    (message,) = messages
    assert "dtype of the watched tensor must be floating" in message


@behaviour("G6")
@differs
def test_a_source_that_is_no_tensor_is_a_type_error():
    with tf.GradientTape() as tape:
        y = tf.constant(2.0) * 2.0
    with pytest.raises(TypeError, match="no attribute 'dtype'"):
        tape.gradient(y, 3.0)


@behaviour("G6")
def test_no_target_is_a_type_error():
    with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure"):
        gradient_of(lambda x: None, tf.constant(1.0))


@behaviour("G6")
def test_integers_have_no_gradient():
    x, n = tf.constant(3.0), tf.constant(2)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.cast(x, tf.int32) * n

    assert tape.gradient(y, x) is None
    assert tape.gradient(y, n) is None


# ---- G7
@behaviour("G7")
def test_output_gradients_are_factors():
    found = gradient_of(
        lambda x: [x * x, 3.0 * x],
        tf.constant([1.0, 2.0]),
        output_gradients=[tf.constant([10.0, 1.0]), tf.constant([1.0, 0.0])],
    )
    np.testing.assert_array_equal([23.0, 4.0], found[0])


@behaviour("G7")
def test_output_gradients_with_other_numbers_of_elements():
    with pytest.raises(tf.errors.InvalidArgumentError, match="reshape"):
        gradient_of(lambda x: x * x, tf.constant(1.0), output_gradients=tf.ones(3))


@behaviour("G7")
def test_output_gradients_of_another_dtype():
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute Mul"):
        gradient_of(lambda x: x * x, tf.ones(2), output_gradients=tf.ones(2, tf.float64))


@behaviour("G7")
@differs
def test_fewer_output_gradients_than_targets():
    with pytest.raises(ValueError, match="one gradient"):
        gradient_of(lambda x: [x, x * x], tf.ones(2), output_gradients=[tf.ones(2)])


@behaviour("G7")
@pytest.mark.parametrize("given", [[None, 5.0], [5.0, None], [None, None]])
def test_an_output_gradient_that_is_none_is_refused(given):
    with pytest.raises(ValueError, match="None"):
        gradient_of(lambda x: [x * x, 3.0 * x], tf.constant(2.0), output_gradients=given)


# ---- G8
@behaviour("G8")
def test_gradients_inside_of_a_persistent_tape_work_and_are_warned_of():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with logged() as messages:
            first = tape.gradient(y, x)

    assert first.numpy() == 6.0
    assert tape.gradient(first, x).numpy() == 2.0
    assert any("significantly less efficient" in one for one in messages)


@behaviour("G8")
def test_a_tape_cannot_be_entered_while_it_records():
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="Tape is still recording"):
        with tape:
            pass


@behaviour("G8")
def test_a_tape_can_be_entered_again_later():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    lost = y * 2.0
    with tape:
        z = y * x

    assert tape.gradient([z, lost], x).numpy() == 27.0


@behaviour("G8")
def test_recording_is_suspended():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with tape.stop_recording():
            unseen = x * x
        seen = x * x

    assert tape.gradient(unseen, x) is None
    assert tape.gradient(seen, x).numpy() == 6.0


@behaviour("G8")
def test_reset_forgets():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        forgotten = x * x
        tape.reset()
        unseen = x * x
        tape.watch(x)
        seen = x * x

    assert tape.gradient(forgotten, x) is None
    assert tape.gradient(unseen, x) is None
    assert tape.gradient(seen, x).numpy() == 6.0


@behaviour("G8")
def test_an_exception_leaves_the_tape_usable():
    x, results = tf.constant(3.0), []
    tape = tf.GradientTape()

    def fail() -> None:
        with tape:
            tape.watch(x)
            results.append(x * x)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert tape.gradient(results[0], x).numpy() == 6.0


# ---- G9
@behaviour("G9")
def test_values_are_those_at_the_time_of_recording():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign_add(1.0)

    assert tape.gradient(y, v).numpy() == 6.0


@behaviour("G9")
def test_a_sum_assigned_to_a_variable_is_its_new_value():
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        z = v.assign_add(1.0)
        y = z * z

    assert tape.gradient(y, v).numpy() == 4.0


@behaviour("G9")
@pytest.mark.parametrize("staged", [False, True])
def test_assigning_to_a_variable_breaks_the_chain(staged: bool):
    v = tf.Variable(1.0)

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            v.assign(x * x)
            y = v * v
        return tape.gradient(y, [x, v])

    dx, dv = (tf.function(gradients) if staged else gradients)(tf.constant(2.0))
    assert dx is None
    assert dv.numpy() == 8.0


@behaviour("G9")
def test_numpy_breaks_the_chain():
    assert gradient_of(lambda x: tf.constant(x.numpy() * 2.0) * 2.0, tf.constant(1.0)) == [None]
    assert gradient_of(lambda x: np.square(x) * tf.constant(2.0), tf.constant(1.0)) == [None]
