"""Operations that parse examples, or make sparse batches: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.ops.records.wire_bytes import example

from .test_raw_datasets import RAW, numbers

VARIANT = {"output_types": [tf.variant], "output_shapes": [None]}
NO_FLOATS = tf.constant([], tf.float32)
NAMES = ["ParseExampleDataset", "ParseExampleDatasetV2", "ExperimentalParseExampleDataset"]
B = {"dense_keys": ["b"], "dense_defaults": [NO_FLOATS], "dense_shapes": [[]]}


def text(count: int) -> bytes:
    return example(a=list(range(count)), b=[count * 1.5], c=[b"x" * count])


def texts() -> Any:
    components = [[[text(0), text(1)], [text(2), text(3)]]]
    return RAW.TensorSliceDataset(components=components, output_shapes=[[2]])


def elements(dataset: Any, types: Sequence[Any], shapes: Sequence[Any]) -> list[Any]:
    said = {"output_types": types, "output_shapes": shapes}
    iterator = RAW.AnonymousIteratorV3(**said)
    RAW.MakeIterator(dataset=dataset, iterator=iterator)
    found = []
    while True:
        try:
            found.append(RAW.IteratorGetNext(iterator=iterator, **said))
        except tf.errors.OutOfRangeError:
            return found


def parsed(name: str, types: Any = (tf.float32,), shapes: Any = ((2,),), **told: Any) -> Any:
    nothing: dict[str, Any] = {
        "sparse_keys": [], "sparse_types": [],
        "dense_keys": [], "dense_defaults": [], "dense_shapes": [],
    }  # fmt: skip
    given = {"input_dataset": texts(), "num_parallel_calls": 1, **nothing, **told}
    dataset = getattr(RAW, name)(output_types=types, output_shapes=shapes, **given)
    return elements(dataset, types, shapes)


def lists(element: Any) -> list[Any]:
    return [np.asarray(one).tolist() for one in element]


def sparse(value: Any, dtype: Any) -> list[Any]:
    return lists(RAW.DeserializeSparse(serialized_sparse=value, dtype=dtype))


@pytest.mark.parametrize("name", NAMES)
def test_features_come_in_the_order_of_their_keys(name: str) -> None:
    dense = {"dense_keys": ["c", "b"], "dense_shapes": [[], []],
             "dense_defaults": [tf.constant(b"none"), NO_FLOATS]}  # fmt: skip
    found = parsed(name, [tf.float32, tf.string], [[2], [2]], **dense)

    assert [[0.0, 1.5], [b"", b"x"]] == lists(found[0])
    assert [[3.0, 4.5], [b"xx", b"xxx"]] == lists(found[1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="order of keys"):
        parsed(name, [tf.string, tf.float32], [[2], [2]], **dense)


@pytest.mark.parametrize("name", NAMES)
def test_missing_and_short_features_get_their_default(name: str) -> None:
    def ints(key: str, default: Any, shape: Any) -> Any:
        given = {"dense_keys": [key], "dense_defaults": [tf.constant(default, tf.int64)]}
        of_batch = [[2, *shape]]
        return [lists(one)[0] for one in parsed(
            name, [tf.int64], of_batch, dense_shapes=[shape], **given
        )]  # fmt: skip

    assert [[9, 9], [9, 9]] == ints("none", 9, [])
    assert [[[7], [0]], [[0, 1, 7], [0, 1, 2]]] == ints("a", [7], [None])
    with pytest.raises(tf.errors.InvalidArgumentError, match="none"):
        ints("none", [], [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="default"):
        ints("none", [9], [])


@pytest.mark.parametrize("name", NAMES)
def test_a_sparse_feature_is_one_value(name: str) -> None:
    (first,), (second,) = parsed(
        name, [tf.variant], [[3]], sparse_keys=["a"], sparse_types=[tf.int64]
    )

    assert (tf.variant, [3]) == (first.dtype, first.shape.as_list())
    assert [[[1, 0]], [0], [2, 1]] == sparse(first, tf.int64)
    assert [[0, 1, 0, 1, 2], [2, 3]] == sparse(second, tf.int64)[1:]


@pytest.mark.parametrize("name", NAMES[:2])
def test_a_ragged_feature_is_one_value_beside_others(name: str) -> None:
    ragged = {"ragged_keys": ["a"], "ragged_value_types": [tf.int64],
              "ragged_split_types": [tf.int32]}  # fmt: skip
    some = {"sparse_keys": ["c"], "sparse_types": [tf.string]}
    types, shapes = [tf.variant, tf.float32, tf.variant], [[], [2], [3]]
    a, b, c = parsed(name, types, shapes, **B, **some, **ragged)[0]
    (splits,), values = RAW.RaggedTensorFromVariant(
        encoded_ragged=a, input_ragged_rank=1, output_ragged_rank=1, Tvalues=tf.int64,
        Tsplits=tf.int32,
    )  # fmt: skip

    assert [[0, 0, 1], [0]] == lists([splits, values])
    assert [0.0, 1.5] == b.numpy().tolist()
    assert [[[0, 0], [1, 0]], [b"", b"x"], [2, 1]] == sparse(c, tf.string)


def test_all_components_are_one_batch() -> None:
    both = RAW.ZipDataset(
        input_datasets=[texts(), texts()], output_types=[tf.string] * 2, output_shapes=[[2]] * 2
    )
    one = RAW.TensorSliceDataset(components=[[text(1), text(2)]], output_shapes=[[]])

    found = parsed(NAMES[1], shapes=[[4]], input_dataset=both, **B)
    assert [[0.0, 1.5, 0.0, 1.5]] == lists(found[0])
    assert [[1.5]] == lists(parsed(NAMES[1], shapes=[[1]], input_dataset=one, **B)[0])


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "dtype": (B | {"types": [tf.int64]}, "output_types"),
    "shape": (B | {"shapes": [[]]}, "output_shapes"),
    "no batch": (B | {"input_dataset": RAW.TensorSliceDataset(
        components=[[text(1)]], output_shapes=[[]])}, "output_shapes"),
    "of another dtype": (
        {**B, "dense_defaults": [tf.constant([], tf.int64)], "types": [tf.int64]}, "b"
    ),
    "no examples": (B | {"input_dataset": RAW.TensorSliceDataset(
        components=[[["abc", "d"]]], output_shapes=[[2]])}, "parse"),
    "no strings": (B | {"input_dataset": numbers(3)}, "strings"),
    "no calls": (B | {"num_parallel_calls": 0}, "num_parallel_calls"),
    "two of one key": (B | {"sparse_keys": ["b"], "sparse_types": [tf.float32]}, "Duplicate"),
    "a key without default": (B | {"dense_keys": ["b", "c"]}, "dense_keys"),
    "an unknown order": (B | {"deterministic": "maybe"}, "deterministic"),
    "nothing": ({"types": [], "shapes": []}, "output_types"),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_parsed_is_refused(why: str) -> None:
    told, words = REFUSED[why]

    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        parsed(NAMES[1], **told)


def test_more_components_than_features_are_refused() -> None:
    with pytest.raises(tf.errors.InternalError, match="Expected 2 components but got 1"):
        parsed(NAMES[1], [tf.float32] * 2, [[2]] * 2, **B)


# ---------------------------------------------------------------- sparse batches


def batches(row_shape: Any, prefix: str = "", **told: Any) -> list[Any]:
    rows = tf.constant([[1, 0, 3], [0, 0, 2], [4, 5, 6]], tf.int64)
    given = {
        "input_dataset": RAW.TensorSliceDataset(components=[rows], output_shapes=[[3]]),
        "batch_size": 2,
        "output_types": [tf.int64],
        "output_shapes": [[None, 4]],
    } | told
    make = getattr(RAW, f"{prefix}DenseToSparseBatchDataset")
    found = elements(make(row_shape=row_shape, **given), *VARIANT.values())
    return [sparse(one, tf.int64) for (one,) in found]


@pytest.mark.parametrize("prefix", ["", "Experimental"])
def test_rows_become_sparse_tensors(prefix: str) -> None:
    places = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    first = [places, [1, 0, 3, 0, 0, 2], [2, 3]]

    assert [first, [places[:3], [4, 5, 6], [1, 3]]] == batches([3], prefix)
    assert first == batches([-1], prefix)[0]
    assert [2, 4] == batches([4], prefix)[0][2]


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"row_shape": [2]}, tf.errors.DataLossError),
        ({"row_shape": [2, 2]}, tf.errors.InvalidArgumentError),
        ({"row_shape": [-2]}, tf.errors.InvalidArgumentError),
        ({"row_shape": [[3]]}, tf.errors.InvalidArgumentError),
        ({"row_shape": [3], "batch_size": 0}, tf.errors.InvalidArgumentError),
        (
            {"row_shape": [-1], "input_dataset": RAW.ZipDataset(
                input_datasets=[numbers(3)] * 2, output_types=[tf.int64] * 2,
                output_shapes=[[]] * 2)},
            tf.errors.InvalidArgumentError,
        ),
    ],
)  # fmt: skip
def test_rows_that_become_no_sparse_tensor_are_refused(told: Any, kind: Any) -> None:
    with pytest.raises(kind):
        batches(**told)


# ---------------------------------------------------------------- values

PARTS: dict[str, Any] = {
    "sparse_indices": [[0, 1], [1, 2]],
    "sparse_values": tf.constant([5, 6], tf.int64),
    "sparse_shape": [2, 3],
}


@pytest.mark.parametrize(
    ("name", "shape"), [("SerializeSparse", [3]), ("SerializeManySparse", [2, 3])]
)
def test_a_sparse_tensor_goes_through_a_variant(name: str, shape: list[int]) -> None:
    def through(values: Any) -> Any:
        value = getattr(RAW, name)(**PARTS | {"sparse_values": values}, out_type=tf.variant)
        assert tf.variant is value.dtype
        assert value.shape.is_compatible_with(shape)
        return RAW.DeserializeSparse(serialized_sparse=value, dtype=tf.int64)

    for call in (through, tf.function(through)):
        assert [[[0, 1], [1, 2]], [5, 6], [2, 3]] == lists(call(PARTS["sparse_values"]))


def test_a_variant_tells_of_which_dtype_its_values_are() -> None:
    value = RAW.SerializeSparse(**PARTS, out_type=tf.variant)
    unlike = RAW.SerializeSparse(**PARTS | {"sparse_indices": [[0, 1]]}, out_type=tf.variant)

    with pytest.raises(tf.errors.InvalidArgumentError, match="int32 is requested"):
        RAW.DeserializeSparse(serialized_sparse=value, dtype=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit"):
        RAW.DeserializeSparse(serialized_sparse=unlike, dtype=tf.int64)
