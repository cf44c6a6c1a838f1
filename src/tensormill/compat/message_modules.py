"""Which message stands in which module: `tensorflow.core.framework.graph_pb2` has GraphDef."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FRAMEWORK: Final = {
    "attr_value": "AttrValue NameAttrList",
    "function": "FunctionDef FunctionDefLibrary GradientDef RegisteredGradient",
    "graph": "GraphDef",
    "graph_debug_info": "GraphDebugInfo",
    "node_def": "NodeDef",
    "op_def": "OpDef OpList",
    "resource_handle": "ResourceHandleProto",
    "step_stats": "DeviceStepStats NodeExecStats StepStats",
    "summary": "HistogramProto Summary SummaryDescription SummaryMetadata",
    "tensor": "TensorProto VariantTensorDataProto",
    "tensor_shape": "TensorShapeProto",
    "tensor_slice": "TensorSliceProto",
    "types": (
        "DataType SerializedDType DT_BFLOAT16 DT_BOOL DT_COMPLEX128 DT_COMPLEX64 DT_DOUBLE "
        "DT_FLOAT DT_FLOAT8_E4M3FN DT_FLOAT8_E5M2 DT_HALF DT_INT16 DT_INT32 DT_INT4 DT_INT64 "
        "DT_INT8 DT_INVALID DT_QINT16 DT_QINT32 DT_QINT8 DT_QUINT16 DT_QUINT8 DT_RESOURCE "
        "DT_STRING DT_UINT16 DT_UINT32 DT_UINT4 DT_UINT64 DT_UINT8 DT_VARIANT"
    ),
    "variable": "VariableDef",
    "versions": "VersionDef",
}
PROTOBUF: Final = {
    "cluster": "ClusterDef JobDef",
    "config": (
        "CallableOptions ConfigProto GPUOptions GraphOptions OptimizerOptions RunMetadata "
        "RunOptions SessionMetadata TensorConnection ThreadPoolOptionProto"
    ),
    "device_filters": "ClusterDeviceFilters JobDeviceFilters TaskDeviceFilters",
    "fingerprint": "FingerprintDef",
    "meta_graph": "AssetFileDef CollectionDef MetaGraphDef SignatureDef TensorInfo",
    "queue_runner": "QueueRunnerDef",
    "rewriter_config": "AutoParallelOptions RewriterConfig ScopedAllocatorOptions",
    "saved_model": "SavedModel",
    "saved_object_graph": (
        "CapturedTensor FunctionSpec SaveableObject SavedAsset SavedBareConcreteFunction "
        "SavedConcreteFunction SavedConstant SavedFunction SavedObject SavedObjectGraph "
        "SavedResource SavedUserObject SavedVariable"
    ),
    "saver": "SaverDef",
    "snapshot": "SnapshotMetadataRecord",
    "struct": (
        "BoundedTensorSpecProto DictValue ListValue NamedTupleValue NoneValue PairValue "
        "StructuredValue TensorSpecProto TupleValue TypeSpecProto"
    ),
    "tensor_bundle": "BundleEntryProto BundleHeaderProto",
    "tensorflow_server": "ServerDef",
    "trackable_object_graph": "RegisteredSaver TrackableObjectGraph",
}
UTIL: Final = {"event": "Event LogMessage SessionLog SourceMetadata TaggedRunMetadata"}

MESSAGE_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    f"core.{folder}.{file}_pb2": {"compat.private_modules.messages": names}
    for folder, files in (("framework", FRAMEWORK), ("protobuf", PROTOBUF), ("util", UTIL))
    for file, names in files.items()
}
