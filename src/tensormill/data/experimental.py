"""`tf.data.experimental`: older ways to say what methods of datasets say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..core import dtypes, tree
from ..ops.conversion import as_tensor
from .dataset import DatasetV2, made
from .nodes import selection

Transformation = Callable[[DatasetV2], DatasetV2]


def cardinality(dataset: DatasetV2) -> Any:
    """`dataset.cardinality()`."""
    return dataset.cardinality()


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """For `Dataset.apply`: say how many elements there are.

    Raises:
        FailedPreconditionError (in the pass): there is another number.
    """
    count = as_tensor(expected_cardinality, dtypes.int64)
    return lambda dataset: made(
        "_AssertCardinalityDataset", selection.CountedNode, dataset.element_spec, [dataset], [count]
    )


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: Any = False, row_splits_dtype: Any = dtypes.int64
) -> Transformation:
    """For `Dataset.apply`: `ragged_batch`."""
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def get_structure(dataset_or_iterator: Any) -> Any:
    """Its element_spec."""
    return dataset_or_iterator.element_spec


def get_single_element(dataset: DatasetV2) -> Any:
    """`dataset.get_single_element()`."""
    return dataset.get_single_element()


def get_next_as_optional(iterator: Any) -> Any:
    """`iterator.get_next_as_optional()`."""
    return iterator.get_next_as_optional()


def from_list(elements: Sequence[Any], name: str | None = None) -> DatasetV2:
    """A dataset of the elements of a list, which are built alike.

    Raises:
        ValueError: the list is empty.
    """
    if not elements:
        raise ValueError("Empty list. `elements` must have at least one item.")
    columns = zip(*map(tree.flatten, elements), strict=True)
    stacked = [as_tensor(list(column)) for column in columns]
    return DatasetV2.from_tensor_slices(tree.pack_sequence_as(elements[0], stacked))


def _as_transformation(method: str) -> Callable[..., Transformation]:
    """A function of a method's arguments that gives something for `Dataset.apply`."""

    def transformation(*args: Any, **kwargs: Any) -> Transformation:
        return lambda dataset: getattr(dataset, method)(*args, **kwargs)

    transformation.__name__ = method
    transformation.__doc__ = f"For `Dataset.apply`: `Dataset.{method}` with these arguments."
    return transformation


bucket_by_sequence_length = _as_transformation("bucket_by_sequence_length")
enumerate_dataset = _as_transformation("enumerate")
group_by_window = _as_transformation("group_by_window")
ignore_errors = _as_transformation("ignore_errors")
scan = _as_transformation("scan")
take_while = _as_transformation("take_while")
unbatch = _as_transformation("unbatch")
unique = _as_transformation("unique")


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """For `Dataset.apply`: `map`, then `batch`."""
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(
        batch_size, drop_remainder
    )


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """For `Dataset.apply`: `shuffle`, then `repeat`."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def prefetch_to_device(device: str, buffer_size: Any = None) -> Transformation:
    """For `Dataset.apply`: `prefetch`; there is one device."""
    return lambda dataset: dataset.prefetch(-1 if buffer_size is None else buffer_size)


choose_from_datasets = DatasetV2.choose_from_datasets
sample_from_datasets = DatasetV2.sample_from_datasets
Counter = DatasetV2.counter
RandomDataset = partial(DatasetV2.random)
