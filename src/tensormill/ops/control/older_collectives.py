"""Exchanges in the forms that TensorFlow had first, and in that which knows a communicator."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.shapes import TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InternalError, InvalidArgumentError, UnimplementedError
from ..demands import refuse
from ..effects import World
from ..op import Attr, In, Op, Out, ints, types
from ..underivable import no_derivative
from .collectives import Collective, others_of

NUMBERS: Final = types("bf16 f16 f32 f64 i32 i64")
SENT: Final = types("bool f16 f32 f64 i32 i64")
COMMUNICATOR: Final = ObjectSpec("communicator")


class OfOneGroup(Collective, abstract=True):
    """The group is said while the graph is made."""

    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if self.group_size <= 0:
            message = "{}: group_size must be positive integer but got {}"
            sizes.require_late(False, InvalidArgumentError, message, self.name, self.group_size)


class CollectiveReduce(OfOneGroup):
    """As CollectiveReduceV2, of a group that attributes say."""

    input = In("T *s")
    data = Out("T *s")
    group_size = Attr(int)
    group_key = Attr(int)
    instance_key = Attr(int)
    merge_op = Attr(allowed="Add Mul Min Max")
    final_op = Attr(allowed="Id Div")
    subdiv_offsets = Attr(ints)
    wait_for = Attr((), of=ints)
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = NUMBERS

    def eager(self, np: Any) -> Any:
        return self.reduced(np, self.merge_op, self.final_op)


class CollectiveGather(OfOneGroup):
    """As CollectiveGatherV2, of a group that attributes say. `shape` is that of the result."""

    input = In("T n *s")
    data = Out("T m *s")
    group_size = Attr(int)
    group_key = Attr(int)
    instance_key = Attr(int)
    shape = Attr()
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = types("f16 f32 f64 i32 i64")

    def infer(self) -> TensorSpec:
        rest = self.input.shape.entries
        return TensorSpec(None if rest is None else (None, *rest[1:]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.gathered(np)


class CollectiveBcastSend(OfOneGroup):
    """As CollectiveBcastSendV2, of a group that attributes say. `shape` is that of the operand."""

    input = In("T *s")
    data = Out("T *s")
    group_size = Attr(int)
    group_key = Attr(int)
    instance_key = Attr(int)
    shape = Attr()
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = SENT

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        declared = _declared(self, sizes)
        shape = sizes.shape(self.input, len(declared))
        sizes.compatible(shape, declared, InternalError, OTHER_SHAPE, self.name)

    def eager(self, np: Any) -> Any:
        return self.sent(np)


class CollectiveBcastRecv(OfOneGroup):
    """As CollectiveBcastRecvV2, of a group that attributes say."""

    data = Out("T ...")
    T = Attr(allowed=SENT)
    group_size = Attr(int)
    group_key = Attr(int)
    instance_key = Attr(int)
    shape = Attr()
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        _declared(self, sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape, as_dtype(self.T))

    def eager(self, np: Any) -> Any:
        return self.received(np, self.shape.as_tuple())


OTHER_SHAPE = "{0}: Declared shape {2} does not match shape {1} of input"


def _declared(op: Any, sizes: Any) -> tuple[int | None, ...]:
    found = TensorShape(op.shape)
    if not found.is_fully_defined():
        message = "{}: Shape {} is not fully defined"
        sizes.require_late(False, InvalidArgumentError, message, op.name, found)
    return found.entries or ()


class CollectiveAssignGroupV2(Op):
    """The number of devices in the group of one, and its key: groups are rows of their numbers."""

    group_assignment = In("i32 ...")
    device_index = In("i32")
    base_key = In("i32")
    group_size = Out("i32")
    group_key = Out("i32")
    differentiable = False

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        return TensorSpec((), dtypes.int32), TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> tuple[Any, Any]:
        groups, device = self.group_assignment, int(self.device_index)
        if groups.ndim != 2:
            raise InvalidArgumentError(
                f"{self.name}: group_assignment must be a 2-d Tensor, but received tensor of "
                f"shape: {list(groups.shape)}"
            )
        (places,) = (groups.ravel() == device).nonzero()
        seen = groups.ravel()[: places[0] if places.size else None]  # TensorFlow looks no further
        if not ((seen >= 0) & (seen < groups.size)).all():
            raise InvalidArgumentError(
                f"{self.name}: Not all items in group_assignment {groups.tolist()} are within "
                f"[0, {groups.size}), the number of devices"
            )
        if not places.size:
            raise InvalidArgumentError(
                f"{self.name}: device_index {device} is not found in group_assignment "
                f"{groups.tolist()}"
            )
        key = np.asarray(self.base_key + places[0] // groups.shape[1], np.int32)
        return np.asarray(groups.shape[1], np.int32), key


class Communicator:
    """A group of processes that exchange tensors."""

    spec: Final = COMMUNICATOR

    def __init__(self, group_size: int) -> None:
        self.group_size: Final = group_size


class CollectiveInitializeCommunicator(Op):
    """A group that operations exchange tensors in."""

    group_key = In("i32")
    rank = In("i32")
    group_size = In("i32")
    communicator = Out("resource")
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    effects = (World.MEETS,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (size,), (rank,) = sizes.numbers(self.group_size), sizes.numbers(self.rank)
        for holds, message in (
            (rank >= 0, "{0}: rank must be non-negative integer but got {1}"),
            (size > 0, "{0}: group_size must be positive integer but got {2}"),
            (rank < size, "{0}: rank must be less than group size but got {1} >= {2}"),
        ):
            sizes.require_late(holds, InvalidArgumentError, message, self.name, rank, size)

    def infer(self) -> ObjectSpec:
        return COMMUNICATOR

    def eager(self, np: Any) -> Communicator:
        size = int(self.group_size)
        others_of(self.name, size)
        return Communicator(size)


class OfCommunicator(Collective, abstract=True):
    """The group is a communicator's; that of all of its processes alone."""

    communicator: Any
    group_assignment: Any
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if getattr(self.communicator, "spec", None) != COMMUNICATOR:
            refuse(InvalidArgumentError, f"{self.name} needs the handle of a communicator")
        count = sizes.count(sizes.shape(self.group_assignment))
        sizes.require_late(sizes.equal(count, 0), UnimplementedError, NO_GROUPS, self.name)

    @property
    def group_size(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.communicator.group_size


NO_GROUPS = "{}: Group assignments are not supported yet: give a matrix without elements"


class CollectiveReduceV3(OfCommunicator):
    """What all processes of a communicator have, combined."""

    input = In("T *s")
    communicator = In("resource")
    group_assignment = In("i32 ...")
    data = Out("T *s")
    reduction = Attr(allowed="Add Mul Min Max")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = NUMBERS

    def eager(self, np: Any) -> Any:
        return self.reduced(np, self.reduction, "Id")


class CollectiveAllToAllV3(OfCommunicator):
    """Of each process its part, in the order of the processes: each has a row for each of them."""

    input = In("T n *s")
    communicator = In("resource")
    group_assignment = In("i32 ...")
    data = Out("T n *s")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = NUMBERS

    def eager(self, np: Any) -> Any:
        return self.exchanged(np)


class CollectiveAllToAllV2(Collective):
    """The same of a group that operands say."""

    input = In("T n *s")
    group_size = In("i32")
    group_key = In("i32")
    instance_key = In("i32")
    ordering_token = In("Nordering_token * resource")
    data = Out("T n *s")
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    is_stateless = Attr(False)
    T: ClassVar[Any] = NUMBERS
    vjp = no_derivative

    def eager(self, np: Any) -> Any:
        return self.exchanged(np)
