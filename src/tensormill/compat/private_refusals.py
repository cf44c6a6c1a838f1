"""Parts of TensorFlow's own runtime that programs import: what to use instead of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TAPES: Final = "gradients are recorded by tapes: use tf.GradientTape and tf.custom_gradient"
_CHECKPOINTS: Final = "tf.train.Checkpoint writes, reads and restores by itself: use it"
_MODELS: Final = "tf.saved_model.save and tf.saved_model.load do all of it: use these"
_FUNCTIONS: Final = "functions become graphs by these: use tf.function, tf.compat.v1.wrap_function"
_DEFINITIONS: Final = (
    "use tf.graph_util.import_graph_def, or as_graph_def() of a concrete function's graph"
)
_CONTEXTS: Final = "branches and loops have no contexts here: use tf.cond and tf.while_loop"
_CODE: Final = "TensorFlow's own C++ code is not here: use the public functions that call it"


def _all(reason: str, names: str) -> dict[str, str]:
    return {f"python.{name}": reason for name in names.split()}


INTERNAL: Final[Mapping[str, str]] = {
    **_all(_TAPES, "eager.tape eager.imperative_grad eager.backprop_util"),
    **_all(_FUNCTIONS, "eager.lift_to_graph eager.graph_only_ops framework.auto_control_deps"),
    **_all(_FUNCTIONS, "framework.func_graph.func_graph_from_py_func"),
    **_all(_DEFINITIONS, "framework.graph_to_function_def framework.op_def_library"),
    **_all(
        _CHECKPOINTS,
        "checkpoint.functional_saver checkpoint.graph_view checkpoint.restore "
        "checkpoint.save_util checkpoint.save_util_v1 checkpoint.saveable_compat "
        "checkpoint.tensor_callable training.saving.saveable_object_util",
    ),
    **_all(
        _MODELS,
        "saved_model.function_deserialization saved_model.function_serialization "
        "saved_model.load.Loader saved_model.signature_serialization saved_model.load_v1_in_v2",
    ),
    **_all(
        _CONTEXTS,
        "ops.control_flow_ops.CondContext ops.control_flow_ops.ControlFlowContext "
        "ops.control_flow_ops.WhileContext ops.control_flow_ops.XLAControlFlowContext "
        "ops.control_flow_state ops.control_flow_util_v2",
    ),
    **_all("use tf.vectorized_map", "ops.parallel_for.pfor"),
    **_all(
        "datasets take functions by their methods: use tf.data.Dataset.map",
        "data.ops.structured_function data.ops.dataset_ops.StructuredFunctionWrapper",
    ),
    **_all(
        "there is one TensorArray for functions and eager code: use tf.TensorArray",
        "ops.tensor_array_ops._EagerTensorArray ops.tensor_array_ops._GraphTensorArrayV2",
    ),
    **_all(
        _CODE,
        "client.pywrap_tf_session framework.op_def_library_pybind pywrap_mlir "
        "util._pywrap_determinism util._pywrap_kernel_registry util._pywrap_tfprof "
        "util._pywrap_util_port util._pywrap_utils util._tf_stack util.fast_module_type "
        "util.pywrap_xla_ops",
    ),
    **_all(
        "operations are called by their names: use tf.raw_ops",
        "eager.execute.args_to_matching_eager eager.execute.convert_to_mixed_eager_tensors "
        "eager.execute.execute eager.execute.make_bool eager.execute.make_float "
        "eager.execute.make_int eager.execute.make_shape eager.execute.make_str "
        "eager.execute.make_type eager.execute.quick_execute eager.backprop.make_attr",
    ),
    **_all(
        _FUNCTIONS,
        "eager.polymorphic_function.atomic_function eager.polymorphic_function.attributes "
        "eager.polymorphic_function.function_type_utils "
        "eager.polymorphic_function.tracing_compilation eager.wrap_function.VariableHolder "
        "eager.wrap_function.WrappedGraph framework.auto_control_deps_utils "
        "framework.func_graph.UnknownArgument framework.func_graph.convert_structure_to_signature",
    ),
    **_all(
        "datasets are made by methods: use those of tf.data.Dataset",
        "data.experimental.ops.map_defun data.experimental.ops.matching_files "
        "data.ops.dataset_ops.DatasetSource data.ops.dataset_ops.UnaryDataset "
        "data.ops.dataset_ops.UnaryUnchangedStructureDataset data.ops.debug_mode "
        "data.ops.multi_device_iterator_ops data.ops.readers.ParallelInterleaveDataset "
        "data.util.options data.util.traverse",
    ),
    **_all(
        _CONTEXTS,
        "ops.control_flow_ops.merge ops.control_flow_ops.switch ops.control_flow_v2_func_graphs "
        "ops.functional_ops.If ops.functional_ops.While ops.while_v2_indexed_slices_rewriter",
    ),
    **_all("use tf.gradients", "ops.functional_ops.Gradient"),
    **_all("there is one process: use the function itself", "ops.functional_ops.remote_call"),
    **_all(
        "there is one device: use tf.distribute.ReplicaContext.all_reduce",
        "ops.collective_ops ops.gen_nccl_ops ops.nccl_ops ops.gen_sendrecv_ops ops.gen_tpu_ops",
    ),
    **_all(
        "variables are resources: use tf.Variable",
        "ops.ref_variable ops.resource_variable_ops.UninitializedVariable "
        "ops.resource_variable_ops.copy_to_graph_uninitialized "
        "ops.resource_variable_ops.eager_safe_variable_handle "
        "ops.resource_variable_ops.get_eager_safe_handle_data "
        "ops.resource_variable_ops.get_resource_handle_data ops.handle_data_util "
        "framework.ops.get_resource_handle_data",
    ),
    **_all(
        "profiles are of functions: use tf.profiler.experimental, or fn.report()",
        "profiler.internal profiler.profiler_client profiler.tfprof_logger "
        "profiler.model_analyzer.Profiler profiler.model_analyzer.advise",
    ),
    **_all(
        "they are commands: use `tensormill saved-model` and TensorBoard",
        "tools.import_pb_to_tensorboard tools.print_selective_registration_header "
        "tools.saved_model_cli tools.selective_registration_header_lib",
    ),
    **_all(
        _MODELS,
        "saved_model.fingerprinting_utils saved_model.registration.register_checkpoint_saver "
        "saved_model.registration.register_serializable saved_model.tracing_utils "
        "trackable.base_delegate trackable.converter",
    ),
    **_all(_CHECKPOINTS, "checkpoint.checkpoint_adapter checkpoint.checkpoint_context"),
    **_all(
        "TensorFlow's runtime is not looked into here: use tf.debugging and fn.report()",
        "framework.error_interpolation framework.kernels framework.memory_checker "
        "framework.op_callbacks framework.python_memory_checker framework.subscribe "
        "framework.tfrt_utils eager.executor",
    ),
    **_all(
        "use tf.nn.convolution",
        "ops.nn_ops.Convolution ops.nn_ops._WithSpaceToBatch ops.nn_ops.convolution_internal",
    ),
    **_all(
        "tensors are weak in tf.experimental.numpy alone: use its functions",
        "framework.weak_tensor ops.weak_tensor_ops",
    ),
    **_all("TensorFlow has no kernels of them left: use ydf", "ops.boosted_trees_ops"),
}
