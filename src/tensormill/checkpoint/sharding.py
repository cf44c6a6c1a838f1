"""Checkpoints of several data files: who says which tensor, or part of one, lies in which."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from ..core.device_specs import DeviceSpec
from ..core.dtypes import DType, string
from ..core.shapes import TensorShape
from ..eager.convert import convert_to_tensor
from ..errors import InvalidArgumentError
from ..formats.bundle_writer import Piece
from ..formats.slice_keys import Extent
from ..graph.payload import payload_of

# For each data file: the parts of tensors in it, by key and by which part; "" is all of a tensor.
Shards = Sequence[Mapping[str, Mapping[str, Any]]]

_HERE: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
_SPEC: Final = re.compile(r"(?P<shape>(\d+ )+)(?P<extents>\d+,\d+(:\d+,\d+)*)\Z")


@dataclass(frozen=True)
class ShardableTensor:
    """A tensor that a checkpoint has, as a `ShardingCallback` is given it.

    `slice_spec` is "" for a whole tensor; `checkpoint_key` is its name in the file, `trackable` the
    object that has it, or None.
    """

    _tensor_save_spec: Any
    tensor: Any
    dtype: DType
    device: Any
    name: str
    shape: TensorShape
    slice_spec: str
    checkpoint_key: str
    trackable: Any


class ShardingCallback(ABC):
    """Base of what says how `tf.train.Checkpoint` divides its tensors among data files."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it does, in words."""

    @abstractmethod
    def __call__(self, shardable_tensors: Sequence[ShardableTensor]) -> Shards:
        """For each data file: tensors by their key and slice.

        A slice is "" for all of a tensor, else its shape and then (start, length) of each axis:
        "10 4 0,5:0,4" are the first 5 of 10 rows.
        """


class ShardByTaskPolicy(ShardingCallback):
    """A data file for each task of a program: one, where there is one process.

    >>> tf.train.experimental.ShardByTaskPolicy().description
    'Divides tensors by the task whose device has them.'
    """

    @property
    def description(self) -> str:
        return "Divides tensors by the task whose device has them."

    def __call__(self, shardable_tensors: Sequence[ShardableTensor]) -> Shards:
        found: dict[Any, dict[str, dict[str, Any]]] = {}
        for one in shardable_tensors:
            place = one.device.job, one.device.replica, one.device.task
            found.setdefault(place, {}).setdefault(one.checkpoint_key, {})[one.slice_spec] = (
                one.tensor
            )
        return list(found.values())


class MaxShardSizePolicy(ShardingCallback):
    """Data files of at most so many bytes; tensors that are larger are cut.

    Strings are not cut: a file that has them may be larger.

    >>> v = tf.Variable(tf.zeros([100]))
    >>> options = tf.train.CheckpointOptions(
    ...     experimental_sharding_callback=tf.train.experimental.MaxShardSizePolicy(160)
    ... )
    >>> path = tf.train.Checkpoint(v=v).save("sharded", options)
    >>> len(tf.io.gfile.glob("sharded-1.data-*")) >= 3
    True
    """

    class MaxShardSizePartitioner:
        """Divides tensors: what the policy does, for callbacks of one's own.

        >>> part = tf.train.experimental.MaxShardSizePolicy.MaxShardSizePartitioner()
        >>> class Halves(tf.train.experimental.ShardingCallback):
        ...     description = "files of 8 bytes"
        ...     def __call__(self, shardable_tensors):
        ...         return part.get_shards(8, shardable_tensors)
        >>> options = tf.train.CheckpointOptions(experimental_sharding_callback=Halves())
        >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0])).write("halves", options)
        >>> tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE")
        array([1., 2., 3.], dtype=float32)
        """

        def get_shards(
            self, max_shard_size: int, shardable_tensors: Sequence[ShardableTensor]
        ) -> Shards:
            """The parts of tensors by file, key and slice.

            Raises:
                InvalidArgumentError: one element of a tensor is larger than a file may be.
            """
            return _filled(max_shard_size, shardable_tensors)

    def __init__(self, max_shard_size: int) -> None:
        self.max_shard_size = max_shard_size

    @property
    def description(self) -> str:
        return f"Fills data files up to {self.max_shard_size} bytes."

    def __call__(self, shardable_tensors: Sequence[ShardableTensor]) -> Shards:
        """Raises:
        InvalidArgumentError: one element of a tensor is larger than a file may be.
        """
        return _filled(self.max_shard_size, shardable_tensors)


