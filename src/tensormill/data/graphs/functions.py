"""Transformations that call functions, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from ...core.specs import TensorSpec, ValueSpec, common_spec
from ...ops.control.functional import GivenGraphs, returned_specs
from ...ops.op import Attr, In
from ..functions import CompiledFunction
from ..nodes import mapping
from .family import OfElements, elements_of

Found = Callable[[Any, Sequence[ValueSpec] | None], Any]

# What graphs are compiled to, by how many of their parameters are captured.
_compiled: Final[WeakKeyDictionary[Any, dict[int, CompiledFunction]]] = WeakKeyDictionary()


def compiled(graph: Any, captured: int, what: str, may_end: bool = False) -> CompiledFunction:
    """A graph as the function of a dataset; its last parameters are what it captured."""
    known = _compiled.setdefault(graph, {})
    if captured not in known:
        own = len(graph.parameters) - captured
        first, rest = graph.parameters[:own], graph.parameters[own:]
        own_graph = replace(graph, parameters=first, captures=rest)
        known[captured] = CompiledFunction(own_graph, what, may_end)
    return known[captured]


def specs_given(dataset: Any, captured: Sequence[Any]) -> list[ValueSpec] | None:
    """What a function of elements is given."""
    elements = elements_of(dataset._known)
    return None if elements is None else [*elements, *(one._known.spec for one in captured)]


def settled(
    graph_of: Callable[[Sequence[ValueSpec]], Any], start: Sequence[ValueSpec], rest: Any
) -> Any:
    """The graph of a function of a state, and of others, for all states that it makes."""
    state = list(start)
    while True:
        graph = graph_of([*state, *rest])
        later = returned_specs(graph)[: len(state)]
        wider = [_joined(*pair) for pair in zip(state, later, strict=True)]
        if wider == state:
            return graph
        state = wider


def _joined(before: ValueSpec, after: ValueSpec) -> ValueSpec:
    return common_spec([before, after]) if before.dtype is after.dtype else before


class OfGraph(OfElements, GivenGraphs, abstract=True):
    """A dataset that the graph of a function of another's elements makes."""

    input_dataset = In("variant")
    other_arguments = In("[Targuments]")
    tensors = ("other_arguments",)
    what: ClassVar[str]

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        given = dict(zip(cls.input_names, operands, strict=True))
        specs = specs_given(given["input_dataset"], given["other_arguments"])
        (name,) = cls.graph_attrs
        return {name: found(attrs[name], specs)}

    def function(self) -> CompiledFunction:
        """What is called."""
        graph = getattr(self, self.graph_attrs[0])
        return compiled(graph, len(self.other_arguments), self.what)


class OfFunction(OfGraph, abstract=True):
    """A dataset of what a function gives."""

    f = Attr()
    graph_attrs = ("f",)

    def derived(self) -> Sequence[ValueSpec] | None:
        return returned_specs(self.f)


class MapDataset(OfFunction):
    """The results of a function for each element."""

    use_inter_op_parallelism = Attr(True)
    preserve_cardinality = Attr(False)
    force_synchronous = Attr(False)
    metadata = Attr("")
    what = "Dataset.map"

    def kind(self) -> Any:
        counted = self.preserve_cardinality
        return partial(
            mapping.MapNode, function=self.function(), calls=1, ordered=True, counted=counted
        )


class ParallelMapDatasetV2(OfFunction):
    """The same, for several elements at a time."""

    num_parallel_calls = In("i64")
    use_inter_op_parallelism = Attr(True)
    deterministic = Attr("default")
    preserve_cardinality = Attr(False)
    use_unbounded_threadpool = Attr(False)
    metadata = Attr("")
    what = "Dataset.map"

    def kind(self) -> Any:
        calls, ordered = int(self.num_parallel_calls), self.deterministic != "false"
        return partial(
            mapping.MapNode, function=self.function(), calls=calls, ordered=ordered,
            counted=self.preserve_cardinality,
        )  # fmt: skip


