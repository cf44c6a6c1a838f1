"""Datasets of parsed examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core import dtypes
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ...ops.records.examples import parse_example
from ..dataset import AUTOTUNE, DatasetV2
from ..files import TFRecordDataset
from .pipelines import files_matching, shuffled_and_repeated

Transformation = Callable[[DatasetV2], DatasetV2]


def parse_example_dataset(
    features: Mapping[Any, Any], num_parallel_calls: Any = 1, deterministic: Any = None
) -> Transformation:
    """For `Dataset.apply`: batches of serialized examples, parsed by `tf.io.parse_example`.

    features: a dict; what a key's feature is made of. num_parallel_calls, deterministic: as `map`
    has them.

    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": feature}))
    >>> texts = tf.data.Dataset.from_tensors([example.SerializeToString()])
    >>> wanted = {"x": tf.io.FixedLenFeature([], tf.int64)}
    >>> parsed = texts.apply(tf.data.experimental.parse_example_dataset(wanted))
    >>> parsed.get_single_element()["x"].numpy()
    array([5])

    Raises:
        ValueError (when applied): there are no features.
        TypeError (when applied): the elements are no string vectors.
    """

    def parsed(dataset: DatasetV2) -> DatasetV2:
        if not features:
            raise ValueError("Argument `features` should not be empty.")
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or not spec.is_compatible_with(STRINGS):
            raise TypeError(
                f"Input dataset should be a dataset of vectors of strings. Instead it is {spec}."
            )
        return dataset.map(
            lambda batch: parse_example(batch, features), num_parallel_calls, deterministic
        )

    return parsed


STRINGS = TensorSpec((None,), dtypes.string)


@shallow
def make_batched_features_dataset(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[Any, Any],
    reader: Any = None,
    label_key: Any = None,
    reader_args: Sequence[Any] | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    reader_num_threads: int | None = None,
    parser_num_threads: int | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> DatasetV2:
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
        InvalidArgumentError: no file matches.
    """
    if label_key is not None and label_key not in features:
        raise ValueError(
            f"The `label_key` provided ({label_key!r}) must be one of the `features` keys: "
            f"{list(features)}."
        )
    try:
        names = files_matching(file_pattern)
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from None
    make = TFRecordDataset if reader is None else reader
    files = DatasetV2.from_tensor_slices(names)
    if shuffle:
        files = files.shuffle(len(names), shuffle_seed)
    found = files.interleave(
        lambda name: make(name, *(reader_args or ())), cycle_length=reader_num_threads or 1,
        block_length=1,
    )  # fmt: skip
    if isinstance(found.element_spec, tuple) and len(found.element_spec) == 2:
        found = found.map(lambda _, value: value)
    found = shuffled_and_repeated(found, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    batches = found.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    parsed = batches.apply(parse_example_dataset(features))
    if label_key is not None:
        parsed = parsed.map(lambda batch: _apart(batch, label_key))
    return parsed.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _apart(batch: dict[Any, Any], label: Any) -> tuple[dict[Any, Any], Any]:
    rest = dict(batch)
    return rest, rest.pop(label)
