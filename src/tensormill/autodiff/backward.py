"""The reverse pass: from gradients of targets, through a recording, to gradients of sources."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import islice, repeat
from operator import is_
from typing import Any

from ..core import context
from ..ops.op import ZERO
from .accumulate import as_dense, total
from .constants import ones_like, zeros_like
from .recording import Entry, RecordedCall, Recording, Tie
from .registry import is_replaced, registered_gradients
from .sources import in_trace

# These hand a gradient on as it is, so that the sparse gradient of a variable stays sparse.
KEEP_SLICES = frozenset(("ReadVariableOp", "Identity", "Snapshot"))


def gradients(
    recording: Recording, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> list[Any]:
    """The gradient of each source, None where no target depends on it, or where it was not watched.

    `seeds` are the gradients of the targets; a target that occurs twice counts twice. What was
    computed of a tensor that nobody watched is recorded in part only, where something watched met
    it: the gradient of that part would be wrong.
    """
    found = reverse_pass(recording, targets, seeds, sources)
    pairs = zip(found, sources, strict=True)
    return [_zeros_of(source) if one is ZERO else one for one, source in pairs]


def from_ones(
    recording: Recording, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> list[Any]:
    """`gradients`, where a seed that is None stands for ones, as far as its target has any."""
    pairs = zip(targets, seeds, strict=True)
    started = [_start(target) if seed is None else seed for target, seed in pairs]
    return gradients(recording, targets, started, sources)


def _start(target: Any) -> Any:
    return ones_like(target) if target.dtype.is_differentiable else None


def _zeros_of(source: Any) -> Any:
    """The gradient of a source that is `ZERO`. Its own gradient is zeros again."""
    zeros = zeros_like(source)
    tie((source,), (zeros,))
    return zeros


def tie(operands: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Let tensors depend on others, by zeros at least, for all who record here."""
    for one in context.top().recorders:
        if isinstance(one, Recording):
            one.tie(operands, outputs)


