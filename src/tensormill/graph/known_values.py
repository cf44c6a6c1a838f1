"""What is known of a value while its function is traced.

Inference of shapes may ask for the value of an operand: `tf.reshape(x, [tf.shape(x)[0], -1])`
has a static rank because the chain Shape, StridedSlice, Pack is followed back here. Nothing is
worked out before a rule asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core import context
from ..core.specs import Known, ValueSpec
from ..errors import OpError
from .payload import payload_of, wrap_payload
from .sizes import SIZE_RULES
from .symbolic_parts import known_of

if TYPE_CHECKING:
    from .operation import Operation

# A constant larger than this is not worth keeping beside the graph.
LARGEST_VALUE: Final = 1024

Array = np.ndarray[Any, Any]


class DerivedKnown(Known):
    """Knowledge about output `index` of `producer`, worked out when a rule first asks for it."""

    __slots__ = ("index", "producer")

    def __init__(self, spec: ValueSpec, producer: Operation, index: int) -> None:
        # `value` and `sizes` stay empty: `__getattr__` runs only while they are.
        self.spec = spec
        self.producer = producer
        self.index = index

    def __getattr__(self, name: str) -> Any:
        if name not in ("value", "sizes"):
            raise AttributeError(name)
        _settle(self)
        return getattr(self, name)

    @property
    def is_settled(self) -> bool:
        try:
            object.__getattribute__(self, "sizes")
        except AttributeError:
            return False
        return True

    def operands(self) -> list[Known]:
        """What must be settled before this can be; empty where nothing could be learned."""
        if not _may_be_learned(self):
            return []
        return [known_of(tensor) for tensor in self.producer.inputs]

    def settle(self) -> None:
        value = _value_of(self)
        settled = Known(self.spec, value, None if value is not None else _sizes_of(self))
        if value is None and settled.sizes is not None and None not in settled.sizes:
            value = _as_array(settled.sizes, self.spec)
        self.value, self.sizes = value, settled.sizes


def _settle(known: DerivedKnown) -> None:
    """Work out `known` after what it depends on, without recursion: chains may be long."""
    pending = [known]
    while pending:
        last = pending[-1]
        unsettled = [
            operand
            for operand in last.operands()
            if isinstance(operand, DerivedKnown) and not operand.is_settled
        ]
        if unsettled and not last.is_settled:
            pending.extend(unsettled)
            continue
        if not last.is_settled:
            last.settle()
        pending.pop()


def _may_be_learned(known: DerivedKnown) -> bool:
    op = known.producer.kind
    if op is None or op.effects or op.may_be_fed or known.producer.has_graphs:
        return False
    return op.name in SIZE_RULES or _is_small(known.spec)


def _is_small(spec: ValueSpec) -> bool:
    count = spec.shape.num_elements()
    return count is not None and count <= LARGEST_VALUE and spec.dtype.is_numpy_compatible


def _value_of(known: DerivedKnown) -> Array | None:
    """The constant that the operation gives, where all its operands are constants."""
    if not _is_small(known.spec) or not _may_be_learned(known):
        return None
    producer = known.producer
    values = [known_of(tensor).value for tensor in producer.inputs]
    if any(value is None or value.size > LARGEST_VALUE for value in values):
        return None
    results = results_of(producer, values)
    return None if results is None else results[known.index]


def results_of(operation: Operation, values: Sequence[Any]) -> list[Array] | None:
    """The arrays that an operation makes of arrays; None where it fails, or is a placeholder."""
    if operation.kind is None:
        return None
    tensors = operation.grouped(tuple(wrap_payload(value) for value in values))
    try:
        with context.entered(context.base):
            outputs = context.base.interpreter.apply(
                operation.kind, tensors, dict(operation.attrs), None
            )
    except OpError:
        return None  # it will fail when the graph runs, with its line
    return [payload_of(output) for output in outputs]


def _sizes_of(known: DerivedKnown) -> tuple[int | None, ...] | None:
    producer, rank = known.producer, known.spec.shape.rank
    rule = SIZE_RULES.get(producer.type)
    if rule is None or rank is None or rank > 1 or not known.spec.dtype.is_integer:
        return None
    operands = tuple(known_of(tensor) for tensor in producer.inputs)
    sizes = rule(operands, producer.attrs, known.index)
    count = known.spec.shape.num_elements()
    return sizes if sizes is not None and count in (None, len(sizes)) else None


def _as_array(sizes: tuple[int | None, ...], spec: ValueSpec) -> Array | None:
    if spec.shape.rank is None:
        return None
    shape = () if spec.shape.rank == 0 else (len(sizes),)
    return np.array(sizes, spec.dtype.storage).reshape(shape)
