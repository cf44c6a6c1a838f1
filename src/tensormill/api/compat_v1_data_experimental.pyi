# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.data.experimental`: more of datasets, and the older names of specs."""

from ..data.dataset import DatasetV2 as _DatasetV2
from ..data.experimental import DatasetV2 as _DatasetV2
from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from ..data.dataset import AUTOTUNE as AUTOTUNE
from ..data.options import AutoShardPolicy as AutoShardPolicy
from ..data.options import AutotuneAlgorithm as AutotuneAlgorithm
from ..data.options import AutotuneOptions as AutotuneOptions
from ..data.records.csv_files import CsvDataset as CsvDataset
from ..data.lookups import DatasetInitializer as DatasetInitializer
from ..data.dataset import DatasetSpec as DatasetStructure
from ..data.options import DistributeOptions as DistributeOptions
from ..data.options import ExternalStatePolicy as ExternalStatePolicy
from ..data.nodes.node import INFINITE as INFINITE_CARDINALITY
from ..data.options import OptimizationOptions as OptimizationOptions
from ..data.optional import Optional as Optional
from ..data.optional import OptionalSpec as OptionalStructure
from ..data.by_hand.structures import ragged_tensor_structure as RaggedTensorStructure
from ..data.experimental import RandomDataset as RandomDataset
from ..data.nodes.grouping import Reducer as Reducer
from ..data.experimental import SHARD_HINT as SHARD_HINT
from ..data.options import ServiceOptions as ServiceOptions
from ..data.by_hand.structures import sparse_tensor_structure as SparseTensorStructure
from ..data.records.queries import SqlDataset as SqlDataset
from ..core.type_spec import TypeSpec as Structure
from ..data.records.written_datasets import DatasetRecordWriter as TFRecordWriter
from ..data.by_hand.structures import tensor_array_structure as TensorArrayStructure
from ..data.by_hand.structures import tensor_structure as TensorStructure
from ..data.options import ThreadingOptions as ThreadingOptions
from ..data.nodes.node import UNKNOWN as UNKNOWN_CARDINALITY
from ..data.experimental import assert_cardinality as assert_cardinality
from ..data.experimental import at as at
from ..data.experimental import cardinality as cardinality
from ..data.experimental import choose_from_datasets as choose_from_datasets
from ..data.experimental import copy_to_device as copy_to_device
from ..data.experimental import dense_to_ragged_batch as dense_to_ragged_batch
from ..data.experimental import dense_to_sparse_batch as dense_to_sparse_batch
from ..data_service.client import distributed_save as distributed_save
from ..data.functions import enable_debug_mode as enable_debug_mode
from ..data.experimental import from_list as from_list
from ..data.experimental import from_variant as from_variant
from ..data.experimental import get_next_as_optional as get_next_as_optional
from ..data.experimental import get_single_element as get_single_element
from ..data.experimental import get_structure as get_structure
from ..data.experimental import group_by_reducer as group_by_reducer
from ..data.lookups import index_table_from_dataset as index_table_from_dataset
from ..data.experimental import load as load
from ..data.records.parsing import make_batched_features_dataset as make_batched_features_dataset
from ..data.records.csv_tables import make_csv_dataset as make_csv_dataset
from ..data.experimental import map_and_batch as map_and_batch
from ..data.by_hand.structures import map_and_batch_with_legacy_function as map_and_batch_with_legacy_function
from ..data.experimental import pad_to_cardinality as pad_to_cardinality
from ..data.experimental import parallel_interleave as parallel_interleave
from ..data.records.parsing import parse_example_dataset as parse_example_dataset
from ..data.experimental import prefetch_to_device as prefetch_to_device
from ..data.experimental import save as save
from . import data_experimental_service as service
from ..data.experimental import shuffle_and_repeat as shuffle_and_repeat
from ..data.lookups import table_from_dataset as table_from_dataset
from ..data.experimental import to_variant as to_variant

