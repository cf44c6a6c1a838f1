"""`tf.config`: one device, the CPU, and the switches of the library under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..config import settings, usable_cores


class PhysicalDevice(NamedTuple):
    """A device that the machine has."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that operations run on."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device is divided; the CPU is not."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


CPU: Final = PhysicalDevice("/physical_device:CPU:0", "CPU")
LOGICAL_CPU: Final = LogicalDevice("/device:CPU:0", "CPU")


class Choices:
    """What scripts choose here and nothing else depends on: kept so that it can be read back."""

    def __init__(self) -> None:
        self.soft_placement = True
        self.inter_op_threads = 0
        self.intra_op_threads = 0
        self.jit = ""
        self.optimizer = {"disable_model_pruning": False, "disable_meta_optimizer": False}
        self.op_determinism = False


choices: Final = Choices()


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    return [CPU] if device_type in (None, CPU.device_type) else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    return [LOGICAL_CPU] if device_type in (None, LOGICAL_CPU.device_type) else []


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Check the devices: the CPU is always visible.

    Raises:
        ValueError: there is no such device.
    """
    for device in [devices] if isinstance(devices, (str, PhysicalDevice)) else devices:
        require_device(device)


def require_device(device: Any) -> None:
    if device != CPU:
        raise ValueError(f"Unrecognized device: {device!r}; the only one is {CPU}")


def get_logical_device_configuration(device: Any) -> None:
    require_device(device)


def set_logical_device_configuration(
    device: Any, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Accept the configuration that the CPU has: one logical device.

    Raises:
        ValueError: the CPU would be divided.
    """
    require_device(device)
    if len(logical_devices) > 1:
        raise ValueError("the CPU is one logical device and cannot be divided")


def get_device_details(device: Any) -> dict[str, Any]:
    require_device(device)
    return {}


def get_memory_growth(device: Any) -> bool:
    require_device(device)
    return True


def set_memory_growth(device: Any, enable: bool) -> None:
    """Memory of the CPU always grows.

    Raises:
        ValueError: for the CPU, as in TensorFlow.
    """
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def get_soft_device_placement() -> bool:
    return choices.soft_placement


def set_soft_device_placement(enabled: bool) -> None:
    choices.soft_placement = bool(enabled)


def get_inter_op_parallelism_threads() -> int:
    return choices.inter_op_threads


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Remember the number: a function is one piece of code, so nothing runs beside it."""
    choices.inter_op_threads = num_threads


def get_intra_op_parallelism_threads() -> int:
    """The number that was set; 0 stands for one thread per usable core."""
    return choices.intra_op_threads


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads loops and products may use; 0 stands for one per usable core."""
    choices.intra_op_threads = num_threads
    settings.threads = num_threads or usable_cores()


def get_jit() -> str:
    return choices.jit


def set_jit(enabled: bool | str) -> None:
    """Remember the wish: every function is compiled, whatever it says."""
    choices.jit = enabled if isinstance(enabled, str) else "autoclustering" if enabled else ""


def get_experimental_options() -> dict[str, bool]:
    return dict(choices.optimizer)


def set_experimental_options(options: dict[str, bool]) -> None:
    choices.optimizer.update(options)


def enable_op_determinism() -> None:
    """Remember the wish: results are always the same, bit by bit."""
    choices.op_determinism = True


def disable_op_determinism() -> None:
    choices.op_determinism = False


def is_op_determinism_enabled() -> bool:
    return choices.op_determinism


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    return False


def is_built_with_cuda() -> bool:
    return False


def is_built_with_gpu_support() -> bool:
    return False


def is_built_with_rocm() -> bool:
    return False


def is_built_with_xla() -> bool:
    return False


def gpu_device_name() -> str:
    return ""
