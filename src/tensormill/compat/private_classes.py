"""More names of private modules: classes that programs ask values of, and small helpers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TOOLS: Final = "compat.private_modules.tools"
_NUMERICS: Final = "compat.private_modules.numerics"
_CATEGORIES: Final = (
    "CrossedColumn HashedCategoricalColumn IdentityCategoricalColumn "
    "VocabularyFileCategoricalColumn VocabularyListCategoricalColumn WeightedCategoricalColumn"
)
_DENSE: Final = "EmbeddingColumn IndicatorColumn SequenceCategoricalColumn SharedEmbeddingColumn"
_WRITTEN_COLUMNS: Final = (
    "deserialize_feature_column deserialize_feature_columns serialize_feature_column "
    "serialize_feature_columns"
)

# What TensorFlow has a module with a class for.
DATASETS: Final = (
    "batch cache choose_from_datasets concatenate counter directed_interleave filter flat_map "
    "from_generator from_sparse_tensor_slices from_tensor_slices from_tensors group_by_window "
    "ignore_errors interleave load map padded_batch prefetch ragged_batch random range rebatch "
    "rejection_resample repeat sample_from_datasets save scan shard shuffle skip snapshot take "
    "take_while unbatch unique window zip"
).split()


# Those of their classes that datasets are called by.
KINDS: Final = {
    "batch": "_BatchDataset _ParallelBatchDataset",
    "concatenate": "_ConcatenateDataset",
    "directed_interleave": "_DirectedInterleaveDataset",
    "filter": "_FilterDataset",
    "flat_map": "_FlatMapDataset",
    "from_tensor_slices": "_TensorSliceDataset",
    "from_tensors": "_TensorDataset",
    "group_by_window": "_GroupByWindowDataset",
    "ignore_errors": "_IgnoreErrorsDataset",
    "interleave": "_InterleaveDataset _ParallelInterleaveDataset",
    "map": "_MapDataset _ParallelMapDataset",
    "padded_batch": "_PaddedBatchDataset",
    "prefetch": "_PrefetchDataset",
    "random": "_RandomDataset",
    "range": "_RangeDataset",
    "rebatch": "_RebatchDataset",
    "repeat": "_RepeatDataset",
    "scan": "_ScanDataset",
    "shard": "_ShardDataset",
    "shuffle": "_ShuffleDataset",
    "skip": "_SkipDataset",
    "take": "_TakeDataset",
    "take_while": "_TakeWhileDataset",
    "unbatch": "_UnbatchDataset",
    "unique": "_UniqueDataset",
    "window": "_WindowDataset",
    "zip": "_ZipDataset",
}


def _older(names: str) -> str:
    """The names of columns before their second version."""
    return " ".join(f"_{name}={name}" for name in names.split())


MORE: Final[Mapping[str, Mapping[str, str]]] = {
    **{
        f"python.data.ops.{method}_op": {f"{_TOOLS}.dataset_kinds": names}
        for method, names in KINDS.items()
    },
    "python.data.ops.dataset_ops": {
        "data.by_hand.datasets": "DatasetV1Adapter",
        f"{_TOOLS}.dataset_kinds": (
            "BatchDataset=_BatchDataset PrefetchDataset=_PrefetchDataset "
            "RepeatDataset=_RepeatDataset ShuffleDataset=_ShuffleDataset"
        ),
    },
    "python.checkpoint.checkpoint": {
        "compat.private_modules.tracking": "ObjectGraphView",
    },
    "python.eager.wrap_function": {
        "function.wrap_function": "WrappedFunction",
        f"{_TOOLS}.frozen_graphs": "function_from_graph_def",
    },
    "python.feature_column.feature_column_v2": {
        "compat.private_modules.feature_columns": "StateManager",
        "feature_columns.categories": _CATEGORIES,
        "feature_columns.column": (
            "CategoricalColumn DenseColumn FeatureColumn FeatureTransformationCache=Features"
        ),
        "feature_columns.dense": _DENSE,
        "feature_columns.numbers": (
            "BucketizedColumn NumericColumn SequenceDenseColumn=SequenceNumericColumn"
        ),
    },
    "python.feature_column.feature_column_lib": {
        "feature_columns.dense": _DENSE,
        "feature_columns.numbers": "NumericColumn SequenceNumericColumn",
        "feature_columns.serialization": _WRITTEN_COLUMNS,
    },
    "python.feature_column.feature_column": {
        "feature_columns.categories": _older(_CATEGORIES),
        "feature_columns.column": (
            f"_LazyBuilder=Features {_older('CategoricalColumn DenseColumn FeatureColumn')}"
        ),
        "feature_columns.dense": _older(_DENSE),
        "feature_columns.numbers": _older("BucketizedColumn NumericColumn"),
    },
    "python.feature_column.serialization": {
        "feature_columns.serialization": _WRITTEN_COLUMNS,
    },
    "python.framework.c_api_util": {f"{_TOOLS}.function_definitions": "ApiDefMap"},
    "python.framework.constant_op": {f"{_TOOLS}.older_questions": "is_constant"},
    "python.framework.convert_to_constants": {
        f"{_TOOLS}.function_definitions": (
            "_FunctionConverterData=FunctionToFreeze "
            "_FunctionConverterDataInEager=FunctionToFreeze "
            "_FunctionConverterDataInGraph=FunctionToFreeze "
            "_replace_variables_by_constants=frozen_graph_def"
        ),
    },
    "python.framework.function_def_to_graph": {
        f"{_TOOLS}.function_definitions": "function_def_to_graph"
    },
    "python.grappler.tf_optimizer": {
        f"{_TOOLS}.function_definitions": "OptimizeGraph=optimized_graph_def"
    },
    "python.framework.ops": {
        f"{_TOOLS}.older_questions": "convert_n_to_tensor get_all_collection_keys",
        f"{_TOOLS}.operations_of_graphs": "_get_graph_from_inputs=graph_of_inputs",
        f"{_TOOLS}.small_tools": "strip_name_scope",
        "version_one.profiles.statistics": "OpStats RegisterStatistics get_stats_for_node_def",
    },
    "python.ops.confusion_matrix": {
        f"{_NUMERICS}.parts_of_losses": "remove_squeezable_dimensions=without_last_axes",
    },
    "python.ops.special_math_ops": {"ops.linalg.einsum": "_einsum_v1=einsum"},
    "python.ops.tensor_getitem_override": {
        f"{_TOOLS}.older_questions": (
            "_slice_helper=part_of_value _slice_helper_var=part_of_variable"
        ),
    },
    "python.ops.variables": {"version_one.partitioned": "PartitionedVariable"},
    "python.ops.variable_scope": {
        "version_one.variable_scopes": "_get_default_variable_store=store_here",
    },
    "python.module.module": {f"{_TOOLS}.older_questions": "valid_identifier"},
    "python.ops.lookup_ops": {
        f"{_TOOLS}.older_questions": (
            "TextFileIdTableInitializer=text_file_ids "
            "TextFileStringTableInitializer=text_file_strings"
        ),
    },
    "python.ops.math_ops": {f"{_TOOLS}.older_questions": "_ReductionDims=axes_of_reduction"},
    "python.framework.sparse_tensor": {f"{_TOOLS}.composites": "is_sparse"},
    "python.framework.tensor": {"core.specs": "DenseSpec=TensorSpec"},
    "python.framework.tensor_shape": {f"{_TOOLS}.sizes": "as_dimension unknown_shape"},
    "python.lib.io.file_io": {
        f"{_TOOLS}.small_tools": (
            "atomic_write_string_to_file file_crc32 filecmp has_atomic_move=moves_at_once"
        ),
    },
    "python.ops.array_ops": {
        f"{_TOOLS}.older_questions": "_all_dimensions=all_axes",
        f"{_TOOLS}.sizes": (
            "rank_internal=rank_of shape_internal=sizes_of size_internal=element_count"
        ),
    },
    "python.layers.utils": {
        f"{_NUMERICS}.convolution_sizes": (
            "constant_value conv_input_length conv_output_length convert_data_format "
            "deconv_output_length normalize_data_format normalize_padding normalize_tuple "
            "smart_cond"
        ),
    },
    "python.ops.losses.losses_impl": {
        f"{_NUMERICS}.parts_of_losses": (
            "_num_elements=element_count _num_present=present_count "
            "_remove_squeezable_dimensions=without_last_axis _safe_mean=mean_of_present"
        ),
    },
    "python.ops.metrics_impl": {
        "version_one.metrics.counts": "_streaming_confusion_matrix=confusions",
        f"{_TOOLS}.older_questions": "_safe_scalar_div=divided_scalars",
        "version_one.metrics.streaming": (
            "_aggregate_variable=aggregate_variable _remove_squeezable_dimensions=squeezed"
        ),
        "version_one.metrics.thresholds": (
            "_confusion_matrix_at_thresholds=confusion_matrix_at_thresholds"
        ),
    },
    "python.ops.nn_impl": {
        f"{_NUMERICS}.parts_of_losses": (
            "_compute_sampled_logits=logits_of_samples _sum_rows=sums_of_rows"
        ),
    },
    "python.ops.image_ops_impl": {
        f"{_NUMERICS}.parts_of_losses": "_MSSSIM_WEIGHTS=SCALES _ssim_helper=similarity_of",
        f"{_TOOLS}.small_helpers": (
            "_Assert3DImage=assert_3d_image _CheckAtLeast3DImage=check_at_least_3d_image "
            "_ImageDimensions=image_sizes fix_image_flip_shape=with_image_shape"
        ),
    },
    "python.ops.init_ops_v2": {
        "module.initializers": "_assert_float_dtype=floating",
        f"{_NUMERICS}.initial_values": (
            "GlorotNormal GlorotUniform Identity=IdentityMatrix Orthogonal=OrthogonalMatrix "
            "TruncatedNormal=TruncatedNumbers VarianceScaling _RandomGenerator=NumbersOfSeed "
            "glorot_normal=GlorotNormal glorot_uniform=GlorotUniform he_normal he_uniform "
            "identity=IdentityMatrix lecun_normal lecun_uniform orthogonal=OrthogonalMatrix "
            "truncated_normal=TruncatedNumbers variance_scaling_initializer=VarianceScaling"
        ),
        "compat.private_modules.older.various": "_compute_fans=compute_fans",
    },
    "python.ops.ragged.ragged_tensor": {
        f"{_TOOLS}.composites": "convert_to_tensor_or_ragged_tensor is_ragged",
    },
    "python.ops.ragged.row_partition": {"ops.ragged.row_partition": "RowPartitionSpec"},
    "python.platform.test": {"testing.stubs": "mock"},
    "python.saved_model.load": {"compat.private_modules.saved_models": "load_partial"},
    "python.trackable.base": {
        "compat.private_modules.tracking": (
            "TrackableReference no_automatic_dependency_tracking_scope"
        ),
        "module.trackable": "no_automatic_dependency_tracking",
    },
    "python.trackable.data_structures": {
        "module.data_structures": "TrackableDataStructure wrap_or_unwrap=wrap",
    },
    "python.trackable.resource": {
        "module.assets": "CapturableResource=TrackableResource",
        "saved_model.load": "RestoredResource",
    },
    "python.training.checkpoint_utils": {"checkpoint.inspection": "wait_for_new_checkpoint"},
    "python.util.compat": {
        "core.text": "bytes_or_text_types complex_types integral_types real_types",
        "compat.private_modules.older.various": "path_to_bytes",
    },
    "python.util.deprecation": {
        f"{_TOOLS}.older_questions": "_PRINT_DEPRECATION_WARNINGS=PRINTS_WARNINGS",
    },
    "python.util.function_utils": {f"{_TOOLS}.older_questions": "get_func_code"},
    "python.util.nest": {
        "compat.private_modules.nests": "is_attrs is_sequence_or_composite=is_nested_or_composite",
    },
    "python.util.tf_export": {f"{_TOOLS}.older_questions": "kwarg_only"},
    "python.util.tf_decorator": {"compat.private_modules.decorators": "TFDecorator rewrap"},
}
