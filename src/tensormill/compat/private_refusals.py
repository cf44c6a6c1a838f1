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
    **_all(_DEFINITIONS, "framework.function_def_to_graph framework.graph_to_function_def"),
    **_all(_DEFINITIONS, "framework.op_def_library framework.c_api_util"),
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
    **_all(_CODE, "client.pywrap_tf_session pywrap_mlir util._pywrap_utils util._tf_stack"),
}
