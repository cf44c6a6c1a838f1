"""`tf.io.decode_proto` and `tf.io.encode_proto`: fields of messages of any kind."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.message import DecodeError

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
from ...ops.records.wire import DELIMITED, WireError, WireReader, tag
from ..proto.messages import message

_LOCAL, _BYTES = "local://", "bytes://"
_MESSAGES: Final = (10, 11)  # groups and messages, which are strings
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
    descriptor_source = Attr("local://")
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
        found = [_parsed(wanted.kind, text, _text(self.message_format)) for text in texts]
        rows = [
            [_values(one, text, field) for field in wanted.fields]
            for one, text in zip(found, texts, strict=True)
        ]
        counts = np.array([[len(values) for values in row] for row in rows], np.int32)
        shape = self.bytes.shape
        columns = [
            _filled(np, [row[k] for row in rows], field, dtype).reshape(*shape, -1)
            for k, (field, dtype) in enumerate(zip(wanted.fields, types, strict=True))
        ]
        return counts.reshape(*shape, len(types)), *columns


class EncodeProto(Op):
    """Serialized messages of the values of their fields."""

    sizes = In("i32 ...")
    values = In("[Tinput_types]")
    bytes = Out("str ...")
    field_names = Attr()
    message_type = Attr()
    descriptor_source = Attr("local://")
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
        columns = [one.reshape(len(counts), -1) for one in self.values]
        made = np.empty(len(counts), object)
        for k, row in enumerate(counts):
            one = wanted.kind()
            for field, count, column in zip(wanted.fields, row, columns, strict=True):
                _put(one, field, column[k, : int(count)].tolist())
            made[k] = one.SerializeToString(deterministic=True)
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


def _parsed(kind: Any, data: bytes, form: str) -> Any:
    if form not in ("binary", "text"):
        raise InvalidArgumentError(f'message_format must be "binary" or "text", not {form!r}')
    try:
        return kind.FromString(data) if form == "binary" else text_format.Parse(data, kind())
    except (DecodeError, text_format.ParseError) as error:
        raise DataLossError(
            f"{len(data)} bytes are no {kind.DESCRIPTOR.full_name}: {error}"
        ) from None


def _values(found: Any, data: bytes, field: Any) -> list[Any]:
    """The values of a field of a message; none where it is not there."""
    value = getattr(found, field.name)
    if is_repeated(field):
        values = list(value)
    else:
        is_there = (
            found.HasField(field.name) if field.has_presence else value != field.default_value
        )
        values = [value] if is_there else []
    if field.type in _MESSAGES:
        return _serialized(data, field, values)
    return [one.encode() if isinstance(one, str) else one for one in values]


def _serialized(data: bytes, field: Any, values: Sequence[Any]) -> list[bytes]:
    """Messages in a field as they are written in `data`: the entries of a map have no order of
    their own. What is written otherwise (as text, or as a group) is written anew.
    """
    parts: list[bytes] = []
    reader = WireReader(data)
    try:
        while not reader.is_done():
            begin = reader.at
            if reader.length() == tag(field.number, DELIMITED):
                start, end = reader.span()
                parts.append(data[start:end])
            else:
                reader.at = begin
                reader.skip()
    except WireError:
        parts = []
    if len(parts) == len(values):
        return parts
    return [one.SerializeToString(deterministic=True) for one in values]


def _filled(np: Any, rows: Sequence[list[Any]], field: Any, dtype: DType) -> Any:
    """Values in rows of one length, at least 1, filled up with the field's default."""
    made = np.full((len(rows), max(1, *map(len, rows))), _default(field, dtype), dtype.storage)
    for number, row in enumerate(rows):
        for k, value in enumerate(row):
            is_text = dtype is dtypes.string
            made[number, k] = value if is_text else np.array(value).astype(dtype.storage)
    return made


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


def _put(made: Any, field: Any, values: list[Any]) -> None:
    """Values into a field of a message."""
    if field.type == 9:
        values = [one.decode() for one in values]
    if field.type in _MESSAGES:
        for one in values:
            part = getattr(made, field.name)
            (part.add() if is_repeated(field) else part).MergeFromString(one)
    elif is_repeated(field):
        getattr(made, field.name).extend(values)
    elif values:
        setattr(made, field.name, values[0])


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


# ---------------------------------------------------------------- functions


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
        sanitize: changes nothing: fields that are unknown are left out.

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


class DecodedProto(NamedTuple):
    """How often fields are there, and their values."""

    sizes: Any
    values: list[Any]


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
