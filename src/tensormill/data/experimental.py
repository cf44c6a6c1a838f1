"""`tf.data.experimental`: older ways to say what methods of datasets say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from ..core import dtypes, tree
from ..core.device_specs import canonical_device
from ..core.tensorflow_names import at_home_in
from ..ops.array.concatenation import stack
from ..ops.conversion import as_tensor
from . import reductions, structure
from .dataset import DatasetV2, new_dataset
from .iterator_handles import blank_component
from .nodes import grouping, selection
from .nodes.node import NO_BATCHES
from .nodes.sharding import SHARD_HINT as SHARD_HINT

Transformation = Callable[[DatasetV2], DatasetV2]


def cardinality(dataset: DatasetV2) -> Any:
    """`dataset.cardinality()`: how many elements there are, an int64 scalar; -1: without end, -2:
    unknown.

    >>> int(tf.data.experimental.cardinality(tf.data.Dataset.range(5).repeat()))
    -1

    Raises:
        AttributeError: it is no dataset.
    """
    return dataset.cardinality()


def compute_batch_size(dataset: DatasetV2) -> Any:
    """How many rows each element has, the last one excepted; -1: unknown. An int64 scalar.

    Specs of elements say it, or the batches that the dataset is made of.

    Raises:
        TypeError: that is no dataset.
        IndexError: elements have no rows.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError(f"a tf.data.Dataset is wanted, and got {type(dataset)}")
    sizes = {_rows(spec) for spec in tree.flatten(dataset.element_spec)}
    if None in sizes:
        (found,) = dataset._use("batch_size", reductions.batch_size, (), reductions.COUNT)
        return found
    return as_tensor(sizes.pop() if len(sizes) == 1 else NO_BATCHES, dtypes.int64)


def _rows(spec: Any) -> int | None:
    shape: Any = getattr(spec, "shape", None)
    if shape is None or shape.rank is None:
        return None
    if shape.rank == 0:
        raise IndexError(f"elements without rows have no batch size: {spec}")
    return shape.as_list()[0]


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """For `Dataset.apply`: say how many elements there are.

    >>> odd = tf.data.Dataset.range(5).filter(lambda n: n % 2 == 1)
    >>> int(odd.cardinality())
    -2
    >>> int(odd.apply(tf.data.experimental.assert_cardinality(2)).cardinality())
    2

    Raises:
        FailedPreconditionError (in the pass): there is another number.
    """
    count = as_tensor(expected_cardinality, dtypes.int64)
    return lambda dataset: new_dataset(
        "_AssertCardinalityDataset", selection.CountedNode, dataset.element_spec, [dataset], [count]
    )


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: Any = False, row_splits_dtype: Any = dtypes.int64
) -> Transformation:
    """For `Dataset.apply`: `ragged_batch`.

    >>> rows = tf.data.Dataset.range(1, 4).map(tf.range)
    >>> list(rows.apply(tf.data.experimental.dense_to_ragged_batch(3)))
    [<tf.RaggedTensor [[0], [0, 1], [0, 1, 2]]>]

    Raises:
        InvalidArgumentError: `batch_size` is not positive.
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """For `Dataset.apply`: `sparse_batch`.

    >>> rows = tf.data.Dataset.range(1, 3).map(tf.range)
    >>> batch = rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [3])).get_single_element()
    >>> tf.sparse.to_dense(batch, default_value=-1).numpy()
    array([[ 0, -1, -1],
           [ 0,  1, -1]])

    Raises:
        InvalidArgumentError: `batch_size` is not positive.
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


def get_structure(dataset_or_iterator: Any) -> Any:
    """Its element_spec.

    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3).batch(2))
    TensorSpec(shape=(None,), dtype=tf.int64, name=None)

    Raises:
        TypeError: it is neither a dataset nor an iterator.
    """
    found = getattr(dataset_or_iterator, "element_spec", None)
    if found is None:
        raise TypeError(
            f"a tf.data.Dataset or tf.data.Iterator is wanted, got {type(dataset_or_iterator)}"
        )
    return found


