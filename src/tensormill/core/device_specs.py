"""`tf.DeviceSpec`: the name of a device, taken apart."""

from __future__ import annotations

import re
from typing import Any, Final

KINDS: Final = ("CPU", "GPU", "TPU", "XLA_CPU", "XLA_GPU")


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
            "device_type": None if device_type is None else str(device_type).upper(),
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
        """The kind of device, in capitals."""
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


ABSOLUTE: Final = re.compile(
    r"^(/?job:(?P<job>\w+))?(/?replica:(?P<replica>\d+|\*))?(/?task:(?P<task>\d+|\*))?"
    r"(/?(device:)?(?P<kind>CPU|GPU|TPU|XLA_CPU|XLA_GPU)(:(?P<index>\d+|\*))?)?$",
    re.IGNORECASE,
)


def canonical_device(name: str) -> str:
    """'/CPU:0' as '/device:CPU:0', job, replica and task before it where they are given.

    Raises:
        ValueError: it is no device's name.
    """
    match = ABSOLUTE.match(name)
    if match is None:
        part = name.lstrip("/").split("/")[0]
        raise ValueError(
            f"Unknown attribute '{part}' is encountered while parsing the device spec: '{name}'"
        )
    parts = [f"/{key}:{match[key]}" for key in ("job", "replica", "task") if match[key]]
    if match["kind"]:
        parts.append(f"/device:{match['kind'].upper()}:{match['index'] or 0}")
    return "".join(parts)


def merged_device(outside: str, inside: str) -> str:
    """Both canonical names in one; where both say something, `inside` counts."""
    parts = {key: one for name in (outside, inside) for key, one in _device_parts(name)}
    return "".join([parts[key] for key in ("job", "replica", "task", "device") if key in parts])


def _device_parts(name: str) -> list[tuple[str, str]]:
    return [(part.partition(":")[0], f"/{part}") for part in name.split("/") if part]


def _read(spec: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, spec.split("/")):
        key, *rest = part.split(":")
        if key in ("job", "replica", "task") and len(rest) == 1:
            found[key] = rest[0] if rest[0] != "*" else None
            continue
        kind = rest if key == "device" else [key, *rest]
        if not 1 <= len(kind) <= 2 or kind[0].upper() not in KINDS:
            raise ValueError(
                f"Unknown attribute '{key}' is encountered while parsing the device spec: '{spec}'."
            )
        if "device_type" in found:
            raise ValueError(
                f"Multiple device types are not allowed while parsing the device spec: {spec}."
            )
        found["device_type"] = kind[0]
        found["device_index"] = kind[1] if len(kind) == 2 and kind[1] != "*" else None
    return found
