"""Ranks of the elements of lists, as what is written to them tells.

A trace does not say them (TensorFlow does not, where `infer_shape` is false, and a program may look
at `read(0).shape`), but native code has no arrays of unknown rank. Lists that may be one, through
loops, branches and calls, are a family; where all that is written to a family is of one rank, its
elements are. What is read from a list may be written again: the rank is assumed, the graph traced
with it, and the assumption dropped where something that is written turns out to be different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from ..core.specs import ListSpec, TensorSpec
from ..errors import OpError
from ..graph.ir import Application, Graph, Value
from ..ops.control.flow import Identity, IdentityN, Snapshot, StopGradient
from ..ops.control.functional import Functional, Loop
from ..ops.lists import list_elements as elements
from ..ops.lists import whole_lists as whole
from ..ops.op import Op
from .specialize import AssumedRank, graphs_of, operands_of, with_list_ranks

# What is written to a list: the operand, and how many axes it has besides those of elements.
WRITTEN: Final[Mapping[type[Op], tuple[str, int]]] = {
    elements.TensorListSetItem: ("item", 0),
    elements.TensorListAddItem: ("item", 0),
    elements.TensorListPushBack: ("tensor", 0),
    whole.TensorListFromTensor: ("tensor", 1),
    whole.TensorListScatterIntoExistingList: ("tensor", 1),
    whole.TensorListSplit: ("tensor", 0),
}
# What else makes lists, hands them on or reads them, and does nothing that is not seen here.
OTHERS: Final = frozenset({
    Identity, IdentityN, Snapshot, StopGradient,
    elements.EmptyTensorList, elements.TensorListReserve, elements.TensorListLength,
    elements.TensorListGetItem, elements.TensorListPopBack, elements.TensorListAdd,
    whole.TensorListStack, whole.TensorListGather, whole.TensorListConcatV2,
    whole.TensorListResize, whole.TensorListWithin, whole.TensorListOfRank,
})  # fmt: skip
_MOST_ROUNDS: Final = 8


def rank_lists(graph: Graph) -> Graph:
    """`graph`, where lists know the rank of their elements if all that is written has one.

    What becomes known may tell the ranks of other lists, which gradients write to.
    """
    numbers = count()
    for _ in range(_MOST_ROUNDS):
        ranked = _ranked(graph, numbers)
        if ranked is graph:
            break
        graph = ranked
    return graph


def _ranked(graph: Graph, numbers: Iterator[int]) -> Graph:
    if not any(_is_open(value) for one in every_graph(graph) for value in _lists_of(one)):
        return graph
    wanted = _Families(graph).ranks(numbers)
    while wanted:
        try:
            ranked = with_list_ranks(graph, wanted)
        except OpError:  # it fails if it runs, which it may not
            return graph
        wrong = _Families(ranked).wrong()
        if not wrong:
            return ranked
        fewer = {one: found for one, found in wanted.items() if found.number not in wrong}
        if len(fewer) == len(wanted):
            return graph
        wanted = fewer
    return graph


def every_graph(graph: Graph) -> list[Graph]:
    """The graph and all that are inside of it, each once."""
    found = {graph: None}
    open_ones = [graph]
    while open_ones:
        for operation in open_ones.pop().operations:
            for one in graphs_of(operation):
                if isinstance(one, Graph) and one not in found:
                    found[one] = None
                    open_ones.append(one)
    return list(found)


def _lists_of(graph: Graph) -> Iterator[Value]:
    """The lists that operations of the graph make."""
    for operation in graph.operations:
        yield from _lists(operation.results)


def _lists(values: Iterable[Value]) -> list[Value]:
    return [one for one in values if isinstance(one.spec, ListSpec)]


def _is_open(value: Value) -> bool:
    spec = value.spec
    if not isinstance(spec, ListSpec) or spec.element.dtype.stays_in_python:
        return False
    return spec.element.shape.rank is None


class _Family:
    """What is known of lists that may be one."""

    def __init__(self) -> None:
        self.members: Final[list[Value]] = []
        self.makers: Final[list[Application]] = []
        self.ranks: Final[set[int | None]] = set()  # of what is written; None: not known
        self.assumed: Final[dict[int, int]] = {}  # rank, by the number of the assumption
        self.is_seen = True  # whether nobody else writes to them, or looks at them

    def take(self, other: _Family) -> None:
        self.members.extend(other.members)
        self.makers.extend(other.makers)
        self.ranks.update(other.ranks)
        self.assumed.update(other.assumed)
        self.is_seen = self.is_seen and other.is_seen


class _Families:
    """The lists of a graph and of all inside of it, by what they may be."""

    def __init__(self, graph: Graph) -> None:
        self._of: Final[dict[Value, _Family]] = {}
        self._told: Final[set[Value]] = set()  # lists of which a rank is assumed already
        self._lose([*graph.inputs, *graph.returns])
        for one in every_graph(graph):
            for operation in one.operations:
                self._read(operation)

    def ranks(self, numbers: Iterator[int]) -> dict[Application, AssumedRank]:
        """What makes lists of families of which one rank is known, and that rank."""
        found: dict[Application, AssumedRank] = {}
        for family in self._families():
            known = family.ranks - {None}
            if family.is_seen and len(known) == 1:
                (rank,) = known
                for maker in family.makers:
                    made = maker.results[0]
                    if rank is not None and _is_open(made) and made not in self._told:
                        found[maker] = AssumedRank(rank, next(numbers))
        return found

    def wrong(self) -> set[int]:
        """The numbers of assumptions that do not hold of all that is written."""
        return {
            number
            for family in self._families()
            for number, rank in family.assumed.items()
            if family.ranks - {rank} or not family.is_seen
        }

    def _families(self) -> list[_Family]:
        return list(dict.fromkeys(self._of.values()))

    def _family(self, value: Value) -> _Family:
        if value not in self._of:
            family = self._of[value] = _Family()
            family.members.append(value)
        return self._of[value]

    def _join(self, values: Iterable[Value]) -> None:
        """These may be one list."""
        first: _Family | None = None
        for value in _lists(values):
            family = self._family(value)
            if first is None:
                first = family
            elif family is not first:
                first.take(family)
                self._of.update(dict.fromkeys(family.members, first))

    def _lose(self, values: Iterable[Value]) -> None:
        for value in _lists(values):
            self._family(value).is_seen = False

    def _read(self, operation: Application) -> None:
        operands, results = _lists(operation.operands), _lists(operation.results)
        if not operands and not results:
            return
        if issubclass(operation.op, Functional):
            self._read_graphs(operation)
            return
        self._join([*operands, *results])
        if operation.op in WRITTEN:
            self._note_written(operation, results[0])
        elif operation.op is whole.TensorListOfRank:
            attrs = operation.attrs
            self._told.update(operands)
            self._family(results[0]).assumed[attrs["number"]] = attrs["rank"]
        elif operation.op not in OTHERS:
            self._lose([*operands, *results])
        if not operands:
            self._note_made(operation, results[0])

    def _note_written(self, operation: Application, items: Value) -> None:
        name, outer = WRITTEN[operation.op]
        fields = [field.name for field in operation.op.inputs]
        spec = operation.grouped(operation.operands)[fields.index(name)].spec
        rank = spec.shape.rank if isinstance(spec, TensorSpec) else None
        self._family(items).ranks.add(None if rank is None else rank - outer)

    def _note_made(self, operation: Application, items: Value) -> None:
        family, spec = self._family(items), items.spec
        assert isinstance(spec, ListSpec)
        family.makers.append(operation)
        if spec.element.shape.rank is not None:
            family.ranks.add(spec.element.shape.rank)

    def _read_graphs(self, operation: Application) -> None:
        given = operands_of(operation, operation.operands)
        for number, graph in enumerate(graphs_of(operation)):
            if not isinstance(graph, Graph):
                self._lose([*operation.operands, *operation.results])
                continue
            for pair in zip(graph.parameters, given, strict=True):
                self._join(pair)
            if not (issubclass(operation.op, Loop) and not number):  # no condition of a loop
                for pair in zip(graph.returns, operation.results, strict=True):
                    self._join(pair)
        if issubclass(operation.op, Loop):
            for pair in zip(given, operation.results, strict=True):
                self._join(pair)
