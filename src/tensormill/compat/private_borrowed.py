"""Private names that programs borrow of TensorFlow, and where their like is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OLDER: Final = "compat.private_modules.older"
_QUESTIONS: Final = f"{_OLDER}.small_questions"
_PATHS: Final = f"{_OLDER}.object_paths"

BORROWED: Final[Mapping[str, Mapping[str, str]]] = {
    "python.compat.compat": {
        "core.process.forward_compatibility": "forward_compatibility_horizon forward_compatible"
    },
    "python.data.experimental.ops.cardinality": {"data.nodes.node": "INFINITE UNKNOWN"},
    "python.eager.context": {
        _QUESTIONS: ("global_seed internal_operation_seed is_tfrt_enabled=is_never"),
        "core.random_state": "set_global_seed=set_seed",
        "eager.scopes": "in_eager_mode=executing_eagerly",
    },
    "python.framework.device": {_QUESTIONS: "canonical_name check_valid is_device_spec"},
    "python.framework.indexed_slices": {
        "version_one.functions.conversions": (
            "internal_convert_to_tensor_or_indexed_slices=convert_to_tensor_or_indexed_slices"
        ),
    },
    "python.framework.ops": {
        _QUESTIONS: (
            "dismantle_graph=nothing_is_to_do is_dense_tensor_like prepend_name_scope "
            "set_shape_and_handle_data_for_outputs=nothing_is_to_do"
        ),
    },
    "python.framework.tensor": {"core.specs": "BoundedTensorSpec"},
    "python.framework.tensor_conversion": {
        "eager.convert": ("convert_to_tensor_v2=convert_to_tensor"),
    },
    "python.framework.tensor_conversion_registry": {
        "eager.conversion_functions": (
            "register_tensor_conversion_function_internal=register_tensor_conversion_function"
        ),
    },
    "python.ops.array_ops": {_QUESTIONS: "get_positive_axis"},
    "python.ops.confusion_matrix": {
        _QUESTIONS: "remove_squeezable_dimensions",
    },
    "python.ops.metrics_impl": {_QUESTIONS: "_safe_scalar_div=safe_scalar_div"},
    "python.ops.ragged.ragged_array_ops": {
        "ops.array.fill": "ragged_one_hot=one_hot",
        "ops.array.rearrangement": "reverse",
        "ops.array.shapes": "expand_dims rank size",
    },
    "python.ops.ragged.ragged_concat_ops": {"ops.array.concatenation": "concat"},
    "python.ops.ragged.ragged_math_ops": {
        "ops.math.reduce": (
            "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum"
        ),
    },
    "python.ops.ragged.ragged_util": {
        _QUESTIONS: "convert_to_int_tensor get_positive_axis lengths_to_splits",
        "ops.array.rearrangement": "repeat",
    },
    "python.ops.signal.util_ops": {_QUESTIONS: "gcd"},
    "python.ops.summary_ops_v2": {
        _QUESTIONS: "always_record_summaries=always never_record_summaries=never",
    },
    "python.trackable.base": {
        _PATHS: "OBJECT_CONFIG_JSON_KEY OBJECT_GRAPH_PROTO_KEY VARIABLE_VALUE_KEY",
    },
    "python.trackable.constants": {
        _PATHS: "OBJECT_CONFIG_JSON_KEY OBJECT_GRAPH_PROTO_KEY VARIABLE_VALUE_KEY",
    },
    "python.trackable.trackable_utils": {
        _PATHS: (
            "checkpoint_key escape_local_name extract_local_name object_path_to_string "
            "slot_variable_key"
        ),
    },
}
