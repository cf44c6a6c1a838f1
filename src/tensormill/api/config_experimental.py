"""`tf.config.experimental`: older names of `tf.config`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "distribution.device_filters": "ClusterDeviceFilters",
    "eager.device_settings": (
        "disable_mlir_bridge enable_mlir_bridge enable_tensor_float_32_execution "
        "get_device_policy get_memory_info get_memory_usage get_synchronous_execution "
        "reset_memory_stats set_device_policy set_synchronous_execution "
        "tensor_float_32_execution_enabled"
    ),
    "eager.devices": (
        "VirtualDeviceConfiguration=LogicalDeviceConfiguration enable_op_determinism "
        "get_device_details get_memory_growth get_visible_devices "
        "get_virtual_device_configuration=get_logical_device_configuration list_logical_devices "
        "list_physical_devices set_memory_growth set_visible_devices "
        "set_virtual_device_configuration=set_logical_device_configuration"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.config.experimental")
