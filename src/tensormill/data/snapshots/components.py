"""Elements of datasets as the records of a file: one TensorProto for each tensor.

A ragged or sparse tensor is one record: a variant tensor of messages that hold its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.files.varints import varint
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.text import strings_in
from ...core.type_spec import LeafSpec
from ...eager.tensor import wrap
from ...errors import DataLossError, InvalidArgumentError, UnimplementedError
from ...graph.proto.messages import DecodeError, message
from ...graph.proto.values import (
    array_of,
    contiguous_array,
    shape_proto,
    string_list,
    strings_from,
    tensor_proto,
)
from ...ops.ragged.ragged_tensor import RaggedTensorSpec
from ..composites import atoms_of
from ..nodes.node import Array, Element

# TensorFlow's names of what is in variant tensors.
RAGGED: Final = "RaggedTensorVariant"
TENSOR: Final = "tensorflow::Tensor"
_CONTENT: Final = b"\x22"  # the tag of TensorProto.tensor_content
_SPARSE_PARTS: Final = 3


class Codec:
    """Makes records of the elements that `spec` describes, and elements of records.

    Raises:
        UnimplementedError: a component is a dataset, or something else without values.
    """

    def __init__(self, spec: Any) -> None:
        self._coders = [_coder(atom) for atom in atoms_of(spec)]
        self.dtypes: Final = [one.dtype.as_datatype_enum for one in self._coders]

    def records(self, element: Element) -> list[bytes]:
        """One record for each tensor of an element."""
        rest = iter([one._array for one in element])
        return [coder.record([next(rest) for _ in range(coder.size)]) for coder in self._coders]

    def elements(self, records: Iterator[bytes], name: str) -> Iterator[Element]:
        """The elements in the records of the file `name`.

        Raises:
            DataLossError: a record is no message, or the last element is not whole.
            InvalidArgumentError: it holds other tensors than the spec says.
        """
        while (first := next(records, None)) is not None:
            arrays: list[Array] = []
            record: bytes | None = first
            for place, coder in enumerate(self._coders):
                record = record if place == 0 else next(records, None)
                if record is None:
                    raise DataLossError(f"{name}: the last element has {place} of its tensors")
                arrays += coder.arrays(record, place, name)
            yield tuple(map(wrap, arrays))


def _coder(atom: Any) -> Any:
    if isinstance(atom, RaggedTensorSpec):
        return _Ragged(atom)
    if not isinstance(atom, LeafSpec):
        return _Sparse(atom)
    if not isinstance(atom, TensorSpec):
        raise UnimplementedError(f"a dataset with the component {atom!r} cannot be saved in files")
    return _Dense(atom)


def _parsed(kind: str, record: bytes, name: str) -> Any:
    try:
        return message(kind).FromString(record)
    except DecodeError as error:
        raise DataLossError(f"{name}: a record that is no {kind}: {error}") from None


class _Dense:
    """A tensor: a header that says dtype and shape, then its bytes."""

    size: Final = 1

    def __init__(self, spec: TensorSpec) -> None:
        self._spec, self.dtype = spec, spec.dtype
        self._headers: dict[tuple[int, ...], bytes] = {}
        # What the last record began with, and the shape that it had.
        self._last: tuple[bytes, tuple[int, ...]] = (b"", ())

    def record(self, parts: Sequence[Array]) -> bytes:
        (array,) = parts
        if self.dtype is dtypes.string:
            content = string_list(strings_in(array))
        else:
            content = array.tobytes()
        header = self._header(array.shape)
        return header + _CONTENT + varint(len(content)) + content if content else header

    def _header(self, shape: tuple[int, ...]) -> bytes:
        header = self._headers.get(shape)
        if header is None:
            proto = message("TensorProto")(dtype=self.dtype.as_datatype_enum)
            proto.tensor_shape.SetInParent()
            proto.tensor_shape.CopyFrom(shape_proto(TensorShape(shape)))
            header = self._headers[shape] = proto.SerializeToString()
        return header

    def arrays(self, record: bytes, place: int, name: str) -> list[Array]:
        start, shape = self._last
        if start and record.startswith(start):
            numbers = np.frombuffer(record, self.dtype.storage, offset=len(start))
            return [numbers.reshape(shape).copy()]
        array = self.checked(_parsed("TensorProto", record, name), place, name)
        self._remember(record, array)
        return [array]

    def checked(self, proto: Any, place: int, name: str) -> Array:
        if proto.dtype != self.dtype.as_datatype_enum:
            raise InvalidArgumentError(
                f"{name}: component {place} of the elements is {self.dtype.name}, as told by the "
                f"element_spec, and has the dtype number {proto.dtype} in the file"
            )
        array = contiguous_array(array_of(proto))
        if not self._spec.shape.is_compatible_with(array.shape):
            raise InvalidArgumentError(
                f"{name}: component {place} of the elements is of the shape {self._spec.shape}, as "
                f"told by the element_spec, and of {array.shape} in the file"
            )
        return array

    def _remember(self, record: bytes, array: Array) -> None:
        """Numbers of the same shape, one after the other, are what most files consist of."""
        size = prod(array.shape) * array.itemsize
        if self.dtype in (dtypes.string, dtypes.bool_) or not size:
            return
        start = self._header(array.shape) + _CONTENT + varint(size)
        if record.startswith(start) and len(record) == len(start) + size:
            self._last = start, array.shape


class _Variant:
    """Abstract: tensors in the messages of a variant tensor."""

    dtype: Final = dtypes.variant

    def _record(self, shape: Sequence[int], messages: Sequence[Any]) -> bytes:
        proto = message("TensorProto")(dtype=self.dtype.as_datatype_enum)
        proto.tensor_shape.SetInParent()
        proto.tensor_shape.CopyFrom(shape_proto(TensorShape(shape)))
        proto.tensor_content = string_list([one.SerializeToString() for one in messages])
        return proto.SerializeToString()

    def _messages(self, record: bytes, count: int, kind: str, name: str) -> list[Any]:
        """The messages of this kind in a variant tensor of so many."""
        proto = _parsed("TensorProto", record, name)
        if proto.dtype != self.dtype.as_datatype_enum:
            raise InvalidArgumentError(
                f"{name}: a ragged or sparse tensor was expected, and there is a tensor with the "
                f"dtype number {proto.dtype}"
            )
        texts = strings_from(proto.tensor_content, count)
        found = [_parsed("VariantTensorDataProto", text, name) for text in texts.tolist()]
        if {one.type_name for one in found} - {kind}:
            raise InvalidArgumentError(f"{name}: a {kind} was expected, not {found[0].type_name!r}")
        return found


def _variant(kind: str, arrays: Sequence[Array]) -> Any:
    return message("VariantTensorDataProto")(
        type_name=kind, tensors=[tensor_proto(array) for array in arrays]
    )


class _Ragged(_Variant):
    """The rows' splits, from the outermost on, and then the values."""

    def __init__(self, spec: RaggedTensorSpec) -> None:
        self._parts = _part_specs(spec)
        self.size = len(self._parts)

    def record(self, parts: Sequence[Array]) -> bytes:
        return self._record((), [_variant(RAGGED, [*parts[1:], parts[0]])])

    def arrays(self, record: bytes, place: int, name: str) -> list[Array]:
        (found,) = self._messages(record, 1, RAGGED, name)
        tensors = found.tensors
        if len(tensors) != self.size:
            raise InvalidArgumentError(
                f"{name}: a ragged tensor of {self.size - 1} ragged axes was expected, not of "
                f"{len(tensors) - 1}"
            )
        parts = _read_parts(self._parts, [tensors[-1], *tensors[:-1]], place, name)
        values, *splits = parts
        counts = [*[len(rows) - 1 for rows in splits[1:]], len(values)]
        for rows, count in zip(splits, counts, strict=False):  # without splits, none
            if not len(rows) or rows[0] != 0 or rows[-1] != count or (np.diff(rows) < 0).any():
                raise InvalidArgumentError(f"{name}: the rows of a ragged tensor end at {rows}")
        return parts


