"""Where elements come from, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from functools import partial
from typing import Any

from ...core.specs import ObjectSpec, ValueSpec
from ...ops.effects import World
from ...ops.op import Attr, In, Op, Out
from ..nodes.sources import RandomNode, RangeNode, SlicesNode, TensorsNode
from ..seeds import Seeds
from .family import DatasetOperation, OfElements, typed_by


class RangeDataset(OfElements):
    """Numbers from `start` to `stop`, `step` apart."""

    start = In("i64")
    stop = In("i64")
    step = In("i64")
    replicate_on_split = Attr(False)
    metadata = Attr("")
    tensors = ("start", "stop", "step")

    def kind(self) -> Any:
        return RangeNode


class OfComponents(DatasetOperation, abstract=True):
    """A dataset of given tensors."""

    components = In("[Toutput_types]")
    output_shapes = Attr()
    tensors = ("components",)

    def elements(self) -> tuple[ValueSpec, ...]:
        return typed_by(self.components, self.output_shapes)


class TensorDataset(OfComponents):
    """One element."""

    metadata = Attr("")

    def kind(self) -> Any:
        return TensorsNode


class TensorSliceDataset(OfComponents):
    """The slices of tensors along their first axes."""

    is_files = Attr(False)
    replicate_on_split = Attr(False)
    metadata = Attr("")

    def kind(self) -> Any:
        return SlicesNode


class Unused(Op, abstract=True):
    """What TensorFlow's datasets share between passes, and ours keep to themselves."""

    handle = Out("resource")
    # There is one for each dataset that is given one, so that no two are taken for the same.
    effects = (World.DRAWS,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("shared")

    def eager(self, np: Any) -> _Shared:
        return _Shared()


class _Shared:
    spec = ObjectSpec("shared")


class DummySeedGenerator(Unused):
    """Says that a dataset makes its seeds by itself."""


class DummyMemoryCache(Unused):
    """Says that a dataset has a cache of its own."""


class RandomDatasetV2(OfElements):
    """Random integers below 2**32, without end."""

    seed = In("i64")
    seed2 = In("i64")
    seed_generator = In("resource")
    rerandomize_each_iteration = Attr(False)
    metadata = Attr("")

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        return partial(RandomNode, seeds=Seeds(pair, self.rerandomize_each_iteration))


class UnchangingRandomDataset(OfElements, tf_name="RandomDataset"):
    """The same in each pass."""

    seed = In("i64")
    seed2 = In("i64")
    metadata = Attr("")
    effects = (World.DRAWS,)

    def kind(self) -> Any:
        return partial(RandomNode, seeds=Seeds((int(self.seed), int(self.seed2)), False))
