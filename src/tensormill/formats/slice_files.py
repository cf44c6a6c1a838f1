"""Checkpoints in TensorFlow's first format: files of named parts of tensors.

A file is a sorted table of SavedTensorSlices: under the empty key what parts there are, and each of
them under its `slice_key`. A checkpoint is all files that a pattern finds; parts lie in any.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np
from google.protobuf.message import DecodeError

from ..core import dtypes
from ..core.dtypes import DType, of_storage
from ..core.files import gfile
from ..core.files.atomic import replacing
from ..core.files.folders import make_folders
from ..core.files.gfile import text, translated
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..errors import DataLossError, InvalidArgumentError, NotFoundError, UnimplementedError
from ..graph.proto.messages import message
from ..graph.proto.values import listed, with_listed
from .data_files import index_name
from .slice_keys import Extent, slice_key
from .sorted_table import read_table, write_table
from .tensor_bundle import BundleReader

Array = np.ndarray[Any, Any]
Extents = tuple[Extent, ...]

_VERSION: Final = 1
_MOST_AXES: Final = 64  # NumPy's limit
_KEPT: Final = frozenset([
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32,
    dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.bool_, dtypes.string, dtypes.complex64,
    dtypes.complex128, dtypes.qint8, dtypes.quint8, dtypes.qint32,
])  # fmt: skip


class SavedPart(NamedTuple):
    """An array to write: the part `extents` of a tensor of a shape, (0, -1) for a whole axis."""

    name: str
    shape: tuple[int, ...]
    extents: Extents
    array: Array


# ---- writing


def write_slices(path: str, parts: Sequence[SavedPart]) -> None:
    """Write a file of these parts.

    Raises:
        InvalidArgumentError: two are called the same, or are of several shapes.
        UnimplementedError: the format has no such dtype.
    """
    header = message("SavedTensorSlices")()
    header.meta.versions.producer = _VERSION
    entries: dict[bytes, bytes] = {}
    known: dict[str, Any] = {}
    for part in parts:
        _note(header.meta, known, part)
        key = slice_key(part.name, part.extents)
        if key in entries:
            raise InvalidArgumentError(f"the tensor '{part.name}' is to be saved twice")
        entries[key] = _entry(part)
    make_folders(os.path.dirname(path) or os.curdir)
    with replacing(path) as file:
        write_table(file, {b"": header.SerializeToString()} | entries)


def _note(meta: Any, known: dict[str, Any], part: SavedPart) -> None:
    """Say of a part where it lies."""
    dtype = of_storage(part.array.dtype)
    if dtype not in _KEPT:
        raise UnimplementedError(f"Saving data type {dtype.name} not yet supported")
    found = known.get(part.name)
    if found is None:
        found = known[part.name] = meta.tensor.add(name=part.name, type=dtype.as_datatype_enum)
        found.shape.SetInParent()
        for size in part.shape:
            found.shape.dim.add(size=size)
    if (found.type, [one.size for one in found.shape.dim]) != (
        dtype.as_datatype_enum,
        list(part.shape),
    ):
        raise InvalidArgumentError(f"parts of '{part.name}' are of several shapes or dtypes")
    _say(found.slice.add(), part.extents)


def _say(proto: Any, extents: Extents) -> None:
    for start, length in extents:
        extent = proto.extent.add()
        if length >= 0:  # else it is the whole axis
            extent.start, extent.length = start, length


def _entry(part: SavedPart) -> bytes:
    made = message("SavedTensorSlices")()
    made.data.name = part.name
    _say(made.data.slice, part.extents)
    made.data.slice.SetInParent()
    made.data.data.CopyFrom(with_listed(part.array))
    return made.SerializeToString()


# ---- reading


class Stored(NamedTuple):
    """What is known of a tensor: its parts with the number of the file that has them."""

    shape: tuple[int, ...]
    dtype: DType
    parts: dict[Extents, int]


class SliceReader:
    """The tensors of the files that a pattern finds, as `BundleReader` gives those of bundles.

    Raises:
        NotFoundError: there are no such files.
        DataLossError: one of them is damaged, or no such file.
    """

    def __init__(self, pattern: str, within: Sequence[str] = ()) -> None:
        """`within` are the directories in which the files may be; none: anywhere."""
        self.prefix = text(pattern)
        self._paths = [gfile.confined(one, within, writes=False) for one in files_of(self.prefix)]
        if not self._paths:
            raise NotFoundError(
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files "
                f"for {self.prefix}"
            )
        self._tables = [_table(path) for path in self._paths]
        self._stored: dict[str, Stored] = {}
        for number, path in enumerate(self._paths):
            for one in _parsed(self._tables[number], b"", path).meta.tensor:
                self._add(one, number, path)

    def _add(self, proto: Any, number: int, path: str) -> None:
        shape = tuple([dim.size for dim in proto.shape.dim])
        dtype = dtypes.BY_ENUM.get(proto.type)
        if min(shape, default=0) < 0 or len(shape) > _MOST_AXES or dtype is None:
            raise DataLossError(f"{path}: '{proto.name}' has no shape and dtype that are known")
        if dtype not in _KEPT:
            raise UnimplementedError(f"{path}: '{proto.name}' is of dtype {dtype.name}")
        found = self._stored.setdefault(proto.name, Stored(shape, dtype, {}))
        if found[:2] != (shape, dtype):
            raise DataLossError(f"{path}: '{proto.name}' is of another shape or dtype elsewhere")
        for part in proto.slice:
            extents = tuple([
                (one.start, one.length if one.HasField("length") else -1) for one in part.extent
            ])  # fmt: skip
            if extents in found.parts:
                raise DataLossError(f"{path}: the part {extents} of '{proto.name}' is there twice")
            found.parts[extents] = number

    def keys(self) -> list[str]:
        """The tensors' names, sorted."""
        return sorted(self._stored)

    def __contains__(self, key: str) -> bool:
        return key in self._stored

    def spec(self, key: str) -> TensorSpec:
        """Shape and dtype of a tensor.

        Raises:
            NotFoundError: there is none of that name.
        """
        found = self._of(key)
        return TensorSpec(TensorShape(found.shape), found.dtype)

    def _of(self, key: str) -> Stored:
        if key not in self:
            raise NotFoundError(f'Tensor name "{key}" not found in checkpoint files {self.prefix}')
        return self._stored[key]

    def read(self, key: str) -> Array:
        """A tensor's value; strings are `bytes` objects."""
        return self.read_part(key, (slice(None),) * len(self._of(key).shape))

    def read_part(self, key: str, spans: tuple[slice, ...]) -> Array:
        """A part of a tensor: a slice of each axis.

        Raises:
            NotFoundError: there is none of that name.
            InvalidArgumentError: the files have not all of it.
            DataLossError: what is stored was changed.
        """
        found = self._of(key)
        axes = [range(size)[one] for one, size in zip(spans, found.shape, strict=True)]
        wanted = tuple([(axis.start, len(axis)) for axis in axes])
        pieces = [piece for one in found.parts if (piece := self._piece(key, found, one, wanted))]
        covered = sum([array.size for _, array in pieces])
        sizes = [length for _, length in wanted]
        if covered != prod(sizes):
            raise InvalidArgumentError(
                f"Error copying slice data: the files have {covered} of the {prod(sizes)} elements "
                f"of '{key}'"
            )
        made = np.empty(sizes, found.dtype.storage)
        filled = np.zeros(sizes, np.bool_)
        for place, array in pieces:
            if filled[place].any():
                raise DataLossError(f"{self.prefix}: parts of '{key}' lie over each other")
            made[place], filled[place] = array, True
        return made

    def _piece(self, key: str, found: Stored, extents: Extents, wanted: Extents) -> Any:
        """What a part has of what is wanted, and where that lies there; None: nothing."""
        if len(extents) != len(found.shape):
            raise DataLossError(f"{self.prefix}: a part of '{key}' has {len(extents)} axes")
        spans = [
            (0, size) if length < 0 else (start, start + length)
            for (start, length), size in zip(extents, found.shape, strict=True)
        ]
        own, place = list[slice](), list[slice]()
        for (start, stop), (first, length) in zip(spans, wanted, strict=True):
            low, high = max(start, first), min(stop, first + length)
            if low >= high and length:
                return None
            own.append(slice(low - start, high - start))
            place.append(slice(low - first, high - first))
        array = self._array(key, found, extents, tuple([stop - start for start, stop in spans]))
        return (*place, ...), array[(*own, ...)]  # of no axes, too, not the element itself

    def _array(self, key: str, found: Stored, extents: Extents, sizes: tuple[int, ...]) -> Array:
        number = found.parts[extents]
        path = self._paths[number]
        proto = _parsed(self._tables[number], slice_key(key, extents), path).data.data
        elements = listed(proto, found.dtype)
        if len(elements) != prod(sizes):
            raise DataLossError(
                f"{path}: a part of '{key}' has {len(elements)} elements, not {prod(sizes)}"
            )
        return elements.reshape(sizes)


def _table(path: str) -> dict[bytes, bytes]:
    with translated(path), open(path, "rb") as file:
        data = file.read()
    try:
        return read_table(data)
    except DataLossError as error:
        raise DataLossError(f"{path} is no checkpoint of the first format: {error}") from None


def _parsed(table: dict[bytes, bytes], key: bytes, path: str) -> Any:
    try:
        return message("SavedTensorSlices").FromString(table[key])
    except KeyError:
        raise DataLossError(f"{path} has no entry {key!r}") from None
    except DecodeError as error:
        raise DataLossError(f"{path}: the entry {key!r} is damaged: {error}") from None


def files_of(pattern: str) -> list[str]:
    """The files that a pattern finds, sorted."""
    return sorted([one for one in gfile.glob(pattern) if os.path.isfile(one)])


def reader_of(prefix: str, within: Sequence[str] = ()) -> BundleReader | SliceReader:
    """What reads the checkpoint of a prefix, or the files of the first format that it finds."""
    path = gfile.confined(prefix, within, writes=False)
    is_bundle = os.path.isfile(index_name(path)) or not files_of(path)
    return BundleReader(path) if is_bundle else SliceReader(path, within)
