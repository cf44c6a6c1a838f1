# Written by `make stubs` from the table beside it.

"""`tf.test`: what this build can do."""

from ..eager.devices import gpu_device_name as gpu_device_name
from ..eager.devices import is_built_with_cuda as is_built_with_cuda
from ..eager.devices import is_built_with_gpu_support as is_built_with_gpu_support
from ..eager.devices import is_built_with_rocm as is_built_with_rocm
from ..eager.devices import is_built_with_xla as is_built_with_xla
from ..eager.devices import is_gpu_available as is_gpu_available

__all__ = ['gpu_device_name', 'is_built_with_cuda', 'is_built_with_gpu_support', 'is_built_with_rocm', 'is_built_with_xla', 'is_gpu_available']
