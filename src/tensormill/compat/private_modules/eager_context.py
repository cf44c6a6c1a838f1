"""`tensorflow.python.eager.context`: the process's state, as far as clients ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.context import building_graph
from ...core.device_specs import DeviceSpec
from ...core.random_state import state
from ...eager.devices import choices, list_logical_devices
from ...graph.proto.session_messages import ConfigProto


class EagerContext:
    """Nothing runs behind a program's back here, so there is little to ask for."""

    def executing_eagerly(self) -> bool:
        return not building_graph()

    @property
    def device_spec(self) -> DeviceSpec:
        """The device that was asked for: there is one, so nobody needs to."""
        return DeviceSpec()

    def clear_kernel_cache(self) -> None:
        """Nothing: eager operations keep nothing between calls."""

    def ensure_initialized(self) -> None:
        """Nothing: there is no device to prepare."""


def context() -> EagerContext:
    return EagerContext()


def global_seed() -> int | None:
    """What `tf.random.set_seed` was given last."""
    return state.seed


def in_eager_mode() -> bool:
    """Whether operations run at once."""
    return not building_graph()


def async_wait() -> None:
    """Nothing: an operation has ended when its call returns."""


def ensure_initialized() -> None:
    """Nothing: there is no device to prepare."""


def get_config() -> Any:
    """What sessions are told: nothing but what is so by default."""
    return ConfigProto()


def reset_context() -> None:
    """Let the CPU be divided anew: tests begin with it."""
    choices.logical_cpus, choices.has_listed_devices = None, False


def get_device_name() -> None:
    """The device that was asked for: there is one, so nobody needs to."""


def list_physical_devices() -> list[bytes]:
    """The devices of this machine: the CPU."""
    return [b"/physical_device:CPU:0"]


def list_no_devices() -> list[bytes]:
    """The devices that plugins brought: none."""
    return []


@dataclass(frozen=True)
class DeviceAttributes:
    """What is told of a device; no bytes are set aside for one."""

    name: str
    device_type: str
    memory_limit: int = 0
    incarnation: int = 1
    physical_device_desc: str = ""
    xla_global_id: int = -1


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """The devices that operations may be put on: the CPU."""
    return [DeviceAttributes("/device:CPU:0", "CPU")]


def num_gpus() -> int:
    """How many GPUs there are."""
    return len(list_logical_devices("GPU"))
