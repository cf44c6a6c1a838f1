"""Embeddings that TPUs trained, on a CPU: what TensorFlow 2.21 gives (run beside these)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message

E: Any = tf.tpu.experimental.embedding
IDS = tf.ragged.constant([[1, 2], [], [3]], dtype=tf.int32)


def counted(shape: Any, dtype: Any) -> Any:
    return tf.reshape(tf.range(shape[0] * shape[1], dtype=dtype), shape)


def table(combiner: str = "sum", **options: Any) -> Any:
    return E.TableConfig(4, 2, initializer=counted, combiner=combiner, **options)


def looked_up(ids: Any, weights: Any = None, combiner: str = "sum", **options: Any) -> Any:
    feature = E.FeatureConfig(table(combiner), **options)
    return E.TPUEmbeddingForServing(feature, None)(ids, weights).numpy().tolist()


@pytest.mark.parametrize("ids", [IDS, IDS.to_sparse()])
def test_rows_of_an_example_are_combined_and_there_may_be_none(ids: Any) -> None:
    assert [[6.0, 8.0], [0.0, 0.0], [6.0, 7.0]] == looked_up(ids)
    assert [[3.0, 4.0], [0.0, 0.0], [6.0, 7.0]] == looked_up(ids, combiner="mean")


def test_weights_below_zero_count_in_ragged_means_alone() -> None:
    weights = IDS.with_values(tf.constant([-0.5, 2.0, 0.0]))

    assert [14 / 3, 17 / 3] == pytest.approx(looked_up(IDS, weights, "mean")[0])
    assert [[4.0, 5.0], [0.0, 0.0], [0.0, 0.0]] == looked_up(
        IDS.to_sparse(), weights.to_sparse(), "mean"
    )


@pytest.mark.parametrize("ids", [IDS, IDS.to_sparse()])
def test_rows_of_a_sequence_stand_behind_each_other(ids: Any) -> None:
    assert [[[2.0, 3.0]], [[0.0, 0.0]], [[6.0, 7.0]]] == looked_up(ids, max_sequence_length=1)


def test_an_output_shape_says_how_many_rows_a_ragged_example_has() -> None:
    ids = tf.ragged.constant([[1, 2, 3], [1]], dtype=tf.int32)

    assert [[2.0, 3.0], [4.0, 5.0], [2.0, 3.0], [0.0, 0.0]] == looked_up(ids, output_shape=[4])
    with pytest.raises(ValueError, match="a known number of places"):
        looked_up(ids, output_shape=[3])


def test_a_function_looks_up_batches_of_unknown_size() -> None:
    rows = tf.Variable(counted([4, 2], tf.float32))
    one = table()
    features = {"a": E.FeatureConfig(one), "b": E.FeatureConfig(one, max_sequence_length=2)}

    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def serve(ids: Any) -> Any:
        return E.serving_embedding_lookup(
            {"a": ids, "b": ids.to_sparse()}, None, {one: rows}, features
        )

    found = serve(IDS)
    assert [[6.0, 8.0], [0.0, 0.0], [6.0, 7.0]] == found["a"].numpy().tolist()
    assert [4.0, 5.0] == found["b"].numpy()[0, 1].tolist()
    specs = serve.get_concrete_function().structured_outputs
    assert [[None, 2], [None, 2, 2]] == [specs[name].shape.as_list() for name in "ab"]


@pytest.mark.parametrize(
    ("ids", "weights", "options"),
    [
        (3, None, {}),
        ({"a": IDS}, None, {}),
        (tf.constant([1]), None, {"max_sequence_length": 2}),
        (tf.constant([1]), tf.constant([1.0]), {}),
        (IDS, IDS.with_values([1.0, 1.0, 1.0]), {"max_sequence_length": 2}),
        (IDS, IDS.with_values([1.0, 1.0, 1.0]).to_sparse(), {}),
        (tf.ragged.constant([[[1]]], dtype=tf.int32), None, {}),
    ],
)
def test_what_does_not_fit_is_refused(ids: Any, weights: Any, options: Any) -> None:
    with pytest.raises(ValueError, match=r"the ids|`inputs`|feature|weights"):
        looked_up(ids, weights, **options)


def test_checkpoints_have_tables_and_slots_by_tensorflow_s_names(tmp_path: Path) -> None:
    features = [E.FeatureConfig(table(name="A")), E.FeatureConfig(table(optimizer=E.Adagrad()))]
    trained = E.TPUEmbedding(features, E.Adam())
    trained.embedding_tables[features[0].table].assign_add(tf.ones([4, 2]))
    path = tf.train.Checkpoint(m=trained).write(tmp_path / "saved")

    served = E.TPUEmbeddingForServing(features, None)
    served.build()
    tf.train.Checkpoint(m=served).restore(path).assert_consumed()

    assert [
        "A.Smomenta", "A.Svelocities", "A", "table_1.Saccumulators", "table_1",
    ] == [name.split("/")[1] for name, _ in tf.train.list_variables(path)[1:]]  # fmt: skip
    assert [[1.0, 2.0]] == served.variables["A"]["parameters"].numpy()[:1].tolist()
    assert 0.1 == pytest.approx(served.variables["table_1"]["accumulators"].numpy()[0, 0])


def test_gradients_are_of_the_rows_that_were_looked_up() -> None:
    layer = E.TPUEmbeddingForServing(E.FeatureConfig(table("mean")), None)

    with tf.GradientTape() as tape:
        found = layer(IDS)
    (rows,) = layer.embedding_tables.values()

    assert [0.0, 0.5, 0.5, 1.0] == tf.convert_to_tensor(tape.gradient(found, rows))[
        :, 0
    ].numpy().tolist()


def test_optimizers_that_say_the_same_are_equal() -> None:
    assert E.Adam(0.1) == E.Adam(0.1)
    assert hash(E.FTRL()) == hash(E.FTRL())
    assert E.SGD() not in (E.SGD(0.5), E.Adagrad(), 3)
    assert (-2.0, 2.0) == (
        E.SGD(clipvalue=2.0).clip_gradient_min,
        E.SGD(clipvalue=2.0).clip_gradient_max,
    )


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (E.SGD, {"clipvalue": 1.0, "use_gradient_accumulation": False}),
        (E.Adam, {"beta_1": 1.0}),
        (E.Adam, {"lazy_adam": False, "use_gradient_accumulation": False}),
        (E.Adagrad, {"initial_accumulator_value": 0.0}),
        (E.AdagradMomentum, {"exponent": 0.0}),
        (E.CustomOptimizer, {"custom_computation": None, "slot_names": ["s"]}),
        (E.TableConfig, {"vocabulary_size": 0, "dim": 1}),
        (E.TableConfig, {"vocabulary_size": 1, "dim": 1, "combiner": "max"}),
        (E.FeatureConfig, {"table": 3}),
        (E.QuantizationConfig, {"num_buckets": 1, "lower": 0.0, "upper": 1.0}),
    ],
)
def test_numbers_without_a_meaning_are_refused(make: Any, options: Any) -> None:
    with pytest.raises(ValueError, match=r"must|needs|clipped|as many"):
        make(**options)


def test_a_layer_refuses_what_tpus_alone_do_and_tables_of_one_name() -> None:
    feature = E.FeatureConfig(table(name="A"))

    with pytest.raises(RuntimeError, match="enqueue is not valid"):
        E.TPUEmbedding(feature, None).enqueue(IDS)
    with pytest.raises(ValueError, match="two are called 'A'"):
        E.TPUEmbeddingForServing([feature, E.FeatureConfig(table(name="A"))], None)


@pytest.mark.parametrize("name", ["TPUEmbeddingV0", "TPUEmbeddingV2"])
def test_what_tpus_alone_train_is_named_in_annotations_and_not_made(name: str) -> None:
    kind = getattr(E, name)

    assert not isinstance(E.TPUEmbedding(E.FeatureConfig(table()), None), kind)
    with pytest.raises(RuntimeError, match=f"{name} should be created under TPUStrategy"):
        kind(E.FeatureConfig(table()), E.Adam())


def test_a_topology_is_tensorflow_s_message() -> None:
    cores = np.array([[[0, 0, 0, 0], [0, 0, 0, 1]], [[1, 0, 0, 0], [1, 0, 0, 1]]], np.int32)
    topology = tf.tpu.experimental.Topology(mesh_shape=[2, 1, 1, 2], device_coordinates=cores)
    serialized = b'\n\x04\x02\x01\x01\x02\x10\x02\x18\x02"\x10' + cores.astype(np.uint8).tobytes()

    assert serialized == topology.serialized()
    read = tf.tpu.experimental.Topology(serialized)
    assert "/job:w/task:1/device:TPU:1" == read.tpu_device_name_at_coordinates([1, 0, 0, 1], "w")
    part = tf.tpu.experimental.Topology(mesh_shape=[2, 1, 1, 2], device_coordinates=cores[:1])
    assert [[1, 0, 0, 0], [1, 0, 0, 1]] == part.missing_devices.tolist()


@pytest.mark.parametrize(("mesh", "rank"), [([2, 1, 1], 4), ([2, 1, 1, 0], 4), ([1, 1, 1, 1], 3)])
def test_a_mesh_has_four_sizes_and_cores_as_many_numbers(mesh: list[int], rank: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        tf.tpu.experimental.Topology(None, mesh, np.zeros([1, 1, rank], np.int32))


def test_a_core_lies_in_its_mesh() -> None:
    with pytest.raises(IndexError, match="outside the mesh"):
        tf.tpu.experimental.Topology(None, [1, 1, 1, 1], np.array([[[0, 0, 0, 1]]]))


@pytest.mark.parametrize(
    ("number", "name"), [(0, "UNSUPPORTED"), (1, "V1"), (2, "V2"), (7, "UNSUPPORTED")]
)
def test_hardware_is_told_by_tensorflow_s_message(number: int, name: str) -> None:
    told = message("TopologyProto")()
    told.tpu_hardware_feature.ParseFromString(bytes([8, number, 16, 3]))
    feature = tf.tpu.experimental.HardwareFeature(told.tpu_hardware_feature)

    assert (name, 3) == (feature.embedding_feature.name, feature.num_embedding_devices_per_chip)
