"""Random orders of elements whose seeds have operations of their own, and draws of elements."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from functools import partial
from typing import Any

from ...core.specs import ObjectSpec, ValueSpec
from ...ops.control.optionals import SPEC, MaybeComponents
from ...ops.effects import World
from ...ops.op import Attr, In, Op, Out
from ..nodes.drawing import BernoulliNode
from ..nodes.node import Node, made_by
from ..nodes.selection import RepeatNode
from ..nodes.shuffling import PermutedNode, ShuffleNode
from ..seeds import Seeds
from .family import Deletion
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
