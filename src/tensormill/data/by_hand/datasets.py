"""`tf.compat.v1.data.Dataset`: datasets with what those of TensorFlow 1 have themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import getattr_static
from typing import Any, Final

from ...core.tensorflow_names import at_home_in
from ..dataset import DatasetV2
from ..experimental import (
    Counter,
    RandomDataset,
    choose_from_datasets,
    sample_from_datasets,
)
from ..files import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from ..records.csv_files import CsvDataset
from ..records.csv_tables import make_csv_dataset
from ..records.parsing import make_batched_features_dataset
from ..records.queries import SqlDataset
from .members import OlderMembers

# What gives such datasets again; other methods give those of TensorFlow 2.
_METHODS: Final = (
    "apply", "batch", "cache", "concatenate", "filter", "flat_map", "from_generator",
    "from_tensor_slices", "from_tensors", "interleave", "list_files", "map", "padded_batch",
    "prefetch", "range", "repeat", "shard", "shuffle", "skip", "take", "unbatch", "window",
    "with_options", "zip",
)  # fmt: skip


def _adapted(function: Callable[..., Any], name: str | None = None) -> Any:
    """A function like this one, whose result is a dataset of TensorFlow 1."""

    @wraps(function)
    def adapted(*args: Any, **kwargs: Any) -> DatasetV1:
        return DatasetV1Adapter(function(*args, **kwargs))

    adapted.__name__ = adapted.__qualname__ = name or function.__name__
    return adapted


@at_home_in("tensorflow.python.data.ops.dataset_ops")
class DatasetV1(DatasetV2, OlderMembers):
    """A dataset that has, too, what TensorFlow 2 has as functions: iterators of graphs, and what
    the components of elements are.

    >>> dataset = tf.compat.v1.data.Dataset.range(3).batch(2)
    >>> dataset.output_types, dataset.output_shapes
    (tf.int64, TensorShape([None]))
    """


for _name in _METHODS:
    _made = _adapted(getattr(DatasetV2, _name))
    _is_static = isinstance(getattr_static(DatasetV2, _name), staticmethod)
    setattr(DatasetV1, _name, staticmethod(_made) if _is_static else _made)


@at_home_in("tensorflow.python.data.ops.dataset_ops")
class DatasetV1Adapter(DatasetV1):
    """Another dataset as one of TensorFlow 1.

    >>> dataset = tf.data.Dataset.range(3)
    >>> isinstance(dataset, tf.compat.v1.data.Dataset)
    False
    """

    def __init__(self, dataset: Any) -> None:
        self._dataset: Final = dataset
        self._take_over(dataset)


def _reader(kind: type[DatasetV2], name: str, home: str) -> Any:
    """The class of datasets of TensorFlow 1 that are made as those of `kind`."""

    @wraps(kind.__init__)
    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        DatasetV1Adapter.__init__(self, kind(*args, **kwargs))

    facts = {"__init__": initialize, "__doc__": kind.__doc__, "__module__": __name__}
    return at_home_in(home)(type(name, (DatasetV1Adapter,), facts))


_READERS: Final = "tensorflow.python.data.ops.readers"
_MORE_READERS: Final = "tensorflow.python.data.experimental.ops.readers"
_RANDOM: Final = "tensorflow.python.data.experimental.ops.random_ops"

FixedLengthRecordDatasetV1 = _reader(
    FixedLengthRecordDataset, "FixedLengthRecordDatasetV1", _READERS
)
TFRecordDatasetV1 = _reader(TFRecordDataset, "TFRecordDatasetV1", _READERS)
TextLineDatasetV1 = _reader(TextLineDataset, "TextLineDatasetV1", _READERS)
CsvDatasetV1 = _reader(CsvDataset, "CsvDatasetV1", _MORE_READERS)
SqlDatasetV1 = _reader(SqlDataset, "SqlDatasetV1", _MORE_READERS)
RandomDatasetV1 = _reader(RandomDataset, "RandomDatasetV1", _RANDOM)

CounterV1 = _adapted(Counter, "CounterV1")
choose_from_datasets_v1 = _adapted(choose_from_datasets, "choose_from_datasets_v1")
sample_from_datasets_v1 = _adapted(sample_from_datasets, "sample_from_datasets_v1")
make_csv_dataset_v1 = _adapted(make_csv_dataset, "make_csv_dataset_v1")
make_batched_features_dataset_v1 = _adapted(
    make_batched_features_dataset, "make_batched_features_dataset_v1"
)
