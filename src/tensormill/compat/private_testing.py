"""`tensorflow.python.framework.test_util`, as a table."""

from __future__ import annotations

from typing import Final

# Decorators of tests, many of which are about compilers and devices that are not here.
TEST_UTIL: Final = (
    "NCHWToNHWC=nchw_to_nhwc NHWCToNCHW=nhwc_to_nchw also_run_as_tf_function "
    "assert_equal_graph_def assert_equal_graph_def_v1=assert_equal_graph_def "
    "assert_equal_graph_def_v2=assert_equal_graph_def assert_no_garbage_created "
    "assert_no_new_tensors assert_ops_in_graph deprecated_graph_mode_only deterministic_ops "
    "device=on_cpu for_all_test_methods force_cpu=on_cpu force_gpu=on_cpu "
    "get_node_def_from_graph gpu_device_name=no_device_name pick_unused_port "
    "py_func_if_in_function run_all_in_deprecated_graph_mode_only "
    "run_all_in_graph_and_eager_modes run_cuda_only run_deprecated_v1 run_functions_eagerly "
    "run_gpu_only run_gpu_or_tpu run_in_graph_and_eager_modes run_in_v1_v2 run_v1_only run_v2_only "
    "skip_if skip_if_error use_gpu=on_cpu "
    + " ".join(
        f"{name}=unchanged_by"
        for name in (
            "disable_asan disable_control_flow_v2 disable_eager_op_as_function "
            "disable_mlir_bridge disable_msan disable_tfrt disable_tsan disable_ubsan disable_xla "
            "enable_tf_xla_constant_folding no_xla_auto_jit run_all_without_tensor_float_32 "
            "run_without_tensor_float_32 set_xla_env_flag xla_allow_fallback"
        ).split()
    )
    + " "
    + " ".join(
        f"{name}=unchanged_if_given"
        for name in (
            "add_graph_building_optimization_tests enable_c_shapes enable_control_flow_v2 "
            "enable_eager_op_as_function enable_graph_building_optimization "
            "enable_nested_function_shape_inference enable_quantized_dtypes_training "
            "run_in_async_and_sync_mode "
            "with_c_shapes with_control_flow_v2 with_eager_op_as_function"
        ).split()
    )
    + " "
    + " ".join(
        f"{name}=is_off"
        for name in (
            "GpuSupportsHalfMatMulAndConv IsBuiltWithNvcc IsBuiltWithROCm IsBuiltWithXLA "
            "IsGoogleCudaEnabled IsMklEnabled is_asan_enabled is_gpu_available "
            "is_mlir_bridge_enabled is_msan_enabled is_tsan_enabled is_ubsan_enabled is_xla_enabled"
        ).split()
    )
)
