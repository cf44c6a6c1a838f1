"""Hash tables: in eager code and in compiled functions, with TensorFlow's answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

LINE, NUMBER = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER


def test_a_whole_line_and_its_number_have_tensorflows_numbers() -> None:
    assert (-2, -1) == (LINE, NUMBER)


def words() -> Any:
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    return tf.lookup.StaticHashTable(initializer, default_value=-1)


def changing() -> Any:
    return tf.lookup.experimental.MutableHashTable(tf.int64, tf.int32, -1)


@pytest.fixture
def lines(tmp_path: Path) -> str:
    path = tmp_path / "vocabulary.txt"
    path.write_text("foo\t3\nbar\t5\nbaz\t7\n")
    return str(path)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_keys_have_their_values_and_others_the_default(compiled: bool) -> None:
    table = words()
    lookup = tf.function(table.lookup) if compiled else table.lookup

    assert [[1, -1], [2, 1]] == lookup(tf.constant([["a", "z"], ["b", "a"]])).numpy().tolist()


def test_a_table_knows_its_size_and_entries() -> None:
    table = words()
    keys, values = table.export()

    assert 2 == table.size().numpy()
    assert {b"a": 1, b"b": 2} == dict(
        zip(keys.numpy().tolist(), values.numpy().tolist(), strict=True)
    )
    assert [2] == table[tf.constant(["b"])].numpy().tolist()


def test_a_fixed_table_is_not_read_before_it_is_filled() -> None:
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    keys, number = tf.constant(["a"]), tf.constant(-1, tf.int64)

    def find() -> Any:
        return tf.raw_ops.LookupTableFindV2(table_handle=table, keys=keys, default_value=number)

    assert 0 == tf.raw_ops.LookupTableSizeV2(table_handle=table).numpy()
    for one in (find, tf.function(find)):
        with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
            one()
    with pytest.raises(tf.errors.AbortedError, match="not initialized"):
        tf.raw_ops.LookupTableExportV2(table_handle=table, Tkeys=tf.string, Tvalues=tf.int64)


def test_keys_of_another_dtype_are_refused() -> None:
    with pytest.raises(TypeError, match="Dtype of argument `keys` must be"):
        words().lookup(tf.constant([1]))


def test_a_vocabulary_counts_in_int64():
    entries = tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0]))
    with pytest.raises(TypeError, match="are int64, not int32"):
        tf.lookup.StaticVocabularyTable(entries, 1)


def test_a_vocabulary_is_called_as_it_was_named() -> None:
    entries = tf.lookup.KeyValueTensorInitializer(["a"], np.array([0]))

    assert "words" == tf.lookup.StaticVocabularyTable(entries, 1, name="words").name
    assert "buckets" == tf.lookup.StaticVocabularyTable(None, 1, tf.string, name="buckets").name
    assert "hash_bucket" == tf.lookup.StaticVocabularyTable(None, 1, tf.string).name


def test_tables_have_names_in_graphs_alone() -> None:
    def tables() -> list[Any]:
        lookup = tf.lookup
        entries = lookup.KeyValueTensorInitializer(["a"], [1])
        with tf.name_scope("scope"):
            return [
                lookup.StaticHashTable(entries, 0, name="mine"), lookup.StaticHashTable(entries, 0),
                lookup.experimental.MutableHashTable(tf.string, tf.int64, 0, name="mine"),
                lookup.experimental.DenseHashTable(tf.string, tf.int64, 0, "", "-"),
            ]  # fmt: skip

    assert [None] * 4 == [one.name for one in tables()]
    with tf.Graph().as_default():
        names = [one.name for one in tables()]
    assert ["mine", "hash_table", "mine_1", "MutableDenseHashTable"] == names


def test_a_key_has_one_value() -> None:
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "a"], [1, 2])

    with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
        tf.lookup.StaticHashTable(initializer, -1)


def test_entries_come_and_go() -> None:
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, [0.0, 1.0])
    table.insert([1, 2], [[1.0, 2.0], [3.0, 4.0]])
    table.remove(tf.constant([2], tf.int64))

    assert [[[1.0, 2.0], [0.0, 1.0]]] == table.lookup([[1, 2]]).numpy().tolist()
    assert 1 == table.size().numpy()


def test_functions_change_tables() -> None:
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    @tf.function
    def count(word: Any) -> Any:
        table.insert(word, tf.maximum(table.lookup(word), 0) + 1)
        return table.lookup(word)

    found = [count(tf.constant(word)).numpy() for word in ("x", "y", "x", "x")]

    assert [1, 1, 2, 3] == found


def test_traces_get_the_operations_that_change_a_table() -> None:
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    found: list[str] = []

    @tf.function
    def change() -> Any:
        found.append(table.insert(["x"], [1]).type)
        found.append(table.remove(["x"]).type)
        return table.size()

    assert 0 == change()
    assert ["LookupTableInsertV2", "LookupTableRemoveV2"] == found
    assert table.insert(["x"], [1]) is None


def test_the_lines_of_a_file_are_entries(lines: str) -> None:
    numbered = tf.lookup.TextFileInitializer(lines, tf.string, 0, tf.int64, NUMBER)
    told = tf.lookup.TextFileInitializer(lines, tf.int64, 1, tf.string, LINE)
    by_word = tf.lookup.StaticHashTable(numbered, -1)
    by_number = tf.lookup.StaticHashTable(told, "none")

    assert [1, -1] == by_word.lookup(tf.constant(["bar", "no"])).numpy().tolist()
    assert [b"baz\t7", b"none"] == by_number.lookup(tf.constant([7, 1], tf.int64)).numpy().tolist()


def test_a_line_without_the_column_is_an_error(lines: str) -> None:
    initializer = tf.lookup.TextFileInitializer(lines, tf.string, 2, tf.int64, NUMBER)

    with pytest.raises(tf.errors.InvalidArgumentError, match="columns"):
        tf.lookup.StaticHashTable(initializer, -1)


def filled(path: Path, text: bytes, **options: Any) -> list[tuple[bytes, int]]:
    path.write_bytes(text)
    lines = tf.lookup.TextFileInitializer(str(path), tf.string, LINE, tf.int64, NUMBER, **options)
    keys, values = tf.lookup.StaticHashTable(lines, -1).export()
    return sorted(zip(keys.numpy().tolist(), values.numpy().tolist(), strict=True))


def test_a_line_loses_its_end_only(tmp_path: Path) -> None:
    assert [(b"a\rb", 0), (b"b\r", 1)] == filled(tmp_path / "v", b"a\rb\r\nb\r\r\n")


def test_as_many_lines_as_asked_for_are_entries(tmp_path: Path) -> None:
    path = tmp_path / "v"

    assert [(b"a", 0)] == filled(path, b"a\nb\n", vocab_size=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="is 3, but there are 2 lines"):
        filled(path, b"a\nb\n", vocab_size=3)
    for size in (0, -1):
        with pytest.raises(ValueError, match=f"must be > 0, not {size}"):
            filled(path, b"a\nb\n", vocab_size=size)


def test_empty_lines_and_long_delimiters_are_refused(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="v: line 2 is empty"):
        filled(tmp_path / "v", b"a\n\r\nb")
    for delimiter in ("", ",,", "ä"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be one byte"):
            filled(tmp_path / "v", b"a\n", delimiter=delimiter)


def test_unknown_words_share_buckets() -> None:
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], np.array([0, 1]))
    table = tf.lookup.StaticVocabularyTable(initializer, 3)

    # What TensorFlow gives.
    assert [0, 1, 4, 3] == table.lookup(tf.constant(["a", "b", "x", "unknown"])).numpy().tolist()
    assert 5 == table.size().numpy()


@pytest.mark.parametrize("compiled", [False, True])
def test_a_vocabulary_takes_ragged_and_sparse_words(compiled: bool) -> None:
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], np.array([0, 1]))
    table = tf.lookup.StaticVocabularyTable(initializer, 2)
    find = tf.function(table.lookup) if compiled else table.__getitem__

    ragged = find(tf.ragged.constant([["a"], ["b", "c"]]))
    sparse = find(tf.sparse.from_dense([["a", "", "d"]]))

    # What TensorFlow gives.
    assert [[0], [1, 2]] == ragged.to_list()
    assert [0, 3] == sparse.values.numpy().tolist()
    assert [[0, 0], [0, 2]] == sparse.indices.numpy().tolist()


def test_a_vocabulary_refuses_keys_of_another_dtype() -> None:
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], np.array([0, 1]))

    for table in (
        tf.lookup.StaticVocabularyTable(initializer, 2),
        tf.lookup.StaticHashTable(initializer, -1),
    ):
        with pytest.raises(
            TypeError, match="must be <dtype: 'string'>, received: <dtype: 'int32'>"
        ):
            table.lookup(tf.constant([1]))


def test_a_table_that_its_initializer_leaves_alone_is_not_filled() -> None:
    class Nothing(tf.lookup.KeyValueTensorInitializer):
        key_dtype: Any = tf.string
        value_dtype: Any = tf.int64

        def __init__(self) -> None:
            pass

        def initialize(self, table: Any) -> None:
            pass

    table = tf.lookup.StaticHashTable(Nothing(), -1)

    assert 0 == table.size().numpy()
    with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
        table.lookup(tf.constant("a"))


@pytest.mark.parametrize("dtype", [tf.int64, tf.int32])
def test_a_whole_line_may_be_a_number(dtype: Any, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("5\n 7 \n9007199254740993\n" if dtype == tf.int64 else "5\n7\n")
    lines = str(tmp_path / "lines")
    keys = tf.lookup.TextFileInitializer(lines, dtype, LINE, tf.int64, NUMBER)
    values = tf.lookup.TextFileInitializer(lines, tf.int64, NUMBER, dtype, LINE)
    numbers, texts = tf.lookup.StaticHashTable(keys, -1), tf.lookup.StaticHashTable(values, -1)

    assert [1, 0, -1] == numbers.lookup(tf.constant([7, 5, 3], dtype)).numpy().tolist()
    last = 2**53 + 1 if dtype == tf.int64 else -1  # float64 does not have it
    assert [5, 7, last] == texts.lookup(tf.constant([0, 1, 2], tf.int64)).numpy().tolist()


@pytest.mark.parametrize(
    ("dtype", "line"), [(tf.int64, "x"), (tf.int64, "1.5"), (tf.int32, "3000000000")]
)
def test_a_line_that_is_no_such_number_is_refused(dtype: Any, line: str, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text(f"a\t{line}\n")
    column = tf.lookup.TextFileInitializer(str(tmp_path / "lines"), tf.string, 0, dtype, 1)

    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"could not correctly convert.*{line}"
    ):
        tf.lookup.StaticHashTable(column, -1)


# ---------------------------------------------------------------- dense tables


def dense(count: int = 8) -> Any:
    return tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int32, -1, empty_key=0, deleted_key=-1, initial_num_buckets=count
    )


def numbers(*values: int) -> Any:
    return tf.constant(values, tf.int64)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_a_dense_table_changes(compiled: bool) -> None:
    table = dense()

    def change(keys: Any) -> Any:
        table.insert_or_assign(keys, [50, 60])
        table.erase(keys[:1])
        return table.lookup(keys), table.size()

    found, size = (tf.function(change) if compiled else change)(numbers(5, 6))

    assert ([-1, 60], 1) == (found.numpy().tolist(), int(size))


def test_a_dense_table_refuses_two_keys() -> None:
    table = dense()
    for call in (table.lookup, table.remove, lambda keys: table.insert(keys, [1])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Using the empty_key"):
            call(numbers(0))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Using the deleted_key"):
            call(numbers(-1))


def test_a_dense_table_exports_its_places_as_tensorflow_does() -> None:
    table = dense(4)
    for key in (1, 9, 17):
        table.insert(numbers(key), [key])
    keys, values = table.export()

    assert [[17], [1], [9], [0]] == keys.numpy().tolist()
    assert [[17], [1], [9], [0]] == values.numpy().tolist()
    table.insert(numbers(25), [25])
    assert [8, 1] == table.export()[0].shape


@pytest.mark.parametrize(
    ("keys", "count", "message"),
    [((1, 1), 8, "cannot be equal"), ((1, 2), 3, "power of 2, got: 3"), ((1, 2), 2, "at least 4")],
)
def test_a_dense_table_has_two_blanks_and_a_power_of_places(
    keys: tuple[int, int], count: int, message: str
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.lookup.experimental.DenseHashTable(
            tf.int64, tf.int64, -1, *keys, initial_num_buckets=count
        )


# ---------------------------------------------------------------- checkpoints


@pytest.mark.parametrize("make", [dense, changing], ids=["dense", "mutable"])
def test_checkpoints_have_the_entries_of_tables(make: Any, tmp_path: Path) -> None:
    table, other = make(), make()
    table.insert(numbers(5, 6), [50, 60])
    other.insert(numbers(7), [70])
    path = tf.train.Checkpoint(table=table).save(tmp_path / "checkpoint")
    keys = {"table/.ATTRIBUTES/table-keys", "table/.ATTRIBUTES/table-values"}
    tf.train.Checkpoint(table=other).restore(path).assert_consumed()

    assert keys <= {name for name, _ in tf.train.list_variables(path)}
    assert [50, 60, -1] == other.lookup(numbers(5, 6, 7)).numpy().tolist()


# ---------------------------------------------------------------- by their own names


def test_tables_of_one_name_are_one_table() -> None:
    raw = tf.raw_ops
    named = {"key_dtype": tf.string, "value_dtype": tf.int32, "shared_name": "one_name"}
    first, second = raw.MutableHashTableV2(**named), raw.MutableHashTableV2(**named)
    third = raw.AnonymousMutableHashTable(key_dtype=tf.string, value_dtype=tf.int32)
    raw.LookupTableInsertV2(table_handle=first, keys=["a"], values=[1])

    sizes = [int(raw.LookupTableSizeV2(table_handle=one)) for one in (first, second, third)]
    assert [1, 1, 0] == sizes
    with pytest.raises(tf.errors.InvalidArgumentError, match="'one_name' of another kind"):
        raw.MutableHashTableV2(**{**named, "value_dtype": tf.int64})


def test_a_table_that_is_filled_once_keeps_what_it_has() -> None:
    raw = tf.raw_ops
    for make in (raw.HashTableV2, raw.AnonymousHashTable):
        table = make(key_dtype=tf.string, value_dtype=tf.int32)
        raw.InitializeTableV2(table_handle=table, keys=["a"], values=[1])
        raw.LookupTableImportV2(table_handle=table, keys=["b"], values=[2])
        found = raw.LookupTableFindV2(table_handle=table, keys=["a", "b"], default_value=0)

        assert [1, 0] == found.numpy().tolist()
        with pytest.raises(tf.errors.UnimplementedError, match="filled once"):
            raw.LookupTableInsertV2(table_handle=table, keys=["b"], values=[2])


def test_tables_of_vectors_and_dense_ones_have_raw_operations() -> None:
    raw = tf.raw_ops
    kinds = {"key_dtype": tf.string, "value_dtype": tf.int32, "value_shape": [2]}
    vectors = raw.AnonymousMutableHashTableOfTensors(**kinds)
    places = raw.AnonymousMutableDenseHashTable(
        empty_key="", deleted_key="$", value_dtype=tf.int32, initial_num_buckets=8
    )
    raw.LookupTableImportV2(table_handle=vectors, keys=["a"], values=[[1, 2]])
    raw.LookupTableInsertV2(table_handle=places, keys=["a"], values=[3])

    one = raw.LookupTableFindV2(table_handle=vectors, keys=["a"], default_value=[0, 0])
    other = raw.LookupTableFindV2(table_handle=places, keys=["a"], default_value=0)
    assert ([[1, 2]], [3]) == (one.numpy().tolist(), other.numpy().tolist())


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_what_a_table_does_not_hold_is_refused(compiled: bool) -> None:
    def find(keys: Any, default: Any) -> Any:
        handle = words().resource_handle
        return tf.raw_ops.LookupTableFindV2(table_handle=handle, keys=keys, default_value=default)

    run = tf.function(find) if compiled else find
    for keys, default in (([1], 0), (["a"], 0.5)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Signature mismatch"):
            run(tf.constant(keys), tf.constant(default))
    variable = tf.Variable(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="wrong type"):
        tf.raw_ops.LookupTableSizeV2(table_handle=variable.handle)


def test_savers_of_graphs_save_tables_that_change(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        weight = v1.get_variable("weight", initializer=1.0)
        tables = [changing(), tf.lookup.experimental.DenseHashTable(tf.int64, tf.int32, -1, 0, -5)]
        tf.lookup.experimental.MutableHashTable(tf.int64, tf.int32, -1, checkpoint=False)
        insert = [table.insert(tf.constant([1, 2], tf.int64), [3, 4]) for table in tables]
        remove = [table.remove(tf.constant([1], tf.int64)) for table in tables]
        found = [table.lookup(tf.constant([1, 2], tf.int64)) for table in tables]
        session.run([weight.initializer, *insert])
        saver = v1.train.Saver()
        path = saver.save(session, str(tmp_path / "model"), global_step=5)
        session.run([weight.assign(9.0), *remove])
        saver.restore(session, path)

        assert [[3, 4], [3, 4]] == [values.tolist() for values in session.run(found)]
        assert 1.0 == session.run(weight)
        names = [name for name, _ in tf.train.list_variables(path)]
    assert names == [
        "MutableDenseHashTable-keys", "MutableDenseHashTable-values",
        "MutableHashTable-keys", "MutableHashTable-values", "weight",
    ]  # fmt: skip


def test_an_imported_graph_restores_its_tables(tmp_path: Path) -> None:
    v1: Any = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        table = changing()
        session.run(table.insert(tf.constant([1], tf.int64), [3]))
        tf.identity(table.lookup(tf.constant([1], tf.int64)), "found")
        path = v1.train.Saver().save(session, str(tmp_path / "model"))

    with tf.Graph().as_default(), v1.Session() as session:
        v1.train.import_meta_graph(f"{path}.meta").restore(session, path)
        assert [3] == session.run("found:0").tolist()
