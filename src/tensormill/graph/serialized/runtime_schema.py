"""TensorFlow's messages about its own runtime: what operations cost and kernels need, what a run
has logged, options of devices, profilers and datasets. Programs name them, and nothing here reads
them: they are made when somebody asks for one.
"""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
message AllocationRecord { int64 alloc_micros = 1; int64 alloc_bytes = 2; }
enum AutotuneAlgorithm { DEFAULT = 0; HILL_CLIMB = 1; GRADIENT_DESCENT
    = 2; MAX_PARALLELISM = 3; STAGE_BASED = 4; }
message AllocationDescription {
  int64 requested_bytes = 1; int64 allocated_bytes = 2; string allocator_name = 3;
  int64 allocation_id = 4; bool has_single_reference = 5; uint64 ptr = 6;
}
message ApiDef {
  enum Visibility { DEFAULT_VISIBILITY = 0; VISIBLE = 1; SKIP = 2; HIDDEN = 3; }
  message Endpoint { string name = 1; bool deprecated = 3; int32 deprecation_version = 4; }
  message Arg { string name = 1; string rename_to = 2; string description = 3; }
  message Attr {
    string name = 1; string rename_to = 2; AttrValue default_value = 3; string description = 4;
  }
  string graph_op_name = 1; string deprecation_message = 12; int32 deprecation_version = 13;
  Visibility visibility = 2; repeated Endpoint endpoint = 3; repeated Arg in_arg = 4;
  repeated Arg out_arg = 5; repeated string arg_order = 11; repeated Attr attr = 6;
  string summary = 7; string description = 8; string description_prefix = 9;
  string description_suffix = 10;
}
message ApiDefs { repeated ApiDef op = 1; }
message CostGraphDef {
  message Node {
    message InputInfo { int32 preceding_node = 1; int32 preceding_port = 2; }
    message OutputInfo {
      int64 size = 1; int64 alias_input_port = 2; TensorShapeProto shape = 3;
      DataType dtype = 4;
    }
    string name = 1; string device = 2; int32 id = 3; repeated InputInfo input_info = 4;
    repeated OutputInfo output_info = 5; int64 temporary_memory_size = 6;
    int64 persistent_memory_size = 12; int64 host_temp_memory_size = 10;
    int64 device_temp_memory_size = 11; int64 device_persistent_memory_size = 16;
    int64 compute_cost = 9; int64 compute_time = 14; int64 memory_time = 15; bool is_final = 7;
    repeated int32 control_input = 8; bool inaccurate = 17;
  }
  message AggregatedCost { float cost = 1; string dimension = 2; }
  repeated Node node = 1; repeated AggregatedCost cost = 2;
}
message CppShapeInferenceResult {
  message HandleShapeAndType {
    TensorShapeProto shape = 1; DataType dtype = 2; FullTypeDef type = 4;
  }
  message HandleData { bool is_set = 1; repeated HandleShapeAndType shape_and_type = 2; }
  TensorShapeProto shape = 1; HandleData handle_data = 4;
}
message CppShapeInferenceInputsNeeded {
  repeated int32 input_tensors_needed = 1; repeated int32 input_tensors_as_shapes_needed = 2;
}
message Metadata { bytes name = 1; string data_service_address = 2; }
enum AutoShardPolicy { AUTO = 0; FILE = 1; DATA = 2; HINT = 3; OFF = -1; }
enum ExternalStatePolicy { POLICY_WARN = 0; POLICY_IGNORE = 1; POLICY_FAIL = 2; }
message AutotuneOptions {
  oneof optional_enabled { bool enabled = 1; }
  oneof optional_cpu_budget { int32 cpu_budget = 2; }
  oneof optional_ram_budget { int64 ram_budget = 3; }
  oneof optional_autotune_algorithm { AutotuneAlgorithm autotune_algorithm = 4; }
  oneof optional_initial_parallelism { int64 initial_parallelism = 5; }
  oneof optional_min_parallelism { int64 min_parallelism = 6; }
}
message CardinalityOptions {
  enum ComputeLevel { CARDINALITY_COMPUTE_UNSPECIFIED = 0; CARDINALITY_COMPUTE_LOW = 1;
      CARDINALITY_COMPUTE_MODERATE = 2; }
  ComputeLevel compute_level = 1;
}
message DistributeOptions {
  AutoShardPolicy auto_shard_policy = 1; oneof optional_num_devices { int32 num_devices = 2; }
}
message OptimizationOptions {
  oneof optional_apply_default_optimizations { bool apply_default_optimizations = 1; }
  oneof optional_filter_fusion { bool filter_fusion = 6; }
  oneof optional_map_and_batch_fusion { bool map_and_batch_fusion = 9; }
  oneof optional_map_and_filter_fusion { bool map_and_filter_fusion = 10; }
  oneof optional_map_fusion { bool map_fusion = 11; }
  oneof optional_map_parallelization { bool map_parallelization = 12; }
  oneof optional_noop_elimination { bool noop_elimination = 14; }
  oneof optional_parallel_batch { bool parallel_batch = 15; }
  oneof optional_shuffle_and_repeat_fusion { bool shuffle_and_repeat_fusion = 17; }
  oneof optional_filter_parallelization { bool filter_parallelization = 18; }
  oneof optional_inject_prefetch { bool inject_prefetch = 19; }
  oneof optional_seq_interleave_prefetch { bool seq_interleave_prefetch = 21; }
}
message ServiceOptions { oneof optional_pinned { bool pinned = 1; } }
message ThreadingOptions {
  oneof optional_max_intra_op_parallelism { int32 max_intra_op_parallelism = 1; }
  oneof optional_private_threadpool_size { int32 private_threadpool_size = 2; }
}
message Options {
  oneof optional_dataset_name { string dataset_name = 10; } repeated string framework_type = 11;
  oneof optional_deterministic { bool deterministic = 1; } AutotuneOptions autotune_options = 7;
  DistributeOptions distribute_options = 2; OptimizationOptions optimization_options = 3;
  ServiceOptions service_options = 12; oneof optional_slack { bool slack = 4; }
  ThreadingOptions threading_options = 5;
  oneof optional_external_state_policy { ExternalStatePolicy external_state_policy = 6; }
  oneof optional_symbolic_checkpoint { bool symbolic_checkpoint = 8; }
  oneof optional_warm_start { bool warm_start = 9; }
}
message InterconnectLink { int32 device_id = 1; string type = 2; int32 strength = 3; }
message LocalLinks { repeated InterconnectLink link = 1; }
message DeviceLocality { int32 bus_id = 1; int32 numa_node = 2; LocalLinks links = 3; }
message DeviceAttributes {
  string name = 1; string device_type = 2; int64 memory_limit = 4; DeviceLocality locality = 5;
  fixed64 incarnation = 6; string physical_device_desc = 7; int64 xla_global_id = 8;
}
enum FullTypeId { TFT_UNSET = 0; TFT_VAR = 1; TFT_ANY = 2; TFT_PRODUCT = 3; TFT_NAMED = 4;
    TFT_FOR_EACH = 20; TFT_CALLABLE = 100; TFT_TENSOR = 1000; TFT_ARRAY = 1001;
    TFT_OPTIONAL = 1002; TFT_LITERAL = 1003; TFT_ENCODED = 1004; TFT_SHAPE_TENSOR = 1005;
    TFT_BOOL = 200; TFT_UINT8 = 201; TFT_UINT16 = 202; TFT_UINT32 = 203; TFT_UINT64 = 204;
    TFT_INT8 = 205; TFT_INT16 = 206; TFT_INT32 = 207; TFT_INT64 = 208; TFT_HALF = 209;
    TFT_FLOAT = 210; TFT_DOUBLE = 211; TFT_BFLOAT16 = 215; TFT_COMPLEX64 = 212;
    TFT_COMPLEX128 = 213; TFT_STRING = 214; TFT_DATASET = 10102; TFT_RAGGED = 10103;
    TFT_ITERATOR = 10104; TFT_MUTEX_LOCK = 10202; TFT_LEGACY_VARIANT = 10203; }
