"""`tf.io.decode_proto` and `tf.io.encode_proto`: fields of messages of any kind."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.message import DecodeError, EncodeError

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.files import gfile
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.text import strings_in
from ...errors import DataLossError, InvalidArgumentError
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.dispatch.meanings import dispatchable
from ...ops.op import Attr, In, Op, Out
from ...ops.records.wire import DELIMITED, WireError
from ...ops.records.wire_fields import (
    GROUP_TYPE,
    is_number,
    kind_of,
    numbers_in,
    parts_of,
    written_bytes,
    written_numbers,
)
from ..proto.messages import message

_LOCAL, _BYTES = "local://", "bytes://"
_MESSAGES: Final = (GROUP_TYPE, 11)  # groups and messages, which are strings
# The dtypes of fields, by protobuf's numbers of types (descriptor.proto).
_NARROW = frozenset((dtypes.int32, dtypes.int64))
_NATURAL = frozenset((dtypes.uint32, dtypes.uint64))
_DTYPES: Final[dict[int, frozenset[DType]]] = {
    1: frozenset((dtypes.float64,)), 2: frozenset((dtypes.float32, dtypes.float64)),
    3: frozenset((dtypes.int64,)), 4: frozenset((dtypes.uint64,)), 5: _NARROW,
    6: frozenset((dtypes.uint64,)), 7: _NATURAL, 8: frozenset((dtypes.bool_,)),
    9: frozenset((dtypes.string,)), 10: frozenset((dtypes.string,)),
    11: frozenset((dtypes.string,)), 12: frozenset((dtypes.string,)),
    13: _NATURAL, 14: frozenset((dtypes.int32,)),
    15: _NARROW, 16: frozenset((dtypes.int64,)), 17: _NARROW, 18: frozenset((dtypes.int64,)),
}  # fmt: skip


class MessageFields(NamedTuple):
    """A class of messages, and some of its fields."""

    kind: Any
    fields: tuple[Any, ...]


class DecodeProtoV2(Op):
    """Fields of serialized messages: how often each is there, and their values."""

    bytes = In("str ...")
    sizes = Out("i32 ...")
    values = Out("[output_types]")
    message_type = Attr()
    field_names = Attr()
    output_types = Attr()
    descriptor_source = Attr("local://", of=bytes)  # or a serialized FileDescriptorSet
    message_format = Attr("binary")
    sanitize = Attr(False)
    _within = Attr(())  # directories of a loaded model, for a descriptor_source that is a file
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        types = list(map(as_dtype, self.output_types))
        shape: TensorShape = self.bytes.shape
        sizes = shape.concatenate([len(types)])
        values = shape.concatenate([None])
        return TensorSpec(sizes, dtypes.int32), *(TensorSpec(values, one) for one in types)

    def eager(self, np: Any) -> tuple[Any, ...]:
        types = tuple(map(as_dtype, self.output_types))
        wanted = fields_of(self, types)
        texts = strings_in(self.bytes)
        if not texts:
            raise InvalidArgumentError("bytes: at least one serialized message is wanted")
        form = _text(self.message_format)
        binary = [_binary(wanted, text, form, self.sanitize) for text in texts]
        places = _places(wanted)
        found = [_collected(wanted, places, data) for data in binary]
        columns = [
            _column(np, wanted, [row[k] for row in found], field, dtype)
            for k, (field, dtype) in enumerate(zip(wanted.fields, types, strict=True))
        ]
        shape = self.bytes.shape
        counts = np.stack([one.counts for one in columns], -1).astype(np.int32)
        return (
            counts.reshape(*shape, len(types)),
            *(one.values.reshape(*shape, -1) for one in columns),
        )


class EncodeProto(Op):
    """Serialized messages of the values of their fields."""

    sizes = In("i32 ...")
    values = In("[Tinput_types]")
    bytes = Out("str ...")
    field_names = Attr()
    message_type = Attr()
    descriptor_source = Attr("local://", of=bytes)  # or a serialized FileDescriptorSet
    _within = Attr(())
    differentiable = False

    def infer(self) -> TensorSpec:
        dims = self.sizes.shape.entries
        return TensorSpec(None if dims is None else dims[:-1], dtypes.string)

    def eager(self, np: Any) -> Any:
        types = tuple(dtypes.of_storage(one.dtype) for one in self.values)
        wanted = fields_of(self, types)
        outer = self.sizes.shape[:-1]
        self._require_shapes(wanted, outer)
        counts = self.sizes.reshape(-1, len(types))
        columns = [one.reshape(len(counts), one.shape[-1]) for one in self.values]
        parts = [
            _written(np, field, column, counts[:, place], _is_packed(wanted.kind, field))
            for place, (field, column) in enumerate(zip(wanted.fields, columns, strict=True))
        ]
        by_number = sorted(range(len(types)), key=lambda place: wanted.fields[place].number)
        made = np.empty(len(counts), object)
        for k in range(len(counts)):
            made[k] = b"".join(parts[place][k] for place in by_number)
        return made.reshape(outer)

    def _require_shapes(self, wanted: MessageFields, outer: tuple[int, ...]) -> None:
        if self.sizes.ndim < 1 or self.sizes.shape[-1] != len(wanted.fields):
            raise InvalidArgumentError(
                f"sizes: the last axis has one number for each of the {len(wanted.fields)} fields, "
                f"but the shape is {list(self.sizes.shape)}"
            )
        for place, (field, values) in enumerate(zip(wanted.fields, self.values, strict=True)):
            if values.ndim < 2 or values.shape[:-1] != outer:
                raise InvalidArgumentError(
                    f"Invalid shape for field {field.name}: {list(values.shape)}; it should be at "
                    f"least a matrix, {[*outer, None]}"
                )
            if (self.sizes[..., place] > values.shape[-1]).any():
                raise InvalidArgumentError(
                    f"field {field.name} has {values.shape[-1]} values, and sizes says more"
                )


# ---------------------------------------------------------------- messages and fields


def fields_of(application: Any, types: Sequence[DType]) -> MessageFields:
    """The class of messages that an operation is about, and the fields.

    Raises:
        InvalidArgumentError: there is no such message or field, or one of another dtype.
    """
    source = _text(application.descriptor_source)
    kind = _class_of(_text(application.message_type), source, application._within)
    names = [_text(one) for one in application.field_names]
    if len(names) != len(types):
        raise InvalidArgumentError(f"there are {len(names)} field_names and {len(types)} dtypes")
    known = kind.DESCRIPTOR.fields_by_name
    for name, dtype in zip(names, types, strict=True):
        if name not in known:
            raise InvalidArgumentError(
                f"Unknown field: {name} in message type {kind.DESCRIPTOR.full_name}"
            )
        if dtype not in _DTYPES[known[name].type]:
            raise InvalidArgumentError(
                f"Unexpected output type for {kind.DESCRIPTOR.full_name}.{name}: {dtype.name}; it "
                f"may be {', '.join(sorted(one.name for one in _DTYPES[known[name].type]))}"
            )
    return MessageFields(kind, tuple(known[name] for name in names))


def _class_of(name: str, source: str, within: Sequence[str]) -> Any:
    if source == _LOCAL:
        return _local_class(name)
    if source.startswith(_BYTES):
        data = source.removeprefix(_BYTES).encode("latin-1")
    else:
        path = gfile.confined(source, within, writes=False)
        with gfile.translated(path), open(path, "rb") as file:
            data = file.read()
    return _class_in(name, data)


def _local_class(name: str) -> Any:
    """A message of TensorFlow's, or of a module that protoc made and the program imported."""
    try:
        return message(name.removeprefix("tensorflow."))
    except KeyError:
        return _found_class(descriptor_pool.Default(), name)


