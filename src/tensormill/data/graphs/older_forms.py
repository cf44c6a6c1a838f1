"""Older forms of operations on datasets, and those that say only how TensorFlow computes."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...core.files import gfile
from ...core.specs import TensorSpec, ValueSpec
from ...eager.tensor import wrap
from ...ops.bind import bind
from ...ops.control.functional import returned_specs
from ...ops.control.optionals import OptionalFromValue, OptionalGetValue
from ...ops.families import Rephrased
from ...ops.op import Attr, In, Op, Out
from ...ops.records.comma_separated import dialect_of
from ..files import fixed
from ..nodes import batching, mapping, selection
from ..nodes.node import Elements, Node, SameElements
from ..nodes.sources import TensorsNode
from ..records.csv_files import CsvNode, require_compression
from ..records.queries import QueryNode
from .family import DatasetOperation, OfElements, elements_of, said
from .files import OfFiles
from .functions import Interleaved, OfFunction, OfPredicate, compiled
from .sources import Unused
from .transformations import OfOther, PaddedBatchDatasetV2, Same

# ---------------------------------------------------------------- the same elements


class NonSerializableDataset(Same):
    """A dataset that TensorFlow does not write."""


class BytesProducedStatsDataset(Same):
    """A dataset whose bytes TensorFlow counts."""

    tag = In("str")


class LatencyStatsDataset(Same):
    """A dataset whose time TensorFlow measures."""

    tag = In("str")


class OptimizeDataset(Same):
    """A dataset that TensorFlow rewrites."""

    optimizations = In("str n")
    optimization_configs = Attr(())


class ThreadPoolHandle(Unused):
    """Threads, which datasets have anyway."""

    num_threads = Attr()
    display_name = Attr()
    max_intra_op_parallelism = Attr(1)
    container = Attr("")
    shared_name = Attr("")


class ThreadPoolDataset(Same):
    """A dataset with threads of its own."""

    thread_pool = In("resource")


class ChooseFastestDataset(OfElements):
    """One of several datasets that give the same: the first."""

    input_datasets = In("N * variant")
    num_experiments = Attr()

    def kind(self) -> Any:
        return _first

    def derived(self) -> Sequence[ValueSpec] | None:
        return elements_of(self.input_datasets[0])


def _first(child: Node, *others: Node, specs: Any) -> Node:
    return selection.SameNode(child, specs=specs)


class SleepDataset(OfOther):
    """The elements, each some time after it was asked for."""

    sleep_microseconds = In("i64")
    tensors = ("sleep_microseconds",)

    def kind(self) -> Any:
        return SleepNode


class SleepNode(SameElements):
    """The elements as they are, later."""

    def __init__(self, child: Node, microseconds: Any, *, specs: Any) -> None:
        super().__init__(specs, [child])
        self._seconds = int(microseconds) / 1e6

    def iterate(self) -> Elements:
        for element in self.inputs[0].iterate():
            time.sleep(self._seconds)
            yield element


# ---------------------------------------------------------------- functions


class ParallelMapDataset(OfFunction):
    """The results of a function for each element, of several at a time."""

    num_parallel_calls = In("i32")
    use_inter_op_parallelism = Attr(True)
    sloppy = Attr(False)
    preserve_cardinality = Attr(False)
    metadata = Attr("")
    what = "Dataset.map"

    def kind(self) -> Any:
        return partial(
            mapping.MapNode, function=self.function(), calls=int(self.num_parallel_calls),
            ordered=not self.sloppy, counted=self.preserve_cardinality,
        )  # fmt: skip


class ParallelFilterDataset(OfPredicate):
    """The elements for which a function is true, of several at a time in TensorFlow."""

    num_parallel_calls = In("i64")
    deterministic = Attr("default")
    metadata = Attr("")
    what = "Dataset.filter"

    def kind(self) -> Any:
        return partial(mapping.FilterNode, function=self.function())


class ParallelInterleaveDatasetV2(Interleaved):
    """TensorFlow takes from several at a time."""

    num_parallel_calls = In("i64")
    sloppy = Attr(False)


class ParallelInterleaveDatasetV3(Interleaved):
    """The same."""

    num_parallel_calls = In("i64")
    deterministic = Attr("default")


class ParallelInterleaveDataset(Interleaved):
    """The same, with bounds for what is computed ahead."""

    sloppy = In("bool")
    buffer_output_elements = In("i64")
    prefetch_input_elements = In("i64")


class LegacyParallelInterleaveDatasetV2(Interleaved):
    """The same."""

    buffer_output_elements = In("i64")
    prefetch_input_elements = In("i64")
    deterministic = Attr("default")


class MapAndBatchDataset(OfFunction):
    """The results of a function for each element, several of them stacked."""

    batch_size = In("i64")
    num_parallel_calls = In("i64")
    drop_remainder = In("bool")
    preserve_cardinality = Attr(False)
    metadata = Attr("")
    tensors = ("batch_size", "other_arguments")
    what = "map_and_batch"

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        mapped = partial(
            mapping.MapNode, function=compiled(self.f, len(self.other_arguments), self.what),
            calls=int(self.num_parallel_calls), ordered=True, counted=self.preserve_cardinality,
        )  # fmt: skip
        rows = returned_specs(self.f)
        drop = bool(self.drop_remainder)

        def made(child: Node, size: Any, *captured: Any, specs: Any) -> Node:
            inner = mapped(child, *captured, specs=rows)
            return batching.BatchNode(inner, size, drop=drop, specs=specs)

        return made


# ---------------------------------------------------------------- batches and sources


class PaddedBatchDataset(Rephrased):
    """Several elements stacked, filled up."""

    input_dataset = In("variant")
    batch_size = In("i64")
    padded_shapes = In("N * i64 ...")
    padding_values = In("[Toutput_types]")
    handle = Out("variant")
    output_shapes = Attr()
    metadata = Attr("")
    differentiable = False

    def expand(self) -> Any:
        return bind(
            PaddedBatchDatasetV2, self.input_dataset, self.batch_size, self.padded_shapes,
            self.padding_values, False, output_shapes=self.output_shapes,
        )  # fmt: skip


class ListDataset(OfElements):
    """Given elements, one after the other."""

    given = In("[Tinput_types]", keyword="tensors")
    metadata = Attr("")
    tensors = ("given",)

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        return _listed


def _listed(*given: Any, specs: Any) -> Node:
    width = len(specs)
    rows = [given[k : k + width] for k in range(0, len(given), width)]
    return batching.ListNode([TensorsNode(*row, specs=specs) for row in rows], specs)


class PiecesOfPlainFiles(OfFiles, tf_name="FixedLengthRecordDataset"):
    """Pieces of files that have one size."""

    header_bytes = In("i64")
    record_bytes = In("i64")
    footer_bytes = In("i64")
    buffer_size = In("i64")
    metadata = Attr("")

    def records(self) -> Any:
        return fixed(int(self.header_bytes), int(self.record_bytes), int(self.footer_bytes))

    def compression(self) -> str:
        return ""


class RowsOfQuery(OfElements, tf_name="SqlDataset"):
    """The rows that a query gives."""

    driver_name = In("str")
    data_source_name = In("str")
    query = In("str")
    _within = Attr(())
    tensors = ("driver_name", "data_source_name", "query")

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        gfile.confined(self.data_source_name[()], self._within, writes=False)
        return QueryNode


class RecordsOfText(DatasetOperation, abstract=True):
    """The records of files of comma-separated values."""

    filenames = In("str ...")
    compression_type = In("str")
    buffer_size = In("i64")
    header = In("bool")
    field_delim = In("str")
    use_quote_delim = In("bool")
    na_value = In("str")
    select_cols = In("i64 n")
    record_defaults = In("[output_types]")
    output_shapes = Attr()
    _within = Attr(())
    tensors = ("filenames", "compression_type", "record_defaults")
    skipped: tuple[int, ...] = ()

    def elements(self) -> tuple[ValueSpec, ...]:
        return tuple([TensorSpec((), one.dtype) for one in self.record_defaults])

    def left_out(self) -> frozenset[int]:
        """The columns that are not wanted."""
        return frozenset()

    def kind(self) -> Any:
        for name in self.filenames.reshape(-1).tolist():
            gfile.confined(name, self._within, writes=False)
        require_compression(wrap(self.compression_type))
        dialect = dialect_of(
            self.field_delim[()].decode(), bool(self.use_quote_delim), self.na_value[()].decode(),
            tuple(self.select_cols.tolist()),
        )  # fmt: skip
        return partial(
            CsvNode, dialect=dialect, skipped=self.left_out(), has_header=bool(self.header)
        )


class CSVDataset(RecordsOfText):
    """The wanted columns, by their places."""


class CSVDatasetV2(RecordsOfText):
    """The same, or all but some."""

    exclude_cols = In("i64 m")

    def left_out(self) -> frozenset[int]:
        return frozenset(self.exclude_cols.tolist())


# ---------------------------------------------------------------- elements as one value


class CompressElement(Rephrased):
    """The components of an element as one value: nothing is sent anywhere, so it stays as it is."""

    components = In("[input_types] ...")
    compressed = Out("variant")
    differentiable = False

    def expand(self) -> Any:
        return bind(OptionalFromValue, self.components)


class UncompressElement(Op):
    """The components of such an element."""

    compressed = In("variant")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return said(self, None)

    def expand(self) -> Any:
        return bind(
            OptionalGetValue, self.compressed, output_types=self.output_types,
            output_shapes=self.output_shapes,
        )  # fmt: skip
