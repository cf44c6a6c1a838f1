"""Gradients that are asked for again: the way back is traced once, and its kernels replayed.

A program that trains asks for the gradients of the same operations at every step. Going back
through them (`backward.py`, the slow twin) asks each rule anew what to do, which costs ten times as
long as doing it. What the rules do depends on what was recorded, by all that `describe` lists, and
on the values that they ask for while they are traced; so what they did is kept under these:

    tape ──describe──► operations, attributes, who feeds whom, dtypes, sizes
                            │ met three times: traced on stand-ins that note who asks for values
                            ▼
                       values asked for ──► KernelSequence

The bits are those of the slow way: the same kernels run, in the same order. Where anything else may
happen (functions of users, other tapes that record what is computed here) there is no replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..core import context
from ..core.dtypes import DType
from ..core.numpy_behavior import changes
from ..core.process.named_tuples import NamedTuple
from ..core.specs import Known, ValueSpec
from ..eager.kernels.outputs import REFUSED
from ..eager.storage import Storage
from ..eager.tensor import EagerHandle, EagerTensor
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.passes.order import simplify
from ..graph.payload import spec_of_payload
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.dispatch.placements import installed
from ..ops.op import RecordedOperation
from . import backward
from .kernel_sequence import KernelSequence, NoSequence
from .recording import Recording
from .registry import are_replaced

# How often the slow way goes before there is a replay: tracing costs as much as it ten times.
PATIENCE: Final = 2
# Entries of a tape beyond which nothing is kept, and of all that is kept together.
LONGEST: Final = 4096
MOST_ENTRIES: Final = 16_384
# Replays of one structure, for other values; bytes of a value that may be part of a key.
MOST_VARIANTS: Final = 8
MOST_BYTES: Final = 64


class AskedGradient(NamedTuple):
    """A gradient that was asked for: its structure, and the tensors by the numbers in it."""

    structure: tuple[Any, ...]
    tensors: list[Any]
    targets: list[int]
    seeds: list[int | None]
    sources: list[int]


class KnownStructure:
    """What is known of a structure."""

    __slots__ = ("count", "replays", "valued")

    def __init__(self) -> None:
        self.count = 0
        self.valued: tuple[int, ...] = ()  # the tensors whose values replays depend on
        self.replays: dict[Any, Answers] | None = {}  # None: there can be none


class Answers(NamedTuple):
    """How the gradients are made, and where each is among the results: None, a number, or the
    numbers of what indexed slices are made of.
    """

    kernels: KernelSequence
    places: list[Any]


class KnownStructures(dict[Any, KnownStructure]):
    """What is known of structures; beyond `MOST_ENTRIES`, all is forgotten."""

    entries = 0

    def of(self, asked: AskedGradient, entries: int) -> KnownStructure:
        found = self.get(asked.structure)
        if found is None:
            if entries + self.entries > MOST_ENTRIES:
                self.clear()
            self.entries += entries
            found = self[asked.structure] = KnownStructure()
        return found

    def clear(self) -> None:
        super().clear()
        self.entries = 0


_known_structures: Final = KnownStructures()


def may_be_replayed(recording: Recording) -> bool:
    """Whether gradients do nothing here but run kernels."""
    here = context.top()
    return (
        here.told is not None
        and not any([getattr(one, "active", True) for one in here.told])
        and 0 < len(recording.entries) <= LONGEST
        and (installed.placements is None or not installed.placements.concern(()))
        and changes.promotion is None
        and changes.operate is None
        and not are_replaced()
    )


def gradients(
    recording: Recording, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> list[Any]:
    """`backward.from_ones`."""
    asked = describe(recording, targets, seeds, sources) if may_be_replayed(recording) else None
    kept = None if asked is None else _known_structures.of(asked, len(recording.entries))
    if asked is None or kept is None or kept.replays is None:
        return backward.from_ones(recording, targets, seeds, sources)
    if kept.count > PATIENCE:
        found = kept.replays.get(_values(asked, kept))
        if found is not None:
            try:
                return packed(found, asked)
            except Exception:  # the slow way says it better
                return backward.from_ones(recording, targets, seeds, sources)
    kept.count += 1
    answers = backward.from_ones(recording, targets, seeds, sources)
    if kept.count > PATIENCE:
        _keep(kept, asked, recording)
    return answers


def packed(answers: Answers, asked: AskedGradient) -> list[Any]:
    """What a replay gives for the tensors that were asked about, as gradients of the sources."""
    results = answers.kernels(asked.tensors)
    return [_gradient_at(place, results) for place in answers.places]


def _gradient_at(place: Any, results: Sequence[Any]) -> Any:
    if place is None:
        return None
    if type(place) is tuple:
        return IndexedSlices(*[None if k is None else results[k] for k in place])
    return results[place]


# ---------------------------------------------------------------- what is asked


class StructureOfTape:
    """What is said of tensors: each that is new by its dtype and sizes, others by their number."""

    __slots__ = ("key", "numbers", "tensors")

    def __init__(self) -> None:
        self.key: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.tensors: list[Any] = []

    def add_entry(self, entry: RecordedOperation) -> None:
        """Say what was applied, to what, and what it gave.

        Raises:
            NoSequence: the way back through it is not known by what can be said.
        """
        op, key, numbers = entry.op, self.key, self.numbers
        key.append(op)
        if entry.attrs:
            key.append(_attributes(entry.attrs))
        if op.takes_lists:
            key.append(tuple([len(one) if type(one) is tuple else -1 for one in entry.given]))
        if not op.single:
            key.append(len(entry.outputs))
        for tensor in entry.operands + entry.outputs:
            number = numbers.get(id(tensor))
            key.append(self.add(tensor) if number is None else number)

    def add(self, tensor: Any) -> Any:
        """Give a new tensor the next number; returns what it is.

        Raises:
            NoSequence: it is more than numbers in an array here, or the handle of a variable.
        """
        self.numbers[id(tensor)] = len(self.tensors)
        self.tensors.append(tensor)
        try:
            array = tensor._here if type(tensor) is EagerTensor else tensor._array
        except AttributeError:
            raise NoSequence from None
        if type(tensor) is EagerTensor:
            dtype, shape = array.dtype.num, array.shape
            if dtype in REFUSED:
                raise NoSequence
            return dtype, shape
        if type(tensor) is not EagerHandle or type(array) is not Storage:
            raise NoSequence
        dtype = array.spec.dtype.storage.num
        if dtype in REFUSED:
            raise NoSequence
        return dtype, array.spec.shape.entries, array.trainable

    def add_ends(self, tensors: Sequence[Any]) -> list[Any]:
        """Say which tensors are meant, in their order; returns their numbers."""
        self.key.append(len(tensors))
        places: list[Any] = []
        for tensor in tensors:
            number = None if tensor is None else self.numbers.get(id(tensor))
            if number is None and tensor is not None:
                self.key.append(self.add(tensor))
                number = self.numbers[id(tensor)]
            places.append(number)
        self.key += places
        return places


def describe(
    recording: Recording, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> AskedGradient | None:
    """All that the way back depends on but for values; None where that is not known."""
    about = StructureOfTape()
    try:
        for entry in recording.entries:
            if type(entry) is not RecordedOperation:
                return None
            about.add_entry(entry)
        ends = [about.add_ends(listed) for listed in (targets, seeds, sources)]
    except NoSequence:
        return None
    watched = recording.watched
    about.key += [id(source) in watched for source in sources]
    return AskedGradient(tuple(about.key), about.tensors, *ends)


def _attributes(attrs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Attributes by which rules that are given equal ones do the same."""
    return tuple([(name, _attribute(value)) for name, value in attrs.items()])


