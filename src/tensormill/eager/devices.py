"""`tf.config`: the devices, and the switches of the library under TensorFlow's names.

There is the CPU, and what JAX has besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Final

from ..config import settings, usable_cores
from ..core.process.accelerators import KINDS, accelerators
from ..core.process.named_tuples import NamedTuple
from ..ops.dispatch.placements import installed


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
        # None where nobody said it: float32 is float32 then.
        self.tensor_float_32: bool | None = None
        self.synchronous = True
        self.device_policy = "silent"
        # How the CPU is divided; None where nobody said it. A mesh may have many logical devices.
        self.logical_cpus: tuple[LogicalDeviceConfiguration, ...] | None = None
        self.has_listed_devices = False
        self.hidden: frozenset[PhysicalDevice] = frozenset()
        # What this process is called in names of devices: job and task.
        self.tasks: frozenset[tuple[str, int]] = frozenset((("localhost", 0),))


choices: Final = Choices()


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that the machine has: the CPU, and those of JAX's (`tensormill[cuda]`).

    device_type: only those of this type ("CPU").

    >>> tf.config.list_physical_devices("GPU")
    []
    >>> tf.config.experimental.list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    found = [CPU] if device_type in (None, CPU.device_type) else []
    for kind in KINDS if device_type is None else (device_type,):
        found += [_physical(kind, number) for number in range(len(accelerators.of(kind)))]
    return found


def _physical(kind: str, number: int) -> PhysicalDevice:
    return PhysicalDevice(f"/physical_device:{kind}:{number}", kind)


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that operations run on: the CPU, or those that it is divided into, and others.

    device_type: only those of this type ("CPU"). After this call the CPU is not divided any more.

    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    choices.has_listed_devices = True
    return logical_devices(device_type)


def logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The same, after which the CPU may be divided all the same."""
    kinds = (CPU.device_type, *KINDS) if device_type is None else (device_type,)
    counts = {kind: count_of(kind) for kind in kinds}
    return [
        LogicalDevice(f"/device:{kind}:{number}", kind)
        for kind, count in counts.items()
        for number in range(count)
    ]


def count_of(kind: str) -> int:
    """How many logical devices of a kind there are."""
    if kind == CPU.device_type:
        return len(choices.logical_cpus or (None,))
    return len(visible(kind))


def visible(kind: str) -> tuple[Any, ...]:
    """JAX's devices of a kind, but those that `set_visible_devices` has left out."""
    found = accelerators.of(kind)
    if not choices.hidden:
        return found
    return tuple(
        [one for number, one in enumerate(found) if _physical(kind, number) not in choices.hidden]
    )


def device_of_array(array: Any) -> str:
    """The logical device on which an array of JAX's is: 'CPU:0'; of several, the first one."""
    device = getattr(array, "device", None)
    for kind in KINDS:
        for number, one in enumerate(visible(kind)):
            if one is device:
                return f"{kind}:{number}"
    number = getattr(device, "id", 0)
    return f"CPU:{number if number < count_of(CPU.device_type) else 0}"


def usual_device() -> str:
    """Where functions run, and variables are, while nobody names a device: 'CPU:0'."""
    return next((f"{kind}:0" for kind in KINDS if visible(kind)), "CPU:0")


def has_accelerators() -> bool:
    """Whether functions run on another device than the CPU, where nobody says on which."""
    return any(visible(kind) for kind in KINDS)


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that are used: those that were not hidden. device_type: only those of this
    type ("CPU").

    >>> tf.config.get_visible_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return [one for one in list_physical_devices(device_type) if one not in choices.hidden]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Choose the devices that are used: operations run on the CPU even where it was left out.

    Functions run on the first GPU or TPU that is left, as programs of XLA; where none is, on the
    CPU, as machine code. `TENSORMILL_BACKEND` says otherwise.

    devices: one, or a list. device_type: the only type that is chosen among; None: all of them.

    >>> tf.config.set_visible_devices([], "GPU")
    >>> len(tf.config.get_visible_devices())
    1

    Raises:
        ValueError: there is no such device, or it is of another type.
        RuntimeError: the logical devices have been listed, and it would be other devices.
    """
    wanted = list(devices) if isinstance(devices, (list, tuple)) else [devices]
    chosen = list_physical_devices(device_type)
    for device in wanted:
        require_device(device)
        if device not in chosen:
            raise ValueError(
                f"Unrecognized device: {device!r} is no {device_type}, as was asked for"
            )
    hidden = choices.hidden.difference(chosen) | frozenset(chosen).difference(wanted)
    if hidden != choices.hidden and choices.has_listed_devices:
        raise RuntimeError("Visible devices cannot be modified after being initialized")
    if hidden != choices.hidden:
        choices.hidden = hidden
        installed.ask_again()


def require_device(device: Any) -> None:
    """Refuse what is no physical device.

    Raises:
        ValueError: it is none.
    """
    found = list_physical_devices()
    if device not in found:
        only = f"the only one is {CPU}" if len(found) == 1 else f"there are {found}"
        raise ValueError(f"Unrecognized device: {device!r}; {only}")


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """How a device is divided, as it was set; None where nobody did.

    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> print(tf.config.get_logical_device_configuration(cpu))
    None

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    if device != CPU or choices.logical_cpus is None:
        return None
    return list(choices.logical_cpus)


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
        RuntimeError: the logical devices have been listed, or are part of a mesh; or it is no CPU,
            and JAX, which has it as a whole, was asked for it.
    """
    require_device(device)
    if device != CPU:
        raise RuntimeError(
            "Virtual devices cannot be modified after being initialized: JAX has counted its "
            f"devices, and has each {device.device_type} as a whole"
        )
    wanted = tuple(logical_devices)
    if any(one.memory_limit is not None for one in wanted):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if any(one.experimental_priority is not None for one in wanted):
        raise ValueError("Setting experimental_priority on CPU virtual devices is not supported")
    if wanted == (choices.logical_cpus or wanted[:1]):
        choices.logical_cpus = choices.logical_cpus or (wanted if wanted[1:] else None)
        return
    if choices.has_listed_devices:
        raise RuntimeError("Virtual devices cannot be modified after being initialized")
    choices.logical_cpus = wanted


def get_device_details(device: Any) -> dict[str, Any]:
    """What more is known of a device: of a GPU its name, and what it can do; nothing for the CPU.

    >>> tf.config.experimental.get_device_details(tf.config.list_physical_devices("CPU")[0])
    {}

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    if device == CPU:
        return {}
    found = accelerators.of(device.device_type)[int(device.name.rpartition(":")[2])]
    details: dict[str, Any] = {"device_name": found.device_kind}
    if version := getattr(found, "compute_capability", None):
        details["compute_capability"] = tuple(map(int, str(version).split(".")))
    return details


def get_memory_growth(device: Any) -> bool:
    """Whether memory is taken as it is needed: it always is.

    >>> tf.config.experimental.get_memory_growth(tf.config.list_physical_devices("CPU")[0])
    True

    Raises:
        ValueError: there is no such device.
    """
    require_device(device)
    return True


def set_memory_growth(device: Any, enable: bool) -> None:
    """Accept the wish: memory always grows.

    Programs call this for each GPU.

    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)

    Raises:
        ValueError: for the CPU, as in TensorFlow; or there is no such device.
    """
    require_device(device)
    if device == CPU:
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
    """Whether there is a GPU to run on.

    >>> tf.test.is_gpu_available()
    False
    """
    return bool(count_of("GPU"))


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
    """The name of the first GPU; "" where there is none.

    >>> tf.test.gpu_device_name()
    ''
    """
    return next((one.name for one in logical_devices("GPU")), "")
