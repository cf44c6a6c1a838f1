"""`tf.config`: one device, the CPU, and the switches of the library under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Final

from ..config import settings, usable_cores
from ..core.process.named_tuples import NamedTuple


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


class Choices:
    """What scripts choose here and nothing else depends on: kept so that it can be read back."""

    def __init__(self) -> None:
        self.soft_placement = True
        self.inter_op_threads = 0
        self.intra_op_threads = 0
        self.jit = ""
        self.optimizer = {"disable_model_pruning": False, "disable_meta_optimizer": False}
        self.op_determinism = False
        self.tensor_float_32 = True
        self.synchronous = True
        self.device_policy = "silent"
        # How the CPU is divided; None where nobody said it. A mesh may have many logical devices.
        self.logical_cpus: tuple[LogicalDeviceConfiguration, ...] | None = None
        self.has_listed_devices = False
        self.has_hidden_cpu = False


choices: Final = Choices()


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that the machine has: the CPU. device_type: only those of this type ("CPU").

    >>> tf.config.list_physical_devices("GPU")
    []
    >>> tf.config.experimental.list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return [CPU] if device_type in (None, CPU.device_type) else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that operations run on: the CPU, or those that it is divided into.

    device_type: only those of this type ("CPU"). After this call the CPU is not divided any more.

    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    choices.has_listed_devices = True
    if device_type not in (None, CPU.device_type):
        return []
    count = len(choices.logical_cpus or (None,))
    return [LogicalDevice(f"/device:CPU:{index}", "CPU") for index in range(count)]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that are used: the CPU, unless it was hidden. device_type: only those of this
    type ("CPU").

    >>> tf.config.get_visible_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return [] if choices.has_hidden_cpu else list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Choose the devices that are used: operations run on the CPU even where it was left out.

    devices: one, or a list. device_type: the only type that is chosen among; None: all of them.

    >>> tf.config.set_visible_devices([], "GPU")
    >>> len(tf.config.get_visible_devices())
    1

    Raises:
        ValueError: there is no such device.
        RuntimeError: the logical devices have been listed, and it would be other devices.
    """
    wanted = [devices] if isinstance(devices, (str, PhysicalDevice)) else list(devices)
    for device in wanted:
        require_device(device)
    if device_type not in (None, CPU.device_type):
        return
    hides = CPU not in wanted
    if hides is not choices.has_hidden_cpu and choices.has_listed_devices:
        raise RuntimeError("Visible devices cannot be modified after being initialized")
    choices.has_hidden_cpu = hides


def require_device(device: Any) -> None:
    if device != CPU:
        raise ValueError(f"Unrecognized device: {device!r}; the only one is {CPU}")


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """How a device is divided, as it was set; None where nobody did.

    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> print(tf.config.get_logical_device_configuration(cpu))
    None

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    return None if choices.logical_cpus is None else list(choices.logical_cpus)


def set_logical_device_configuration(
    device: Any, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Divide the CPU into logical devices: places for `tf.device`, replicas, parts of meshes.

    All of them compute on the one CPU, whatever it is divided into.

    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> one = tf.config.LogicalDeviceConfiguration()
    >>> tf.config.set_logical_device_configuration(cpu, [one])

    Raises:
        ValueError: there is no such device, or a part of the CPU has a limit.
        RuntimeError: the logical devices have been listed, or are part of a mesh.
    """
    require_device(device)
    wanted = tuple(logical_devices)
    if wanted == (choices.logical_cpus or wanted[:1]):
        choices.logical_cpus = choices.logical_cpus or (wanted if wanted[1:] else None)
        return
    if choices.has_listed_devices:
        raise RuntimeError("Virtual devices cannot be modified after being initialized")
    if any(one.memory_limit is not None for one in wanted):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if any(one.experimental_priority is not None for one in wanted):
        raise ValueError("Setting experimental_priority on CPU virtual devices is not supported")
    choices.logical_cpus = wanted


def get_device_details(device: Any) -> dict[str, Any]:
    """What more is known of a device: nothing, for the CPU.

    >>> tf.config.experimental.get_device_details(tf.config.list_physical_devices("CPU")[0])
    {}

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    return {}


def get_memory_growth(device: Any) -> bool:
    """Whether memory is taken as it is needed: for the CPU, it always is.

    >>> tf.config.experimental.get_memory_growth(tf.config.list_physical_devices("CPU")[0])
    True

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    return True


