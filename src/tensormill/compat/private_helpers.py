"""Private modules of TensorFlow that programs import for one helper, and those of messages that
only its runtime reads (`private_names.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# By the folder below `tensorflow.core`, and the file without `_pb2`.
RUNTIME_MESSAGES: Final = {
    "framework.allocation_description": "AllocationDescription",
    "framework.api_def": "ApiDef ApiDefs",
    "framework.cost_graph": "CostGraphDef",
    "framework.cpp_shape_inference": "CppShapeInferenceResult CppShapeInferenceInputsNeeded",
    "framework.dataset_metadata": "Metadata",
    "framework.dataset_options": (
        "AutoShardPolicy AUTO FILE DATA HINT OFF ExternalStatePolicy POLICY_WARN POLICY_IGNORE "
        "POLICY_FAIL AutotuneOptions CardinalityOptions DistributeOptions OptimizationOptions "
        "ServiceOptions ThreadingOptions Options"
    ),
    "framework.device_attributes": "InterconnectLink LocalLinks DeviceLocality DeviceAttributes",
    "framework.full_type": (
        "FullTypeId TFT_UNSET TFT_VAR TFT_ANY TFT_PRODUCT TFT_NAMED TFT_FOR_EACH TFT_CALLABLE "
        "TFT_TENSOR TFT_ARRAY TFT_OPTIONAL TFT_LITERAL TFT_ENCODED TFT_SHAPE_TENSOR TFT_BOOL "
        "TFT_UINT8 TFT_UINT16 TFT_UINT32 TFT_UINT64 TFT_INT8 TFT_INT16 TFT_INT32 TFT_INT64 "
        "TFT_HALF TFT_FLOAT TFT_DOUBLE TFT_BFLOAT16 TFT_COMPLEX64 TFT_COMPLEX128 TFT_STRING "
        "TFT_DATASET TFT_RAGGED TFT_ITERATOR TFT_MUTEX_LOCK TFT_LEGACY_VARIANT FullTypeDef"
    ),
    "framework.kernel_def": "KernelDef KernelList",
    "framework.log_memory": (
        "MemoryLogStep MemoryLogTensorAllocation MemoryLogTensorDeallocation "
        "MemoryLogTensorOutput MemoryLogRawAllocation MemoryLogRawDeallocation"
    ),
    "framework.optimized_function_graph": "OptimizedFunctionGraph",
    "framework.reader_base": "ReaderBaseState",
    "framework.tensor_description": "TensorDescription",
    "protobuf.bfc_memory_map": "MemAllocatorStats MemChunk BinSummary SnapShot MemoryDump",
    "protobuf.composite_tensor_variant": "CompositeTensorVariantMetadata",
    "protobuf.control_flow": "ValuesDef ControlFlowContextDef CondContextDef WhileContextDef",
    "protobuf.core_platform_payloads": "ErrorSourceProto",
    "protobuf.device_properties": "DeviceProperties NamedDevice",
    "protobuf.error_codes": (
        "Code OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
        "PERMISSION_DENIED UNAUTHENTICATED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED "
        "OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS "
        "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_"
    ),
    "protobuf.named_tensor": "NamedTensorProto",
    "protobuf.remote_tensor_handle": "ResourceDtypeAndShape RemoteTensorHandle",
    "protobuf.rpc_options": "RPCOptions",
    "protobuf.status": "StatusProto",
    "protobuf.transport_options": "RecvBufRespExtra",
    "protobuf.verifier_config": "VerifierConfig",
    "util.saved_tensor_slice": "SavedSliceMeta SavedTensorSliceMeta SavedSlice SavedTensorSlices",
    "util.memmapped_file_system": (
        "MemmappedFileSystemDirectoryElement MemmappedFileSystemDirectory"
    ),
    "example.example_parser_configuration": (
        "VarLenFeatureProto FixedLenFeatureProto FeatureConfiguration ExampleParserConfiguration"
    ),
    "profiler.profiler_options": "ProfileOptions RemoteProfilerSessionManagerOptions",
    "profiler.tfprof_log": (
        "CodeDef OpLogEntry OpLogProto ProfileProto ProfileNode ExecProfile ExecTime ExecMemory "
        "Tuple Memory"
    ),
    "profiler.tfprof_options": "OptionsProto AdvisorOptionsProto",
    "profiler.tfprof_output": "TFProfTensorProto GraphNodeProto MultiGraphNodeProto AdviceProto",
}

_TOOLS: Final = "compat.private_modules.tools"

HELPERS: Final[Mapping[str, Mapping[str, str]]] = {
    **{
        f"core.{file}_pb2": {"compat.private_modules.messages": names}
        for file, names in RUNTIME_MESSAGES.items()
    },
    "python.ops.distributions.special_math": {
        f"{_TOOLS}.tails": "erfinv log_cdf_laplace log_ndtr ndtr ndtri",
    },
    "python.framework.traceable_stack": {
        f"{_TOOLS}.traces_of_lines": "TraceableObject TraceableStack",
    },
    "python.util.lock_util": {f"{_TOOLS}.small_helpers": "GroupLock"},
    "python.util.keras_deps": {
        f"{_TOOLS}.small_helpers": (
            "get_call_context_function get_clear_session_function get_get_session_function "
            "get_load_model_function register_call_context_function "
            "register_clear_session_function register_get_session_function "
            "register_load_model_function"
        ),
    },
    "python.platform.self_check": {
        f"{_TOOLS}.small_helpers": "preload_check=nothing_to_check",
    },
    "python.platform.analytics": {f"{_TOOLS}.small_helpers": "track_usage=nothing_to_check"},
    "python.platform.remote_utils": {
        f"{_TOOLS}.small_helpers": (
            "coordination_service_type=nothing_to_check "
            "get_default_communication_protocol=default_protocol is_remote_path"
        ),
    },
    "python.ops.image_ops_impl": {
        f"{_TOOLS}.small_helpers": (
            "_AssertAtLeast3DImage=assert_at_least_3d_image _Check3DImage=check_3d_image"
        ),
    },
    "python.ops.nn_ops": {f"{_TOOLS}.small_helpers": "_get_sequence=window_sizes"},
    "python.framework.graph_util_impl": {f"{_TOOLS}.small_helpers": "_node_name=node_name"},
    "python.training.optimizer": {
        f"{_TOOLS}.small_helpers": "_deduplicate_indexed_slices=deduplicate_indexed_slices",
    },
    "python.ops.default_gradient": {
        f"{_TOOLS}.small_helpers": "ones_like shape_and_dtype zeros_like",
    },
    "python.data.util.sparse": {f"{_TOOLS}.small_helpers": "any_sparse get_classes"},
    "python.ops.ragged.ragged_conversion_ops": {
        f"{_TOOLS}.ragged_forms": ("from_sparse from_tensor ragged_to_dense to_sparse to_tensor"),
    },
    "python.ops.ragged.ragged_getitem": {"ops.ragged.slicing": "ragged_tensor_getitem=part_of"},
    "python.ops.ragged.ragged_config": {
        f"{_TOOLS}.ragged_forms": "auto_cast_partition_dtype",
    },
    "python.client.timeline": {"version_one.profiles.timelines": "Timeline"},
    "python.data.util.random_seed": {f"{_TOOLS}.registries": "get_seed"},
    "python.eager.core": {
        f"{_TOOLS}.registries": (
            "_FallbackException=NeedsSlowPath _NotOkStatusException=StatusError"
        ),
    },
    "python.eager.polymorphic_function.concrete_function": {
        "function.concrete": "ConcreteFunction",
    },
    "python.eager.record": {f"{_TOOLS}.operations_of_graphs": "stop_recording"},
    "python.framework.immutable_dict": {"ops.extension_fields": "ImmutableDict"},
    "python.framework.op_def_registry": {f"{_TOOLS}.operations_of_graphs": "get"},
    "python.framework.registry": {f"{_TOOLS}.registries": "Registry"},
    "python.ops.custom_gradient": {
        f"{_TOOLS}.small_helpers": "_graph_mode_decorator=graph_mode_decorator",
    },
    "python.ops.gradients_impl": {
        f"{_TOOLS}.operations_of_graphs": "_hessian_vector_product=hessian_vector_product",
    },
    "python.ops.math_ops": {
        "ops.math.comparison": "is_nan",
        f"{_TOOLS}.operations_of_graphs": "reduced_shape",
    },
    "python.ops.op_selector": {
        f"{_TOOLS}.operations_of_graphs": (
            "concatenate_unique get_backward_walk_ops get_consuming_ops get_generating_ops "
            "get_tensors make_list_of_op"
        ),
    },
    "python.ops.resources": {
        f"{_TOOLS}.operations_of_graphs": (
            "initialize_resources local_resources register_resource "
            "report_uninitialized_resources shared_resources"
        ),
    },
    "python.ops.rnn": {
        f"{_TOOLS}.operations_of_graphs": "_transpose_batch_time=transpose_batch_time",
    },
    "python.ops.rnn_grad": {},  # imported, not asked
    "python.ops.summary_op_util": {
        f"{_TOOLS}.operations_of_graphs": "clean_tag collect summary_scope",
    },
    "python.saved_model.path_helpers": {
        f"{_TOOLS}.saved_model_files": (
            "get_assets_dir get_debug_dir get_or_create_assets_dir get_or_create_debug_dir "
            "get_or_create_variables_dir get_saved_model_pb_path get_saved_model_pbtxt_path "
            "get_variables_dir get_variables_path"
        ),
    },
    "python.tools.saved_model_utils": {
        f"{_TOOLS}.saved_model_files": (
            "get_meta_graph_def get_saved_model_tag_sets read_saved_model"
        ),
    },
    "python.training.saver": {f"{_TOOLS}.saveables": "BaseSaverBuilder"},
    "python.training.saving.saveable_object": {f"{_TOOLS}.saveables": "SaveSpec SaveableObject"},
    "python.util.decorator_utils": {
        f"{_TOOLS}.registries": "classproperty get_qualified_name validate_callable",
    },
    "python.util.protobuf.compare": {
        f"{_TOOLS}.comparisons": "ProtoAssertions ProtoEq assertProtoEqual isClose",
    },
    "python.util.serialization": {f"{_TOOLS}.registries": "get_json_type"},
    "python.util.tf_stack": {f"{_TOOLS}.registries": "extract_stack"},
}
