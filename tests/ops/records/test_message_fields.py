"""Fields of messages as TensorFlow 2.21 reads and writes them: the bytes are what it gave."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import descriptor_pb2, text_format

import tensormill as tf

MEMBERS = """
      field { name: "kind" number: 1 label: LABEL_OPTIONAL type: TYPE_ENUM type_name: ".p.Kind" }
      field { name: "kinds" number: 2 label: LABEL_REPEATED type: TYPE_ENUM type_name: ".p.Kind" }
      field { name: "packed" number: 40 label: LABEL_REPEATED type: TYPE_UINT32
              options { packed: true } }
      field { name: "small" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 }
      field { name: "zigzag" number: 4 label: LABEL_REPEATED type: TYPE_SINT32
              options { packed: false } }
      field { name: "natural" number: 5 label: LABEL_OPTIONAL type: TYPE_UINT32 }
      field { name: "fixed" number: 6 label: LABEL_REPEATED type: TYPE_SFIXED32
              options { packed: true } }
      field { name: "real" number: 7 label: LABEL_OPTIONAL type: TYPE_FLOAT }
      field { name: "text" number: 8 label: LABEL_OPTIONAL type: TYPE_STRING }
      field { name: "inner" number: 9 label: LABEL_REPEATED type: TYPE_MESSAGE
              type_name: ".p.Inner" }
      field { name: "flag" number: 10 label: LABEL_OPTIONAL type: TYPE_BOOL }
      field { name: "one" number: 11 label: LABEL_OPTIONAL type: TYPE_INT64 oneof_index: 0 }
      field { name: "other" number: 12 label: LABEL_OPTIONAL type: TYPE_INT64 oneof_index: 0 }
      oneof_decl { name: "which" }
"""
GROUP = """
      field { name: "group" number: 13 label: LABEL_REPEATED type: TYPE_GROUP
              type_name: ".p.Inner" }
