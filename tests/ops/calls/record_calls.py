"""Calls that read and write records, for TensorFlow and for us alike."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.records.wire_bytes import example, part, sequence_example
from .call import Call

FULL = example(
    a=[1], b=[1.5, -2.0], c=[b"x", b"yy"], d=[300, -1, 7, 2**40], i=[3, 0, 2], j=[1, 2, 0],
    v=[0.5, 1.5, 2.5], splits=[0, 1, 4], lengths=[1, 3], starts=[0, 1], limits=[1, 4],
    rows=[0, 1, 1, 1], outer=[2],
)  # fmt: skip
BARE = example(a=[2])
BATCH = np.array([FULL, BARE, FULL], object)
ONE = np.array(FULL, object)

STEPS = sequence_example(
    example(a=[7], b=[1.5], c=[b"x", b"yy"]), x=[[1, 2], [3, 4]], y=[[b"a"], [], [b"b", b"c"]],
    z=[[0.5], [1.5, 2.5]], n=[[1], [1, 2]],
)  # fmt: skip
NO_STEPS = sequence_example(example(a=[8]), x=[[5, 6]])
SEQUENCES = np.array([STEPS, NO_STEPS], object)
SEQUENCE = np.array(STEPS, object)

Features = Callable[[Any], dict[str, Any]]


def dense(tf: Any) -> dict[str, Any]:
    io = tf.io
    return {
        "a": io.FixedLenFeature([], tf.int64),
        "b": io.FixedLenFeature([2], tf.float32, [0.5, 0.25]),
        "c": io.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="none"),
        "d": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True),
        "e": io.FixedLenFeature((), tf.string, "absent"),
    }


def sparse(tf: Any) -> dict[str, Any]:
    io = tf.io
    return {
        "c": io.VarLenFeature(tf.string),
        "d": io.VarLenFeature(tf.int64),
        "one": io.SparseFeature("i", "v", tf.float32, 4),
        "two": io.SparseFeature(["i", "j"], "v", tf.float32, [4, 5]),
        "sorted": io.SparseFeature(["i", "j"], "v", tf.float32, [4, 5], already_sorted=True),
    }


def ragged(tf: Any) -> dict[str, Any]:
    ragged = tf.io.RaggedFeature
    by = {
        "splits": ragged.RowSplits("splits"), "lengths": ragged.RowLengths("lengths"),
        "starts": ragged.RowStarts("starts"), "limits": ragged.RowLimits("limits"),
        "rows": ragged.ValueRowIds("rows"), "uniform": ragged.UniformRowLength(2),
    }  # fmt: skip
    found = {f"by {name}": ragged(tf.int64, "d", [one]) for name, one in by.items()}
    nested = [ragged.RowLengths("outer"), ragged.RowSplits("splits")]
    pairs = [ragged.UniformRowLength(1), ragged.UniformRowLength(2)]
    return {
        "plain": ragged(tf.string, "c"),
        "nested": ragged(tf.int64, "d", nested, validate=True),
        "pairs": ragged(tf.int64, "d", pairs),
        **found,
    }


def context(tf: Any) -> dict[str, Any]:
    return {
        "a": tf.io.FixedLenFeature([], tf.int64),
        "b": tf.io.RaggedFeature(tf.float32),
        "c": tf.io.VarLenFeature(tf.string),
    }


def steps(tf: Any) -> dict[str, Any]:
    io, ragged = tf.io, tf.io.RaggedFeature
    return {
        "x": io.FixedLenSequenceFeature([2], tf.int64),
        "w": io.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
        "y": io.VarLenFeature(tf.string),
        "z": ragged(tf.float32),
        "rows": ragged(tf.float32, "z", [ragged.RowLengths("n")]),
    }


def sequences(
    context: Features | None, steps: Features | None, function: str = "parse_sequence_example"
) -> Any:
    def call(tf: Any, serialized: Any) -> Any:
        features = [None if one is None else one(tf) for one in (context, steps)]
        return getattr(tf.io, function)(serialized, *features)

    return call


def parsed(features: Features, function: str = "parse_example") -> Any:
    def call(tf: Any, serialized: Any) -> Any:
        return getattr(tf.io, function)(serialized, features(tf))

    return call


def one_of(kind: str, *arguments: Any, **options: Any) -> Features:
    """One feature `a` of a kind, of integers."""
    return lambda tf: {"a": getattr(tf.io, kind)(*arguments, dtype=tf.int64, **options)}


JSON = np.array(
    [b'{"features": {"feature": {"a": {"floatList": {"value": [0.5, "Infinity"]}}}}}', b"{}"],
    object,
)
INTEGERS = np.array([part(1, b"\x05\x07"), b""], object)
NUMBERS = np.array([[1.5, -2.0], [0.0, 3.25]], np.float32)
MANY_IN_JSON = (
    '{"features": {"feature": {"z": {"int64List": {"value": [-1, "12345678901"]}}, '
    '"y": {"floatList": {"value": ["NaN", 1.5]}}, "b": {"bytesList": {"value": ["AAEC", ""]}}, '
    '"a": {}}}}'
)
WORDS = np.array([b"a", b"", b"hello world"], object)
LINES = np.array([b"1,a,2.5", b"2,,", b'3,"x, ""y""",-1e3'], object)