@cache
def _class_in(name: str, data: bytes) -> Any:
    """A message of a serialized FileDescriptorSet."""
    pool: Any = descriptor_pool.DescriptorPool()
    try:
        for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
            pool.Add(file)
    except (DecodeError, TypeError) as error:
        raise InvalidArgumentError(f"descriptor_source is no FileDescriptorSet: {error}") from None
    return _found_class(pool, name)


def _found_class(pool: Any, name: str) -> Any:
    try:
        return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    except KeyError:
        raise InvalidArgumentError(f"No descriptor found for message type {name}") from None


def _binary(wanted: MessageFields, data: bytes, form: str, sanitize: bool) -> bytes:
    """A message as it should be read: as it is written, or written anew."""
    if form not in ("binary", "text"):
        raise InvalidArgumentError(f'message_format must be "binary" or "text", not {form!r}')
    if form == "binary" and not sanitize:
        return data
    try:
        made = wanted.kind()
        if form == "text":
            text_format.Parse(data, made)
        else:
            made.MergeFromString(data)
        return made.SerializeToString(deterministic=True)
    except (DecodeError, EncodeError, text_format.ParseError) as error:
        raise _damaged(wanted, f"{len(data)} bytes are", error) from None


def _damaged(wanted: MessageFields, what: str, error: Exception) -> DataLossError:
    why = f": {error}" if str(error) else "; it is damaged, or a message of another kind"
    return DataLossError(f"{what} no {wanted.kind.DESCRIPTOR.full_name}{why}")


