# Written by `make stubs` from the table beside it.

"""`tf.data.experimental`."""

from ..data.dataset import DatasetV2 as _DatasetV2
from builtins import bool as _bool
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from ..data.dataset import AUTOTUNE as AUTOTUNE
from ..data.options import AutoShardPolicy as AutoShardPolicy
from ..data.options import AutotuneAlgorithm as AutotuneAlgorithm
from ..data.options import AutotuneOptions as AutotuneOptions
from ..data.options import DistributeOptions as DistributeOptions
from ..data.options import ExternalStatePolicy as ExternalStatePolicy
from ..data.nodes.node import INFINITE as INFINITE_CARDINALITY
from ..data.options import OptimizationOptions as OptimizationOptions
from ..data.optional import Optional as Optional
from ..data.experimental import RandomDataset as RandomDataset
from ..data.options import ServiceOptions as ServiceOptions
from ..data.options import ThreadingOptions as ThreadingOptions
from ..data.nodes.node import UNKNOWN as UNKNOWN_CARDINALITY
from ..data.experimental import assert_cardinality as assert_cardinality
from ..data.experimental import cardinality as cardinality
from ..data.experimental import dense_to_ragged_batch as dense_to_ragged_batch
from ..data.functions import enable_debug_mode as enable_debug_mode
from ..data.experimental import from_list as from_list
from ..data.experimental import get_next_as_optional as get_next_as_optional
from ..data.experimental import get_single_element as get_single_element
from ..data.experimental import get_structure as get_structure
from ..data.experimental import map_and_batch as map_and_batch
from ..data.experimental import prefetch_to_device as prefetch_to_device
from ..data.experimental import shuffle_and_repeat as shuffle_and_repeat

__all__ = ['AUTOTUNE', 'AutoShardPolicy', 'AutotuneAlgorithm', 'AutotuneOptions', 'Counter', 'DistributeOptions', 'ExternalStatePolicy', 'INFINITE_CARDINALITY', 'OptimizationOptions', 'Optional', 'RandomDataset', 'ServiceOptions', 'ThreadingOptions', 'UNKNOWN_CARDINALITY', 'assert_cardinality', 'bucket_by_sequence_length', 'cardinality', 'choose_from_datasets', 'dense_to_ragged_batch', 'enable_debug_mode', 'enumerate_dataset', 'from_list', 'get_next_as_optional', 'get_single_element', 'get_structure', 'group_by_window', 'ignore_errors', 'map_and_batch', 'prefetch_to_device', 'sample_from_datasets', 'scan', 'shuffle_and_repeat', 'take_while', 'unbatch', 'unique']

def Counter(start: _Any = 0, step: _Any = 1, dtype: _Any = ..., name: _str | None = None) -> _DatasetV2:
    """`start, start + step, …`, without end."""

def bucket_by_sequence_length(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.bucket_by_sequence_length` with these arguments."""

def choose_from_datasets(datasets: _Sequence[_DatasetV2], choice_dataset: _DatasetV2, stop_on_empty_dataset: _bool = True) -> _DatasetV2:
    """Elements of `datasets`, as the numbers in `choice_dataset` say whose turn it is."""

def enumerate_dataset(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.enumerate` with these arguments."""

def group_by_window(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.group_by_window` with these arguments."""

def ignore_errors(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.ignore_errors` with these arguments."""

def sample_from_datasets(datasets: _Sequence[_DatasetV2], weights: _Any = None, seed: _Any = None, stop_on_empty_dataset: _bool = False, rerandomize_each_iteration: _bool | None = None) -> _DatasetV2:
    """Elements of `datasets` at random, with these weights."""

def scan(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.scan` with these arguments."""

def take_while(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.take_while` with these arguments."""

def unbatch(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.unbatch` with these arguments."""

def unique(*args: _Any, **kwargs: _Any) -> _Any:
    """For `Dataset.apply`: `Dataset.unique` with these arguments."""
