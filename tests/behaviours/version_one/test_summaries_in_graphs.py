"""`tf.summary` in graphs that are built by hand: sessions write."""

from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def written(folder: Path) -> list[tuple[int, str]]:
    """The steps and tags in the event files of a folder."""
    events = [
        one for file in sorted(folder.iterdir()) for one in v1.train.summary_iterator(str(file))
    ]
    return [(event.step, value.tag) for event in events for value in event.summary.value]


@behaviour("I10")
@pytest.mark.parametrize("some", [False, True], ids=["all", "some"])
def test_sessions_write_what_they_fetch(tmp_path: Path, some: bool):
    with tf.Graph().as_default() as graph, v1.Session() as session:
        writer = tf.summary.create_file_writer(str(tmp_path))
        step, x = v1.placeholder(tf.int64, []), v1.placeholder(tf.float32, [])
        wanted: Any = tf.equal(step % 2, 0) if some else True
        with writer.as_default(), tf.summary.record_if(wanted):
            v1.summary.initialize(graph=graph)
            loss = tf.summary.scalar("loss", x, step=step)
            tf.summary.text("note", "a", step=step)
        both, flush = v1.summary.all_v2_summary_ops(), writer.flush()
        for k in range(3):
            session.run(both, {x: 0.5, step: k})
        session.run(loss, {x: 0.5, step: 8})
        session.run(flush)

    steps = [0, 2] if some else [0, 1, 2]
    found = written(tmp_path)
    assert [(k, "loss") for k in [*steps, 8]] == [one for one in found if one[1] == "loss"]
    assert [(k, "note") for k in steps] == [one for one in found if one[1] == "note"]


@behaviour("I10")
def test_who_begins_to_write_needs_a_writer_and_a_session(tmp_path: Path):
    with tf.Graph().as_default():
        with v1.Session(), pytest.raises(RuntimeError, match="No default"):
            v1.summary.initialize()
        writer = tf.summary.create_file_writer(str(tmp_path))
        with writer.as_default(), pytest.raises(ValueError, match="session"):
            v1.summary.initialize()


@behaviour("I10")
def test_where_operations_run_at_once_there_is_nothing_to_fetch():
    assert v1.summary.initialize() is None
    assert v1.summary.all_v2_summary_ops() is None
