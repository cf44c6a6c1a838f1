"""Private modules of TensorFlow that clients import, as tables of where their names live here.

A table's key is the module's path below `tensorflow`; `api/lazy.py` explains the rest. Listed is
what Keras 3 and TensorFlow Probability touch, and the classes that say they live there
(`core/tensorflow_names.py`): `pickle` looks for them where they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..api import lazy
from . import older_layers, private_keras
from .message_modules import MESSAGE_TABLES
from .private_borrowed import BORROWED
from .private_classes import DATASETS, MORE
from .private_faces import FACES as PUBLIC
from .private_faces import GENERATED
from .private_helpers import HELPERS
from .private_refusals import INTERNAL
from .private_renames import RENAMED
from .private_testing import TEST_UTIL
from .private_tools import TOOLS

Table = Mapping[str, str]

# Modules that programs import so that gradients are registered, which they are here.
GRADIENTS: Final = (
    "array control_flow ctc cudnn_rnn data_flow image linalg list logging lookup manip math nn "
    "optional parsing random resource_variable sdca sparse state stateful_random string "
    "tensor_array"
)

# TensorFlow's own switch.
LEGACY: Final = "TF_USE_LEGACY_KERAS"

TABLES: Final[Mapping[str, Table]] = {
    "": {"version_one.switches": "enable_v2_behavior"},  # of compat.v2, which is this very module
    **MESSAGE_TABLES,
    **TOOLS,
    **HELPERS,
    "__internal__": {
        "compat.private_modules.hooks": (
            "register_call_context_function=keep_hook register_clear_session_function=keep_hook "
            "register_get_session_function=keep_hook register_load_model_function=keep_hook"
        ),
        "compat.private_modules.internal": "execute_fn_for_device load_context",
        "core.tree": "CompositeTensor=Composite",
        "eager.scopes": "get_name_scope=get_current_name_scope",
        "eager.tensor": "EagerTensor",
        "graph.func_graph": "FuncGraph=ScratchGraph",
        "graph.symbolic": "SymbolicTensor",
    },
    "__internal__.autograph": {
        "compat.private_modules.conversion": "control_status_ctx tf_convert"
    },
    "__internal__.decorator": {"compat.private_modules.decorators": "make_decorator unwrap"},
    "__internal__.dispatch": {
        "compat.private_modules.dispatchers": (
            "GlobalOpDispatcher OpDispatcher add_dispatch_support"
        ),
    },
    "__internal__.distribute": {
        "compat.private_modules.internal": (
            "strategy_supports_no_merge_call variable_sync_on_read_context=nothing_changes"
        ),
    },
    "__internal__.distribute.interim": {"compat.private_modules.internal": "maybe_merge_call"},
    "__internal__.eager_context": {"core.context": "eager_mode=init_scope"},
    "__internal__.feature_column": {
        "compat.private_modules.feature_columns": "StateManager",
        "feature_columns.serialization": ("deserialize_feature_column serialize_feature_column"),
        "feature_columns.column": ("DenseColumn FeatureColumn FeatureTransformationCache=Features"),
        "feature_columns.numbers": "SequenceDenseColumn=SequenceNumericColumn",
    },
    "__internal__.function": {"function.function": "Function"},
    "__internal__.mixed_precision": {
        "compat.private_modules.hooks": "register_loss_scale_wrapper=keep_hook"
    },
    "__internal__.nest": {
        "compat.private_modules.nests": (
            "get_traverse_shallow_structure is_attrs is_mapping list_to_tuple "
            "map_structure_up_to sequence_like yield_flat_paths yield_value"
        ),
        "core.tree": "flatten_up_to",
    },
    "__internal__.ops": {
        "compat.private_modules.internal": "broadcast_weights is_resource_variable",
    },
    "__internal__.saved_model": {
        "compat.private_modules.saved_models": "decode_proto load_partial parse_saved_model",
    },
    "__internal__.saved_model.load": {
        "compat.private_modules.revived": (
            "VersionedTypeRegistration get_setter register_revived_type registered_identifiers"
        ),
    },
    "__internal__.smart_cond": {"compat.private_modules.internal": "smart_cond"},
    "__internal__.tf2": {"compat.private_modules.internal": "enabled"},
    "__internal__.tracking": {
        "compat.private_modules.tracking": (
            "CheckpointInitialValue CheckpointInitialValueCallable DelegatingTrackableMixin "
            "ObjectGraphView TrackableReference register_session_provider "
            "saveable_objects_from_trackable sticky_attribute_assignment streaming_restore"
        ),
        "module.data_structures": "TrackableDataStructure wrap",
        "module.trackable": "AutoTrackable Trackable no_automatic_dependency_tracking",
    },
    "__internal__.train": {
        "compat.private_modules.tracking": "update_checkpoint_state",
        "compat.private_modules.hooks": (
            "is_mixed_precision_graph_rewrite_enabled set_using_mixed_precision_policy"
        ),
        "compat.private_modules.internal": "assign_moving_average",
    },
    "__internal__.types": {"core.values": "Tensor=TensorBase"},
    "__operators__": {
        "eager.indexing": "getitem=get_item",
        "ops.math.arithmetic": "add",
        "ops.math.comparison": "eq=tensor_equals ne=tensor_not_equals",
        "ops.ragged.slicing": "ragged_getitem=part_of",
    },
    "_api": {},  # whose v2 is `tensorflow` itself
    "compat": {},  # whose v2 is `tensorflow` itself, private names and all
    # Which has Keras 2's own part, too, where the environment asks for it.
    "compat.v1": {"eager.version": "__git_version__=GIT_VERSION __version__=VERSION"},
    "compiler.tf2xla.python.xla": {
        "ops.array.dynamic_slices": "dynamic_slice dynamic_update_slice",
        "ops.control.xla_modules": (
            "call_module call_module_disable_check_platform call_module_maximum_supported_version"
        ),
    },
    "core.example.example_pb2": {"graph.proto.examples": "Example SequenceExample"},
    "core.example.feature_pb2": {
        "graph.proto.examples": (
            "BytesList Feature FeatureList FeatureLists Features FloatList Int64List"
        ),
    },
    "experimental.dtensor": {},
    "python.data.experimental.ops.distribute": {"data.experimental": "compute_batch_size"},
    "python.data.util.structure": {"data.structure": "NoneTensorSpec"},
    "python.distribute.cluster_resolver": {
        "distribution.cluster_resolvers": "SimpleClusterResolver TFConfigClusterResolver"
    },
    "python.distribute.distribute_utils": {
        "compat.private_modules.internal": "cache_variable_reads=nothing_changes",
    },
    "python.distribute.input_lib": {"distribution.input": "DistributedDataset"},
    "python.data.ops.dataset_ops": {"data.dataset": "DatasetV2"},
    "python.eager.context": {
        "compat.private_modules.eager_context": (
            "_reset_context=reset_context async_wait context ensure_initialized get_config "
            "get_device_name global_seed in_eager_mode num_gpus"
        ),
        "compat.private_modules.internal": "graph_mode",
        "compat.private_modules.tools.modes": "ASYNC EAGER_MODE GRAPH_MODE SYNC",
        "core.context": "eager_mode=init_scope",
        "eager.scopes": "executing_eagerly",
    },
    "python.framework.config": {
        "eager.devices": ("disable_op_determinism enable_op_determinism is_op_determinism_enabled"),
    },
    "python.framework.convert_to_constants": {
        "function.freezing": (
            "convert_variables_to_constants_v2 convert_variables_to_constants_v2_as_graph"
        ),
    },
    "python.framework.func_graph": {"graph.builder": "FuncGraph"},
    "python.framework.ops": {
        "eager.scopes": "executing_eagerly get_name_scope=get_current_name_scope",
        "compat.private_modules.gradient_registry": "_gradient_registry",
        "compat.private_modules.internal": (
            "NullContextmanager convert_to_tensor_or_composite name_from_scope_name uid"
        ),
        "version_one.functions.control": "name_scope_v1=NameScopeV1",
        "eager.convert": "convert_to_tensor",
        "eager.tensor": "EagerTensor",
        "graph.symbolic": "SymbolicTensor",
    },
    "python.ops.array_ops": {"eager.convert": "constant"},
    **{f"python.ops.{one}_grad": {} for one in GRADIENTS.split()},  # imported, not asked
    "python.client.session": {"function.session": "BaseSession=GraphRunner"},
    "python.framework.common_shapes": {
        "compat.private_modules.older.various": "broadcast_shape is_broadcast_compatible",
    },
    "python.framework.function": {"compat.private_modules.older.functions": "Defun"},
    "python.ops.init_ops_v2": {"module.initializers": "Initializer"},
    "python.ops.metrics_impl": {"compat.private_modules.older.various": "metric_variable"},
    "python.ops.template": {"version_one.functions.control": "Template=VariableTemplate"},
    "python.platform.device_context": {
        "compat.private_modules.internal": "enclosing_tpu_context=get_enclosing_xla_context",
    },
    "python.pywrap_tensorflow": {
        "checkpoint.inspection": "CheckpointReader NewCheckpointReader=CheckpointReader",
    },
    "python.saved_model.loader_impl": {
        "compat.private_modules.saved_models": "parse_saved_model",
        "compat.private_modules.tools.saved_model_files": "SavedModelLoader",
    },
    "python.saved_model.revived_types": {
        "compat.private_modules.revived": (
            "VersionedTypeRegistration get_setter register_revived_type registered_identifiers"
        ),
    },
    "python.training.checkpoint_state_pb2": {
        "compat.private_modules.messages": "CheckpointState",
    },
    "python.training.training_util": {
        "compat.private_modules.older.various": (
            "_get_or_create_global_step_read=get_or_create_global_step_read"
        ),
    },
    "python.types.core": {
        "core.values": "Tensor=TensorBase",
        "eager.tensor": "Value=EagerTensor",
        "function.concrete": "ConcreteFunction",
        "function.function": "PolymorphicFunction=Function",
        "graph.symbolic": "Symbol=SymbolicTensor",
    },
    "python.types.internal": {
        "core.specs": "TensorSpec",
        "core.type_spec": "TypeSpec",
        "ops.array.indexed_slices": "IndexedSlices",
        "ops.ragged.ragged_tensor": "RaggedTensor RaggedTensorSpec",
    },
    "python.util.compat": {"compat.private_modules.older.various": "collections_abc"},
    "python.util.numpy_compat": {
        "compat.private_modules.older.various": "np_array np_asarray np_reshape np_where",
    },
    "python.ops.init_ops": {
        "compat.private_modules.older.various": "_compute_fans=compute_fans",
        "version_one.initializers": (
            "Constant=ConstantV1 GlorotNormal=GlorotNormalV1 GlorotUniform=GlorotUniformV1 "
            "Initializer=InitializerV1 Identity=IdentityV1 Ones=OnesV1 Orthogonal "
            "RandomNormal=RandomNormalV1 RandomUniform=RandomUniformV1 "
            "TruncatedNormal=TruncatedNormalV1 UniformUnitScaling "
            "VarianceScaling=VarianceScalingV1 Zeros=ZerosV1"
        ),
    },
    "python.ops.ragged.ragged_map_ops": {"control.map": "map_fn"},
    "python.ops.ragged.ragged_util": {
        "compat.private_modules.internal": "assert_splits_match",
    },
    "python.pywrap_tfe": {
        "compat.private_modules.eager_context": (
            "TF_ListPhysicalDevices=list_physical_devices "
            "TF_ListPluggablePhysicalDevices=list_no_devices"
        ),
    },
    "python.saved_model.save": {
        "compat.private_modules.saved_models": "save_and_return_nodes",
        "saved_model.save": "save",
    },
    "python.saved_model.model_utils.mode_keys": {
        "compat.private_modules.mode_keys": "EstimatorModeKeys KerasModeKeys",
    },
    "python.tf2": {"compat.private_modules.internal": "enabled"},
    "python.trackable.base": {
        "compat.private_modules.tracking": "CheckpointInitialValue CheckpointInitialValueCallable",
        "core.trackable": "Trackable",
    },
    "python.trackable.resource": {"module.assets": "TrackableResource"},
    "python.util.dispatch": {
        "compat.private_modules.dispatchers": (
            "GlobalOpDispatcher OpDispatcher add_dispatch_support dispatch_for_types"
        ),
    },
    "python.util.tf_contextlib": {"compat.private_modules.decorators": "contextmanager"},
    "python.util.tf_decorator": {"compat.private_modules.decorators": "make_decorator unwrap"},
    "python.util.tf_export": {
        "compat.private_modules.exports": (
            "api_export get_canonical_name_for_symbol get_symbol_from_name keras_export tf_export"
        ),
    },
    "python.lib.io.file_io": {
        "compat.private_modules.tools.small_tools": "read_file_to_string write_string_to_file",
        "core.files.gfile": "FileIO=GFile",
    },
    "python.ops.lookup_ops": {
        "compat.private_modules.tools.vocabularies": (
            "index_table_from_file index_table_from_tensor index_to_string_table_from_file "
            "index_to_string_table_from_tensor"
        ),
    },
    "python.platform.build_info": {"compat.private_modules.tools.small_tools": "build_info"},
    "python.tools.freeze_graph": {"compat.private_modules.tools.graph_files": "freeze_graph"},
    "python.tools.inspect_checkpoint": {
        "compat.private_modules.tools.graph_files": "print_tensors_in_checkpoint_file",
    },
    "python.tools.optimize_for_inference_lib": {
        "compat.private_modules.tools.graph_files": "optimize_for_inference",
    },
    "python.tools.strip_unused_lib": {"compat.private_modules.tools.graph_files": "strip_unused"},
    "python.training.moving_averages": {
        "compat.private_modules.internal": "assign_moving_average",
    },
    "python.util.function_utils": {
        "compat.private_modules.tools.small_tools": "fn_args get_func_name has_kwargs",
    },
    "python.util.keyword_args": {"compat.private_modules.tools.small_tools": "keyword_args_only"},
    "python.util.lazy_loader": {"compat.private_modules.tools.small_tools": "LazyLoader"},
    "tools.docs.doc_controls": {
        "compat.private_modules.doc_controls": (
            "do_not_doc=unchanged do_not_doc_inheritable=unchanged do_not_generate_docs=unchanged "
            "doc_in_current_and_subclasses=unchanged doc_private=unchanged "
            "for_subclass_implementers=unchanged"
        ),
    },
    "python.framework.smart_cond": {
        "compat.private_modules.internal": "smart_cond smart_constant_value=known_value",
    },
    "python.framework.sparse_tensor": {"ops.sparse.sparse_tensor": "SparseTensor"},
    "python.framework.tensor": {"eager.tensor": "Tensor"},
    "python.client.device_lib": {
        "compat.private_modules.eager_context": "list_local_devices",
    },
    "python.keras.backend": {"compat.private_modules.keras_backend": "get_graph"},
    "python.lib.io.tf_record": {
        "data.records.options": "TFRecordCompressionType TFRecordOptions",
        "data.records.record_files": "TFRecordWriter tf_record_iterator tf_record_random_reader",
    },
    "python.ops.linalg.sparse.sparse": {
        "compat.private_modules.sparse_matrices": "CSRSparseMatrix matmul",
    },
    "python.ops.linalg.sparse.sparse_csr_matrix_ops": {
        "compat.private_modules.sparse_matrices": "CSRSparseMatrix matmul",
        "ops.sparse.compressed_rows": (
            "csr_sparse_matrix_to_sparse_tensor sparse_matrix_sparse_mat_mul "
            "sparse_tensor_to_csr_sparse_matrix"
        ),
    },
    "python.ops.ragged.dynamic_ragged_shape": {"ops.ragged.ragged_shape": "DynamicRaggedShape"},
    "python.ops.ragged.ragged_tensor": {"ops.ragged.ragged_tensor": "RaggedTensor"},
    "python.ops.ragged.row_partition": {"ops.ragged.row_partition": "RowPartition"},
    "python.trackable.data_structures": {
        "compat.private_modules.tracking": "sticky_attribute_assignment",
        "module.data_structures": "ListWrapper NoDependency _DictWrapper _TupleWrapper",
    },
    "python.data.ops.iterator_ops": {"data.iterators": "OwnedIterator"},
    "python.eager.backprop": {
        "autodiff.eager_gradients": (
            "gradients_function implicit_grad implicit_val_and_grad make_vjp val_and_grad_function"
        ),
        "autodiff.tape": "GradientTape",
        "compat.private_modules.gradient_registry": "record_gradient",
    },
    "python.eager.execute": {"compat.private_modules.gradient_registry": "record_gradient"},
    "python.framework.composite_tensor": {
        "core.tree": "CompositeTensor=Composite",
    },
    "python.framework.tensor_shape": {
        "core.dimension": "Dimension dimension_at_index dimension_value",
        "core.shapes": "TensorShape as_shape",
    },
    "python.framework.tensor_spec": {
        "core.specs": "BoundedTensorSpec DenseSpec=TensorSpec TensorSpec",
    },
    "python.framework.tensor_util": {
        "compat.private_modules.internal": "constant_value_as_shape",
        "core.values": "is_tensor is_tf_type=is_tensor",
        "eager.convert": "constant_value=get_static_value try_evaluate_constant=get_static_value",
        "graph.proto.tensor_protos": "MakeNdarray=make_ndarray make_tensor_proto",
    },
    "python.framework.test_util": {
        "compat.private_modules.doc_controls": "disable_cudnn_autotune=unchanged",
        "compat.private_modules.older.testing_modes": TEST_UTIL,
        "testing.case": "TensorFlowTestCase=TestCase",
    },
    "python.framework.type_spec": {
        "core.type_spec": "BatchableTypeSpec LegacyTypeSpecBatchEncoder=PartsEncoder TypeSpec",
        "data.structure": "type_spec_from_value",
    },
    "python.framework.type_spec_registry": {
        "core.type_spec_names": ("_NAME_TO_TYPE_SPEC _TYPE_SPEC_TO_NAME get_name lookup register"),
    },
    "python.ops.control_flow_case": {
        "compat.private_modules.internal": "_case_helper=case_helper",
    },
    "python.module.module": {"module.module": "camel_to_snake=snake_case"},
    "python.ops.control_flow_ops": {
        "compat.private_modules.internal": "get_enclosing_xla_context with_dependencies",
    },
    "python.ops.control_flow_util": {
        "compat.private_modules.internal": (
            "ENABLE_CONTROL_FLOW_V2=STAGES_CONTROL_FLOW EnableControlFlowV2=stages_control_flow "
            "GraphOrParentsInXlaContext=is_in_xla_context"
        ),
        "compat.private_modules.older.various": (
            "GetContainingXLAContext=no_xla_context IsInXLAContext=is_in_no_context"
        ),
    },
    "python.ops.gradients_util": {},
    "python.ops.linalg.linear_operator": {
        "compat.private_modules.internal": "make_composite_tensor",
        "linear_operators.operator": "LinearOperator",
    },
    "python.ops.linalg.linear_operator_addition": {
        "compat.private_modules.operator_sums": "add_operators",
    },
    "python.ops.parallel_for.control_flow_ops": {
        "compat.private_modules.internal": "pfor",
        "control.vectorize": "vectorized_map",
    },
    "python.ops.resource_variable_ops": {
        "compat.private_modules.internal": "is_resource_variable",
        "core.specs": "VariableSpec",
        "eager.variable": (
            "BaseResourceVariable=Variable ResourceVariable UnreadVariable "
            "_UnreadVariable=UnreadVariable"
        ),
    },
    "python.data.util.nest": {
        "data.by_hand.nests": (
            "assert_same_structure flatten flatten_up_to is_nested map_structure "
            "map_structure_up_to pack_sequence_as"
        ),
    },
    "python.eager.def_function": {"function.function": "Function"},
    "python.eager.polymorphic_function.polymorphic_function": {"function.function": "Function"},
    "python.eager.function": {"function.concrete": "ConcreteFunction"},
    "python.ops.gradient_checker": {
        "version_one.gradient_checks": "compute_gradient compute_gradient_error",
    },
    "python.ops.gradient_checker_v2": {"testing.gradients": "compute_gradient max_error"},
    "python.ops.parallel_for.gradients": {
        "autodiff.symbolic_jacobians": "batch_jacobian jacobian",
    },
    "python.platform.googletest": {
        "testing.case": "TestCase main",
        "testing.folders": "GetTempDir=get_temp_dir test_src_dir_path",
    },
    "python.platform.resource_loader": {
        "version_one.resource_files": (
            "get_data_files_path get_path_to_datafile get_root_dir_with_all_resources "
            "load_resource readahead_file_path"
        ),
    },
    "python.trackable.autotrackable": {"module.trackable": "AutoTrackable"},
    "python.training.server_lib": {"graph.proto.clusters": "ClusterSpec"},
    "python.training.slot_creator": {
        "version_one.training.slots": "create_slot create_slot_with_initializer create_zeros_slot",
    },
    "python.profiler.model_analyzer": {"version_one.profiles.profile": "profile"},
    "python.profiler.option_builder": {"version_one.profiles.options": "ProfileOptionBuilder"},
    "python.util.all_util": {
        "compat.private_modules.documented": "make_all remove_undocumented reveal_undocumented",
    },
    "python.util.deprecation": {
        "compat.private_modules.deprecation": (
            "deprecated deprecated_alias deprecated_arg_values deprecated_args "
            "deprecated_argument_lookup deprecated_endpoints silence"
        ),
    },
    "python.util.nest": {
        "compat.private_modules.nests": (
            "_is_mapping=is_mapping _is_namedtuple=is_namedtuple _sequence_like=sequence_like "
            "_yield_sorted_items=yield_sorted_items _yield_value=yield_value "
            "assert_shallow_structure flatten_dict_items flatten_with_joined_string_paths "
            "flatten_with_tuple_paths flatten_with_tuple_paths_up_to "
            "get_traverse_shallow_structure is_mapping is_namedtuple is_nested_or_composite "
            "list_to_tuple map_structure_up_to map_structure_with_paths "
            "map_structure_with_tuple_paths map_structure_with_tuple_paths_up_to yield_flat_paths"
        ),
        "core.tree": (
            "assert_same_structure flatten flatten_up_to is_nested map_structure pack_sequence_as"
        ),
    },
    "python.util.object_identity": {
        "compat.private_modules.object_identity": (
            "ObjectIdentityDictionary ObjectIdentitySet ObjectIdentityWeakKeyDictionary "
            "ObjectIdentityWeakSet Reference=ObjectReference"
        ),
    },
    "python.util.variable_utils": {
        "compat.private_modules.internal": "convert_variables_to_tensors",
    },
}


# Modules that hold what is public, too: names that a table lacks are looked up in these namespaces.
FACES: Final[Mapping[str, Sequence[str]]] = {
    **{f"python.ops.gen_{one}_ops": ("raw_ops",) for one in GENERATED.split()},
    **{
        f"python.{one}": ["" if space == "." else space for space in spaces.split()]
        for one, spaces in PUBLIC.items()
    },
}


# Modules, and all below them, that libraries import and hardly ever use: who does hears why not.
_ONE_DEVICE = "there is one process, and one device in it: the strategies for more are not here"
_PHONES = (
    "TensorFlow Lite is a library of its own: `pip install ai-edge-litert` brings its interpreter"
)
_NO_TPU = "TPUs are used by tf.distribute.TPUStrategy alone, as a whole; leave this out"
_GRAPHS = "graphs are made by operations and functions of tensormill alone"

_STORES = "variables by name are kept by graphs, and there is no other place for them"

REFUSED: Final[Mapping[str, str]] = {
    **INTERNAL,
    **{
        module: "a program that JAX has exported runs on one device here, and is not sharded"
        for module in ("compiler.xla.xla_data_pb2", "python.compiler.xla.experimental.xla_sharding")
    },
    "__internal__.create_c_op": _GRAPHS,
    "lite": _PHONES,
    "python.compiler.mlir": "graphs are not converted to the text of another compiler here",
    "python.compiler.tensorrt": "there are no GPUs here, and no TensorRT; use the function itself",
    "python.debug": (
        "TensorFlow's debugger reads what its own runtime writes; use "
        "tf.debugging.enable_check_numerics, or fn.report() and fn.graph_text()"
    ),
    "python.grappler": (
        "graphs are optimized as they are compiled; tf.compat.v1.graph_util.extract_sub_graph cuts "
        "out what some nodes need"
    ),
    "python.tpu": _NO_TPU,
    "__internal__.distribute.ShardedVariable": _ONE_DEVICE,
    "__internal__.distribute.combinations": _ONE_DEVICE,
    "__internal__.record_gradient": _GRAPHS,
    "__internal__.test": "TensorFlow's own tests are not run by tensormill's tf.test",
    "distribute.Server": _ONE_DEVICE,
    "distribute.coordinator": _ONE_DEVICE,
    "distribute.experimental.coordinator": _ONE_DEVICE,
    "dtensor": _ONE_DEVICE,
    "python.autograph": (
        "tensormill converts Python by rules of its own (tensormill.autograph), and what rewrites "
        "programs with TensorFlow's converters cannot use them"
    ),
    **dict.fromkeys(
        [f"python.data.ops.{source}_op" for source in DATASETS],
        "datasets are made by methods of tf.data.Dataset, and their classes are only asked",
    ),
    "python.distribute": _ONE_DEVICE,
    "python.ops.resource_variable_ops._variable_handle_from_shape_and_dtype": _GRAPHS,
    "python.ops.random_ops.parameterized_truncated_normal": (
        "its numbers come from a stream of the process; those of "
        "tf.random.stateless_parameterized_truncated_normal are TensorFlow's"
    ),
    "python.ops.variable_scope.with_variable_store": _STORES,
    "python.training.server_lib": _ONE_DEVICE,
    "tpu.experimental.DeviceAssignment": _NO_TPU,
}


def has_private_module(path: Sequence[str]) -> bool:
    """Whether there is a private module at this path, or below it."""
    name = ".".join(path)
    if tuple(path[:2]) == ("python", "keras") and "legacy" not in name:
        return private_keras.has(path[2:])
    known = (
        *TABLES,
        *MORE,
        *BORROWED,
        *FACES,
        *REFUSED,
        *older_layers.PLACES,
        *(f"python.{one}" for one in RENAMED),
    )
    if any(one == name or one.startswith(f"{name}.") for one in known):
        return True
    return reason_of_refusal(path) is not None


def reason_of_refusal(path: Sequence[str]) -> str | None:
    """Why nothing of a private module can be used, where that is so."""
    parts = [".".join(path[: end + 1]) for end in range(len(path))]
    return next((REFUSED[one] for one in parts if one in REFUSED), None)


def faces(path: Sequence[str]) -> Sequence[str]:
    """The public namespaces whose names a private module has as well."""
    return FACES.get(".".join(path), ())


def renamed(path: Sequence[str]) -> list[str]:
    """The names that a private module has for what is public under others."""
    if tuple(path[:1]) != ("python",):
        return []
    return [one.partition("=")[0] for one in RENAMED.get(".".join(path[1:]), "").split()]


def public_name(path: Sequence[str], name: str) -> str | None:
    """The path below `tf` of what a private module has under another name, if it does."""
    if tuple(path[:1]) != ("python",):
        return None
    pairs = RENAMED.get(".".join(path[1:]), "").split()
    return next((one.partition("=")[2] for one in pairs if one.startswith(f"{name}=")), None)


def places(path: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The private names of a module: where each lives."""
    name = ".".join(path)
    tables = BORROWED, MORE, TABLES
    return {one: at for table in tables for one, at in lazy.places(table.get(name, {})).items()}