class OfDatasets(OfFunction, abstract=True):
    """A dataset of what is in the datasets that a function makes of elements."""

    def derived(self) -> Sequence[ValueSpec] | None:
        (spec,) = returned_specs(self.f)
        return getattr(spec, "elements", None)


class FlatMapDataset(OfDatasets):
    """The elements of such datasets, one after the other."""

    metadata = Attr("")
    what = "Dataset.flat_map"

    def kind(self) -> Any:
        return partial(mapping.FlatMapNode, function=self.function())


class Interleaved(OfDatasets, abstract=True):
    """A family: the elements of several datasets that a function makes, in turn."""

    cycle_length = In("i64")
    block_length = In("i64")
    metadata = Attr("")
    tensors = ("cycle_length", "block_length", "other_arguments")
    what = "Dataset.interleave"

    def kind(self) -> Any:
        return partial(mapping.InterleaveNode, function=self.function())


class InterleaveDataset(Interleaved):
    """The elements of several such datasets in turn."""


class ParallelInterleaveDatasetV4(OfDatasets):
    """The same; TensorFlow takes from several at a time."""

    cycle_length = In("i64")
    block_length = In("i64")
    buffer_output_elements = In("i64")
    prefetch_input_elements = In("i64")
    num_parallel_calls = In("i64")
    deterministic = Attr("default")
    metadata = Attr("")
    tensors = ("block_length", "other_arguments")
    what = "Dataset.interleave"

    def kind(self) -> Any:
        cycle = mapping.cycle_length(int(self.cycle_length), int(self.num_parallel_calls))
        return partial(_interleaved, cycle=cycle, function=self.function())


def _interleaved(child: Any, *operands: Any, cycle: int, function: Any, specs: Any) -> Any:
    return mapping.InterleaveNode(
        child, cycle, *operands, function=function, specs=specs, parallel=True
    )


class OfPredicate(OfGraph, abstract=True):
    """Some of the elements, by a function that gives a bool."""

    predicate = Attr()
    graph_attrs = ("predicate",)

    def derived(self) -> Sequence[ValueSpec] | None:
        return elements_of(self.input_dataset)


class FilterDataset(OfPredicate):
    """The elements for which a function is true."""

    metadata = Attr("")
    what = "Dataset.filter"

    def kind(self) -> Any:
        return partial(mapping.FilterNode, function=self.function())


class TakeWhileDataset(OfPredicate):
    """The elements before the first for which a function is false."""

    metadata = Attr("")
    what = "Dataset.take_while"

    def kind(self) -> Any:
        return partial(mapping.TakeWhileNode, function=self.function())


class ScanDataset(OfElements, GivenGraphs):
    """The outputs of a function of a state and each element, which also makes the next state."""

    input_dataset = In("variant")
    initial_state = In("[Tstate]")
    other_arguments = In("[Targuments]")
    f = Attr()
    preserve_cardinality = Attr(False)
    use_default_device = Attr(True)
    metadata = Attr("")
    graph_attrs = ("f",)
    tensors = ("initial_state", "other_arguments")

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, state, captured = operands
        specs = specs_given(dataset, captured)
        if specs is None:
            return {"f": found(attrs["f"], None)}
        start = [one._known.spec for one in state]
        return {"f": settled(lambda given: found(attrs["f"], given), start, specs)}

    def kind(self) -> Any:
        function = compiled(self.f, len(self.other_arguments), "Dataset.scan")
        return partial(
            mapping.ScanNode, function=function, states=len(self.initial_state),
            counted=self.preserve_cardinality,
        )  # fmt: skip

    def derived(self) -> Sequence[ValueSpec] | None:
        return returned_specs(self.f)[len(self.initial_state) :]


def states_said(shapes: Sequence[Any], state: Sequence[Any]) -> list[ValueSpec]:
    """What a state begins as, as wide as attributes say that it becomes."""
    specs = [one._known.spec for one in state]
    if len(shapes) != len(specs):
        return specs
    return [
        TensorSpec(spec.shape.relax(shape), spec.dtype) if isinstance(spec, TensorSpec) else spec
        for spec, shape in zip(specs, shapes, strict=True)
    ]
