"""Operations on datasets and iterators under other names: those that TensorFlow tried out first,
and older forms, whose attributes have the defaults of the others.
"""

from __future__ import annotations

from typing import Final

from ...ops.older.renaming import renamed
from ...ops.op import Op
from ..by_hand import iterators, readers
from . import (
    division,
    functions,
    groups,
    handles,
    kept,
    older_forms,
    passes,
    pieces,
    sources,
    transformations,
)

NAMES: Final[dict[str, tuple[type[Op], str]]] = {
    "AnonymousIterator": (passes.AnonymousIteratorV2, ""),
    "ExperimentalAutoShardDataset": (division.AutoShardDataset, "num_replicas"),
    "ExperimentalCSVDataset": (older_forms.CSVDataset, ""),
    "ExperimentalDatasetCardinality": (passes.DatasetCardinality, "cardinality_options"),
    "ExperimentalDirectedInterleaveDataset": (
        transformations.DirectedInterleaveDataset, "stop_on_empty_dataset",
    ),
    "ExperimentalIgnoreErrorsDataset": (transformations.IgnoreErrorsDataset, ""),
    "ExperimentalLatencyStatsDataset": (older_forms.LatencyStatsDataset, ""),
    "ExperimentalBytesProducedStatsDataset": (older_forms.BytesProducedStatsDataset, ""),
    "ExperimentalMaxIntraOpParallelismDataset": (transformations.MaxIntraOpParallelismDataset, ""),
    "ExperimentalNonSerializableDataset": (older_forms.NonSerializableDataset, ""),
    "ExperimentalParallelInterleaveDataset": (older_forms.ParallelInterleaveDataset, "metadata"),
    "ExperimentalPrivateThreadPoolDataset": (transformations.PrivateThreadPoolDataset, ""),
    "ExperimentalRandomDataset": (sources.UnchangingRandomDataset, "metadata"),
    "ExperimentalSleepDataset": (older_forms.SleepDataset, ""),
    "ExperimentalSqlDataset": (older_forms.RowsOfQuery, ""),
    "ExperimentalThreadPoolDataset": (older_forms.ThreadPoolDataset, ""),
    "ExperimentalThreadPoolHandle": (older_forms.ThreadPoolHandle, ""),
    "ExperimentalUnbatchDataset": (transformations.UnbatchDataset, "metadata"),
    "ExperimentalUniqueDataset": (transformations.UniqueDataset, "metadata"),
    "ExperimentalChooseFastestDataset": (older_forms.ChooseFastestDataset, ""),
    "ExperimentalDenseToSparseBatchDataset": (pieces.DenseToSparseBatchDataset, ""),
    "ExperimentalDatasetToTFRecord": (kept.DatasetToTFRecord, ""),
    "ExperimentalIteratorGetDevice": (handles.IteratorGetDevice, ""),
    "ExperimentalMatchingFilesDataset": (pieces.MatchingFilesDataset, ""),
    "ExperimentalRebatchDataset": (pieces.RebatchDataset, ""),
    "Iterator": (iterators.IteratorV2, ""),
    "IteratorFromStringHandle": (iterators.IteratorFromStringHandleV2, ""),
    "IdentityReader": (readers.IdentityReaderV2, ""),
    "TFRecordReader": (readers.TFRecordReaderV2, ""),
    "TextLineReader": (readers.TextLineReaderV2, ""),
    "ReaderNumRecordsProduced": (readers.ReaderNumRecordsProducedV2, ""),
    "ReaderNumWorkUnitsCompleted": (readers.ReaderNumWorkUnitsCompletedV2, ""),
    "ReaderRead": (readers.ReaderReadV2, ""),
    "ReaderReadUpTo": (readers.ReaderReadUpToV2, ""),
    "ReaderReset": (readers.ReaderResetV2, ""),
    "WholeFileReader": (readers.WholeFileReaderV2, ""),
    "ExperimentalGroupByReducerDataset": (groups.GroupByReducerDataset, ""),
    "ExperimentalGroupByWindowDataset": (groups.GroupByWindowDataset, "metadata"),
    "ExperimentalMapAndBatchDataset": (older_forms.MapAndBatchDataset, "metadata"),
    "ExperimentalScanDataset": (functions.ScanDataset, "use_default_device metadata"),
    "ExperimentalTakeWhileDataset": (functions.TakeWhileDataset, "metadata"),
}  # fmt: skip

RENAMED: Final = [renamed(name, op, __name__, without) for name, (op, without) in NAMES.items()]