def _attribute(value: Any) -> Any:
    """An attribute as part of a key.

    Raises:
        NoSequence: equal ones need not mean the same, or it is a function.
    """
    kind = type(value)
    if kind is bool or kind is int or kind is str or value is None:
        return kind, value
    if kind is DType:
        return kind, value.as_datatype_enum
    if kind is float:  # 0.0 is not -0.0, NaN is NaN
        return kind, value.hex()
    if kind is tuple or kind is list:
        return kind, *map(_attribute, value)
    raise NoSequence


def _values(asked: AskedGradient, kept: KnownStructure) -> Any:
    return tuple([asked.tensors[k]._array.tobytes() for k in kept.valued])


# ---------------------------------------------------------------- what is kept


def _keep(kept: KnownStructure, asked: AskedGradient, recording: Recording) -> None:
    """Trace the way back, and keep it for others that are asked about the same."""
    assert kept.replays is not None
    try:
        answers, valued = _traced(asked, recording)
    except Exception:  # a rule that needs more than stand-ins; whatever fails, the slow way says it
        kept.replays = None
        return
    tensors = [asked.tensors[k] for k in valued]
    if any(one._array.nbytes > MOST_BYTES for one in tensors) or (
        len(kept.replays) >= MOST_VARIANTS
    ):
        kept.replays = None
        return
    if not set(valued) <= set(kept.valued):
        kept.valued = tuple(sorted({*valued, *kept.valued}))
        kept.replays = {}
    kept.replays[_values(asked, kept)] = answers


