"""What scripts may choose of the devices: kept, so that it can be read back; and what is told."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from typing import Any, Final

from ..core import context
from ..core.process.with_blocks import block
from ..errors import NotFoundError, UnimplementedError
from .devices import choices, count_of, visible
from .tensor import DEVICE

EXECUTORS: Final = ("DEFAULT", "SINGLE_THREADED_EXECUTOR")
POLICIES: Final = ("silent", "silent_for_int32", "explicit", "warn")


class PlacementLog:
    """Tells of each operation which device it is for, as it runs or is traced."""

    def applied(self, application: context.Applied) -> None:
        op = application.op.name
        if not context.building_graph():
            print(f"Executing op {op} in device {_here()}", file=sys.stderr)
            return
        for node in {id(output.op): output.op for output in application.outputs}.values():
            print(f"{node.name}: ({op}): {node.device or DEVICE}", file=sys.stderr)

    def called(self, function: Any, start: int, end: int) -> None:
        name = function.name.decode()
        print(f"Executing function {name} in device {_here()}", file=sys.stderr)


def _here() -> str:
    return context.top().interpreter.on_device or DEVICE


_log: Final = PlacementLog()


def set_log_device_placement(enabled: bool) -> None:
    """Tell on stderr, or stop telling, which device each operation of this thread is for.

    Functions are told of while they are traced. There is one device, the CPU.

    >>> tf.debugging.set_log_device_placement(True)
    >>> x = tf.square(2.0)  # Executing op Square in device /job:localhost/...device:CPU:0
    >>> tf.debugging.set_log_device_placement(False)
    """
    (context.observe if enabled else context.stop_observing)(_log)


def get_log_device_placement() -> bool:
    """Whether operations tell which device they are for.

    >>> tf.debugging.get_log_device_placement()
    False
    """
    return _log in context.top().observers


@block
def async_scope() -> Generator[None]:
    """Operations within may be done later than they return: here they never are.

    >>> with tf.experimental.async_scope():
    ...     x = tf.constant(1) + 1
    """
    yield


def enable_strict_mode() -> None:
    """Refuse what is deprecated: here everything that is, is refused or works.

    >>> tf.experimental.enable_strict_mode()
    """


def async_clear_error() -> None:
    """Forget the errors of operations that were done later than they returned: there are none.

    >>> tf.experimental.async_clear_error()
    """


@block
def function_executor_type(executor_type: str | None) -> Generator[None]:
    """Functions within may be run in another way: here there is one.

    executor_type: "", "DEFAULT" or "SINGLE_THREADED_EXECUTOR"; None for the first.

    >>> with tf.experimental.function_executor_type("SINGLE_THREADED_EXECUTOR"):
    ...     x = tf.function(lambda: tf.constant(1))()

    Raises:
        NotFoundError: there is no such kind.
    """
    if executor_type and executor_type not in EXECUTORS:
        raise NotFoundError(
            f"No executor factory registered for the given executor type: {executor_type}; "
            f"there are {', '.join(EXECUTORS)}"
        )
    yield


def get_synchronous_execution() -> bool:
    """What `set_synchronous_execution` was told; True at first.

    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    return choices.synchronous


def set_synchronous_execution(enable: bool | None) -> None:
    """Remember the wish: operations are done when they return, whatever it says.

    >>> tf.config.experimental.set_synchronous_execution(False)
    >>> tf.config.experimental.get_synchronous_execution()
    False
    """
    choices.synchronous = True if enable is None else bool(enable)


def get_device_policy() -> str:
    """What `set_device_policy` was told; "silent" at first.

    >>> tf.config.experimental.get_device_policy()
    'silent'
    """
    return choices.device_policy


def set_device_policy(device_policy: str | None) -> None:
    """Remember what should happen with operands on other devices: there are none.

    device_policy: "silent", "silent_for_int32", "warn" or "explicit"; None stands for "silent".

    >>> tf.config.experimental.set_device_policy("explicit")
    >>> tf.config.experimental.get_device_policy()
    'explicit'

    Raises:
        ValueError: it is none of these.
    """
    if device_policy not in (None, *POLICIES):
        raise ValueError(
            f"Invalid argument `device_policy`: {device_policy!r}; use one of {POLICIES}"
        )
    choices.device_policy = device_policy or "silent"


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Let GPUs multiply float32 as TensorFloat-32, with 10 bits, or not; they do not at first.

    It counts for functions that are called for the first time after it, with XLA as the back end.
    A CPU multiplies float32 in float32, whatever it says.

    >>> tf.config.experimental.enable_tensor_float_32_execution(False)
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    False
    """
    choices.tensor_float_32 = bool(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` was told; True at first, as in TensorFlow, although
    nothing is multiplied so before somebody asks for it.

    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return choices.tensor_float_32 is not False


def enable_mlir_bridge() -> None:
    """Accept the wish: there is no such bridge to be crossed.

    >>> tf.config.experimental.enable_mlir_bridge()
    """


def disable_mlir_bridge() -> None:
    """Accept the wish: there is no such bridge to be crossed.

    >>> tf.config.experimental.disable_mlir_bridge()
    """


def get_memory_info(device: str) -> dict[str, int]:
    """The bytes that tensors take on a device, now and at most: nobody counts those of the CPU.

    >>> tf.config.experimental.get_memory_info("CPU:0")
    Traceback (most recent call last):
    ValueError: Allocator stats not available for device 'CPU:0'

    Raises:
        ValueError: there is no such device, or it is the CPU.
    """
    stats = _counted(device)
    return {"current": stats["bytes_in_use"], "peak": stats["peak_bytes_in_use"]}


def get_memory_usage(device: str) -> int:
    """The bytes that tensors take on a device: nobody counts those of the CPU.

    >>> tf.config.experimental.get_memory_usage("CPU:0")
    Traceback (most recent call last):
    ValueError: Allocator stats not available for device 'CPU:0'

    Raises:
        ValueError: there is no such device, or it is the CPU.
    """
    return _counted(device)["bytes_in_use"]


def reset_memory_stats(device: str) -> None:
    """Would forget how many bytes there were at most on a device: nobody counts those of the CPU,
    and JAX does not forget.

    >>> tf.config.experimental.reset_memory_stats("CPU:0")
    Traceback (most recent call last):
    ValueError: Allocator stats not available for device 'CPU:0'

    Raises:
        ValueError: there is no such device, or it is the CPU.
        UnimplementedError: it is another.
    """
    _counted(device)
    raise UnimplementedError(
        f"reset_memory_stats({device!r}): JAX counts the most bytes of a process; look at "
        "get_memory_info(device)['current'] instead"
    )


def _counted(device: str) -> dict[str, int]:
    """What JAX counts of a device's memory; a device without is refused."""
    kind, number = device_named(device)
    found = visible(kind)
    stats = found[number].memory_stats() if found else None
    if not stats:
        raise ValueError(f"Allocator stats not available for device '{device}'")
    return stats


def device_named(device: str) -> tuple[str, int]:
    """The kind and the number in the name of a device that is there, as 'CPU:0' is."""
    named = re.search(r"(?:^|[/:])(\w+):(\d+)$", device)
    if named is None:
        raise ValueError(
            f"Failed parsing device name: {device!r}; a name has a kind and a number: 'CPU:0'"
        )
    kind, number = named[1].upper(), int(named[2])
    if number >= count_of(kind):
        raise ValueError(f"No matching devices found for {device!r}; there is 'CPU:0'")
    return kind, number
