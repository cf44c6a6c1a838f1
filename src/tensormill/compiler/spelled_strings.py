"""Strings in the numbers that they lie in: a graph of strings becomes one of spans of bytes.

    length(s: str[?]) -> i32[?]:             length(starts: i64[?], stops: i64[?]) -> i32[?]:
      n: i32[?] = StringLength(s)      ->      n: i64[?] = Sub(stops, starts)
      return n                                 m: i32[?] = Cast(n)
                                               return m

What an operation does to spans (ops/strings/spans/spans.py) is said by its rule `on_spans`. All
others get strings as Python has them, and each value has either form where somebody asks for it.
Graphs inside of others are given one form of each string: spans where an operation wants them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from ..core import context, dtypes
from ..core.process.named_tuples import NamedTuple
from ..core.specs import TensorSpec
from ..graph.builder import current_graph, trace_graph
from ..graph.evaluate import run
from ..graph.ir import Application, Graph, Value
from ..ops.bind import bind
from ..ops.constant import Const
from ..ops.control.flow import EnsureShape, Identity, Snapshot, StopGradient
from ..ops.control.functional import Functional, Loop, StatelessIf
from ..ops.op import Moves
from ..ops.state.table_index import TableIndex, index_of_tensors, index_specs
from ..ops.strings.spans.spans import (
    Doubted,
    Spans,
    SpansOfStrings,
    StringsOfSpans,
    packed,
    spans_in,
    together,
)
from .text_values import is_on_spans, may_be_spans, may_be_text

BYTES: Final = TensorSpec((None,), dtypes.uint8)
PARTS: Final = 3  # of spans
HANDS_ON: Final = (Identity, StopGradient, Snapshot)


def specs_of_spans(spec: Any) -> list[TensorSpec]:
    """Those of the three tensors."""
    places = TensorSpec(spec.shape, dtypes.int64)
    return [places, places, BYTES]


def specs_of_parts(value: Value) -> list[TensorSpec]:
    """Those of the tensors that an input may be taken as: none where it has one form."""
    return specs_of_spans(value.spec) if may_be_spans(value) else index_specs(value.spec)


def is_indexed_table(value: Value) -> bool:
    """Whether it is the handle of a table whose arrays functions take."""
    return bool(index_specs(value.spec))


# ---------------------------------------------------------------- the whole


class TakenPiece(NamedTuple):
    """An input of a graph: all of it, or one of the tensors of its spans, or of a table's index."""

    number: int
    part: int | None = None


class Spelled(NamedTuple):
    """A graph without strings, as far as that goes, and what is passed between both.

    `takes`: what the new graph is given, parameters and then captures. `gives[k]`: where result k
    is found: an input of the old graph, as it is, or some results of the new one: one, or spans.
    """

    graph: Graph
    takes: tuple[TakenPiece, ...]
    gives: tuple[int | range, ...]


def spell(graph: Graph) -> Spelled:
    """The graph with its strings as spans."""
    pieces: list[TakenPiece] = []
    specs: list[Any] = []
    for number, value in enumerate(graph.inputs):
        parts = specs_of_parts(value)
        pieces += [TakenPiece(number, part) for part in (None, *range(len(parts)))]
        specs += [value.spec, *parts]
    gives: list[int | range] = []

    def body(*operands: Any) -> list[Any]:
        spelling = Spelling(_forms(graph, pieces, operands), {})
        spelling.run(graph.operations)
        return _returned(graph, spelling, gives)

    traced = trace_graph(body, specs, graph.name).graph
    used = {one for step in traced.operations for one in step.operands} | set(traced.returns)
    taken = [
        (piece, value)
        for piece, value in zip(pieces, traced.inputs, strict=True)
        if value in used or not specs_of_parts(graph.inputs[piece.number])
    ]
    count = len(graph.parameters)
    parameters = tuple([value for piece, value in taken if piece.number < count])
    captures = tuple([value for piece, value in taken if piece.number >= count])
    spelled = Graph(
        graph.name, parameters, captures, traced.operations, traced.returns, graph.attrs
    )
    return Spelled(spelled, tuple([piece for piece, _ in taken]), tuple(gives))


def _forms(graph: Graph, pieces: Sequence[TakenPiece], operands: Sequence[Any]) -> dict[Value, Any]:
    """What the inputs are: tensors, or both forms of strings."""
    found: dict[Value, Any] = {}
    parts = dict(zip(pieces, operands, strict=True))
    for number, value in enumerate(graph.inputs):
        whole = parts[TakenPiece(number)]
        own = [parts[TakenPiece(number, part)] for part in range(len(specs_of_parts(value)))]
        if may_be_spans(value):
            whole = Text(whole, Spans(*own, is_whole=True))
        elif own:
            whole = known_table(value.spec, whole, own)
        found[value] = whole
    return found