class _Sparse(_Variant):
    """Indices, values, and the dense shape, each in a message of its own."""

    size: Final = _SPARSE_PARTS

    def __init__(self, spec: Any) -> None:
        self._parts = _part_specs(spec)

    def record(self, parts: Sequence[Array]) -> bytes:
        return self._record((self.size,), [_variant(TENSOR, [one]) for one in parts])

    def arrays(self, record: bytes, place: int, name: str) -> list[Array]:
        tensors = [
            tensor
            for one in self._messages(record, self.size, TENSOR, name)
            for tensor in one.tensors
        ]
        if len(tensors) != self.size:
            raise InvalidArgumentError(f"{name}: a sparse tensor of {len(tensors)} parts")
        parts = _read_parts(self._parts, tensors, place, name)
        indices, values, shape = parts
        if (
            indices.shape != (len(values), len(shape))
            or not ((0 <= indices) & (indices < shape)).all()
        ):
            raise InvalidArgumentError(
                f"{name}: a sparse tensor of the shape {shape.tolist()} with {len(values)} values "
                f"and indices of the shape {indices.shape}, or some that are outside of it"
            )
        return parts


def _part_specs(spec: Any) -> list[_Dense]:
    return [_Dense(one) for one in spec._component_specs]


_Check = Callable[[Any, int, str], Array]


def _read_parts(specs: Sequence[_Dense], protos: Sequence[Any], place: int, name: str) -> Any:
    checks: list[_Check] = [one.checked for one in specs]
    return [check(proto, place, name) for check, proto in zip(checks, protos, strict=True)]
