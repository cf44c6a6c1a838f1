"""Calls of functions on a device that a tensor names: here one of this process."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..core.device_specs import canonical_device
from ..core.dtypes import as_dtype
from ..core.specs import TensorSpec, ValueSpec
from ..eager.placement import WORKER, exists
from ..errors import InternalError, InvalidArgumentError
from ..ops.control.functional import Functional, check_operands, returned_specs
from ..ops.demands import refuse
from ..ops.lowering import NotStatic
from ..ops.op import Attr, In, Out
from ..ops.underivable import no_derivative


class RemoteCall(Functional):
    """The results of a function that runs on the device `target`."""

    target = In("str ...")
    args = In("[Tin]")
    output = Out("[Tout]")
    Tout = Attr()
    f = Attr()
    operand_field = "args"
    graph_attrs = ("f",)
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        given, taken = self.args, [one.spec for one in self.f.parameters]
        if len(given) != len(taken):
            refuse(InvalidArgumentError, OTHER_COUNT, self.name, len(taken), len(given))
        for place, (one, wanted) in enumerate(zip(given, taken, strict=True)):
            if isinstance(wanted, TensorSpec) and sizes.dtype(one) is not wanted.dtype:
                names = wanted.dtype.name, sizes.dtype(one).name
                refuse(InvalidArgumentError, OTHER_OPERAND, self.name, place, *names)
        told, wanted = [one.spec.dtype for one in self.f.returns], [*map(as_dtype, self.Tout)]
        if told != wanted:
            names = [[one.name for one in dtypes] for dtypes in (told, wanted)]
            refuse(InvalidArgumentError, OTHER_RESULTS, self.name, *names)

    def infer(self) -> tuple[ValueSpec, ...]:
        check_operands(self.f, self.args, self.name)
        return returned_specs(self.f)

    def eager(self, np: Any) -> tuple[Any, ...]:
        require_local(self.name, self.target.ravel().tolist())
        return tuple(self.f.run(self.args))

    def lower(self, loops: Any) -> tuple[Any, ...]:
        known = self.target.constant
        with suppress(ValueError, IndexError):
            if known is not None and is_local(known.ravel().tolist()[0]):
                return loops.call(self.f, self.args)
        raise NotStatic("whether its device is there is known when it runs")


OTHER_COUNT = "{}: Expects {} arguments, but {} is provided"
OTHER_OPERAND = "{}: Expects arg[{}] to be {} but {} is provided"
OTHER_RESULTS = "{}: Type mismatch: actual {} vs. expect {}"


def require_local(name: str, targets: list[bytes]) -> None:
    """Raises:
    InvalidArgumentError: the first target is no device's name, or there is none.
    InternalError: it is one that this process has not.
    """
    if not targets:
        raise InvalidArgumentError(f"{name}: target must be the name of a device, and is empty")
    text = targets[0].decode(errors="replace")
    try:
        known = is_local(targets[0])
    except ValueError:
        raise InvalidArgumentError(
            f"{name}: Could not parse {text} into a device specification."
        ) from None
    if not known:
        raise InternalError(
            f"{name}: Currently don't support instantiating functions on device: {text}; take one "
            "of this process, such as '/device:CPU:0'"
        )


def is_local(target: bytes) -> bool:
    """Whether this process has the device.

    Raises:
        ValueError: it is no device's name.
    """
    canonical = canonical_device(target.decode(errors="replace"))
    place, _, _ = canonical.partition("/device:")
    return {*place.split("/")} <= {*WORKER.split("/")} and exists(canonical)
