"""Names in private modules of TensorFlow that are public under another one: `private=public`.

Recorded from TensorFlow 2.21, by identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RENAMED: Final[Mapping[str, str]] = {
    "checkpoint.checkpoint": "CheckpointV1=compat.v1.train.Checkpoint",
    "data": "Iterator=compat.v1.data.Iterator",
    "data.experimental.ops.counter": (
        "CounterV1=compat.v1.data.experimental.Counter CounterV2=data.experimental.Counter"
    ),
    "data.experimental.ops.interleave_ops": (
        "choose_from_datasets_v1=compat.v1.data.experimental.choose_from_datasets "
        "choose_from_datasets_v2=data.experimental.choose_from_datasets "
        "sample_from_datasets_v1=compat.v1.data.experimental.sample_from_datasets "
        "sample_from_datasets_v2=data.experimental.sample_from_datasets"
    ),
    "data.experimental.ops.random_ops": (
        "RandomDatasetV1=compat.v1.data.experimental.RandomDataset "
        "RandomDatasetV2=data.experimental.RandomDataset"
    ),
    "data.experimental.ops.readers": (
        "CsvDatasetV1=compat.v1.data.experimental.CsvDataset "
        "CsvDatasetV2=data.experimental.CsvDataset "
        "SqlDatasetV1=compat.v1.data.experimental.SqlDataset "
        "SqlDatasetV2=data.experimental.SqlDataset "
        "make_batched_features_dataset_v1="
        "compat.v1.data.experimental.make_batched_features_dataset "
        "make_batched_features_dataset_v2=data.experimental.make_batched_features_dataset "
        "make_csv_dataset_v1=compat.v1.data.experimental.make_csv_dataset "
        "make_csv_dataset_v2=data.experimental.make_csv_dataset"
    ),
    "data.ops.dataset_ops": (
        "DatasetV1=compat.v1.data.Dataset DatasetV2=data.Dataset "
        "get_legacy_output_classes=compat.v1.data.get_output_classes "
        "get_legacy_output_shapes=compat.v1.data.get_output_shapes "
        "get_legacy_output_types=compat.v1.data.get_output_types"
    ),
    "data.ops.iterator_ops": "IteratorBase=data.Iterator",
    "data.ops.readers": (
        "FixedLengthRecordDatasetV1=compat.v1.data.FixedLengthRecordDataset "
        "FixedLengthRecordDatasetV2=data.FixedLengthRecordDataset "
        "TFRecordDatasetV1=compat.v1.data.TFRecordDataset "
        "TFRecordDatasetV2=data.TFRecordDataset "
        "TextLineDatasetV1=compat.v1.data.TextLineDataset "
        "TextLineDatasetV2=data.TextLineDataset"
    ),
    "eager.context": "executing_eagerly_v1=compat.v1.executing_eagerly",
    "feature_column.feature_column_lib": (
        "categorical_column_with_vocabulary_file_v2="
        "feature_column.categorical_column_with_vocabulary_file "
        "make_parse_example_spec_v2=feature_column.make_parse_example_spec "
        "shared_embedding_columns_v2=feature_column.shared_embeddings"
    ),
    "feature_column.feature_column_v2": (
        "categorical_column_with_vocabulary_file_v2="
        "feature_column.categorical_column_with_vocabulary_file "
        "make_parse_example_spec_v2=feature_column.make_parse_example_spec "
        "shared_embedding_columns_v2=feature_column.shared_embeddings"
    ),
    "framework.config": (
        "get_optimizer_experimental_options=config.optimizer.get_experimental_options "
        "get_optimizer_jit=config.optimizer.get_jit "
        "set_optimizer_experimental_options=config.optimizer.set_experimental_options "
        "set_optimizer_jit=config.optimizer.set_jit"
    ),
    "framework.constant_op": "constant_v1=compat.v1.constant",
    "framework.device_spec": "DeviceSpecV1=compat.v1.DeviceSpec DeviceSpecV2=DeviceSpec",
    "framework.framework_lib": "DeviceSpec=DeviceSpec",
    "framework.ops": (
        "device=compat.v1.device device_v2=device name_scope_v1=compat.v1.name_scope "
        "name_scope_v2=name_scope"
    ),
    "framework.tensor_conversion": (
        "convert_to_tensor_v1_with_dispatch=compat.v1.convert_to_tensor "
        "convert_to_tensor_v2_with_dispatch=convert_to_tensor"
    ),
    "framework.tensor_util": (
        "MakeNdarray=make_ndarray constant_value=get_static_value is_tf_type=is_tensor"
    ),
    "framework.test_util": (
        "TensorFlowTestCase=test.TestCase "
        "assert_equal_graph_def_v1=compat.v1.test.assert_equal_graph_def "
        "assert_equal_graph_def_v2=test.assert_equal_graph_def"
    ),
    "lib.io.file_io": (
        "copy=compat.v1.gfile.Copy copy_v2=io.gfile.copy create_dir=compat.v1.gfile.MkDir "
        "create_dir_v2=io.gfile.mkdir delete_file=compat.v1.gfile.Remove "
        "delete_file_v2=io.gfile.remove delete_recursively=compat.v1.gfile.DeleteRecursively "
        "delete_recursively_v2=io.gfile.rmtree file_exists=compat.v1.gfile.Exists "
        "file_exists_v2=io.gfile.exists get_matching_files=compat.v1.gfile.Glob "
        "get_matching_files_v2=io.gfile.glob "
        "get_registered_schemes=io.gfile.get_registered_schemes "
        "is_directory=compat.v1.gfile.IsDirectory is_directory_v2=io.gfile.isdir "
        "join=io.gfile.join list_directory=compat.v1.gfile.ListDirectory "
        "list_directory_v2=io.gfile.listdir recursive_create_dir=compat.v1.gfile.MakeDirs "
        "recursive_create_dir_v2=io.gfile.makedirs rename=compat.v1.gfile.Rename "
        "rename_v2=io.gfile.rename stat=compat.v1.gfile.Stat stat_v2=io.gfile.stat "
        "walk=compat.v1.gfile.Walk walk_v2=io.gfile.walk"
    ),
    "ops.array_ops": (
        "batch_to_space_v2=batch_to_space boolean_mask_v2=boolean_mask "
        "check_numerics=compat.v1.debugging.check_numerics "
        "depth_to_space_v2=nn.depth_to_space expand_dims_v2=expand_dims "
        "extract_image_patches_v2=image.extract_patches gather_nd_v2=gather_nd "
        "gather_v2=gather ones_like_v2=ones_like pad_v2=pad "
        "reverse_sequence_v2=reverse_sequence shape_v2=shape size_v2=size "
        "space_to_batch_v2=space_to_batch space_to_depth_v2=nn.space_to_depth "
        "squeeze_v2=squeeze tensor_scatter_max=tensor_scatter_nd_max "
        "tensor_scatter_min=tensor_scatter_nd_min transpose_v2=transpose "
        "zeros_like_v2=zeros_like"
    ),
    "ops.bincount_ops": "bincount_v1=compat.v1.bincount",
    "ops.check_ops": (
        "assert_equal_v2=assert_equal assert_greater_equal_v2=debugging.assert_greater_equal "
        "assert_greater_v2=assert_greater assert_integer_v2=debugging.assert_integer "
        "assert_less_equal_v2=debugging.assert_less_equal assert_less_v2=assert_less "
        "assert_near_v2=debugging.assert_near assert_negative_v2=debugging.assert_negative "
        "assert_non_negative_v2=debugging.assert_non_negative "
        "assert_non_positive_v2=debugging.assert_non_positive "
        "assert_none_equal_v2=debugging.assert_none_equal "
        "assert_positive_v2=debugging.assert_positive "
        "assert_rank_at_least_v2=debugging.assert_rank_at_least "
        "assert_rank_in_v2=debugging.assert_rank_in assert_rank_v2=assert_rank "
        "assert_scalar_v2=debugging.assert_scalar assert_shapes_v2=debugging.assert_shapes "
        "assert_type_v2=debugging.assert_type"
    ),
    "ops.cond": "cond_for_tf_v2=cond",
    "ops.cond_v2": "cond_v2=cond",
    "ops.confusion_matrix": "confusion_matrix_v1=compat.v1.confusion_matrix",
    "ops.control_flow_case": "case_v2=case",
    "ops.control_flow_ops": "tuple_v2=tuple",
    "ops.ctc_ops": "ctc_loss_v3=nn.ctc_loss",
    "ops.data_flow_ops": (
        "FIFOQueue=queue.FIFOQueue PaddingFIFOQueue=queue.PaddingFIFOQueue "
        "PriorityQueue=queue.PriorityQueue RandomShuffleQueue=queue.RandomShuffleQueue"
    ),
    "ops.embedding_ops": (
        "embedding_lookup_sparse_v2=nn.embedding_lookup_sparse "
        "embedding_lookup_v2=nn.embedding_lookup "
        "safe_embedding_lookup_sparse_v2=nn.safe_embedding_lookup_sparse"
    ),
    "ops.functional_ops": "foldl_v2=foldl foldr_v2=foldr scan_v2=scan",
    "ops.gradients_impl": "HessiansV2=hessians gradients_v2=gradients",
    "ops.image_ops": (
        "ResizeMethod=image.ResizeMethod ResizeMethodV1=compat.v1.image.ResizeMethod "
        "crop_and_resize_v1=compat.v1.image.crop_and_resize "
        "crop_and_resize_v2=image.crop_and_resize "
        "draw_bounding_boxes_v2=image.draw_bounding_boxes "
        "extract_glimpse_v2=image.extract_glimpse "
        "non_max_suppression_with_overlaps=image.non_max_suppression_overlaps "
        "resize_image_with_pad_v1=compat.v1.image.resize_image_with_pad "
        "resize_image_with_pad_v2=image.resize_with_pad resize_images_v2=image.resize "
        "sample_distorted_bounding_box_v2=image.sample_distorted_bounding_box"
    ),
    "ops.image_ops_impl": (
        "ResizeMethod=image.ResizeMethod ResizeMethodV1=compat.v1.image.ResizeMethod "
        "crop_and_resize_v1=compat.v1.image.crop_and_resize "
        "crop_and_resize_v2=image.crop_and_resize "
        "draw_bounding_boxes_v2=image.draw_bounding_boxes "
        "extract_glimpse_v2=image.extract_glimpse "
        "non_max_suppression_with_overlaps=image.non_max_suppression_overlaps "
        "resize_image_with_pad_v1=compat.v1.image.resize_image_with_pad "
        "resize_image_with_pad_v2=image.resize_with_pad resize_images_v2=image.resize "
        "sample_distorted_bounding_box_v2=image.sample_distorted_bounding_box"
    ),
    "ops.init_ops": (
        "Constant=compat.v1.constant_initializer "
        "GlorotNormal=compat.v1.glorot_normal_initializer "
        "GlorotUniform=compat.v1.glorot_uniform_initializer "
        "Identity=compat.v1.initializers.identity Ones=compat.v1.ones_initializer "
        "Orthogonal=compat.v1.orthogonal_initializer "
        "RandomNormal=compat.v1.random_normal_initializer "
        "RandomUniform=compat.v1.random_uniform_initializer "
        "TruncatedNormal=compat.v1.truncated_normal_initializer "
        "UniformUnitScaling=compat.v1.uniform_unit_scaling_initializer "
        "VarianceScaling=compat.v1.variance_scaling_initializer "
        "Zeros=compat.v1.zeros_initializer "
        "identity_initializer=compat.v1.initializers.identity"
    ),
    "ops.init_ops_v2": (
        "Constant=constant_initializer Ones=ones_initializer "
        "RandomNormal=random_normal_initializer RandomUniform=random_uniform_initializer "
        "Zeros=zeros_initializer constant=constant_initializer "
        "normal=random_normal_initializer one=ones_initializer ones=ones_initializer "
        "random_normal=random_normal_initializer random_uniform=random_uniform_initializer "
        "uniform=random_uniform_initializer zero=zeros_initializer zeros=zeros_initializer"
    ),
    "ops.io_ops": (
        "FixedLengthRecordReader=compat.v1.FixedLengthRecordReader "
        "IdentityReader=compat.v1.IdentityReader TFRecordReader=compat.v1.TFRecordReader "
        "TextLineReader=compat.v1.TextLineReader WholeFileReader=compat.v1.WholeFileReader"
    ),
    "ops.linalg.linalg": "matrix_exponential=linalg.expm",
    "ops.linalg.linalg_impl": "matrix_exponential=linalg.expm",
    "ops.linalg_ops": (
        "log_matrix_determinant=linalg.slogdet matrix_logarithm=linalg.logm norm_v2=norm"
    ),
    "ops.linalg_ops_impl": "eye=eye",
    "ops.logging_ops": "Print=compat.v1.Print print_v2=print",
    "ops.lookup_ops": (
        "MutableHashTable=lookup.experimental.MutableHashTable "
        "StaticHashTableV1=compat.v1.lookup.StaticHashTable "
        "StaticVocabularyTableV1=compat.v1.lookup.StaticVocabularyTable"
    ),
    "ops.map_fn": "map_fn_v2=map_fn",
    "ops.math_ops": (
        "acosh=compat.v1.math.acosh argmax_v2=argmax argmin_v2=argmin "
        "asin=compat.v1.math.asin asinh=compat.v1.math.asinh atan=compat.v1.math.atan "
        "atanh=compat.v1.math.atanh cos=compat.v1.math.cos cosh=compat.v1.math.cosh "
        "count_nonzero_v2=math.count_nonzero digamma=compat.v1.math.digamma "
        "erf=compat.v1.math.erf erfc=compat.v1.math.erfc expm1=compat.v1.math.expm1 "
        "floor_mod=compat.v1.math.mod lgamma=compat.v1.math.lgamma linspace_nd=linspace "
        "log=compat.v1.math.log log1p=compat.v1.math.log1p neg=compat.v1.math.negative "
        "negative=compat.v1.math.negative next_after=math.nextafter "
        "reciprocal=compat.v1.math.reciprocal reduce_all=reduce_all "
        "reduce_all_v1=compat.v1.reduce_all reduce_any=reduce_any "
        "reduce_any_v1=compat.v1.reduce_any reduce_logsumexp=reduce_logsumexp "
        "reduce_logsumexp_v1=compat.v1.reduce_logsumexp reduce_max=reduce_max "
        "reduce_max_v1=compat.v1.reduce_max reduce_mean=reduce_mean "
        "reduce_mean_v1=compat.v1.reduce_mean reduce_min=reduce_min "
        "reduce_min_v1=compat.v1.reduce_min reduce_prod=reduce_prod "
        "reduce_prod_v1=compat.v1.reduce_prod reduce_sum=reduce_sum "
        "reduce_sum_v1=compat.v1.reduce_sum rint=compat.v1.math.rint scalar_mul_v2=scalar_mul "
        "sin=compat.v1.math.sin sinh=compat.v1.math.sinh "
        "sparse_segment_mean_v2=sparse.segment_mean "
        "sparse_segment_sqrt_n_v2=sparse.segment_sqrt_n "
        "sparse_segment_sum_v2=sparse.segment_sum square=compat.v1.math.square "
        "tan=compat.v1.math.tan tanh=compat.v1.nn.tanh"
    ),
    "ops.nn": (
        "avg_pool2d=nn.avg_pool2d "
        "batch_norm_with_global_normalization_v2=nn.batch_norm_with_global_normalization "
        "conv1d_v2=nn.conv1d conv2d_transpose_v2=nn.conv2d_transpose conv2d_v2=nn.conv2d "
        "conv3d_transpose_v2=nn.conv3d_transpose conv3d_v1=compat.v1.nn.conv3d "
        "conv3d_v2=nn.conv3d convolution_v2=nn.convolution crelu_v2=nn.crelu "
        "ctc_loss_v3=nn.ctc_loss depthwise_conv2d_v2=nn.depthwise_conv2d "
        "dilation2d_v1=compat.v1.nn.dilation2d dilation2d_v2=nn.dilation2d "
        "dropout_v2=nn.dropout embedding_lookup_sparse_v2=nn.embedding_lookup_sparse "
        "embedding_lookup_v2=nn.embedding_lookup erosion2d_v2=nn.erosion2d "
        "fractional_avg_pool_v2=nn.fractional_avg_pool "
        "fractional_max_pool_v2=nn.fractional_max_pool in_top_k_v2=nn.in_top_k "
        "max_pool_with_argmax_v1=compat.v1.nn.max_pool_with_argmax "
        "max_pool_with_argmax_v2=nn.max_pool_with_argmax moments_v2=nn.moments "
        "nce_loss_v2=nn.nce_loss pool_v2=nn.pool "
        "safe_embedding_lookup_sparse_v2=nn.safe_embedding_lookup_sparse "
        "sampled_softmax_loss_v2=nn.sampled_softmax_loss "
        "separable_conv2d_v2=nn.separable_conv2d "
        "sigmoid_cross_entropy_with_logits_v2=nn.sigmoid_cross_entropy_with_logits "
        "softmax_cross_entropy_with_logits_v2=nn.softmax_cross_entropy_with_logits "
        "softmax_cross_entropy_with_logits_v2_helper="
        "compat.v1.nn.softmax_cross_entropy_with_logits_v2 "
        "softmax_v2=nn.softmax "
        "sparse_softmax_cross_entropy_with_logits_v2="
        "nn.sparse_softmax_cross_entropy_with_logits "
        "sufficient_statistics_v2=nn.sufficient_statistics "
        "weighted_cross_entropy_with_logits_v2=nn.weighted_cross_entropy_with_logits "
        "weighted_moments_v2=nn.weighted_moments"
    ),
    "ops.nn_impl": (
        "batch_norm_with_global_normalization_v2=nn.batch_norm_with_global_normalization "
        "depthwise_conv2d_v2=nn.depthwise_conv2d moments_v2=nn.moments "
        "nce_loss_v2=nn.nce_loss sampled_softmax_loss_v2=nn.sampled_softmax_loss "
        "separable_conv2d_v2=nn.separable_conv2d "
        "sigmoid_cross_entropy_with_logits_v2=nn.sigmoid_cross_entropy_with_logits "
        "sufficient_statistics_v2=nn.sufficient_statistics swish=nn.silu "
        "weighted_cross_entropy_with_logits_v2=nn.weighted_cross_entropy_with_logits "
        "weighted_moments_v2=nn.weighted_moments"
    ),
    "ops.nn_ops": (
        "avg_pool2d=nn.avg_pool2d conv1d_v2=nn.conv1d conv2d_transpose_v2=nn.conv2d_transpose "
        "conv2d_v2=nn.conv2d conv3d_transpose_v2=nn.conv3d_transpose "
        "conv3d_v1=compat.v1.nn.conv3d conv3d_v2=nn.conv3d convolution_v2=nn.convolution "
        "crelu_v2=nn.crelu dilation2d_v1=compat.v1.nn.dilation2d dilation2d_v2=nn.dilation2d "
        "dropout_v2=nn.dropout erosion2d_v2=nn.erosion2d "
        "fractional_avg_pool_v2=nn.fractional_avg_pool "
        "fractional_max_pool_v2=nn.fractional_max_pool in_top_k_v2=nn.in_top_k "
        "leaky_relu=nn.leaky_relu log_softmax_v2=nn.log_softmax "
        "max_pool_with_argmax_v1=compat.v1.nn.max_pool_with_argmax "
        "max_pool_with_argmax_v2=nn.max_pool_with_argmax pool_v2=nn.pool relu6=nn.relu6 "
        "softmax_cross_entropy_with_logits_v2=nn.softmax_cross_entropy_with_logits "
        "softmax_cross_entropy_with_logits_v2_helper="
        "compat.v1.nn.softmax_cross_entropy_with_logits_v2 "
        "softmax_v2=nn.softmax "
        "sparse_softmax_cross_entropy_with_logits_v2="
        "nn.sparse_softmax_cross_entropy_with_logits"
    ),
    "ops.numerics": "verify_tensor_all_finite_v2=debugging.assert_all_finite",
    "ops.numpy_ops.np_config": (
        "enable_numpy_behavior=experimental.numpy.experimental_enable_numpy_behavior"
    ),
    "ops.parsing_ops": (
        "decode_csv_v2=io.decode_csv decode_raw=io.decode_raw "
        "decode_raw_v1=compat.v1.decode_raw parse_example_v2=io.parse_example "
        "parse_single_example_v2=io.parse_single_example"
    ),
    "ops.ragged.ragged_batch_gather_ops": "batch_gather=compat.v1.batch_gather",
    "ops.ragged.ragged_bincount_ops": "bincount=math.bincount sparse_bincount=sparse.bincount",
    "ops.ragged.ragged_check_ops": "assert_type=debugging.assert_type",
    "ops.ragged.ragged_embedding_ops": (
        "embedding_lookup=nn.embedding_lookup embedding_lookup_sparse=nn.embedding_lookup_sparse "
        "safe_embedding_lookup_sparse=nn.safe_embedding_lookup_sparse"
    ),
    "ops.ragged.ragged_image_ops": (
        "resize_images_v1=compat.v1.image.resize resize_images_v2=image.resize"
    ),
    "ops.ragged.ragged_string_ops": (
        "string_bytes_split=strings.bytes_split string_split_v2=strings.split "
        "strings_split_v1=compat.v1.strings.split"
    ),
    "ops.ragged.ragged_where_op": "where=compat.v1.where where_v2=where",
    "ops.random_ops": "random_poisson_v2=random.poisson",
    "ops.script_ops": "eager_py_func=py_function",
    "ops.sparse_ops": (
        "serialize_many_sparse_v2=io.serialize_many_sparse "
        "serialize_sparse_v2=io.serialize_sparse sparse_add_v2=sparse.add "
        "sparse_bincount=sparse.bincount sparse_concat_v2=sparse.concat "
        "sparse_cross=sparse.cross sparse_cross_hashed=sparse.cross_hashed "
        "sparse_expand_dims=sparse.expand_dims sparse_eye=sparse.eye "
        "sparse_reduce_max_v2=sparse.reduce_max sparse_reduce_sum_v2=sparse.reduce_sum "
        "sparse_split_v2=sparse.split unary_op=compat.v1.math.bessel_i1e"
    ),
    "ops.standard_ops": "mul=math.multiply",
    "ops.stateless_random_ops": (
        "stateless_random_binomial=random.stateless_binomial "
        "stateless_random_gamma=random.stateless_gamma "
        "stateless_random_normal=random.stateless_normal "
        "stateless_random_poisson=random.stateless_poisson "
        "stateless_random_uniform=random.stateless_uniform"
    ),
    "ops.string_ops": (
        "reduce_join_v2=strings.reduce_join string_format=strings.format "
        "string_length=compat.v1.strings.length string_length_v2=strings.length "
        "string_lower=strings.lower string_to_hash_bucket=strings.to_hash_bucket "
        "string_to_hash_bucket_v1=compat.v1.string_to_hash_bucket "
        "string_to_number=strings.to_number string_to_number_v1=compat.v1.string_to_number "
        "string_upper=strings.upper substr_deprecated=compat.v1.substr "
        "substr_v2=strings.substr"
    ),
    "ops.summary_ops_v2": "create_file_writer_v2=summary.create_file_writer",
    "ops.variable_scope": (
        "variable_creator_scope=variable_creator_scope "
        "variable_creator_scope_v1=compat.v1.variable_creator_scope"
    ),
    "ops.variable_v1": "VariableV1=compat.v1.Variable",
    "ops.variables": "Variable=Variable VariableAggregationV2=VariableAggregation",
    "ops.while_loop": "while_loop_v2=while_loop",
    "ops.while_v2": "while_loop=while_loop",
    "training.basic_session_run_hooks": "SummaryWriterCache=compat.v1.summary.FileWriterCache",
    "training.experimental.mixed_precision": (
        "disable_mixed_precision_graph_rewrite_v1="
        "compat.v1.mixed_precision.disable_mixed_precision_graph_rewrite "
        "enable_mixed_precision_graph_rewrite_v1="
        "compat.v1.mixed_precision.enable_mixed_precision_graph_rewrite"
    ),
    "training.summary_io": "SummaryWriterCache=compat.v1.summary.FileWriterCache",
    "training.training": "Checkpoint=train.Checkpoint",
    "types.distribute": (
        "DistributedDatasetInterface=distribute.DistributedDataset "
        "DistributedIteratorInterface=distribute.DistributedIterator"
    ),
    "util._pywrap_tensor_float_32_execution": (
        "enable=config.experimental.enable_tensor_float_32_execution "
        "is_enabled=config.experimental.tensor_float_32_execution_enabled"
    ),
}
