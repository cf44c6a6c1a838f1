"""Writers of summaries as operations: the bytes that TensorFlow 2.21 writes for the same calls."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RAW = tf.raw_ops
SOUND = (
    "32480d0000fa45100118032232524946462a00000057415645666d74201000000001000100401f0000803e0000"
    "0200100064617461060000000000000000002a09617564696f2f776176"
)
# Events behind their time of day, in hexadecimals: steps of 3, tags of "a".
EVENTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a number": (
        lambda w: RAW.WriteScalarSummary(writer=w, step=3, tag="a", value=2.5),
        "10032a0a0a080a01611500002040",
    ),
    "an integer": (
        lambda w: RAW.WriteScalarSummary(writer=w, step=3, tag="a", value=np.int64(7)),
        "10032a0a0a080a0161150000e040",
    ),
    "one sound of two": (
        lambda w: RAW.WriteAudioSummary(
            writer=w, step=3, tag="a", tensor=np.zeros((2, 3, 1), np.float32), sample_rate=8000.0,
            max_outputs=1,
        ),
        "10032a550a530a07612f617564696f" + SOUND,
    ),
    "a graph": (lambda w: RAW.WriteGraphSummary(writer=w, step=3, tensor=b""), "10032200"),
    "an event": (lambda w: RAW.ImportEvent(writer=w, event=bytes.fromhex("1005")), "1005"),
}  # fmt: skip


def opened(folder: Path, name: str = "") -> Any:
    writer = RAW.SummaryWriter(shared_name=name, container="")
    RAW.CreateSummaryFileWriter(
        writer=writer, logdir=str(folder), max_queue=1, flush_millis=1, filename_suffix=".x"
    )
    return writer


def events_in(folder: Path) -> list[str]:
    """What was written after the first record; an Event that has a time begins with it."""
    found: list[bytes] = []
    for path in sorted(folder.iterdir()):
        rest = path.read_bytes()
        while rest:
            (length,) = struct.unpack("<Q", rest[:8])
            found.append(rest[12 : 12 + length])
            rest = rest[16 + length :]
    return [(one[9:] if one[:1] == b"\x09" else one).hex() for one in found[1:]]


@pytest.mark.parametrize("name", EVENTS)
def test_events_are_tensorflows(name: str, tmp_path: Path) -> None:
    write, expected = EVENTS[name]
    writer = opened(tmp_path)
    write(writer)
    RAW.CloseSummaryWriter(writer=writer)

    assert [expected] == events_in(tmp_path)


def test_functions_write_in_their_loops(tmp_path: Path) -> None:
    @tf.function
    def run(value: Any) -> Any:
        writer = opened(tmp_path, "in a function")
        for step in tf.range(3, dtype=tf.int64):
            RAW.WriteScalarSummary(writer=writer, step=step, tag="a", value=value)
        RAW.CloseSummaryWriter(writer=writer)
        return value

    run(tf.constant(2.5))

    rest = "2a0a0a080a01611500002040"
    assert [rest, f"1001{rest}", f"1002{rest}"] == events_in(tmp_path)


def test_pictures_have_the_color_of_what_is_no_number(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    picture = np.array([[[[np.nan], [0.5]]]], np.float32)
    color = np.array([7, 0, 0, 255], np.uint8)
    RAW.WriteImageSummary(
        writer=writer, step=3, tag="a", tensor=picture, bad_color=color, max_images=1
    )
    RAW.WriteHistogramSummary(writer=writer, step=3, tag="b", values=[2.5, -1.0, 0.0])
    RAW.CloseSummaryWriter(writer=writer)

    image, numbers = events_in(tmp_path)
    file = bytes.fromhex(image)
    shown = tf.io.decode_png(file[file.index(b"\x89PNG") :])
    assert [7, 255] == shown.numpy().reshape(-1).tolist()
    assert np.array([-1.0, 2.5, 3.0, 1.5, 7.25]).tobytes()[:8].hex() in numbers


def test_one_name_is_one_writer_until_it_is_closed(tmp_path: Path) -> None:
    opened(tmp_path, "shared")
    again = opened(tmp_path / "elsewhere", "shared")
    RAW.WriteScalarSummary(writer=again, step=3, tag="a", value=2.5)
    RAW.FlushSummaryWriter(writer=again)
    RAW.CloseSummaryWriter(writer=again)

    assert ["10032a0a0a080a01611500002040"] == events_in(tmp_path)
    with pytest.raises(tf.errors.NotFoundError, match="has no file"):
        RAW.WriteScalarSummary(writer=again, step=3, tag="a", value=2.5)


def test_what_is_no_event_is_not_imported(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.DataLossError, match="no serialized Event"):
        RAW.ImportEvent(writer=opened(tmp_path), event=b"\xff")