class FieldPlace(NamedTuple):
    """Where a field is in what is wanted, and whether it may have several values."""

    place: int
    is_repeated: bool


Places = dict[tuple[int, int], list[FieldPlace]]


def _places(wanted: MessageFields) -> Places:
    """Where fields go, by their numbers and the ways they may be written: numbers one by one, or
    packed where there may be several. What is written otherwise is another, unknown field.
    """
    places: Places = {}
    for place, field in enumerate(wanted.fields):
        several = is_repeated(field)
        ways = [kind_of(field.type)] + [DELIMITED] * (several and is_number(field.type))
        for way in ways:
            places.setdefault((field.number, way), []).append(FieldPlace(place, several))
    return places


def _collected(wanted: MessageFields, places: Places, data: bytes) -> list[list[bytes]]:
    """What a message has of each field, as it is written: the last, or all that there may be."""
    found: list[list[bytes]] = [[] for _ in wanted.fields]
    try:
        for part in parts_of(data):
            for place, several in places.get((part.number, part.kind), ()):
                if not several:
                    found[place].clear()
                found[place].append(data[part.start : part.end])
    except WireError as error:
        raise _damaged(wanted, f"{len(data)} bytes are", error) from None
    return found


class DecodedColumn(NamedTuple):
    """How many values of a field each message has, and these, filled up."""

    counts: Any
    values: Any


def _column(
    np: Any, wanted: MessageFields, rows: list[list[bytes]], field: Any, dtype: DType
) -> DecodedColumn:
    if is_number(field.type):
        try:
            counts, values = numbers_in(rows, field.type)
        except WireError as error:
            raise _damaged(wanted, f"the numbers in {field.name} are of", error) from None
    else:
        counts = np.array([len(row) for row in rows], np.int64)
        values = np.empty(int(counts.sum()), object)
        values[:] = [value for row in rows for value in row]
    width = max(1, int(counts.max()))
    made = np.full((len(rows), width), _default(field, dtype), dtype.storage)
    made[np.arange(width) < counts[:, None]] = values
    return DecodedColumn(counts, made)


def _default(field: Any, dtype: DType) -> Any:
    """What stands for a value that is not there."""
    if is_repeated(field) or field.type in _MESSAGES:
        return b"" if dtype is dtypes.string else 0
    default = field.default_value
    return default.encode() if isinstance(default, str) else default


def is_repeated(field: Any) -> bool:
    """Whether a field may have several values; older releases of protobuf say it by a label."""
    said = getattr(field, "is_repeated", None)
    return field.label == field.LABEL_REPEATED if said is None else said