def set_memory_growth(device: Any, enable: bool) -> None:
    """Memory of the CPU always grows.

    Programs call this for each GPU; there is none.

    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)

    Raises:
        ValueError: for the CPU, as in TensorFlow.
    """
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def get_soft_device_placement() -> bool:
    """What `set_soft_device_placement` was told; True at first.

    >>> tf.config.get_soft_device_placement()
    True
    """
    return choices.soft_placement


def set_soft_device_placement(enabled: bool) -> None:
    """Remember the wish: operations meant for another device run on the CPU, whatever it says.

    >>> tf.config.set_soft_device_placement(False)
    >>> tf.config.get_soft_device_placement()
    False
    >>> tf.config.set_soft_device_placement(True)
    """
    choices.soft_placement = bool(enabled)


def get_inter_op_parallelism_threads() -> int:
    """The number that was set; 0 at first.

    >>> tf.config.threading.set_inter_op_parallelism_threads(2)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    2
    """
    return choices.inter_op_threads


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Remember the number: a function is one piece of code, so nothing runs beside it.

    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0

    Raises:
        TypeError: it is no integer.
    """
    choices.inter_op_threads = index(num_threads or 0)


def get_intra_op_parallelism_threads() -> int:
    """The number that was set; 0 stands for one thread per usable core.

    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return choices.intra_op_threads


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads loops and products may use; 0 stands for one per usable core.

    Set it before the first function is called: threads that run are not stopped.

    >>> tf.config.threading.set_intra_op_parallelism_threads(1)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    1

    Raises:
        TypeError: it is no integer.
    """
    choices.intra_op_threads = index(num_threads or 0)
    settings.threads = num_threads or usable_cores()


def get_jit() -> str:
    """What `set_jit` was told: "" for no, "autoclustering" for True.

    >>> tf.config.optimizer.set_jit(True)
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    """
    return choices.jit


def set_jit(enabled: bool | str) -> None:
    """Remember the wish: every function is compiled, whatever it says.

    >>> tf.config.optimizer.set_jit(False)
    >>> tf.config.optimizer.get_jit()
    ''
    """
    choices.jit = enabled if isinstance(enabled, str) else "autoclustering" if enabled else ""


def get_experimental_options() -> dict[str, bool]:
    """The options of the optimizer, by name.

    >>> tf.config.optimizer.get_experimental_options()["disable_meta_optimizer"]
    False
    """
    return dict(choices.optimizer)


def set_experimental_options(options: dict[str, bool]) -> None:
    """Remember options of the optimizer, which does what it does whatever they say.

    options: by name; what is None is forgotten.

    >>> tf.config.optimizer.set_experimental_options({"constant_folding": True})
    >>> tf.config.optimizer.get_experimental_options()["constant_folding"]
    True

    Raises:
        TypeError: it is no dict.
    """
    choices.optimizer.update(options)
    for name in [name for name, value in choices.optimizer.items() if value is None]:
        del choices.optimizer[name]


def enable_op_determinism() -> None:
    """Remember the wish: results are always the same, bit by bit.

    >>> tf.config.experimental.enable_op_determinism()
    """
    choices.op_determinism = True


def disable_op_determinism() -> None:
    choices.op_determinism = False


def is_op_determinism_enabled() -> bool:
    return choices.op_determinism


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether there is a GPU to run on: there is none.

    >>> tf.test.is_gpu_available()
    False
    """
    return False


def is_built_with_cuda() -> bool:
    """Whether the library can use CUDA: it cannot.

    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


def is_built_with_gpu_support() -> bool:
    """Whether the library can use GPUs: it cannot.

    >>> tf.test.is_built_with_gpu_support()
    False
    """
    return False


def is_built_with_rocm() -> bool:
    """Whether the library can use ROCm: it cannot.

    >>> tf.test.is_built_with_rocm()
    False
    """
    return False


def is_built_with_xla() -> bool:
    """Whether XLA is in the library: it is not, it compiles by itself.

    >>> tf.test.is_built_with_xla()
    False
    """
    return False


def gpu_device_name() -> str:
    """The name of a GPU; "", as there is none.

    >>> tf.test.gpu_device_name()
    ''
    """
    return ""
