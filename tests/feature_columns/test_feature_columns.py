"""`tf.feature_column`; texts and numbers are TensorFlow's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.feature_columns.column import Features
from tensormill.feature_columns.dense import EmbeddingColumn
from tensormill.feature_columns.serialization import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)

fc = tf.feature_column
input_layer = tf.compat.v1.feature_column.input_layer

X = fc.numeric_column("x")
V = fc.numeric_column(
    "v", shape=(2,), default_value=(1.0, 2.0), dtype=tf.float64, normalizer_fn=abs
)
BUCKETS = fc.bucketized_column(X, [0.0, 1.0, 2.0])
HASHED = fc.categorical_column_with_hash_bucket("h", 10)
HASHED_INTEGERS = fc.categorical_column_with_hash_bucket("hi", 10, dtype=tf.int64)
IDENTITY = fc.categorical_column_with_identity("i", 5, default_value=0)
WORDS = fc.categorical_column_with_vocabulary_list("w", ["a", "b", "c"], num_oov_buckets=2)
NUMBERS = fc.categorical_column_with_vocabulary_list("n", [10, 20], default_value=-1)
CROSSED = fc.crossed_column([WORDS, "kw"], 7)
CROSSED_BUCKETS = fc.crossed_column([BUCKETS, "kw"], 7, hash_key=5)
WEIGHTED = fc.weighted_categorical_column(WORDS, "wt")
LIST = (
    "VocabularyListCategoricalColumn(key='w', vocabulary_list=('a', 'b', 'c'), dtype=tf.string, "
    "default_value=-1, num_oov_buckets=2)"
)


def features() -> dict[str, Any]:
    return {
        "x": tf.constant([0.5, 3.0]),
        "v": tf.constant([[1.0, -2.0], [3.0, 4.0]], tf.float64),
        "h": tf.constant([["a"], ["b"]]),
        "hi": tf.constant([[1], [2]], tf.int64),
        "i": tf.constant([[1], [9]], tf.int64),
        "w": tf.constant([["a"], ["zz"]]),
        "n": tf.constant([[10], [5]], tf.int64),
        "kw": tf.constant([["k1"], ["k2"]]),
        "wt": tf.constant([[2.0], [3.0]]),
    }


@pytest.mark.parametrize(
    ("column", "name", "text"),
    [
        (X, "x", "NumericColumn(key='x', shape=(1,), default_value=None, dtype=tf.float32, "
         "normalizer_fn=None)"),
        (BUCKETS, "x_bucketized",
         f"BucketizedColumn(source_column={X}, boundaries=(0.0, 1.0, 2.0))"),
        (HASHED, "h", "HashedCategoricalColumn(key='h', hash_bucket_size=10, dtype=tf.string)"),
        (IDENTITY, "i", "IdentityCategoricalColumn(key='i', number_buckets=5, default_value=0)"),
        (WORDS, "w", LIST),
        (CROSSED, "kw_X_w",
         f"CrossedColumn(keys=({LIST}, 'kw'), hash_bucket_size=7, hash_key=None)"),
        (WEIGHTED, "w_weighted_by_wt", f"WeightedCategoricalColumn(categorical_column={LIST}, "
         "weight_feature_key='wt', dtype=tf.float32)"),
        (fc.indicator_column(WORDS), "w_indicator", f"IndicatorColumn(categorical_column={LIST})"),
    ],
)  # fmt: skip
def test_columns_say_what_they_are(column: Any, name: str, text: str) -> None:
    assert name == column.name
    assert text == repr(column)


def test_columns_tell_their_facts_as_plain_values() -> None:
    config = fc.embedding_column(WORDS, 3).get_config()

    assert {"class_name": type(WORDS).__name__, "config": WORDS.get_config()} == (
        config["categorical_column"]
    )
    assert 3 == config["dimension"]
    assert "TruncatedNormal" == config["initializer"]["class_name"]
    assert "float32" == X.get_config()["dtype"]
    assert "abs" == V.get_config()["normalizer_fn"]


def test_examples_are_parsed_for_columns() -> None:
    spec = fc.make_parse_example_spec(
        [X, V, BUCKETS, fc.indicator_column(WORDS), CROSSED, WEIGHTED]
    )

    assert {
        "x": tf.io.FixedLenFeature((1,), tf.float32),
        "v": tf.io.FixedLenFeature((2,), tf.float64, (1.0, 2.0)),
        "w": tf.io.VarLenFeature(tf.string),
        "kw": tf.io.VarLenFeature(tf.string),
        "wt": tf.io.VarLenFeature(tf.float32),
    } == spec
    with pytest.raises(ValueError, match="must be FeatureColumn instances"):
        fc.make_parse_example_spec([3])
    with pytest.raises(ValueError, match="different parse_spec for key x"):
        fc.make_parse_example_spec([X, fc.categorical_column_with_hash_bucket("x", 3)])


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (X, [[0.5], [3]]),
        (V, [[1, 2], [3, 4]]),
        (BUCKETS, [[[0, 1, 0, 0]], [[0, 0, 0, 1]]]),
        (fc.indicator_column(WORDS), [[1, 0, 0, 0, 0], [0, 0, 0, 1, 0]]),
        (fc.indicator_column(NUMBERS), [[1, 0], [0, 0]]),
        (fc.indicator_column(BUCKETS), [[0, 1, 0, 0], [0, 0, 0, 1]]),
        (fc.indicator_column(WEIGHTED), [[2, 0, 0, 0, 0], [0, 0, 0, 3, 0]]),
        (fc.indicator_column(CROSSED), [[0, 0, 0, 0, 1, 0, 0]] * 2),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_dense_columns_give_tensors(column: Any, expected: Any) -> None:
    dense = column.get_dense_tensor(Features(features()), None)

    assert tf.float32 is dense.dtype
    assert expected == dense.numpy().tolist()
    assert list(column.variable_shape)[-1:] == dense.shape[-1:].as_list()


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (HASHED, [9, 2]), (HASHED_INTEGERS, [9, 9]), (IDENTITY, [1, 0]), (WORDS, [0, 3]),
        (NUMBERS, [0, -1]), (CROSSED, [4, 4]), (CROSSED_BUCKETS, [1, 3]), (BUCKETS, [1, 3]),
    ],
    ids=lambda one: getattr(one, "name", ""),
)  # fmt: skip
def test_categorical_columns_give_numbers(column: Any, expected: list[int]) -> None:
    ids, weights = column.get_sparse_tensors(Features(features()), None)

    assert None is weights
    assert tf.int64 is ids.dtype
    assert [[0, 0], [1, 0]] == ids.indices.numpy().tolist()
    assert expected == ids.values.numpy().tolist()
    assert [2, 1] == ids.dense_shape.numpy().tolist()


def test_a_vocabulary_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("x\ny\nz\n")
    column = fc.categorical_column_with_vocabulary_file("f", str(path), num_oov_buckets=1)

    ids, _ = column.get_sparse_tensors(Features({"f": tf.constant([["y"], ["q"]])}), None)

    assert (4, 3) == (column.num_buckets, column.vocabulary_size)
    assert [1, 3] == ids.values.numpy().tolist()


def test_what_says_nothing_is_left_out() -> None:
    ids, _ = WORDS.get_sparse_tensors(Features({"w": tf.constant([["b", ""], ["", "a"]])}), None)

    assert [[0, 0], [1, 1]] == ids.indices.numpy().tolist()
    assert [1, 0] == ids.values.numpy().tolist()


def test_the_layer_of_columns_is_sorted_by_name() -> None:
    columns = [fc.indicator_column(WORDS), X, BUCKETS]
    expected = [[1, 0, 0, 0, 0, 0.5, 0, 1, 0, 0], [0, 0, 0, 1, 0, 3, 0, 0, 0, 1]]
    given = {"x": tf.constant([[0.5], [3.0]]), "w": tf.constant([["a"], ["zz"]])}

    assert expected == input_layer(given, columns).numpy().tolist()
    assert expected == tf.function(lambda one: input_layer(one, columns))(given).numpy().tolist()
    batches = tf.data.Dataset.from_tensors(given).map(lambda one: input_layer(one, columns))
    assert [expected] == [batch.numpy().tolist() for batch in batches]


@pytest.mark.parametrize(
    "column",
    [X, V, BUCKETS, HASHED, HASHED_INTEGERS, IDENTITY, WORDS, NUMBERS, CROSSED_BUCKETS, WEIGHTED,
     fc.indicator_column(CROSSED), fc.sequence_numeric_column("s", (2,)),
     fc.indicator_column(fc.sequence_categorical_column_with_identity("i", 5))],
    ids=lambda column: column.name,
)  # fmt: skip
def test_columns_are_made_from_what_they_say_of_themselves(column: Any) -> None:
    told = json.loads(json.dumps(column.get_config()))

    assert column == type(column).from_config(told, {"abs": abs})
    assert column == deserialize_feature_column(serialize_feature_column(column), {"abs": abs})


def test_the_start_of_vectors_is_made_from_what_it_says_of_itself() -> None:
    starts = [None, tf.constant_initializer(0.5)]
    told = [fc.embedding_column(IDENTITY, 2, initializer=one).get_config() for one in starts]

    made = [EmbeddingColumn.from_config(one) for one in told]
    assert told == [one.get_config() for one in made]
    assert [[0.5]] == made[1].initializer([1, 1]).numpy().tolist()


def test_columns_that_others_read_are_made_once() -> None:
    made = deserialize_feature_columns(serialize_feature_columns([X, BUCKETS, "z"]))

    assert [X, BUCKETS, "z"] == made
    assert made[0] is made[1].source_column


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (3, "Improper config"),
        ({"class_name": "NumericColumn"}, "Improper config"),
        ({"class_name": "Nope", "config": {}}, "Unknown column: Nope"),
        ({"class_name": "NumericColumn", "config": {"x": 1}}, "expected keys"),
        (serialize_feature_column(V), "Unknown function: abs"),
    ],
)
def test_what_says_no_column_is_refused(config: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        deserialize_feature_column(config)
    with pytest.raises(ValueError, match="not a FeatureColumn"):
        serialize_feature_column(config)


def test_embeddings_combine_the_vectors_of_categories() -> None:
    table = np.arange(10.0).reshape(5, 2).astype("f")
    column = fc.embedding_column(WORDS, 2, "sum", lambda shape, dtype: tf.constant(table, dtype))
    variables: dict[Any, Any] = {}
    words = tf.sparse.from_dense([["a", "b"], ["c", ""]])

    dense = input_layer({"w": words}, [column], cols_to_vars=variables)

    assert [[2.0, 4.0], [4.0, 5.0]] == dense.numpy().tolist()
    (variable,) = variables[column]
    assert ("input_layer/w_embedding/embedding_weights:0", True) == (
        variable.name,
        variable.trainable,
    )


def test_embeddings_are_variables_of_graphs_of_tensorflow_one() -> None:
    with tf.Graph().as_default():
        both = [fc.categorical_column_with_vocabulary_list(one, ["a", "b"]) for one in "wi"]
        shared = fc.shared_embeddings(both, 3)
        given = {"w": tf.constant([["a"]]), "i": tf.constant([["a"]])}
        dense = input_layer(given, shared)
        with tf.compat.v1.Session() as session:
            session.run(tf.compat.v1.global_variables_initializer())
            session.run(tf.compat.v1.tables_initializer())
            ((a, b, c, *others),) = session.run(dense)

    assert [a, b, c] == others
    with pytest.raises(RuntimeError, match="eager execution"):
        fc.shared_embeddings([WORDS], 3)


def test_columns_share_the_table_that_the_graph_keeps() -> None:
    ids = [fc.categorical_column_with_identity(name, 5) for name in "ba"]
    told: dict[Any, Any] = {}
    with tf.Graph().as_default() as graph:
        given = {"a": tf.constant([[0, 1], [2, -1]], tf.int64), "b": tf.constant([[3], [4]])}
        shared = tf.compat.v1.feature_column.shared_embedding_columns(ids, 3, combiner="sum")
        dense = input_layer(given, shared, cols_to_vars=told)
        input_layer(given, shared)
        tf.compat.v1.feature_column.linear_model(given, shared[:1])
        (table,) = graph.get_collection("a_b_shared_embedding")
        with tf.compat.v1.Session() as session:
            session.run(tf.compat.v1.global_variables_initializer())
            rows, found = session.run([table, dense])

    assert "input_layer/a_b_shared_embedding/embedding_weights:0" == table.name
    assert "input_layer/concat:0" == dense.name
    assert [("a_shared_embedding", 1), ("b_shared_embedding", 0)] == [
        (column.name, len(variables)) for column, variables in told.items()
    ]
    first, second = np.r_[rows[0] + rows[1], rows[3]], np.r_[rows[2], rows[4]]
    assert [first.tolist(), second.tolist()] == found.tolist()
    assert graph.get_collection("model_variables")[0] is table


def test_each_layer_of_a_graph_has_tables_of_its_own() -> None:
    with tf.Graph().as_default():
        for _ in range(2):
            input_layer({"w": tf.constant([["a"]])}, [fc.embedding_column(WORDS, 2)])
        names = [one.name for one in tf.compat.v1.global_variables()]

    path = "w_embedding/embedding_weights:0"
    assert [f"input_layer/{path}", f"input_layer_1/{path}"] == names


@pytest.mark.parametrize("layer", [input_layer, tf.compat.v1.feature_column.linear_model])
def test_examples_stay_rows_where_a_column_wants_another_width(layer: Any) -> None:
    given = {"v": tf.ones([3, 2])}

    with tf.Graph().as_default(), pytest.raises(ValueError, match="6 values"):
        layer(given, [fc.numeric_column("v", shape=3)])


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ([WORDS, fc.categorical_column_with_identity("i", 5)], "same type"),
        ([fc.categorical_column_with_identity(one, int(one)) for one in "56"], "of buckets"),
    ],
)
def test_only_columns_alike_share_a_table(columns: Any, told: str) -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match=told):
        tf.compat.v1.feature_column.shared_embedding_columns(columns, 3)


def test_sequences_keep_their_steps() -> None:
    steps = fc.sequence_categorical_column_with_vocabulary_list("s", ["a", "b"])
    numbers = fc.sequence_numeric_column("t", shape=(2,))
    given = Features({
        "s": tf.sparse.from_dense([["a", "b", "b"], ["b", "", ""]]),
        "t": tf.RaggedTensor.from_row_lengths([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [4, 2]),
    })  # fmt: skip

    ones, lengths = fc.indicator_column(steps).get_sequence_dense_tensor(given, None)
    values, counts = numbers.get_sequence_dense_tensor(given, None)

    assert [[[1, 0], [0, 1], [0, 1]], [[0, 1], [0, 0], [0, 0]]] == ones.numpy().tolist()
    assert [3, 1] == lengths.numpy().tolist()
    assert [[[1, 2], [3, 4]], [[5, 6], [0, 0]]] == values.numpy().tolist()
    assert [2, 1] == counts.numpy().tolist()
    with pytest.raises(ValueError, match="must not be of type SequenceCategoricalColumn"):
        fc.indicator_column(steps).get_dense_tensor(given, None)
    with pytest.raises(ValueError, match="must be of type SequenceCategoricalColumn"):
        fc.indicator_column(WORDS).get_sequence_dense_tensor(given, None)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: fc.numeric_column("x", shape=(0,)), "must be greater than 0"),
        (lambda: fc.numeric_column("x", dtype=tf.string), "convertible to float"),
        (lambda: fc.numeric_column(3), "key must be a string"),
        (lambda: fc.numeric_column("x", shape=2, default_value=(1.0, 2.0, 3.0)), "equal to given"),
        (lambda: fc.bucketized_column(X, [2.0, 1.0]), "sorted list"),
        (lambda: fc.bucketized_column(HASHED, [1.0]), "numeric_column"),
        (lambda: fc.categorical_column_with_hash_bucket("h", None), "must be set"),
        (lambda: fc.categorical_column_with_hash_bucket("h", 0), "at least 1"),
        (lambda: fc.categorical_column_with_hash_bucket("h", 3, tf.float32), "string or integer"),
        (lambda: fc.categorical_column_with_identity("i", 0), "< 1"),
        (lambda: fc.categorical_column_with_identity("i", 3, 5), "not in range"),
        (lambda: fc.categorical_column_with_vocabulary_list("v", ["a", "a"]), "Duplicate keys"),
        (lambda: fc.categorical_column_with_vocabulary_list("v", []), "non-empty"),
        (lambda: fc.categorical_column_with_vocabulary_list("v", ["a"], None, 0, 1), "both"),
        (lambda: fc.categorical_column_with_vocabulary_file("v", ""), "Missing"),
        (lambda: fc.categorical_column_with_vocabulary_file("v", "/nowhere"), "does not exist"),
        (lambda: fc.crossed_column(["a"], 3), "length > 1"),
        (lambda: fc.crossed_column(["a", HASHED], 3), "not supported for crossing"),
        (lambda: fc.crossed_column(["a", X], 3), "Unsupported key type"),
        (lambda: fc.embedding_column(WORDS, 0), "Invalid dimension"),
        (lambda: fc.embedding_column(WORDS, 2, initializer=3), "must be callable"),
        (lambda: fc.embedding_column(WORDS, 2, tensor_name_in_ckpt="x"), "none of them"),
        (lambda: fc.weighted_categorical_column(WORDS, "w", tf.string), "convertible to float"),
        (lambda: fc.indicator_column(X), "must be a CategoricalColumn"),
        (lambda: input_layer({}, []), "must not be empty"),
        (lambda: input_layer({}, [WORDS]), "must be a DenseColumn"),
        (lambda: input_layer({}, [X, X]), "Duplicate feature column name"),
        (lambda: input_layer({}, [X]), "Feature x is not in features"),
        (lambda: input_layer({"x": tf.constant(1.0)}, [X]), "cannot have rank 0"),
    ],
)  # fmt: skip
def test_what_makes_no_column_is_refused(make: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        make()


def test_columns_tell_what_they_read() -> None:
    """Recorded from TensorFlow 2.21."""
    columns = tf.feature_column
    number = columns.numeric_column("x")
    buckets = columns.bucketized_column(number, [1.0])
    hashed = columns.categorical_column_with_hash_bucket("h", 3)

    assert [["x"], [number], ["h"]] == [one.parents for one in (number, buckets, hashed)]
    assert [hashed, "w"] == columns.weighted_categorical_column(hashed, "w").parents
    assert ["a", buckets] == columns.crossed_column(["a", buckets], 5).parents
    assert [hashed] == columns.embedding_column(hashed, 2).parents
