"""Operations at which all processes of a program meet, to exchange tensors."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...core.dtypes import as_dtype
from ...core.process.peers import Peers, peers
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError, InternalError, InvalidArgumentError
from ..array.shapes import shape_of
from ..bind import bind
from ..effects import World
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types

ALONE: Final = (
    "{}: group_size is {}, and this process runs alone: make a "
    "tf.distribute.MultiWorkerMirroredStrategy first"
)
# TensorFlow tells exchanges apart by these. Here all processes meet them in one order, and compare
# what they are about to do.
KEY: Final = 0


class Collective(Op, abstract=True):
    """Abstract: all processes wait here for each other.

    group_size: how many they are: all of the program, or 1, this one alone. timeout_seconds: how
    long to wait; 0: as long as the strategy says.
    """

    effects = (World.MEETS,)
    unlocked = True
    group_size: Any
    input: Any
    timeout_seconds: Any
    T: Any

    def demands(self, sizes: Any) -> None:
        """There is somebody."""
        sizes.each(
            self.group_size, lambda size: size > 0, InvalidArgumentError,
            f"{self.name}: group_size is {{it}}, not a positive number",
        )  # fmt: skip

    def others(self) -> Peers | None:
        """Whom to exchange tensors with: None where it is of this process alone."""
        return others_of(self.name, int(self.group_size))

    def reduced(self, np: Any, merge: str, final: str) -> Any:
        """One array of the operands of all."""
        others = self.others()
        if others is None:
            return np.array(self.input)
        return others.reduce(self.input, merge, final, self.timeout_seconds)

    def gathered(self, np: Any) -> Any:
        """The operands of all, joined along the first axis."""
        others = self.others()
        return np.array(self.input) if others is None else others.gather(
            self.input, self.timeout_seconds
        )  # fmt: skip

    def sent(self, np: Any) -> Any:
        """The operand of the first process, which this one is."""
        others = self.others()
        if others is None:
            return np.array(self.input)
        if others.rank:
            raise InvalidArgumentError(
                f"{self.name}: this is process {others.rank}; process 0 sends to all others"
            )
        return others.broadcast(self.input, self.timeout_seconds)

    def received(self, np: Any, shape: Any) -> Any:
        """The operand of the first process, which this one is not."""
        others = self.others()
        if others is None:
            raise InternalError(
                f"{self.name}: found no source for broadcast: a group of one has nobody who sends"
            )
        blank = np.zeros(shape, as_dtype(self.T).as_numpy_dtype)
        return others.broadcast(blank, self.timeout_seconds)

    def exchanged(self, np: Any) -> Any:
        """Of each process the row that is for this one."""
        others, rows, size = self.others(), len(self.input), int(self.group_size)
        if rows != size:
            raise InvalidArgumentError(
                f"{self.name}: input to all-to-all first dimension size ({rows}) must be the same "
                f"as the group size ({size})"
            )
        if others is None:
            return np.array(self.input)
        every = others.gather(self.input, self.timeout_seconds)
        return np.array(every[others.rank :: size])


def others_of(name: str, size: int) -> Peers | None:
    """Whom an operation exchanges tensors with, in a group of so many: None where it is alone.

    Raises:
        FailedPreconditionError: this process is alone, and shall not be.
        InvalidArgumentError: there are not as many.
    """
    if size == 1:
        return None
    found = peers()
    if found is None:
        raise FailedPreconditionError(ALONE.format(name, size))
    if found.size != size:
        raise InvalidArgumentError(
            f"{name}: group_size is {size}, and {found.size} processes run this program: "
            "all of them exchange tensors, or one"
        )
    return found


class CollectiveReduceV2(Collective):
    """The sum ("Add"), product ("Mul"), least ("Min") or largest ("Max") of what processes have.

    final_op: "Div" divides it by their number.
    """

    input = In("T *s")
    group_size = In("i32")
    group_key = In("i32")
    instance_key = In("i32")
    ordering_token = In("Nordering_token * resource")
    data = Out("T *s")
    merge_op = Attr(allowed="Add Mul Min Max")
    final_op = Attr(allowed="Id Div")
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    is_stateless = Attr(False)
    max_subdivs_per_device = Attr(-1)
    T: ClassVar[Any] = types("bf16 f16 f32 f64 i32 i64")

    def eager(self, np: Any) -> Any:
        return self.reduced(np, self.merge_op, self.final_op)

    def vjp(self, ddata: Any) -> Any:
        if self.merge_op != "Add":
            raise LookupError(f"{self.name}: sums have gradients, not merge_op={self.merge_op!r}")
        seconds = self.timeout_seconds
        summed = all_reduced(ddata, self.group_size, "Add", self.final_op, seconds)
        return summed, None, None, None, [None] * len(self.ordering_token)


class CollectiveGatherV2(Collective):
    """What processes have, joined along the first axis, of which each may have another size."""

    input = In("T n *s")
    group_size = In("i32")
    group_key = In("i32")
    instance_key = In("i32")
    ordering_token = In("Nordering_token * resource")
    data = Out("T m *s")
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    is_stateless = Attr(False)
    T: ClassVar[Any] = types("f16 f32 f64 i32 i64")

    def infer(self) -> TensorSpec:
        shape = self.input.spec.shape
        rest = None if shape.entries is None else (None, *shape.entries[1:])
        return TensorSpec(rest, self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.gathered(np)

    def vjp(self, ddata: Any) -> Any:
        seconds = self.timeout_seconds
        summed = all_reduced(ddata, self.group_size, "Add", "Id", seconds)
        rows = shape_of(self.input)[:1]
        found = peers()
        rank = 0 if found is None else found.rank
        before = reduce_sum(all_gathered(rows, self.group_size, seconds)[:rank])
        own = summed[before : before + rows[0]]
        return own, None, None, None, [None] * len(self.ordering_token)


class CollectiveBcastSendV2(Collective):
    """What the first process has, which gets it itself. The others receive it at the same time."""

    input = In("T *s")
    group_size = In("i32")
    group_key = In("i32")
    instance_key = In("i32")
    data = Out("T *s")
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    T: ClassVar[Any] = types("bool f16 f32 f64 i32 i64")
    differentiable = False

    def eager(self, np: Any) -> Any:
        return self.sent(np)


class CollectiveBcastRecvV2(Collective):
    """What the first process sends meanwhile: a tensor of this shape and dtype."""

    group_size = In("i32")
    group_key = In("i32")
    instance_key = In("i32")
    shape = In("Tshape n")
    data = Out("T ...")
    T = Attr(allowed=types("bool f16 f32 f64 i32 i64"))
    communication_hint = Attr("auto")
    timeout_seconds = Attr(0.0)
    Tshape: ClassVar[Any] = types("i32 i64")
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        super().demands(sizes)
        shape = sizes.numbers(self.shape)
        sizes.possible(shape)
        return shape

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.T)

    def eager(self, np: Any) -> Any:
        return self.received(np, self.found)


def all_reduced(
    tensor: Any, size: Any, merge: str = "Add", final: str = "Id", seconds: float = 0.0
) -> Any:
    """One tensor of what all `size` processes have."""
    return bind(
        CollectiveReduceV2, tensor, size, KEY, KEY, (),
        merge_op=merge, final_op=final, timeout_seconds=seconds,
    )  # fmt: skip


def all_gathered(tensor: Any, size: Any, seconds: float = 0.0) -> Any:
    """What all `size` processes have, joined along the first axis."""
    return bind(CollectiveGatherV2, tensor, size, KEY, KEY, (), timeout_seconds=seconds)


def from_first(tensor: Any, size: Any, rank: int, seconds: float = 0.0) -> Any:
    """What the first process has, which all others have in its shape and dtype.

    Of other dtypes than numbers and bools each process keeps its own.
    """
    if tensor.dtype not in CollectiveBcastSendV2.T:
        return tensor
    if not rank:
        return bind(CollectiveBcastSendV2, tensor, size, KEY, KEY, timeout_seconds=seconds)
    return bind(
        CollectiveBcastRecvV2, size, KEY, KEY, shape_of(tensor),
        T=tensor.dtype, timeout_seconds=seconds,
    )  # fmt: skip
