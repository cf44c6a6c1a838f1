"""Files: whole ones as strings, and the functions of `tf.io.gfile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

gfile: Any = tf.io.gfile


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_what_is_written_can_be_read(tmp_path: Path, compiled: bool) -> None:
    def there_and_back(path: Any, text: Any) -> Any:
        with tf.control_dependencies([tf.io.write_file(path, text)]):
            return tf.io.read_file(path)

    function = tf.function(there_and_back) if compiled else there_and_back
    path = str(tmp_path / "folder" / "file")

    assert b"\0text" == function(tf.constant(path), tf.constant(b"\0text")).numpy()


def test_a_file_that_is_not_there_is_not_found() -> None:
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        tf.io.read_file("no such file")


def test_patterns_match_paths(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.csv"):
        (tmp_path / name).touch()
    found = tf.io.matching_files(str(tmp_path / "*.txt")).numpy()

    assert ["a.txt", "b.txt"] == [Path(path.decode()).name for path in found]


def test_bytes_are_numbers() -> None:
    text = tf.constant([b"\1\0\2\0", b"\3\0\4\0"])

    assert [[1, 2], [3, 4]] == tf.io.decode_raw(text, tf.int16).numpy().tolist()
    assert [[256, 512], [768, 1024]] == (
        tf.io.decode_raw(text, tf.uint16, little_endian=False).numpy().tolist()
    )
    assert [[1, 0, 2, 0, 0], [3, 0, 4, 0, 0]] == (
        tf.io.decode_raw(text, tf.uint8, fixed_length=5).numpy().tolist()
    )


def test_bytes_of_other_lengths_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="same size"):
        tf.io.decode_raw([b"a", b"ab"], tf.uint8)
    with pytest.raises(tf.errors.InvalidArgumentError, match="multiple of"):
        tf.io.decode_raw([b"abc"], tf.int16)


def test_files_are_made_and_moved(tmp_path: Path) -> None:
    folder = gfile.join(str(tmp_path), "a", "b")
    gfile.makedirs(folder)
    path = gfile.join(folder, "x.txt")
    with gfile.GFile(path, "w") as file:
        file.write("one\ntwo\n")
    gfile.copy(path, path + "2")
    gfile.rename(path + "2", path + "3")

    assert ["one\n", "two\n"] == list(gfile.GFile(path))
    assert b"one\ntwo\n" == gfile.GFile(path + "3", "rb").read()
    assert ["x.txt", "x.txt3"] == sorted(gfile.listdir(folder))
    assert [True, False] == [gfile.isdir(folder), gfile.isdir(path)]
    assert 8 == gfile.stat(path).length == gfile.GFile(path).size()


def test_files_and_folders_are_removed(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    gfile.GFile(path, "w").close()
    gfile.remove(path)
    gfile.mkdir(path)
    gfile.rmtree(path)

    assert not gfile.exists(path)


def test_what_is_there_is_not_overwritten_unasked(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(name)
    with pytest.raises(tf.errors.AlreadyExistsError, match="already exists"):
        gfile.copy(str(tmp_path / "a"), str(tmp_path / "b"))
    gfile.copy(str(tmp_path / "a"), str(tmp_path / "b"), overwrite=True)

    assert "a" == (tmp_path / "b").read_text()


@pytest.mark.parametrize("name", ["remove", "rmtree", "listdir", "stat", "GFile"])
def test_what_is_missing_is_not_found(tmp_path: Path, name: str) -> None:
    with pytest.raises(tf.errors.NotFoundError):
        getattr(gfile, name)(str(tmp_path / "missing"))


def test_limits_of_floats_and_choices_by_conditions() -> None:
    x = np.arange(5.0)
    numpy: Any = tf.experimental.numpy

    assert 0.0078125 == float(numpy.finfo(tf.bfloat16).eps)
    assert [0.0, -1.0, -1.0, 30.0, 40.0] == (
        numpy.select([x < 1, x > 2], [x, 10 * x], -1.0).numpy().tolist()
    )


def test_what_a_file_hands_out_keeps_it_open(tmp_path: Path) -> None:
    path = str(tmp_path / "lines")

    assert None is gfile.GFile(path, "w").write("one\ntwo\n")
    assert "one\ntwo\n" == gfile.GFile(path).read()
    assert "on" == gfile.GFile(path).read(2)
    assert "one\n" == gfile.GFile(path).readline()
    assert ["one\n", "two\n"] == gfile.GFile(path).readlines()
    assert ["one\n", "two\n"] == [line for line in iter(gfile.GFile(path))]
    assert 0 == gfile.GFile(path).tell()
    read = gfile.GFile(path, "rb").read
    assert b"one\ntwo\n" == read()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = str(tmp_path / "file")
    tries: dict[str, Any] = {
        "makedirs": lambda: gfile.makedirs(path),
        "makedirs below": lambda: gfile.makedirs(path + "/folder"),
        "write_file": lambda: tf.io.write_file(path + "/inner", ""),
        "write_file below": lambda: tf.io.write_file(path + "/folder/inner", ""),
        "summaries": lambda: tf.summary.create_file_writer(path).flush(),
        "Checkpoint": lambda: tf.train.Checkpoint(v=tf.Variable(1.0)).write(path + "/state"),
        "SavedModel": lambda: tf.saved_model.save(tf.Module(), path + "/model"),
    }
    for attempt in tries.values():
        with pytest.raises(tf.errors.FailedPreconditionError):
            attempt()


def test_a_folder_that_is_there_may_be_made_again(tmp_path: Path) -> None:
    gfile.mkdir(str(tmp_path))
    gfile.makedirs(str(tmp_path))
    assert tmp_path.is_dir()


def test_a_folder_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(tf.errors.AlreadyExistsError, match="File exists"):
        gfile.mkdir(str(tmp_path / "file"))


def test_an_operation_without_results_is_none_and_in_a_trace_itself(tmp_path: Path) -> None:
    path, returned = str(tmp_path / "file"), []

    @tf.function
    def traced() -> None:
        returned.append(tf.io.write_file(path, "traced"))
        returned.append(tf.raw_ops.PrintV2(input="x", output_stream=f"file://{path}"))

    assert None is tf.io.write_file(path, "eager")
    assert None is tf.raw_ops.PrintV2(input="x", output_stream=f"file://{path}")
    traced()
    assert ["WriteFile", "PrintV2"] == [operation.type for operation in returned]
    assert "tracedx\n" == Path(path).read_text()


def test_a_pattern_without_a_folder_finds_files_in_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a.txt").touch()
    (tmp_path / "below" / "b.txt").touch()
    monkeypatch.chdir(tmp_path)

    assert ["./a.txt"] == gfile.glob("*.txt") == gfile.glob("./*.txt")
    assert ["a.txt", "below/b.txt"] == gfile.glob(["a.txt", "below/*.txt"])
    assert ["./below/b.txt"] == gfile.glob("b*/b.txt")


def test_patterns_are_the_c_librarys(tmp_path: Path) -> None:
    for name in (".hidden", "x", "y", "*", "!"):
        (tmp_path / name).touch()

    def matching(pattern: str) -> list[str]:
        found = gfile.glob(str(tmp_path / pattern))
        assert found == [
            path.decode() for path in tf.io.matching_files(str(tmp_path / pattern)).numpy()
        ]
        assert found == [Path(path).as_posix() for path in sorted(found)]
        return [Path(path).name for path in found]

    # What TensorFlow finds.
    assert ["!", "*", ".hidden", "x", "y"] == matching("*")
    assert ["!", "*", ".hidden", "y"] == matching("[^x]*") == matching("[!x]*")
    assert ["x"] == matching("\\x")
    assert ["*"] == matching("\\*")
    assert ["!"] == matching("\\!")


def test_a_name_may_be_any_bytes(tmp_path: Path) -> None:
    name = bytes(tmp_path / "n") + b"\xff"
    tf.io.write_file(name, "text")

    assert [name] == tf.io.matching_files(str(tmp_path / "*")).numpy().tolist()
    assert b"text" == tf.io.read_file(name).numpy()
    assert b"text" == gfile.GFile(name, "rb").read()
    assert name == gfile.join(bytes(tmp_path), b"n\xff")


@pytest.mark.parametrize("name", ["listdir", "mkdir", "remove", "stat", "GFile", "TextLineDataset"])
def test_a_zero_byte_is_in_no_path(tmp_path: Path, name: str) -> None:
    def lines(path: str) -> Any:
        return list(tf.data.TextLineDataset(path))

    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.NotFoundError)):
        (lines if name == "TextLineDataset" else getattr(gfile, name))(str(tmp_path / "a\0b"))


def test_text_is_read_and_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a\r\nb\rc\n")

    assert "a\r\nb\rc\n" == gfile.GFile(path).read()
    assert b"a\r\nb\rc\n" == gfile.GFile(path, "rb").read()
    assert ["a\n", "bc\n"] == gfile.GFile(path).readlines() == list(gfile.GFile(path))
    for mode in ("w", "wb"):
        with gfile.GFile(path, mode) as file:
            file.write("\u00e4\r\n")
            file.write(b"\xff")
            file.write("b")
        assert b"\xc3\xa4\r\n\xffb" == path.read_bytes()


@pytest.mark.parametrize("mode", ["r", "rb", "r+"])
def test_places_are_told_from_here_and_from_the_end(tmp_path: Path, mode: str) -> None:
    (tmp_path / "file").write_text("\u00e4bc\ndef")
    file = gfile.GFile(str(tmp_path / "file"), mode)

    file.seek(2)
    file.seek(1, 1)
    assert (3, "c") == (file.tell(), tf.compat.as_text(file.read(1)))
    file.seek(-2, 1)
    assert (2, "bc\n") == (file.tell(), tf.compat.as_text(file.readline()))
    file.seek(-2, 2)
    assert "ef" == tf.compat.as_text(file.read())
    with pytest.raises(tf.errors.InvalidArgumentError, match="-1"):
        file.seek(-9, 1)
    for place in (100, 0), (2, 2):
        with pytest.raises(tf.errors.OutOfRangeError, match="ends at 8"):
            file.seek(*place)
        assert (8, "") == (file.tell(), tf.compat.as_text(file.read()))


def test_nothing_is_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(tf.errors.NotFoundError):
        gfile.rmtree(str(tmp_path / "file" / "below"))


def test_what_a_file_is_not_opened_for_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    with gfile.GFile(path, "w") as file, pytest.raises(tf.errors.PermissionDeniedError):
        file.read()
    for mode in "wa":
        with gfile.GFile(path, mode) as file, pytest.raises(tf.errors.PermissionDeniedError):
            file.seek(0)
    with pytest.raises(tf.errors.PermissionDeniedError):
        gfile.GFile(path).write("")
    for mode in ("x", "q", "", "rw"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="is none of r, w, a"):
            gfile.GFile(path, mode)
    for place in ((-1,), (0, 9)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            gfile.GFile(path, "rb").seek(*place)


def test_a_walk_tells_what_fails_as_other_functions_do(tmp_path: Path) -> None:
    told: list[Exception] = []

    for place in (tmp_path / "absent", tmp_path / "file"):
        (tmp_path / "file").write_text("x")
        assert [] == list(gfile.walk(str(place), onerror=told.append))

    assert [tf.errors.NotFoundError] * 2 == [type(one) for one in told]


def test_paths_may_say_that_they_are_of_files(tmp_path: Path) -> None:
    path = f"file://{tmp_path}"

    tf.io.write_file(f"{path}/a/x.txt", "hello")
    saved = tf.train.Checkpoint(v=tf.Variable(1.0)).save(f"{path}/kept/m")
    tf.data.Dataset.range(3).save(f"{path}/numbers")

    assert "hello" == (tmp_path / "a" / "x.txt").read_text()
    assert [b"hello"] == [*tf.data.TextLineDataset(f"{path}/a/x.txt").as_numpy_iterator()]
    assert [f"{path}/a/x.txt"] == gfile.glob(f"{path}/a/*")
    assert [f"{path}/a/x.txt".encode()] == tf.io.matching_files(f"{path}/a/*").numpy().tolist()
    assert [(f"{path}/a", [], ["x.txt"])] == list(gfile.walk(f"{path}/a"))
    assert f"{path}/kept/m-1" == saved == tf.train.latest_checkpoint(f"{path}/kept")
    assert 3 == len(list(tf.data.Dataset.load(f"{path}/numbers")))
    assert gfile.exists(f"file://localhost{tmp_path}")


@pytest.mark.parametrize(
    "use",
    [
        gfile.exists, gfile.glob, gfile.makedirs, gfile.stat, tf.io.read_file,
        lambda path: gfile.GFile(path, "w").write("x"), lambda path: tf.io.write_file(path, "x"),
        lambda path: tf.train.Checkpoint(v=tf.Variable(1.0)).save(path),
        lambda path: tf.saved_model.save(tf.Module(), path),
        lambda path: list(tf.data.TFRecordDataset(path)), tf.io.TFRecordWriter,
        lambda path: tf.data.Dataset.range(3).save(path),
    ],
)  # fmt: skip
def test_no_local_file_stands_for_one_of_another_scheme(
    use: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(tf.errors.UnimplementedError, match="File system scheme 'cloud'"):
        use("cloud://bucket/place")

    assert [] == list(tmp_path.iterdir())


def test_folders_of_another_scheme_are_not_there() -> None:
    assert not gfile.isdir("cloud://bucket")
    assert [] == list(gfile.walk("cloud://bucket"))
    assert None is tf.train.latest_checkpoint("cloud://bucket")
    with pytest.raises(ValueError, match="scheme 'cloud'"):
        tf.train.load_checkpoint("cloud://bucket/m")
    with pytest.raises(tf.errors.NotFoundError):
        gfile.listdir("cloud://bucket")
