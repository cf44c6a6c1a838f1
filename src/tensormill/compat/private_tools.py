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
    "python.training.evaluation": {
        "compat.private_modules.older.evaluation": (
            "_StopAfterNEvalsHook=StopAfterEvaluations _evaluate_once=evaluate_once "
            "_get_or_create_eval_step=get_or_create_eval_step"
        ),
    },
    "python.ops.distributions.util": {"compat.private_modules.tools.small_tools": "gen_new_seed"},
    "python.util.tf_inspect": {
        "compat.private_modules.inspection": (
            "ArgSpec FullArgSpec Parameter Signature _inspect currentframe getargspec getcallargs "
            "getdoc getfile "
            "getframeinfo getfullargspec getmembers getmodule getmro getsource getsourcefile "
            "getsourcelines isbuiltin isclass isframe isfunction isgenerator isgeneratorfunction "
            "ismethod ismodule isroutine signature stack"
        ),
    },
}
