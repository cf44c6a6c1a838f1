"""`tf.data.experimental`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "service=data_experimental_service",
    "data.dataset": "AUTOTUNE",
    "data.experimental": (
        "assert_cardinality at bucket_by_sequence_length cardinality choose_from_datasets "
        "copy_to_device Counter dense_to_ragged_batch dense_to_sparse_batch "
        "enumerate_dataset from_list from_variant get_next_as_optional get_single_element "
        "get_structure group_by_reducer group_by_window ignore_errors load map_and_batch "
        "pad_to_cardinality parallel_interleave prefetch_to_device RandomDataset "
        "rejection_resample sample_from_datasets save scan SHARD_HINT shuffle_and_repeat snapshot "
        "take_while to_variant unbatch unique"
    ),
    "data_service.client": "distributed_save",
    "data.lookups": "DatasetInitializer index_table_from_dataset table_from_dataset",
    "data.nodes.grouping": "Reducer",
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

GONE = {
    "get_model_proto": (
        ": datasets tune nothing here, so there is no model of it; see tf.profiler.experimental"
    ),
    "make_saveable_from_iterator": (
        ": it is for graphs; tf.train.Checkpoint(iterator=iterator) saves an iterator"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.data.experimental", gone=GONE)
