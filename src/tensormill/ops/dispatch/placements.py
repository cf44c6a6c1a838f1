"""What operations on tensors mean that are on devices, or laid out over several: at first, nothing.

`dtensor` puts its meaning here when it is imported; eager execution and calls of functions look.
Back ends that have other devices than the CPU put theirs when they first give something there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Protocol

from .divisions import Divisions


class Placements(Protocol):
    """The meaning of operations on tensors with layouts."""

    def concern(self, operands: Sequence[Any]) -> bool:
        """Whether an operand, or one in a list of them, has a layout."""
        ...

    def concern_call(self, graph: Any, operands: Sequence[Any]) -> bool:
        """Whether an operand of a call has a layout, or the graph gives one to tensors."""
        ...

    def applied(
        self, eager: Any, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any],
        name: str | None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """The outputs of an operation that runs at once."""
        ...

    def called(
        self, graph: Any, operands: Sequence[Any], run: Callable[[Sequence[Any], Divisions], Any]
    ) -> tuple[Any, ...]:
        """The outputs of a graph, which `run` gives for tensors without layouts, and for how these
        were divided.
        """
        ...


class OtherDevices(Protocol):
    """The meaning of eager operations on tensors that are in the memory of other devices."""

    def has(self, array: Any) -> bool:
        """Whether an array is there, and not in the CPU's memory."""
        ...

    def applied(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], device: str | None
    ) -> Any:
        """The outputs of an operation, which are there; NotImplemented where the CPU has to do it.

        device: the full name of the one that it is meant for; None: where its operands are.
        """
        ...

    def applied_usually(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], usual: str
    ) -> Any:
        """The same where nobody names a device, and `usual` is the one for all that is large."""
        ...

    def moved(self, tensor: Any, device: str) -> Any:
        """A copy of a tensor on a device, of this full name."""
        ...

    def brought(self, results: Sequence[Any], operands: Sequence[Any], device: str) -> Any:
        """Results of the CPU's, on the device that is usual."""
        ...

    def read(self, storage: Any) -> Any:
        """The value of a variable, as a tensor where that is at home."""
        ...

    def snapshot(self, storage: Any) -> Any:
        """The value of a variable that is there, as a tensor; None where it is not."""
        ...


class Installed:
    """The meanings that are in force, for the whole process.

    looks: whether there are any. usual: the full name of the GPU or TPU where operations are done
    and tensors are made while nobody names a device; None where that is the CPU. has_begun: whether
    it was found out; until then everything is looked at.
    """

    def __init__(self) -> None:
        self.looks = True
        self.has_begun = False
        self.usual: str | None = None
        self.placements: Placements | None = None
        self.devices: OtherDevices | None = None

    def begin(self, usual: str | None) -> None:
        """Let operations be done on a GPU or TPU, or on the CPU."""
        self.usual, self.has_begun = usual, True
        if usual is not None:
            with_devices()
        self.looks = self.placements is not None or self.devices is not None

    def ask_again(self) -> None:
        """Let it be found out once more where operations are done: other devices are visible."""
        self.usual, self.has_begun, self.looks = None, False, True

    def lay_out(self, placements: Placements) -> None:
        """Let operations on tensors with layouts have a meaning."""
        self.placements, self.looks = placements, True

    def reach(self, devices: OtherDevices) -> None:
        """Let eager operations on tensors of other devices have a meaning."""
        self.devices, self.looks = devices, True


installed = Installed()
_loads: list[Callable[[], OtherDevices]] = []


def provided_by(load: Callable[[], OtherDevices]) -> None:
    """Let `load` say what eager operations mean on other devices; the package does, which knows."""
    _loads[:] = [load]


def with_devices() -> OtherDevices:
    """The meaning of operations on other devices, which is in force from now on."""
    found = installed.devices
    if found is None:
        installed.reach(found := _loads[0]())
    return found


# Within operations made of others, and gradients, what has no layout is nobody's mistake.
inside: ContextVar[bool] = ContextVar("inside_operation", default=False)