def _is_packed(kind: Any, field: Any) -> bool:
    """Whether numbers of a field are written as one; the runtime is asked, as what a file says of
    it depends on its edition.
    """
    if not is_repeated(field) or not is_number(field.type):
        return False
    sample = kind()
    number = field.enum_type.values[0].number if field.enum_type else 1
    getattr(sample, field.name).append(number)
    return next(parts_of(sample.SerializePartialToString())).kind == DELIMITED


def _written(np: Any, field: Any, column: Any, counts: Any, is_packed: bool) -> list[bytes]:
    """A field of each message, with all of its values where it should have one, too: readers take
    the last.
    """
    counts = np.maximum(counts, 0)
    values = column[np.arange(column.shape[-1]) < counts[:, None]]
    if is_number(field.type):
        return written_numbers(values, counts, field.number, field.type, is_packed)
    each = [written_bytes(one, field.number, field.type) for one in strings_in(values)]
    ends = np.cumsum(counts).tolist()
    return [b"".join(each[end - count : end]) for end, count in zip(ends, counts, strict=True)]


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


# ---------------------------------------------------------------- functions


class DecodedProto(NamedTuple):
    """How often fields are there, and a list of their values."""

    sizes: Any
    values: Any


DecodedProto.__name__ = "DecodeProtoV2"  # as TensorFlow calls it


@dispatchable
def decode_proto(
    bytes: Any, message_type: str, field_names: Sequence[str], output_types: Sequence[Any],
    descriptor_source: str = "local://", message_format: str = "binary", sanitize: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Fields of serialized messages: how often each is there, int32 [..., fields], and a list of
    their values, [..., most]; what is not there is the field's default.

    >>> numbers = tf.train.Int64List(value=[5, 7]).SerializeToString()
    >>> sizes, values = tf.io.decode_proto(numbers, "tensorflow.Int64List", ["value"], [tf.int64])
    >>> sizes.numpy(), values[0].numpy()
    (array([2], dtype=int32), array([5, 7]))

    Args:
        bytes: string [...].
        message_type: the name of the messages, with its package.
        field_names: those of the fields; messages in fields come serialized.
        output_types: the dtypes of the fields.
        descriptor_source: "local://" for messages of TensorFlow's and of modules made by protoc
            that are imported, a path of a serialized FileDescriptorSet, or "bytes://" and one.
        message_format: "binary" or "text".
        sanitize: whether messages are written anew before they are read: what has the default of a
            proto3 field is left out, and one that is damaged within a field is refused.

    Raises:
        InvalidArgumentError: there is no such message or field, or one of another dtype.
        DataLossError: a string is no such message.
    """
    types = tuple(map(as_dtype, output_types))
    sizes, *values = bind(
        DecodeProtoV2, as_tensor(bytes, dtypes.string), message_type=message_type,
        field_names=tuple(field_names), output_types=types, descriptor_source=descriptor_source,
        message_format=message_format, sanitize=sanitize, name=name,
    )  # fmt: skip
    return DecodedProto(sizes, values)


@dispatchable
def encode_proto(
    sizes: Any, values: Sequence[Any], field_names: Sequence[str], message_type: str,
    descriptor_source: str = "local://", name: str | None = None,
) -> Any:  # fmt: skip
    """Serialized messages of the values of their fields: string [...].

    >>> values = [tf.constant([[5, 7, 0]], tf.int64)]
    >>> numbers = tf.io.encode_proto([[2]], values, ["value"], "tensorflow.Int64List")
    >>> tf.train.Int64List.FromString(numbers[0].numpy()).value
    [5, 7]

    Args:
        sizes: int32 [..., fields], how many values each field has.
        values: a list of tensors [..., most], one for each field.
        field_names, message_type, descriptor_source: as in `tf.io.decode_proto`.

    Raises:
        InvalidArgumentError: there is no such message or field, or one of another dtype; the shapes
            do not go together.
    """
    return bind(
        EncodeProto, as_tensor(sizes, dtypes.int32), [as_tensor(one) for one in values],
        field_names=tuple(field_names), message_type=message_type,
        descriptor_source=descriptor_source, name=name,
    )  # fmt: skip