def get_single_element(dataset: DatasetV2) -> Any:
    """`dataset.get_single_element()`: the only element.

    >>> int(tf.data.experimental.get_single_element(tf.data.Dataset.range(7, 8)))
    7

    Raises:
        InvalidArgumentError: there is none, or more than one.
    """
    return dataset.get_single_element()


def get_next_as_optional(iterator: Any) -> Any:
    """`iterator.get_next_as_optional()`: the next element, or an optional without a value at the
    end.

    >>> ended = iter(tf.data.Dataset.range(0))
    >>> bool(tf.data.experimental.get_next_as_optional(ended).has_value())
    False

    Raises:
        AttributeError: it is no iterator of a dataset.
    """
    return iterator.get_next_as_optional()


def save(
    dataset: DatasetV2,
    path: Any,
    compression: str | None = None,
    shard_func: Callable[..., Any] | None = None,
    checkpoint_args: Mapping[str, Any] | None = None,
) -> None:
    """`dataset.save(path, …)`.

    >>> tf.data.experimental.save(tf.data.Dataset.range(2), "two")

    Raises:
        InvalidArgumentError, UnimplementedError, ValueError: as `Dataset.save` does.
    """
    dataset.save(path, compression, shard_func, checkpoint_args)


def load(
    path: Any,
    element_spec: Any = None,
    compression: str | None = None,
    reader_func: Callable[[DatasetV2], DatasetV2] | None = None,
) -> DatasetV2:
    """`Dataset.load(path, …)`.

    >>> tf.data.experimental.save(tf.data.Dataset.range(2), "saved")
    >>> [int(n) for n in tf.data.experimental.load("saved")]
    [0, 1]

    Raises:
        NotFoundError, DataLossError, InvalidArgumentError: as `Dataset.load` does.
    """
    return DatasetV2.load(path, element_spec, compression, reader_func)


def at(dataset: DatasetV2, index: Any) -> Any:
    """Element number `index`. Rows of tensors are taken where they lie; else all elements before
    it are computed.

    >>> int(tf.data.experimental.at(tf.data.Dataset.range(5, 9), 2))
    7

    Raises:
        OutOfRangeError: there are not so many, or it is negative.
        FailedPreconditionError: there are infinitely many.
    """
    specs = structure.flat_specs(dataset.element_spec)
    parts = dataset._use("at", reductions.element_at, (structure.as_int64(index),), specs)
    return structure.packer(dataset.element_spec)(tuple(parts))


def to_variant(dataset: DatasetV2) -> Any:
    """The tensor that stands for a dataset: a scalar of dtype variant.

    >>> tf.data.experimental.to_variant(tf.data.Dataset.range(3)).dtype
    tf.variant

    Raises:
        AttributeError: it is no dataset.
    """
    return dataset.handle


def from_variant(variant: Any, structure: Any) -> DatasetV2:
    """The dataset that a tensor stands for; `structure` describes its elements.

    >>> handle = tf.data.experimental.to_variant(tf.data.Dataset.range(3))
    >>> again = tf.data.experimental.from_variant(handle, tf.TensorSpec([], tf.int64))
    >>> [int(n) for n in again]
    [0, 1, 2]

    Raises:
        InvalidArgumentError (when it is iterated): the elements are not as `structure` says.
    """
    return DatasetV2(variant, structure, "_VariantDataset")


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Transformation:
    """For `Dataset.apply`: the same dataset; there is one device.

    >>> here = tf.data.experimental.copy_to_device("/cpu:0")
    >>> [int(n) for n in tf.data.Dataset.range(3).apply(here)]
    [0, 1, 2]

    Raises:
        ValueError: there is no such device.
    """

    def unmoved(dataset: DatasetV2) -> DatasetV2:
        canonical_device(target_device or "")
        return dataset

    return unmoved


