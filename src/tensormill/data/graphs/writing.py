"""Datasets that were traced here, in terms of TensorFlow's operations.

A rule gets the datasets and the tensors that something is made of, and what else the recipe says
of it; it is applied while a graph is being traced, and gives what the operation would have given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...control.cond import cond
from ...core.dtypes import int64, string
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...function.callee import captures_as_parameters
from ...ops.array.fill import fill
from ...ops.array.shapes import expand_dims
from ...ops.bind import bind
from ...ops.control.optionals import OptionalGetValue, OptionalHasValue, OptionalNone
from ...ops.conversion import as_tensor
from ...ops.math.cast import cast
from .. import files, reductions
from ..by_hand.iterators import MakeIterator
from ..nodes import batching, buffering, mapping, selection, sharding, shuffling
from ..nodes import sources as made_of
from . import files as of_files
from . import functions, groups, passes, sources, transformations
from .family import described

LARGEST: Final = np.iinfo(np.int64).max


class UnwritableDatasetError(TypeError):
    """TensorFlow has no operation for this, or none that needs no Python."""


class WrittenRecipe:
    """What a rule is told."""

    def __init__(self, nodes: Sequence[Any], tensors: Sequence[Any], make: Any) -> None:
        self.nodes, self.tensors = tuple(nodes), tuple(tensors)
        self.kind: Any = getattr(make, "func", make)
        facts: dict[str, Any] = {} if make is self.kind else dict(make.keywords)
        self.specs: Sequence[ValueSpec] = facts.pop("specs", ())
        self.facts = facts

    def bound(self, op: Any, *operands: Any, **attrs: Any) -> Any:
        """The dataset that an operation makes of operands."""
        return bind(op, *operands, **described(self.specs), **attrs)


Rule = Callable[[WrittenRecipe], Any]


def _plain(op: Any) -> Rule:
    """Datasets and tensors as they are."""
    return lambda recipe: recipe.bound(op, *recipe.nodes, *recipe.tensors)


def _of_components(op: Any) -> Rule:
    def rule(recipe: WrittenRecipe) -> Any:
        said = described(recipe.specs)
        return bind(op, recipe.tensors, output_shapes=said["output_shapes"])

    return rule


def _number(value: Any) -> Any:
    return as_tensor(np.int64(value))


def _pair(pair: Sequence[int]) -> list[Any]:
    return [_number(one) for one in pair]


def _random(recipe: WrittenRecipe) -> Any:
    seeds = recipe.facts["seeds"]
    return recipe.bound(
        sources.RandomDatasetV2, *_pair(seeds.asked), bind(sources.DummySeedGenerator),
        rerandomize_each_iteration=seeds.is_fresh,
    )  # fmt: skip


def _shuffle(recipe: WrittenRecipe) -> Any:
    return recipe.bound(
        transformations.ShuffleDatasetV3, *recipe.nodes, *recipe.tensors,
        *_pair(recipe.facts["pair"]), bind(sources.DummySeedGenerator),
        reshuffle_each_iteration=recipe.facts["fresh"],
    )  # fmt: skip


def _shard(recipe: WrittenRecipe) -> Any:
    required = recipe.facts.get("required", False)
    op = transformations.ShardDataset
    return recipe.bound(op, *recipe.nodes, *recipe.tensors, require_non_empty=required)


def _enumerate(recipe: WrittenRecipe) -> Any:
    number = described([TensorSpec((), int64)])
    bounds = recipe.tensors[0], _number(LARGEST), _number(1)
    numbers = bind(sources.RangeDataset, *bounds, **number)
    return recipe.bound(transformations.ZipDataset, [numbers, *recipe.nodes])


def _zip(recipe: WrittenRecipe) -> Any:
    return recipe.bound(transformations.ZipDataset, list(recipe.nodes))


def _choose(recipe: WrittenRecipe) -> Any:
    choices, *parts = recipe.nodes
    return recipe.bound(
        transformations.DirectedInterleaveDataset, choices, parts,
        stop_on_empty_dataset=recipe.facts["stop"],
    )  # fmt: skip


def _ignore_errors(recipe: WrittenRecipe) -> Any:
    said = {"log_warning": recipe.facts["log"]}
    return recipe.bound(transformations.IgnoreErrorsDataset, *recipe.nodes, **said)


def _cache(recipe: WrittenRecipe) -> Any:
    name = as_tensor(recipe.facts.get("path", ""), string)
    cache = bind(sources.DummyMemoryCache)
    return recipe.bound(of_files.CacheDatasetV2, *recipe.nodes, name, cache)


def _batch(op: Any) -> Rule:
    """Several elements stacked: the last operand says whether what is left over is dropped."""

    def rule(recipe: WrittenRecipe) -> Any:
        if "stack" in recipe.facts:
            raise UnwritableDatasetError("batches of ragged or sparse tensors")
        drop = as_tensor(recipe.facts["drop"])
        if recipe.facts.get("parallel"):
            several = transformations.ParallelBatchDataset
            return recipe.bound(several, *recipe.nodes, *recipe.tensors, _number(-1), drop)
        return recipe.bound(op, *recipe.nodes, *recipe.tensors, drop)

    return rule


def _padded_batch(recipe: WrittenRecipe) -> Any:
    size, *fillers = recipe.tensors
    shapes = [
        as_tensor(np.array([-1 if n is None else n for n in one], np.int64))
        for one in recipe.facts["shapes"]
    ]
    drop = as_tensor(recipe.facts["drop"])
    return bind(
        transformations.PaddedBatchDatasetV2, *recipe.nodes, size, shapes, fillers, drop,
        output_shapes=described(recipe.specs)["output_shapes"],
    )  # fmt: skip


def _records(recipe: WrittenRecipe) -> Any:
    read = recipe.facts["records"]
    compression, size = as_tensor(recipe.facts["compression"], string), _number(1 << 18)
    if read is files.lines:
        return bind(of_files.TextLines, *recipe.tensors, compression, size)
    if read is files.tf_records:
        return bind(of_files.TFRecords, *recipe.tensors, compression, size)
    header, length, footer = map(_number, files.lengths_of(read))
    op = of_files.FixedLengthRecordDatasetV2
    return bind(op, *recipe.tensors, header, length, footer, size, compression)


# ---------------------------------------------------------------- functions


def _closed(function: Any) -> Any:
    """The graph of a function; what it captured is among its parameters."""
    if not hasattr(function, "graph"):
        raise UnwritableDatasetError(f"a function in Python: {function!r}")
    return captures_as_parameters(function.graph)


def _of_function(op: Any, name: str = "f", **attrs: Any) -> Rule:
    def rule(recipe: WrittenRecipe) -> Any:
        said = {name: _closed(recipe.facts["function"])}
        return recipe.bound(op, *recipe.nodes, recipe.tensors, **said, **attrs)

    return rule


def _map(recipe: WrittenRecipe) -> Any:
    calls, ordered = recipe.facts["calls"], recipe.facts["ordered"]
    if calls == 1:
        return _of_function(functions.MapDataset, preserve_cardinality=True)(recipe)
    return recipe.bound(
        functions.ParallelMapDatasetV2, *recipe.nodes, recipe.tensors, _number(calls),
        f=_closed(recipe.facts["function"]),
        deterministic="default" if ordered else "false", preserve_cardinality=True,
    )  # fmt: skip


def _interleave(recipe: WrittenRecipe) -> Any:
    cycle, block, *captured = recipe.tensors
    if recipe.facts.get("parallel"):
        ahead = (_number(-1),) * 3
        return recipe.bound(
            functions.ParallelInterleaveDatasetV4, *recipe.nodes, captured, cycle, block, *ahead,
            f=_closed(recipe.facts["function"]),
        )  # fmt: skip
    return recipe.bound(
        functions.InterleaveDataset, *recipe.nodes, captured, cycle, block,
        f=_closed(recipe.facts["function"]),
    )  # fmt: skip


def _scan(recipe: WrittenRecipe) -> Any:
    states = recipe.facts["states"]
    state, captured = recipe.tensors[:states], recipe.tensors[states:]
    return recipe.bound(
        functions.ScanDataset, *recipe.nodes, state, captured, preserve_cardinality=True,
        f=_closed(recipe.facts["function"]),
    )  # fmt: skip


def _grouped(op: Any) -> Rule:
    def rule(recipe: WrittenRecipe) -> Any:
        rest = iter(recipe.tensors)
        several = recipe.facts["functions"]
        captured = [[next(rest) for _ in one.captured] for one in several]
        graphs = zip(op.graph_attrs, map(_closed, several), strict=True)
        return recipe.bound(op, *recipe.nodes, *captured, **dict(graphs))

    return rule


MADE: Final[dict[Any, Rule]] = {
    made_of.RangeNode: _plain(sources.RangeDataset),
    made_of.TensorsNode: _of_components(sources.TensorDataset),
    made_of.SlicesNode: _of_components(sources.TensorSliceDataset),
    made_of.RandomNode: _random,
    selection.TakeNode: _plain(transformations.TakeDataset),
    selection.SkipNode: _plain(transformations.SkipDataset),
    selection.RepeatNode: _plain(transformations.RepeatDataset),
    sharding.ShardNode: _shard,
    selection.ConcatenateNode: _plain(transformations.ConcatenateDataset),
    selection.UniqueNode: _plain(transformations.UniqueDataset),
    selection.CountedNode: _plain(transformations.AssertCardinalityDataset),
    selection.SameNode: lambda recipe: recipe.nodes[0],
    selection.ZipNode: _zip,
    selection.EnumerateNode: _enumerate,
    selection.IgnoreErrorsNode: _ignore_errors,
    selection.ChosenNode: _choose,
    shuffling.ShuffleNode: _shuffle,
    buffering.PrefetchNode: _plain(transformations.PrefetchDataset),
    buffering.CacheNode: _cache,
    files.FileCacheNode: _cache,
    files.FileNode: _records,
    batching.BatchNode: _batch(transformations.BatchDatasetV2),
    batching.RebatchNode: _batch(transformations.RebatchDatasetV2),
    batching.WindowNode: _batch(transformations.WindowDataset),
    batching.PaddedBatchNode: _padded_batch,
    batching.UnbatchNode: _plain(transformations.UnbatchDataset),
    mapping.MapNode: _map,
    mapping.FilterNode: _of_function(functions.FilterDataset, "predicate"),
    mapping.TakeWhileNode: _of_function(functions.TakeWhileDataset, "predicate"),
    mapping.FlatMapNode: _of_function(functions.FlatMapDataset),
    mapping.InterleaveNode: _interleave,
    mapping.ScanNode: _scan,
    mapping.GroupNode: _grouped(groups.GroupByWindowDataset),
    mapping.ReducedGroupsNode: _grouped(groups.GroupByReducerDataset),
}


def _make(op: Any) -> Any:
    """A dataset."""
    count = op.recipe.nodes
    recipe = WrittenRecipe(op.components[:count], op.components[count:], op.recipe.make)
    recipe.specs = op.recipe.specs
    rule = MADE.get(recipe.kind)
    if rule is None:
        raise UnwritableDatasetError(f"{getattr(recipe.kind, '__name__', recipe.kind)}")
    return rule(recipe)


# ---------------------------------------------------------------- passes


def _use(op: Any) -> Any:
    """What a pass over a dataset gives."""
    dataset, *tensors = op.components
    recipe = WrittenRecipe((dataset,), tensors, op.recipe.make)
    said = described(op.recipe.specs)
    if recipe.kind is reductions.cardinality:
        return bind(passes.DatasetCardinality, dataset)
    if recipe.kind is reductions.batch_size:
        return bind(passes.ComputeBatchSize, dataset)
    if recipe.kind is reductions.single_element:
        return bind(passes.DatasetToSingleElement, dataset, **said)
    if recipe.kind is reductions.element_at:
        return bind(passes.GetElementAtIndex, dataset, *tensors, **said)
    if recipe.kind is not reductions.reduced:
        raise UnwritableDatasetError(f"{getattr(recipe.kind, '__name__', recipe.kind)}")
    states = recipe.facts["states"]
    state, captured = tensors[:states], tensors[states:]
    return bind(
        passes.ReduceDataset, dataset, state, captured, f=_closed(recipe.facts["function"]), **said,
    )  # fmt: skip


def _iterate(op: Any) -> Any:
    """An iterator, which begins with a dataset."""
    specs = op.dataset._known.spec.elements
    _require_tensors(specs)
    iterator = bind(passes.AnonymousIteratorV3, **described(specs))
    bind(MakeIterator, op.dataset, iterator)
    return iterator


def _require_tensors(specs: Sequence[ValueSpec]) -> None:
    if any(isinstance(one, ObjectSpec) for one in specs):
        raise UnwritableDatasetError("an iterator over elements that are datasets")


def _next_if(iterator: Any, wanted: Any, specs: Sequence[ValueSpec]) -> tuple[Any, Any]:
    """Whether there is a next element that is wanted, and an optional with it."""
    _require_tensors(specs)

    def following() -> Any:
        return bind(passes.IteratorGetNextAsOptional, iterator, **described(specs))

    value = wanted._known.value
    if value is not None and bool(value):
        optional = following()
    else:
        optional = cond(wanted, following, lambda: bind(OptionalNone))
    return bind(OptionalHasValue, optional), optional


def _components(optional: Any, specs: Sequence[ValueSpec]) -> list[Any]:
    return list(bind(OptionalGetValue, optional, **described(specs)))


def _try_next(op: Any) -> Any:
    """Whether there is a next element, and it."""
    specs = op.iterator._known.spec.elements
    found, optional = _next_if(op.iterator, op.wanted, specs)
    parts = cond(
        found, lambda: _components(optional, specs), lambda: [blank(spec) for spec in specs]
    )
    return [found, *parts]


def _next_rows(op: Any) -> Any:
    """How many elements come next, one at most, and they, stacked."""
    specs = op.iterator._known.spec.elements
    found, optional = _next_if(op.iterator, op.wanted, specs)
    parts = cond(
        found,
        lambda: [expand_dims(one, 0) for one in _components(optional, specs)],
        lambda: [blank(spec, 0) for spec in specs],
    )
    return [cast(found, int64), *parts]


def blank(spec: ValueSpec, *first: int) -> Any:
    """Some tensor for a value that is not there."""
    if not isinstance(spec, TensorSpec):
        raise UnwritableDatasetError("elements that are datasets")
    dims = np.array([*first, *(size or 0 for size in spec.shape.entries or ())], np.int32)
    value = b"" if spec.dtype is string else 0
    return fill(as_tensor(dims), as_tensor(value, spec.dtype))


# By the names of operations.
RULES: Final[dict[str, Callable[[Any], Any]]] = {
    "MakeDataset": _make,
    "UseDataset": _use,
    "IterateDataset": _iterate,
    "IteratorTryNext": _try_next,
    "IteratorNextRows": _next_rows,
    "Blank": lambda op: blank(op.spec),
}
