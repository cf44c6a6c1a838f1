"""`tf.compat.v1`: what TensorFlow 2 programs still use of TensorFlow 1."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": (
        "audio image=compat_v1_image io=compat_v1_io logging=compat_v1_logging nn=compat_v1_nn "
        "python_io=compat_v1_python_io train=compat_v1_train"
    ),
    "function.session": "InteractiveSession Session",
    "version_one.initialization": (
        "assert_variables_initialized global_variables_initializer "
        "initialize_all_variables=global_variables_initializer "
        "initialize_all_tables=tables_initializer "
        "initialize_local_variables=local_variables_initializer "
        "initialize_variables=variables_initializer is_variable_initialized "
        "local_variables_initializer report_uninitialized_variables set_random_seed "
        "tables_initializer variables_initializer"
    ),
    "version_one.initializers": (
        "constant_initializer=ConstantV1 glorot_normal_initializer=GlorotNormalV1 "
        "glorot_uniform_initializer=GlorotUniformV1 ones_initializer=OnesV1 "
        "orthogonal_initializer=Orthogonal random_normal_initializer=RandomNormalV1 "
        "random_uniform_initializer=RandomUniformV1 "
        "truncated_normal_initializer=TruncatedNormalV1 "
        "uniform_unit_scaling_initializer=UniformUnitScaling "
        "variance_scaling_initializer=VarianceScalingV1 zeros_initializer=ZerosV1"
    ),
    "version_one.variable": "Variable=VariableV1",
    "version_one.variable_scopes": (
        "AUTO_REUSE VariableScope get_local_variable get_variable get_variable_scope variable_scope"
    ),
    "function.wrap_function": "wrap_function",
    "graph.by_hand.collections": "GraphKeys",
    "graph.by_hand.default_collections": (
        "add_to_collection add_to_collections all_variables=global_variables get_collection "
        "get_collection_ref global_variables local_variables model_variables "
        "moving_average_variables trainable_variables"
    ),
    "graph.by_hand.default_graph": (
        "disable_eager_execution enable_eager_execution get_default_graph reset_default_graph"
    ),
    "graph.by_hand.placeholders": "placeholder sparse_placeholder",
    "ops.control.flow": "placeholder_with_default",
    "core.dimension": (
        "Dimension dimension_at_index dimension_value disable_v2_tensorshape enable_v2_tensorshape"
    ),
    "version_one.switches": (
        "control_flow_v2_enabled disable_control_flow_v2 disable_resource_variables "
        "disable_v2_behavior enable_control_flow_v2 enable_resource_variables enable_v2_behavior "
        "executing_eagerly_outside_functions resource_variables_enabled"
    ),
    "graph.by_hand.sessions": "get_default_session",
    "graph.func_graph": "Graph=FuncGraph",
    "graph.proto.summary_metadata": "SummaryMetadata",
    "ops.sparse.sparse_tensor": "SparseTensorValue",
    "ops.version_one": "assign assign_add assign_sub py_func to_double to_float to_int32 to_int64",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1")
