# Written by `make stubs` from the table beside it.

"""`tf.config.experimental`: older names of `tf.config`."""

from ..eager.devices import LogicalDeviceConfiguration as VirtualDeviceConfiguration
from ..eager.devices import enable_op_determinism as enable_op_determinism
from ..eager.devices import get_device_details as get_device_details
from ..eager.devices import get_memory_growth as get_memory_growth
from ..eager.devices import get_logical_device_configuration as get_virtual_device_configuration
from ..eager.devices import get_visible_devices as get_visible_devices
from ..eager.devices import list_logical_devices as list_logical_devices
from ..eager.devices import list_physical_devices as list_physical_devices
from ..eager.devices import set_memory_growth as set_memory_growth
from ..eager.devices import set_logical_device_configuration as set_virtual_device_configuration
from ..eager.devices import set_visible_devices as set_visible_devices

__all__ = ['VirtualDeviceConfiguration', 'enable_op_determinism', 'get_device_details', 'get_memory_growth', 'get_virtual_device_configuration', 'get_visible_devices', 'list_logical_devices', 'list_physical_devices', 'set_memory_growth', 'set_virtual_device_configuration', 'set_visible_devices']
