"""`tf.test`: what this build can do."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.devices": (
        "gpu_device_name is_built_with_cuda is_built_with_gpu_support is_built_with_rocm "
        "is_built_with_xla is_gpu_available"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
