"""Files of comma-separated values as datasets. What is expected is what TensorFlow 2.21 gives."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

CsvDataset = tf.data.experimental.CsvDataset
make_csv_dataset = tf.data.experimental.make_csv_dataset
INT, TEXT = tf.int32, tf.string
WRONG = "wrong"


def written(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    return str(path)


def rows(dataset: Any) -> list[Any]:
    """The elements; WRONG for those that are refused."""
    found, elements = list[Any](), iter(dataset)
    while True:
        try:
            found.append(tuple(one.numpy() for one in next(elements)))
        except StopIteration:
            return found
        except tf.errors.InvalidArgumentError:
            found.append(WRONG)


@pytest.mark.parametrize(
    ("text", "numbers", "texts"),
    [
        ("1,2\n3,4", [(1, 2), (3, 4)], [(b"1", b"2"), (b"3", b"4")]),
        ("1,2\r\n3,4\r\n", [(1, 2), (3, 4)], [(b"1", b"2"), (b"3", b"4")]),
        ("1,2\r3,4\r", [(1, 2), (3, 4)], [(b"1", b"2"), (b"3", b"4")]),
        ("1,2\n\n3,4\n", [(1, 2), WRONG, (3, 4)], [(b"1", b"2"), WRONG, (b"3", b"4")]),
        ('"a\nb",2\n"c""d",4\n', [WRONG, WRONG], [(b"a\nb", b"2"), (b'c"d', b"4")]),
        ('"a\r\nb",2\r\n3,4\r\n', [WRONG, (3, 4)], [(b"a\r\nb", b"2"), (b"3", b"4")]),
        ("1\n1,2,3\n5,6\n", [WRONG, WRONG, (5, 6)], [WRONG, WRONG, (b"5", b"6")]),
        (",2\n", [(0, 2)], [WRONG]),
        ('a"b,2\n3,4\n', [WRONG, (3, 4)], [WRONG, (b"3", b"4")]),
        ('"a"b,2\n3,4\n', [WRONG], [WRONG]),
        ('"ab,2\n3,4\n', [WRONG], [WRONG]),
        ("1\r,2\n", [WRONG, (0, 2)], [WRONG, WRONG]),
        ("", [], []),
    ],
)
def test_records_are_read_as_tensorflow_reads_them(
    tmp_path: Path, text: str, numbers: list[Any], texts: list[Any]
) -> None:
    path = written(tmp_path / "file", text)

    assert numbers == rows(CsvDataset(path, [[0], [0]]))
    assert texts == rows(CsvDataset(path, [TEXT, TEXT]))


def test_a_default_may_be_a_bare_value(tmp_path: Path) -> None:
    path = written(tmp_path / "file", "1,2.5\n,\n")

    assert [(1, 2.5), (999, 0.5)] == rows(CsvDataset(path, [999, 0.5]))


def test_columns_are_selected_and_headers_skipped(tmp_path: Path) -> None:
    path = written(tmp_path / "file", "a;b;c\n1;NA;3\n4;5;6\n")

    def read(defaults: list[Any], **options: Any) -> list[Any]:
        return rows(CsvDataset([path, path], defaults, header=True, field_delim=";", **options))

    assert [(1, 3), (4, 6)] * 2 == read([INT, INT], select_cols=[0, 2])
    assert [(1, 3), (4, 6)] * 2 == read([INT, INT], exclude_cols=[1])
    assert [(7,), (5,)] * 2 == read([[7]], select_cols=[1], na_value="NA")


def test_compressed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "file.gz").write_bytes(gzip.compress(b"1,2\n"))

    assert [(1, 2)] == rows(CsvDataset(str(tmp_path / "file.gz"), [INT, INT], "GZIP"))


def test_names_and_dtypes_of_columns_are_read_of_compressed_files(tmp_path: Path) -> None:
    (tmp_path / "file.gz").write_bytes(gzip.compress(b"a,b\n1,2.5\n"))
    table = tf.data.experimental.make_csv_dataset(
        str(tmp_path / "file.gz"), 1, num_epochs=1, compression_type="GZIP"
    )

    (row,) = table
    assert {"a": [1], "b": [2.5]} == {name: column.numpy().tolist() for name, column in row.items()}


@pytest.mark.parametrize(
    ("defaults", "options"),
    [
        ([], {}),
        ([INT, INT], {"select_cols": [1, 0]}),
        ([INT], {"select_cols": [0, 1]}),
        ([[1, 2]], {}),
        ([INT], {"field_delim": ";;"}),
        ([INT], {"compression_type": "LZ4"}),
        ([INT], {"select_cols": [0], "exclude_cols": [1]}),
    ],
)
def test_other_arguments_are_refused(defaults: list[Any], options: dict[str, Any]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        CsvDataset("file", defaults, **options)


def test_an_empty_file_has_no_header(tmp_path: Path) -> None:
    path = written(tmp_path / "file", "")

    assert [WRONG] == rows(CsvDataset(path, [INT], header=True))


# ---------------------------------------------------------------- tables

TABLE = "id,name,score\n1,ann,0.5\n2,bob,1.5\n3,,2.5\n"


def batches(dataset: Any, count: int = 9) -> list[Any]:
    return [tf.nest.map_structure(lambda one: one.numpy().tolist(), one)
            for one in dataset.take(count)]  # fmt: skip


def test_tables_are_batches_of_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", TABLE)
    once = {"num_epochs": 1, "shuffle": False}

    assert [
        {"id": [1, 2], "name": [b"ann", b"bob"], "score": [0.5, 1.5]},
        {"id": [3], "name": [b""], "score": [2.5]},
    ] == batches(make_csv_dataset(path, 2, **once))
    assert [({"score": [0.5, 1.5]}, [1, 2]), ({"score": [2.5]}, [3])] == batches(
        make_csv_dataset(path, 2, label_name="id", select_columns=["score", "id"], **once)
    )


def test_tables_come_again_in_whole_batches(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", TABLE)
    dataset = make_csv_dataset(path, 2, shuffle=False, select_columns=["id"])

    assert [[1, 2], [3, 1], [2, 3], [1, 2]] == [one["id"] for one in batches(dataset, 4)]
    assert tf.TensorSpec([2], tf.int32) == dataset.element_spec["id"]


def test_the_first_rows_tell_the_dtypes(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", "a,b,c,d\n1,2147483648,1,x\n2,3,1e300,\n")
    spec = make_csv_dataset(path, 2).element_spec
    few = make_csv_dataset(path, 2, num_rows_for_inference=1).element_spec

    assert [tf.int32, tf.int64, tf.float64, tf.string] == [one.dtype for one in spec.values()]
    assert [tf.int32, tf.int64, tf.int32, tf.string] == [one.dtype for one in few.values()]


def test_wrong_records_are_left_out_where_that_is_asked(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", "a\n1\nx\n3\n")
    once = {"num_epochs": 1, "shuffle": False, "column_defaults": [INT]}

    assert [{"a": [1, 3]}] == batches(make_csv_dataset(path, 2, ignore_errors=True, **once))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a valid int32: x"):
        batches(make_csv_dataset(path, 2, **once))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label_name": "nope"}, "label_name"),
        ({"select_columns": ["nope"]}, "select_columns"),
        ({"header": False}, "column_names"),
        ({"column_defaults": [0]}, "column_defaults"),
    ],
)
def test_tables_without_such_columns_are_refused(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    path = written(tmp_path / "table.csv", TABLE)

    with pytest.raises(ValueError, match=message):
        make_csv_dataset(path, 2, **options)


def test_files_have_the_same_columns(tmp_path: Path) -> None:
    paths = [written(tmp_path / name, f"{name}\n1\n") for name in ("a", "b")]

    with pytest.raises(ValueError, match="different column names"):
        make_csv_dataset(paths, 2)
    with pytest.raises(ValueError, match="No files match"):
        make_csv_dataset(str(tmp_path / "none*"), 2)


@pytest.mark.parametrize(
    ("defaults", "expected"),
    [
        ([3, 1.0, 7], [(1, 2.5, b"x"), WRONG]),
        (["int32", float, "string"], [(1, 2.5, b"x"), WRONG]),
        ([100, 0.0, "q"], [(1, 2.5, b"x"), (100, 0.0, b"q")]),
    ],
)
def test_a_default_may_name_a_dtype_as_its_number_does(
    tmp_path: Path, defaults: list[Any], expected: list[Any]
) -> None:
    path = written(tmp_path / "table.csv", "1,2.5,x\n,,\n")
    table = make_csv_dataset(
        path, 1, ["a", "b", "c"], defaults, shuffle=False, header=False, num_epochs=1
    )

    found = rows(CsvDataset(path, defaults))

    assert expected == found
    assert [np.dtype(type(one)) for one in found[0][:2]] == [np.int32, np.float32]
    assert expected == rows(table.unbatch().map(lambda row: tuple(row.values())))


def test_a_wrong_record_among_many_is_the_only_one_that_fails(tmp_path: Path) -> None:
    texts = [f"{k},{k}" for k in range(40)]
    texts[23] = "x,23"

    found = rows(CsvDataset(written(tmp_path / "file", "\n".join(texts)), [[0], TEXT]))

    assert [*((k, b"%d" % k) for k in range(23)), WRONG] == found[:24]
    assert [(k, b"%d" % k) for k in range(24, 40)] == found[24:]
