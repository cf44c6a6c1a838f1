"""Transformations that call nobody's functions, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from functools import partial
from typing import Any

from ...core.specs import ObjectSpec, ValueSpec
from ...ops.op import Attr, In
from ..nodes import batching, selection
from ..nodes.buffering import PrefetchNode
from ..nodes.sharding import ShardNode
from ..nodes.shuffling import ShuffleNode
from ..seeds import Seeds
from .family import DatasetOperation, OfElements, elements_of, typed_by


class OfOther(OfElements, abstract=True):
    """A dataset made of another."""

    input_dataset = In("variant")


class Same(OfOther, abstract=True):
    """The same elements: how they are computed is not said here."""

    def kind(self) -> Any:
        return selection.SameNode


class OptionsDataset(Same):
    """A dataset with options."""

    serialized_options = Attr()
    metadata = Attr("")

    def kind(self) -> Any:
        told = self.serialized_options
        options = told if isinstance(told, bytes) else told.encode()
        return partial(selection.SameNode, options=options)


class ModelDataset(Same):
    """A dataset whose threads TensorFlow tunes."""

    algorithm = Attr(0)
    cpu_budget = Attr(0)
    ram_budget = Attr(0)


class OptimizeDatasetV2(Same):
    """A dataset that TensorFlow rewrites."""

    optimizations_enabled = In("str n")
    optimizations_disabled = In("str m")
    optimizations_default = In("str k")
    optimization_configs = Attr(())


class RewriteDataset(Same):
    """A dataset that TensorFlow rewrites in a way that has a name."""

    rewrite_name = In("str")


class FinalizeDataset(Same):
    """A dataset to which nothing is added."""

    has_captured_ref = Attr(False)


class MaxIntraOpParallelismDataset(Same):
    """A dataset with a bound for threads."""

    max_intra_op_parallelism = In("i64")


class PrivateThreadPoolDataset(Same):
    """A dataset with threads of its own."""

    num_threads = In("i64")


class TakeDataset(OfOther):
    """The first elements."""

    count = In("i64")
    metadata = Attr("")
    tensors = ("count",)

    def kind(self) -> Any:
        return selection.TakeNode


class SkipDataset(OfOther):
    """All but the first elements."""

    count = In("i64")
    metadata = Attr("")
    tensors = ("count",)

    def kind(self) -> Any:
        return selection.SkipNode


class RepeatDataset(OfOther):
    """The elements again and again."""

    count = In("i64")
    metadata = Attr("")
    tensors = ("count",)

    def kind(self) -> Any:
        return selection.RepeatNode


class ShardDataset(OfOther):
    """Every so many-th element."""

    num_shards = In("i64")
    index = In("i64")
    require_non_empty = Attr(False)
    metadata = Attr("")
    tensors = ("num_shards", "index")

    def kind(self) -> Any:
        return partial(ShardNode, required=self.require_non_empty)


class ConcatenateDataset(OfOther):
    """The elements of one dataset, then those of another."""

    another_dataset = In("variant")
    metadata = Attr("")

    def kind(self) -> Any:
        return selection.ConcatenateNode


class ZipDataset(OfElements):
    """Elements of several datasets side by side."""

    input_datasets = In("N * variant")
    metadata = Attr("")

    def kind(self) -> Any:
        return selection.ZipNode

    def derived(self) -> list[ValueSpec] | None:
        parts = [elements_of(one) for one in self.datasets()]
        known = [part for part in parts if part is not None]
        return [one for part in known for one in part] if len(known) == len(parts) else None


class UniqueDataset(OfOther):
    """Each distinct element once."""

    metadata = Attr("")

    def kind(self) -> Any:
        return selection.UniqueNode


class IgnoreErrorsDataset(OfOther):
    """The elements that can be computed."""

    log_warning = Attr(False)

    def kind(self) -> Any:
        return partial(selection.IgnoreErrorsNode, log=self.log_warning)


class AssertCardinalityDataset(OfOther):
    """Elements of which there must be so many."""

    cardinality = In("i64")
    tensors = ("cardinality",)

    def kind(self) -> Any:
        return selection.CountedNode


class PrefetchDataset(OfOther):
    """The elements, computed ahead."""

    buffer_size = In("i64")
    slack_period = Attr(0)
    legacy_autotune = Attr(True)
    buffer_size_min = Attr(0)
    metadata = Attr("")
    tensors = ("buffer_size",)

    def kind(self) -> Any:
        return PrefetchNode


class ShuffleDatasetV3(OfOther):
    """The elements in a random order."""

    buffer_size = In("i64")
    seed = In("i64")
    seed2 = In("i64")
    seed_generator = In("resource")
    reshuffle_each_iteration = Attr(True)
    metadata = Attr("")
    tensors = ("buffer_size",)

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        return partial(
            ShuffleNode, pair=pair, fresh=self.reshuffle_each_iteration,
            seeds=seeds_among(self.seed_generator),
        )  # fmt: skip


def seeds_among(generator: Any) -> Seeds | None:
    """The seeds of a generator; None where the operand is a dummy or none."""
    return getattr(generator, "seeds", None)


class ShuffleDataset(OfOther):
    """An older form of it."""

    buffer_size = In("i64")
    seed = In("i64")
    seed2 = In("i64")
    reshuffle_each_iteration = Attr(True)
    metadata = Attr("")
    tensors = ("buffer_size",)

    def kind(self) -> Any:
        pair = int(self.seed), int(self.seed2)
        return partial(ShuffleNode, pair=pair, fresh=self.reshuffle_each_iteration)


class DirectedInterleaveDataset(OfElements):
    """Elements of several datasets, as those of the first say."""

    selector_input_dataset = In("variant")
    data_input_datasets = In("N * variant")
    stop_on_empty_dataset = Attr(False)

    def kind(self) -> Any:
        return partial(selection.ChosenNode, stop=self.stop_on_empty_dataset)

    def derived(self) -> tuple[ValueSpec, ...] | None:
        return elements_of(self.data_input_datasets[0])


# ---------------------------------------------------------------- batches


class BatchDatasetV2(OfOther):
    """Several elements stacked."""

    batch_size = In("i64")
    drop_remainder = In("bool")
    parallel_copy = Attr(False)
    metadata = Attr("")
    tensors = ("batch_size",)

    def kind(self) -> Any:
        return partial(batching.BatchNode, drop=bool(self.drop_remainder))


class BatchDataset(OfOther):
    """An older form of it."""

    batch_size = In("i64")
    metadata = Attr("")
    tensors = ("batch_size",)

    def kind(self) -> Any:
        return partial(batching.BatchNode, drop=False)


class ParallelBatchDataset(OfOther):
    """Several elements stacked, by several threads in TensorFlow."""

    batch_size = In("i64")
    num_parallel_calls = In("i64")
    drop_remainder = In("bool")
    parallel_copy = Attr(False)
    deterministic = Attr("default")
    metadata = Attr("")
    tensors = ("batch_size",)

    def kind(self) -> Any:
        return partial(batching.BatchNode, drop=bool(self.drop_remainder), parallel=True)


class PaddedBatchDatasetV2(DatasetOperation):
    """Several elements stacked, filled up."""

    input_dataset = In("variant")
    batch_size = In("i64")
    padded_shapes = In("N * i64 ...")
    padding_values = In("[Toutput_types]")
    drop_remainder = In("bool")
    parallel_copy = Attr(False)
    output_shapes = Attr()
    metadata = Attr("")
    tensors = ("batch_size", "padding_values")

    def elements(self) -> tuple[ValueSpec, ...]:
        return typed_by(self.padding_values, self.output_shapes)

    def kind(self) -> Any:
        shapes = [[None if n < 0 else n for n in one.tolist()] for one in self.padded_shapes]
        drop = bool(self.drop_remainder)
        return partial(batching.PaddedBatchNode, shapes=shapes, drop=drop)


class UnbatchDataset(OfOther):
    """The rows of each element."""

    metadata = Attr("")

    def kind(self) -> Any:
        return batching.UnbatchNode


class RebatchDatasetV2(OfOther):
    """The rows of all elements in other batches."""

    batch_sizes = In("i64 ...")
    drop_remainder = In("bool")
    tensors = ("batch_sizes",)

    def kind(self) -> Any:
        return partial(batching.RebatchNode, drop=bool(self.drop_remainder))


class WindowDataset(OfOther):
    """Elements in windows, each a dataset for each component."""

    size = In("i64")
    shift = In("i64")
    stride = In("i64")
    drop_remainder = In("bool")
    metadata = Attr("")
    tensors = ("size", "shift", "stride")

    def kind(self) -> Any:
        return partial(batching.WindowNode, drop=bool(self.drop_remainder))

    def derived(self) -> list[ValueSpec] | None:
        inner = elements_of(self.input_dataset)
        if inner is None:
            return None
        return [ObjectSpec("dataset", (one,), is_value=True) for one in inner]
