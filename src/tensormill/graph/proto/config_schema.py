"""TensorFlow's messages about how sessions run. Nothing reads them; programs fill them in."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
message GPUOptions {
  double per_process_gpu_memory_fraction = 1; string allocator_type = 2;
  int64 deferred_deletion_bytes = 3; bool allow_growth = 4; string visible_device_list = 5;
  bool force_gpu_compatible = 8;
}
message OptimizerOptions {
  bool do_common_subexpression_elimination = 1; bool do_constant_folding = 2; int32 opt_level = 3;
  bool do_function_inlining = 4; int32 global_jit_level = 5;
}
message RewriterConfig {
  enum Toggle { DEFAULT = 0; ON = 1; OFF = 2; AGGRESSIVE = 3; }
  Toggle dependency_optimization = 8;
}
message GraphOptions {
  bool enable_recv_scheduling = 2; OptimizerOptions optimizer_options = 3;
  int64 build_cost_model = 4; bool infer_shapes = 5; bool place_pruned_graph = 6;
  int32 timeline_step = 8; RewriterConfig rewrite_options = 10;
}
message ConfigProto {
  map<string, int32> device_count = 1; int32 intra_op_parallelism_threads = 2;
  int32 placement_period = 3; repeated string device_filters = 4;
  int32 inter_op_parallelism_threads = 5; GPUOptions gpu_options = 6;
  bool allow_soft_placement = 7; bool log_device_placement = 8; bool use_per_session_threads = 9;
  GraphOptions graph_options = 10; int64 operation_timeout_in_ms = 11;
  bool isolate_session_state = 15;
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
  TraceLevel trace_level = 1; int64 timeout_in_ms = 2; int32 inter_op_thread_pool = 3;
  bool output_partition_graphs = 5; bool report_tensor_allocations_upon_oom = 7;
}
message TPUHardwareFeature {
  enum EmbeddingFeature { UNSUPPORTED = 0; V1 = 1; V2 = 2; }
  EmbeddingFeature embedding_feature = 1; int32 num_embedding_devices_per_chip = 2;
}
message TopologyProto {
  repeated int32 mesh_shape = 1; int32 num_tasks = 2; int32 num_tpu_devices_per_task = 3;
  repeated int32 device_coordinates = 4; TPUHardwareFeature tpu_hardware_feature = 5;
}
"""
