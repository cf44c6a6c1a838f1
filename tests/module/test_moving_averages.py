"""`tf.train.ExponentialMovingAverage`. The numbers are TensorFlow's."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


def test_averages_follow_slowly() -> None:
    v = tf.Variable(1.0, name="slow")
    averages = tf.train.ExponentialMovingAverage(0.9)

    averages.apply([v])
    v.assign(3.0)
    averages.apply([v])

    average = averages.average(v)
    assert "slow/ExponentialMovingAverage:0" == average.name
    assert not average.trainable
    assert 1.2000000476837158 == float(average)
    assert None is averages.average(tf.Variable(2.0))


def test_at_first_averages_follow_faster_by_the_number_of_updates() -> None:
    v = tf.Variable([1.0, 2.0])
    averages = tf.train.ExponentialMovingAverage(0.9, num_updates=tf.Variable(3))

    averages.apply([v])
    v.assign([3.0, 4.0])
    averages.apply([v])

    assert pytest.approx([2.3846154, 3.3846154]) == averages.average(v).numpy()


def test_averages_follow_in_functions() -> None:
    w = tf.Variable(1.0)
    averages = tf.train.ExponentialMovingAverage(0.5)

    @tf.function
    def step() -> Any:
        w.assign_add(1.0)
        averages.apply([w])
        return averages.average(w)

    assert [1.5, 2.25, 3.125] == [float(step()) for _ in range(3)]


def test_averages_are_restored_into_variables_by_their_names() -> None:
    v = tf.Variable(1.0, name="v")
    averages = tf.train.ExponentialMovingAverage(0.9, name="EMA")

    assert {"v/EMA": v} == averages.variables_to_restore([v])
    averages.apply([v])
    assert {"v/EMA": v} == averages.variables_to_restore()
    assert "v/EMA" == averages.average_name(v)


@pytest.mark.parametrize("wrong", [tf.constant(1.0), tf.Variable(1)], ids=["tensor", "integers"])
def test_only_variables_of_floats_have_averages(wrong: Any) -> None:
    with pytest.raises(TypeError):
        tf.train.ExponentialMovingAverage(0.9).apply([wrong])


def test_averages_of_variables_of_one_name_have_names_of_their_own() -> None:
    variables = [tf.Variable(1.0, name="one of two") for _ in range(2)]
    averages = tf.train.ExponentialMovingAverage(0.9)

    averages.apply(variables)

    names = [averages.average_name(one) for one in variables]
    wanted = "one of two/ExponentialMovingAverage"
    assert [wanted, f"{wanted}_1"] == names