def group_by_reducer(key_func: Callable[..., Any], reducer: grouping.Reducer) -> Transformation:
    """For `Dataset.apply`: what a reducer makes of all elements with equal keys, by their keys.

    key_func: of an element, an int64 scalar. reducer: a `tf.data.experimental.Reducer`.

    >>> longest = tf.data.experimental.Reducer(
    ...     lambda key: np.int64(0), lambda most, n: tf.maximum(most, n), lambda most: most)
    >>> by_parity = tf.data.experimental.group_by_reducer(lambda n: n % 2, longest)
    >>> [int(n) for n in tf.data.Dataset.range(6).apply(by_parity)]
    [4, 5]

    Raises:
        ValueError: the key is no scalar int64.
        TypeError: the next state is built otherwise than the first.
    """

    def grouped(dataset: DatasetV2) -> DatasetV2:
        recipe, captured = grouping.group_by_reducer(dataset.element_spec, key_func, reducer)
        return new_dataset("_GroupByReducerDataset", *recipe, [dataset], captured)

    return grouped


def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: bool | None = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:
    """For `Dataset.apply`: `interleave`. The last three change nothing.

    >>> twice = lambda n: tf.data.Dataset.from_tensors(n).repeat(2)
    >>> both = tf.data.experimental.parallel_interleave(twice, cycle_length=2)
    >>> [int(n) for n in tf.data.Dataset.range(2).apply(both)]
    [0, 1, 0, 1]

    Raises:
        InvalidArgumentError: `cycle_length` or `block_length` is below 1.
        TypeError: `map_func` gives no dataset.
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def pad_to_cardinality(cardinality: Any, mask_key: str = "valid") -> Transformation:
    """For `Dataset.apply`: dicts, followed by dicts of zeros and empty strings until there are
    `cardinality` of them; under `mask_key` they say whether they were there.

    >>> numbers = tf.data.Dataset.range(1, 3).map(lambda n: {"n": n})
    >>> padded = numbers.apply(tf.data.experimental.pad_to_cardinality(3))
    >>> [(int(one["n"]), bool(one["valid"])) for one in padded]
    [(1, True), (2, True), (0, False)]

    Raises:
        ValueError: elements are no dicts; how many there are is not known, or more than that.
    """

    def padded(dataset: DatasetV2) -> DatasetV2:
        spec = dataset.element_spec
        if not isinstance(spec, dict):
            raise ValueError(f"`pad_to_cardinality` pads dicts, not elements {spec}")
        count = int(dataset.cardinality())
        if count < 0 or count > int(cardinality):
            raise ValueError(
                f"`pad_to_cardinality`: a number of elements is wanted that is known and at most "
                f"{cardinality}, got cardinality {count}"
            )
        blanks = tuple(map(blank_component, structure.flat_specs(spec)))
        zeros = DatasetV2.from_tensors(structure.packer(spec)(blanks))
        there, missing = (
            one.map(lambda element, mask=mask: {**element, mask_key: as_tensor(mask)})
            for one, mask in ((dataset, True), (zeros, False))
        )
        return there.concatenate(missing.repeat(int(cardinality) - count))

    return padded


def from_list(elements: list[Any], name: str | None = None) -> DatasetV2:
    """A dataset of the elements of a list, which are built alike.

    A list within an element is a tensor, as everywhere in datasets; sizes may differ.

    >>> [int(n) for n, text in tf.data.experimental.from_list([(1, "a"), (2, "b")])]
    [1, 2]
    >>> [row.numpy().tolist() for row in tf.data.experimental.from_list([[1], [2, 3]])]
    [[1], [2, 3]]

    Raises:
        ValueError: the list is empty or none, or elements are built differently.
    """
    if not isinstance(elements, list):
        raise ValueError(f"`elements` must be a list, got {type(elements).__name__}")
    if not elements:
        raise ValueError("`elements` is empty; tf.data.Dataset.range(0) is a dataset of nothing")
    normalized = [structure.normalized(one) for one in elements]
    specs = [structure.spec_of(one) for one in normalized]
    try:
        spec = reduce(structure.relaxed, specs)
    except TypeError as error:
        raise ValueError(str(error)) from None
    if not structure.are_dense(spec) or any(one != spec for one in specs):
        listed = DatasetV2.from_generator(lambda: normalized, output_signature=spec)
        return listed.apply(assert_cardinality(len(elements)))
    columns = zip(*(structure.components_of(one, spec) for one in normalized), strict=True)
    return DatasetV2.from_tensor_slices(structure.packer(spec)(tuple(map(stack, columns))))


def _as_transformation(method: str, example: str) -> Callable[..., Transformation]:
    """A function of a method's arguments that gives something for `Dataset.apply`."""
    parameters = inspect.signature(getattr(DatasetV2, method)).parameters.values()
    signature = inspect.Signature([one for one in parameters if one.name not in ("self", "name")])

    def transformation(*args: Any, **kwargs: Any) -> Transformation:
        said = signature.bind(*args, **kwargs)
        return lambda dataset: getattr(dataset, method)(*said.args, **said.kwargs)

    transformation.__name__ = method
    transformation.__dict__["__signature__"] = signature
    transformation.__doc__ = (
        f"For `Dataset.apply`: `Dataset.{method}` with these arguments.\n"
        f"{example}\n"
        "    Raises:\n        AttributeError (when it is applied): to what is no dataset.\n"
        f"        Whatever `Dataset.{method}` raises, which is called then.\n    "
    )
    return transformation