def _returned(graph: Graph, spelling: Spelling, gives: list[int | range]) -> list[Any]:
    """What the new graph returns; `gives` is told where what the old one does is found."""
    inputs = [spelling.values[value] for value in graph.inputs]
    numbers = {id(one): number for number, one in enumerate(inputs)}
    results: list[Any] = []
    for value in graph.returns:
        found = spelling.values[value]
        if isinstance(found, (Text, KnownTable)) and id(found) in numbers:
            gives.append(numbers[id(found)])
            continue
        tensors: Sequence[Any] = [found]
        if isinstance(found, Text):
            tensors = [found.python] if found.python is not None else found.as_spans().parts
        gives.append(range(len(results), len(results) + len(tensors)))
        results += tensors
    return results


# ---------------------------------------------------------------- one graph


@dataclass(slots=True, eq=False)
class Text:
    """Strings, in one form or both."""

    python: Any = None
    spans: Spans | None = None

    def as_python(self) -> Any:
        if self.python is None:
            assert self.spans is not None
            self.python = bind(StringsOfSpans, *self.spans.parts)
        return self.python

    def as_spans(self) -> Spans:
        if self.spans is None:
            self.spans = Spans(*bind(SpansOfStrings, self.python), is_whole=True)
        return self.spans

    @property
    def is_native(self) -> bool:
        return self.spans is not None

    @property
    def has_rank(self) -> bool:
        return self.spans is not None or self.python.shape.rank is not None


class KnownTable(NamedTuple):
    """The handle of a table that never changes, and its keys and values as arrays."""

    handle: Any
    arrays: TableIndex
    tensors: tuple[Any, ...]  # the same arrays, one after the other


def known_table(spec: Any, handle: Any, tensors: Sequence[Any]) -> KnownTable:
    """A table of which these are the arrays."""
    return KnownTable(handle, index_of_tensors(spec, tensors), tuple(tensors))


class Spelling:
    """Writes operations into the graph that is being traced. `values` has a tensor for each value,
    or a `Text`.
    """

    def __init__(self, values: dict[Value, Any], inside: dict[tuple[Graph, Forms], Graph]) -> None:
        self.values: Final = values
        self._inside: Final = inside  # what was made of graphs inside, each once

    def run(self, operations: Iterable[Application]) -> None:
        graph = current_graph()
        assert graph is not None
        for operation in operations:
            with graph.replaying(operation.source):
                results = self._applied(operation)
            for value, result in zip(operation.results, results, strict=True):
                self.values[value] = _as_known(value, result)

    def _applied(self, operation: Application) -> Sequence[Any]:
        operands = [self.values[one] for one in operation.operands]
        if operation.op is Const and may_be_spans(operation.results[0]):
            return (_constant(operation),)
        texts = [one for one in operands if isinstance(one, Text)]
        if operation.op in HANDS_ON and texts:
            return texts
        if issubclass(operation.op, Functional):
            return self._functional(operation, operands)
        if all(one.has_rank for one in texts) and len(texts) == _string_count(operation):
            found = NotImplemented
            if is_on_spans(operation):
                found = _by_spans(operation, operands)
            elif operation.op.moves and any(one.is_native for one in texts):
                found = _moved(operation, operands, texts)
            if found is not NotImplemented:
                return found
        return run(operation, tuple([_in_python(one) for one in operands]))

    def _functional(self, operation: Application, operands: Sequence[Any]) -> Sequence[Any]:
        op, grouped = operation.op, operation.grouped(tuple(operands))
        assert issubclass(op, Functional)
        place = op.input_names.index(op.operand_field)
        natives = [
            isinstance(one, KnownTable) or (isinstance(one, Text) and one.is_native)
            for one in grouped[place]
        ]
        forms = _forms_inside(operation, op.graphs_of(operation.attrs), natives)
        passed = tuple(_in_forms(grouped[place], forms.takes))
        grouped = (*grouped[:place], passed, *grouped[place + 1 :])
        attrs = {key: self._attr(one, forms) for key, one in operation.attrs.items()}
        results = context.top().interpreter.apply(op, grouped, attrs, operation.name)
        return _out_of_forms(operation.results, results, forms.gives)

    def _attr(self, value: Any, forms: Forms) -> Any:
        if isinstance(value, Graph):
            return self._graph(value, forms)
        listed = cast("Sequence[Any]", value) if isinstance(value, (tuple, list)) else ()
        if listed and isinstance(listed[0], Graph):
            return tuple([self._graph(one, forms) for one in listed])
        return cast(Any, value)

    def _graph(self, graph: Graph, forms: Forms) -> Graph:
        if (found := self._inside.get((graph, forms))) is None:
            found = self._inside[graph, forms] = _spelled_inside(graph, forms, self._inside)
        return found


