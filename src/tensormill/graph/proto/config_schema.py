"""TensorFlow's messages about how sessions run, and about meshes: programs fill them in."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
message GPUOptions {
  message Experimental {
    message VirtualDevices {
      repeated float memory_limit_mb = 1; repeated int32 priority = 2;
      repeated int32 device_ordinal = 3;
    }
    repeated VirtualDevices virtual_devices = 1; bool use_unified_memory = 2;
    int32 num_dev_to_dev_copy_streams = 3; string collective_ring_order = 4;
    bool timestamped_allocator = 5; int32 kernel_tracker_max_interval = 7;
    int32 kernel_tracker_max_bytes = 8; int32 kernel_tracker_max_pending = 9;
    double internal_fragmentation_fraction = 10; bool use_cuda_malloc_async = 11;
    bool disallow_retry_on_allocation_failure = 12; float gpu_host_mem_limit_in_mb = 13;
    bool gpu_host_mem_disallow_growth = 14; int32 num_virtual_devices_per_gpu = 15;
    int32 gpu_system_memory_size_in_mb = 16; int32 node_id = 18;
  }
  double per_process_gpu_memory_fraction = 1; string allocator_type = 2;
  int64 deferred_deletion_bytes = 3; bool allow_growth = 4; string visible_device_list = 5;
  int32 polling_active_delay_usecs = 6; int32 polling_inactive_delay_msecs = 7;
  bool force_gpu_compatible = 8; Experimental experimental = 9;
}
message OptimizerOptions {
  enum Level { L1 = 0; L0 = -1; }
  enum GlobalJitLevel { DEFAULT = 0; OFF = -1; ON_1 = 1; ON_2 = 2; }
  bool do_common_subexpression_elimination = 1; bool do_constant_folding = 2; Level opt_level = 3;
  bool do_function_inlining = 4; GlobalJitLevel global_jit_level = 5;
  int64 max_folded_constant_in_bytes = 6; bool cpu_global_jit = 7;
}
message AutoParallelOptions { bool enable = 1; int32 num_replicas = 2; }
message ScopedAllocatorOptions { repeated string enable_op = 1; }
message RewriterConfig {
  enum Toggle {
    DEFAULT = 0; ON = 1; OFF = 2; AGGRESSIVE = 3; EXPERIMENTAL_MLIR = 4; EXPERIMENTAL_BOTH = 5;
  }
  enum CpuLayout { NO_CONVERSION_ON_CPU = 0; NCHW_TO_NHWC = 1; NHWC_TO_NCHW = 2; }
  enum NumIterationsType { DEFAULT_NUM_ITERS = 0; ONE = 1; TWO = 2; }
  enum MemOptType {
    DEFAULT_MEM_OPT = 0; NO_MEM_OPT = 1; MANUAL = 2; HEURISTICS = 3; SWAPPING_HEURISTICS = 4;
    RECOMPUTATION_HEURISTICS = 5; SCHEDULING_HEURISTICS = 6;
  }
  message CustomGraphOptimizer { string name = 1; map<string, AttrValue> parameter_map = 2; }
  Toggle layout_optimizer = 1; bool disable_model_pruning = 2; Toggle constant_folding = 3;
  MemOptType memory_optimization = 4; AutoParallelOptions auto_parallel = 5;
  string memory_optimizer_target_node_name_scope = 6; Toggle arithmetic_optimization = 7;
  Toggle dependency_optimization = 8; Toggle loop_optimization = 9;
  Toggle function_optimization = 10; Toggle debug_stripper = 11;
  NumIterationsType meta_optimizer_iterations = 12; Toggle shape_optimization = 13;
  Toggle remapping = 14; Toggle scoped_allocator_optimization = 15;
  ScopedAllocatorOptions scoped_allocator_opts = 16; int32 min_graph_nodes = 17;
  Toggle pin_to_host_optimization = 18; bool disable_meta_optimizer = 19;
  int64 meta_optimizer_timeout_ms = 20; bool fail_on_optimizer_errors = 21;
  Toggle implementation_selector = 22; Toggle auto_mixed_precision = 23;
  Toggle common_subgraph_elimination = 24; Toggle auto_mixed_precision_mkl = 25;
  bool experimental_disable_compressed_tensor_optimization = 26;
  bool experimental_disable_folding_quantization_emulation = 27;
  Toggle use_plugin_optimizers = 28; Toggle auto_mixed_precision_cpu = 29;
  Toggle experimental_conditional_code_motion = 30;
  Toggle auto_mixed_precision_onednn_bfloat16 = 31; bool disable_tfg_optimizer = 32;
  CpuLayout cpu_layout_conversion = 50; repeated string optimizers = 100;
  repeated CustomGraphOptimizer custom_optimizers = 200;
}
message GraphOptions {
  bool enable_recv_scheduling = 2; OptimizerOptions optimizer_options = 3;
  int64 build_cost_model = 4; bool infer_shapes = 5; bool place_pruned_graph = 6;
  bool enable_bfloat16_sendrecv = 7; int32 timeline_step = 8; int64 build_cost_model_after = 9;
  RewriterConfig rewrite_options = 10;
}
message ThreadPoolOptionProto { int32 num_threads = 1; string global_name = 2; }
message SessionMetadata { string name = 1; int64 version = 2; }
message ConfigProto {
  message Experimental {
    string collective_group_leader = 1; string executor_type = 3; int32 recv_buf_max_chunk = 4;
    bool use_numa_affinity = 5; bool collective_deterministic_sequential_execution = 6;
    bool collective_nccl = 7; bool share_session_state_in_clusterspec_propagation = 8;
    bool disable_thread_spinning = 9; bool share_cluster_devices_in_session = 10;
    SessionMetadata session_metadata = 11; bool optimize_for_static_graph = 12;
    bool enable_mlir_bridge = 13; bool disable_output_partition_graphs = 14;
    int64 xla_fusion_autotuner_thresh = 15; bool enable_mlir_graph_optimization = 16;
    bool use_tfrt = 18; bool disable_functional_ops_lowering = 21;
    bool xla_prefer_single_graph_cluster = 22; bool disable_optimize_for_static_graph = 24;
  }
  map<string, int32> device_count = 1; int32 intra_op_parallelism_threads = 2;
  int32 placement_period = 3; repeated string device_filters = 4;
  int32 inter_op_parallelism_threads = 5; GPUOptions gpu_options = 6;
  bool allow_soft_placement = 7; bool log_device_placement = 8; bool use_per_session_threads = 9;
  GraphOptions graph_options = 10; int64 operation_timeout_in_ms = 11;
  repeated ThreadPoolOptionProto session_inter_op_thread_pool = 12; ClusterDef cluster_def = 14;
  bool isolate_session_state = 15; Experimental experimental = 16;
  bool share_cluster_devices_in_session = 17; GPUOptions pluggable_device_options = 18;
}
message JobDef { string name = 1; map<int32, string> tasks = 2; }
message ClusterDef { repeated JobDef job = 1; }
message TaskDeviceFilters { repeated string device_filters = 1; }
message JobDeviceFilters { string name = 1; map<int32, TaskDeviceFilters> tasks = 2; }
message ClusterDeviceFilters { repeated JobDeviceFilters jobs = 1; }
message ServerDef {
  ClusterDef cluster = 1; string job_name = 2; int32 task_index = 3;
  ConfigProto default_session_config = 4; string protocol = 5; int32 port = 6;
  ClusterDeviceFilters cluster_device_filters = 7; int32 replica = 8;
}
message QueueRunnerDef {
  string queue_name = 1; repeated string enqueue_op_name = 2; string close_op_name = 3;
  string cancel_op_name = 4; repeated int32 queue_closed_exception_types = 5;
}
message RunOptions {
  enum TraceLevel { NO_TRACE = 0; SOFTWARE_TRACE = 1; HARDWARE_TRACE = 2; FULL_TRACE = 3; }
  message Experimental {
    message RunHandlerPoolOptions { int64 priority = 1; }
    int64 collective_graph_key = 1; bool use_run_handler_pool = 2;
    RunHandlerPoolOptions run_handler_pool_options = 3;
  }
  TraceLevel trace_level = 1; int64 timeout_in_ms = 2; int32 inter_op_thread_pool = 3;
  bool output_partition_graphs = 5; bool report_tensor_allocations_upon_oom = 7;
  Experimental experimental = 8;
}
message TensorConnection { string from_tensor = 1; string to_tensor = 2; }
message CallableOptions {
  repeated string feed = 1; repeated string fetch = 2; repeated string target = 3;
  RunOptions run_options = 4; repeated TensorConnection tensor_connection = 5;
  map<string, string> feed_devices = 6; map<string, string> fetch_devices = 7;
  bool fetch_skip_sync = 8;
}
message TPUHardwareFeature {
  enum EmbeddingFeature { UNSUPPORTED = 0; V1 = 1; V2 = 2; }
  EmbeddingFeature embedding_feature = 1; int32 num_embedding_devices_per_chip = 2;
}
message TopologyProto {
  repeated int32 mesh_shape = 1; int32 num_tasks = 2; int32 num_tpu_devices_per_task = 3;
  repeated int32 device_coordinates = 4; TPUHardwareFeature tpu_hardware_feature = 5;
}
message ShardingSpec { string sharding_spec = 2; }
message MeshDimensionProto { string name = 1; int64 size = 2; }
message MeshProto {
  repeated MeshDimensionProto mesh_dimensions = 1; repeated int64 global_device_ids = 2;
  string name = 3; repeated int64 local_device_ids = 4; repeated string local_devices = 5;
  repeated string global_devices = 6; bool use_xla_spmd = 7; string single_device = 8;
}
message LayoutProto {
  enum LayoutType { UNKNOWN = 0; STATIC = 1; PARTED = 2; SINGLE_DEVICE = 3; }
  repeated ShardingSpec sharding_specs = 1; MeshProto mesh_config = 2; LayoutType type = 3;
}
"""
