"""The message that says which plugin shows a summary."""

from __future__ import annotations

from tensormill.api.compat_v1 import SummaryMetadata


def test_it_has_tensorflow_s_wire_format() -> None:
    metadata = SummaryMetadata()
    metadata.plugin_data.plugin_name = "graph_keras_model"
    metadata.plugin_data.content = b"1"

    assert b"\n\x16\n\x11graph_keras_model\x12\x011" == metadata.SerializeToString()
