"""`tf.compat.v1`: TensorFlow 1, as far as TensorFlow 2 still has it."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": (
        "app=compat_v1_app audio autograph=compat_v1_autograph bitwise config data=compat_v1_data "
        "debugging=compat_v1_debugging distribute distributions=compat_v1_distributions "
        "dtypes=compat_v1_dtypes "
        "errors=compat_v1_errors experimental "
        "feature_column=compat_v1_feature_column flags=compat_v1_flags gfile=compat_v1_gfile "
        "graph_util=compat_v1_graph_util image=compat_v1_image initializers=compat_v1_initializers "
        "io=compat_v1_io layers=compat_v1_layers linalg=compat_v1_linalg lite=compat_v1_lite "
        "logging=compat_v1_logging "
        "lookup losses=compat_v1_losses queue manip=compat_v1_manip math=compat_v1_math "
        "metrics=compat_v1_metrics mixed_precision=compat_v1_mixed_precision nest nn=compat_v1_nn "
        "profiler=compat_v1_profiler "
        "python_io=compat_v1_python_io quantization resource_loader=compat_v1_resource_loader "
        "ragged=compat_v1_ragged random=compat_v1_random raw_ops saved_model=compat_v1_saved_model "
        "sets=compat_v1_sets signal sparse=compat_v1_sparse spectral=compat_v1_spectral "
        "summary=compat_v1_summary strings=compat_v1_strings sysconfig test=compat_v1_test "
        "train=compat_v1_train types user_ops=compat_v1_user_ops version xla"
    ),
    "autodiff.custom": "custom_gradient",
    "autodiff.recomputed": "grad_pass_through recompute_grad",
    "autodiff.registry": (
        "NoGradient=no_gradient NotDifferentiable=no_gradient RegisterGradient no_gradient"
    ),
    "autodiff.symbolic": "AggregationMethod",
    "autodiff.tape": "GradientTape UnconnectedGradients",
    "control.folds": "foldl foldr scan",
    "control.grouping": "group",
    "core.device_specs": "DeviceSpec=DeviceSpecV1",
    "control.map": "map_fn",
    "control.switch": "case switch_case",
    "control.tensor_array": "TensorArray",
    "control.vectorize": "vectorized_map",
    "core.build": "CXX11_ABI_FLAG CXX_VERSION MONOLITHIC_BUILD load_library load_op_library",
    "core.dimension": (
        "Dimension dimension_at_index dimension_value disable_v2_tensorshape enable_v2_tensorshape"
    ),
    "core.dtypes": (
        "DType QUANTIZED_DTYPES as_dtype bfloat16 bool=bool_ complex128 complex64 double float16 "
        "float32 float64 half int16 int32 int64 int8 qint16 qint32 qint8 quint16 quint8 resource "
        "string uint16 uint32 uint64 uint8 variant"
    ),
    "core.process.logs": "get_logger",
    "core.shapes": "TensorShape",
    "core.specs": "TensorSpec",
    "core.type_spec": "TypeSpec",
    "core.values": "is_tensor",
    "data.by_hand.readers": (
        "FixedLengthRecordReader IdentityReader ReaderBase TFRecordReader TextLineReader "
        "WholeFileReader"
    ),
    "data.optional": "OptionalSpec",
    "eager.conversion_functions": "register_tensor_conversion_function",
    "eager.convert": "get_static_value",
    "eager.creation": "variable_creator_scope",
    "eager.equality": "disable_tensor_equality enable_tensor_equality",
    "eager.indexing": "newaxis",
    "eager.version": (
        "COMPILER_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
        "GRAPH_DEF_VERSION_MIN_PRODUCER VERSION"
    ),
    "eager.scopes": "control_dependencies executing_eagerly",
    "eager.tensor": "Tensor is_symbolic_tensor=is_symbolic",
    "eager.variable_options": "VariableAggregation VariableSynchronization",
    "errors": "OpError",
    "function.joined_calls": "nondifferentiable_batch_function",
    "function.decorator": "function",
    "function.session": "InteractiveSession Session",
    "function.wrap_function": "wrap_function",
    "graph.by_hand.collections": "GraphKeys",
    "graph.by_hand.default_collections": (
        "add_to_collection add_to_collections all_variables=global_variables get_collection "
        "get_collection_ref global_variables local_variables model_variables "
        "moving_average_variables trainable_variables"
    ),
    "graph.by_hand.default_graph": (
        "disable_eager_execution enable_eager_execution get_default_graph init_scope "
        "reset_default_graph"
    ),
    "graph.by_hand.placeholders": "placeholder sparse_placeholder",
    "graph.by_hand.sessions": "get_default_session",
    "graph.func_graph": "Graph=FuncGraph",
    "graph.operation": "Operation",
    "graph.proto.graph_import": "import_graph_def",
    "graph.proto.session_messages": (
        "AttrValue ConfigProto Event HistogramProto LogMessage NameAttrList SessionLog Summary "
        "GPUOptions GraphDef GraphOptions MetaGraphDef NodeDef OptimizerOptions RunMetadata "
        "RunOptions TensorInfo"
    ),
    "graph.proto.summary_metadata": "SummaryMetadata",
    "graph.proto.tensor_protos": "make_ndarray make_tensor_proto",
    "graph.serialized.json_examples": "decode_json_example",
    "graph.serialized.sparse_tensors": "deserialize_many_sparse",
    "graph.serialized.tensors": "parse_tensor serialize_tensor",
    "module.module": "Module",
    "ops.records.compression": "decode_compressed",
    "ops.records.features": "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature",
    "ops.records.sequence_examples": "parse_single_sequence_example",
    "ops.strings.base64": "decode_base64 encode_base64",
    "ops.array.approximate_top": "approx_top_k",
    "ops.array.broadcasting": "broadcast_dynamic_shape broadcast_static_shape broadcast_to",
    "ops.array.concatenation": "concat parallel_stack split stack unstack",
    "ops.array.fill": "eye fill one_hot ones range zeros",
    "ops.array.grids": "lin_space=linspace linspace meshgrid sequence_mask unravel_index",
    "ops.array.indexed_slices": "IndexedSlices IndexedSlicesSpec",
    "ops.array.partitions": (
        "dynamic_partition dynamic_stitch histogram_fixed_width histogram_fixed_width_bins"
    ),
    "ops.array.rearrangement": (
        "invert_permutation matrix_transpose repeat reverse reverse_v2=reverse roll tile"
    ),
    "ops.array.scatter": (
        "scatter_nd tensor_scatter_add=tensor_scatter_nd_add tensor_scatter_nd_add "
        "tensor_scatter_nd_max tensor_scatter_nd_min tensor_scatter_nd_sub "
        "tensor_scatter_nd_update tensor_scatter_sub=tensor_scatter_nd_sub "
        "tensor_scatter_update=tensor_scatter_nd_update"
    ),
    "ops.array.select": "where_v2=where",
    "ops.array.shapes": "rank reshape shape_n",
    "ops.array.slicing": "slice strided_slice",
    "ops.array.distinct": "unique unique_with_counts",
    "ops.array.sorting": "argsort searchsorted sort",
    "ops.checks.assertions": (
        "Assert assert_integer assert_proper_iterable assert_same_float_dtype assert_type "
        "is_numeric_tensor"
    ),
    "ops.checks.finite_numbers": "check_numerics",
    "ops.control.clock": "timestamp",
    "ops.control.devices": "check_pinned",
    "ops.control.flow": (
        "ensure_shape guarantee_const identity identity_n no_op placeholder_with_default "
        "stop_gradient"
    ),
    "ops.control.python_functions": "numpy_function py_function",
    "ops.image.augmentation": "random_crop",
    "ops.image.patches": "extract_volume_patches",
    "ops.linalg.band_parts": (
        "diag=tensor_diag diag_part=tensor_diag_part matrix_band_part=band_part"
    ),
    "ops.linalg.contraction": "tensordot",
    "ops.linalg.decompositions": "cholesky qr",
    "ops.linalg.diagonals": (
        "matrix_diag=diag matrix_diag_part=diag_part matrix_set_diag=set_diag trace"
    ),
    "ops.linalg.eigenvalues": "self_adjoint_eig=eigh self_adjoint_eigvals=eigvalsh svd",
    "ops.linalg.einsum": "einsum",
    "ops.linalg.matmul": "matmul",
    "ops.linalg.matrix_functions": "cross matrix_square_root=sqrtm",
    "ops.linalg.solving": (
        "matrix_determinant=det matrix_inverse=inv matrix_solve=solve matrix_solve_ls=lstsq"
    ),
    "ops.linalg.triangular": "cholesky_solve matrix_triangular_solve=triangular_solve",
    "ops.math.arithmetic": (
        "add maximum minimum multiply negative reciprocal scalar_mul square squared_difference "
        "subtract"
    ),
    "ops.math.cast": "bitcast cast saturate_cast",
    "ops.math.circular": "acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh",
    "ops.math.comparison": (
        "equal greater greater_equal is_finite is_inf is_nan less less_equal logical_and "
        "logical_not logical_or logical_xor not_equal"
    ),
    "ops.math.complex": "angle complex conj imag real",
    "ops.math.division": (
        "div_no_nan=divide_no_nan divide floordiv floormod mod=floormod realdiv truediv "
        "truncatediv truncatemod"
    ),
    "ops.math.elementwise": (
        "ceil erf erfc exp expm1 floor log log1p log_sigmoid rint round rsqrt sigmoid sqrt"
    ),
    "ops.math.gamma_functions": "betainc digamma igamma igammac lbeta lgamma polygamma zeta",
    "ops.math.moments": "is_non_decreasing is_strictly_increasing",
    "ops.math.norms": "clip_by_global_norm clip_by_norm clip_by_value global_norm",
    "ops.math.power": "pow",
    "ops.math.scan": "cumprod cumsum",
    "ops.math.segments": (
        "unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod "
        "unsorted_segment_sqrt_n unsorted_segment_sum"
    ),
    "ops.math.signs": "abs sign",
    "ops.math.sorted_segments": "segment_max segment_mean segment_min segment_prod segment_sum",
    "ops.math.sums": "accumulate_n add_n",
    "ops.nn.convolution_variants": "conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2",
    "ops.nn.quantization": (
        "fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient "
        "fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient "
        "fake_quant_with_min_max_vars_per_channel "
        "fake_quant_with_min_max_vars_per_channel_gradient"
    ),
    "ops.nn.space_to_depth": "required_space_to_batch_paddings space_to_batch_nd=space_to_batch",
    "ops.quantized.forms": "quantized_concat",
    "ops.quantized.quantize": "dequantize quantize",
    "version_one.functions.quantized": "quantize_v2",
    "ops.ragged.ragged_tensor": "RaggedTensor RaggedTensorSpec",
    "ops.random.gamma_and_poisson": "random_gamma=gamma",
    "ops.random.uniform_and_normal": (
        "random_normal=normal random_shuffle=shuffle random_uniform=uniform truncated_normal"
    ),
    "ops.signal.fourier": "fft fft2d fft3d ifft ifft2d ifft3d",
    "ops.sparse.arithmetic": (
        "sparse_maximum=maximum sparse_minimum=minimum "
        "sparse_tensor_dense_matmul=sparse_dense_matmul"
    ),
    "ops.sparse.reductions": "sparse_softmax=softmax",
    "ops.sparse.conversion": "sparse_tensor_to_dense=to_dense sparse_to_indicator=to_indicator",
    "ops.sparse.layout": (
        "sparse_fill_empty_rows=fill_empty_rows sparse_mask=mask sparse_reorder=reorder "
        "sparse_reset_shape=reset_shape sparse_reshape=reshape sparse_retain=retain "
        "sparse_slice=slice sparse_transpose=transpose"
    ),
    "ops.sparse.sparse_tensor": "SparseTensor SparseTensorSpec SparseTensorValue",
    "ops.random.index_shuffle": "random_index_shuffle",
    "ops.strings.byte_strings": "as_string string_join=join string_strip=strip",
    "ops.strings.files": "matching_files read_file write_file",
    "ops.strings.fingerprints": "fingerprint",
    "ops.strings.hashing": (
        "string_to_hash_bucket_fast=to_hash_bucket_fast "
        "string_to_hash_bucket_strong=to_hash_bucket_strong"
    ),
    "ops.strings.printing": "print",
    "ops.strings.regular_expressions": "regex_replace",
    "ops.version_one": "assign assign_add assign_sub py_func to_double to_float to_int32 to_int64",
    "module.critical_section": "CriticalSection",
    "ops.signal.many_axes_forms": "fftnd ifftnd irfftnd rfftnd",
    "ops.ragged.components": "ragged_fill_empty_rows ragged_fill_empty_rows_grad",
    "module.queues": "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
    "data.structure": "NoneTensorSpec type_spec_from_value",
    "control.tensor_array_spec": "TensorArraySpec",
    "ops.sparse.edit_distance": "edit_distance",
    "version_one.sessions.handles": ("delete_session_tensor get_session_handle get_session_tensor"),
    "version_one.records": (
        "decode_csv decode_raw parse_example parse_single_example serialize_many_sparse "
        "serialize_sparse"
    ),
    "version_one.functions.arrays": (
        "batch_gather boolean_mask confusion_matrix constant convert_to_tensor div expand_dims "
        "gather gather_nd ones_like pad reverse_sequence shape size squeeze transpose where "
        "zeros_like"
    ),
    "version_one.accumulators": (
        "ConditionalAccumulator ConditionalAccumulatorBase SparseConditionalAccumulator"
    ),
    "version_one.functions.control": (
        "Print colocate_with cond container device gradients hessians make_template "
        "name_scope=NameScopeV1 op_scope while_loop"
    ),
    "version_one.functions.grouping": "tuple",
    "version_one.functions.assertions": (
        "add_check_numerics_ops "
        "assert_equal assert_greater assert_greater_equal assert_less assert_less_equal "
        "assert_near assert_negative assert_non_negative assert_non_positive assert_none_equal "
        "assert_positive assert_rank assert_rank_at_least assert_rank_in assert_scalar "
        "verify_tensor_all_finite"
    ),
    "version_one.functions.batches": (
        "batch_to_space batch_to_space_nd bincount clip_by_average_norm floor_div setdiff1d "
        "space_to_batch"
    ),
    "version_one.functions.sparse": (
        "sparse_add=add sparse_concat=concat sparse_matmul sparse_reduce_max=reduce_max "
        "sparse_reduce_max_sparse=reduce_max_sparse sparse_reduce_sum=reduce_sum "
        "sparse_merge=merge "
        "sparse_reduce_sum_sparse=reduce_sum_sparse sparse_segment_mean=segment_mean "
        "sparse_segment_sqrt_n=segment_sqrt_n sparse_segment_sum=segment_sum sparse_split=split "
        "sparse_to_dense"
    ),
    "version_one.functions.strings": (
        "reduce_join string_split string_to_hash_bucket=to_hash_bucket string_to_number=to_number "
        "substr"
    ),
    "version_one.functions.conversions": (
        "convert_to_tensor_or_indexed_slices convert_to_tensor_or_sparse_tensor to_bfloat16 "
        "to_complex128 to_complex64"
    ),
    "version_one.functions.networks": "depth_to_space space_to_depth",
    "version_one.functions.images": "extract_image_patches",
    "version_one.functions.updates": (
        "batch_scatter_update count_up_to no_regularizer scatter_add scatter_div scatter_max "
        "scatter_min scatter_mul scatter_nd_add scatter_nd_sub scatter_nd_update scatter_sub "
        "scatter_update"
    ),
    "version_one.functions.random": "get_seed multinomial random_poisson",
    "version_one.functions.reductions": (
        "arg_max arg_min argmax argmin count_nonzero norm reduce_all reduce_any reduce_logsumexp "
        "reduce_max reduce_mean reduce_min reduce_prod reduce_sum"
    ),
    "version_one.initialization": (
        "assert_variables_initialized global_variables_initializer "
        "initialize_all_tables=tables_initializer "
        "initialize_all_variables=global_variables_initializer "
        "initialize_local_variables=local_variables_initializer "
        "initialize_variables=variables_initializer is_variable_initialized "
        "local_variables_initializer report_uninitialized_variables set_random_seed "
        "tables_initializer variables_initializer"
    ),
    "version_one.initializers": (
        "constant_initializer=ConstantV1 glorot_normal_initializer=GlorotNormalV1 "
        "glorot_uniform_initializer=GlorotUniformV1 ones_initializer=OnesV1 "
        "orthogonal_initializer=Orthogonal random_normal_initializer=RandomNormalV1 "
        "random_uniform_initializer=RandomUniformV1 truncated_normal_initializer=TruncatedNormalV1 "
        "uniform_unit_scaling_initializer=UniformUnitScaling "
        "variance_scaling_initializer=VarianceScalingV1 zeros_initializer=ZerosV1"
    ),
    "version_one.switches": (
        "control_flow_v2_enabled disable_control_flow_v2 disable_resource_variables "
        "disable_v2_behavior enable_control_flow_v2 enable_resource_variables enable_v2_behavior "
        "executing_eagerly_outside_functions resource_variables_enabled"
    ),
    "version_one.variable": "Variable=VariableV1",
    "version_one.partitioners": (
        "create_partitioned_variables fixed_size_partitioner min_max_variable_partitioner "
        "variable_axis_size_partitioner"
    ),
    "version_one.variable_scopes": (
        "AUTO_REUSE VariableScope get_local_variable get_variable get_variable_scope "
        "variable_op_scope variable_scope"
    ),
}

KERAS = {"compat.keras": "keras=keras_1"}

GONE = {
    "contrib": ", which was taken out in TensorFlow 2.0",
    "estimator": ", which was taken out in TensorFlow 2.16: train with Keras, or in a Session",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1", KERAS, GONE)
