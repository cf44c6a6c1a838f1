"""Where eager tensors are: on one of the logical devices that the CPU is divided into, or another.

All of the CPU are the same memory and the same threads; those of JAX's have memory of their own,
where what programs of XLA give stays until somebody looks at it. What a block of `tf.device`
changes is what tensors and variables that are made in it say of themselves, and what cannot be
satisfied:

    with tf.device("CPU:1"):      an interpreter `EagerOn` stands in place of the usual one, which
        y = x + 1                 computes as that does, and writes "...CPU:1" on what comes out

Tensors of the first device have nothing written on them, and no block around them costs anything.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, Token
from functools import cache, lru_cache
from typing import Any, Final, final

from ..core import context
from ..core.device_specs import DeviceSpec, canonical_device, merged_device
from ..core.process.logs import logger
from ..core.process.with_blocks import Block, setting
from ..errors import InvalidArgumentError
from ..ops.dispatch.placements import with_devices
from ..ops.op import Op
from .arrays import Array
from .devices import choices, count_of, has_accelerators, logical_devices
from .execute import Eager
from .tensor import CPUS, DEVICE, PROCESS, EagerTensor, another, is_here, put_on, wrap

# Elements of a tensor that operations may take for sizes, axes or indices.
MOST_SIZES: Final = 32
WORKER: Final = PROCESS.removesuffix("/device:")
_FIRST: Final = DeviceSpec.from_string(DEVICE)


def device(device_name: Any) -> AbstractContextManager[Any]:
    """Operations made within are meant for a device.

    What the name leaves open is that of the blocks outside; None forgets them. Results and
    variables tell where they are, also which of the logical devices that the CPU is divided into
    (`tf.config.set_logical_device_configuration`): all of these are the same processor. In a trace
    the name is written on the operations. With XLA as the back end functions run there. Whoever
    asks for a device that is not there is told so once, and gets the usual one.

    >>> with tf.device("/CPU:0"):
    ...     x = tf.constant([1, 2])
    >>> x.device[-5:]
    'CPU:0'

    Raises:
        ValueError: it is no device's name.
        RuntimeError: it is a function.
        InvalidArgumentError: it is a device of another process, or there is none such and
            `tf.config.set_soft_device_placement` was told that no other may be taken; the first
            operation within says so, or who calls the function that has it.
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    if isinstance(device_name, DeviceSpec):
        device_name = device_name.to_string()
    if not isinstance(device_name, str | None):
        raise ValueError(
            f"Expecting a string device name. Got {type(device_name)}, of {device_name!r}"
        )
    canonical = "" if device_name is None else canonical_device(device_name)
    interpreter: Any = context.top().interpreter
    if not interpreter.building_graph:
        return within(None if device_name is None else canonical)
    if canonical or device_name is None:
        return interpreter.device(canonical)
    return nullcontext()


