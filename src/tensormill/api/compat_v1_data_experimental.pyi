# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.data.experimental`: more of datasets, and the older names of specs."""

from ..data.dataset import DatasetV2 as _DatasetV2
from ..data.experimental import DatasetV2 as _DatasetV2
from ..data.records.csv_tables import DatasetV2 as _DatasetV2
from ..data.records.parsing import DatasetV2 as _DatasetV2
from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from ..data.dataset import AUTOTUNE as AUTOTUNE
from ..data.options import AutoShardPolicy as AutoShardPolicy
from ..data.options import AutotuneAlgorithm as AutotuneAlgorithm
from ..data.options import AutotuneOptions as AutotuneOptions
from ..data.by_hand.datasets import CsvDatasetV1 as CsvDataset
from ..data.lookups import DatasetInitializer as DatasetInitializer
from ..data.dataset import DatasetSpec as DatasetStructure
from ..data.options import DistributeOptions as DistributeOptions
from ..data.options import ExternalStatePolicy as ExternalStatePolicy
from ..data.nodes.node import INFINITE as INFINITE_CARDINALITY
from ..data.options import OptimizationOptions as OptimizationOptions
from ..data.optional import Optional as Optional
from ..data.optional import OptionalSpec as OptionalStructure
from ..data.by_hand.structures import ragged_tensor_structure as RaggedTensorStructure
from ..data.by_hand.datasets import RandomDatasetV1 as RandomDataset
from ..data.nodes.grouping import Reducer as Reducer
from ..data.experimental import SHARD_HINT as SHARD_HINT
from ..data.options import ServiceOptions as ServiceOptions
from ..data.by_hand.structures import sparse_tensor_structure as SparseTensorStructure
from ..data.by_hand.datasets import SqlDatasetV1 as SqlDataset
from ..core.type_spec import TypeSpec as Structure
from ..data.records.written_datasets import DatasetRecordWriter as TFRecordWriter
from ..data.by_hand.structures import tensor_array_structure as TensorArrayStructure
from ..data.by_hand.structures import tensor_structure as TensorStructure
from ..data.options import ThreadingOptions as ThreadingOptions
from ..data.nodes.node import UNKNOWN as UNKNOWN_CARDINALITY
from ..data.experimental import assert_cardinality as assert_cardinality
from ..data.experimental import at as at
from ..data.experimental import cardinality as cardinality
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

def choose_from_datasets(datasets: _Sequence[_DatasetV2], choice_dataset: _DatasetV2, stop_on_empty_dataset: _bool = False) -> _DatasetV2:
    """`Dataset.choose_from_datasets`, which goes on where a dataset has ended.

    >>> both = [tf.data.Dataset.range(1), tf.data.Dataset.range(10, 12)]
    >>> choice = tf.data.Dataset.range(4).map(lambda n: n % 2)
    >>> [int(n) for n in tf.data.experimental.choose_from_datasets(both, choice)]
    [0, 10, 11]

    Raises:
        TypeError: as `Dataset.choose_from_datasets` does."""

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

def make_batched_features_dataset(file_pattern: _Any, batch_size: _int, features: _Mapping[_Any, _Any], reader: _Any = None, label_key: _Any = None, reader_args: _Sequence[_Any] | None = None, num_epochs: _int | None = None, shuffle: _bool = True, shuffle_buffer_size: _int = 10000, shuffle_seed: _int | None = None, prefetch_buffer_size: _int | None = None, reader_num_threads: _int | None = None, parser_num_threads: _int | None = None, sloppy_ordering: _bool = False, drop_final_batch: _bool = False) -> _DatasetV2:
    """Batches of the examples in files: dicts of tensors, or pairs of such a dict and the labels.

    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": feature}))
    >>> with tf.io.TFRecordWriter("x.tfrecord") as writer:
    ...     writer.write(example.SerializeToString())
    >>> batches = tf.data.experimental.make_batched_features_dataset(
    ...     "x.tfrecord", 2, {"x": tf.io.FixedLenFeature([], tf.int64)}, num_epochs=1
    ... )
    >>> [batch["x"].numpy() for batch in batches]
    [array([5])]

    Args:
        file_pattern: paths or patterns with `*`, `?` and `[...]`: one, or a list of them.
        batch_size: how many examples a batch has.
        features: a dict; what a key's feature is made of, as in `tf.io.parse_example`.
        reader: makes the dataset of a file; `tf.data.TFRecordDataset` by default.
        label_key: a feature that comes by itself.
        reader_args: what `reader` gets besides the file's name.
        num_epochs: how often the examples come; None: without end.
        shuffle, shuffle_buffer_size, shuffle_seed: whether and how they are shuffled.
        prefetch_buffer_size: how many batches are made ahead.
        reader_num_threads: the examples of so many files come in turn.
        parser_num_threads: changes nothing: a batch is parsed by several threads.
        sloppy_ordering: changes nothing: the order is always the same.
        drop_final_batch: whether the last batch is left out where it is smaller.

    Raises:
        ValueError: `label_key` is no feature.
        InvalidArgumentError: no file matches."""

def make_csv_dataset(file_pattern: _Any, batch_size: _int, column_names: _Sequence[_str] | None = None, column_defaults: _Sequence[_Any] | None = None, label_name: _str | None = None, select_columns: _Sequence[_Any] | None = None, field_delim: _str = ',', use_quote_delim: _bool = True, na_value: _str = '', header: _bool = True, num_epochs: _int | None = None, shuffle: _bool = True, shuffle_buffer_size: _int = 10000, shuffle_seed: _int | None = None, prefetch_buffer_size: _int | None = None, num_parallel_reads: _int | None = None, sloppy: _bool = False, num_rows_for_inference: _int | None = 100, compression_type: _str | None = None, ignore_errors: _bool = False, encoding: _str = 'utf-8') -> _DatasetV2:
    """Batches of the columns of files of comma-separated values: dicts of vectors, or pairs of
    such a dict and the labels.

    >>> tf.io.write_file("ages.csv", "name,age\\nAda,36\\nBob,\\n")
    >>> table = tf.data.experimental.make_csv_dataset(
    ...     "ages.csv", 2, label_name="age", num_epochs=1, shuffle=False
    ... )
    >>> [(names["name"].numpy().tolist(), ages.numpy()) for names, ages in table]
    [([b'Ada', b'Bob'], array([36,  0], dtype=int32))]

    Args:
        file_pattern: paths or patterns with `*`, `?` and `[...]`: one, or a list of them.
        batch_size: how many records a batch has.
        column_names: by default, those in the first line of the files.
        column_defaults: what stands for missing fields, or a dtype where none may be missing; by
            default 0 or "", of the dtype that the first rows fit into.
        label_name: a column that comes by itself.
        select_columns: the names or numbers of the columns that are wanted.
        field_delim, use_quote_delim, na_value, compression_type: as `CsvDataset` has them.
        header: whether each file begins with a line of names.
        num_epochs: how often the records come; None: without end.
        shuffle, shuffle_buffer_size, shuffle_seed: whether and how the records are shuffled.
        prefetch_buffer_size: how many batches are made ahead.
        num_parallel_reads: the records of so many files come in turn.
        sloppy: changes nothing: the order is always the same.
        num_rows_for_inference: how many rows tell the dtypes; None: all.
        ignore_errors: whether records that are wrong are left out.
        encoding: that of the lines that are read for names and dtypes.

    Raises:
        ValueError: no file matches; there are no names, or none of that name; files have different
            names."""

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
