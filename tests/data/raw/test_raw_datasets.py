"""Datasets by TensorFlow's older and first names: what TensorFlow 2.21 gives for the same calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RAW = tf.raw_ops
NUMBER = tf.TensorSpec([], tf.int64)
ONE: dict[str, Any] = {"output_types": [tf.int64], "output_shapes": [[]]}
BOTH = ("", "Experimental")


def numbers(stop: int, start: Any = 0) -> Any:
    return RAW.RangeDataset(start=start, stop=stop, step=1, **ONE)


def traced(function: Callable[..., Any], count: int = 1) -> Any:
    return tf.function(function).get_concrete_function(*[NUMBER] * count)


def passed(dataset: Any, types: Any = (tf.int64,), shapes: Any = ((),)) -> list[list[Any]]:
    """The components of every element."""
    said = {"output_types": types, "output_shapes": shapes}
    iterator = RAW.AnonymousIteratorV3(**said)
    RAW.MakeIterator(dataset=dataset, iterator=iterator)
    found = []
    while True:
        try:
            element = RAW.IteratorGetNext(iterator=iterator, **said)
        except tf.errors.OutOfRangeError:
            return found
        found.append([np.asarray(one).tolist() for one in element])


SAME: dict[str, dict[str, Any]] = {
    "BytesProducedStats": {"tag": "a"},
    "IgnoreErrors": {},
    "LatencyStats": {"tag": "a"},
    "MaxIntraOpParallelism": {"max_intra_op_parallelism": 1},
    "NonSerializable": {},
    "PrivateThreadPool": {"num_threads": 1},
    "Sleep": {"sleep_microseconds": 1},
    "Unique": {},
}


@pytest.mark.parametrize("prefix", BOTH)
def test_some_only_say_how_elements_are_computed(prefix: str) -> None:
    for name, told in SAME.items():
        make = getattr(RAW, f"{prefix}{name}Dataset")
        assert [[0], [1], [2]] == passed(make(input_dataset=numbers(3), **told, **ONE)), name
    fastest = getattr(RAW, f"{prefix}ChooseFastestDataset")
    several = fastest(input_datasets=[numbers(2), numbers(2)], num_experiments=1, **ONE)
    pool = getattr(RAW, f"{prefix}ThreadPoolHandle")(num_threads=2, display_name="pool")
    pooled = getattr(RAW, f"{prefix}ThreadPoolDataset")(
        input_dataset=numbers(2), thread_pool=pool, **ONE
    )

    assert [[0], [1]] == passed(several) == passed(pooled)
    assert 3 == int(getattr(RAW, f"{prefix}DatasetCardinality")(input_dataset=numbers(3)))


@pytest.mark.parametrize("prefix", BOTH)
def test_functions_are_called_under_both_names(prefix: str) -> None:
    def made(name: str, **told: Any) -> list[Any]:
        given = {"input_dataset": numbers(5), **ONE, **told}
        shapes = given["output_shapes"]
        return passed(getattr(RAW, f"{prefix}{name}Dataset")(**given), shapes=shapes)

    double = traced(lambda x: x * 2)
    batched = {"other_arguments": [], "batch_size": 2, "num_parallel_calls": 2, "f": double}
    assert [[[0, 2]], [[4, 6]], [[8]]] == made(
        "MapAndBatch", drop_remainder=False, **batched, output_shapes=[[None]]
    )
    assert [[[0, 2]], [[4, 6]]] == made(
        "MapAndBatch", drop_remainder=True, **batched, output_shapes=[[2]]
    )
    small = traced(lambda x: x < 2)
    assert [[0], [1]] == made("TakeWhile", other_arguments=[], predicate=small)
    scanned = traced(lambda a, x: (a + x, a * x), 2)
    start = [np.int64(1)]
    assert [[0], [1], [4], [12], [28]] == made(
        "Scan", initial_state=start, other_arguments=[], f=scanned
    )
    of = {f"{part}_func_other_arguments": [] for part in ("key", "init", "reduce", "finalize")}
    reduced = made(
        "GroupByReducer", **of, key_func=traced(lambda x: x % 2),
        init_func=traced(lambda key: tf.constant(0, tf.int64)),
        reduce_func=traced(lambda a, x: a + x, 2), finalize_func=traced(lambda a: a * 10),
    )  # fmt: skip
    assert [[60], [40]] == reduced


def test_datasets_that_a_function_makes_take_turns() -> None:
    made = traced(lambda x: numbers(x * 10 + 3, x * 10))
    given = {"input_dataset": numbers(3), "other_arguments": [], "cycle_length": 2,
             "block_length": 2, "f": made, **ONE}  # fmt: skip
    ahead = {"buffer_output_elements": 1, "prefetch_input_elements": 1}
    forms = [
        RAW.ParallelInterleaveDataset(sloppy=False, **ahead, **given),
        RAW.ExperimentalParallelInterleaveDataset(sloppy=False, **ahead, **given),
        RAW.ParallelInterleaveDatasetV2(num_parallel_calls=2, **given),
        RAW.ParallelInterleaveDatasetV3(num_parallel_calls=2, **given),
        RAW.LegacyParallelInterleaveDatasetV2(deterministic="true", **ahead, **given),
    ]
    for one in forms:
        assert [[0], [1], [10], [11], [2], [12], [20], [21], [22]] == passed(one)


def test_older_forms_of_other_transformations() -> None:
    given: dict[str, Any] = {"input_dataset": numbers(4), "other_arguments": [],
                             "num_parallel_calls": 2, **ONE}  # fmt: skip
    mapped = RAW.ParallelMapDataset(f=traced(lambda x: x * 2), **given)
    kept = RAW.ParallelFilterDataset(predicate=traced(lambda x: x % 2 > 0), **given)
    padded = RAW.PaddedBatchDataset(
        input_dataset=numbers(5), batch_size=2, padded_shapes=[np.zeros(0, np.int64)],
        padding_values=[np.int64(0)], output_shapes=[[None]],
    )  # fmt: skip
    pairs = {"output_types": [tf.int64] * 2, "output_shapes": [[], []]}
    listed = RAW.ListDataset(tensors=[np.int64(k) for k in (1, 5, 7, 8)], **pairs)

    assert [[0], [2], [4], [6]] == passed(mapped)
    assert [[1], [3]] == passed(kept)
    assert [[[0, 1]], [[2, 3]], [[4]]] == passed(padded, shapes=[[None]])
    assert [[1, 5], [7, 8]] == passed(listed, [tf.int64] * 2, [[], []])


@pytest.mark.parametrize("prefix", BOTH)
def test_records_of_text_and_of_queries(prefix: str, tmp_path: Path) -> None:
    text, base = tmp_path / "rows.csv", tmp_path / "rows.db"
    text.write_text("a,b\n1,x\n2,\n")
    with closing(sqlite3.connect(base)) as database:
        database.executescript("create table t(a integer, b text); insert into t values(1, 'x')")
    kinds: list[Any] = [tf.int64, tf.string]
    told = {
        "filenames": [str(text)], "compression_type": "", "buffer_size": 100, "header": True,
        "field_delim": ",", "use_quote_delim": True, "na_value": "",
    }  # fmt: skip
    rows = getattr(RAW, f"{prefix}CSVDataset")(
        **told, select_cols=np.zeros(0, np.int64), output_shapes=[[], []],
        record_defaults=[np.array([0]), np.array(["d"])],
    )  # fmt: skip
    others = RAW.CSVDatasetV2(
        **told, select_cols=np.zeros(0, np.int64), output_shapes=[[]],
        record_defaults=[np.array([0])], exclude_cols=np.array([1]),
    )  # fmt: skip
    found = getattr(RAW, f"{prefix}SqlDataset")(
        driver_name="sqlite", data_source_name=str(base), query="select * from t",
        output_types=kinds, output_shapes=[[], []],
    )  # fmt: skip

    assert [[1, b"x"], [2, b"d"]] == passed(rows, kinds, [[], []])
    assert [[1], [2]] == passed(others)
    assert [[1, b"x"]] == passed(found, kinds, [[], []])


def test_pieces_of_files_without_compression(tmp_path: Path) -> None:
    file = tmp_path / "pieces"
    file.write_bytes(b"habcdeft")
    pieces = RAW.FixedLengthRecordDataset(
        filenames=[str(file)], header_bytes=1, record_bytes=3, footer_bytes=1, buffer_size=10
    )

    assert [[b"abc"], [b"def"]] == passed(pieces, [tf.string])


@pytest.mark.parametrize("compiled", [False, True])
def test_an_element_is_one_value_for_a_while(compiled: bool) -> None:
    def around(x: Any) -> Any:
        value = RAW.CompressElement(components=[x, np.array([1.0, 2.0])])
        kinds = {"output_types": [tf.int64, tf.float64], "output_shapes": [[], [2]]}
        return RAW.UncompressElement(compressed=value, **kinds)

    number, row = (tf.function(around) if compiled else around)(tf.constant(3, tf.int64))

    assert 3 == int(number)
    assert [1.0, 2.0] == row.numpy().tolist()
