"""What was computed from watched tensors, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core import dtypes
from ..core.process.named_tuples import NamedTuple
from ..core.specs import ObjectSpec
from ..ops.op import Op, RecordedOperation
from ..ops.state.variables import ReadVariableOp


class RecordedCall:
    """A computation that is differentiated as a whole, by `backward`.

    `backward` takes one gradient for each output (None: none came) and gives one for each operand.
    Only the first `reach` outputs can have one without computing anything again. `of_users`: who
    says what the gradient is may make something even of zeros. `saves`: going back uses more of it
    than sizes, as a `Tie` wants to know.
    """

    __slots__ = ("backward", "of_users", "operands", "outputs", "reach", "saves")
    differentiable: ClassVar[bool] = True
    takes_resources: ClassVar[bool] = True  # of variables that it uses

    def __init__(
        self,
        operands: Sequence[Any],
        outputs: Sequence[Any],
        backward: Callable[[Sequence[Any]], Sequence[Any]],
        reach: int | None = None,
        of_users: bool = True,
        saves: bool = False,
    ) -> None:
        self.operands = tuple(operands)
        self.outputs = tuple(outputs)
        self.backward = backward
        self.reach = len(self.outputs) if reach is None else reach
        self.of_users = of_users
        self.saves = saves

    @property
    def application(self) -> Any:
        return self

    def operand_list(self) -> tuple[Any, ...]:
        return self.operands

    def output_list(self) -> tuple[Any, ...]:
        return self.outputs


@dataclass
class Stack:
    """A list that a forward graph is handed and hands back: loops push on it what they must
    remember for the way back.
    """

    before: Any
    after: Any


class Tie(NamedTuple):
    """Says only: the gradients of these operands are zeros, not None, where those of the outputs
    go back no other way.
    """

    operands: tuple[Any, ...]
    outputs: tuple[Any, ...]


# What was applied, as a recording keeps it: `application`, and flat operands and outputs.
Entry = RecordedOperation | RecordedCall


class Recording:
    """A recorder (core/context.py) that keeps what depends on watched tensors.

    `watched` maps the ids of tensors to the tensors, which it keeps alive. With
    `watch_variables`, reading a trainable variable is enough to watch it.
    """

    __slots__ = (
        "active", "entries", "handles", "new_stack", "orders", "watch_variables", "watched",
    )  # fmt: skip

    def __init__(
        self,
        watch_variables: bool = False,
        new_stack: Callable[[Any], Stack] | None = None,
        orders: int = 1,
    ) -> None:
        self.active = True
        self.orders = orders  # of derivatives that this recording alone may be asked for
        # Where a loop may keep what its gradient needs, if not in a list of its own: a function of
        # a ListSpec (graphs/forward_and_backward.py).
        self.new_stack = new_stack
        self.watch_variables = watch_variables
        self.forget()

    def forget(self) -> None:
        """Begin again. Nothing is called in here, where a signal could come between."""
        self.entries: list[Entry | Tie] = []
        self.watched: dict[int, Any] = {}
        self.handles: dict[int, Any] = {}  # those of `watched` that are variables

    def free(self) -> None:
        """Forget all but which variables were watched."""
        self.entries = []
        self.watched = {}

    def watch(self, tensor: Any) -> None:
        self.watched[id(tensor)] = tensor
        if tensor.dtype is dtypes.resource:
            self.handles[id(tensor)] = tensor

    def record(self, application: Any) -> None:
        """Keep `application` where it depends on something watched."""
        if not self.active:
            return
        watched = self.watched
        operands = application.operands
        if self.watch_variables and application.takes_resources:
            self._watch_trainable(operands)
        for operand in operands:
            if id(operand) in watched:
                break
        else:
            return
        if not application.differentiable:
            return
        outputs = application.outputs
        for output in outputs:
            if id(output) in watched:
                return  # its expansion was recorded, operation by operation
        for output in outputs:
            if output.dtype.is_differentiable:
                watched[id(output)] = output
        self.entries.append(application)

    def take(
        self, op: type[Op], operands: tuple[Any, ...], attrs: Mapping[str, Any], output: Any
    ) -> None:
        """`record`, of an operation on tensors that gives one: nothing is made where it is not
        kept.
        """
        if not self.active:
            return
        watched = self.watched
        for operand in operands:
            if id(operand) in watched:
                break
        else:
            return
        if op.differentiable and id(output) not in watched:
            if output.dtype.is_differentiable:
                watched[id(output)] = output
            self.entries.append(RecordedOperation(op, operands, attrs, (output,)))

    def take_read(self, variable: Any, output: Any) -> None:
        """`record`, of a variable that was read."""
        if not self.active:
            return
        handle, watched = variable.handle, self.watched
        if id(handle) not in watched:
            if not self.watch_variables or not is_trainable_handle(handle):
                return
            self.watch(handle)
        if id(output) not in watched:
            if output.dtype.is_differentiable:
                watched[id(output)] = output
            attrs = {"dtype": variable.dtype}
            self.entries.append(RecordedOperation(ReadVariableOp, (handle,), attrs, (output,)))

    def tie(self, operands: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Let `outputs` depend on `operands`, by zeros at least."""
        if self.depends(operands):
            self.entries.append(Tie(tuple(operands), tuple(outputs)))
            self.watched.update((id(one), one) for one in outputs)

    def note(self, operands: Sequence[Any]) -> None:
        """Something that takes `operands` is about to happen."""

    def enters(self, computation: Any, wanted: Sequence[int]) -> None:
        """A computation is about to be recorded for its operands numbered in `wanted`."""

    def depends(self, operands: Sequence[Any]) -> bool:
        """Whether a computation on `operands` would be kept."""
        if not self.active:
            return False
        if any(id(operand) in self.watched for operand in operands):
            return True
        return self.watch_variables and any(is_trainable_handle(one) for one in operands)

    def _watch_trainable(self, operands: Sequence[Any]) -> None:
        for operand in operands:
            if operand.dtype is dtypes.resource and id(operand) not in self.watched:
                if is_trainable_handle(operand):
                    self.watch(operand)

    def between(self, sources: Sequence[Any]) -> list[Entry | Tie]:
        """The entries whose outputs depend on `sources`."""
        reached = {id(source) for source in sources}
        kept: list[Entry | Tie] = []
        for entry in self.entries:
            for operand in entry.operands:
                if id(operand) in reached:
                    break
            else:
                continue
            kept.append(entry)
            for output in entry.outputs:
                if output.dtype.is_differentiable:
                    reached.add(id(output))
        return kept


def is_trainable_handle(tensor: Any) -> bool:
    """Whether a tensor is the handle of a trainable variable of a differentiable dtype."""
    if tensor.dtype is not dtypes.resource:
        return False
    spec = state_of(tensor)
    return bool(spec.trainable) and spec.dtype.is_differentiable


class VariableState(NamedTuple):
    """What is known of the variable behind a handle."""

    dtype: Any
    shape: Any
    trainable: bool


def state_of(handle: Any) -> VariableState:
    """The variable behind a handle, eager or traced; an object's handle has none to train."""
    spec = handle._known.spec if handle.symbolic else handle._array.spec
    if isinstance(spec, ObjectSpec):
        return VariableState(spec.dtype, spec.shape, trainable=False)
    if handle.symbolic:
        return VariableState(spec.state.dtype, spec.state.shape, spec.trainable)
    return VariableState(spec.dtype, spec.shape, getattr(handle._array, "trainable", True))
