"""`tf.compat.v1` has TensorFlow's names, called as there; what is not so stands in two lists."""

from __future__ import annotations

import pytest

import tensormill as tf

from . import version_one_names as names


def test_the_names_that_are_missing_are_known() -> None:
    """After a change on purpose: `python -m tests.api.tensorflow_names`."""
    assert names.MISSING.read_text().splitlines() == names.missing()


def test_what_is_called_in_another_way_is_known() -> None:
    assert names.DIFFERING.read_text().splitlines() == names.differing()


def test_no_parameter_stands_at_another_place() -> None:
    assert names.displaced() == []


@pytest.mark.sampled
@pytest.mark.parametrize("beginning", names.REASONS)
def test_a_reason_is_for_names_that_are_missing(beginning: str) -> None:
    assert any(name.startswith(beginning) for name in names.missing())


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        (["x", "name=None"], ["x", "name=None", "axis=0"], False),
        (["x", "name=None", "axis=0"], ["x", "axis=0", "name=None"], True),
        (["x", "data=None", "name=None"], ["x", "name=None"], True),
        (["x", "*", "name"], ["x", "axis", "*", "name"], False),
    ],
)
def test_what_both_have_is_moved_where_it_comes_at_another_place(
    theirs: list[str], mine: list[str], expected: bool
) -> None:
    assert expected is names.moved(theirs, mine)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("layers.dense", "tf.keras.layers"),
        ("nn.rnn_cell.BasicLSTMCell", "tf.keras.layers"),
        ("estimator", "taken out"),
        ("train.do_quantize_training_on_graphdef", "no attribute 'do_quantize_training"),
    ],
)
def test_what_is_not_there_says_so(name: str, words: str) -> None:
    with pytest.raises(AttributeError, match=words):
        names.names.ours(f"tf.compat.v1.{name}")


def test_a_checkpoint_of_a_session_is_refused() -> None:
    checkpoint = tf.compat.v1.train.Checkpoint(v=tf.Variable(1.0))

    with pytest.raises(NotImplementedError, match="Saver"):
        checkpoint.save("nowhere", tf.compat.v1.Session(graph=tf.Graph()))
