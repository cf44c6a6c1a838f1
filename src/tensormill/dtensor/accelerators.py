"""Which devices and which processes take part: here, the logical CPUs of one process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from ..core.device_specs import DeviceSpec
from ..eager.devices import (
    LogicalDeviceConfiguration,
    list_logical_devices,
    list_physical_devices,
    set_logical_device_configuration,
)
from ..errors import UnimplementedError


class System:
    """Whether somebody has prepared it."""

    def __init__(self) -> None:
        self.is_ready = False


system: Final = System()


def initialize_accelerator_system(
    device_type: str | None = None, enable_coordination_service: bool = True,
    num_logical_cpu_devices: int | None = None, experimental_reset_context: bool = False,
    experimental_enable_megcore: bool = False,
) -> str:  # fmt: skip
    """Prepare the devices of this process; the result is their kind, "CPU".

    num_logical_cpu_devices: into how many logical devices the CPU is divided first. The other
    options change nothing.

    >>> tf.experimental.dtensor.initialize_accelerator_system("CPU")
    'CPU'
    >>> tf.experimental.dtensor.shutdown_accelerator_system()

    Raises:
        ValueError: it has been prepared, or there are no such devices.
        RuntimeError: the CPU cannot be divided any more.
    """
    if system.is_ready:
        raise ValueError(
            "Accelerator system has already been initialized. "
            "Call tf.experimental.dtensor.shutdown_accelerator_system() first."
        )
    kind = (device_type or preferred_device_type()).upper()
    if kind not in ("CPU", "GPU", "TPU"):
        raise ValueError(f"Unknown device_type {device_type}: wanted is CPU, GPU or TPU")
    if kind != "CPU":
        raise ValueError(f"there is no {kind} here; meshes are of logical CPUs")
    if num_logical_cpu_devices is not None:
        (cpu,) = list_physical_devices("CPU")
        parts = [LogicalDeviceConfiguration()] * num_logical_cpu_devices
        set_logical_device_configuration(cpu, parts)
    if int(os.environ.get("DTENSOR_NUM_CLIENTS", "1")) > 1:
        raise UnimplementedError("several clients of one mesh are not supported: run one process")
    system.is_ready = True
    return kind


def shutdown_accelerator_system() -> None:
    """Take back what `initialize_accelerator_system` did.

    >>> _ = tf.experimental.dtensor.initialize_accelerator_system("CPU")
    >>> tf.experimental.dtensor.shutdown_accelerator_system()

    Raises:
        ValueError: it has not been called.
    """
    if not system.is_ready:
        raise ValueError(
            "Accelerator system is not initialized. Call "
            "tf.experimental.dtensor.initialize_accelerator_system first."
        )
    system.is_ready = False


def initialize_multi_client(
    device_type: str | None = None, enable_coordination_service: bool = True,
    num_logical_cpu_devices: int | None = None, experimental_reset_context: bool = False,
    experimental_enable_megcore: bool = False,
) -> str:  # fmt: skip
    """An older name of `initialize_accelerator_system`.

    >>> tf.experimental.dtensor.initialize_multi_client("CPU")
    'CPU'
    >>> tf.experimental.dtensor.shutdown_accelerator_system()

    Raises:
        ValueError: it has been prepared, or there are no such devices.
    """
    return initialize_accelerator_system(
        device_type, enable_coordination_service, num_logical_cpu_devices
    )


def initialize_tpu_system(
    device_type: str | None = None, enable_coordination_service: bool = True,
    num_logical_cpu_devices: int | None = None, experimental_reset_context: bool = False,
    experimental_enable_megcore: bool = False,
) -> str:  # fmt: skip
    """An older name of `initialize_accelerator_system`; there are no TPUs here.

    >>> tf.experimental.dtensor.initialize_tpu_system("CPU")
    'CPU'
    >>> tf.experimental.dtensor.shutdown_tpu_system()

    Raises:
        ValueError: it has been prepared, or there are no such devices.
    """
    return initialize_accelerator_system(
        device_type, enable_coordination_service, num_logical_cpu_devices
    )


def shutdown_tpu_system() -> None:
    """An older name of `shutdown_accelerator_system`.

    >>> _ = tf.experimental.dtensor.initialize_accelerator_system("CPU")
    >>> tf.experimental.dtensor.shutdown_tpu_system()

    Raises:
        ValueError: nothing has been prepared.
    """
    shutdown_accelerator_system()


def create_tpu_mesh(
    mesh_dim_names: Sequence[str], mesh_shape: Sequence[int], mesh_name: str,
    ring_dims: int | None = None, ring_axes: Sequence[str] | None = None,
    ring_bounds: Sequence[int] | None = None, can_split_host_across_rings: bool = True,
    build_ring_across_rings: bool = False, rotate_ring_across_rings: bool = False,
    use_xla_spmd: bool = False,
) -> Any:  # fmt: skip
    """Refused: there are no TPUs here, and `create_mesh` makes meshes of CPUs.

    >>> tf.experimental.dtensor.create_mesh([("x", 1)]).device_type()
    'CPU'

    Raises:
        ValueError: always.
    """
    raise ValueError("Invalid TPU topology: there are no TPUs here; use create_mesh")


def preferred_device_type() -> str:
    """The kind of device that there is.

    >>> tf.experimental.dtensor.preferred_device_type()
    'CPU'
    """
    return "CPU"


def local_devices(device_type: str, for_client_id: int | None = None) -> list[DeviceSpec]:
    """The logical devices of this kind that a client has, this one or that of a number.

    >>> [one.to_string() for one in tf.experimental.dtensor.local_devices("GPU")]
    []

    Raises:
        ValueError: there is no such kind.
    """
    if device_type.upper() not in ("CPU", "GPU", "TPU"):
        raise ValueError(f"Device type {device_type} is not CPU, GPU or TPU.")
    task = client_id() if for_client_id is None else for_client_id
    names = [one.name for one in list_logical_devices(device_type.upper())]
    whole = DeviceSpec(job=job_name(), replica=0, task=task)
    return [whole.make_merged_spec(DeviceSpec.from_string(name)) for name in names]


def num_local_devices(device_type: str) -> int:
    """How many logical devices of this kind this process has.

    >>> tf.experimental.dtensor.num_local_devices("GPU")
    0

    Raises:
        AttributeError: it is no name.
    """
    return len(list_logical_devices(device_type.upper()))


def num_global_devices(device_type: str) -> int:
    """How many logical devices of this kind all processes have: one process has them all.

    >>> tf.experimental.dtensor.num_global_devices("GPU")
    0

    Raises:
        AttributeError: it is no name.
    """
    return num_local_devices(device_type) * num_clients()


def client_id() -> int:
    """The number of this process, DTENSOR_CLIENT_ID.

    >>> tf.experimental.dtensor.client_id()
    0

    Raises:
        ValueError: it is no number, or not below that of the processes.
    """
    number = int(os.environ.get("DTENSOR_CLIENT_ID", "0"))
    if not 0 <= number < num_clients():
        raise ValueError(f"DTENSOR_CLIENT_ID={number} is not in [0, {num_clients()})")
    return number


def num_clients() -> int:
    """How many processes there are, DTENSOR_NUM_CLIENTS.

    >>> tf.experimental.dtensor.num_clients()
    1

    Raises:
        ValueError: DTENSOR_NUM_CLIENTS is no number.
    """
    return int(os.environ.get("DTENSOR_NUM_CLIENTS", "1"))


def job_name() -> str:
    """The name of the job of this process, DTENSOR_JOB_NAME.

    >>> tf.experimental.dtensor.job_name()
    'localhost'
    """
    return os.environ.get("DTENSOR_JOB_NAME", "localhost" if num_clients() == 1 else "worker")


def full_job_name(task_id: int | None = None) -> str:
    """The job and the task of a process, this one or that of a number.

    >>> tf.experimental.dtensor.full_job_name()
    'localhost/replica:0/task:0'

    Raises:
        ValueError: there is one process, whose number is 0.
    """
    task = client_id() if task_id is None else task_id
    if num_clients() == 1 and task != 0:
        raise ValueError(f"task {task}: there is one process, whose number is 0")
    return f"{job_name()}/replica:0/task:{task}"


def jobs() -> list[str]:
    """The addresses of all processes, DTENSOR_JOBS.

    >>> tf.experimental.dtensor.jobs()
    []
    """
    found = os.environ.get("DTENSOR_JOBS")
    return found.split(",") if found else []


def heartbeat_enabled() -> bool:
    """Whether processes tell each other that they live, DTENSOR_ENABLE_HEARTBEAT.

    >>> tf.experimental.dtensor.heartbeat_enabled()
    True
    """
    return os.environ.get("DTENSOR_ENABLE_HEARTBEAT", "true").lower() in ("true", "1")
