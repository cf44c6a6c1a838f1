"""Summaries: what is in the event files, read by a parser of its own."""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.formats.checksums import masked_crc32c
from tensormill.summary import event_files


def fields(data: bytes) -> dict[int, list[Any]]:
    """A message as numbers and bytes by field."""
    found: dict[int, list[Any]] = {}
    place = 0

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(data):
        key = number()
        if key & 7 == 2:
            size = number()
            value: Any = data[place : place + size]
            place += size
        elif key & 7 == 1:
            (value,) = struct.unpack("<d", data[place : place + 8])
            place += 8
        else:
            value = number()
        found.setdefault(key >> 3, []).append(value)
    return found


def records(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12]) == (masked_crc32c(data[:8]),)
        body, rest = data[12 : 12 + length], data[12 + length :]
        assert struct.unpack("<I", rest[:4]) == (masked_crc32c(body),)
        yield body
        data = rest[4:]


def written(folder: Path) -> list[tuple[str, int, Any, str]]:
    """(tag, step, array or strings, plugin) of every summary."""
    (path,) = folder.iterdir()
    first, *others = (fields(one) for one in records(path))
    assert [b"brain.Event:2"] == first[3]
    found: list[tuple[str, int, Any, str]] = []
    for event in others:
        value = fields(fields(event[5][0])[1][0])
        plugin = fields(fields(value[9][0])[1][0])[1][0].decode() if 9 in value else ""
        step = event.get(2, [0])[0]  # fields that are 0 are left out
        found.append((value[1][0].decode(), step, array_of(value[8][0]), plugin))
    return found


def array_of(message: bytes) -> Any:
    parts = fields(message)
    if 8 in parts:
        return parts[8]
    dtype = tf.as_dtype(parts[1][0]).as_numpy_dtype
    shape = [fields(dim)[1][0] for dim in fields(parts[2][0]).get(2, [])]
    return np.frombuffer(parts[4][0], dtype).reshape(shape).tolist()


