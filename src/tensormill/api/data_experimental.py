"""`tf.data.experimental`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "data.dataset": "AUTOTUNE",
    "data.experimental": (
        "assert_cardinality bucket_by_sequence_length cardinality choose_from_datasets Counter "
        "dense_to_ragged_batch "
        "enumerate_dataset from_list get_next_as_optional get_single_element get_structure "
        "group_by_window ignore_errors map_and_batch prefetch_to_device RandomDataset "
        "sample_from_datasets scan shuffle_and_repeat take_while unbatch unique"
    ),
    "data.functions": "enable_debug_mode",
    "data.nodes.node": "INFINITE_CARDINALITY=INFINITE UNKNOWN_CARDINALITY=UNKNOWN",
    "data.optional": "Optional",
    "data.options": (
        "AutoShardPolicy AutotuneAlgorithm AutotuneOptions DistributeOptions ExternalStatePolicy "
        "OptimizationOptions ServiceOptions ThreadingOptions"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.data.experimental")