__all__ = ['AUTOTUNE', 'AutoShardPolicy', 'AutotuneAlgorithm', 'AutotuneOptions', 'Counter', 'CsvDataset', 'DatasetInitializer', 'DatasetStructure', 'DistributeOptions', 'ExternalStatePolicy', 'INFINITE_CARDINALITY', 'OptimizationOptions', 'Optional', 'OptionalStructure', 'RaggedTensorStructure', 'RandomDataset', 'Reducer', 'SHARD_HINT', 'ServiceOptions', 'SparseTensorStructure', 'SqlDataset', 'Structure', 'TFRecordWriter', 'TensorArrayStructure', 'TensorStructure', 'ThreadingOptions', 'UNKNOWN_CARDINALITY', 'assert_cardinality', 'at', 'bucket_by_sequence_length', 'cardinality', 'choose_from_datasets', 'copy_to_device', 'dense_to_ragged_batch', 'dense_to_sparse_batch', 'distributed_save', 'enable_debug_mode', 'enumerate_dataset', 'from_list', 'from_variant', 'get_next_as_optional', 'get_single_element', 'get_structure', 'group_by_reducer', 'group_by_window', 'ignore_errors', 'index_table_from_dataset', 'load', 'make_batched_features_dataset', 'make_csv_dataset', 'map_and_batch', 'map_and_batch_with_legacy_function', 'pad_to_cardinality', 'parallel_interleave', 'parse_example_dataset', 'prefetch_to_device', 'rejection_resample', 'sample_from_datasets', 'save', 'scan', 'service', 'shuffle_and_repeat', 'snapshot', 'table_from_dataset', 'take_while', 'to_variant', 'unbatch', 'unique']

def Counter(start: _Any = 0, step: _Any = 1, dtype: _Any = ..., name: _str | None = None) -> _DatasetV2:
    """`start, start + step, …`, without end, as scalars of dtype `dtype`.

    >>> [int(n) for n in tf.data.experimental.Counter(5, step=-2).take(3)]
    [5, 3, 1]

    Raises:
        TypeError: there is no such dtype, or a number cannot be of it."""

def bucket_by_sequence_length(element_length_func: _Callable[..., _Any], bucket_boundaries: _Sequence[_int], bucket_batch_sizes: _Sequence[_int], padded_shapes: _Any = None, padding_values: _Any = None, pad_to_bucket_boundary: _bool = False, no_padding: _bool = False, drop_remainder: _bool = False) -> _Any:
    """For `Dataset.apply`: `Dataset.bucket_by_sequence_length` with these arguments.

    >>> rows = tf.data.Dataset.range(1, 5).map(tf.range)
    >>> by_length = tf.data.experimental.bucket_by_sequence_length(tf.size, [3], [2, 2])
    >>> [batch.shape.as_list() for batch in rows.apply(by_length)]
    [[2, 2], [2, 4]]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.bucket_by_sequence_length` raises, which is called then."""

def enumerate_dataset(start: _Any = 0) -> _Any:
    """For `Dataset.apply`: `Dataset.enumerate` with these arguments.

    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> numbered = letters.apply(tf.data.experimental.enumerate_dataset(start=5))
    >>> [(int(number), letter.numpy()) for number, letter in numbered]
    [(5, b'a'), (6, b'b')]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.enumerate` raises, which is called then."""

def group_by_window(key_func: _Callable[..., _Any], reduce_func: _Callable[..., _Any], window_size: _Any = None, window_size_func: _Callable[..., _Any] | None = None) -> _Any:
    """For `Dataset.apply`: `Dataset.group_by_window` with these arguments.

    >>> by_parity = tf.data.experimental.group_by_window(
    ...     lambda n: n % 2, lambda key, window: window.batch(3), window_size=3
    ... )
    >>> [batch.numpy().tolist() for batch in tf.data.Dataset.range(5).apply(by_parity)]
    [[0, 2, 4], [1, 3]]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.group_by_window` raises, which is called then."""