def reverse_pass(
    recording: Recording, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> list[Any]:
    """`gradients`, where one that is zeros everywhere is `ZERO`."""
    entries = recording.between(sources)
    arrived: dict[int, list[Any]] = {}
    for target, seed in zip(targets, seeds, strict=True):
        if seed is not None:
            arrived.setdefault(id(target), []).append(seed)
    wanted = {id(source) for source in sources if id(source) in recording.watched}
    settled = {id(one): _sum(arrived[id(one)]) for one in sources if id(one) in arrived}
    needed = wanted | {id(one) for entry in entries for one in entry.outputs}
    for entry in reversed(entries):
        if isinstance(entry, Tie):
            _hand_on_zeros(entry, wanted, arrived)
            continue
        outputs = _take(entry, arrived, wanted, settled)
        if outputs is not None:
            _hand_on(entry, outputs, needed, arrived)
    for key in wanted:
        if key in arrived:
            settled[key] = _sum(arrived[key])
    return [settled.get(id(source)) for source in sources]


def _take(
    entry: Entry, arrived: dict[int, list[Any]], wanted: set[int], settled: dict[int, Any]
) -> list[Any] | None:
    """What arrived at the outputs of `entry`: all of it, since later entries are done."""
    found: list[Any] = []
    for output in entry.outputs:
        parts = arrived.pop(id(output), None)
        gradient = None if parts is None else _sum(parts)
        found.append(gradient)
        if gradient is not None and id(output) in wanted:
            settled[id(output)] = gradient
    return None if all(gradient is None for gradient in found) else found


def _sum(parts: Sequence[Any]) -> Any:
    if len(parts) > 1:
        known = [part for part in parts if part is not ZERO]
        return total(known) if known else ZERO
    return parts[0]


def _hand_on_zeros(entry: Tie, needed: Container[int], arrived: dict[int, list[Any]]) -> None:
    """What depends by zeros alone, where something arrived that others may hand on in full."""
    if any(id(output) in arrived for output in entry.outputs):
        for operand in entry.operands:
            if id(operand) in needed:
                arrived.setdefault(id(operand), []).append(ZERO)


def _hand_on(
    entry: Entry, outputs: list[Any], needed: set[int], arrived: dict[int, list[Any]]
) -> None:
    pulled = pull_back(entry, outputs, needed)
    for operand, gradient in zip(entry.operands, pulled, strict=True):
        if gradient is not None:
            arrived.setdefault(id(operand), []).append(gradient)


def pull_back(entry: Entry, arrived: list[Any], needed: Container[int]) -> list[Any]:
    """Gradients of the operands of `entry`, flat, from those of its outputs.

    None for operands whose id is not `needed`: what a rule gives as a function is not computed.
    """
    if any(map(is_, arrived, repeat(ZERO))):
        nothing_else = all(one is None or one is ZERO for one in arrived)
        if nothing_else and not is_of_users(entry.application):
            return [_zero_for(operand, needed) for operand in entry.operands]
        pairs = zip(arrived, entry.outputs, strict=True)
        arrived = [zeros_like(output) if one is ZERO else one for one, output in pairs]
    pulled = _rule(entry, arrived, needed)
    return [
        None if id(operand) not in needed else gradient() if callable(gradient) else gradient
        for operand, gradient in zip(entry.operands, pulled, strict=True)
    ]


def _zero_for(operand: Any, needed: Container[int]) -> Any:
    return ZERO if id(operand) in needed and operand.dtype.is_differentiable else None


def is_of_users(application: Any) -> bool:
    """Whether a user said what the gradient is: by `tf.custom_gradient` or for a type."""
    if type(application) is RecordedCall:
        return application.of_users
    if application.name == "CustomGradient" or is_replaced(application.name):
        return True
    return application.vjp is None and application.expand is None


def _rule(entry: Entry, arrived: list[Any], needed: Container[int]) -> Sequence[Any]:
    application = entry.application
    if type(application) is RecordedCall:
        return application.backward([as_dense(gradient) for gradient in arrived])
    op: Any = type(application)
    if op.name not in KEEP_SLICES:
        arrived = [as_dense(gradient) for gradient in arrived]
    if len(arrived) > 1 and not op.takes_none:
        arrived = [or_zeros(*pair) for pair in zip(arrived, entry.outputs, strict=True)]
    if is_replaced(op.name):
        return registered_gradients(application, arrived)
    return rule_of_its_own(application, arrived, needed)


def rule_of_its_own(application: Any, arrived: list[Any], needed: Container[int]) -> Sequence[Any]:
    """What an operation's class says, by which others may have replaced it."""
    op: Any = type(application)
    if op.vjp is not None:
        return _flattened(op, application, application.vjp(*arrived))
    if op.expand is not None:
        return through_expansion(application, arrived, needed)
    return registered_gradients(application, arrived)


def or_zeros(gradient: Any, output: Any) -> Any:
    """A gradient of `output`; for a number, zeros where none came."""
    if gradient is not None or output.dtype.family not in ("float", "complex"):
        return gradient
    return zeros_like(output)


def _flattened(op: Any, application: Any, result: Any) -> Sequence[Any]:
    """What `vjp` returned, one gradient for each flat operand."""
    fields = op.inputs
    if len(fields) == 1:
        return _of_single_field(fields[0], application, result)
    if result is None:
        return [None] * len(application.operand_list())
    flat: list[Any] = []
    for field, gradient in zip(fields, result, strict=True):
        if not field.listed:
            flat.append(gradient)
        elif gradient is None:
            flat.extend([None] * len(getattr(application, field.name)))
        else:
            flat.extend(gradient)
    return flat


def _of_single_field(field: Any, application: Any, result: Any) -> Sequence[Any]:
    if not field.listed:
        return result if isinstance(result, (tuple, list)) else (result,)
    if result is None:
        return [None] * len(getattr(application, field.name))
    nested = len(result) == 1 and isinstance(result[0], (tuple, list))
    return result[0] if nested else result


def through_expansion(
    application: Any, arrived: Sequence[Any], needed: Container[int]
) -> list[Any]:
    """Differentiate an operation that is defined by others: apply those, and go back.

    The way back of a branch or body is a graph of its own: what the operation takes is captured
    there first, and that is what its expansion depends on.
    """
    originals = application.operand_list()
    operands = [in_trace(one) for one in originals]
    wanted = [id(one) in needed for one in originals]
    recording = Recording()
    for operand, is_wanted in zip(operands, wanted, strict=True):
        if is_wanted and operand.dtype.is_differentiable:
            recording.watch(operand)
    here = context.top()
    with context.entered(here.replace(recorders=(*here.recorders, recording))):
        outputs = _taking(application, operands).expand()
    recording.active = False
    listed = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    sources = [one for one, is_wanted in zip(operands, wanted, strict=True) if is_wanted]
    pulled = reverse_pass(recording, listed, arrived, sources)
    found = dict(zip(map(id, sources), pulled, strict=True))
    return once_each(operands, [found.get(id(operand)) for operand in operands])


def _taking(application: Any, operands: Sequence[Any]) -> Any:
    """The application of the same operation to other operands."""
    op, rest, given = type(application), iter(operands), list[Any]()
    for field in op.inputs:
        count = len(getattr(application, field.name)) if field.listed else None
        given.append(next(rest) if count is None else tuple(islice(rest, count)))
    return op(*given, **application.attr_values())


def once_each(operands: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """Gradients by tensors, as gradients by operands: a tensor that is several operands has one."""
    seen: set[int] = set()
    shares: list[Any] = []
    for operand, gradient in zip(operands, found, strict=True):
        shares.append(None if id(operand) in seen else gradient)
        seen.add(id(operand))
    return shares
