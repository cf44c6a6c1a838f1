"""`tf.data.experimental.TFRecordWriter`: datasets written into files of records."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.files import gfile
from ...core.specs import TensorSpec
from ..dataset import DatasetV2
from .record_files import TFRecordWriter


class DatasetRecordWriter:
    """Writes the elements of a dataset into a TFRecord file.

    filename: a string. compression_type: "GZIP", "ZLIB" or "" (none).

    >>> words = tf.data.Dataset.from_tensor_slices(["one", "two"])
    >>> tf.data.experimental.TFRecordWriter("words.tfrecord").write(words)
    >>> [word.numpy() for word in tf.data.TFRecordDataset("words.tfrecord")]
    [b'one', b'two']
    """

    def __init__(self, filename: Any, compression_type: str | None = None) -> None:
        self._filename, self._compression = gfile.text(filename), compression_type

    def write(self, dataset: DatasetV2) -> None:
        """Write a whole pass over a dataset of string scalars; what was in the file is replaced.

        Raises:
            TypeError: it is no dataset, or one of other elements.
        """
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"Expected a dataset, got {type(dataset).__name__}")
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or not TensorSpec((), dtypes.string).is_compatible_with(
            spec
        ):
            raise TypeError(f"Expected a dataset of string scalars, got elements {spec}")
        with TFRecordWriter(self._filename, self._compression) as writer:
            for record in dataset:
                writer.write(record.numpy())
