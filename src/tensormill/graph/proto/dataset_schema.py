"""The messages in files of saved datasets: snapshot.proto, and what a variant tensor holds."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
message SnapshotMetadataRecord {
  string graph_hash = 1; string run_id = 2; int64 creation_timestamp = 3; int64 version = 4;
  repeated DataType dtype = 5; int64 num_elements = 6; bool finalized = 1000;
}
message VariantTensorDataProto {
  string type_name = 1; bytes metadata = 2; repeated TensorProto tensors = 3;
}
"""
