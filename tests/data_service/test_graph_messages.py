"""Datasets as GraphDefs, which TensorFlow 2.21 reads and writes alike."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

from .record_graphs import DATASETS, RECORD

RAW = tf.raw_ops
data = tf.data.experimental
THEIRS: dict[str, str] = json.loads(RECORD.read_text())


def written(dataset: Any, **told: Any) -> Any:
    return RAW.DatasetToGraphV2(input_dataset=data.to_variant(dataset), **told)


def read(graph: Any, like: Any) -> list[Any]:
    made = data.from_variant(RAW.DatasetFromGraph(graph_def=graph), like.element_spec)
    return elements(made)


def elements(dataset: Any) -> list[Any]:
    flat = [tf.nest.flatten(one) for one in dataset.as_numpy_iterator()]
    return [[getattr(one, "tolist", lambda: one)() for one in each] for each in flat]  # noqa: B023


@pytest.mark.parametrize("name", DATASETS)
def test_tensorflows_graphs_make_the_dataset(name: str) -> None:
    dataset = DATASETS[name](tf)

    assert elements(dataset) == read(b64decode(THEIRS[name]), dataset)


@pytest.mark.parametrize("name", DATASETS)
def test_graphs_of_datasets_make_them_again(name: str) -> None:
    dataset = DATASETS[name](tf)
    again = tf.function(lambda graph: RAW.DatasetFromGraph(graph_def=graph))
    graph = written(dataset)
    made = data.from_variant(again(graph), dataset.element_spec)
    expected = elements(dataset)

    assert expected == read(graph, dataset) == elements(made)


def test_a_graph_is_tensorflows_operations_and_what_it_gives() -> None:
    graph = tf.compat.v1.GraphDef.FromString(written(DATASETS["batches"](tf)).numpy())

    names = [one.op for one in graph.node if one.op != "Const"]
    assert ["RangeDataset", "MapDataset", "BatchDatasetV2", "_Retval"] == names
    assert 1 == len(graph.library.function)
    assert names == [
        one.op
        for one in tf.compat.v1.GraphDef.FromString(b64decode(THEIRS["batches"])).node
        if one.op != "Const"
    ]


def test_what_draws_numbers_is_refused_where_that_is_asked() -> None:
    drawn = tf.data.Dataset.range(2).map(lambda x: tf.random.uniform([]))
    given = {"input_dataset": data.to_variant(drawn)}

    with pytest.raises(tf.errors.FailedPreconditionError, match="RandomUniform is stateful"):
        RAW.DatasetToGraph(**given)
    with pytest.raises(tf.errors.FailedPreconditionError, match="RandomUniform is stateful"):
        written(drawn, external_state_policy=2)
    for graph in (RAW.DatasetToGraph(**given, allow_stateful=True), written(drawn)):
        assert 2 == len(read(graph, drawn))


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "Python": (
        lambda: written(
            tf.data.Dataset.from_generator(
                lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32)
            )
        ),
        tf.errors.FailedPreconditionError, "other processes",
    ),
    "no graph": (
        lambda: RAW.DatasetFromGraph(graph_def="x"),
        tf.errors.InvalidArgumentError, "parse GraphDef",
    ),
    "nothing": (lambda: RAW.DatasetFromGraph(graph_def=""), tf.errors.NotFoundError, "_Retval"),
    "no dataset": (
        lambda: RAW.DatasetToGraph(input_dataset=RAW.OptionalNone()),
        tf.errors.InvalidArgumentError, "of a dataset",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_dataset_is_refused(why: str) -> None:
    call, kind, words = REFUSED[why]

    for run in (call, tf.function(call)):
        with pytest.raises(kind, match=words):
            run()


def test_a_graph_of_something_else_is_no_dataset() -> None:
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="one")
    proto = graph.as_graph_def()
    proto.node.add(name="dataset", op="_Retval", input=["one"])

    with pytest.raises(tf.errors.InvalidArgumentError, match="no dataset"):
        RAW.DatasetFromGraph(graph_def=proto.SerializeToString())


def test_libraries_ask_a_dataset_for_its_graph() -> None:
    dataset = tf.data.Dataset.range(4).shuffle(3)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        by_hand = session.run(tf.data.Dataset.range(4).shuffle(3)._as_serialized_graph())

    for told in (dataset._as_serialized_graph().numpy(), by_hand):
        kinds = [one.op for one in tf.compat.v1.GraphDef.FromString(told).node]
        assert "ShuffleDatasetV3" in kinds
