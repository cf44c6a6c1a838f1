"""`tf.*`: the names of the package itself."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": (
        "audio autodiff autograph bitwise compat config data debugging distribute dtypes errors "
        "experimental feature_column graph_util image io linalg lookup math nest nn profiler "
        "quantization queue ragged random raw_ops saved_model signal sets sparse strings "
        "summary sysconfig test tpu train types version xla"
    ),
    "autodiff.custom": "custom_gradient",
    "autodiff.recomputed": "grad_pass_through recompute_grad",
    "autodiff.registry": "RegisterGradient no_gradient",
    "autodiff.symbolic": "AggregationMethod gradients hessians",
    "autodiff.tape": "GradientTape UnconnectedGradients",
    "control.cond": "cond",
    "control.folds": "foldl foldr scan",
    "control.grouping": "group tuple",
    "control.map": "map_fn",
    "control.switch": "case switch_case",
    "control.tensor_array": "TensorArray",
    "control.tensor_array_spec": "TensorArraySpec",
    "control.vectorize": "vectorized_map",
    "control.while_loop": "while_loop",
    "core.build": "load_library load_op_library",
    "core.device_specs": "DeviceSpec",
    "core.dtypes": (
        "DType as_dtype bool=bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
        "float32 float64 bfloat16 half double complex64 complex128 string resource variant "
        "qint8 qint16 qint32 quint8 quint16"
    ),
    "core.process.logs": "get_logger",
    "core.shapes": "TensorShape",
    "core.specs": "TensorSpec",
    "core.type_spec": "TypeSpec",
    "core.values": "is_tensor",
    "data.optional": "OptionalSpec",
    "data.structure": "NoneTensorSpec type_spec_from_value",
    "eager.convert": "constant convert_to_tensor get_static_value",
    "eager.conversion_functions": "register_tensor_conversion_function",
    "eager.creation": "variable_creator_scope",
    "eager.indexing": "newaxis",
    "eager.placement": "device",
    "eager.scopes": (
        "control_dependencies executing_eagerly get_current_name_scope inside_function name_scope"
    ),
    "eager.tensor": "Tensor is_symbolic_tensor=is_symbolic",
    "eager.variable": "Variable",
    "eager.variable_options": "VariableAggregation=VariableAggregationV2 VariableSynchronization",
    "function.decorator": "function",
    "graph.by_hand.default_graph": "init_scope",
    "graph.func_graph": "Graph=FuncGraph",
    "graph.operation": "Operation",
    "graph.proto.graph_import": "import_graph_def",
    "graph.proto.tensor_protos": "make_ndarray make_tensor_proto",
    "module.initializers": (
        "constant_initializer=Constant ones_initializer=Ones "
        "random_normal_initializer=RandomNormal "
        "random_uniform_initializer=RandomUniform zeros_initializer=Zeros"
    ),
    "module.critical_section": "CriticalSection",
    "module.module": "Module",
    "ops.signal.many_axes_forms": "fftnd ifftnd irfftnd rfftnd",
    "ops.math.power": "pow",
    "ops.math.arithmetic": ("add maximum minimum multiply negative scalar_mul square subtract"),
    "ops.math.division": "divide realdiv truediv truncatediv truncatemod",
    "ops.math.signs": "abs sign",
    "ops.array.broadcasting": "broadcast_dynamic_shape broadcast_static_shape broadcast_to",
    "ops.math.cast": "bitcast cast saturate_cast",
    "ops.math.comparison": (
        "equal greater greater_equal less less_equal logical_and logical_not logical_or not_equal"
    ),
    "ops.checks.assertions": "Assert assert_equal assert_greater assert_less",
    "ops.math.elementwise": "exp floor round sigmoid sqrt",
    "ops.math.circular": "acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh",
    "ops.array.fill": "eye fill one_hot ones ones_like range zeros zeros_like",
    "ops.control.clock": "timestamp",
    "ops.control.devices": "check_pinned",
    "ops.control.flow": "ensure_shape guarantee_const identity identity_n no_op stop_gradient",
    "ops.array.grids": "linspace meshgrid sequence_mask unravel_index",
    "ops.array.indexed_slices": "IndexedSlices IndexedSlicesSpec",
    "ops.random.index_shuffle": "random_index_shuffle",
    "ops.ragged.components": "ragged_fill_empty_rows ragged_fill_empty_rows_grad",
    "ops.ragged.ragged_tensor": "RaggedTensor RaggedTensorSpec",
    "ops.sparse.sparse_tensor": "SparseTensor SparseTensorSpec",
    "ops.linalg.matmul": "matmul",
    "ops.array.rearrangement": "repeat reverse roll tile transpose",
    "ops.math.norms": "clip_by_global_norm clip_by_norm clip_by_value norm",
    "ops.array.padding": "pad",
    "ops.array.partitions": (
        "dynamic_partition dynamic_stitch histogram_fixed_width histogram_fixed_width_bins "
        "reverse_sequence"
    ),
    "function.joined_calls": "nondifferentiable_batch_function",
    "ops.strings.printing": "print",
    "ops.linalg.contraction": "tensordot",
    "ops.linalg.einsum": "einsum",
    "ops.control.python_functions": "numpy_function py_function",
    "ops.math.scan": "argmax argmin cumsum",
    "ops.array.scatter": (
        "scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
        "tensor_scatter_nd_sub tensor_scatter_nd_update"
    ),
    "ops.checks.shape_assertions": "assert_rank",
    "ops.array.shapes": "expand_dims rank reshape shape shape_n size squeeze",
    "ops.array.slicing": "slice strided_slice",
    "ops.array.distinct": "unique unique_with_counts",
    "ops.array.sorting": "argsort searchsorted sort",
    "ops.array.approximate_top": "approx_top_k",
    "ops.image.patches": "extract_volume_patches",
    "ops.nn.convolution_variants": "conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2",
    "ops.sparse.edit_distance": "edit_distance",
    "ops.nn.space_to_depth": (
        "batch_to_space required_space_to_batch_paddings space_to_batch "
        "space_to_batch_nd=space_to_batch"
    ),
    "ops.linalg.matrix_functions": "matrix_square_root=sqrtm",
    "ops.strings.fingerprints": "fingerprint",
    "ops.linalg.eigenvalues": "eig eigvals",
    "ops.strings.byte_strings": "as_string",
    "ops.array.select": "boolean_mask where",
    "ops.array.concatenation": "concat parallel_stack split stack unstack",
    "ops.array.gather": "gather gather_nd",
    "ops.math.reduce": (
        "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum"
    ),
    "ops.math.sums": "add_n",
    "ops.math.complex": "complex",
    "ops.math.moments": "reduce_logsumexp",
}

# Keras is another package, which may be absent, and takes a second to import.
KERAS = {"compat.keras": "initializers keras losses metrics optimizers"}

GONE = {
    "lite": (
        ": TensorFlow Lite is a library of its own; save the model by tf.saved_model.save, and "
        "convert that with TensorFlow"
    ),
    "mlir": ": there is no MLIR here; `concrete_function.graph` prints as text",
    "check_pinned": ": no memory is pinned for GPUs here; leave the check out",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, unlisted=KERAS, gone=GONE)
