"""TensorFlow's messages of SavedModels: meta graphs, signatures, objects, structured values."""

from __future__ import annotations

from typing import Final

# Enums other than DataType are int32 here, and `any` values are left out: the wire format is that
# of TensorFlow's declarations.
SCHEMA: Final = """
message OpList { repeated OpDef op = 1; }
message SaverDef {
  string filename_tensor_name = 1; string save_tensor_name = 2; string restore_op_name = 3;
  int32 max_to_keep = 4; bool sharded = 5; float keep_checkpoint_every_n_hours = 6;
  enum CheckpointFormatVersion { LEGACY = 0; V1 = 1; V2 = 2; }
  CheckpointFormatVersion version = 7;
}
message VariableDef {
  string variable_name = 1; string initializer_name = 2; string snapshot_name = 3;
  SaveSliceInfoDef save_slice_info_def = 4; bool is_resource = 5; string initial_value_name = 6;
  bool trainable = 7;
  int32 synchronization = 8; int32 aggregation = 9;
}
message SaveSliceInfoDef {
  string full_name = 1; repeated int64 full_shape = 2; repeated int64 var_offset = 3;
  repeated int64 var_shape = 4;
}
message AnyMessage { string type_url = 1; bytes value = 2; }
message CollectionDef {
  message NodeList { repeated string value = 1; }
  message BytesList { repeated bytes value = 1; }
  message Int64List { repeated int64 value = 1; }
  message FloatList { repeated float value = 1; }
  message AnyList { repeated AnyMessage value = 1; }
  oneof kind {
    NodeList node_list = 1; BytesList bytes_list = 2; Int64List int64_list = 3;
    FloatList float_list = 4; AnyList any_list = 5;
  }
}
message TensorInfo {
  message CooSparse {
    string values_tensor_name = 1; string indices_tensor_name = 2;
    string dense_shape_tensor_name = 3;
  }
  message CompositeTensor { TypeSpecProto type_spec = 1; repeated TensorInfo components = 2; }
  oneof encoding {
    string name = 1; CooSparse coo_sparse = 4; CompositeTensor composite_tensor = 5;
  }
  DataType dtype = 2; TensorShapeProto tensor_shape = 3;
}
message SignatureDef {
  map<string, TensorInfo> inputs = 1; map<string, TensorInfo> outputs = 2; string method_name = 3;
  map<string, TensorProto> defaults = 4;
}
message AssetFileDef { TensorInfo tensor_info = 1; string filename = 2; }
message MetaGraphDef {
  message MetaInfoDef {
    string meta_graph_version = 1; OpList stripped_op_list = 2; repeated string tags = 4;
    string tensorflow_version = 5; string tensorflow_git_version = 6;
    bool stripped_default_attrs = 7; map<string, string> function_aliases = 8;
  }
  MetaInfoDef meta_info_def = 1; GraphDef graph_def = 2; SaverDef saver_def = 3;
  map<string, CollectionDef> collection_def = 4; map<string, SignatureDef> signature_def = 5;
  repeated AssetFileDef asset_file_def = 6; SavedObjectGraph object_graph_def = 7;
}
message SavedModel { int64 saved_model_schema_version = 1; repeated MetaGraphDef meta_graphs = 2; }
message SavedObjectGraph {
  repeated SavedObject nodes = 1; map<string, SavedConcreteFunction> concrete_functions = 2;
}
message SavedObject {
  repeated TrackableObjectGraph.TrackableObject.ObjectReference children = 1;
  repeated TrackableObjectGraph.TrackableObject.ObjectReference dependencies = 15;
  repeated TrackableObjectGraph.TrackableObject.SlotVariableReference slot_variables = 3;
  oneof kind {
    SavedUserObject user_object = 4; SavedAsset asset = 5; SavedFunction function = 6;
    SavedVariable variable = 7; SavedBareConcreteFunction bare_concrete_function = 8;
    SavedConstant constant = 9; SavedResource resource = 10; CapturedTensor captured_tensor = 12;
  }
  map<string, SaveableObject> saveable_objects = 11; string registered_name = 13;
  string registered_saver = 16;
}
message SavedUserObject { string identifier = 1; VersionDef version = 2; string metadata = 3; }
message SavedAsset { int32 asset_file_def_index = 1; }
message SavedFunction { repeated string concrete_functions = 1; FunctionSpec function_spec = 2; }
message CapturedTensor { string name = 1; string concrete_function = 2; }
message SavedConcreteFunction {
  repeated int32 bound_inputs = 2; StructuredValue canonicalized_input_signature = 3;
  StructuredValue output_signature = 4;
}
message SavedBareConcreteFunction {
  string concrete_function_name = 1; repeated string argument_keywords = 2;
  int64 allowed_positional_arguments = 3; FunctionSpec function_spec = 4;
}
message SavedConstant { string operation = 1; }
message SavedVariable {
  DataType dtype = 1; TensorShapeProto shape = 2; bool trainable = 3; int32 synchronization = 4;
  int32 aggregation = 5; string name = 6; string device = 7;
  repeated SavedVariable experimental_distributed_variable_components = 8;
}
message FunctionSpec {
  StructuredValue fullargspec = 1; bool is_method = 2; StructuredValue input_signature = 5;
  int32 jit_compile = 6;
}
message SavedResource { string device = 1; }
message SaveableObject { int32 save_function = 2; int32 restore_function = 3; }
message StructuredValue {
  oneof kind {
    NoneValue none_value = 1; double float64_value = 11; sint64 int64_value = 12;
    string string_value = 13; bool bool_value = 14; TensorShapeProto tensor_shape_value = 31;
    DataType tensor_dtype_value = 32; TensorSpecProto tensor_spec_value = 33;
    TypeSpecProto type_spec_value = 34; BoundedTensorSpecProto bounded_tensor_spec_value = 35;
    ListValue list_value = 51; TupleValue tuple_value = 52; DictValue dict_value = 53;
    NamedTupleValue named_tuple_value = 54; TensorProto tensor_value = 55;
    TensorProto numpy_value = 56;
  }
}
message NoneValue { }
message ListValue { repeated StructuredValue values = 1; }
message TupleValue { repeated StructuredValue values = 1; }
message DictValue { map<string, StructuredValue> fields = 1; }
message PairValue { string key = 1; StructuredValue value = 2; }
message NamedTupleValue { string name = 1; repeated PairValue values = 2; }
message SerializedDType { DataType datatype = 1; }
message TensorSpecProto { string name = 1; TensorShapeProto shape = 2; DataType dtype = 3; }
message BoundedTensorSpecProto {
  string name = 1; TensorShapeProto shape = 2; DataType dtype = 3; TensorProto minimum = 4;
  TensorProto maximum = 5;
}
message TypeSpecProto {
  int32 type_spec_class = 1; StructuredValue type_state = 2; string type_spec_class_name = 3;
  int32 num_flat_components = 4;
}
message GraphDebugInfo {
  message FileLineCol {
    int32 file_index = 1; int32 line = 2; int32 col = 3; string func = 4; string code = 5;
  }
  message StackTrace { repeated FileLineCol file_line_cols = 1; repeated fixed64 frame_id = 2; }
  repeated string files = 1; map<string, StackTrace> traces = 2;
  map<fixed64, FileLineCol> frames_by_id = 4; map<string, fixed64> name_to_trace_id = 5;
  map<fixed64, StackTrace> traces_by_id = 6;
}
message FingerprintDef {
  uint64 saved_model_checksum = 1; uint64 graph_def_program_hash = 2;
  uint64 signature_def_hash = 3; uint64 saved_object_graph_hash = 4; uint64 checkpoint_hash = 5;
  VersionDef version = 6; string uuid = 7;
}
"""