def test_numbers_are_written_with_their_step(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        answer = tf.summary.scalar("loss", 0.5, step=3)
        with tf.name_scope("scope"):
            tf.summary.scalar("inner", 2, step=4, description="told")

    assert answer.numpy()
    assert [("loss", 3, 0.5, "scalars"), ("scope/inner", 4, 2.0, "scalars")] == written(tmp_path)


def test_what_has_no_name_is_called_by_its_kind(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=0):
        tf.summary.scalar("", 1.0)
        tf.summary.histogram("", [1.0])
        tf.summary.text("", "a")

    tags = [tag for tag, *_ in written(tmp_path)]
    assert ["scalar_summary", "histogram_summary", "text_summary"] == tags


def test_the_class_of_the_data_is_left_to_the_reader(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        tf.summary.scalar("loss", 0.5, step=3, description="told")

    (path,) = tmp_path.iterdir()
    _, event = (fields(one) for one in records(path))
    metadata = fields(fields(fields(event[5][0])[1][0])[9][0])
    assert {3: [b"told"]} == {key: metadata[key] for key in metadata if key != 1}


@pytest.mark.parametrize("condition", [False, True, lambda: False, lambda: tf.constant(True)])
def test_whether_summaries_are_wanted_is_a_tensor(tmp_path: Path, condition: Any) -> None:
    wanted = bool(condition() if callable(condition) else condition)

    assert tf.is_tensor(tf.summary.should_record_summaries())
    with tf.summary.create_file_writer(str(tmp_path)).as_default(), tf.summary.record_if(condition):
        answer = tf.summary.should_record_summaries()

    assert (tf.bool, wanted) == (answer.dtype, bool(answer))


def test_compiled_functions_write_each_time(tmp_path: Path) -> None:
    writer = tf.summary.create_file_writer(str(tmp_path))

    @tf.function
    def step(x: Any, number: Any) -> Any:
        with writer.as_default():
            tf.summary.scalar("x", x, step=number)
        return x + 1.0

    for number in range(3):
        step(tf.constant(number * 1.5), tf.constant(number, tf.int64))
    writer.close()

    assert [0.0, 1.5, 3.0] == [value for _, _, value, _ in written(tmp_path)]
    assert [0, 1, 2] == [number for _, number, _, _ in written(tmp_path)]


@pytest.mark.parametrize("step", [127, 128, 2**40, -1])
def test_steps_and_lengths_take_as_many_bytes_as_they_need(tmp_path: Path, step: int) -> None:
    values = [float(number) for number in range(300)]
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        tf.summary.write("values", tf.constant(values), step=step)

    assert [("values", step % 2**64, values, "")] == written(tmp_path)


def test_conditions_decide_what_is_written(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=1):
        with tf.summary.record_if(False):
            assert not tf.summary.scalar("no", 1.0).numpy()
        with tf.summary.record_if(lambda: True):
            tf.summary.scalar("yes", 1.0)

        @tf.function
        def sometimes(x: Any) -> Any:
            with tf.summary.record_if(x > 0.0):
                return tf.summary.scalar("sometimes", x)

        assert [False, True] == [sometimes(tf.constant(x)).numpy() for x in (-1.0, 2.0)]

    assert ["yes", "sometimes"] == [tag for tag, _, _, _ in written(tmp_path)]


def test_histograms_are_edges_and_counts(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        tf.summary.histogram("h", [1.0, 2.0, 2.0, 4.0], step=0, buckets=3)
        tf.summary.histogram("alike", [7.0, 7.0], step=0, buckets=2)
        tf.summary.histogram("without end", [1.0, np.inf, np.nan], step=0, buckets=1)

    assert [[1.0, 2.0, 1.0], [2.0, 3.0, 2.0], [3.0, 4.0, 1.0]] == written(tmp_path)[0][2]
    assert [[7.0, 7.0, 0.0], [7.0, 7.0, 2.0]] == written(tmp_path)[1][2]
    assert written(tmp_path)[2][2][0][2] == 0.0


def test_texts_images_and_tensors_are_written(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=2):
        tf.summary.text("t", "hello")
        tf.summary.image("i", np.full((1, 2, 3, 1), 0.5, np.float32))
        tf.summary.write("w", tf.constant([1, 2]))
    (_, _, texts, _), (_, _, (width, height, png), plugin), (_, _, tensor, _) = written(tmp_path)

    assert [b"hello"] == texts
    assert (b"3", b"2", "images") == (width, height, plugin)
    assert [[[127]] * 3] * 2 == tf.io.decode_png(png).numpy().tolist()
    assert [1, 2] == tensor


@pytest.mark.parametrize(
    ("level", "given"),
    [
        (127, np.float32(0.5)),
        (255, np.float64(1.5)),
        (0, np.float16(-1)),
        (8, np.uint8(8)),
        (3, np.uint16(1000)),
        (0, np.int32(1000)),
        (255, np.int32(2**31 - 1)),
    ],
)
def test_images_use_the_range_of_their_dtype(tmp_path: Path, level: int, given: Any) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=2):
        tf.summary.image("i", np.full((1, 1, 1, 1), given))
    ((_, _, (_, _, png), _),) = written(tmp_path)

    assert [[[level]]] == tf.io.decode_png(png).numpy().tolist()


def test_the_number_of_images_is_not_negative(tmp_path: Path) -> None:
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(step=2),
        pytest.raises(tf.errors.InvalidArgumentError, match="max_outputs"),
    ):
        tf.summary.image("i", np.zeros((3, 1, 1, 1)), max_outputs=-1)


def test_sounds_are_written_as_wav_files(tmp_path: Path) -> None:
    sounds = np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 6, 2)
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=2):
        tf.summary.audio("all", sounds, 8000)
        tf.function(lambda x, rate: tf.summary.audio("one", x, rate, max_outputs=1))(sounds, 44100)
    (_, _, every, plugin), (_, _, one, _) = written(tmp_path)

    assert [tf.audio.encode_wav(sound, 8000).numpy() for sound in sounds] == every[::2]
    assert [b"", b""] == every[1::2]
    assert [tf.audio.encode_wav(sounds[0], 44100).numpy(), b""] == one
    assert plugin == "audio"


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"encoding": "mp3"}),
        (ValueError, {"data": np.zeros([6, 2], np.float32)}),
        (tf.errors.InvalidArgumentError, {"data": np.zeros([1, 6, 2])}),
        (tf.errors.InvalidArgumentError, {"sample_rate": 0}),
        (tf.errors.InvalidArgumentError, {"max_outputs": -1}),
    ],
)
def test_what_is_no_sound_is_refused(
    tmp_path: Path, error: type[Exception], arguments: dict[str, Any]
) -> None:
    given: dict[str, Any] = {"data": np.zeros([1, 6, 2], np.float32), "sample_rate": 8000}
    given |= arguments
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=1), pytest.raises(error):
        tf.summary.audio("sound", **given)


