"""`tf.data.experimental`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "data.dataset": "AUTOTUNE",
    "data.experimental": (
        "assert_cardinality bucket_by_sequence_length cardinality choose_from_datasets Counter "
        "dense_to_ragged_batch dense_to_sparse_batch "
        "enumerate_dataset from_list get_next_as_optional get_single_element get_structure "
        "group_by_window ignore_errors load map_and_batch prefetch_to_device RandomDataset "
        "sample_from_datasets save scan shuffle_and_repeat snapshot take_while unbatch unique"
    ),
    "data.functions": "enable_debug_mode",
    "data.records.csv_files": "CsvDataset",
    "data.records.csv_tables": "make_csv_dataset",
    "data.records.parsing": "make_batched_features_dataset parse_example_dataset",
    "data.records.queries": "SqlDataset",
    "data.records.written_datasets": "TFRecordWriter=DatasetRecordWriter",
    "data.nodes.node": "INFINITE_CARDINALITY=INFINITE UNKNOWN_CARDINALITY=UNKNOWN",
    "data.optional": "Optional",
    "data.options": (
        "AutoShardPolicy AutotuneAlgorithm AutotuneOptions DistributeOptions ExternalStatePolicy "
        "OptimizationOptions ServiceOptions ThreadingOptions"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.data.experimental")
