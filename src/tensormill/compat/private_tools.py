"""Private modules of TensorFlow that do small things beside models (`private_names.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TOOLS: Final[Mapping[str, Mapping[str, str]]] = {
    "python.data.util.convert": {
        "compat.private_modules.tools.dataset_operands": (
            "optional_param_to_tensor partial_shape_to_tensor"
        ),
    },
    "python.eager.monitoring": {
        "compat.private_modules.tools.monitoring": (
            "BoolGauge BoolGaugeCell Counter CounterCell ExponentialBuckets IntGauge IntGaugeCell "
            "Metric MonitoredTimer Sampler SamplerCell StringGauge StringGaugeCell monitored_timer"
        ),
    },
    "python.framework.meta_graph": {
        "version_one.training.meta_graph_import": "read_meta_graph_file",
    },
    "python.ops.inplace_ops": {
        "compat.private_modules.tools.rows": "inplace_add inplace_sub inplace_update",
        "api.raw_ops": "empty=Empty",
    },
    "python.ops.weights_broadcast_ops": {
        "compat.private_modules.internal": "assert_broadcastable broadcast_weights",
    },
    "python.saved_model.nested_structure_coder": {
        "compat.private_modules.tools.structures": "can_encode decode_proto encode_structure",
        "graph.proto.structured": "NotEncodableError",
    },
    "python.summary.writer.event_file_writer": {
        "compat.private_modules.tools.event_files": "EventFileWriter",
    },
}