def _filled(most: int, shardable_tensors: Sequence[ShardableTensor]) -> Shards:
    shards: list[dict[str, dict[str, Any]]] = [{}]
    left = most
    for one in shardable_tensors:
        kind = object if one.dtype == string else None
        array = np.asarray(payload_of(convert_to_tensor(one.tensor)), kind)
        for extents in _cut(array, left, most, one):
            places = tuple([slice(start, start + length) for start, length in extents])
            part = array[places] if places else array
            bytes_of = _bytes_of(part)
            if bytes_of > left and shards[-1]:
                shards.append({})
                left = most
            left -= bytes_of
            name = "" if part.shape == array.shape else _text(array.shape, extents)
            shards[-1].setdefault(one.checkpoint_key, {})[name] = part
    return shards


def _cut(array: Any, left: int, most: int, one: ShardableTensor) -> Iterator[tuple[Extent, ...]]:
    whole = tuple([(0, size) for size in array.shape])
    if array.dtype.kind == "O" or array.nbytes <= max(left, 0):
        yield whole
        return
    if array.itemsize > most:
        raise InvalidArgumentError(
            f"{one.checkpoint_key}: one element has {array.itemsize} bytes, but a shard may "
            f"have {most}"
        )
    yield from _cut_up(whole, array.itemsize, left, most)


def _cut_up(
    extents: tuple[Extent, ...], itemsize: int, left: int, most: int
) -> Iterator[tuple[Extent, ...]]:
    """Smaller parts of a part: the first fits into `left` bytes if it can, all fit into `most`."""
    lengths = [length for _, length in extents]
    total = prod(lengths) * itemsize
    if total <= left or (total <= most and not lengths):
        yield extents
        return
    axis = int(np.argmax(lengths)) if lengths else 0
    each = total // lengths[axis] if lengths else total
    if not lengths or (each > most and max(lengths) == 1):
        yield extents
        return
    start, end = extents[axis][0], sum(extents[axis])
    room = left
    while start < end:
        count = min(max(room // each, 1 if room == most else 0), end - start)
        if count:
            part = (*extents[:axis], (start, count), *extents[axis + 1 :])
            yield from [part] if each <= most else _cut_up(part, itemsize, room, most)
        start, room = start + count, most


def _bytes_of(array: Any) -> int:
    return sum(map(len, array.reshape(-1))) if array.dtype.kind == "O" else array.nbytes


def _text(shape: Sequence[int], extents: Sequence[Extent]) -> str:
    sizes = "".join(f"{size} " for size in shape)
    return sizes + ":".join(f"{start},{length}" for start, length in extents)


def require_callback(callback: Any) -> None:
    """Refuse what says nothing about files.

    Raises:
        ValueError: it is no `ShardingCallback`.
    """
    if callback is not None and not isinstance(callback, ShardingCallback):
        raise ValueError(
            "experimental_sharding_callback must be a tf.train.experimental.ShardingCallback, not "
            f"{callback!r}: derive a class from that"
        )


def shards_of(callback: ShardingCallback, arrays: Mapping[str, Any]) -> list[list[Piece]]:
    """The data files that `callback` wants of the tensors of a checkpoint.

    Raises:
        InvalidArgumentError: it wants none, or a part that is no part of a tensor.
    """
    told = callback([_shardable(key, value) for key, value in sorted(arrays.items())])
    shards = [
        [_piece(key, spec, value) for key, parts in shard.items() for spec, value in parts.items()]
        for shard in told
    ]
    shards = [one for one in shards if one]
    if not shards:
        raise InvalidArgumentError(
            f"{type(callback).__name__} put no tensor into any file: at least one is needed"
        )
    return shards


def _shardable(key: str, value: Any) -> ShardableTensor:
    tensor = convert_to_tensor(value)
    place = DeviceSpec.from_string(_HERE)
    return ShardableTensor(None, tensor, tensor.dtype, place, key, tensor.shape, "", key, None)


def _piece(key: str, spec: str, value: Any) -> Piece:
    array = payload_of(convert_to_tensor(value)) if not isinstance(value, np.ndarray) else value
    if not spec:
        return Piece(key, array)
    found = _SPEC.match(spec)
    shape = tuple(map(int, found["shape"].split())) if found else ()
    pairs = found["extents"].split(":") if found else []
    extents = tuple([(int(start), int(length)) for start, length in (p.split(",") for p in pairs)])
    if tuple([length for _, length in extents]) != np.shape(array) or len(shape) != len(extents):
        raise InvalidArgumentError(
            f"{key}: the slice {spec!r} does not describe a part of shape {np.shape(array)}; it is "
            "written as '10 4 0,5:0,4' for the first 5 of 10 rows"
        )
    return Piece(key, array, shape, extents)
