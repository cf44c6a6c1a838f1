"""Random orders of elements whose seeds have operations of their own, and draws of elements."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

from ...core.specs import ObjectSpec, ValueSpec
from ...errors import InvalidArgumentError
from ...ops.control.optionals import SPEC, MaybeComponents
from ...ops.effects import World
from ...ops.op import Attr, In, Op, Out
from ..nodes.drawing import BernoulliNode
from ..nodes.node import Node, made_by, tensor
from ..nodes.selection import ConcatenateNode, RepeatNode, TakeNode
from ..nodes.shuffling import PermutedNode, ShuffleNode
from ..seeds import Seeds
from .family import Deletion, OfElements, elements_of
from .transformations import OfOther, seeds_among


class SeedGenerator:
    """What makes seeds for all passes over the datasets that it is given to."""

    spec = ObjectSpec("seeds")

    def __init__(self, seeds: Seeds) -> None:
        self.seeds = seeds


class AnonymousSeedGenerator(Op):
    """A generator of seeds, one pair for each pass or for all of them; and a deleter of it."""

    seed = In("i64")
    seed2 = In("i64")
    reshuffle = In("bool")
    handle = Out("resource")
    deleter = Out("variant")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return SeedGenerator.spec, SPEC

    def eager(self, np: Any) -> tuple[Any, ...]:
        pair = int(self.seed), int(self.seed2)
        return SeedGenerator(Seeds(pair, bool(self.reshuffle))), MaybeComponents()


class DeleteSeedGenerator(Deletion):
    """Nothing, for a generator of seeds."""

    handle = In("resource")
    deleter = In("variant")


class DeleteMemoryCache(Deletion):
    """Nothing, for a cache."""

    handle = In("resource")
    deleter = In("variant")


class ShuffleDatasetV2(OfOther):
    """The elements in a random order, by the seeds of a generator."""

    buffer_size = In("i64")
    seed_generator = In("resource")
    metadata = Attr("")
    tensors = ("buffer_size",)

    def kind(self) -> Any:
        return partial(ShuffleNode, seeds=seeds_among(self.seed_generator))


class Repeated(OfOther, abstract=True):
    """A family: the elements again and again, each time in a random order."""

    buffer_size = In("i64")
    seed = In("i64")
    seed2 = In("i64")
    count = In("i64")
    reshuffle_each_iteration = Attr(True)
    metadata = Attr("")
    tensors = ("buffer_size", "count")

    def generator(self) -> Any:
        """The operand that may generate seeds."""
        return None

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        return partial(
            _shuffled_and_repeated, pair=pair, fresh=self.reshuffle_each_iteration,
            seeds=seeds_among(self.generator()),
        )  # fmt: skip


def _shuffled_and_repeated(child: Node, size: Any, count: Any, *, specs: Any, **order: Any) -> Node:
    shuffled = made_by(partial(ShuffleNode, **order, specs=specs), [child], [size])
    return RepeatNode(shuffled, count, specs=specs)


class ShuffleAndRepeatDataset(Repeated):
    """The elements again and again, each time in a random order."""


class ShuffleAndRepeatDatasetV2(Repeated):
    """The same, by the seeds of a generator."""

    seed_generator = In("resource")

    def generator(self) -> Any:
        return self.seed_generator


class GlobalShuffleDataset(OfOther):
    """All elements in a random order, of which none but the next is computed."""

    seed = In("i64")
    seed2 = In("i64")
    seed_generator = In("resource")
    reshuffle_each_iteration = Attr(True)
    metadata = Attr("")

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        given = seeds_among(self.seed_generator)
        return partial(PermutedNode, seeds=given or Seeds(pair, self.reshuffle_each_iteration))


class SamplingDataset(OfOther):
    """Each element with the probability `rate`."""

    rate = In("f32")
    seed = In("i64")
    seed2 = In("i64")

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        return partial(BernoulliNode, rate=float(self.rate), pair=pair)


class WeightedFlatMapDataset(OfElements):
    """The first elements of several datasets, one after the other, in numbers like their weights:
    of the one that weighs most as many as the one has that has least by weight.

    Raises:
        InvalidArgumentError: weights are not positive, or not as many; a dataset is without end or
            too short.
    """

    input_datasets = In("N * variant")
    weights = In("M * f64 ...")
    metadata = Attr("")
    tensors = ("weights",)

    def kind(self) -> Any:
        return partial(_in_proportion, count=len(self.input_datasets))

    def derived(self) -> Sequence[ValueSpec] | None:
        return elements_of(self.input_datasets[0])


def _in_proportion(*given: Any, count: int, specs: Any) -> Node:
    nodes, weights = given[:count], [float(one._array.reshape(-1)[0]) for one in given[count:]]
    taken = counts_in_proportion([one.cardinality() for one in nodes], weights)
    parts = [
        made_by(partial(TakeNode, specs=specs), [node], [tensor(size)])
        for node, size in zip(nodes, taken, strict=True)
    ]
    return reduce(lambda one, other: ConcatenateNode(one, other, specs=specs), parts)


def counts_in_proportion(sizes: Sequence[int], weights: Sequence[float]) -> list[int]:
    """How many elements to take of datasets of such sizes.

    Raises:
        InvalidArgumentError: as `WeightedFlatMapDataset` says.
    """
    if len(sizes) < 2 or len(sizes) != len(weights):
        raise InvalidArgumentError(
            "WeightedFlatMapDataset: two datasets at least have a weight each; got "
            f"{len(sizes)} datasets and {len(weights)} weights"
        )
    if min(sizes) < 0:
        raise InvalidArgumentError(
            "WeightedFlatMapDataset: how many elements datasets have must be known, and finite: "
            f"{[*sizes]} (-1: without end, -2: unknown)"
        )
    if not all(weight > 0 for weight in weights):
        raise InvalidArgumentError(
            f"WeightedFlatMapDataset: weights must be greater than 0, got {[*weights]}"
        )
    least = min(range(len(sizes)), key=lambda place: sizes[place] * weights[place])
    share = sizes[least] * weights[least] / max(weights)
    counts = [int(share * weight / weights[least]) for weight in weights]
    for place, (size, count) in enumerate(zip(sizes, counts, strict=True)):
        if size < count:
            raise InvalidArgumentError(
                f"WeightedFlatMapDataset: input {place} needs to have at least {count} elements; "
                f"it only has {size}"
            )
    return counts