class Watchful(Known):
    """What is known of a stand-in, with a note of whether anybody has asked for the value."""

    __slots__ = ("array", "was_asked")

    def __init__(self, spec: ValueSpec, array: np.ndarray[Any, Any]) -> None:
        self.spec = spec
        self.array = array
        self.was_asked = False

    @property
    def value(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        self.was_asked = True
        return self.array

    @property
    def sizes(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        may_be_sizes = self.array.ndim < 2 and self.array.dtype.kind in "iu"
        return tuple(self.value.reshape(-1).tolist()) if may_be_sizes else None


def _traced(asked: AskedGradient, recording: Recording) -> tuple[Answers, list[int]]:
    """The way back as a program, and the numbers of the tensors whose values it depends on."""
    graph = FuncGraph("gradient", None, is_part=True)
    with graph.as_default():
        stand_ins = [_stand_in(graph, tensor) for tensor in asked.tensors]
        by_id = {id(one): other for one, other in zip(asked.tensors, stand_ins, strict=True)}
        found = backward.from_ones(
            _rewritten(recording, by_id),
            [stand_ins[k] for k in asked.targets],
            [None if k is None else stand_ins[k] for k in asked.seeds],
            [stand_ins[k] for k in asked.sources],
        )
        results: list[SymbolicTensor] = []
        places = [_place(one, results, graph) for one in found]
    if graph.captures:
        raise NoSequence
    kernels = KernelSequence(simplify(graph.finish(results)))
    known = [one._known for one in stand_ins]
    valued = [k for k, one in enumerate(known) if isinstance(one, Watchful) and one.was_asked]
    return Answers(kernels, places), valued


def _stand_in(graph: FuncGraph, tensor: Any) -> SymbolicTensor:
    spec = spec_of_payload(tensor._array)
    made = graph.placeholder(spec)
    if type(tensor) is EagerTensor:
        made._known = Watchful(spec, tensor._array)
    return made


def _rewritten(recording: Recording, by_id: dict[int, Any]) -> Recording:
    """What was recorded, of stand-ins."""
    made = Recording()
    made.active = False
    for entry in recording.entries:
        assert type(entry) is RecordedOperation
        given = [
            tuple([by_id[id(part)] for part in one]) if type(one) is tuple else by_id[id(one)]
            for one in entry.given
        ]
        outputs = tuple([by_id[id(one)] for one in entry.outputs])
        made.entries.append(RecordedOperation(entry.op, tuple(given), entry.attrs, outputs))
    watched = [by_id[key] for key in recording.watched if key in by_id]
    made.watched = {id(one): one for one in watched}
    return made


def _place(gradient: Any, results: list[SymbolicTensor], graph: FuncGraph) -> Any:
    """Where a gradient is among the results, which grow by what it is made of."""
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        parts = (gradient.values, gradient.indices, gradient.dense_shape)
        return tuple([_place(part, results, graph) for part in parts])
    results.append(graph.convert(gradient, None, None))
    return len(results) - 1