message FullTypeDef {
  FullTypeId type_id = 1; repeated FullTypeDef args = 2;
  oneof attr { string s = 3; int64 i = 4; }
}
message KernelDef {
  message AttrConstraint { string name = 1; AttrValue allowed_values = 2; }
  string op = 1; string device_type = 2; repeated AttrConstraint constraint = 3;
  repeated string host_memory_arg = 4; string label = 5; int32 priority = 6;
}
message KernelList { repeated KernelDef kernel = 1; }
message MemoryLogStep { int64 step_id = 1; string handle = 2; }
message MemoryLogTensorAllocation {
  int64 step_id = 1; string kernel_name = 2; TensorDescription tensor = 3;
}
message MemoryLogTensorDeallocation { int64 allocation_id = 1; string allocator_name = 2; }
message MemoryLogTensorOutput {
  int64 step_id = 1; string kernel_name = 2; int32 index = 3; TensorDescription tensor = 4;
}
message MemoryLogRawAllocation {
  int64 step_id = 1; string operation = 2; int64 num_bytes = 3; uint64 ptr = 4;
  int64 allocation_id = 5; string allocator_name = 6;
}
message MemoryLogRawDeallocation {
  int64 step_id = 1; string operation = 2; int64 allocation_id = 3; string allocator_name = 4;
  bool deferred = 5;
}
message OptimizedFunctionGraph {
  enum OptimizationSource { SOURCE_UNSPECIFIED = 0; AOT = 1; JIT = 2; }
  string name = 1; GraphDef function_graph = 2;
  map <string, string> node_name_to_control_ret = 3; repeated DataType ret_types = 4;
  uint32 num_return_nodes = 5; OptimizationSource source = 7;
  uint64 optimization_time_usecs = 8;
}
message ReaderBaseState {
  int64 work_started = 1; int64 work_finished = 2; int64 num_records_produced = 3;
  bytes current_work = 4;
}
message TensorDescription {
  DataType dtype = 1; TensorShapeProto shape = 2;
  AllocationDescription allocation_description = 4;
}
message MemAllocatorStats {
  int64 num_allocs = 1; int64 bytes_in_use = 2; int64 peak_bytes_in_use = 3;
  int64 largest_alloc_size = 4; float fragmentation_metric = 5;
}
message MemChunk {
  uint64 address = 1; int64 size = 2; int64 requested_size = 3; int32 bin = 4;
  string op_name = 5; uint64 freed_at_count = 6; uint64 action_count = 7; bool in_use = 8;
  uint64 step_id = 9;
}
message BinSummary {
  int32 bin = 1; int64 total_bytes_in_use = 2; int64 total_bytes_in_bin = 3;
  int64 total_chunks_in_use = 4; int64 total_chunks_in_bin = 5;
}
message SnapShot { uint64 action_count = 1; int64 size = 2; }
message MemoryDump {
  string allocator_name = 1; repeated BinSummary bin_summary = 2; repeated MemChunk chunk = 3;
  repeated SnapShot snap_shot = 4; MemAllocatorStats stats = 5;
}
message CompositeTensorVariantMetadata { TypeSpecProto type_spec_proto = 1; }
message ValuesDef { repeated string values = 1; map <string, string> external_values = 2; }
message ControlFlowContextDef {
  oneof ctxt { CondContextDef cond_ctxt = 1; WhileContextDef while_ctxt = 2; }
}
message CondContextDef {
  string context_name = 1; string pred_name = 2; string pivot_name = 3; int32 branch = 4;
  ValuesDef values_def = 5; repeated ControlFlowContextDef nested_contexts = 6;
}
message WhileContextDef {
  string context_name = 1; int32 parallel_iterations = 2; bool back_prop = 3;
  bool swap_memory = 4; string pivot_name = 5; string pivot_for_pred_name = 6;
  string pivot_for_body_name = 7; repeated string loop_exit_names = 8;
  repeated string loop_enter_names = 10; ValuesDef values_def = 9;
  string maximum_iterations_name = 11; repeated ControlFlowContextDef nested_contexts = 12;
}
message ErrorSourceProto {
  enum ErrorSource { UNKNOWN = 0; TPU_COMPILE_OP = 1; TF_XLA_BRIDGE = 2; MLIR_BRIDGE_PHASE_1 = 3;
      MLIR_BRIDGE_PHASE_2 = 4; EAGER_REMOTE_MGR = 5; }
  ErrorSource error_source = 1;
}
message DeviceProperties {
  string type = 1; string vendor = 2; string model = 3; int64 frequency = 4;
  int64 num_cores = 5; map <string, string> environment = 6; int64 num_registers = 7;
  int64 l1_cache_size = 8; int64 l2_cache_size = 9; int64 l3_cache_size = 10;
  int64 shared_memory_size_per_multiprocessor = 11; int64 memory_size = 12;
  int64 bandwidth = 13;
}
message NamedDevice { string name = 1; DeviceProperties properties = 2; }
enum Code { OK = 0; CANCELLED = 1; UNKNOWN = 2; INVALID_ARGUMENT = 3; DEADLINE_EXCEEDED = 4;
    NOT_FOUND = 5; ALREADY_EXISTS = 6; PERMISSION_DENIED = 7; UNAUTHENTICATED = 16;
    RESOURCE_EXHAUSTED = 8; FAILED_PRECONDITION = 9; ABORTED = 10; OUT_OF_RANGE = 11;
    UNIMPLEMENTED = 12; INTERNAL = 13; UNAVAILABLE = 14; DATA_LOSS = 15;
    DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_ = 20; }
