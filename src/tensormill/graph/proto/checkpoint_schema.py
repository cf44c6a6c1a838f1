"""TensorFlow's messages of checkpoints: tensor bundles, object graphs, the state file."""

from __future__ import annotations

from typing import Final

# TensorFlow wraps the bool in google.protobuf.BoolValue, and has an enum for the byte order: the
# wire format is that of these declarations.
SCHEMA: Final = """
message TensorSliceProto {
  message Extent { int64 start = 1; oneof has_length { int64 length = 2; } }
  repeated Extent extent = 1;
}
message SavedSliceMeta {
  string name = 1; TensorShapeProto shape = 2; DataType type = 3;
  repeated TensorSliceProto slice = 4;
}
message SavedTensorSliceMeta { repeated SavedSliceMeta tensor = 1; VersionDef versions = 2; }
message SavedSlice { string name = 1; TensorSliceProto slice = 2; TensorProto data = 3; }
message SavedTensorSlices { SavedTensorSliceMeta meta = 1; SavedSlice data = 2; }
message BundleHeaderProto { int32 num_shards = 1; int32 endianness = 2; VersionDef version = 3; }
message BundleEntryProto {
  DataType dtype = 1; TensorShapeProto shape = 2; int32 shard_id = 3; int64 offset = 4;
  int64 size = 5; fixed32 crc32c = 6; repeated TensorSliceProto slices = 7;
}
message BoolValue { bool value = 1; }
message RegisteredSaver { string name = 1; string object_name = 2; }
message TrackableObjectGraph {
  message TrackableObject {
    message ObjectReference { int32 node_id = 1; string local_name = 2; }
    message SerializedTensor { string name = 1; string full_name = 2; string checkpoint_key = 3; }
    message SlotVariableReference {
      int32 original_variable_node_id = 1; string slot_name = 2; int32 slot_variable_node_id = 3;
    }
    repeated ObjectReference children = 1; repeated SerializedTensor attributes = 2;
    repeated SlotVariableReference slot_variables = 3; RegisteredSaver registered_saver = 4;
    BoolValue has_checkpoint_values = 5;
  }
  repeated TrackableObject nodes = 1;
}
message CheckpointState {
  string model_checkpoint_path = 1; repeated string all_model_checkpoint_paths = 2;
  repeated double all_model_checkpoint_timestamps = 3; double last_preserved_timestamp = 4;
}
"""
