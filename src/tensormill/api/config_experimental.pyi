# Written by `make stubs` from the table beside it.

"""`tf.config.experimental`: older names of `tf.config`."""

from ..distribution.device_filters import ClusterDeviceFilters as ClusterDeviceFilters
from ..eager.devices import LogicalDeviceConfiguration as VirtualDeviceConfiguration
from ..eager.device_settings import disable_mlir_bridge as disable_mlir_bridge
from ..eager.device_settings import enable_mlir_bridge as enable_mlir_bridge
from ..eager.devices import enable_op_determinism as enable_op_determinism
from ..eager.device_settings import enable_tensor_float_32_execution as enable_tensor_float_32_execution
from ..eager.devices import get_device_details as get_device_details
from ..eager.device_settings import get_device_policy as get_device_policy
from ..eager.devices import get_memory_growth as get_memory_growth
from ..eager.device_settings import get_memory_info as get_memory_info
from ..eager.device_settings import get_memory_usage as get_memory_usage
from ..eager.device_settings import get_synchronous_execution as get_synchronous_execution
from ..eager.devices import get_logical_device_configuration as get_virtual_device_configuration
from ..eager.devices import get_visible_devices as get_visible_devices
from ..eager.devices import list_logical_devices as list_logical_devices
from ..eager.devices import list_physical_devices as list_physical_devices
from ..eager.device_settings import reset_memory_stats as reset_memory_stats
from ..eager.device_settings import set_device_policy as set_device_policy
from ..eager.devices import set_memory_growth as set_memory_growth
from ..eager.device_settings import set_synchronous_execution as set_synchronous_execution
from ..eager.devices import set_logical_device_configuration as set_virtual_device_configuration
from ..eager.devices import set_visible_devices as set_visible_devices
from ..eager.device_settings import tensor_float_32_execution_enabled as tensor_float_32_execution_enabled

__all__ = ['ClusterDeviceFilters', 'VirtualDeviceConfiguration', 'disable_mlir_bridge', 'enable_mlir_bridge', 'enable_op_determinism', 'enable_tensor_float_32_execution', 'get_device_details', 'get_device_policy', 'get_memory_growth', 'get_memory_info', 'get_memory_usage', 'get_synchronous_execution', 'get_virtual_device_configuration', 'get_visible_devices', 'list_logical_devices', 'list_physical_devices', 'reset_memory_stats', 'set_device_policy', 'set_memory_growth', 'set_synchronous_execution', 'set_virtual_device_configuration', 'set_visible_devices', 'tensor_float_32_execution_enabled']
