"""`tf.config.experimental`: older names of `tf.config`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.devices": (
        "VirtualDeviceConfiguration=LogicalDeviceConfiguration enable_op_determinism "
        "get_device_details get_memory_growth get_visible_devices "
        "get_virtual_device_configuration=get_logical_device_configuration list_logical_devices "
        "list_physical_devices set_memory_growth set_visible_devices "
        "set_virtual_device_configuration=set_logical_device_configuration"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.config.experimental")
