"""`tf.DeviceSpec`: the name of a device, taken apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

# Those that need no `device:` before them.
KINDS: Final = ("CPU", "GPU", "TPU", "CUSTOM")
# Which, written so, stand for those in capitals, wherever they are said.
IN_SMALL_LETTERS: Final = {"cpu": "CPU", "gpu": "GPU"}


class DeviceSpec:
    """Job, replica, task, kind and number of a device; None where a name leaves it open.

    >>> tf.DeviceSpec(job="worker", device_type="GPU", device_index=1).to_string()
    '/job:worker/device:GPU:1'
    """

    __slots__ = ("_facts",)

    def __init__(
        self, job: str | None = None, replica: int | None = None, task: int | None = None,
        device_type: str | None = None, device_index: int | None = None,
    ) -> None:  # fmt: skip
        self._facts: Final[dict[str, Any]] = {
            "job": None if job is None else str(job),
            "replica": None if replica is None else int(replica),
            "task": None if task is None else int(task),
            "device_type": None if device_type is None else _kind(str(device_type)),
            "device_index": None if device_index is None else int(device_index),
        }

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """What a name says.

        Raises:
            ValueError: it says something else, or names two kinds of devices.
        """
        return cls(**_read(spec))

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """What another name says."""
        return self.from_string(spec)

    @property
    def job(self) -> Any:
        """The name of the job."""
        return self._facts["job"]

    @property
    def replica(self) -> Any:
        """The number of the replica."""
        return self._facts["replica"]

    @property
    def task(self) -> Any:
        """The number of the task."""
        return self._facts["task"]

    @property
    def device_type(self) -> Any:
        """The kind of device."""
        return self._facts["device_type"]

    @property
    def device_index(self) -> Any:
        """The number among its kind."""
        return self._facts["device_index"]

    def to_string(self) -> str:
        """The name: '/job:worker/device:GPU:1'."""
        parts = [(key, self._facts[key]) for key in ("job", "replica", "task")]
        name = "".join([f"/{key}:{value}" for key, value in parts if value is not None])
        if self.device_type is None:
            return name
        number = "*" if self.device_index is None else self.device_index
        return f"{name}/device:{self.device_type}:{number}"

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """What both say; where both say something, `dev` counts."""
        return self.replace(**{k: v for k, v in dev._facts.items() if v is not None})

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """The same with other facts."""
        return DeviceSpec(**{**self._facts, **kwargs})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(tuple(self._facts.values()))

    def __repr__(self) -> str:
        facts = ", ".join([f"{key}={value}" for key, value in self._facts.items()])
        return f"<DeviceSpec({facts})>"


class DeviceSpecV1(DeviceSpec):
    """A DeviceSpec whose parts may be changed, as TensorFlow 1 had it.

    >>> spec = tf.compat.v1.DeviceSpec(job="worker")
    >>> spec.task = 3
    >>> spec.merge_from(tf.compat.v1.DeviceSpec(job="ps", replica=1))
    >>> spec.to_string()
    '/job:ps/replica:1/task:3'
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        elif name in self._facts:
            self._facts[name] = DeviceSpec(**{name: value})._facts[name]
        else:
            raise AttributeError(f"a DeviceSpec has no {name!r}")

    def __hash__(self) -> int:
        return super().__hash__()

    def parse_from_string(self, spec: str) -> DeviceSpecV1:
        """Take the parts that a string has, and no others."""
        self._facts.update(DeviceSpec.from_string(spec)._facts)
        return self

    def merge_from(self, dev: DeviceSpec) -> None:
        """Take the parts that `dev` has."""
        self._facts.update({key: one for key, one in dev._facts.items() if one is not None})

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpecV1:
        """A spec of what a string says."""
        return cls(**DeviceSpec.from_string(spec)._facts)


@lru_cache(4096)
def canonical_device(name: str) -> str:
    """'/CPU:0' as '/device:CPU:0', job, replica and task before it where they are given.

    Raises:
        ValueError: it is no device's name.
    """
    return DeviceSpec.from_string(name).to_string()


def merged_device(outside: str, inside: str) -> str:
    """Both canonical names in one; where both say something, `inside` counts."""
    parts = {key: one for name in (outside, inside) for key, one in _device_parts(name)}
    return "".join([parts[key] for key in ("job", "replica", "task", "device") if key in parts])


def _device_parts(name: str) -> list[tuple[str, str]]:
    return [(part.partition(":")[0], f"/{part}") for part in name.split("/") if part]


def _kind(name: str) -> str:
    return IN_SMALL_LETTERS.get(name, name)


def _read(spec: str) -> dict[str, Any]:
    """The facts that a name says: of those that it says twice, the last one."""
    found: dict[str, Any] = {}
    for part in filter(None, spec.split("/")):
        key, *rest = part.split(":")
        if key in READ and len(rest) == 1:
            found[key] = READ[key](rest[0])
            continue
        if key.upper() in KINDS and len(rest) < 2:
            kind, number = key.upper(), rest[0] if rest else "*"
        elif key == "device" and len(rest) == 2:
            kind, number = rest
        else:
            raise ValueError(
                f"Unknown attribute '{key}' is encountered while parsing the device spec: '{spec}'."
            )
        if "device_type" in found:
            raise ValueError(
                f"Multiple device types are not allowed while parsing the device spec: {spec}."
            )
        found["device_type"] = kind
        found["device_index"] = None if number == "*" else int(number)
    return found


# What gives a fact of what a name says of it.
READ: Final[dict[str, Callable[[str], Any]]] = {"job": str, "replica": int, "task": int}