def sparse_of(tf: Any, x: Any) -> Any:
    return tf.sparse.from_dense(x)


def there_and_back(tf: Any, x: Any) -> Any:
    return tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype)


CALLS: dict[str, Call] = {
    "parse_sequence_example": (sequences(context, steps), [SEQUENCES]),
    "parse_sequence_example, contexts": (sequences(context, None), [SEQUENCES]),
    "parse_sequence_example, steps": (sequences(None, steps), [SEQUENCES[:1]]),
    "parse_sequence_example of a scalar": (sequences(context, steps), [SEQUENCE]),
    "parse_sequence_example, missing": (
        sequences(None, lambda tf: {"q": tf.io.FixedLenSequenceFeature([], tf.int64)}),
        [SEQUENCES],
    ),
    "parse_sequence_example, other sizes": (
        sequences(None, lambda tf: {"x": tf.io.FixedLenSequenceFeature([3], tf.int64)}),
        [SEQUENCES],
    ),
    "parse_sequence_example, other dtype": (
        sequences(None, lambda tf: {"x": tf.io.VarLenFeature(tf.float32)}),
        [SEQUENCES],
    ),
    "parse_sequence_example, no features": (sequences(None, None), [SEQUENCES]),
    "parse_sequence_example, default": (
        sequences(
            None, lambda tf: {"x": tf.io.FixedLenSequenceFeature([], tf.int64, default_value=1)}
        ),
        [SEQUENCES],
    ),
    "parse_single_sequence_example": (
        sequences(context, steps, "parse_single_sequence_example"),
        [SEQUENCE],
    ),
    "parse_single_sequence_example, context": (
        sequences(context, None, "parse_single_sequence_example"),
        [SEQUENCE],
    ),
    "parse_single_sequence_example, steps": (
        sequences(None, steps, "parse_single_sequence_example"),
        [SEQUENCE],
    ),
    "parse_single_sequence_example of a vector": (
        sequences(context, None, "parse_single_sequence_example"),
        [SEQUENCES],
    ),
    "decode_json_example": (
        lambda tf, x: tf.io.parse_example(
            tf.io.decode_json_example(x), {"a": tf.io.VarLenFeature(tf.float32)}
        ),
        [JSON],
    ),
    "decode_json_example of a scalar": (
        lambda tf, x: tf.io.parse_single_example(
            tf.io.decode_json_example(x[0]), {"a": tf.io.FixedLenFeature([2], tf.float32)}
        ),
        [JSON],
    ),
    "decode_json_example as bytes": (lambda tf: tf.io.decode_json_example(MANY_IN_JSON), []),
    "decode_json_example, other text": (lambda tf, x: tf.io.decode_json_example(x), [WORDS]),
    "decode_proto": (
        lambda tf, x: tf.io.decode_proto(x, "tensorflow.Int64List", ["value"], [tf.int64]),
        [INTEGERS],
    ),
    "decode_proto, messages": (
        lambda tf, x: tf.io.decode_proto(x, "tensorflow.Example", ["features"], [tf.string]),
        [BATCH],
    ),
    "decode_proto, no such field": (
        lambda tf, x: tf.io.decode_proto(x, "tensorflow.Example", ["a"], [tf.string]),
        [BATCH],
    ),
    "decode_proto, other dtype": (
        lambda tf, x: tf.io.decode_proto(x, "tensorflow.Int64List", ["value"], [tf.float32]),
        [INTEGERS],
    ),
    "decode_proto, damaged": (
        lambda tf, x: tf.io.decode_proto(x, "tensorflow.Example", ["features"], [tf.string]),
        [np.array([b"\xff"], object)],
    ),
    "encode_proto": (
        lambda tf, x: tf.io.encode_proto(
            [[2], [0]], [tf.cast(x, tf.float32)], ["value"], "tensorflow.FloatList"
        ),
        [NUMBERS],
    ),
    "encode_proto, there and back": (
        lambda tf, x: tf.io.decode_proto(
            tf.io.encode_proto([[1], [2]], [x], ["value"], "tensorflow.FloatList"),
            "tensorflow.FloatList",
            ["value"],
            [tf.float32],
        ),
        [NUMBERS],
    ),
    "encode_proto, too few": (
        lambda tf, x: tf.io.encode_proto([[3], [0]], [x], ["value"], "tensorflow.FloatList"),
        [NUMBERS],
    ),
    "serialize_tensor": (lambda tf, x: tf.io.serialize_tensor(x), [NUMBERS]),
    "serialize_tensor of strings": (lambda tf, x: tf.io.serialize_tensor(x), [WORDS]),
    "serialize_tensor of integers": (lambda tf, x: tf.io.serialize_tensor([x, x]), [np.int64(3)]),
    "parse_tensor": (there_and_back, [NUMBERS]),
    "parse_tensor of strings": (there_and_back, [WORDS]),
    "parse_tensor of another dtype": (
        lambda tf, x: tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.int32),
        [NUMBERS],
    ),
    "parse_tensor of anything": (lambda tf, x: tf.io.parse_tensor(x[2], tf.int32), [WORDS]),
    "serialize_sparse": (lambda tf, x: tf.io.serialize_sparse(sparse_of(tf, x)), [NUMBERS]),
    "serialize_sparse of strings": (
        lambda tf, x: tf.io.serialize_sparse(sparse_of(tf, x)),
        [WORDS],
    ),
    "serialize_sparse of a dense tensor": (lambda tf, x: tf.io.serialize_sparse(x), [NUMBERS]),
    "serialize_many_sparse": (
        lambda tf, x: tf.io.serialize_many_sparse(sparse_of(tf, x)),
        [NUMBERS],
    ),
    "serialize_many_sparse of strings": (
        lambda tf, x: tf.io.serialize_many_sparse(sparse_of(tf, x[:, None])),
        [WORDS],
    ),
    "serialize_many_sparse of a vector": (
        lambda tf, x: tf.io.serialize_many_sparse(sparse_of(tf, x)),
        [WORDS],
    ),
    "deserialize_many_sparse": (
        lambda tf, x: tf.io.deserialize_many_sparse(
            tf.io.serialize_many_sparse(sparse_of(tf, x)), tf.float32
        ),
        [NUMBERS],
    ),
    "deserialize_many_sparse, rank": (
        lambda tf, x: tf.io.deserialize_many_sparse(
            tf.stack([tf.io.serialize_sparse(sparse_of(tf, x))] * 2), tf.float32, rank=3
        ),
        [NUMBERS],
    ),
    "deserialize_many_sparse of another dtype": (
        lambda tf, x: tf.io.deserialize_many_sparse(
            tf.io.serialize_many_sparse(sparse_of(tf, x)), tf.int32
        ),
        [NUMBERS],
    ),
    "encode_base64": (lambda tf, x: tf.io.encode_base64(x), [WORDS]),
    "encode_base64, padded": (lambda tf, x: tf.io.encode_base64(x, pad=True), [WORDS]),
    "encode_base64 of a scalar": (lambda tf, x: tf.io.encode_base64(x[0]), [WORDS]),
    "decode_base64": (lambda tf, x: tf.io.decode_base64(tf.io.encode_base64(x)), [WORDS]),
    "decode_base64, padded": (
        lambda tf, x: tf.io.decode_base64(tf.io.encode_base64(x, pad=True)),
        [WORDS],
    ),
    "decode_base64 of other text": (lambda tf, x: tf.io.decode_base64(x), [WORDS]),
    "decode_compressed": (
        lambda tf, x: tf.io.decode_compressed(x, "ZLIB"),
        [np.array([zlib.compress(b"one"), zlib.compress(b"")], object)],
    ),
    "decode_compressed, gzip": (
        lambda tf, x: tf.io.decode_compressed(x, compression_type="GZIP"),
        [np.array(gzip.compress(b"one", mtime=0) * 2, object)],
    ),
    "decode_compressed, plain": (lambda tf, x: tf.io.decode_compressed(x), [WORDS]),
    "decode_compressed, damaged": (lambda tf, x: tf.io.decode_compressed(x, "ZLIB"), [WORDS]),
    "decode_compressed, unknown": (lambda tf, x: tf.io.decode_compressed(x, "LZ4"), [WORDS]),
    "decode_csv": (lambda tf, x: tf.io.decode_csv(x, [[0], ["none"], [0.5]]), [LINES]),
    "decode_csv of a scalar": (lambda tf, x: tf.io.decode_csv(x[0], [[0], [""], [0.5]]), [LINES]),
    "decode_csv, some columns": (
        lambda tf, x: tf.io.decode_csv(x, [["x"], [1.5]], select_cols=[0, 2]),
        [LINES],
    ),
    "decode_csv, a field is missing": (
        lambda tf, x: tf.io.decode_csv(x, [[0], tf.constant([], tf.string), [0.5]]),
        [LINES],
    ),
    "decode_csv, too few": (lambda tf, x: tf.io.decode_csv(x, [[0], [""]]), [LINES]),
    "decode_csv, no number": (lambda tf, x: tf.io.decode_csv(x, [[0], [0], [0.5]]), [LINES]),
    "decode_csv, columns descend": (
        lambda tf, x: tf.io.decode_csv(x, [[0], [0.5]], select_cols=[2, 0]),
        [LINES],
    ),
    "parse_example, dense": (parsed(dense), [BATCH]),
    "parse_example, sparse": (parsed(sparse), [BATCH]),
    "parse_example, ragged": (parsed(ragged), [BATCH]),
    "parse_example of nothing": (
        parsed(lambda tf: {**dense(tf), "z": tf.io.VarLenFeature(tf.int64)}),
        [BATCH[:0]],
    ),
    "parse_example of a scalar": (parsed(dense), [ONE]),
    "parse_example, names": (
        lambda tf, x: tf.io.parse_example(x, dense(tf), example_names=["one", "two", "three"]),
        [BATCH],
    ),
    "parse_single_example, dense": (parsed(dense, "parse_single_example"), [ONE]),
    "parse_single_example, sparse": (parsed(sparse, "parse_single_example"), [ONE]),
    "parse_single_example, ragged": (parsed(ragged, "parse_single_example"), [ONE]),
    "parse_single_example of a vector": (parsed(dense, "parse_single_example"), [BATCH]),
    "parse_example, missing": (parsed(one_of("FixedLenFeature", [])), [np.array([b""], object)]),
    "parse_example, sizes": (parsed(one_of("FixedLenFeature", [3])), [BATCH]),
    "parse_example, unknown size": (parsed(one_of("FixedLenFeature", [None])), [BATCH]),
    "parse_example, must be there": (parsed(one_of("FixedLenSequenceFeature", [])), [BATCH]),
    "parse_example, other dtype": (
        parsed(lambda tf: {"a": tf.io.FixedLenFeature([], tf.float32)}),
        [BATCH],
    ),
    "parse_example, no features": (parsed(lambda tf: {}), [BATCH]),
    "parse_example, two kinds": (
        parsed(
            lambda tf: {"a": tf.io.VarLenFeature(tf.int64), "b": tf.io.RaggedFeature(tf.int64, "a")}
        ),
        [BATCH],
    ),
    "parse_example, two dtypes": (
        parsed(
            lambda tf: {
                "a": tf.io.RaggedFeature(tf.int64),
                "b": tf.io.RaggedFeature(tf.float32, "a"),
            }
        ),
        [BATCH],
    ),
}