message NamedTensorProto { string name = 1; TensorProto tensor = 2; }
message ResourceDtypeAndShape { DataType dtype = 1; TensorShapeProto shape = 2; }
message RemoteTensorHandle {
  int64 op_id = 1; int32 output_num = 2; string device = 3; string op_device = 4;
  DataType dtype = 5; repeated ResourceDtypeAndShape resource_dtypes_and_shapes = 6;
}
message RPCOptions {
  bool use_rpc_for_inprocess_master = 1; string compression_algorithm = 2;
  int32 compression_level = 3; bool cache_rpc_response = 4;
  bool disable_session_connection_sharing = 5; int32 num_channels_per_target = 6;
}
message StatusProto { Code code = 1; string message = 2; map <string, bytes> payload = 3; }
message RecvBufRespExtra { repeated bytes tensor_content = 1; }
message VerifierConfig {
  enum Toggle { DEFAULT = 0; ON = 1; OFF = 2; }
  int64 verification_timeout_in_ms = 1; Toggle structure_verifier = 2;
}
message MemmappedFileSystemDirectoryElement {
  uint64 offset = 1; string name = 2; uint64 length = 3;
}
message MemmappedFileSystemDirectory { repeated MemmappedFileSystemDirectoryElement element = 1; }
message VarLenFeatureProto {
  DataType dtype = 1; string values_output_tensor_name = 2;
  string indices_output_tensor_name = 3; string shapes_output_tensor_name = 4;
}
message FixedLenFeatureProto {
  DataType dtype = 1; TensorShapeProto shape = 2; TensorProto default_value = 3;
  string values_output_tensor_name = 4;
}
message FeatureConfiguration {
  oneof config {
    FixedLenFeatureProto fixed_len_feature = 1; VarLenFeatureProto var_len_feature = 2;
  }
}
message ExampleParserConfiguration { map <string, FeatureConfiguration> feature_map = 1; }
message ProfileOptions {
  enum DeviceType { UNSPECIFIED = 0; CPU = 1; GPU = 2; TPU = 3; PLUGGABLE_DEVICE = 4; }
  message TraceOptions { uint64 host_traceme_filter_mask = 1; }
  message AdvancedConfigValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int64_value = 3; }
  }
  uint32 version = 5; DeviceType device_type = 6; bool include_dataset_ops = 1;
  uint32 host_tracer_level = 2; uint32 device_tracer_level = 3; uint32 python_tracer_level = 4;
  bool enable_hlo_proto = 7; uint64 start_timestamp_ns = 8; uint64 duration_ms = 9;
  string repository_path = 10; TraceOptions trace_options = 11;
  map <string, AdvancedConfigValue> advanced_configuration = 12;
  bool raise_error_on_start_failure = 13; string session_id = 14; string override_hostname = 15;
}
message RemoteProfilerSessionManagerOptions {
  ProfileOptions profiler_options = 1; repeated string service_addresses = 2;
  uint64 session_creation_timestamp_ns = 3; uint64 max_session_duration_ms = 4;
  uint64 delay_ms = 5;
}
message CodeDef {
  message Trace {
    int64 file_id = 6; int32 lineno = 2; int64 function_id = 7; int64 line_id = 8;
    int32 func_start_line = 5;
  }
  repeated Trace traces = 1;
}
message OpLogEntry {
  string name = 1; int64 float_ops = 2; repeated string types = 3; CodeDef code_def = 4;
}
message OpLogProto { repeated OpLogEntry log_entries = 1; map <int64, string> id_to_string = 2; }
message ProfileProto {
  map <int64, ProfileNode> nodes = 1; bool has_trace = 2; bool miss_accelerator_stream = 5;
  repeated int64 steps = 3; map <int64, string> id_to_string = 4;
}
message ProfileNode {
  string name = 1; string op = 9; int64 id = 13; map <int32, int64> inputs = 2;
  map <int32, Tuple> input_shapes = 16; map <int32, int64> outputs = 3;
  map <int32, Tuple> output_shapes = 15; map <int64, int32> src_output_index = 14;
  repeated int64 shape = 4; repeated string op_types = 5; string canonical_device = 6;
  string host_device = 7; int64 float_ops = 8; CodeDef trace = 10;
  map <string, AttrValue> attrs = 11; map <int64, ExecProfile> execs = 12;
}
message ExecProfile {
  int64 run_count = 1; int64 all_start_micros = 2; int64 latest_end_micros = 3;
  map <string, ExecTime> accelerator_execs = 4; map <string, ExecTime> cpu_execs = 5;
  repeated ExecMemory memory_execs = 7; repeated AllocationRecord allocations = 11;
  repeated string devices = 6;
}
message ExecTime { repeated Tuple times = 1; }
message ExecMemory {
  int64 memory_micros = 1; int64 host_temp_bytes = 2; int64 host_persistent_bytes = 3;
  int64 accelerator_temp_bytes = 4; int64 accelerator_persistent_bytes = 5;
  int64 requested_bytes = 6; int64 peak_bytes = 7; int64 residual_bytes = 8;
  int64 output_bytes = 9; int64 allocator_bytes_in_use = 10;
  map <int32, Memory> output_memory = 11;
}
message Tuple { repeated int64 int64_values = 1; }
message Memory { int64 bytes = 1; uint64 ptr = 2; }
message OptionsProto {
  int64 max_depth = 1; int64 min_bytes = 2; int64 min_peak_bytes = 19;
  int64 min_residual_bytes = 20; int64 min_output_bytes = 21; int64 min_micros = 3;
  int64 min_accelerator_micros = 22; int64 min_cpu_micros = 23; int64 min_params = 4;
  int64 min_float_ops = 5; int64 min_occurrence = 17; int64 step = 18; string order_by = 7;
  repeated string account_type_regexes = 8; repeated string start_name_regexes = 9;
  repeated string trim_name_regexes = 10; repeated string show_name_regexes = 11;
  repeated string hide_name_regexes = 12; bool account_displayed_op_only = 13;
  repeated string select = 14; string output = 15; string dump_to_file = 16;
}
message AdvisorOptionsProto {
  message CheckerOption { map <string, string> options = 1; }
  map <string, CheckerOption> checkers = 1;
}
message TFProfTensorProto {
  DataType dtype = 1; repeated double value_double = 2; repeated int64 value_int64 = 3;
  repeated string value_str = 4;
}
message AdviceProto {
  message Checker { repeated string reports = 2; }
  map <string, Checker> checkers = 1;
}
"""
