"""Signatures of saved models, numbers of errors, and functions of networks with old arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
saved_model = v1.saved_model


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default() as graph:
        yield graph


def given(dtype: Any) -> Any:
    return v1.placeholder(dtype, [None])


@behaviour("I10")
def test_a_classification_takes_examples_and_gives_classes_and_scores() -> None:
    signature = saved_model.classification_signature_def(
        given(tf.string), given(tf.string), given(tf.float32)
    )

    assert "tensorflow/serving/classify" == signature.method_name
    assert (["inputs"], ["classes", "scores"]) == (
        list(signature.inputs), sorted(signature.outputs),
    )  # fmt: skip
    assert saved_model.is_valid_signature(signature)


@behaviour("I10")
def test_a_regression_takes_examples_and_gives_numbers() -> None:
    signature = saved_model.regression_signature_def(given(tf.string), given(tf.float32))

    assert "tensorflow/serving/regress" == signature.method_name
    assert (["inputs"], ["outputs"]) == (list(signature.inputs), list(signature.outputs))
    assert saved_model.is_valid_signature(signature)


@pytest.mark.parametrize(
    "make",
    [
        lambda: saved_model.classification_signature_def(given(tf.string), None, None),
        lambda: saved_model.classification_signature_def(None, None, given(tf.float32)),
        lambda: saved_model.classification_signature_def("x", None, given(tf.float32)),
        lambda: saved_model.classification_signature_def(given(tf.float32), given(tf.string), None),
        lambda: saved_model.classification_signature_def(given(tf.string), given(tf.int32), None),
        lambda: saved_model.classification_signature_def(given(tf.string), None, given(tf.float64)),
        lambda: saved_model.regression_signature_def(given(tf.string), None),
        lambda: saved_model.regression_signature_def(None, given(tf.float32)),
        lambda: saved_model.regression_signature_def(given(tf.string), given(tf.float64)),
        lambda: saved_model.regression_signature_def(given(tf.float32), given(tf.float32)),
    ],
)
@behaviour("I10")
def test_what_no_signature_can_be_made_of_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"Classification|Regression"):
        make()


@pytest.mark.parametrize(
    ("method", "inputs", "outputs", "expected"),
    [
        ("predict", {"x": tf.string}, {"y": tf.int32}, True),
        ("predict", {}, {}, False),
        ("classify", {"inputs": tf.float32}, {"scores": tf.float32}, False),
        ("classify", {"inputs": tf.string}, {"scores": tf.float32, "z": tf.float32}, False),
        ("classify", {"x": tf.string}, {"scores": tf.float32}, False),
        ("regress", {"inputs": tf.string}, {"outputs": tf.float64}, False),
        ("regress", {"inputs": tf.string}, {"outputs": tf.float32}, True),
        ("other", {"x": tf.string}, {"y": tf.int32}, False),
    ],
)
@behaviour("I10")
def test_a_signature_is_valid_as_its_method_says(
    method: str, inputs: dict[str, Any], outputs: dict[str, Any], expected: bool
) -> None:
    infos = [
        {name: saved_model.build_tensor_info(given(dtype)) for name, dtype in side.items()}
        for side in (inputs, outputs)
    ]
    signature = saved_model.build_signature_def(*infos, f"tensorflow/serving/{method}")

    assert expected is saved_model.is_valid_signature(signature)


@behaviour("I10")
def test_errors_have_numbers() -> None:
    errors = v1.errors

    assert 5 == errors.error_code_from_exception_type(tf.errors.NotFoundError)
    assert tf.errors.InvalidArgumentError is errors.exception_type_from_error_code(3)
    assert {errors.exception_type_from_error_code(k).__name__ for k in range(1, 17)} == {
        name for name in dir(tf.errors) if name.endswith("Error")
    } - {"OpError", "OperatorNotAllowedInGraphError"}
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(99)


@behaviour("I10")
def test_a_model_begins_with_variables_and_tables() -> None:
    v = v1.get_variable("v", [2], initializer=v1.ones_initializer())
    begin = saved_model.main_op.main_op()
    with v1.Session() as session:
        session.run(begin)

        assert [1.0, 1.0] == session.run(v).tolist()


@behaviour("I10")
def test_what_is_fed_for_rows_of_different_lengths() -> None:
    rows = v1.ragged.placeholder(tf.int64, 2, [1], name="p")
    fed = v1.ragged.constant_value([[[[1], [2]], []], []], ragged_rank=2)

    assert (3, np.int64) == (len(rows.shape) - 1, fed.dtype)
    assert "p/flat_values:0" == rows.flat_values.name
    with v1.Session() as session:
        assert [[3], [0]] == session.run(tf.reduce_sum(rows, [1, 2]), {rows: fed}).tolist()


@behaviour("I10")
def test_features_are_merged_by_their_numbers() -> None:
    ids = tf.sparse.from_dense(tf.constant([[3, 1], [2, 0]], tf.int64))
    more = tf.sparse.from_dense(tf.constant([[1, 1], [1, 0]], tf.int64))
    values = tf.sparse.from_dense([[0.5, 1.0], [2.0, 0.0]])
    one, two = v1.sparse.merge(ids, values, 4), v1.sparse.merge([ids, more], values, [4, 2])
    with v1.Session() as session:
        one, two = session.run([one, two])

    assert ([[0, 1], [0, 3], [1, 2]], [1.0, 0.5, 2.0]) == (one[0].tolist(), one[1].tolist())
    assert ([[0, 1, 1], [0, 3, 1], [1, 2, 1]], [2, 4, 2]) == (two[0].tolist(), two[2].tolist())


@behaviour("I10")
def test_fractional_pools_have_two_seeds() -> None:
    x = tf.constant(np.arange(50.0, dtype=np.float32).reshape(1, 5, 5, 2))
    ratios = [1.0, 1.5, 1.5, 1.0]
    largest = v1.nn.fractional_max_pool(x, ratios, False, False, True, 3, 4)
    mean = v1.nn.fractional_avg_pool(x, ratios, True, True, True, 3, 4)
    with v1.Session() as session:
        found = session.run([*largest, *mean])

    assert [(1, 3, 3, 2), (4,), (4,)] * 2 == [one.shape for one in found]
    assert [0, 2, 4, 5] == found[1].tolist()


@behaviour("I10")
def test_a_signature_has_defaults_of_its_inputs():
    signature = saved_model.build_signature_def(
        {"x": saved_model.build_tensor_info(given(tf.float32))},
        defaults={"x": tf.constant([1.5, 2.5])},
    )

    assert tf.make_ndarray(signature.defaults["x"]).tolist() == [1.5, 2.5]
    with pytest.raises((AttributeError, ValueError)):
        saved_model.build_signature_def(defaults={"x": [1.5]})
