"""Serialized examples become tensors: the native reader, its slow twin, and what users see."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import native_examples
from tensormill.core.native_examples import (
    BYTES,
    FLOATS,
    INTEGERS,
    FoundExamples,
    WantedFeatures,
    native_reader,
)
from tensormill.ops.records import example_kernels
from tensormill.ops.records.wire_examples import FoundInPython

from .damaged_examples import EXAMPLES, RECORD, answers
from .wire_bytes import example

io = tf.io
ANSWERS = json.loads(RECORD.read_text())
DEADLY = [name for name in EXAMPLES if ANSWERS[name] is None]  # to TensorFlow
STORAGE = {BYTES: np.object_, FLOATS: np.float32, INTEGERS: np.int64}
WANTED = [
    WantedFeatures((b"k", b"other"), (kind, INTEGERS), (keeps, keeps))
    for kind in STORAGE
    for keeps in (False, True)
]


@pytest.fixture(params=["native", "python"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "python":
        monkeypatch.setattr(example_kernels, "native_reader", lambda: None)
    return request.param


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in DEADLY])
def test_rare_and_damaged_examples_are_read_as_tensorflow_reads_them(
    name: str, reader: str
) -> None:
    assert ANSWERS[name] == json.loads(json.dumps(answers(tf, EXAMPLES[name])))


@pytest.mark.parametrize("name", DEADLY)
def test_examples_that_tensorflow_does_not_survive_are_refused(name: str, reader: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="damaged"):
        io.parse_example([EXAMPLES[name]], {"k": io.VarLenFeature(tf.string)})


# ---------------------------------------------------------------- the reader and its slow twin


def contents(found: FoundExamples, wanted: WantedFeatures) -> list[Any]:
    """All that was found, if everything is sound."""
    sound = found.whole.all() and (found.counts >= native_examples.MISSING).all()
    counts = np.where(found.whole[:, None], found.counts, 0)
    if not sound:
        return [found.whole.tolist(), counts.tolist()]
    counts = np.maximum(counts, 0)
    totals = counts.sum(0).tolist()
    outs = [np.empty(n, STORAGE[kind]) for n, kind in zip(totals, wanted.kinds, strict=True)]
    found.take(np.cumsum(counts, axis=0) - counts, outs)
    return [counts.tolist(), *(out.view(np.int32).tolist() if out.dtype == "f4" else out.tolist()
                               for out in outs)]  # fmt: skip


@st.composite
def damaged(draw: Any) -> bytes:
    """An example with some bytes changed, or cut off."""
    data = bytearray(draw(st.sampled_from(list(EXAMPLES.values()))))
    for _ in range(draw(st.integers(0, 3))):
        if data:
            place = draw(st.integers(0, len(data) - 1))
            data[place] = draw(st.sampled_from([0, 1, 8, 10, 13, 18, 26, 127, 128, 255, 66]))
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


@pytest.mark.sampled
@settings(max_examples=300, deadline=None)
@given(st.lists(damaged(), max_size=3), st.sampled_from(WANTED))
def test_the_native_reader_finds_what_its_slow_twin_finds(
    texts: list[bytes], wanted: WantedFeatures
) -> None:
    native = native_reader()

    assert native is not None
    assert contents(FoundInPython(texts, wanted), wanted) == contents(native(texts, wanted), wanted)


VALUES = {
    INTEGERS: st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5),
    FLOATS: st.lists(st.floats(width=32, allow_nan=False), max_size=5),
    BYTES: st.lists(st.binary(max_size=5), max_size=5),
}
LISTS = {INTEGERS: "int64_list", FLOATS: "float_list", BYTES: "bytes_list"}


@settings(max_examples=100, deadline=None)
@given(st.data(), st.dictionaries(st.text(max_size=9), st.sampled_from(list(VALUES)), max_size=6))
def test_readers_find_what_protobuf_wrote(data: Any, kinds: dict[str, int]) -> None:
    made, values = tf.train.Example(), {}
    for key, kind in kinds.items():
        values[key] = data.draw(VALUES[kind])
        getattr(made.features.feature[key], LISTS[kind]).value.extend(values[key])
    wanted = WantedFeatures(
        tuple(map(str.encode, kinds)), tuple(kinds.values()), (True,) * len(kinds)
    )
    native, texts = native_reader(), [made.SerializeToString()]

    assert native is not None
    for found in (native(texts, wanted), FoundInPython(texts, wanted)):
        outs = [np.empty(len(values[key]), STORAGE[kind]) for key, kind in kinds.items()]
        found.take(np.zeros((1, len(kinds)), np.int64), outs)
        assert list(values.values()) == [out.tolist() for out in outs]


def test_large_strings_are_copied_by_several_threads() -> None:
    texts = [bytes([k]) * 5000 for k in range(100)]
    batch = [example(k=[text, b"small", text]) for text in texts]
    found = io.parse_example(batch, {"k": io.FixedLenFeature([3], tf.string)})["k"].numpy()

    assert [[text, b"small", text] for text in texts] == found.tolist()


@pytest.mark.parametrize("kind", [BYTES, FLOATS, INTEGERS])
def test_threads_that_share_a_batch_find_what_the_slow_twin_finds(kind: int) -> None:
    values: Any = {BYTES: b"%07d", FLOATS: 0.5, INTEGERS: 2**40}
    texts = [example(k=[values[kind]] * (k % 97), other=[k]) for k in range(1000)]
    native, wanted = (
        native_reader(),
        WantedFeatures((b"k", b"other"), (kind, INTEGERS), (True,) * 2),
    )

    assert native is not None
    assert sum(map(len, texts)) > 100_000
    assert contents(FoundInPython(texts, wanted), wanted) == contents(native(texts, wanted), wanted)


# ---------------------------------------------------------------- what users see


def test_errors_tell_which_feature_of_which_example(reader: str) -> None:
    batch = [example(k=[1]), example(k=[1, 2]), example(j=[1])]
    wanted = {"k": io.FixedLenFeature([], tf.int64)}
    rows = {"k": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"example 1: feature 'k' has 2 val"):
        io.parse_example(batch[:2], wanted)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"example 1 \('b'\): feature 'k' .*"):
        io.parse_example([batch[0], batch[2]], wanted, example_names=["a", "b"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not parse example input"):
        io.parse_single_example(b"\x0a\xff", wanted)
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not a multiple of 2"):
        io.parse_example(batch, rows)


@pytest.mark.parametrize(
    "feature",
    [io.FixedLenFeature([], tf.int32), io.VarLenFeature(tf.float64)],
)
def test_examples_hold_three_dtypes(feature: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        io.parse_example([example(k=[1])], {"k": feature})
    with pytest.raises(TypeError, match="not in the list of allowed values"):
        tf.function(lambda: io.parse_example([example(k=[1])], {"k": feature}))()


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        (io.FixedLenFeature([], None), "Missing type"),
        (io.FixedLenFeature(None, tf.int64), "Missing shape"),
        (io.SparseFeature("i", None, tf.int64, 3), "Missing value_key"),
        (io.SparseFeature(None, "v", tf.int64, 3), "Missing index_key"),
        (io.FixedLenFeature([2, None], tf.int64), "All dimensions"),
        (3, "Unsupported int 3"),
    ],
)
def test_features_that_lack_something_are_refused(feature: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        io.parse_example([b""], {"k": feature})


def test_ragged_features_say_what_they_are_made_of() -> None:
    ragged: Any = io.RaggedFeature

    assert ragged(tf.int64, "v", [ragged.RowSplits("s")]) == ragged(
        tf.int64, "v", (ragged.RowSplits("s"),), tf.int32, False
    )
    for wrong in (ragged.RowSplits("s"), [3], "text"):
        with pytest.raises(TypeError, match="partitions"):
            ragged(tf.int64, "v", wrong)
    with pytest.raises(ValueError, match="value_key"):
        ragged(tf.int64, 3)
    with pytest.raises(ValueError, match="row_splits_dtype"):
        ragged(tf.int64, row_splits_dtype=tf.float32)
    with pytest.raises(TypeError, match="validate"):
        ragged(tf.int64, validate=1)


def test_partitions_are_checked_where_that_is_asked() -> None:
    ragged = io.RaggedFeature
    data = example(v=[1, 2, 3], s=[0, 9])
    feature = ragged(tf.int64, "v", [ragged.RowSplits("s")], validate=True)

    with pytest.raises(tf.errors.InvalidArgumentError):
        io.parse_single_example(data, {"r": feature})
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda text: io.parse_single_example(text, {"r": feature}))(data)


def test_indices_of_sparse_features_are_as_many_as_values() -> None:
    data, feature = example(i=[1, 2], v=[0.5]), io.SparseFeature("i", "v", tf.float32, 4)

    for call in (io.parse_example, tf.function(io.parse_example)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            call(tf.constant([data]), {"s": feature})
    with pytest.raises(TypeError, match="a list of each"):
        io.parse_example([data], {"s": feature._replace(size=[4])})


SERVED = {"a": io.FixedLenFeature([], tf.int64), "v": io.VarLenFeature(tf.string)}


class Server(tf.Module):
    """A model that is asked with serialized examples."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def serve(self, serialized: Any) -> Any:
        found = io.parse_example(serialized, SERVED)
        return {"twice": found["a"] * 2, "words": found["v"].values}