def _as_known(value: Value, result: Any) -> Any:
    """A result, of which as much is known as before."""
    if isinstance(result, Spans):
        starts, stops = (_shaped(value.spec, one) for one in (result.starts, result.stops))
        return Text(spans=result._replace(starts=starts, stops=stops))
    if isinstance(result, Text):
        return result
    if may_be_text(value):
        return Text(python=result)
    return result


def _shaped(spec: Any, tensor: Any) -> Any:
    shape = tensor.shape.merge_with(spec.shape)
    if str(shape) == str(tensor.shape):
        return tensor
    return bind(EnsureShape, tensor, shape=shape)


def _as_text(operand: Any) -> Any:
    return Text(spans=operand) if isinstance(operand, Spans) else operand


def _in_python(operand: Any) -> Any:
    if isinstance(operand, KnownTable):
        return operand.handle
    return operand.as_python() if isinstance(operand, Text) else operand


def _in_parts(operand: Any) -> Any:
    if isinstance(operand, KnownTable):
        return operand.arrays
    return operand.as_spans() if isinstance(operand, Text) else operand


def _string_count(operation: Application) -> int:
    return sum(1 for one in operation.operands if may_be_text(one))


def _constant(operation: Application) -> Text:
    (python,) = run(operation, ())
    value = operation.attrs["value"]
    graph = current_graph()
    assert graph is not None
    three = [graph.constant(one) for one in spans_in(value)]
    return Text(python, Spans(*three, is_whole=True, constant=value))


# ---------------------------------------------------------------- one operation


def _by_spans(operation: Application, operands: Sequence[Any]) -> Any:
    """What its rule says; NotImplemented where Python does it."""
    given = [_in_parts(one) for one in operands]
    application = operation.op(*operation.grouped(tuple(given)), **operation.attrs)
    found = application.on_spans()
    if isinstance(found, Doubted):
        return _sure_or_run(operation, operands, found)
    if found is NotImplemented:
        return found
    return (found,) if operation.op.single else tuple(found)


def _sure_or_run(operation: Application, operands: Sequence[Any], doubted: Doubted) -> list[Any]:
    """What native code found where it is sure, else what the kernel says."""
    are_spans = [isinstance(one, Spans) for one in doubted.results]
    found = [*_in_forms(map(_as_text, doubted.results), are_spans)]
    texts = [isinstance(one, Text) and one.python is None for one in operands]
    given = [*_in_forms(operands, texts)]
    specs = [one._known.spec for one in (*found, *given)]

    def kernel(*values: Any) -> list[Any]:
        taken = _out_of_forms(operation.operands, values[len(found) :], texts)
        graph = current_graph()
        assert graph is not None
        with graph.replaying(operation.source):  # which its errors tell
            said = run(operation, tuple([_in_python(_as_text(one)) for one in taken]))
        return [*_in_forms(map(_as_known, operation.results, said), are_spans)]

    branches = {
        "then_branch": trace_graph(lambda *values: [*values[: len(found)]], specs, "sure").graph,
        "else_branch": trace_graph(kernel, specs, operation.name).graph,
    }
    results = context.top().interpreter.apply(
        StatelessIf, (doubted.is_sure, (*found, *given)), branches, operation.name
    )
    return _out_of_forms(operation.results, results, are_spans)


def _moved(operation: Application, operands: Sequence[Any], texts: Sequence[Text]) -> Any:
    """The operation on `starts` and on `stops`; on one of them where no string comes out."""
    unique = list({id(one): one for one in texts}.values())
    spans = dict(zip(map(id, unique), together([one.as_spans() for one in unique]), strict=True))

    def on(part: int) -> tuple[Any, ...]:
        return run(operation, tuple([
            spans[id(one)][part] if isinstance(one, Text) else one for one in operands
        ]))  # fmt: skip

    starts = on(0)
    if not any(may_be_text(one) for one in operation.results):
        return starts
    stops, first = on(1), next(iter(spans.values()))
    keeps_all = operation.op.moves is Moves.NAMES
    is_whole = keeps_all and len(unique) == 1 and unique[0].as_spans().is_whole
    return [
        Spans(start, stop, first.bytes, is_whole) if may_be_text(value) else start
        for value, start, stop in zip(operation.results, starts, stops, strict=True)
    ]