def test_without_a_writer_nothing_is_written() -> None:
    assert not tf.summary.scalar("x", 1.0, step=1).numpy()
    assert not tf.summary.should_record_summaries()
    with tf.summary.create_noop_writer().as_default():
        assert not tf.summary.scalar("x", 1.0, step=1).numpy()


def test_a_step_is_needed(tmp_path: Path) -> None:
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(),
        pytest.raises(ValueError, match="No step set"),
    ):
        tf.summary.scalar("x", 1.0)


def test_what_is_not_written_needs_no_step(tmp_path: Path) -> None:
    writers = [tf.summary.create_noop_writer(), tf.summary.create_file_writer(str(tmp_path))]
    with tf.summary.record_if(False):
        for writer in writers:
            with writer.as_default():
                assert not tf.summary.scalar("x", 1.0)
                assert not tf.summary.experimental.write_raw_pb(b"")


def test_a_step_that_is_set_in_a_block_holds_behind_it_unless_the_block_has_one() -> None:
    writer, set_step = tf.summary.create_noop_writer(), tf.summary.experimental.set_step
    with writer.as_default(step=3):
        with writer.as_default():
            set_step(7)
        assert tf.summary.experimental.get_step() == 7
        with writer.as_default(step=8):
            set_step(9)
        assert tf.summary.experimental.get_step() == 7
    assert tf.summary.experimental.get_step() is None


def test_wrong_data_is_refused_where_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"needs a scalar, not shape \(2,\)"):
        tf.summary.scalar("x", [1.0, 2.0], step=1)
    with tf.summary.create_noop_writer().as_default(), pytest.raises(TypeError, match="string"):
        tf.summary.text("x", 3, step=1)


def test_closed_writers_take_nothing(tmp_path: Path) -> None:
    writer = tf.summary.create_file_writer(str(tmp_path))
    writer.close()
    with pytest.raises(RuntimeError, match="closed"), writer.as_default():
        pass


def test_what_a_full_disk_took_is_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: str, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default(step=1):
        tf.summary.scalar("first", 1.0)
        with monkeypatch.context() as patch:
            patch.setattr(event_files, "append", full)
            with pytest.raises(tf.errors.ResourceExhaustedError, match="disk full"):
                writer.flush()
        tf.summary.scalar("second", 2.0)
    writer.close()

    assert ["first", "second"] == [tag for tag, *_ in written(tmp_path)]


@pytest.mark.parametrize(
    ("shape", "error", "words"),
    [
        ([1, 2, 2, 5], tf.errors.InvalidArgumentError, "1 to 4 channels"),
        ([1, 2, 2, 0], tf.errors.InvalidArgumentError, "1 to 4 channels"),
        ([2, 2, 3], ValueError, "height, width, channels"),
        ([1, 1, 2, 2, 3], ValueError, "height, width, channels"),
    ],
)
def test_an_image_has_four_axes_and_a_few_channels(
    tmp_path: Path, shape: list[int], error: type[Exception], words: str
) -> None:
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(step=1),
        pytest.raises(error, match=words),
    ):
        tf.summary.image("image", tf.zeros(shape))


def test_a_histogram_has_no_negative_number_of_buckets(tmp_path: Path) -> None:
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(step=1),
        pytest.raises(ValueError, match="negative number of buckets"),
    ):
        tf.summary.histogram("numbers", [1.0, 2.0], buckets=-1)


def test_scopes_decorate_functions() -> None:
    @tf.summary.record_if(False)
    def recorded() -> Any:
        return tf.summary.should_record_summaries()

    @tf.init_scope()
    def is_eager() -> bool:
        return tf.executing_eagerly()

    seen: list[bool] = []

    @tf.function
    def traced() -> None:
        seen.extend([is_eager(), is_eager(), tf.executing_eagerly()])

    traced()
    with tf.summary.create_noop_writer().as_default():
        assert [False, False] == [recorded(), recorded()]
    assert [True, True, False] == seen


def test_nothing_is_recorded_with_a_writer_that_writes_nothing() -> None:
    with tf.summary.create_noop_writer().as_default(step=1), tf.summary.record_if(True):
        assert not tf.summary.should_record_summaries()
        assert not tf.summary.scalar("loss", 0.5)
