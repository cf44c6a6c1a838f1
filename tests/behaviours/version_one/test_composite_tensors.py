"""Sparse and ragged tensors in graphs by hand: what is fed, and what signatures say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
saved_model = v1.saved_model


@behaviour("I10")
def test_nothing_is_known_of_what_may_be_fed() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        sizes = v1.placeholder_with_default(tf.constant([2, 3]), [2])
        zeros = tf.zeros(sizes)

        assert tf.get_static_value(sizes) is None
        assert [None, None] == zeros.shape.as_list()
        assert (1, 4) == session.run(zeros, {sizes: [1, 4]}).shape


@behaviour("I10")
@pytest.mark.parametrize(
    ("shape", "known"), [([2, 3], "default"), ([None, 3], "default"), (None, "fed")]
)
def test_the_shape_of_a_sparse_placeholder_is_fed(shape: Any, known: str) -> None:
    kinds = {"default": "PlaceholderWithDefault", "fed": "Placeholder"}
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.sparse_placeholder(tf.float32, shape, name="x")
        unnamed = v1.sparse_placeholder(tf.float32, shape)
        value = v1.SparseTensorValue([[0, 1]], [2.0], [2, 3])

        assert ["x/indices:0", "x/values:0", "x/shape:0"] == [
            one.name for one in (x.indices, x.values, x.dense_shape)
        ]
        assert kinds[known] == unnamed.dense_shape.op.type
        assert unnamed.values.name.startswith("Placeholder")
        np.testing.assert_array_equal(
            [[0, 2, 0], [0, 0, 0]], session.run(tf.sparse.to_dense(x), {x: value})
        )


@behaviour("I10")
def test_signatures_have_sparse_and_ragged_tensors(tmp_path: Path) -> None:
    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        info = saved_model.build_tensor_info
        x = v1.sparse_placeholder(tf.float32, [None, 3], name="x")
        rows = v1.ragged.placeholder(tf.float32, 1, name="rows")
        doubled = rows.with_values(rows.values * 2.0)
        sparse = saved_model.build_signature_def({"x": info(x)}, {"y": info(x * 2.0)})
        ragged = saved_model.build_signature_def({"r": info(rows)}, {"y": info(doubled)})
        assert isinstance(
            saved_model.get_tensor_from_tensor_info(ragged.outputs["y"]), tf.RaggedTensor
        )
        builder = saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(session, ["serve"], {"s": sparse, "r": ragged})
        builder.save()
    model = tf.saved_model.load(folder)

    given = tf.sparse.from_dense([[0.0, 2.0, 0.0]])
    found = model.signatures["s"](
        x_indices=given.indices, x_values=given.values, x_dense_shape=given.dense_shape
    )["y"]
    assert isinstance(found, tf.SparseTensor)
    np.testing.assert_array_equal([[0.0, 4.0, 0.0]], tf.sparse.to_dense(found))

    wanted = tf.ragged.constant([[1.0, 2.0], [3.0]])
    found = model.signatures["r"](r_component_0=wanted.values, r_component_1=wanted.row_splits)
    assert [[2.0, 4.0], [6.0]] == found["y"].to_list()
    with pytest.raises(TypeError):
        model.signatures["r"](r=wanted)


@behaviour("I10")
@pytest.mark.parametrize(
    ("make", "types"),
    [
        (lambda: v1.placeholder_with_default(1.0, []), {"dtype"}),
        (lambda: tf.raw_ops.GetSessionHandle(value=1.0), {"T"}),
        (
            lambda: tf.raw_ops.StatelessRandomBinomial(
                shape=[2], seed=[1, 2], counts=4.0, probs=0.5
            ),
            {"S", "Tseed", "T", "dtype"},
        ),
        (
            lambda: tf.raw_ops.StatelessParameterizedTruncatedNormal(
                shape=[2], seed=[1, 2], means=0.0, stddevs=1.0, minvals=-1.0, maxvals=1.0
            ),
            {"S", "Tseed", "dtype"},
        ),
        (
            lambda: tf.raw_ops.StatelessRandomGammaV3(
                shape=[2], key=[1], counter=[0, 0], alg=1, alpha=1.0
            ),
            {"shape_dtype", "dtype"},
        ),
    ],
    ids=["placeholder", "handle", "binomial", "normal", "gamma"],
)
def test_types_of_operands_stand_in_nodes_under_their_names(make: Any, types: set[str]) -> None:
    with tf.Graph().as_default():
        node = make().op.node_def

    assert types == {name for name, value in node.attr.items() if value.type}


@behaviour("I10")
def test_numbers_too_large_for_int64_are_uint64_in_protos() -> None:
    assert tf.uint64 == tf.as_dtype(tf.make_tensor_proto(2**63).dtype)
    np.testing.assert_array_equal(
        np.array([2**63, 1], np.uint64), tf.make_ndarray(tf.make_tensor_proto([2**63, 1]))
    )
