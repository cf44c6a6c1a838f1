"""Datasets of what is in files, and datasets that are kept in files."""

from __future__ import annotations

import gzip
import os
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.formats.checksums import masked_crc32c

from .test_elements import contents

Dataset = tf.data.Dataset
DataLossError = tf.errors.DataLossError
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "GZIP": gzip.compress,
    "ZLIB": zlib.compress,
}

# What TensorFlow 2.21 wrote for the records b"one" and b"".
RECORDED = bytes.fromhex("0300000000000000b099490e6f6e6501405508000000000000000029039807d8ea82a2")


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    sums = [struct.pack("<I", masked_crc32c(part)) for part in (head, data)]
    return head + sums[0] + data + sums[1]


def write_records(path: Path, records: Iterable[bytes]) -> str:
    path.write_bytes(b"".join(map(record, records)))
    return str(path)


def test_lines(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "b.gz"
    plain.write_bytes(b"one\r\ntwo\n\nlast")
    packed.write_bytes(gzip.compress(b"x\ny\n"))

    assert [b"one", b"two", b"", b"last"] == contents(tf.data.TextLineDataset(str(plain)))
    assert [b"x", b"y"] == contents(tf.data.TextLineDataset([str(packed)], "GZIP"))
    names = Dataset.from_tensor_slices([str(plain), str(plain)])
    assert 8 == len(contents(tf.data.TextLineDataset(names)))


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_lines_have_no_carriage_returns(tmp_path: Path, compression: str) -> None:
    def lines(text: bytes) -> Any:
        (tmp_path / "lines").write_bytes(PACKED[compression](text))
        return contents(tf.data.TextLineDataset(str(tmp_path / "lines"), compression))

    # What TensorFlow reads.
    assert [b"a", b"b", b"", b"c"] == lines(b"a\r\nb\r\r\n\r\n\rc\r")
    assert [b"ab", b"cd"] == lines(b"a\rb\nc\r\rd")
    assert [] == lines(b"\r")
    assert [b""] == lines(b"\n\r")


def test_names_of_any_shape_are_read_one_after_the_other(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in "ab"]
    for name in names:
        Path(name).write_text(f"{name}\n")

    assert [name.encode() for name in names] == contents(tf.data.TextLineDataset([names]))


def test_so_many_files_take_turns(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{k}") for k in range(4)]
    for k, count in enumerate((3, 1, 0, 2)):
        Path(names[k]).write_text("".join(f"{k}{line}\n" for line in range(count)))

    def found(reads: Any, files: Any = names) -> str:
        lines = contents(tf.data.TextLineDataset(files, num_parallel_reads=reads))
        pieces = contents(tf.data.FixedLengthRecordDataset(files, 3, num_parallel_reads=reads))
        assert [one.strip() for one in pieces] == lines
        return b" ".join(lines).decode()

    assert found(None) == found(tf.data.AUTOTUNE) == found(1) == "00 01 02 10 30 31"
    assert found(2) == found(2, Dataset.from_tensor_slices(names)) == "00 10 01 02 30 31"
    assert found(9) == "00 10 30 01 31 02"
    assert "00 01 02" == found(2, names[0])
    for reads, error in ((0, tf.errors.InvalidArgumentError), (2.5, TypeError), ("2", TypeError)):
        with pytest.raises(error):
            found(reads)


def test_records(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_bytes(RECORDED)

    assert [b"one", b""] == contents(tf.data.TFRecordDataset(str(path)))
    assert RECORDED == record(b"one") + record(b"")
    path.write_bytes(zlib.compress(RECORDED))
    assert [b"one", b""] == contents(tf.data.TFRecordDataset(str(path), "ZLIB"))


def test_damaged_records_are_refused_by_file_and_place(tmp_path: Path) -> None:
    good = record(b"first") + record(b"data")
    start = len(record(b"first"))
    for damaged, place in (
        (good[:-1], start + 12),
        (good[: start + 5], start),
        (good.replace(b"data", b"dota"), start + 12),
        (good[:start] + b"\1" + good[start + 1 :], start),
    ):
        path = tmp_path / "damaged"
        path.write_bytes(damaged)
        with pytest.raises(DataLossError, match=f"{path}: .* record at {place}: "):
            contents(tf.data.TFRecordDataset(str(path)))


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_a_stated_length_takes_no_memory_that_is_not_there(
    tmp_path: Path, compression: str
) -> None:
    path = tmp_path / "stated"
    for length in (1 << 33, 1 << 62, (1 << 64) - 4):
        head = struct.pack("<Q", length)
        stated = head + struct.pack("<I", masked_crc32c(head)) + b"few bytes"
        path.write_bytes(PACKED[compression](stated))
        tracemalloc.start()
        with pytest.raises(DataLossError, match=f"its data has 9 of {length + 4} bytes"):
            contents(tf.data.TFRecordDataset(str(path), compression))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 8 << 20


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
def test_no_damage_of_compressed_records_passes_for_an_end(
    tmp_path: Path, compression: str
) -> None:
    path = tmp_path / "damaged"
    packed = PACKED[compression](record(b"one") + record(b"two" * 9))
    begin = 10 if compression == "GZIP" else 2  # before that, bytes of GZIP mean little
    flipped = [
        packed[:k] + bytes([packed[k] ^ 255]) + packed[k + 1 :] for k in range(begin, len(packed))
    ]
    for damaged in [packed[:k] for k in range(1, len(packed))] + [b"?" + packed[1:], *flipped]:
        path.write_bytes(damaged)
        with pytest.raises(DataLossError, match=f"{path}: "):
            contents(tf.data.TFRecordDataset(str(path), compression))


def test_bytes_after_compressed_records(tmp_path: Path) -> None:
    path = tmp_path / "longer"
    for compression, rest, expected in (
        ("GZIP", gzip.compress(record(b"two")), [b"one", b"two"]),
        ("GZIP", b"\0" * 9, [b"one"]),
        ("GZIP", b"other", None),
        ("ZLIB", zlib.compress(record(b"two")), None),
    ):
        path.write_bytes(PACKED[compression](record(b"one")) + rest)
        dataset = tf.data.TFRecordDataset(str(path), compression)
        if expected is None:
            with pytest.raises(DataLossError, match=f"{path}: the {compression} data"):
                contents(dataset)
        else:
            assert expected == contents(dataset)


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
def test_compressed_records_are_inflated_a_piece_at_a_time(
    tmp_path: Path, compression: str
) -> None:
    path = tmp_path / "zeros"
    path.write_bytes(PACKED[compression](record(bytes(100_000)) * 400))
    tracemalloc.start()
    count = sum(1 for _ in tf.data.TFRecordDataset(str(path), compression))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert 400 == count
    assert most < 8 << 20


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_pieces_of_fixed_length(tmp_path: Path, compression: str) -> None:
    path = tmp_path / "pieces"

    def pieces(text: bytes, size: int = 2) -> Any:
        path.write_bytes(PACKED[compression](text))
        dataset = tf.data.FixedLengthRecordDataset(
            str(path), size, header_bytes=1, footer_bytes=1, compression_type=compression
        )
        return contents(dataset)

    assert [b"aa", b"bb", b"cc"] == pieces(b"Haabbcc.")
    assert [] == pieces(b"H.")
    for text, body in ((b"Haabbc.", 5), (b"H", -1), (b"", -2)):
        told = f"body of {body} bytes of {path} is no multiple of 2"
        with pytest.raises(tf.errors.InvalidArgumentError, match=told):
            pieces(text)
    with pytest.raises(tf.errors.InvalidArgumentError, match="record_bytes must be > 0, got 0"):
        pieces(b"H.", 0)


# ---- files that change while they are read

# Half as many lines are more than is read ahead of what is asked for.
BUFFERED = 8000
READERS: dict[str, tuple[Callable[[bytes], bytes], Callable[[str], Any]]] = {
    "lines": (lambda data: data + b"\n", tf.data.TextLineDataset),
    "records": (record, tf.data.TFRecordDataset),
    "pieces": (bytes, lambda path: tf.data.FixedLengthRecordDataset(path, 20)),
}


def numbered(count: int, first: int = 0) -> list[bytes]:
    return [b"%020d" % number for number in range(first, first + count)]


def read_while(path: Path, name: str, change: Callable[[], object]) -> list[bytes]:
    """What a reader gives of numbered elements, where the file changes after the first one."""
    elements = iter(READERS[name][1](str(path)))
    found = [next(elements).numpy()]
    change()
    return found + [element.numpy() for element in elements]


@pytest.mark.parametrize("name", READERS)
def test_what_a_file_grows_by_is_read_too(tmp_path: Path, name: str) -> None:
    packed, path = READERS[name][0], tmp_path / "file"
    written, added = (b"".join(map(packed, numbered(count))) for count in (BUFFERED, 9))
    path.write_bytes(written)

    def grow() -> None:
        with path.open("ab") as file:
            file.write(added)

    if name == "pieces":  # how many there are is said by the size with which it was opened
        assert numbered(BUFFERED) == read_while(path, name, grow)
    else:
        assert numbered(BUFFERED) + numbered(9) == read_while(path, name, grow)


def test_a_record_that_is_not_there_yet_is_read_when_it_is(tmp_path: Path) -> None:
    path, whole = tmp_path / "file", b"".join(map(record, numbered(BUFFERED)))
    path.write_bytes(whole[:-5])

    assert numbered(BUFFERED) == read_while(path, "records", lambda: path.write_bytes(whole))


@pytest.mark.sampled
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("in_the_middle", [0, 7])
def test_a_file_that_shrinks_is_an_error(tmp_path: Path, name: str, in_the_middle: int) -> None:
    packed, path = READERS[name][0], tmp_path / "file"
    path.write_bytes(b"".join(map(packed, numbered(BUFFERED))))
    rest = BUFFERED // 2 * len(packed(bytes(20))) + in_the_middle
    with pytest.raises(DataLossError, match=f"{path}: .* ends at {rest} now"):
        read_while(path, name, lambda: os.truncate(path, rest))


def test_a_file_that_shrinks_to_nothing_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for name, (packed, _) in READERS.items():
        path.write_bytes(b"".join(map(packed, numbered(BUFFERED))))
        with pytest.raises(DataLossError, match=f"{path}: "):
            read_while(path, name, lambda: os.truncate(path, 0))


def test_a_file_that_is_replaced_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def replace() -> None:
        path.rename(tmp_path / "old")
        path.write_bytes(b"other")

    for name, (packed, _) in READERS.items():
        path.write_bytes(b"".join(map(packed, numbered(BUFFERED))))
        assert numbered(BUFFERED) == read_while(path, name, replace)


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        contents(tf.data.TextLineDataset(str(tmp_path / "missing")))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        contents(tf.data.TextLineDataset(str(tmp_path)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        Dataset.list_files(str(tmp_path / "*.none"))


def test_names_of_files(tmp_path: Path) -> None:
    for name in "cab":
        (tmp_path / f"{name}.txt").touch()
    pattern = str(tmp_path / "*.txt")
    sorted_names = [str(tmp_path / f"{name}.txt").encode() for name in "abc"]

    assert sorted_names == contents(Dataset.list_files(pattern, shuffle=False))
    shuffled = [contents(Dataset.list_files(pattern, seed=seed)) for seed in range(1, 9)]
    assert all(sorted_names == sorted(names) for names in shuffled)
    assert any(sorted_names != names for names in shuffled)


def test_names_of_files_are_found_in_functions(tmp_path: Path) -> None:
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "0.txt").touch()
    folders = Dataset.from_tensor_slices([str(tmp_path / "a"), str(tmp_path / "b")])
    found = folders.interleave(lambda one: Dataset.list_files(one + "/*.txt"), cycle_length=2)

    assert [bytes(tmp_path / folder / "0.txt") for folder in "ab"] == contents(found)
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        contents(folders.flat_map(lambda one: Dataset.list_files(one + "/*.none")))


def test_names_of_files_may_be_any_bytes(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path / "n") + b"\xff"
    Path(os.fsdecode(name)).write_text("one\n")
    found = Dataset.list_files(os.fsencode(tmp_path) + b"/n\xff*")

    assert [name] == contents(found)
    assert [b"one"] == contents(found.flat_map(tf.data.TextLineDataset))
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        Dataset.list_files(name + b"\xfe")


def test_a_file_that_several_patterns_match_comes_as_often(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    patterns = [str(tmp_path / "a"), str(tmp_path / "*")]

    assert 2 == len(contents(Dataset.list_files(patterns)))


def test_a_caches_name_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "cache"
    for name in (path, str(path), os.fsencode(path), tf.constant(str(path))):
        assert [0, 1] == contents(Dataset.range(2).cache(name))
        (tmp_path / "cache.index").unlink()
    assert [0] == contents(Dataset.range(1).cache(tf.constant("")))
    refused = ((3, TypeError), (None, ValueError), ([str(path)], tf.errors.InvalidArgumentError))
    for wrong, kind in refused:
        with pytest.raises(kind):
            Dataset.range(2).cache(wrong)


def test_a_cache_in_a_file_outlives_the_dataset(tmp_path: Path) -> None:
    runs: list[int] = []

    def rows() -> Any:
        for k in range(3):
            runs.append(k)
            yield {"x": [float(k)] * k, "text": [b"a" * k, b""]}

    signature = {"x": tf.TensorSpec([None], tf.bfloat16), "text": tf.TensorSpec([2], tf.string)}

    def cached() -> Any:
        source = Dataset.from_generator(rows, output_signature=signature)
        return source.cache(str(tmp_path / "cache")).map(
            lambda row: {"x": tf.cast(row["x"], tf.float32), "text": row["text"]}
        )

    first = contents(cached())

    assert {"x": [2.0, 2.0], "text": [b"aa", b""]} == first[2]
    assert first == contents(cached())
    assert [0, 1, 2] == runs
    assert ["cache.data-00000-of-00001", "cache.index"] == sorted(os.listdir(tmp_path))


def test_a_cache_is_a_bundle_as_tensorflow_names_its_tensors(tmp_path: Path) -> None:
    prefix = str(tmp_path / "cache")
    for made, names in (
        (Dataset.from_tensor_slices(([1.0, 2.0], ["a", "b"])), ["      0_0", "      1_1"]),
        (Dataset.from_tensors(tuple(range(10))), ["      0_0", "      0_9"]),
        (Dataset.from_tensors(tuple(range(12))), ["      0_ 0", "      0_11"]),
        (Dataset.range(0), []),
    ):
        first = contents(made.cache(prefix))
        assert first == contents(made.cache(prefix))
        listed = [name for name, _ in tf.train.list_variables(prefix)]
        assert names == [*listed[:1], *listed[-1:]]
        for path in tmp_path.iterdir():
            path.unlink()


def test_elements_of_a_cache_are_written_as_they_come(tmp_path: Path) -> None:
    rows = Dataset.range(5).map(lambda k: tf.fill([10**5], k))
    elements = iter(rows.cache(str(tmp_path / "cache")))
    for count in range(1, 4):
        next(elements)
        (path,) = tmp_path.iterdir()
        assert path.stat().st_size >= count * 8 * 10**5 - 10**5

    del elements  # a pass that has not come to its end leaves nothing
    assert [] == list(tmp_path.iterdir())


def test_a_damaged_cache_is_refused(tmp_path: Path) -> None:
    def cached(text: str) -> Any:
        rows = Dataset.from_tensor_slices({"x": [1.0, 2.0], "text": [text, "b"]})
        return contents(rows.cache(str(tmp_path / "cache")))

    def outcome() -> Any:
        try:
            return cached("a")
        except DataLossError as error:
            return "refused" if f"cache {path} is damaged" in str(error) else error

    assert cached("a") == cached("other")  # it is read, and not computed
    path = tmp_path / "cache.index"
    for one in (tmp_path / "cache.data-00000-of-00001", path):
        whole = one.read_bytes()
        for place in range(0, len(whole), 7):
            one.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            assert outcome() in ([{"x": 1.0, "text": b"a"}, {"x": 2.0, "text": b"b"}], "refused")
        one.write_bytes(whole)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataLossError, match=f"cache {path} is damaged"):
        cached("a")


def test_a_cache_of_another_dataset_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "cache")
    for kept, other in (([1.0], [1.0, 2.0]), ([1.0, 2.0], [1, 2]), (["a"], [1.0])):
        contents(Dataset.from_tensors(kept).cache(place))
        dataset = Dataset.from_tensors(tf.constant(other, tf.float64) if other == [1, 2] else other)
        with pytest.raises(DataLossError, match="of another dataset"):
            contents(dataset.cache(place))
        (tmp_path / "cache.index").unlink()


def test_a_cache_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "c.index").mkdir()

    with pytest.raises(tf.errors.FailedPreconditionError, match=r"c\.index; Is a directory"):
        list(tf.data.Dataset.range(3).cache(str(tmp_path / "c")))
