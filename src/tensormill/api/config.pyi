# Written by `make stubs` from the table beside it.

"""`tf.config`: devices and switches."""

from ..eager.devices import LogicalDevice as LogicalDevice
from ..eager.devices import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from ..eager.devices import PhysicalDevice as PhysicalDevice
from . import config_experimental as experimental
from ..distribution.tpu.resolver import experimental_connect_to_cluster as experimental_connect_to_cluster
from ..function.decorator import functions_run_eagerly as experimental_functions_run_eagerly
from ..function.decorator import run_functions_eagerly as experimental_run_functions_eagerly
from ..function.decorator import functions_run_eagerly as functions_run_eagerly
from ..eager.devices import get_logical_device_configuration as get_logical_device_configuration
from ..eager.devices import get_soft_device_placement as get_soft_device_placement
from ..eager.devices import get_visible_devices as get_visible_devices
from ..eager.devices import list_logical_devices as list_logical_devices
from ..eager.devices import list_physical_devices as list_physical_devices
from . import config_optimizer as optimizer
from ..function.decorator import run_functions_eagerly as run_functions_eagerly
from ..eager.devices import set_logical_device_configuration as set_logical_device_configuration
from ..eager.devices import set_soft_device_placement as set_soft_device_placement
from ..eager.devices import set_visible_devices as set_visible_devices
from . import config_threading as threading

__all__ = ['LogicalDevice', 'LogicalDeviceConfiguration', 'PhysicalDevice', 'experimental', 'experimental_connect_to_cluster', 'experimental_functions_run_eagerly', 'experimental_run_functions_eagerly', 'functions_run_eagerly', 'get_logical_device_configuration', 'get_soft_device_placement', 'get_visible_devices', 'list_logical_devices', 'list_physical_devices', 'optimizer', 'run_functions_eagerly', 'set_logical_device_configuration', 'set_soft_device_placement', 'set_visible_devices', 'threading']
