"""What operations ask of the device that runs them: here a processor."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError
from ..bind import bind
from ..conversion import as_tensor
from ..effects import World
from ..families import Rephrased
from ..op import ANY, Attr, In, Op, Out

HERE: Final = "CPU"
NOT_PINNED: Final = "{}: only memory for GPUs is pinned"


class DeviceIndex(Rephrased):
    """Which of `device_names` is the kind of the device; their number where none is."""

    index = Out("i32")
    device_names = Attr()
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)

    def expand(self) -> Any:
        names = [one.decode() if isinstance(one, bytes) else one for one in self.device_names]
        return as_tensor(names.index(HERE) if HERE in names else len(names), dtypes.int32)


class CheckPinned(Op):
    """The tensor, where its memory is pinned for GPUs: it never is."""

    tensor = In("T *s")
    output = Out("T *s")
    T = ANY
    effects = (World.CHECKS,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.require_late(False, FailedPreconditionError, NOT_PINNED, self.name)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.tensor.shape, self.tensor.dtype)

    def eager(self, np: Any) -> Any:
        return self.tensor

    def lower(self, loops: Any) -> Any:
        return self.tensor


def check_pinned(tensor: Any, name: str | None = None) -> Any:
    """`tensor`, of any dtype and shape, where its memory is pinned for GPUs.

    There are none here, so that it is an error whenever it runs.

    >>> tf.check_pinned([1.0])
    Traceback (most recent call last):
    tensormill.errors.FailedPreconditionError: CheckPinned: only memory for GPUs is pinned

    Raises:
        FailedPreconditionError: always.
    """
    return bind(CheckPinned, as_tensor(tensor), name=name)