# ---------------------------------------------------------------- graphs inside


class Forms(NamedTuple):
    """Which of the operands of inner graphs, and of their results, are spans, or tables that are
    known: their handles and arrays.
    """

    takes: tuple[bool, ...]
    gives: tuple[bool, ...]


NATIVE: Final = -1


class Wishes(NamedTuple):
    """Which parameters a graph wants as spans or arrays; and where its results come from: native
    code (`NATIVE`), or parameters, whose form they have.
    """

    takes: tuple[bool, ...]
    gives: tuple[frozenset[int], ...]


def forms_of(op: type[Functional], graphs: Sequence[Graph], natives: Sequence[bool]) -> Forms:
    """What the graphs of an operation are given and give, for operands that are spans or tables
    that are known, or not.
    """
    wishes = [wishes_of(one) for one in graphs]
    wanted = [any(each) for each in zip(*[one.takes for one in wishes], strict=True)]
    wanted = [
        wants and (native or not is_indexed_table(graphs[0].parameters[k]))
        for k, (wants, native) in enumerate(zip(wanted, natives, strict=True))
    ]
    if issubclass(op, Loop):
        slots = _slots(graphs[-1], wanted, wishes[-1].gives)
        return Forms(slots, slots)
    takes = tuple([
        (wants and all(is_indexed_table(one.parameters[k]) for one in graphs))
        or ((wants or native) and all(may_be_spans(one.parameters[k]) for one in graphs))
        for k, (wants, native) in enumerate(zip(wanted, natives, strict=True))
    ])  # fmt: skip
    gives = tuple([
        any(_is_native(each, takes) for each in sources)
        and all(may_be_spans(one.returns[k]) for one in graphs)
        for k, sources in enumerate(zip(*[one.gives for one in wishes], strict=True))
    ])  # fmt: skip
    return Forms(takes, gives)


def _is_native(sources: frozenset[int], takes: Sequence[bool]) -> bool:
    return any(one == NATIVE or takes[one] for one in sources)


def _slots(
    body: Graph, wanted: Sequence[bool], sources: Sequence[frozenset[int]]
) -> tuple[bool, ...]:
    """Which variables of a loop are spans: those that it wants so, or gives so; tables that it
    wants as arrays are these throughout.
    """
    pairs = zip(body.parameters, body.returns, strict=True)
    possible = [
        (may_be_spans(taken) and may_be_spans(given))
        or (is_indexed_table(taken) and taken is given)
        for taken, given in pairs
    ]
    slots, before = [a and b for a, b in zip(wanted, possible, strict=True)], list[bool]()
    while slots != before:
        before = slots
        slots = [
            may and (one or (may_be_spans(taken) and _is_native(given, before)))
            for taken, may, one, given in zip(
                body.parameters, possible, before, sources, strict=True
            )
        ]
    return tuple(slots)


# Graphs never change; one that several operations hold is asked once.
_wishes: Final[WeakKeyDictionary[Graph, Wishes]] = WeakKeyDictionary()


def wishes_of(graph: Graph) -> Wishes:
    """What a graph does natively."""
    if (found := _wishes.get(graph)) is None:
        found = _wishes[graph] = _found_wishes(graph)
    return found


def _found_wishes(graph: Graph) -> Wishes:
    wanted: set[Value] = set()
    for operation in reversed(graph.operations):
        wanted.update(_wanted(operation, wanted))
    sources = {
        one: frozenset([NATIVE if one in wanted else k]) for k, one in enumerate(graph.parameters)
    }
    for operation in graph.operations:
        sources.update(_sources(operation, sources))
    nowhere = frozenset[int]()
    return Wishes(
        tuple([one in wanted for one in graph.parameters]),
        tuple([sources.get(one, nowhere) for one in graph.returns]),
    )


