"""`tf.config`: devices and switches."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=config_experimental optimizer=config_optimizer threading=config_threading",
    "eager.devices": (
        "LogicalDevice LogicalDeviceConfiguration PhysicalDevice "
        "get_logical_device_configuration get_soft_device_placement get_visible_devices "
        "list_logical_devices list_physical_devices set_logical_device_configuration "
        "set_soft_device_placement set_visible_devices"
    ),
    "distribution.tpu.resolver": "experimental_connect_to_cluster",
    "function.decorator": (
        "functions_run_eagerly run_functions_eagerly "
        "experimental_functions_run_eagerly=functions_run_eagerly "
        "experimental_run_functions_eagerly=run_functions_eagerly"
    ),
}

GONE = {
    "experimental_connect_to_host": (
        ": there is one process, and no other to connect to; leave it out"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)