"""


def source_of(syntax: str) -> bytes:
    schema: Any = descriptor_pb2.FileDescriptorSet()
    text_format.Parse(
        f"""
        file {{ name: "{syntax}.proto" package: "p" syntax: "{syntax}"
          enum_type {{ name: "Kind"
            value {{ name: "A" number: 0 }} value {{ name: "B" number: 5 }} }}
          message_type {{ name: "Inner"
            field {{ name: "v" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 }} }}
          message_type {{ name: "Outer" {MEMBERS} {GROUP if syntax == "proto2" else ""} }} }}
        """,
        schema,
    )
    return b"bytes://" + schema.SerializeToString()


SOURCES: dict[str, Any] = {syntax: source_of(syntax) for syntax in ("proto2", "proto3")}
both_syntaxes = pytest.mark.parametrize("syntax", SOURCES)


def encoded(name: str, values: list[Any], dtype: Any, syntax: str = "proto2") -> str:
    found = tf.io.encode_proto(
        [[len(values)]], [tf.constant([values], dtype)], [name], "p.Outer", SOURCES[syntax]
    )
    return found.numpy()[0].hex()


def decoded(
    name: str, dtype: Any, *data: bytes, syntax: str = "proto2", form: str = "binary",
    sanitize: bool = False,
) -> Any:  # fmt: skip
    sizes, (values,) = tf.io.decode_proto(
        list(data),
        "p.Outer",
        [name],
        [dtype],
        SOURCES[syntax],
        message_format=form,
        sanitize=sanitize,
    )
    return sizes.numpy()[:, 0].tolist(), values.numpy().tolist()


@both_syntaxes
def test_numbers_that_an_enum_does_not_have_are_read_and_written(syntax: str) -> None:
    assert "0863" == encoded("kind", [99], tf.int32, syntax)
    assert ([1, 0], [[99], [0]]) == decoded("kind", tf.int32, b"\x08\x63", b"", syntax=syntax)
    negative = b"\x08\xfd" + b"\xff" * 8 + b"\x01"
    assert ([1], [[-3]]) == decoded("kind", tf.int32, negative, syntax=syntax)
    assert negative.hex() == encoded("kind", [-3], tf.int32, syntax)
    for data in (b"\x10\x05\x10\x63\x10\x07", b"\x12\x03\x05\x63\x07", b"\x10\x05\x12\x02\x63\x07"):
        assert ([3], [[5, 99, 7]]) == decoded("kinds", tf.int32, data, syntax=syntax)


def test_repeated_numbers_are_packed_where_their_file_says_so() -> None:
    assert "10051063" == encoded("kinds", [5, 99], tf.int32, "proto2")
    assert "12020563" == encoded("kinds", [5, 99], tf.int32, "proto3")
    assert "" == encoded("packed", [], tf.uint32)
    assert "3208ffffffff05000000" == encoded("fixed", [-1, 5], tf.int32)


@both_syntaxes
def test_all_values_of_a_field_that_should_have_one_are_written(syntax: str) -> None:
    assert "18011800" == encoded("small", [1, 0], tf.int32, syntax)
    assert "3d0000c03f3d000000c0" == encoded("real", [1.5, -2.0], tf.float32, syntax)
    assert "50015000" == encoded("flag", [True, False], tf.bool, syntax)
    assert "4201614200" == encoded("text", [b"a", b""], tf.string, syntax)


@both_syntaxes
def test_the_last_value_is_read_where_there_should_be_one(syntax: str) -> None:
    assert ([1], [[2]]) == decoded("small", tf.int32, b"\x18\x01\x18\x02", syntax=syntax)
    assert ([1], [[0]]) == decoded("small", tf.int32, b"\x18\x01\x18\x00", syntax=syntax)
    assert ([1], [[b"b\0"]]) == decoded("text", tf.string, b"B\x01aB\x02b\0", syntax=syntax)


@both_syntaxes
def test_members_of_a_oneof_are_read_beside_each_other(syntax: str) -> None:
    for name, value in (("one", 3), ("other", 4)):
        assert ([1], [[value]]) == decoded(name, tf.int64, b"\x58\x03\x60\x04", syntax=syntax)


@both_syntaxes
def test_numbers_too_large_for_a_field_wrap_around(syntax: str) -> None:
    assert "28ffffffff0f" == encoded("natural", [2**64 - 1], tf.uint64, syntax)
    assert "2807" == encoded("natural", [2**40 + 7], tf.uint64, syntax)
    assert "1800" == encoded("small", [2**40], tf.int64, syntax)
    assert "18ffffffffffffffffff01" == encoded("small", [2**32 - 1], tf.int64, syntax)
    assert "20012000" == encoded("zigzag", [-1, 2**40], tf.int64, syntax)
    assert "3d0000807f" == encoded("real", [1e300], tf.float64, syntax)


@both_syntaxes
def test_strings_and_messages_are_bytes_of_any_kind(syntax: str) -> None:
    assert "4202fffe" == encoded("text", [b"\xff\xfe"], tf.string, syntax)
    assert ([1], [[b"\xff\xfe"]]) == decoded("text", tf.string, b"B\x02\xff\xfe", syntax=syntax)
    assert "4a01ff4a00" == encoded("inner", [b"\xff", b""], tf.string, syntax)
    assert ([1], [[b"\xff"]]) == decoded("inner", tf.string, b"J\x01\xff", syntax=syntax)


def test_groups_are_read_with_their_tags() -> None:
    assert "6b08036c" == encoded("group", [b"\x08\x03"], tf.string)
    data = b"\x6b\x08\x03\x6c"
    assert ([2], [[data, b"kl"]]) == decoded("group", tf.string, data + b"kl")
    assert ([1], [[data]]) == decoded("group", tf.string, b"group { v: 3 }", form="text")
    assert ([1], [[4]]) == decoded("small", tf.int32, b"\x6b\x73\x18\x05\x74\x6c\x18\x04")


def test_fields_are_written_by_their_numbers() -> None:
    values = [tf.constant([[1]]), tf.constant([[3]]), tf.constant([[1, 2]]), tf.constant([[4]])]
    names = ["small", "kind", "zigzag", "small"]
    found = tf.io.encode_proto([[1, 1, 2, 1]], values, names, "p.Outer", SOURCES["proto2"])

    assert "08031801180420022004" == found.numpy()[0].hex()
    empty = tf.io.encode_proto(
        tf.zeros([0, 1], tf.int32), [tf.zeros([0, 2], tf.int32)], ["small"], "p.Outer",
        SOURCES["proto2"],
    )  # fmt: skip
    assert [] == empty.numpy().tolist()
    none = tf.io.encode_proto([[-1]], [tf.constant([[1, 2]])], ["zigzag"], "p.Outer",
                              SOURCES["proto2"])  # fmt: skip
    assert [b""] == none.numpy().tolist()


@pytest.mark.parametrize(
    "data",
    [b"\x00", b"\x07", b"\xff", b"\x18", b"\x18" + b"\xff" * 10 + b"\x01", b"\x6b", b"\x6c",
     b"\x6b\x74", b"\x3d\0\0", b"B\x02a", b"\xc2\x02\x01\xff",
     b"\xc2\x02\x0b" + b"\xff" * 10 + b"\1", b"\x32\x02\0\0", b"\x32\x02\0\0\x32\x02\0\0",
     b"\xc2\x02\x01\xff\xc2\x02\x01\x01"],
)  # fmt: skip
def test_damaged_messages_are_refused(data: bytes) -> None:
    for source in SOURCES.values():
        with pytest.raises(tf.errors.DataLossError, match=r"no p\.Outer"):
            tf.io.decode_proto(
                [b"", data], "p.Outer", ["small", "packed", "fixed"],
                [tf.int32, tf.uint32, tf.int32], source,
            )  # fmt: skip


def test_messages_are_written_anew_where_this_is_asked_for() -> None:
    for syntax, size in (("proto2", 1), ("proto3", 0)):
        found = decoded("small", tf.int32, b"\x18\x00", syntax=syntax, sanitize=True)
        assert ([size], [[0]]) == found
    data = b"J\x04\x08\x03\x10\x01"  # Inner has no field 2
    assert ([1], [[data[2:]]]) == decoded("inner", tf.string, data)
    assert ([2], [[data[2:], b""]]) == decoded("inner", tf.string, data + b"J\0", sanitize=True)
    assert ([0], [[0]]) == decoded("small", tf.int32, b"\x1d\0\0\0\0", sanitize=True)
    assert ([2], [[-1, 1]]) == decoded("zigzag", tf.int32, b"\x20\x01\x20\x02", sanitize=True)
    assert ([1], [[99]]) == decoded("kind", tf.int32, b"\x08\x63", sanitize=True)
    assert ([2], [[5, 99]]) == decoded("kinds", tf.int32, b"\x12\x02\x63\x05", sanitize=True)
    assert ([0], [[0]]) == decoded("one", tf.int64, b"\x58\x03\x60\x04", sanitize=True)
    with pytest.raises(tf.errors.DataLossError):
        decoded("inner", tf.string, b"J\x01\xff", sanitize=True)


def test_numbers_of_many_messages_keep_their_rows() -> None:
    large = b"\xff" * 4 + b"\x0f"
    data = [
        b"\xc2\x02\x06" + large + b"\x01",
        b"",
        b"\xc2\x02\x00",
        b"\xc0\x02\x07\xc2\x02\x01\x08",
    ]

    assert ([2, 0, 0, 2], [[2**32 - 1, 1], [0, 0], [0, 0], [7, 8]]) == decoded(
        "packed", tf.uint32, *data
    )
    assert ([2], [[-1, 1]]) == decoded("zigzag", tf.int64, b"\x20\x01\x20\x02")
