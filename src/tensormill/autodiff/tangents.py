"""Tangents: derivatives along one direction, worked out while the program runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ..core import context
from ..eager.kernels.lookup import read_of
from ..ops.bind import bind
from ..ops.op import ZERO, Op, RecordedOperation
from .accumulate import as_dense
from .backward import gradients, is_of_users, pull_back
from .constants import ones_like, zeros_like
from .recording import Entry, RecordedCall, Recording

if TYPE_CHECKING:
    from .graphs.computations import Computation


class Tangents:
    """A recorder that knows the tangents of some tensors, and works out those of what is computed
    from them.

    `watched` maps the ids of these tensors to them, which keeps them alive.
    """

    __slots__ = ("active", "known", "watched")

    new_stack: ClassVar[None] = None  # see `Recording`
    watch_variables: ClassVar[bool] = False

    def __init__(self) -> None:
        self.active = False
        self.watched: dict[int, Any] = {}
        self.known: dict[int, Any] = {}

    def give(self, tensor: Any, tangent: Any) -> None:
        self.watched[id(tensor)] = tensor
        self.known[id(tensor)] = tangent

    def of(self, tensor: Any) -> Any:
        """The tangent of a tensor; None stands for zeros."""
        return self.known.get(id(tensor))

    def note(self, operands: Sequence[Any]) -> None:
        """Something that takes `operands` is about to happen."""

    def depends(self, operands: Sequence[Any]) -> bool:
        return self.active and any(id(one) in self.known for one in operands)

    def record(self, application: Any) -> None:
        """Work out the tangents of what `application` computed; recorders outside see how."""
        operands = application.operand_list()
        if not application.differentiable or not self.depends(operands):
            return
        outputs = application.output_list()
        if any(id(one) in self.known for one in outputs):
            return  # its expansion was recorded, operation by operation
        here = context.top()
        outside = here.recorders[: here.recorders.index(self)]
        given = [self.of(one) for one in operands]
        with context.entered(here.replace(recorders=outside)):
            found = pushed_forward(application, given)
        for output, tangent in zip(outputs, found, strict=True):
            if tangent is not None:
                self.give(output, tangent)


def pushed_forward(entry: Entry, tangents: Sequence[Any]) -> Sequence[Any]:
    """Tangents of the outputs from those of the operands (None: zero).

    A linear operation is its own derivative; the rule `jvp` of an operation says it; for all
    others the transpose of the gradient does.
    """
    application = entry.application
    if getattr(application, "linear", False):
        return _of_linear(entry, tangents)
    rule = getattr(application, "jvp", None)
    if rule is None or any(field.listed for field in application.inputs):
        return transposed(entry, tangents)
    found = rule(*tangents)
    return [found] if application.single else list(found)


def _of_linear(entry: Entry, tangents: Sequence[Any]) -> Sequence[Any]:
    """The operation applied to tangents in place of what it is linear in."""
    application = entry.application
    pairs = zip(entry.operands, tangents, strict=True)
    flat = iter([_direction(operand, tangent) for operand, tangent in pairs])
    operands = [
        tuple(next(flat) for _ in getattr(application, field.name)) if field.listed else next(flat)
        for field in application.inputs
    ]
    results = bind(type(application), *operands, **application.attr_values())
    each = (results,) if application.single else results
    return [result if result.dtype.is_differentiable else None for result in each]


def _direction(operand: Any, tangent: Any) -> Any:
    if tangent is not None or not operand.dtype.is_differentiable:
        return operand if tangent is None else tangent
    return zeros_like(operand)


def transposed(entry: Entry, tangents: Sequence[Any]) -> list[Any]:
    """Tangents by the gradient: `vjp(u)` is linear in u, and what is wanted is the gradient of
    <vjp(u), tangents> by u.

    It is taken at ones: rules may tell the signs of u apart. Those of users are taken at zeros,
    where what clips gradients is linear.
    """
    outputs = [one for one in entry.outputs if one.dtype.is_differentiable]
    if not outputs:
        return [None] * len(entry.outputs)
    recording = Transposition()
    start = zeros_like if is_of_users(entry.application) else ones_like
    directions = {id(one): start(one) for one in outputs}
    for direction in directions.values():
        recording.watch(direction)
    here = context.top()
    with context.entered(here.replace(recorders=(*here.recorders, recording))):
        arrived = [directions.get(id(one)) for one in entry.outputs]
        moving = zip(entry.operands, tangents, strict=True)
        needed = {id(operand) for operand, tangent in moving if tangent is not None}
        pulled = [as_dense(one) for one in pull_back(entry, arrived, needed)]
    recording.active = False
    pairs = [
        (one, tangent)
        for one, tangent in zip(pulled, tangents, strict=True)
        if one is not None and one is not ZERO and tangent is not None
    ]
    targets, seeds = [one for one, _ in pairs], [tangent for _, tangent in pairs]
    found = gradients(recording, targets, seeds, list(directions.values()))
    by_output = dict(zip(directions, found, strict=True))
    return [as_dense(by_output.get(id(one))) for one in entry.outputs]


class Transposition(Recording):
    """Of a rule that is linear in what it takes: something on the way without a derivative would
    make zeros of it.
    """

    __slots__ = ()

    # It looks at what has no derivative, too.
    def take(
        self, op: type[Op], operands: tuple[Any, ...], attrs: Mapping[str, Any], output: Any
    ) -> None:
        self.record(RecordedOperation(op, operands, attrs, (output,)))

    def take_read(self, variable: Any, output: Any) -> None:
        self.record(read_of(variable, output))

    def record(self, application: Any) -> None:
        super().record(application)
        if application.differentiable or not self.depends(application.operand_list()):
            return
        operands, outputs = application.operand_list(), application.output_list()
        cut = [one for one in outputs if one.dtype.is_differentiable]
        if cut:
            call = RecordedCall(operands, cut, lambda _: _refuse(application.name), of_users=False)
            self.entries.append(call)
            self.watched.update((id(one), one) for one in cut)

    def enters(self, computation: Computation, wanted: Sequence[int]) -> None:
        from .graphs.cuts import cut_in

        name = cut_in(computation, wanted)
        if name is not None:
            _refuse(name)


def _refuse(name: str) -> NoReturn:
    raise LookupError(
        f"gradient registry has no entry for: {name}: a tangent is the transpose of the gradient, "
        f"whose rule uses {name}, which has no derivative"
    )
