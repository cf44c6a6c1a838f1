"""`session._make_callable_from_options`: how Keras 2 runs models where operations are not eager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message

v1 = tf.compat.v1

Parts = dict[str, Any]


@pytest.fixture
def parts() -> Iterator[Parts]:
    """A session of a graph that counts its runs in v."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None], "x")
        v = v1.get_variable("v", initializer=0.0)
        tf.add(x, 1.0, name="more")
        count = v1.assign_add(v, 1.0)
        session.run(v.initializer)
        yield {"session": session, "v": v, "count": count.op.name}


def options_of(**fields: Any) -> Any:
    return message("CallableOptions")(**fields)


def made(parts: Parts, **fields: Any) -> Any:
    return parts["session"]._make_callable_from_options(options_of(**fields))


def test_a_callable_gives_a_list_of_fetches_and_runs_its_targets(parts: Parts) -> None:
    call = made(parts, feed=["x:0"], fetch=["more:0"], target=[parts["count"]])

    (first,), (second,) = (call(np.array([n], np.float32)) for n in (1.0, 2.0))

    assert (first.tolist(), second.tolist()) == ([2.0], [3.0])
    assert parts["session"].run(parts["v"]) == 2.0
    assert made(parts, target=[parts["count"]])() == []


def test_a_joined_tensor_is_worked_out_once_in_a_call(parts: Parts) -> None:
    numbers = tf.data.Dataset.range(4).map(lambda i: tf.fill([2], tf.cast(i, tf.float32)))
    taken = v1.data.make_one_shot_iterator(numbers).get_next()
    call = made(
        parts,
        fetch=["more:0", taken.name],
        tensor_connection=[{"from_tensor": taken.name, "to_tensor": "x:0"}],
    )

    for n in (0.0, 1.0):
        assert [one.tolist() for one in call()] == [[n + 1, n + 1], [n, n]]


def test_a_joined_tensor_has_to_fit(parts: Parts) -> None:
    matrix = tf.zeros([2, 2], name="matrix")
    joined = [{"from_tensor": matrix.name, "to_tensor": "x:0"}]
    with pytest.raises(ValueError, match="shape"):
        made(parts, fetch=["more:0"], tensor_connection=joined)()


def test_a_callable_tells_run_metadata(parts: Parts) -> None:
    call = made(parts, feed=["x:0"], fetch=["more:0"], run_options={"trace_level": 3})
    told = v1.RunMetadata()

    call(np.zeros(1, np.float32), run_metadata=told)

    assert told.step_stats.dev_stats


@pytest.mark.parametrize("values", [(), (np.zeros(1, np.float32),) * 2, (np.zeros(1, np.int64),)])
def test_a_callable_wants_an_array_of_the_dtype_for_each_feed(parts: Parts, values: Any) -> None:
    call = made(parts, feed=["x:0"], fetch=["more:0"], target=[parts["count"]])

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected 1|Type mismatch"):
        call(*values)

    assert parts["session"].run(parts["v"]) == 0.0


@pytest.mark.parametrize(
    "fields",
    [{"fetch": ["none:0"]}, {"feed": ["none:0"]}, {"target": ["none"]},
     {"feed": ["x:0"], "fetch": ["x:0"]}],
)  # fmt: skip
def test_options_name_what_is_in_the_graph(parts: Parts, fields: dict[str, Any]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"none|both fed and fetched"):
        made(parts, **fields)


def test_a_closed_session_runs_no_callable(parts: Parts) -> None:
    call = made(parts, target=[parts["count"]])
    parts["session"].close()

    with pytest.raises(tf.errors.CancelledError, match="closed"):
        call()
    with pytest.raises(tf.errors.CancelledError, match="closed"):
        made(parts, target=[parts["count"]])
