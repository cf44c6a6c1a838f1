"""`tf.summary.trace_on`, `graph` and `write_raw_pb`: what stands in event files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.formats.records import record
from tensormill.graph.proto.messages import message

RAW = message("Summary")(value=[{"tag": b"t"}]).SerializeToString()


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    tf.summary.trace_off()


@pytest.fixture
def writer(tmp_path: Path) -> Any:
    made = tf.summary.create_file_writer(str(tmp_path))
    with made.as_default():
        yield made


def events(folder: Path) -> list[Any]:
    (file,) = folder.glob("events.*")
    data, found = file.read_bytes(), list[Any]()
    while data:
        body = data[12 : 12 + int.from_bytes(data[:8], "little")]
        found.append(message("Event").FromString(body))
        data = data[len(record(body)) :]
    return found[1:]


def run_metadata(event: Any) -> tuple[str, Any]:
    (value,) = event.summary.value
    plugin = value.metadata.plugin_data
    assert b"1" == plugin.content
    return plugin.plugin_name, message("RunMetadata").FromString(value.tensor.string_val[0])


def test_graphs_of_functions_that_were_called_are_written(writer: Any, tmp_path: Path) -> None:
    double = tf.function(lambda x: x * 2, autograph=False)
    before = tf.function(lambda x: x + 1, autograph=False)
    before(tf.constant(1))

    tf.summary.trace_on()
    for _ in range(2):
        double(tf.constant(1))
    tf.summary.trace_export("run", step=2)
    double(tf.constant(1))
    writer.flush()

    (event,) = events(tmp_path)
    plugin, metadata = run_metadata(event)
    assert (2, "run") == (event.step, event.summary.value[0].tag)
    assert "graph_run_metadata_graph" == plugin
    (function,) = metadata.function_graphs
    assert ["x", "mul/y", "mul", "Identity"] == [
        node.name for node in function.pre_optimization_graph.node
    ]


def test_with_a_profiler_both_are_written(writer: Any, tmp_path: Path) -> None:
    outdir = tmp_path / "profile"
    tf.summary.trace_on(profiler=True, profiler_outdir=str(outdir))
    tf.function(lambda x: x * 2, autograph=False)(tf.constant(1))
    tf.summary.trace_export("run", step=0)
    writer.flush()

    plugin, metadata = run_metadata(events(tmp_path)[0])
    assert ("graph_run_metadata", 1) == (plugin, len(metadata.function_graphs))
    assert 1 == len([*outdir.glob("plugins/profile/*/*.xplane.pb")])


def test_what_was_not_begun_is_not_exported(writer: Any) -> None:
    with pytest.raises(ValueError, match="Must enable trace"):
        tf.summary.trace_export("run", step=0)
    tf.summary.trace_on()
    with pytest.raises(ValueError, match="No step set"):
        tf.summary.trace_export("run")
    tf.summary.trace_off()
    tf.summary.trace_on(profiler=True)
    with pytest.raises(tf.errors.UnavailableError):
        tf.summary.trace_export("run", step=0)


def test_within_functions_there_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function(autograph=False)
    def function() -> Any:
        tf.summary.trace_on()
        tf.summary.trace_export("run", step=0)
        return tf.constant(1)

    assert 1 == int(function())
    assert 2 == caplog.text.count("inside a tf.function")


def test_a_graph_is_written(writer: Any, tmp_path: Path) -> None:
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(1.0, name="one")

    assert tf.summary.graph(graph)
    assert tf.summary.graph(graph.as_graph_def())
    with pytest.raises(ValueError, match="graph_data=3 of type int"):
        tf.summary.graph(3)
    writer.flush()

    for event in events(tmp_path):
        assert ["one"] == [n.name for n in message("GraphDef").FromString(event.graph_def).node]


def test_summaries_of_others_are_written(writer: Any, tmp_path: Path) -> None:
    write = tf.summary.experimental.write_raw_pb

    assert write(RAW, step=7)
    assert tf.function(lambda: write(tf.constant(RAW), step=tf.constant(8, tf.int64)))()
    with pytest.raises(ValueError, match="No step set"):
        write(RAW)
    with pytest.raises(tf.errors.DataLossError, match="no serialized Summary"):
        write(b"\xff", step=1)
    writer.flush()

    assert [7, 8] == [event.step for event in events(tmp_path)]
    assert [RAW, RAW] == [event.summary.SerializeToString() for event in events(tmp_path)]


def test_without_a_writer_nothing_is_written() -> None:
    assert not tf.summary.experimental.write_raw_pb(RAW, step=7)
    assert not tf.summary.graph(tf.Graph())