bucket_by_sequence_length = _as_transformation(
    "bucket_by_sequence_length",
    """
    >>> rows = tf.data.Dataset.range(1, 5).map(tf.range)
    >>> by_length = tf.data.experimental.bucket_by_sequence_length(tf.size, [3], [2, 2])
    >>> [batch.shape.as_list() for batch in rows.apply(by_length)]
    [[2, 2], [2, 4]]
    """,
)
enumerate_dataset = _as_transformation(
    "enumerate",
    """
    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> numbered = letters.apply(tf.data.experimental.enumerate_dataset(start=5))
    >>> [(int(number), letter.numpy()) for number, letter in numbered]
    [(5, b'a'), (6, b'b')]
    """,
)
group_by_window = _as_transformation(
    "group_by_window",
    """
    >>> by_parity = tf.data.experimental.group_by_window(
    ...     lambda n: n % 2, lambda key, window: window.batch(3), window_size=3
    ... )
    >>> [batch.numpy().tolist() for batch in tf.data.Dataset.range(5).apply(by_parity)]
    [[0, 2, 4], [1, 3]]
    """,
)
ignore_errors = _as_transformation(
    "ignore_errors",
    """
    >>> texts = tf.data.Dataset.from_tensor_slices(["1", "x", "3"])
    >>> numbers = texts.map(lambda text: tf.strings.to_number(text, tf.int32))
    >>> [int(n) for n in numbers.apply(tf.data.experimental.ignore_errors())]
    [1, 3]
    """,
)
scan = _as_transformation(
    "scan",
    """
    >>> sums = tf.data.experimental.scan(np.int64(0), lambda total, n: (total + n, total + n))
    >>> [int(n) for n in tf.data.Dataset.range(5).apply(sums)]
    [0, 1, 3, 6, 10]
    """,
)
take_while = _as_transformation(
    "take_while",
    """
    >>> small = tf.data.experimental.take_while(lambda n: n < 3)
    >>> [int(n) for n in tf.data.Dataset.range(9).apply(small)]
    [0, 1, 2]
    """,
)
rejection_resample = _as_transformation(
    "rejection_resample",
    """
    >>> equal = tf.data.experimental.rejection_resample(lambda n: n % 2, [0.5, 0.5], seed=1)
    >>> [int(kind) for kind, _ in tf.data.Dataset.range(4).apply(equal)]
    [0, 1, 0, 1]
    """,
)
snapshot = _as_transformation(
    "snapshot",
    """
    >>> kept = tf.data.Dataset.range(3).apply(tf.data.experimental.snapshot("numbers"))
    >>> [int(n) for n in kept]
    [0, 1, 2]
    """,
)
unbatch = _as_transformation(
    "unbatch",
    """
    >>> batches = tf.data.Dataset.range(4).batch(3)
    >>> [int(n) for n in batches.apply(tf.data.experimental.unbatch())]
    [0, 1, 2, 3]
    """,
)
unique = _as_transformation(
    "unique",
    """
    >>> numbers = tf.data.Dataset.from_tensor_slices([1, 2, 1])
    >>> [int(n) for n in numbers.apply(tf.data.experimental.unique())]
    [1, 2]
    """,
)


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """For `Dataset.apply`: `map`, then `batch`.

    >>> squares = tf.data.experimental.map_and_batch(lambda n: n * n, 2, drop_remainder=True)
    >>> [batch.numpy().tolist() for batch in tf.data.Dataset.range(5).apply(squares)]
    [[0, 1], [4, 9]]

    Raises:
        ValueError: both `num_parallel_batches` and `num_parallel_calls` are given.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            "map_and_batch takes one of num_parallel_batches and num_parallel_calls, got "
            f"{num_parallel_batches} and {num_parallel_calls}"
        )
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(
        batch_size, drop_remainder
    )


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """For `Dataset.apply`: `shuffle`, then `repeat`.

    >>> twice = tf.data.experimental.shuffle_and_repeat(buffer_size=3, count=2)
    >>> sorted(int(n) for n in tf.data.Dataset.range(3).apply(twice))
    [0, 0, 1, 1, 2, 2]

    Raises:
        InvalidArgumentError: `buffer_size` is not positive.
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def prefetch_to_device(device: str, buffer_size: Any = None) -> Transformation:
    """For `Dataset.apply`: `prefetch`; there is one device.

    >>> ahead = tf.data.experimental.prefetch_to_device("/CPU:0", buffer_size=1)
    >>> [int(n) for n in tf.data.Dataset.range(3).apply(ahead)]
    [0, 1, 2]

    Raises:
        ValueError: there is no such device.
        InvalidArgumentError: `buffer_size` is below -1.
    """

    def ahead(dataset: DatasetV2) -> DatasetV2:
        canonical_device(device or "")
        return dataset.prefetch(-1 if buffer_size is None else buffer_size)

    return ahead