def _wanted(operation: Application, wanted: set[Value]) -> Iterable[Value]:
    """The operands that an operation wants as spans, or arrays of tables."""
    texts = [one for one in operation.operands if may_be_spans(one)]
    if is_on_spans(operation):
        return texts + [one for one in operation.operands if is_indexed_table(one)]
    if operation.op.moves and not wanted.isdisjoint(operation.results):
        return texts
    if issubclass(operation.op, Functional):
        given, graphs = _inner(operation)
        forms = _forms_inside(operation, graphs, [is_indexed_table(one) for one in given])
        return [one for one, is_spans in zip(given, forms.takes, strict=True) if is_spans]
    return ()


def _sources(
    operation: Application, sources: dict[Value, frozenset[int]]
) -> Iterable[tuple[Value, frozenset[int]]]:
    """Where the results of an operation that are strings come from."""
    texts = [one for one in operation.results if may_be_spans(one)]
    native, nowhere = frozenset([NATIVE]), frozenset[int]()
    if is_on_spans(operation) or operation.op is Const:
        return [(one, native) for one in texts]
    if operation.op.moves:
        all_of = nowhere.union(*[sources.get(one, nowhere) for one in operation.operands])
        return [(one, all_of) for one in texts]
    if issubclass(operation.op, Functional) and texts:
        given, graphs = _inner(operation)
        natives = [is_indexed_table(one) or NATIVE in sources.get(one, nowhere) for one in given]
        forms = _forms_inside(operation, graphs, natives)
        return [
            (one, native)
            for one, is_spans in zip(operation.results, forms.gives, strict=True)
            if is_spans
        ]
    return ()


def _inner(operation: Application) -> tuple[Sequence[Value], Sequence[Any]]:
    """The operands that inner graphs are given, and these graphs."""
    op = operation.op
    assert issubclass(op, Functional)
    place = op.input_names.index(op.operand_field)
    given: Any = operation.grouped(operation.operands)[place]  # pyright: ignore[reportArgumentType]
    return given, op.graphs_of(operation.attrs)


def _forms_inside(operation: Application, graphs: Sequence[Any], natives: Sequence[bool]) -> Forms:
    """The forms of operands and results; of functions that are called as they are: Python's."""
    op = operation.op
    assert issubclass(op, Functional)
    if all(isinstance(one, Graph) for one in graphs):
        return forms_of(op, graphs, natives)
    return Forms((False,) * len(natives), (False,) * len(operation.results))


def _in_forms(operands: Iterable[Any], are_spans: Sequence[bool]) -> Iterable[Any]:
    """Operands for inner graphs."""
    for one, is_spans in zip(operands, are_spans, strict=True):
        if not is_spans:
            yield _in_python(one)
        elif isinstance(one, KnownTable):
            yield from (one.handle, *one.tensors)
        else:
            yield from packed(one.as_spans()).parts


def _out_of_forms(
    values: Sequence[Value], results: Sequence[Any], are_spans: Sequence[bool]
) -> list[Any]:
    """What inner graphs gave, or are given, for values."""
    rest, found = iter(results), list[Any]()
    for value, is_spans in zip(values, are_spans, strict=True):
        if not is_spans:
            found.append(next(rest))
        elif is_indexed_table(value):
            handle, tensors = next(rest), [next(rest) for _ in index_specs(value.spec)]
            found.append(known_table(value.spec, handle, tensors))
        else:
            starts, stops, row = (next(rest) for _ in range(PARTS))
            found.append(Spans(starts, stops, row, is_whole=True))
    return found


def _spelled_inside(graph: Graph, forms: Forms, inside: dict[tuple[Graph, Forms], Graph]) -> Graph:
    """A callee, branch, condition or body whose operands and results have these forms."""
    specs: list[Any] = []
    for value, is_spans in zip(graph.parameters, forms.takes, strict=True):
        own = specs_of_parts(value) if is_spans else []
        specs += own if is_spans and may_be_spans(value) else [value.spec, *own]
    # A condition returns one bool, whatever forms the results of the body have.
    gives = [
        is_spans and (may_be_text(value) or is_indexed_table(value))
        for is_spans, value in zip(forms.gives, graph.returns, strict=False)
    ] or [False]

    def body(*operands: Any) -> list[Any]:
        found = _out_of_forms(graph.parameters, operands, forms.takes)
        values = map(_as_known, graph.parameters, found)
        spelling = Spelling(dict(zip(graph.parameters, values, strict=True)), inside)
        spelling.run(graph.operations)
        returned = [spelling.values[one] for one in graph.returns]
        return [*_in_forms(returned, gives[: len(returned)])]

    traced = trace_graph(body, specs, graph.name).graph
    return Graph(graph.name, traced.parameters, (), traced.operations, traced.returns, graph.attrs)