def ignore_errors(log_warning: _bool = False) -> _Any:
    """For `Dataset.apply`: `Dataset.ignore_errors` with these arguments.

    >>> texts = tf.data.Dataset.from_tensor_slices(["1", "x", "3"])
    >>> numbers = texts.map(lambda text: tf.strings.to_number(text, tf.int32))
    >>> [int(n) for n in numbers.apply(tf.data.experimental.ignore_errors())]
    [1, 3]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.ignore_errors` raises, which is called then."""

def rejection_resample(class_func: _Callable[..., _Any], target_dist: _Any, initial_dist: _Any = None, seed: _Any = None) -> _Any:
    """For `Dataset.apply`: `Dataset.rejection_resample` with these arguments.

    >>> equal = tf.data.experimental.rejection_resample(lambda n: n % 2, [0.5, 0.5], seed=1)
    >>> [int(kind) for kind, _ in tf.data.Dataset.range(4).apply(equal)]
    [0, 1, 0, 1]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.rejection_resample` raises, which is called then."""

def sample_from_datasets(datasets: _Sequence[_DatasetV2], weights: _Any = None, seed: _Any = None, stop_on_empty_dataset: _bool = False, rerandomize_each_iteration: _bool | None = None) -> _DatasetV2:
    """Elements of `datasets` at random, with these weights (by default, equal ones).

    weights: one for each dataset, or a dataset of such vectors, one for each element.
    rerandomize_each_iteration: whether each pass draws anew.

    >>> both = [tf.data.Dataset.range(3), tf.data.Dataset.range(100, 102)]
    >>> sorted(int(n) for n in tf.data.experimental.sample_from_datasets(both, seed=1))
    [0, 1, 2, 100, 101]

    Raises:
        ValueError, TypeError: there are no datasets, or not as many weights; elements differ."""

def scan(initial_state: _Any, scan_func: _Callable[..., _Any]) -> _Any:
    """For `Dataset.apply`: `Dataset.scan` with these arguments.

    >>> sums = tf.data.experimental.scan(np.int64(0), lambda total, n: (total + n, total + n))
    >>> [int(n) for n in tf.data.Dataset.range(5).apply(sums)]
    [0, 1, 3, 6, 10]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.scan` raises, which is called then."""

def snapshot(path: _Any, compression: _str | None = 'AUTO', reader_func: _Callable[[_DatasetV2], _DatasetV2] | None = None, shard_func: _Callable[..., _Any] | None = None) -> _Any:
    """For `Dataset.apply`: `Dataset.snapshot` with these arguments.

    >>> kept = tf.data.Dataset.range(3).apply(tf.data.experimental.snapshot("numbers"))
    >>> [int(n) for n in kept]
    [0, 1, 2]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.snapshot` raises, which is called then."""

def take_while(predicate: _Callable[..., _Any]) -> _Any:
    """For `Dataset.apply`: `Dataset.take_while` with these arguments.

    >>> small = tf.data.experimental.take_while(lambda n: n < 3)
    >>> [int(n) for n in tf.data.Dataset.range(9).apply(small)]
    [0, 1, 2]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.take_while` raises, which is called then."""

def unbatch() -> _Any:
    """For `Dataset.apply`: `Dataset.unbatch` with these arguments.

    >>> batches = tf.data.Dataset.range(4).batch(3)
    >>> [int(n) for n in batches.apply(tf.data.experimental.unbatch())]
    [0, 1, 2, 3]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.unbatch` raises, which is called then."""

def unique() -> _Any:
    """For `Dataset.apply`: `Dataset.unique` with these arguments.

    >>> numbers = tf.data.Dataset.from_tensor_slices([1, 2, 1])
    >>> [int(n) for n in numbers.apply(tf.data.experimental.unique())]
    [1, 2]

    Raises:
        AttributeError (when it is applied): to what is no dataset.
        Whatever `Dataset.unique` raises, which is called then."""
