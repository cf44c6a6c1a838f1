"""The methods of `Dataset` about files: elements are kept in some, names of others are elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from .base import DatasetBase

if TYPE_CHECKING:
    from .dataset import DatasetV2


class FileMethods(DatasetBase):
    """Abstract: `DatasetV2` says by `_then` what comes of a dataset."""

    def save(
        self,
        path: Any,
        compression: str | None = None,
        shard_func: Callable[..., Any] | None = None,
        checkpoint_args: Mapping[str, Any] | None = None,
    ) -> None:
        """Write all elements into the folder `path`, in TensorFlow's format.

        compression: "GZIP", "ZLIB", "SNAPPY" or None. shard_func: of an element, the number of the
        shard that it goes to, an int64 scalar; there is one shard otherwise. checkpoint_args: the
        arguments of a `tf.train.CheckpointManager`, but `checkpoint`: every `checkpoint_interval`
        elements it is noted how far this is, and a second call goes on from there.

        >>> tf.data.Dataset.range(3).save("three")
        >>> [int(n) for n in tf.data.Dataset.load("three")]
        [0, 1, 2]

        Raises:
            InvalidArgumentError: an unknown compression; `shard_func` gives something else.
            UnimplementedError: a component of elements is a dataset.
            ValueError: `checkpoint_args` has 'checkpoint'.
        """
        from .snapshots.saved_datasets import save

        save(cast("DatasetV2", self), path, compression, shard_func, checkpoint_args)

    @staticmethod
    def load(
        path: Any,
        element_spec: Any = None,
        compression: str | None = None,
        reader_func: Callable[[DatasetV2], DatasetV2] | None = None,
        wait: bool = False,
    ) -> DatasetV2:
        """The elements that `save` wrote, here or in TensorFlow.

        element_spec: what describes them, where the folder is not to say so. compression: as it was
        saved. reader_func: makes the dataset of elements of one of shards, which are datasets;
        otherwise as many shards as there are cores are read in turn. wait: until somebody has saved
        something there.

        >>> tf.data.Dataset.range(4).save("four", shard_func=lambda n: n % 2)
        >>> by_shard = lambda shards: shards.flat_map(lambda shard: shard)
        >>> [int(n) for n in tf.data.Dataset.load("four", reader_func=by_shard)]
        [0, 2, 1, 3]

        Raises:
            NotFoundError: nothing was saved there.
            DataLossError: it was not saved to its end; (in the pass) a file is missing, damaged or
                of another compression.
            InvalidArgumentError: an unknown compression; `reader_func` gives no such dataset; (in
                the pass) the elements are not what `element_spec` says.
        """
        from .snapshots.saved_datasets import load

        return load(path, element_spec, compression, reader_func, wait)

    def snapshot(
        self,
        path: Any,
        compression: str | None = "AUTO",
        reader_func: Callable[[DatasetV2], DatasetV2] | None = None,
        shard_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> DatasetV2:
        """The elements, written into a folder in the first whole pass, and read from there later,
        by other processes as well: a dataset that is made alike (`fingerprint`) finds them.

        compression: "GZIP", "ZLIB", "SNAPPY" (and "AUTO") or None. shard_func, reader_func: as for
        `save` and `load`; otherwise elements take turns in as many shards as there are cores.

        >>> squares = tf.data.Dataset.range(3).map(lambda n: n * n).snapshot("kept")
        >>> [[int(n) for n in squares] for _ in range(2)]  # computed, then read
        [[0, 1, 4], [0, 1, 4]]

        Raises:
            InvalidArgumentError, UnimplementedError, DataLossError: as for `save` and `load`.
        """
        from .snapshots.saved_datasets import snapshot

        return snapshot(cast("DatasetV2", self), path, compression, reader_func, shard_func)

    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: Any = None, seed: Any = None, name: str | None = None
    ) -> DatasetV2:
        """The names of the files that match, in a random order unless `shuffle` is False.

        >>> for name in ('listed-1', 'listed-2'):
        ...     tf.io.write_file(name, '')
        >>> [name.numpy() for name in tf.data.Dataset.list_files('listed-*', shuffle=False)]
        [b'./listed-1', b'./listed-2']
        """
        from .files import list_files

        return list_files(file_pattern, shuffle, seed)
