"""Messages about how programs ran: profiles as TensorBoard reads them, and graphs of a run."""

from __future__ import annotations

from typing import Final

# XSpace and what is in it: tsl/profiler/protobuf/xplane.proto; RunMetadata: config.proto.
SCHEMA: Final = """
message XStat {
  int64 metadata_id = 1;
  oneof value {
    double double_value = 2; uint64 uint64_value = 3; int64 int64_value = 4;
    string str_value = 5; bytes bytes_value = 6; uint64 ref_value = 7;
  }
}
message XEvent {
  int64 metadata_id = 1; oneof data { int64 offset_ps = 2; int64 num_occurrences = 5; }
  int64 duration_ps = 3; repeated XStat stats = 4;
}
message XLine {
  int64 id = 1; string name = 2; int64 timestamp_ns = 3; repeated XEvent events = 4;
  int64 duration_ps = 9; int64 display_id = 10; string display_name = 11;
}
message XEventMetadata {
  int64 id = 1; string name = 2; bytes metadata = 3; string display_name = 4;
  repeated XStat stats = 5; repeated int64 child_id = 6;
}
message XStatMetadata { int64 id = 1; string name = 2; string description = 3; }
message XPlane {
  int64 id = 1; string name = 2; repeated XLine lines = 3;
  map<int64, XEventMetadata> event_metadata = 4; map<int64, XStatMetadata> stat_metadata = 5;
  repeated XStat stats = 6;
}
message XSpace {
  repeated XPlane planes = 1; repeated string errors = 2; repeated string warnings = 3;
  repeated string hostnames = 4;
}
message NodeExecStats {
  string node_name = 1; int64 all_start_micros = 2; int64 op_start_rel_micros = 3;
  int64 op_end_rel_micros = 4; int64 all_end_rel_micros = 5; string timeline_label = 8;
  int64 scheduled_micros = 9; uint32 thread_id = 10; int64 all_start_nanos = 13;
  int64 op_start_rel_nanos = 14; int64 op_end_rel_nanos = 15; int64 all_end_rel_nanos = 16;
  int64 scheduled_nanos = 17;
}
message DeviceStepStats {
  string device = 1; repeated NodeExecStats node_stats = 2; map<uint32, string> thread_names = 3;
}
message StepStats { repeated DeviceStepStats dev_stats = 1; }
message RunMetadata {
  message FunctionGraphs {
    repeated GraphDef partition_graphs = 1; GraphDef pre_optimization_graph = 2;
    GraphDef post_optimization_graph = 3;
  }
  StepStats step_stats = 1; bytes cost_graph = 2; repeated GraphDef partition_graphs = 3;
  repeated FunctionGraphs function_graphs = 4;
}
message GraphNodeProto {
  string name = 1; int64 run_count = 21; int64 exec_micros = 2; int64 accelerator_exec_micros = 17;
  int64 cpu_exec_micros = 18; int64 requested_bytes = 3; int64 peak_bytes = 24;
  int64 residual_bytes = 25; int64 output_bytes = 26; int64 parameters = 4; int64 float_ops = 13;
  repeated string devices = 10; int64 total_definition_count = 23; int64 total_run_count = 22;
  int64 total_exec_micros = 6; int64 total_accelerator_exec_micros = 19;
  int64 total_cpu_exec_micros = 20; int64 total_requested_bytes = 7; int64 total_peak_bytes = 27;
  int64 total_residual_bytes = 28; int64 total_output_bytes = 29; int64 total_parameters = 8;
  int64 total_float_ops = 14; repeated TensorShapeProto shapes = 11;
  map<int32, TensorShapeProto> input_shapes = 16; repeated GraphNodeProto children = 12;
}
message MultiGraphNodeProto {
  string name = 1; int64 exec_micros = 2; int64 accelerator_exec_micros = 12;
  int64 cpu_exec_micros = 13; int64 requested_bytes = 3; int64 peak_bytes = 16;
  int64 residual_bytes = 17; int64 output_bytes = 18; int64 parameters = 4; int64 float_ops = 5;
  int64 total_exec_micros = 6; int64 total_accelerator_exec_micros = 14;
  int64 total_cpu_exec_micros = 15; int64 total_requested_bytes = 7; int64 total_peak_bytes = 19;
  int64 total_residual_bytes = 20; int64 total_output_bytes = 21; int64 total_parameters = 8;
  int64 total_float_ops = 9; repeated GraphNodeProto graph_nodes = 10;
  repeated MultiGraphNodeProto children = 11;
}
"""
