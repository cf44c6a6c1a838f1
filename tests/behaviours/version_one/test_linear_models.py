"""`feature_column.linear_model` in graphs: statement I10."""

from __future__ import annotations

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
column = v1.feature_column

pytestmark = pytest.mark.filterwarnings("ignore:.layer.add_variable")  # of TensorFlow's own


@behaviour("I10")
def test_each_column_has_weights_and_all_share_a_bias():
    with tf.Graph().as_default(), v1.Session() as session:
        features = {"x": tf.constant([[1.0], [2.0]]), "w": tf.constant([["a"], ["b"]])}
        x = column.numeric_column("x")
        w = column.categorical_column_with_vocabulary_list("w", ["a", "b"])
        told: dict = {}
        result = column.linear_model(features, [x, w], units=2, cols_to_vars=told)
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        filled = [
            one.assign(tf.ones_like(one) * k) for k, one in ((2, told[x][0]), (3, told[w][0]))
        ]
        session.run(filled)

        assert [[5.0, 5.0], [7.0, 7.0]] == session.run(result).tolist()
        names = ["linear_model/w/weights", "linear_model/x/weights", "linear_model/bias_weights"]
        assert names == [one.op.name for one in v1.global_variables()]
        assert "linear_model_1/linear_model/weighted_sum:0" == result.name
        assert 3 == len(v1.get_collection(v1.GraphKeys.MODEL_VARIABLES))


@behaviour("I10")
@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ([], "must not be empty"),
        ([3], "Items of feature_columns must be"),
        (["x", "x"], "Duplicate"),
    ],
)
def test_columns_are_checked(columns, words):
    made = [column.numeric_column(one) if isinstance(one, str) else one for one in columns]

    with tf.Graph().as_default(), pytest.raises(ValueError, match=words):
        column.linear_model({"x": tf.constant([[1.0]])}, made)
