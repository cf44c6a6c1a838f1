"""Public functions that have successors: a call says which, once.

"what to use instead": "names, without their tf."
"""

from __future__ import annotations

import functools
from typing import Final

_DATA: Final = (
    "choose_from_datasets bucket_by_sequence_length group_by_window rejection_resample"
    " sample_from_datasets scan snapshot take_while unbatch unique ignore_errors"
    " get_single_element"
)
_OTHER_DATA: Final = {
    "counter": "Counter", "ragged_batch": "dense_to_ragged_batch",
    "sparse_batch": "dense_to_sparse_batch", "enumerate": "enumerate_dataset",
}  # fmt: skip
_COLUMNS: Final = (
    "bucketized_column categorical_column_with_hash_bucket categorical_column_with_identity"
    " categorical_column_with_vocabulary_file categorical_column_with_vocabulary_list"
    " crossed_column embedding_column indicator_column make_parse_example_spec numeric_column"
    " sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_identity"
    " sequence_categorical_column_with_vocabulary_file"
    " sequence_categorical_column_with_vocabulary_list sequence_numeric_column"
    " weighted_categorical_column"
)

# In `tf` and in `tf.compat.v1` alike.
_IN_BOTH: Final = {
    "tf.config.experimental.get_memory_info": "config.experimental.get_memory_usage",
    "tf.config.functions_run_eagerly": "config.experimental_functions_run_eagerly",
    "tf.config.run_functions_eagerly": "config.experimental_run_functions_eagerly",
    "tf.data.Dataset.map and then batch": "data.experimental.map_and_batch",
    "tf.data.Dataset.interleave": "data.experimental.parallel_interleave",
    "tf.data.Dataset.map(tf.io.parse_example)": "data.experimental.parse_example_dataset",
    "tf.data.Dataset.shuffle and then repeat": "data.experimental.shuffle_and_repeat",
    "get_next_as_optional of the iterator": "data.experimental.get_next_as_optional",
    "tf.math.add_n": "math.accumulate_n",
    "tf.quantization.quantize_and_dequantize_v2": "quantization.quantize_and_dequantize",
    "tf.config.list_physical_devices('GPU')": "test.is_gpu_available",
    "tf.function(jit_compile=True)": "xla.experimental.compile",
    **{f"tf.data.Dataset.{one}": f"data.experimental.{one}" for one in _DATA.split()},
    **{f"tf.data.Dataset.{new}": f"data.experimental.{old}" for new, old in _OTHER_DATA.items()},
    "preprocessing layers of Keras": " ".join(f"feature_column.{one}" for one in _COLUMNS.split()),
}

_IN_VERSION_TWO: Final = {
    "tf.data.Dataset.load": "data.experimental.load",
    "tf.data.Dataset.save": "data.experimental.save",
    "preprocessing layers of Keras": "feature_column.shared_embeddings",
}

