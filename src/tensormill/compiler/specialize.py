"""What a graph leaves open until it is called: unknown ranks, and variables passed twice.

And what a trace must not say, but native code has to know: the ranks of the elements of lists
(list_ranks.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..core.specs import ListSpec, ResourceSpec, TensorSpec, ValueSpec
from ..eager.storage import Storage
from ..errors import OpError
from ..graph.builder import current_graph, trace_graph
from ..graph.evaluate import run
from ..graph.ir import Application, Graph
from ..ops.control.functional import Functional, Loop
from ..ops.lists.whole_lists import of_rank


class VariantKey(NamedTuple):
    """`ranks[k]`: the rank of input k where the graph does not know it. `same[k]`: the first
    input that is the same variable as input k.
    """

    ranks: tuple[int | None, ...]
    same: tuple[int, ...]


def variant_key(graph: Graph, payloads: Sequence[Any]) -> VariantKey:
    return VariantKey(_open_ranks(graph, payloads), _same_variables(payloads))


def has_one_variant(graph: Graph) -> bool:
    """Whether the key is the same for all operands: captures do not change."""
    return not any(_has_open_rank(value.spec) for value in graph.inputs) and not any(
        isinstance(value.spec, ResourceSpec) for value in graph.parameters
    )


def _has_open_rank(spec: ValueSpec) -> bool:
    if not isinstance(spec, TensorSpec):
        return False
    return spec.shape.entries is None and not spec.dtype.stays_in_python


def _open_ranks(graph: Graph, payloads: Sequence[Any]) -> tuple[int | None, ...]:
    return tuple(
        payload.ndim if _has_open_rank(value.spec) else None
        for value, payload in zip(graph.inputs, payloads, strict=True)
    )


def _same_variables(payloads: Sequence[Any]) -> tuple[int, ...]:
    first: dict[int, int] = {}
    return tuple(
        first.setdefault(id(payload), k) if isinstance(payload, Storage) else k
        for k, payload in enumerate(payloads)
    )


def specialize(graph: Graph, key: VariantKey) -> Graph:
    """`graph` with these ranks known and these variables joined; itself where nothing is open."""
    return _Retracing({}).specialized(graph, key)


def with_list_ranks(graph: Graph, ranks: Mapping[Application, AssumedRank]) -> Graph:
    """`graph`, where elements of the lists that these operations make have these ranks.

    Raises:
        OpError: they cannot have them.
    """
    return _Retracing(ranks).specialized(graph, _nothing_known(len(graph.inputs)))


def _nothing_known(count: int) -> VariantKey:
    return VariantKey((None,) * count, tuple(range(count)))


class AssumedRank(NamedTuple):
    """Of the elements of a list; `number` tells assumptions apart."""

    rank: int
    number: int


class _Retracing:
    """Graphs are traced once more, with what is known now; `ranks` are those of new lists."""

    def __init__(self, ranks: Mapping[Application, AssumedRank]) -> None:
        self._ranks: Final = ranks
        self._known: Final[dict[tuple[Graph, VariantKey], Graph]] = {}
        self._makers: Final[dict[Graph, bool]] = {}

    def specialized(self, graph: Graph, key: VariantKey) -> Graph:
        if key == _nothing_known(len(key.ranks)) and not self._makes_lists(graph):
            return graph
        if (graph, key) not in self._known:
            self._known[graph, key] = self._traced(graph, key)
        return self._known[graph, key]

    def _makes_lists(self, graph: Graph) -> bool:
        """Whether the graph, or one inside of it, makes a list whose rank is known now."""
        if not self._ranks:
            return False
        if graph not in self._makers:
            self._makers[graph] = any(
                one in self._ranks or any(map(self._makes_lists, graphs_of(one)))
                for one in graph.operations
            )
        return self._makers[graph]

    def _traced(self, graph: Graph, key: VariantKey) -> Graph:
        def body(*operands: Any) -> Any:
            return self._evaluated(graph, [operands[k] for k in key.same])

        specs = [
            value.spec if rank is None else _with_rank(value.spec, rank)
            for value, rank in zip(graph.inputs, key.ranks, strict=True)
        ]
        traced = trace_graph(body, specs, graph.name).graph
        count = len(graph.parameters)
        parameters, captures = traced.parameters[:count], traced.parameters[count:]
        return Graph(
            graph.name, parameters, captures, traced.operations, traced.returns, graph.attrs
        )

    def _evaluated(self, graph: Graph, operands: Sequence[Any]) -> list[Any]:
        """What `graph` returns, where the graphs that it runs know what is known here."""
        here = current_graph()
        assert here is not None
        values: dict[Any, Any] = dict(zip(graph.inputs, operands, strict=True))
        for operation in graph.operations:
            arguments = tuple([values[operand] for operand in operation.operands])
            narrowed = self._narrowed(operation, arguments)
            with here.replaying(operation.source):
                results = run(narrowed, arguments)
                if operation in self._ranks:
                    results = (of_rank(results[0], *self._ranks[operation]),)
            values.update(zip(operation.results, results, strict=True))
        return [values[value] for value in graph.returns]

    def _narrowed(self, operation: Application, arguments: tuple[Any, ...]) -> Application:
        if not issubclass(operation.op, Functional):
            return operation
        given = [_rank(one._known.spec) for one in operands_of(operation, arguments)]
        while True:
            attrs = self._attrs(operation, given)
            lost = _lost(attrs["body"], given) if issubclass(operation.op, Loop) else []
            if not lost:
                return replace(operation, attrs=attrs)
            for number in lost:
                given[number] = None

    def _attrs(self, operation: Application, given: Sequence[int | None]) -> dict[str, Any]:
        assert issubclass(operation.op, Functional)
        attrs = dict(operation.attrs)
        for name in operation.op.graph_attrs:
            many = isinstance(attrs[name], (tuple, list))
            graphs: list[Any] = [*attrs[name]] if many else [attrs[name]]
            narrowed = [self._with_ranks(one, given) for one in graphs]
            attrs[name] = narrowed if many else narrowed[0]
        return attrs

    def _with_ranks(self, graph: Any, given: Sequence[int | None]) -> Any:
        ranks = [
            rank if _is_open_inside(value.spec) else None
            for value, rank in zip(graph.inputs, given, strict=True)
        ]
        try:
            return self.specialized(graph, VariantKey(tuple(ranks), tuple(range(len(ranks)))))
        except OpError:  # it fails if it runs, which it may not: then its kernel says so
            return graph


def graphs_of(operation: Application) -> tuple[Any, ...]:
    """The graphs that an operation runs."""
    op = operation.op
    return op.graphs_of(operation.attrs) if issubclass(op, Functional) else ()


def operands_of(operation: Application, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of the operation's operands that its graphs get; `values` are all of them."""
    assert issubclass(operation.op, Functional)
    fields = [field.name for field in operation.op.inputs]
    return operation.grouped(values)[fields.index(operation.op.operand_field)]


def _is_open_inside(spec: ValueSpec) -> bool:
    """Whether a graph inside of another one may learn a rank from its operand."""
    return _has_open_rank(spec.element if isinstance(spec, ListSpec) else spec)


def _rank(spec: ValueSpec) -> int | None:
    if isinstance(spec, ListSpec):
        return spec.element.shape.rank
    return spec.shape.rank if isinstance(spec, TensorSpec) else None


def _with_rank(spec: Any, rank: int) -> ValueSpec:
    if isinstance(spec, ListSpec):
        return ListSpec(TensorSpec(TensorShape((None,) * rank), spec.element.dtype))
    return TensorSpec(TensorShape((None,) * rank), spec.dtype)


def _lost(body: Any, given: Sequence[int | None]) -> list[int]:
    """Which of a loop's variables have another rank after an iteration than before."""
    pairs = zip(body.parameters, body.returns, strict=True)
    return [
        number
        for number, (taken, returned) in enumerate(pairs)
        if given[number] is not None and _rank(taken.spec) != _rank(returned.spec)
    ]
