"""Messages of any kind, and graphs in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, text_format

import tensormill as tf

SCHEMA: Any = descriptor_pb2.FileDescriptorSet()
text_format.Parse(
    """
    file { name: "point.proto" package: "p" syntax: "proto2" message_type { name: "Point"
      field { name: "x" number: 1 label: LABEL_OPTIONAL type: TYPE_SINT32 default_value: "7" }
      field { name: "label" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING }
      field { name: "inner" number: 3 label: LABEL_REPEATED type: TYPE_MESSAGE
              type_name: ".p.Point" } } }
    """,
    SCHEMA,
)
FIELDS = ["x", "label", "inner"]
TYPES = [tf.int64, tf.string, tf.string]


def test_messages_of_users_are_described_by_files_or_bytes(tmp_path: Path) -> None:
    path = tmp_path / "schema"
    path.write_bytes(SCHEMA.SerializeToString())
    inner = b"\x08\x03"
    data = [b"\x08\x05\x12\x01a\x1a\x02" + inner, b""]
    inline = b"bytes://" + SCHEMA.SerializeToString()

    for source in (str(path), inline.decode("latin-1")):
        sizes, values = tf.io.decode_proto(data, "p.Point", FIELDS, TYPES, descriptor_source=source)
        assert [[1, 1, 1], [0, 0, 0]] == sizes.numpy().tolist()
        assert [[[-3], [7]], [[b"a"], [b""]], [[inner], [b""]]] == [
            one.numpy().tolist() for one in values
        ]
        again = tf.io.encode_proto(sizes, values, FIELDS, "p.Point", descriptor_source=source)
        assert data == again.numpy().tolist()


def test_messages_that_nobody_describes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "schema").write_bytes(b"\xff")

    for source in ("local://", str(tmp_path / "schema"), "bytes://"):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.io.decode_proto([b""], "p.Nothing", ["x"], [tf.int64], descriptor_source=source)
    with pytest.raises(tf.errors.InvalidArgumentError, match="message_format"):
        tf.io.decode_proto(
            [b""], "tensorflow.Int64List", ["value"], [tf.int64], message_format="xml"
        )


INTEGERS: Any = descriptor_pb2.FileDescriptorSet()
text_format.Parse(
    """
    file { name: "n.proto" package: "p" syntax: "proto2" message_type { name: "Numbers"
      field { name: "long" number: 1 label: LABEL_OPTIONAL type: TYPE_UINT64 }
      field { name: "short" number: 2 label: LABEL_REPEATED type: TYPE_FIXED32 }
      field { name: "real" number: 3 label: LABEL_OPTIONAL type: TYPE_DOUBLE } } }
    """,
    INTEGERS,
)


def decoded(name: str, dtype: Any, data: Any) -> tuple[Any, Any]:
    source = b"bytes://" + INTEGERS.SerializeToString()
    sizes, (values,) = tf.io.decode_proto(data, "p.Numbers", [name], [dtype], source)
    return sizes.numpy().tolist(), values.numpy().tolist()


def test_numbers_without_a_sign_stay_whole() -> None:
    large = b"\x08" + b"\xff" * 9 + b"\x01"

    assert ([[1]], [[2**64 - 1]]) == decoded("long", tf.uint64, [large])
    for name, dtype in (("long", tf.int64), ("short", tf.int32), ("real", tf.float32)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unexpected output type"):
            decoded(name, dtype, [large])
    assert ([[1]], [[3]]) == decoded("short", tf.uint64, [b"\x15\x03\0\0\0"])


def test_what_no_message_has_is_one_default_wide() -> None:
    assert ([[0], [0]], [[0], [0]]) == decoded("short", tf.uint32, [b"", b""])
    assert ([[0]], [[0]]) == decoded("long", tf.uint64, [b""])


def test_graphs_are_written_as_text_or_bytes(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        tf.constant(3, name="three")
    path = tf.io.write_graph(graph, str(tmp_path / "new"), "graph.pbtxt")
    binary = tf.io.write_graph(graph.as_graph_def(), str(tmp_path), "graph.pb", as_text=False)

    assert str(tmp_path / "new" / "graph.pbtxt") == path
    assert 'name: "three"' in Path(path).read_text()
    assert graph.as_graph_def().SerializeToString() == Path(binary).read_bytes()


def test_file_names_are_matched_once(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    names = tf.io.match_filenames_once(str(tmp_path / "*"))
    (tmp_path / "b").touch()

    assert [str(tmp_path / "a").encode()] == names.numpy().tolist()
    assert not names.trainable
    with tf.Graph().as_default() as graph:
        names = tf.io.match_filenames_once(str(tmp_path / "*"))
    assert [names] == graph.get_collection("local_variables")
    assert [] == graph.get_collection("variables")


def test_raw_bytes_have_one_name_of_two() -> None:
    decode: Any = tf.compat.v1.decode_raw

    assert [1, 2] == decode(bytes=b"\x01\x02", out_type=tf.uint8).numpy().tolist()
    for wrong in ({"out_type": tf.uint8}, {"input_bytes": b"a", "bytes": b"a"}):
        with pytest.raises(ValueError, match="decode_raw"):
            decode(**wrong)
