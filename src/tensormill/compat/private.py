"""Private modules of TensorFlow that clients import, as tables of where their names live here.

A table's key is the module's path below `tensorflow`; `api/lazy.py` explains the rest. Listed is
what Keras 3 touches, and the classes that say they live there (`core/tensorflow_names.py`):
`pickle` looks for them where they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..api import lazy

Table = Mapping[str, str]

TABLES: Final[Mapping[str, Table]] = {
    "__internal__": {
        "core.tree": "CompositeTensor=Composite",
        "eager.tensor": "EagerTensor",
        "graph.func_graph": "FuncGraph=ScratchGraph",
        "graph.symbolic": "SymbolicTensor",
    },
    "__internal__.decorator": {"compat.internal": "unwrap"},
    "__internal__.distribute": {"compat.internal": "strategy_supports_no_merge_call"},
    "__internal__.distribute.interim": {"compat.internal": "maybe_merge_call"},
    "__internal__.eager_context": {"core.context": "eager_mode=init_scope"},
    "__internal__.smart_cond": {"compat.internal": "smart_cond"},
    "__internal__.tf2": {"compat.internal": "enabled"},
    "__internal__.tracking": {
        "module.data_structures": "wrap",
        "module.trackable": "AutoTrackable Trackable no_automatic_dependency_tracking",
    },
    "__internal__.types": {"core.values": "Tensor=TensorBase"},
    "compiler.tf2xla.python.xla": {"ops.array.dynamic_slices": "dynamic_update_slice"},
    "core.example.example_pb2": {"graph.proto.examples": "Example SequenceExample"},
    "core.example.feature_pb2": {
        "graph.proto.examples": (
            "BytesList Feature FeatureList FeatureLists Features FloatList Int64List"
        ),
    },
    "experimental.dtensor": {},
    "python.data.ops.dataset_ops": {"data.dataset": "DatasetV2"},
    "python.eager.context": {"compat.eager_context": "async_wait context"},
    "python.framework.config": {
        "eager.devices": ("disable_op_determinism enable_op_determinism is_op_determinism_enabled"),
    },
    "python.framework.ops": {"eager.tensor": "EagerTensor", "graph.symbolic": "SymbolicTensor"},
    "python.framework.sparse_tensor": {"ops.sparse.sparse_tensor": "SparseTensor"},
    "python.framework.tensor": {"eager.tensor": "Tensor"},
    "python.lib.io.tf_record": {
        "data.records.options": "TFRecordCompressionType TFRecordOptions",
        "data.records.record_files": "TFRecordWriter tf_record_iterator tf_record_random_reader",
    },
    "python.ops.linalg.sparse.sparse_csr_matrix_ops": {
        "ops.sparse.compressed_rows": (
            "csr_sparse_matrix_to_sparse_tensor sparse_matrix_sparse_mat_mul "
            "sparse_tensor_to_csr_sparse_matrix"
        ),
    },
    "python.ops.math_ops": {"ops.math.comparison": "is_nan"},
    "python.ops.ragged.dynamic_ragged_shape": {"ops.ragged.ragged_shape": "DynamicRaggedShape"},
    "python.ops.ragged.ragged_tensor": {"ops.ragged.ragged_tensor": "RaggedTensor"},
    "python.ops.ragged.row_partition": {"ops.ragged.row_partition": "RowPartition"},
    "python.trackable.data_structures": {
        "module.data_structures": "ListWrapper NoDependency _DictWrapper",
    },
}


def has_private_module(path: Sequence[str]) -> bool:
    """Whether there is a private module at this path, or below it."""
    name = ".".join(path)
    return any(table == name or table.startswith(f"{name}.") for table in TABLES)


def places(path: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The private names of a module: where each lives."""
    return lazy.places(TABLES.get(".".join(path), {}))
