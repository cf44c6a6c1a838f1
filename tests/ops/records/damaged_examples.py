"""Serialized examples that are wrong, or written in rare ways, and what TensorFlow makes of them.

    python -m tests.ops.records.damaged_examples

beside TensorFlow writes `damaged_examples.json`: for each of them what a feature of each dtype is,
sparse in a batch of it and an empty one, and dense of one example; null where it is refused.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .wire_bytes import (
    feature,
    features,
    floats,
    packed_floats,
    packed_integers,
    part,
    tag,
    tagged_floats,
    tagged_integers,
    texts,
    varint,
)

RECORD = Path(__file__).with_suffix(".json")
# A string that says it has 2**32 - 1 bytes: TensorFlow ends with a segmentation fault.
DEADLY = "len huge b"

FEATURES = {
    "empty": b"",
    "int packed": part(3, packed_integers(1, 300)),
    "int packed1": part(3, packed_integers(5)),
    "int unpacked": part(3, tagged_integers(1, 300)),
    "int unpacked1": part(3, tagged_integers(9)),
    "int packed+unpacked": part(3, packed_integers(1) + tagged_integers(2)),
    "int unpacked+packed": part(3, tagged_integers(1) + packed_integers(2)),
    "int 2packed": part(3, packed_integers(1) + packed_integers(2)),
    "int neg": part(3, packed_integers(-1, -(2**63))),
    "int empty list": part(3, b""),
    "int packed empty": part(3, part(1, b"")),
    "int unknown after": part(3, packed_integers(1, 2) + tag(2, 0) + varint(3)),
    "int unknown before": part(3, tag(2, 0) + varint(3) + packed_integers(1, 2)),
    "int unpacked unknown": part(3, tagged_integers(1, 2) + tag(2, 0) + varint(3)),
    "int trunc varint": part(3, part(1, b"\x01\x80")),
    "int trunc varint only": part(3, part(1, b"\x80")),
    "int packed too long": part(3, b"\x0a\x05\x01\x02"),
    "int varint 11": part(3, part(1, b"\x80" * 10 + b"\x01")),
    "int varint 10 overflow": part(3, part(1, b"\xff" * 9 + b"\x7f")),
    "int varint overlong": part(3, part(1, b"\x81\x80\x80\x00")),
    "int fixed32": part(3, tag(1, 5) + floats(1.0)),
    "int unpacked trunc": part(3, tag(1, 0) + b"\x80"),
    "int unpacked notag": part(3, tag(1, 0)),
    "int overlong tag": part(3, b"\x8a\x00" + varint(1) + varint(4)),
    "int outer overlong tag": b"\x9a\x00" + varint(3) + packed_integers(4),
    "float packed": part(2, packed_floats(1.5, 2.5)),
    "float packed1": part(2, packed_floats(1.5)),
    "float unpacked": part(2, tagged_floats(1.5, 2.5)),
    "float unpacked1": part(2, tagged_floats(3.5)),
    "float packed+unpacked": part(2, packed_floats(1.0) + tagged_floats(2.0)),
    "float unpacked+packed": part(2, tagged_floats(1.0) + packed_floats(2.0)),
    "float 2packed": part(2, packed_floats(1.0) + packed_floats(2.0)),
    "float packed 6": part(2, part(1, floats(1.0) + b"\0\0")),
    "float packed 7": part(2, part(1, floats(1.0) + b"\0\0\0")),
    "float packed 3": part(2, part(1, b"\0\0\0")),
    "float empty list": part(2, b""),
    "float packed empty": part(2, part(1, b"")),
    "float trunc": part(2, b"\x0a\x08" + floats(1.0)),
    "float unpacked trunc": part(2, tag(1, 5) + b"\0\0"),
    "float unpacked 2 trunc": part(2, tagged_floats(1.0) + tag(1, 5) + b"\0\0"),
    "float varint": part(2, tagged_integers(1)),
    "float unknown after": part(2, packed_floats(1.0, 2.0) + tag(2, 0) + varint(3)),
    "float unpacked unknown": part(2, tagged_floats(1.0, 2.0) + tag(2, 0) + varint(3)),
    "float unpacked unknown5": part(2, tagged_floats(1.0, 2.0) + tag(2, 5) + floats(1.0)),
    "bytes": part(1, texts(b"a", b"bc")),
    "bytes1": part(1, texts(b"abc")),
    "bytes empty list": part(1, b""),
    "bytes empty value": part(1, texts(b"")),
    "bytes unknown": part(1, texts(b"a") + tag(2, 0) + varint(1)),
    "bytes trunc": part(1, b"\x0a\x05ab"),
    "bytes trunc2": part(1, texts(b"q") + b"\x0a\x05ab"),
    "bytes varint": part(1, tagged_integers(3)),
    "bytes notag": part(1, b"\x0a"),
    "int then float": part(3, packed_integers(1)) + part(2, packed_floats(2.0)),
    "float then int": part(2, packed_floats(2.0)) + part(3, packed_integers(1)),
    "int then int": part(3, packed_integers(1)) + part(3, packed_integers(2)),
    "bytes then bytes": part(1, texts(b"a")) + part(1, texts(b"b")),
    "float then float": part(2, packed_floats(1.0)) + part(2, packed_floats(2.0)),
    "unknown first": part(5, b"xx") + part(3, packed_integers(1)),
    "unknown last": part(3, packed_integers(1)) + part(5, b"xx"),
    "unknown last b": part(1, texts(b"a")) + part(5, b"xx"),
    "unknown only": part(5, b""),
    "kind varint": tag(3, 0) + varint(1),
    "garbage after": part(3, packed_integers(1)) + b"\xff",
    "garbage after f": part(2, packed_floats(1.0)) + b"\xff",
    "garbage after b": part(1, texts(b"a")) + b"\xff",
    "length too long": b"\x1a\x50" + packed_integers(1),
    "length too long f": b"\x12\x50" + packed_floats(1.0),
    "length too long b": b"\x0a\x50" + texts(b"a"),
    "length too short": b"\x1a\x01" + packed_integers(1),
    "length too short f": b"\x12\x05" + packed_floats(1.0),
    "length too short b": b"\x0a\x02" + texts(b"a"),
    "zero tag": b"\0",
    "one byte tag": b"\x1a",
    "one byte tag f": b"\x12",
    "one byte tag b": b"\x0a",
    "group": b"\x1b",
    "len varint 5": b"\x1a\x83\x80\x80\x80\x00" + packed_integers(1),
    "len varint 6": b"\x1a\x83\x80\x80\x80\x80\x00" + packed_integers(1),
    "len huge": b"\x1a\xff\xff\xff\xff\x0f" + packed_integers(1),
    "len huge b": part(1, b"\x0a\xff\xff\xff\xff\x0f" + b"a"),
    "len neg": b"\x1a" + b"\xff" * 9 + b"\x01" + packed_integers(1),
}
K = part(1, b"k")
V = part(2, part(3, packed_integers(1)))
V2 = part(2, part(3, packed_integers(2)))
EXAMPLES = {name: features(feature(b"k", data)) for name, data in FEATURES.items()}
E1 = feature(b"k", part(3, packed_integers(1)))
E2 = feature(b"k", part(3, packed_integers(2)))
E3 = feature(b"k", part(2, packed_floats(3.0)))
OTHER = feature(b"other", part(3, packed_integers(9)))
EXAMPLES |= {
    "-nothing": b"",
    "-no features": part(1, b""),
    "-other only": features(OTHER),
    "-value first": features(part(1, V + K)),
    "-key only": features(part(1, K)),
    "-value only": features(part(1, V)),
    "-empty entry": features(part(1, b"")),
    "-entry extra": features(part(1, K + V + tag(3, 0) + varint(1))),
    "-entry extra first": features(part(1, tag(3, 0) + varint(1) + K + V)),
    "-key twice": features(part(1, part(1, b"z") + K + V)),
    "-key key": features(part(1, part(1, b"z") + K)),
    "-value twice": features(part(1, K + V + V2)),
    "-value value": features(part(1, V + V2)),
    "-key int": features(part(1, tag(1, 0) + varint(1) + V)),
    "-dup": features(E1, E2),
    "-dup kinds": features(E1, E3),
    "-dup kinds2": features(E3, E1),
    "-dup empty last": features(E1, feature(b"k", b"")),
    "-dup empty first": features(feature(b"k", b""), E1),
    "-dup in two": features(E1) + features(E2),
    "-two features": features(OTHER) + features(E1),
    "-unknown in features": part(1, E1 + tag(2, 0) + varint(1)),
    "-unknown in features first": part(1, part(2, b"") + E1),
    "-x varint": tag(2, 0) + varint(5) + features(E1),
    "-x varint big": tag(2, 0) + varint(-1) + features(E1),
    "-x varint 11": tag(2, 0) + b"\x80" * 10 + b"\x01" + features(E1),
    "-x fixed64": tag(2, 1) + b"12345678" + features(E1),
    "-x len": part(2, b"abc") + features(E1),
    "-x fixed32": tag(2, 5) + b"1234" + features(E1),
    "-x group": tag(2, 3) + tag(2, 4) + features(E1),
    "-x endgroup": tag(2, 4) + features(E1),
    "-x 6": tag(2, 6) + features(E1),
    "-x 7": tag(2, 7) + features(E1),
    "-x after": features(E1) + tag(2, 0) + varint(5),
    "-x trunc varint": features(E1) + tag(2, 0),
    "-x trunc varint2": features(E1) + tag(2, 0) + b"\x80",
    "-x trunc fixed64": features(E1) + tag(2, 1) + b"123",
    "-x trunc fixed32": features(E1) + tag(2, 5) + b"123",
    "-x trunc len": features(E1) + tag(2, 2) + varint(9) + b"a",
    "-x trunc len2": features(E1) + tag(2, 2),
    "-x zero": features(E1) + b"\0",
    "-x zero first": b"\0" + features(E1),
    "-x zero both": b"\0\0" + features(E1),
    "-x tag cut": features(E1) + b"\x80",
    "-x field1 varint": tag(1, 0) + varint(3) + features(E1),
    "-x field0": tag(0, 2) + varint(0) + features(E1),
    "-x big tag": varint(2**28 << 3 | 0) + varint(3) + features(E1),
    "-x huge tag": b"\x80\x80\x80\x80\x80\x01" + b"\x01" + features(E1),
    "-x overlong features tag": b"\x8a\x00" + features(E1)[1:],
    "-cut 1": features(E1)[:1],
    "-cut entry": features(E1)[:-1],
    "-cut entry3": features(E1)[:-3],
    "-cut 5": features(E1)[:5],
    "-features too long": b"\x0a\x50" + E1,
    "-features too short": b"\x0a\x05" + E1,
    "-entry too long": part(1, b"\x0a\x50" + K + V),
    "-entry too short": part(1, b"\x0a\x02" + K + V),
    "-key too long": features(part(1, b"\x0a\x50k" + V)),
    "-value too long": features(part(1, K + b"\x12\x50" + part(3, packed_integers(1)))),
    "-empty key": features(feature(b"", part(3, packed_integers(1)))),
    "-len features 5": b"\x0a" + bytes([len(E1) | 128, 128, 128, 128, 0]) + E1,
    "-len features 6": b"\x0a" + bytes([len(E1) | 128, 128, 128, 128, 128, 0]) + E1,
    "-other bad feature": features(E1, feature(b"other", b"\xff\xff")),
    "-other bad feature tag": features(E1, feature(b"other", b"\x2a\x00")),
    "-other trunc list": features(E1, feature(b"other", b"\x1a\x50")),
    "-key high": features(feature(b"k\xff", part(3, packed_integers(1))), E1),
}


def answers(tf: Any, data: bytes) -> list[Any]:
    """What the feature `k` is, by dtype: sparse, ragged and dense."""
    return [answer(tf, data, dtype) for dtype in (tf.int64, tf.float32, tf.string)]


def answer(tf: Any, data: bytes, dtype: Any) -> list[Any]:
    fills = {tf.int64: -1, tf.float32: -1.0, tf.string: "fill"}[dtype]
    io, batch = tf.io, np.array([data, b""], object)
    calls = (
        lambda: io.parse_example(batch, {"k": io.VarLenFeature(dtype)})["k"].values,
        lambda: io.parse_example(data, {"k": io.RaggedFeature(dtype)})["k"],
        lambda: io.parse_example(batch, {"k": io.FixedLenFeature([1], dtype, [fills])})["k"],
        lambda: io.parse_example(
            batch, {"k": io.FixedLenSequenceFeature([2], dtype, allow_missing=True)}
        )["k"],
    )
    return [values(tf, call) for call in calls]


def values(tf: Any, call: Any) -> Any:
    try:
        found = call().numpy()
    except (tf.errors.InvalidArgumentError, UnicodeDecodeError):  # of its own message
        return None
    flat = [one.decode("latin-1") if isinstance(one, bytes) else one for one in found.reshape(-1)]
    return [list(found.shape), np.array(flat).tolist()]


def main() -> None:
    import tensorflow as tf

    lines = [
        f"{json.dumps(name)}: {json.dumps(None if name == DEADLY else answers(tf, data))}"
        for name, data in EXAMPLES.items()
    ]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