WITHOUT = {"sparse_keys": [], "dense_keys": [], "sparse_types": [], "dense_shapes": []}
REFUSED = {
    "one example for many": (
        lambda text: tf.raw_ops.ParseExample(
            serialized=text[0], names=[], dense_defaults=[], **WITHOUT
        ),
        "scalar or vector of strings, got shape: []",
    ),
    "many examples for one": (
        lambda text: tf.raw_ops.ParseSingleExample(
            serialized=text, num_sparse=0, dense_defaults=[], **WITHOUT
        ),
        "scalar or vector of strings, got shape: [1]",
    ),
    "many sparse tensors in a vector": (
        lambda text: tf.raw_ops.SerializeManySparse(
            sparse_indices=[[0]], sparse_values=text, sparse_shape=[1]
        ),
        "a sparse tensor of rank 1 does not hold many",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_tracing_refuses_what_eager_execution_refuses(name: str) -> None:
    call, message = REFUSED[name]
    traced = tf.function(call, [tf.TensorSpec([1], tf.string)], autograph=False)

    for one in (lambda: call(tf.constant(["x"])), traced.get_concrete_function):
        with pytest.raises(tf.errors.OpError) as caught:
            one()
        assert message in caught.value.message


def test_saved_models_take_serialized_examples(tmp_path: Any) -> None:
    server = Server()
    tf.saved_model.save(server, str(tmp_path), signatures=server.serve)
    loaded: Any = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    found = loaded(tf.constant([example(a=[3], v=[b"x"]), example(a=[4])]))

    assert [6, 8] == found["twice"].numpy().tolist()
    assert [b"x"] == found["words"].numpy().tolist()


def test_datasets_parse_examples_and_batches_of_them() -> None:
    texts = [example(a=[k], v=[b"x"] * k) for k in range(5)]
    dataset = tf.data.Dataset.from_tensor_slices(texts)
    one = dataset.map(lambda text: io.parse_single_example(text, SERVED))
    batches = dataset.batch(2).map(lambda batch: io.parse_example(batch, SERVED))

    assert list(range(5)) == [found["a"].numpy() for found in one]
    assert [[0, 1], [2, 3], [4]] == [found["a"].numpy().tolist() for found in batches]
    assert [2, 2, 1] == [found["v"].dense_shape.numpy()[0] for found in batches]


def test_one_sequence_of_unknown_rank_is_refused_as_there_is_no_batch() -> None:
    example = tf.train.SequenceExample().SerializeToString()
    wanted = {"x": tf.io.RaggedFeature(tf.int64)}

    @tf.function(input_signature=[tf.TensorSpec(None, tf.string)])
    def rows(serialized: Any) -> Any:
        return tf.io.parse_sequence_example(serialized, context_features=wanted)[0]["x"]

    assert rows([example, example]).to_list() == [[], []]
    with pytest.raises(tf.errors.InvalidArgumentError):
        rows(example)


@pytest.mark.parametrize(
    "parse",
    [tf.io.parse_example, tf.io.parse_single_example, tf.io.parse_sequence_example,
     tf.compat.v1.parse_example],
)  # fmt: skip
def test_serialized_examples_are_strings(parse: Any) -> None:
    for bad in (3, 3.5, tf.constant(3)):
        with pytest.raises(ValueError, match="dtype string"):
            parse(bad, {"x": tf.io.FixedLenFeature([], tf.int64, 0)})


def test_each_dense_key_has_a_default() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="dense_defaults"):
        tf.raw_ops.ParseExample(
            serialized=[b""], names=[], sparse_keys=[], dense_keys=["x"], dense_defaults=[],
            sparse_types=[], dense_shapes=[[3]],
        )  # fmt: skip


def test_keys_of_features_are_strings() -> None:
    default = tf.constant([1, 2, 3], tf.int64)
    with pytest.raises(TypeError, match="Expected string"):
        tf.raw_ops.ParseSingleExample(
            serialized=b"", dense_defaults=[default], num_sparse=0, sparse_keys=[],
            dense_keys=[3], sparse_types=[], dense_shapes=[[3]],
        )  # fmt: skip
