"""Records of tensors; what is expected was printed by TensorFlow 2.21."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import tensormill as tf

S = tf.experimental.StructuredTensor
Rows = tf.experimental.RowPartition

ONE = S.from_pyval({"a": [1, 2], "b": {"c": "x"}})
PEOPLE = S.from_pyval([{"a": [1, 2], "b": 1.5}, {"a": [3], "b": 2.5}])
RAGGED = S.from_pyval(
    [
        [{"a": [1, 2], "s": {"q": 1.0}}, {"a": [], "s": {"q": 2.0}}],
        [{"a": [3], "s": {"q": 3.0}}],
        [],
    ]
)
DOCS = S.from_pyval([{"d": [{"t": [1, 2]}, {"t": [3]}], "n": 1}, {"d": [{"t": [4]}], "n": 2}])


def told(value: Any) -> Any:
    """A result as Python's values; of records with their shape."""
    if isinstance(value, S):
        return value.shape.as_list(), value.to_pyval()
    return value.to_list() if hasattr(value, "to_list") else value.numpy().tolist()


RESULTS: list[tuple[Callable[[], Any], Any]] = [
    (lambda: ONE, ([], {"a": [1, 2], "b": {"c": b"x"}})),
    (lambda: S.from_pyval([[{}], [{}, {}]]), ([2, None], [[{}], [{}, {}]])),
    (lambda: S.from_pyval([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (lambda: S.from_pyval({"a": [np.array([1, 2]), np.array([3])]}), ([], {"a": [[1, 2], [3]]})),
    (lambda: S.from_pyval([{"a": 1}], S.from_pyval([{"a": 1.5}])._type_spec), ([1], [{"a": 1.0}])),
    (lambda: S.from_fields({"x": [1, 2], "y": [[1], [2]]}, [None]),
     ([2], [{"x": 1, "y": [1]}, {"x": 2, "y": [2]}])),
    (lambda: S.from_fields({"x": [[1, 2], [3, 4]]}, [2, None]),
     ([2, 2], [[{"x": 1}, {"x": 2}], [{"x": 3}, {"x": 4}]])),
    (lambda: S.from_fields({}, [2], nrows=2), ([2], [{}, {}])),
    (lambda: S.from_shape(tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2)])),
     ([2, None], [[{}], [{}, {}]])),
    (lambda: PEOPLE[1], ([], {"a": [3], "b": 2.5})),
    (lambda: PEOPLE[0, "a"], [1, 2]),
    (lambda: PEOPLE[:, "a"], [[1, 2], [3]]),
    (lambda: RAGGED[0, 0, "a", 1], 2),
    (lambda: RAGGED[:, :1, "a"], [[[1, 2]], [[3]], []]),
    (lambda: RAGGED[0, 1], ([], {"a": [], "s": {"q": 2.0}})),
    (lambda: RAGGED[::2][:, :, "s", "q"], [[1.0, 2.0], []]),
    (lambda: RAGGED.merge_dims(0, 1).field_value(("s", "q")), [1.0, 2.0, 3.0]),
    (lambda: RAGGED.partition_outer_dimension(Rows.from_row_splits([0, 1, 3])).field_value("a"),
     [[[[1, 2], []]], [[[3]], []]]),
    (lambda: DOCS.promote(("d", "t"), "dt").field_value("dt"), [[1, 2, 3], [4]]),
    (lambda: PEOPLE.with_updates({"a": None, "b": lambda b: b * 2, "n": [1, 2]}),
     ([2], [{"b": 3.0, "n": 1}, {"b": 5.0, "n": 2}])),
    (lambda: RAGGED.with_updates({"a": None, ("s", "r"): tf.ragged.constant([[1, 2], [3], []])})[1],
     ([1], [{"s": {"q": 3.0, "r": 3}}])),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_records_are_made_cut_and_changed(number: int) -> None:
    call, expected = RESULTS[number]

    assert expected == told(call())


REFUSALS: list[tuple[type[Exception], Callable[[], Any]]] = [
    (KeyError, lambda: S.from_pyval([{"a": 1}, {"b": 2}])),
    (ValueError, lambda: S.from_pyval([{"a": 1}, 3])),
    (ValueError, lambda: S.from_pyval([[{"a": 1}], {"a": 1}])),
    (ValueError, lambda: S.from_pyval([{"a": 1}, {"a": 2}], S.from_pyval([{"a": 1}])._type_spec)),
    (TypeError, lambda: S.from_fields(cast(Any, [1]), [2])),
    (TypeError, lambda: S.from_fields(cast(Any, {1: 2}))),
    (ValueError, lambda: S.from_fields({"a b": 2})),
    (ValueError, lambda: S.from_fields({"x": [1, 2]}, [3])),
    (ValueError, lambda: S.from_fields({"x": 1}, None)),
    (ValueError, lambda: S.from_fields({}, [None])),
    (ValueError, lambda: S.from_fields({}, [2, None])),
    (ValueError, lambda: S.from_fields_and_rank({"x": [[1, 2]], "y": [[1, 2, 3]]}, 2)),
    (ValueError, lambda: S.from_fields_and_rank({}, 2)),
    (KeyError, lambda: PEOPLE.field_value("q")),
    (KeyError, lambda: ONE["q"]),
    (IndexError, lambda: PEOPLE[5]),
    (ValueError, lambda: ONE[0]),
    (TypeError, lambda: PEOPLE["a"]),
    (ValueError, lambda: PEOPLE[...]),
    (ValueError, lambda: PEOPLE.merge_dims(0, 1)),
    (ValueError, lambda: RAGGED.merge_dims(1, 0)),
    (TypeError, lambda: PEOPLE.partition_outer_dimension(5)),
    (ValueError, lambda: ONE.partition_outer_dimension(Rows.from_row_splits([0, 1]))),
    (
        tf.errors.InvalidArgumentError,
        lambda: PEOPLE.partition_outer_dimension(Rows.from_row_splits([0, 1, 3])),
    ),
    (ValueError, lambda: PEOPLE.promote(("a",), "z")),
    (KeyError, lambda: PEOPLE.promote(("q", "r"), "z")),
    (ValueError, lambda: PEOPLE.with_updates({"z": None})),
    (ValueError, lambda: PEOPLE.with_updates({"z": lambda z: z})),
    (ValueError, lambda: PEOPLE.with_updates({"n": [1, 2, 3]})),
    (ValueError, lambda: PEOPLE.with_updates({("a", "x"): 1})),
    (ValueError, lambda: ONE.with_updates({"b": 5, ("b", "c"): 3})),
    (TypeError, lambda: hash(PEOPLE)),
]


@pytest.mark.parametrize("number", range(len(REFUSALS)))
def test_what_does_not_fit_records_is_refused(number: int) -> None:
    kind, call = REFUSALS[number]

    with pytest.raises(kind):
        call()


def test_records_print_their_fields_by_name() -> None:
    expected = (
        "<StructuredTensor(\n    fields={\n"
        '        "a": tf.Tensor([1 2], shape=(2,), dtype=int32),\n'
        '        "b": <StructuredTensor(\n                fields={\n                    '
        "\"c\": tf.Tensor(b'x', shape=(), dtype=string)},\n                shape=())>},\n"
        "    shape=())>"
    )

    assert expected == repr(ONE)


def test_functions_take_and_return_records_of_any_sizes() -> None:
    field = tf.RaggedTensorSpec([None, None, None], tf.int32)
    spec = S.Spec._from_fields_and_rank({"a": field}, 2)

    @tf.function(input_signature=[spec])
    def parts(records: Any) -> Any:
        doubled = records.with_updates({"a": lambda a: a * 2})
        return doubled, records[1:], records.merge_dims(0, 1), records[:, :1]

    doubled, rest, merged, first = parts(RAGGED.with_updates({"s": None}))

    assert [[[2, 4], []], [[6]], []] == told(doubled.field_value("a"))
    assert ([2, None], [[{"a": [3]}], []]) == told(rest)
    assert ([3], [{"a": [1, 2]}, {"a": []}, {"a": [3]}]) == told(merged)
    assert [[0, 1, 2, 2], [0, 1, 1]] == [
        one.row_partitions[0].row_splits().numpy().tolist() for one in (first, rest)
    ]


def test_datasets_cut_records_into_rows_and_batch_rows_of_any_length() -> None:
    rows = tf.data.Dataset.from_tensor_slices(RAGGED)
    batches = [told(one) for one in rows.batch(2)]

    assert [2, 1, 0] == [int(one.nrows()) for one in rows]
    assert [told(RAGGED[:2]), told(RAGGED[2:])] == batches
    assert tf.RaggedTensorSpec([None, None], tf.int32, 1) == rows.element_spec.fields["a"]


def test_loops_change_records() -> None:
    @tf.function
    def shrunk(records: Any) -> Any:
        for _ in tf.range(1):
            records = records[1:].with_updates({"b": lambda b: b + 1})
        return records, records.nrows()

    records, count = shrunk(PEOPLE)

    assert ([1], [{"a": [3], "b": 3.5}]) == told(records)
    assert 1 == int(count)


def test_a_shape_describes_itself() -> None:
    shape = tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 3])
    spec = shape.Spec.from_value(shape)

    assert (
        "DynamicRaggedShape.Spec(row_partitions=(RowPartitionSpec(nrows=2, nvals=3, "
        "uniform_row_length=None, dtype=tf.int64),), static_inner_shape=TensorShape([3, 3]), "
        "dtype=tf.int64)"
    ) == repr(spec)
    assert spec.is_compatible_with(shape)
    assert (3, 2, 1, tf.int32) == (
        spec.rank, spec.inner_rank, spec.num_row_partitions, spec.with_dtype("int32").dtype,
    )  # fmt: skip
    assert shape == tf.function(lambda it: it)(shape)


def test_numbers_without_an_axis_are_numpy_scalars_in_python_values() -> None:
    value = tf.experimental.StructuredTensor.from_pyval({"a": 1, "b": {"c": "x"}, "d": [1.5]})
    found = value.to_pyval()

    assert (np.int32, bytes, float) == (
        type(found["a"]),
        type(found["b"]["c"]),
        type(found["d"][0]),
    )


def test_records_are_no_python_values_while_a_function_is_traced() -> None:
    value = tf.experimental.StructuredTensor.from_pyval([{"a": 1}])

    with pytest.raises(ValueError, match="eager mode"):
        tf.function(lambda x: x.to_pyval())(value)