@final
class EagerOn(Eager):
    """Eager execution on a device other than the first one.

    device: its full name.
    """

    def __init__(self, device: str) -> None:
        self.on_device = self.named = self._device = device
        self._is_cpu: Final = device.startswith(CPUS)
        if not self._is_cpu:
            with_devices()

    def apply(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        """The results, which say that they are here; what is an operand, too, stays what it is."""
        results = super().apply(op, operands, attrs, name)
        if not self._is_cpu:  # what the CPU had to do comes there
            results = tuple([one if stays(one) else self._moved(one) for one in results])
        return put_on(self._device, [_renewed(one, operands) for one in results])

    def constant(self, array: Array, name: str | None = None) -> EagerTensor:
        """A tensor that says that it is here."""
        tensor = wrap(array, self._device)
        return tensor if self._is_cpu else self._moved(tensor)

    def _moved(self, tensor: EagerTensor) -> EagerTensor:
        """The tensor on the device: what may be sizes comes there when it is something else, as
        programs are made with their values.
        """
        return tensor if may_be_size(tensor._array) else with_devices().moved(tensor, self._device)


@final
class EagerNowhere(Eager):
    """Eager execution on a device that is not there, where nothing may be done on another one.

    device: its full name. What calls Python does so in this process.
    """

    def __init__(self, device: str) -> None:
        self.named: Final = device

    @property
    def on_device(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Nobody may be here.

        Raises:
            InvalidArgumentError: always.
        """
        raise unsatisfied(self.named)

    def apply(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        if op.is_of_process and is_elsewhere(self.named):
            here = interpreter_on(in_this_process(self.named))
            return here.apply(op, operands, attrs, name)
        raise unsatisfied(self.named)

    def constant(self, array: Array, name: str | None = None) -> EagerTensor:
        raise unsatisfied(self.named)


# What a block names that changes nothing of where operations are done.
of_usual: Final[ContextVar[str]] = ContextVar("name_of_usual_device", default="")
# What a session was told, whatever `tf.config` says.
of_session: Final[ContextVar[bool | None]] = ContextVar("placement_of_session", default=None)


def is_soft() -> bool:
    """Whether another device may be taken for one that is not there."""
    found = of_session.get()
    return choices.soft_placement if found is None else found


def may_be_size(array: Array) -> bool:
    """Whether operations may take an array for sizes, axes or indices."""
    return array.dtype.kind in "iub" and array.ndim <= 2 and array.size <= MOST_SIZES


def stays(result: Any) -> bool:
    """Whether a result is on a device, or nothing that could be."""
    return type(result) is not EagerTensor or not is_here(result)


def _renewed(result: Any, operands: tuple[Any, ...]) -> Any:
    is_taken = type(result) is EagerTensor and any(result is one for one in operands)
    return another(result) if is_taken else result


def unsatisfied(device: str, said: str = "") -> InvalidArgumentError:
    """That a device is not there, which operations are meant for.

    said: which operations.
    """
    found = logical_devices()
    available = ", ".join(f"{WORKER}{one.name}" for one in found)
    kinds = ", ".join(dict.fromkeys(one.device_type for one in found))
    return InvalidArgumentError(
        f"{said}Could not satisfy device specification '{device}'. enable_soft_placement="
        f"{int(is_soft())}. Supported device types [{kinds}]. All available devices "
        f"[{available}]."
    )


@lru_cache(4096)
def _read(canonical: str) -> DeviceSpec:
    return DeviceSpec.from_string(canonical)


def is_elsewhere(canonical: str) -> bool:
    """Whether a canonical name is that of another process, or of none that there could be: soft
    placement does not take another device then.
    """
    if not canonical:
        return False
    spec = _read(canonical)
    job = "localhost" if spec.job in (None, "*") else spec.job
    if (job, spec.task or 0) not in choices.tasks or spec.replica:
        return True
    return spec.device_index is not None and spec.device_index < 0


def exists(canonical: str) -> bool:
    """Whether a canonical name leaves the device open, or names one that is there."""
    if is_elsewhere(canonical):
        return False
    _, mark, device = canonical.partition("/device:")
    kind, _, number = device.partition(":")
    if not mark:
        return True
    count = count_of(kind)
    return count > 0 if number == "*" else number in map(str, range(count))


def full_name(canonical: str) -> str:
    """The device that a canonical name means: the first one where it leaves that open, and of this
    process by the name that its devices have.
    """
    if is_elsewhere(canonical):
        return _FIRST.make_merged_spec(_read(canonical)).to_string().replace("*", "0")
    _, mark, device = canonical.partition("/device:")
    return WORKER + mark + device.replace("*", "0") if mark else DEVICE


def in_this_process(canonical: str) -> str:
    """The device that a canonical name says, of this process whatever job or task it names."""
    _, mark, device = canonical.partition("/device:")
    return mark + device


def device_named(device: str) -> str | None:
    """The full name of the device that an operation of a graph names, if it is there."""
    return full_name(device) if "/device:" in device and exists(device) else None


def within(canonical: str | None) -> AbstractContextManager[Any]:
    """A block whose eager operations are done on a device, what it leaves open being that of the
    blocks around; None for the device that is usual.
    """
    here = context.top()
    if canonical == "":
        return nullcontext()
    outside = getattr(here.interpreter, "named", "")
    merged = merged_device(outside, canonical) if canonical else ""
    interpreter = interpreter_on(merged)
    if interpreter is here.interpreter:
        return setting(of_usual, merged)
    names = here.recorders, here.name_scope, here.control_inputs, here.observers
    return OnDevice(context.Context(interpreter, *names), merged)


class OnDevice(Block):
    """A block in which another interpreter gives operations their meaning; once."""

    def __init__(self, inside: context.Context, named: str) -> None:
        self._inside: Final = inside
        self._named: Final = named

    def __enter__(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        contexts: list[Token[context.Context | None]] = []
        names: list[Token[str]] = []
        self.undo_by(map(of_usual.reset, names), map(context.current.reset, contexts))
        contexts.extend(map(context.current.set, (self._inside,)))
        names.extend(map(of_usual.set, (self._named,)))


def interpreter_on(canonical: str) -> Any:
    """What gives eager operations their meaning that are meant for a device."""
    if "/device:" not in canonical and not is_elsewhere(canonical):
        return context.outermost.interpreter  # where each operation is done, its operands say
    name = full_name(canonical)
    if not exists(canonical):
        if is_elsewhere(canonical) or not is_soft():
            return EagerNowhere(name)
        warn_of_absent(canonical)
        return context.outermost.interpreter
    if name == DEVICE and not has_accelerators():
        return context.outermost.interpreter
    choices.has_listed_devices = True
    return _on(name)


def is_there(named: str) -> bool:
    """Whether what an operation of a graph names is there, or left open."""
    try:
        return exists(canonical_device(named))
    except ValueError:  # a file's, which nobody has read
        return False


def require(named: str, operation: str) -> None:
    """Refuse a device that is not there and that an operation of a graph names, where no other may
    be taken: else it is said once.

    Raises:
        InvalidArgumentError: nothing may be done there.
    """
    try:
        canonical = canonical_device(named)
    except ValueError:
        raise InvalidArgumentError(
            f"Failed to parse explicit device specification {named} of '{operation}'"
        ) from None
    if is_elsewhere(canonical) or not is_soft():
        said = f"Cannot assign a device for operation {operation}: "
        raise unsatisfied(full_name(canonical), said)
    warn_of_absent(canonical)


@cache
def warn_of_absent(canonical: str) -> None:
    """Say once for each device that operations meant for it run on the CPU."""
    logger.warning("there is no device %s: operations meant for it run on the CPU", canonical)


_on: Final = cache(EagerOn)
