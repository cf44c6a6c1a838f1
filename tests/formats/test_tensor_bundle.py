"""Tensor bundles: what is written is read, what is damaged is refused."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tensormill as tf
from tensormill.checkpoint.object_graph import OBJECT_GRAPH_KEY
from tensormill.core.dtypes import ALL
from tensormill.formats import bundle_writer, snappy, sorted_table
from tensormill.formats.bundle_writer import BundleWriter, Piece, write_bundle, write_shards
from tensormill.formats.slice_keys import signed, slice_key, string, unsigned
from tensormill.formats.sorted_table import read_table, write_table
from tensormill.formats.tensor_bundle import BundleReader
from tensormill.graph.proto.messages import message

NUMBERS = [dtype for dtype in ALL if dtype.family not in ("string", "resource", "variant")]


@st.composite
def arrays(draw: Any) -> Any:
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
    if draw(st.integers(0, 5)) == 0:
        texts = draw(st.lists(st.binary(max_size=300), min_size=8, max_size=8))
        return np.resize(np.array([*texts, b""], np.object_), shape)
    dtype = draw(st.sampled_from(NUMBERS)).storage
    size = int(np.prod(shape)) * dtype.itemsize
    filler = draw(st.integers(0, 255))
    if dtype == np.bool_:
        filler %= 2
    return np.frombuffer(bytes([filler]) * size, dtype).reshape(shape)


def same(expected: Any, found: Any) -> bool:
    if expected.dtype != found.dtype or expected.shape != found.shape:
        return False
    return expected.tolist() == found.tolist() or expected.tobytes() == found.tobytes()


@pytest.mark.sampled
@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1), arrays(), max_size=5))
def test_a_bundle_reads_as_written(tmp_path_factory: Any, tensors: dict[str, Any]) -> None:
    tensors = {key: value for key, value in tensors.items() if key[0] != "\0"}
    prefix = str(tmp_path_factory.mktemp("bundle") / "b")
    write_bundle(prefix, tensors)
    reader = BundleReader(prefix)

    assert sorted(tensors, key=str.encode) == reader.keys()
    for key, expected in tensors.items():
        assert same(expected, reader.read(key))
        assert (expected.shape, expected.dtype) == (
            tuple(reader.spec(key).shape),
            reader.spec(key).dtype.storage,
        )


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.name)
def test_every_dtype_is_stored(tmp_path: Path, dtype: Any) -> None:
    expected = np.arange(12).reshape(3, 4).astype(dtype.storage)
    write_bundle(str(tmp_path / "b"), {"x": expected.T})
    found = BundleReader(str(tmp_path / "b")).read("x")

    assert same(np.ascontiguousarray(expected.T), found)
    assert found.base is None
    assert found.flags.writeable


def test_many_and_large_tensors_span_blocks(tmp_path: Path) -> None:
    tensors: dict[str, Any] = {f"layer-{i}/kernel": np.float32(i) for i in range(9000)}
    tensors["large"] = np.arange(300_000)
    write_bundle(str(tmp_path / "b"), tensors)
    reader = BundleReader(str(tmp_path / "b"))

    assert sorted(tensors) == reader.keys()
    assert 8999.0 == reader.read("layer-8999/kernel")
    assert same(tensors["large"], reader.read("large"))


def test_strings_keep_the_zeros_at_their_ends(tmp_path: Path) -> None:
    write_bundle(str(tmp_path / "b"), {"a": b"x\0\0", "b": [b"\0", b""]})
    reader = BundleReader(str(tmp_path / "b"))

    assert b"x\0\0" == reader.read("a").item()
    assert [b"\0", b""] == reader.read("b").tolist()


def test_strings_are_bytes_or_text(tmp_path: Path) -> None:
    write_bundle(str(tmp_path / "b"), {"a": ["é", "x"], "b": np.array([b"1", "2"], object)})
    reader = BundleReader(str(tmp_path / "b"))

    assert ["é".encode(), b"x"] == reader.read("a").tolist()
    assert [b"1", b"2"] == reader.read("b").tolist()
    with pytest.raises(TypeError, match="'c' has an element that is no string: 3"):
        write_bundle(str(tmp_path / "c"), {"c": np.array([3], object)})


# ---- damage


def example(folder: Path) -> tuple[str, dict[str, Any]]:
    tensors = {
        "empty": np.zeros((0, 3), np.float32),
        "numbers": np.arange(20, dtype=np.float32).reshape(4, 5),
        "strings": np.array([b"one", b"", b"three" * 30], np.object_),
    }
    write_bundle(str(folder / "b"), tensors)
    return str(folder / "b"), tensors


def reading(prefix: str) -> dict[str, Any]:
    reader = BundleReader(prefix)
    return {key: reader.read(key) for key in reader.keys()}


def is_refused_or_the_same(prefix: str, tensors: dict[str, Any]) -> bool:
    """Whether a damage was noticed; "noticed" is DataLossError, never garbage."""
    try:
        found = reading(prefix)
    except tf.errors.DataLossError:
        return True
    assert tensors.keys() == found.keys()
    assert all(same(tensors[key], found[key]) for key in tensors)
    return False


@pytest.mark.parametrize("file", ["b.index", "b.data-00000-of-00001"])
def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path: Path, file: str) -> None:
    prefix, _ = example(tmp_path)
    whole = (tmp_path / file).read_bytes()
    for end in range(len(whole)):
        (tmp_path / file).write_bytes(whole[:end])
        with pytest.raises(tf.errors.DataLossError):
            reading(prefix)


@pytest.mark.parametrize("file", ["b.index", "b.data-00000-of-00001"])
def test_a_changed_bit_is_noticed_wherever_it_is(tmp_path: Path, file: str) -> None:
    prefix, tensors = example(tmp_path)
    whole = (tmp_path / file).read_bytes()
    overlooked = []
    for position in range(len(whole)):
        changed = bytearray(whole)
        changed[position] ^= 1 << position % 8
        (tmp_path / file).write_bytes(changed)
        if not is_refused_or_the_same(prefix, tensors):
            overlooked.append(position)

    # The footer has zeros that say nothing.
    padding = range(len(whole) - 48, len(whole) - 8)
    assert all(file == "b.index" and position in padding for position in overlooked)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fall_over(data: bytes) -> None:
    with pytest.raises(tf.errors.DataLossError):
        read_table(data + bytes.fromhex("57fb808b247547db"))


def test_errors_name_file_and_tensor(tmp_path: Path) -> None:
    prefix, _ = example(tmp_path)
    data = Path(f"{prefix}.data-00000-of-00001")
    data.write_bytes(data.read_bytes()[:50])

    with pytest.raises(tf.errors.DataLossError, match="/b is damaged: 80 bytes at 0 of"):
        BundleReader(prefix).read("numbers")
    with pytest.raises(tf.errors.NotFoundError, match="Key nothing not found in checkpoint"):
        BundleReader(prefix).read("nothing")
    data.unlink()
    with pytest.raises(tf.errors.NotFoundError, match="'numbers' should be in"):
        BundleReader(prefix).read("numbers")
    with pytest.raises(tf.errors.NotFoundError, match="Unsuccessful TensorSliceReader"):
        BundleReader(f"{prefix}c")
    Path(f"{prefix}.index").write_bytes(b"not a table" * 9)
    with pytest.raises(tf.errors.DataLossError, match=r"b\.index: .*bad magic number"):
        BundleReader(prefix)


# ---- atomic


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_bundle(
    tmp_path: Path, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix, tensors = example(tmp_path)

    def fail(*_: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        with pytest.raises(OSError, match="disk full"):
            write_bundle(prefix, {"other": np.zeros(3)})
    monkeypatch.setattr(bundle_writer, "as_dtype", lambda _: tf.variant)
    with pytest.raises(tf.errors.UnimplementedError, match="'other': tensors of dtype variant"):
        write_bundle(prefix, {"other": np.zeros(3)})

    assert not is_refused_or_the_same(prefix, tensors)
    assert ["b.data-00000-of-00001", "b.index"] == sorted(os.listdir(tmp_path))


# ---- what others write


def test_partitioned_and_sharded_tensors_are_joined(tmp_path: Path) -> None:
    whole = np.arange(12, dtype=np.int32).reshape(3, 4)
    left, right = np.ascontiguousarray(whole[:, :1]), np.ascontiguousarray(whole[:, 1:])
    prefix = str(tmp_path / "b")
    entries = {b"": message("BundleHeaderProto")(num_shards=2)}
    entries[b"x"] = message("BundleEntryProto")(dtype=3)
    for start, part in ((0, left), (1, right)):
        entry, contents = bundle_writer._encode("x", part)
        entry.shard_id = start
        Path(f"{prefix}.data-0000{start}-of-00002").write_bytes(contents)
        entries[slice_key("x", [(0, -1), (start, part.shape[1])])] = entry
        extent = entries[b"x"].slices.add().extent
        extent.add()
        extent.add(start=start, length=part.shape[1])
    for size in whole.shape:
        entries[b"x"].shape.dim.add(size=size)

    def write() -> None:
        with open(f"{prefix}.index", "wb") as file:
            write_table(file, {key: entries[key].SerializeToString() for key in entries})

    write()
    assert ["x"] == BundleReader(prefix).keys()
    assert same(whole, BundleReader(prefix).read("x"))
    del entries[b"x"].slices[1]
    write()
    with pytest.raises(tf.errors.DataLossError, match="its parts have 3 of 12 elements"):
        BundleReader(prefix).read("x")


ROWS = np.zeros((2, 2), np.float32)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (Piece("w", ROWS, (4, 2), ((0, 2), (0, 2))), "Adding duplicate key: w"),
        (Piece("w", ROWS), "whole, and in parts"),
        (Piece("w", ROWS, (5, 2), ((2, 2), (0, 2))), "several shapes or dtypes"),
        (Piece("w", ROWS.astype(int), (4, 2), ((2, 2), (0, 2))), "several shapes or dtypes"),
    ],
)
def test_pieces_that_make_no_tensor_are_refused(tmp_path: Path, second: Piece, words: str) -> None:
    first = Piece("w", ROWS, (4, 2), ((0, 2), (0, 2)))
    for pieces in ([first, second], [second, first]):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            write_shards(str(tmp_path / "b"), [pieces])
    assert [] == list(tmp_path.iterdir())


def test_without_its_end_a_bundle_leaves_the_one_before(tmp_path: Path) -> None:
    prefix = str(tmp_path / "b")
    write_bundle(prefix, {"x": ROWS})
    with BundleWriter(prefix) as writer:
        writer.add(Piece("x", ROWS + 1))

    assert same(ROWS, BundleReader(prefix).read("x"))
    assert ["b.data-00000-of-00001", "b.index"] == sorted(os.listdir(tmp_path))


def test_the_other_byte_order_is_understood(tmp_path: Path, monkeypatch: Any) -> None:
    expected = np.array([[1, 2], [3, 4]], np.int32)
    monkeypatch.setattr(bundle_writer, "BIG_ENDIAN", 1)
    write_bundle(str(tmp_path / "b"), {"x": expected.byteswap()})
    monkeypatch.setattr(bundle_writer, "BIG_ENDIAN", 0)

    assert same(expected, BundleReader(str(tmp_path / "b")).read("x"))


def test_dtypes_that_are_unknown_here_are_named(tmp_path: Path) -> None:
    entries = {b"": message("BundleHeaderProto")(num_shards=1)}
    entries[b"x"] = message("BundleEntryProto")(dtype=99)
    with open(tmp_path / "b.index", "wb") as file:
        write_table(file, {key: entries[key].SerializeToString() for key in entries})

    with pytest.raises(tf.errors.UnimplementedError, match="has dtype number 99"):
        BundleReader(str(tmp_path / "b")).spec("x")


def test_snappy_blocks_are_decompressed() -> None:
    # By hand: the literal "abcd"; a copy of 8 from 4 back; one of 3 from 1 back (overlapping).
    packed = bytes([15, 3 << 2]) + b"abcd" + bytes([4 << 2 | 1, 4, 2 << 2 | 2, 1, 0])

    assert b"abcdabcdabcdddd" == snappy.decompress(packed)
    for end in range(len(packed)):
        with pytest.raises(tf.errors.DataLossError):
            snappy.decompress(packed[:end])
    with pytest.raises(tf.errors.DataLossError, match="refers 9 bytes back, of 4"):
        snappy.decompress(packed[:7] + bytes([9, 2 << 2 | 2, 1, 0]))


def test_long_literals_of_snappy_have_their_length_behind_the_tag() -> None:
    text = bytes(range(256)) * 2

    assert text == snappy.decompress(bytes([128, 4, 61 << 2, 255, 1]) + text)


def test_ordered_code_sorts_as_numbers_do() -> None:
    numbers = [-(1 << 40), -8193, -8192, -65, -64, -1, 0, 1, 63, 64, 8191, 8192, 1 << 40, 1 << 62]

    assert sorted(numbers) == sorted(numbers, key=signed)
    assert (b"\x80", b"\x7f", b"\xc0\x40") == (signed(0), signed(-1), signed(64))
    assert (b"\x00", b"\x01\x05", b"\x02\x01\x00") == (unsigned(0), unsigned(5), unsigned(256))
    assert b"a\0\xff\xff\0b\0\1" == string(b"a\0\xffb")


def test_bfloat16_keeps_its_bits(tmp_path: Path) -> None:
    expected = np.array([1.5, -0.0, float("nan")], ml_dtypes.bfloat16)
    write_bundle(str(tmp_path / "b"), {"x": expected})

    assert expected.tobytes() == BundleReader(str(tmp_path / "b")).read("x").tobytes()


def rewritten(prefix: str, change: Any) -> BundleReader:
    """The bundle with other entries in its index, whose checksums are right."""
    path = Path(f"{prefix}.index")
    table = read_table(path.read_bytes())
    entry = message("BundleEntryProto").FromString(table[b"x"])
    change(entry)
    with path.open("wb") as file:
        write_table(file, {**table, b"x": entry.SerializeToString()})
    return BundleReader(prefix)


@pytest.mark.parametrize(
    "sizes", [(1 << 40,), (1 << 62, 1 << 62), (0, 1 << 62, 1 << 62), (1,) * 70]
)
def test_stated_shapes_take_no_memory_that_is_not_there(
    tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    def grow(entry: Any) -> None:
        entry.shape.ClearField("dim")
        for size in sizes:
            entry.shape.dim.add(size=size)
        entry.size = 0 if 0 in sizes else entry.size

    def sliced(entry: Any) -> None:
        grow(entry)
        entry.slices.add().extent.extend([message("TensorSliceProto").Extent()] * len(sizes))

    said = f"'x' in checkpoint|{tmp_path}/b.index: .*x"
    for values in (np.arange(4.0), np.array([b"a", b"b"], np.object_)):
        for change in (grow, sliced):
            write_bundle(str(tmp_path / "b"), {"x": values})
            with pytest.raises(tf.errors.OpError, match=said):
                rewritten(str(tmp_path / "b"), change).read("x")


def test_keys_that_share_too_much_are_refused(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sorted_table._Block.__init__, "__defaults__", (10_000,))
    long = b"k" * 2000
    with (tmp_path / "t").open("wb") as file:
        write_table(file, {long + struct.pack(">I", number): b"" for number in range(1500)})

    with pytest.raises(tf.errors.DataLossError, match="share too much"):
        read_table((tmp_path / "t").read_bytes())


def test_the_object_graph_refers_to_its_objects_only(tmp_path: Path) -> None:
    prefix = str(tmp_path / "b")
    graph = message("TrackableObjectGraph")()
    graph.nodes.add().children.add(local_name="v", node_id=-1)
    for value in (graph.SerializeToString(), b"\xff\xff", np.arange(3), [b"a", b"b"]):
        write_bundle(prefix, {OBJECT_GRAPH_KEY: value})
        with pytest.raises(
            tf.errors.DataLossError, match=f"object graph (of|in) checkpoint {prefix}"
        ):
            tf.train.Checkpoint().read(prefix)


def test_a_long_chain_of_objects_is_told_by_its_way(tmp_path: Path) -> None:
    graph = message("TrackableObjectGraph")()
    for number in range(20_000):
        graph.nodes.add().children.add(local_name="n", node_id=number + 1)
    graph.nodes.add().attributes.add(name="VARIABLE_VALUE", checkpoint_key="x")
    write_bundle(str(tmp_path / "b"), {OBJECT_GRAPH_KEY: graph.SerializeToString(), "x": 1.0})

    status = tf.train.Checkpoint().read(str(tmp_path / "b"))
    with pytest.raises(AssertionError, match=r"\(root\)\.n\.n\.n"):
        status.assert_consumed()
    status.expect_partial()
