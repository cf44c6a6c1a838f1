"""`tf.compat.v1.summary`: what graphs say, and the files that it is in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

v1 = tf.compat.v1

# Pixels that TensorFlow 2.21 wrote.
PICTURES = {
    "some negative": (
        np.arange(12.0).reshape(1, 2, 2, 3) - 3,
        [80, 96, 112, 128, 143, 159, 175, 191, 207, 223, 239, 255],
    ),
    "positive": (np.arange(4.0, 8.0).reshape(1, 2, 2, 1), [145, 182, 218, 254]),
    "dark": (np.zeros((1, 2, 2, 1)), [0, 0, 0, 0]),
    "no number": (np.array([np.nan, 1.0, 2.0, 3.0]).reshape(1, 2, 2, 1), [255, 85, 170, 255]),
    "negative": (-np.arange(4.0).reshape(1, 2, 2, 1), [128, 85, 43, 1]),
}  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_floats_are_scaled_as_in_tensorflow(name: str) -> None:
    picture, expected = PICTURES[name]
    made = tf.raw_ops.ImageSummary(tag="i", tensor=picture.astype(np.float32)).numpy()

    (value,) = v1.Summary.FromString(made).value

    assert value.tag == "i/image/0"
    shown = tf.io.decode_png(value.image.encoded_image_string).numpy()
    assert expected == shown.reshape(-1).tolist()


def test_tags_have_the_scope_before_them() -> None:
    with tf.Graph().as_default():
        first = v1.summary.scalar("a b", 1.0)
        with tf.name_scope("layer"):
            second = v1.summary.scalar("loss", 1.0)
            third = v1.summary.scalar("loss", 1.0, family="all", collections=["mine"])
        assert v1.get_collection("summaries") == [first, second]
        assert v1.get_collection("mine") == [third]
        merged = v1.summary.merge([first, second, third])
        with v1.Session() as session:
            values = v1.Summary.FromString(session.run(merged)).value

    assert ["a_b", "layer/loss", "all/layer/all/loss"] == [one.tag for one in values]
    assert merged.name == "Merge/MergeSummary:0"


def test_tags_that_are_there_twice_are_refused() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        loss = v1.summary.scalar("loss", 1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Duplicate tag loss"):
            session.run(v1.summary.merge([loss, loss]))


def events_in(folder: Path) -> list[Any]:
    """What was written, in the order of the files: their names end with numbers that grow."""
    files = sorted(folder.iterdir(), key=lambda file: (len(file.name), file.name))
    return [one for file in files for one in v1.train.summary_iterator(file)]


def test_a_file_has_graph_and_summaries(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        notes = v1.summary.text("notes", tf.constant("good"))
        with v1.Session() as session, v1.summary.FileWriter(tmp_path, graph) as writer:
            text = session.run(notes)
            writer.add_summary(text, 3)
            writer.add_summary(v1.Summary.FromString(text), 4)
            writer.add_session_log(v1.SessionLog(status=v1.SessionLog.START))
            writer.add_run_metadata(v1.RunMetadata(), "run")
    found = events_in(tmp_path)

    kinds = ["file_version", "graph_def", "meta_graph_def", "summary", "summary", "session_log"]
    assert [*kinds, "tagged_run_metadata"] == [one.WhichOneof("what") for one in found]
    assert [3, 4] == [one.step for one in found if one.summary.value]
    shown = [one.summary.value[0].HasField("metadata") for one in found if one.summary.value]
    assert [True, False] == shown
    assert "notes" in {node.name for node in v1.GraphDef.FromString(found[1].graph_def).node}


def test_a_closed_writer_warns_and_can_be_opened_again(tmp_path: Path) -> None:
    with tf.Graph().as_default():
        writer = v1.summary.FileWriter(tmp_path)
        writer.close()
        with pytest.warns(UserWarning, match="is closed"):
            writer.add_event(v1.Event(step=1))
        writer.reopen()
        writer.add_event(v1.Event(step=2))
        writer.close()

    assert [0, 0, 2] == [one.step for one in events_in(tmp_path)]


def test_eager_programs_are_told_of_the_other_writer(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="create_file_writer"):
        v1.summary.FileWriter(tmp_path)
