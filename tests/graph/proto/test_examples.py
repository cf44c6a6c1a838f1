"""The messages in records."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf

# What TensorFlow 2.21 made of the same, in either order of the two features.
RECORDED = {
    bytes.fromhex(text)
    for text in (
        "0a1e0a0d0a016112081a060a0401ac02050a0d0a017812080a060a01610a0162",
        "0a1e0a0d0a017812080a060a01610a01620a0d0a016112081a060a0401ac0205",
    )
}
train = tf.train


def feature(values: list[int]) -> object:
    return train.Feature(int64_list=train.Int64List(value=values))


def test_examples_are_written_as_tensorflow_writes_them() -> None:
    texts = train.Feature(bytes_list=train.BytesList(value=[b"a", b"b"]))
    features = train.Features(feature={"a": feature([1, 300, 5]), "x": texts})

    assert train.Example(features=features).SerializeToString() in RECORDED


def test_numpy_arrays_are_lists_of_features() -> None:
    assert feature([1, 2]) == train.Feature(int64_list=train.Int64List(value=np.array([1, 2])))


def test_sequence_examples_hold_lists_of_features() -> None:
    made = train.SequenceExample()
    made.feature_lists.feature_list["x"].feature.add().float_list.value.append(0.5)
    again = train.SequenceExample.FromString(made.SerializeToString())

    assert made == again
    assert again.feature_lists.feature_list["x"].feature[0].WhichOneof("kind") == "float_list"


def test_a_feature_holds_one_list() -> None:
    with pytest.raises(TypeError):
        train.BytesList(value=["text"])
    assert train.Feature().WhichOneof("kind") is None