_IN_VERSION_ONE: Final = {
    "tf.data.experimental.map_and_batch": "data.experimental.map_and_batch_with_legacy_function",
    "tf.TensorSpec": "data.experimental.TensorStructure",
    "tf.SparseTensorSpec": "data.experimental.SparseTensorStructure",
    "tf.RaggedTensorSpec": "data.experimental.RaggedTensorStructure",
    "tf.TensorArraySpec": "data.experimental.TensorArrayStructure",
    "tf.print": "Print",
    "tf.math.add_n": "accumulate_n",
    "tf.compat.v1.global_variables": "all_variables",
    "tf.math.argmax": "arg_max",
    "tf.math.argmin": "arg_min",
    "tf.gather with batch_dims": "batch_gather",
    "the variable's method batch_scatter_update": "batch_scatter_update",
    "tf.clip_by_norm": "clip_by_average_norm",
    "tf.data.Dataset.range": "count_up_to",
    "tf.math.divide": "div",
    "preprocessing layers of Keras": "feature_column.input_layer feature_column.linear_model"
    " feature_column.shared_embedding_columns",
    "tf.saved_model and functions": "graph_util.convert_variables_to_constants"
    " graph_util.extract_sub_graph graph_util.must_run_on_cpu graph_util.remove_training_nodes"
    " graph_util.tensor_shape_from_node_def_name saved_model.build_tensor_info"
    " saved_model.get_tensor_from_tensor_info saved_model.main_op_with_restore"
    " saved_model.simple_save saved_model.main_op.main_op"
    " saved_model.main_op.main_op_with_restore saved_model.utils.build_tensor_info"
    " saved_model.utils.get_tensor_from_tensor_info",
    "tf.saved_model.load": "saved_model.load saved_model.loader.load",
    "tf.image.resize": "image.resize_area image.resize_bicubic image.resize_bilinear"
    " image.resize_nearest_neighbor",
    "tf.image.sample_distorted_bounding_box": "image.sample_distorted_bounding_box",
    "tf.compat.v1.tables_initializer": "initialize_all_tables",
    "tf.compat.v1.global_variables_initializer": "initialize_all_variables",
    "tf.compat.v1.local_variables_initializer": "initialize_local_variables",
    "tf.compat.v1.variables_initializer": "initialize_variables",
    "tf.data.TFRecordDataset": "io.tf_record_iterator python_io.tf_record_iterator",
    "tf.keras.metrics.AUC": "metrics.auc",
    "tf.compat.v1.metrics.average_precision_at_k": "metrics.sparse_average_precision_at_k",
    "tf.compat.v1.metrics.precision_at_k": "metrics.sparse_precision_at_k",
    "tf.random.categorical": "multinomial random.multinomial",
    "tf.random.stateless_categorical": "random.stateless_multinomial",
    "tf.keras.layers.RNN": "nn.dynamic_rnn nn.static_rnn nn.static_state_saving_rnn",
    "tf.keras.layers.Bidirectional": "nn.bidirectional_dynamic_rnn nn.static_bidirectional_rnn",
    "tf.nn.fractional_avg_pool": "nn.fractional_avg_pool",
    "tf.nn.fractional_max_pool": "nn.fractional_max_pool",
    "tf.compat.v1.nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
    "tf.py_function or tf.numpy_function": "py_func",
    "tf.quantization.quantize": "quantize_v2",
    "tf.sets.difference": "setdiff1d",
    "tf.sparse.cross": "sparse_merge sparse.merge",
    "tf.linalg.matmul": "sparse_matmul",
    "tf.sparse.to_dense": "sparse_to_dense",
    "tf.strings.substr": "substr",
    "tf.test.compute_gradient": "test.compute_gradient test.compute_gradient_error",
    "tf.cast": "to_bfloat16 to_complex128 to_complex64 to_double to_float to_int32 to_int64",
    "tf.data": "train.add_queue_runner train.batch train.batch_join train.input_producer"
    " train.limit_epochs train.maybe_batch train.maybe_batch_join train.maybe_shuffle_batch"
    " train.maybe_shuffle_batch_join train.queue_runner.add_queue_runner"
    " train.queue_runner.start_queue_runners train.range_input_producer train.shuffle_batch"
    " train.shuffle_batch_join train.slice_input_producer train.start_queue_runners"
    " train.string_input_producer",
    "tf.io.gfile": "train.checkpoint_exists train.get_checkpoint_mtimes train.remove_checkpoint",
    "tf.train.CheckpointManager": "train.update_checkpoint_state",
    "TensorFlow Probability": "distributions.kl_divergence",
}


_VERSION_ONE: Final = "tf.compat.v1."


def successor(public: str) -> str | None:
    """What to use instead of a public name, `tf.to_float` say; None where it has no successor."""
    if public.startswith(_VERSION_ONE):
        return _in_version_one().get(public.removeprefix(_VERSION_ONE))
    return _in_version_two().get(public.removeprefix("tf."))


# Made when first asked: few programs ask for what TensorFlow 1 had.
@functools.cache
def _in_version_one() -> dict[str, str]:
    return _by_name(_IN_BOTH, _IN_VERSION_ONE)


@functools.cache
def _in_version_two() -> dict[str, str]:
    return _by_name(_IN_BOTH, _IN_VERSION_TWO)


def _by_name(*tables: dict[str, str]) -> dict[str, str]:
    return {
        name: instead
        for table in tables
        for instead, names in table.items()
        for name in names.split()
    }