def choose_from_datasets(
    datasets: Sequence[DatasetV2], choice_dataset: DatasetV2, stop_on_empty_dataset: bool = False
) -> DatasetV2:
    """`Dataset.choose_from_datasets`, which goes on where a dataset has ended.

    >>> both = [tf.data.Dataset.range(1), tf.data.Dataset.range(10, 12)]
    >>> choice = tf.data.Dataset.range(4).map(lambda n: n % 2)
    >>> [int(n) for n in tf.data.experimental.choose_from_datasets(both, choice)]
    [0, 10, 11]

    Raises:
        TypeError: as `Dataset.choose_from_datasets` does.
    """
    return DatasetV2.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


sample_from_datasets = DatasetV2.sample_from_datasets
Counter = DatasetV2.counter


@at_home_in("tensorflow.python.data.experimental.ops.random_ops", "RandomDatasetV2")
class RandomDataset(DatasetV2):
    """`Dataset.random`: random integers below 2**32, without end.

    >>> len(list(tf.data.experimental.RandomDataset(seed=1).take(3)))
    3
    """

    def __init__(
        self, seed: Any = None, rerandomize_each_iteration: bool | None = None, name: Any = None
    ) -> None:
        self._take_over(DatasetV2.random(seed, rerandomize_each_iteration))
