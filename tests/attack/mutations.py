"""Changes of files that keep their structure: fields of protos, entries of tables, records.

Every change is drawn from a `random.Random`, so that a number shows it again. What has checksums
is written anew, so that the change reaches whoever reads it; plain changes of bytes are here, too.
"""

from __future__ import annotations

import io
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from google.protobuf.message import DecodeError

from tensormill.formats.records import record
from tensormill.formats.sorted_table import read_table, write_table
from tensormill.graph.proto.messages import message

Random = random.Random
Mutate = Callable[[bytes, Random], bytes]

INTEGERS = (
    0, 1, -1, 2, -2, 3, 7, 255, 65536, 2**31 - 1, -(2**31), 2**31, 2**32, 2**40, 2**62, 2**63 - 1,
    -(2**63), 2**64 - 1, 4_000_000_000_000,
)  # fmt: skip
TEXTS = (
    "", "x", "..", "../..", "/etc/passwd", "../../../etc/passwd", "4000000000000", "-1", "\0", "^",
    ":", "a:b:c", "x:0", "x:y:-1", "x" * 5000, "²", "é", "__class__", "__dict__", "__init__", "%s",
    "*", "**/*", "resource<f32>", "list<", "()", "tf.Variable", "loc:@x",
)  # fmt: skip
FLOATS = (0.0, -1.0, float("nan"), float("inf"), -float("inf"), 1e300, 1e-300)


# ---------------------------------------------------------------- bytes


def bytes_changed(data: bytes, rng: Random) -> bytes:
    """A flipped bit, some other bytes, or some bytes less or more."""
    place = rng.randrange(len(data) + 1)
    size = rng.choice((1, 1, 2, 8, 100))
    some = rng.randbytes(size)
    match rng.randrange(6):
        case 0 if place < len(data):
            return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        case 1:
            return data[:place] + some + data[place + size :]
        case 2:
            return data[:place] + data[place + size :]
        case 3:
            return data[:place] + some + data[place:]
        case 4:
            return data[:place] + bytes(size) + data[place + size :]
        case _:
            return data[:place]


# ---------------------------------------------------------------- protos


def proto_changed(proto: Any, rng: Random, times: int | None = None) -> None:
    """Change some fields of a message, deep within."""
    for _ in range(times or rng.choice((1, 1, 1, 2, 5))):
        holders = [one for one in messages(proto) if one.DESCRIPTOR.fields]
        holder = rng.choice(holders)
        # The few that refer to others matter more than the many that describe.
        for _ in range(3):
            if holder.DESCRIPTOR.name in ("FileLineCol", "AttrDef", "ArgDef", "OpDef", "Dim"):
                holder = rng.choice(holders)
        field = rng.choice(holder.DESCRIPTOR.fields)
        present = [one for one, _ in holder.ListFields()]
        if present and rng.random() < 0.8:
            field = rng.choice(present)
        try:
            _change(holder, field, rng, holders)
        except (DecodeError, IndexError, ValueError, TypeError, OverflowError):
            continue  # what the field cannot hold


def messages(proto: Any) -> Iterator[Any]:
    """The message and all that are set below it."""
    yield proto
    for field, value in proto.ListFields():
        if field.message_type is None:
            continue
        if _is_map(field):
            if field.message_type.fields_by_name["value"].message_type is not None:
                for key in sorted(value):
                    yield from messages(value[key])
        elif field.is_repeated:
            for one in value:
                yield from messages(one)
        else:
            yield from messages(value)


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _change(holder: Any, field: Any, rng: Random, holders: Sequence[Any]) -> None:
    if rng.random() < 0.08:
        return holder.ClearField(field.name)
    if _is_map(field):
        return _change_map(getattr(holder, field.name), field, rng)
    if field.is_repeated:
        return _change_list(getattr(holder, field.name), field, rng, holders)
    if field.message_type is not None:
        return _change_message(holder, field, rng, holders)
    return setattr(holder, field.name, _value(field, getattr(holder, field.name), rng, holders))


def _change_message(holder: Any, field: Any, rng: Random, holders: Sequence[Any]) -> None:
    """Another message of the same kind in its place, a message within itself, or an empty one."""
    same = [one for one in holders if one.DESCRIPTOR is field.message_type]
    match rng.randrange(4):
        case 0 if same:
            copied = type(getattr(holder, field.name))()
            copied.CopyFrom(rng.choice(same))
            getattr(holder, field.name).CopyFrom(copied)
        case 1 if field.message_type.name == "StructuredValue":
            _nest(getattr(holder, field.name), rng.choice((2, 20, 90, 150)))
        case 2:
            getattr(holder, field.name).SetInParent()
        case _:
            holder.ClearField(field.name)


def _nest(value: Any, depth: int) -> None:
    for _ in range(depth):
        copied = type(value)()
        copied.CopyFrom(value)
        value.Clear()
        value.list_value.values.add().CopyFrom(copied)


def _change_list(values: Any, field: Any, rng: Random, holders: Sequence[Any]) -> None:
    place = rng.randrange(len(values)) if values else 0
    match rng.randrange(5):
        case 0 if values:
            del values[place]
        case 1 if values:
            values.append(values[place])
        case 2 if len(values) > 1:
            order = [*values]
            rng.shuffle(order)
            del values[:]
            values.extend(order)
        case 3 if values:
            size = values[place].ByteSize() if field.message_type is not None else 10
            values.extend([values[place]] * min(rng.choice((1, 100, 3000)), 100_000 // (size + 1)))
        case _ if field.message_type is not None:
            same = [one for one in holders if one.DESCRIPTOR is field.message_type]
            copied = type(same[0])() if same else None
            if copied is not None:
                copied.CopyFrom(rng.choice(same))
                values.append(copied)
        case _ if values:
            values[place] = _value(field, values[place], rng, holders)
        case _:
            values.append(_value(field, field.default_value or 0, rng, holders))


def _change_map(values: Any, field: Any, rng: Random) -> None:
    if not values:
        return
    keys = sorted(values)
    key = rng.choice(keys)
    is_message = field.message_type.fields_by_name["value"].message_type is not None
    other = rng.choice(keys) if rng.random() < 0.5 else rng.choice(TEXTS)
    match rng.randrange(3):
        case 0:
            del values[key]
        case 1 if is_message:
            values[other].CopyFrom(values[key])
        case 1:
            values[other] = values[key]
        case _ if not is_message:
            values[key] = rng.choice(TEXTS)
        case _:
            values[key].Clear()


def _value(field: Any, before: Any, rng: Random, holders: Sequence[Any]) -> Any:
    """Another value of a scalar field."""
    if isinstance(before, bool):
        return not before
    if isinstance(before, int):
        if field.enum_type is not None:
            return rng.choice((*range(24), 77, 101, 120))
        near = before + rng.choice((1, -1, 2, 10)), rng.randrange(40)
        return rng.choice((*INTEGERS, *near, *near, *near))
    if isinstance(before, float):
        return rng.choice((*FLOATS, before * 2))
    text = _text(field, rng, holders)
    if not isinstance(before, bytes):
        return text
    if before and rng.random() < 0.6:
        return bytes_changed(before, rng)
    return text.encode()


def _text(field: Any, rng: Random, holders: Sequence[Any]) -> str:
    """Another text, often one that has the same meaning elsewhere."""
    if rng.random() < 0.3:
        return rng.choice(TEXTS)
    same = [one for one in holders if one.DESCRIPTOR is field.containing_type] or holders
    value = getattr(rng.choice(same), field.name, "")
    if isinstance(value, str):
        return value
    found = [one for one in value if isinstance(one, str)] if field.is_repeated else []
    return rng.choice(found) if found else rng.choice(TEXTS)


def of_proto(name: str) -> Mutate:
    """Changes of a file that is one message."""

    def mutate(data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.1:
            return bytes_changed(data, rng)
        proto = message(name).FromString(data)
        proto_changed(proto, rng)
        return proto.SerializeToString(deterministic=True)

    return mutate


# ---------------------------------------------------------------- graphs


def graph_changed(proto: Any, rng: Random) -> None:
    """Change edges, types, shapes and small constants: graphs that are nearly right."""
    holders = list(messages(proto))
    for _ in range(rng.choice((1, 1, 2))):
        rng.choice((_edge, _edge, _type, _type, _shape, _constant, _kind))(holders, rng)


def _those(holders: Sequence[Any], kind: str) -> list[Any]:
    return [one for one in holders if one.DESCRIPTOR.name == kind]


def _edge(holders: Sequence[Any], rng: Random) -> None:
    """Let a node take another result of the same function, or a function return another one."""
    function = rng.choice(_those(holders, "FunctionDef"))
    if function.ret and rng.random() < 0.2:
        function.ret[rng.choice(sorted(function.ret))] = rng.choice(_references(function))
        return
    nodes = [node for node in function.node_def if node.input]
    if nodes:
        node = rng.choice(nodes)
        node.input[rng.randrange(len(node.input))] = rng.choice(_references(function))


def _references(function: Any) -> list[str]:
    """What nodes of the function take, and its arguments."""
    found = {one for node in function.node_def for one in node.input if not one.startswith("^")}
    return sorted(found | {arg.name for arg in function.signature.input_arg})


def _type(holders: Sequence[Any], rng: Random) -> None:
    """Another dtype where one is said."""
    places = [
        (one, field.name)
        for one in holders
        for field, _ in one.ListFields()
        if field.enum_type is not None and not field.is_repeated and one.DESCRIPTOR.name != "ArgDef"
    ]
    holder, name = rng.choice(places)
    setattr(holder, name, rng.choice((1, 2, 3, 4, 7, 8, 9, 10, 14, 19, 20, 21)))


def _shape(holders: Sequence[Any], rng: Random) -> None:
    """Another size, or one more or less."""
    shape = rng.choice(_those(holders, "TensorShapeProto"))
    match rng.randrange(4):
        case 0 if shape.dim:
            del shape.dim[rng.randrange(len(shape.dim))]
        case 1:
            shape.dim.add(size=rng.choice((-1, 0, 1, 2, 1000)))
        case 2:
            shape.unknown_rank = not shape.unknown_rank
        case _ if shape.dim:
            rng.choice(shape.dim).size = rng.choice((-1, 0, 1, 2, 3, 5, 1000, 2**31))


def _constant(holders: Sequence[Any], rng: Random) -> None:
    """Other whole numbers in a constant: axes, sizes, positions."""
    tensors = [one for one in _those(holders, "TensorProto") if one.dtype in (3, 9)]
    if not tensors:
        return
    tensor = rng.choice(tensors)
    number = rng.choice((-1, 0, 1, 2, 3, 4, 7, -2, 100, 2**30, 2**31 - 1, -(2**31)))
    width = 4 if tensor.dtype == 3 else 8
    values = tensor.int_val if tensor.dtype == 3 else tensor.int64_val
    if tensor.tensor_content:
        place = rng.randrange(len(tensor.tensor_content) // width) * width
        packed = number.to_bytes(width, "little", signed=True)
        content = tensor.tensor_content
        tensor.tensor_content = content[:place] + packed + content[place + width :]
    elif values:
        values[rng.randrange(len(values))] = number


def _kind(holders: Sequence[Any], rng: Random) -> None:
    """Another operation of those that occur, or another value of an attribute."""
    nodes = _those(holders, "NodeDef")
    node, other = rng.choice(nodes), rng.choice(nodes)
    if rng.random() < 0.4:
        node.op = other.op
    elif node.attr:
        value = node.attr[rng.choice(sorted(node.attr))]
        match value.WhichOneof("value"):
            case "b":
                value.b = not value.b
            case "i":
                value.i = rng.choice((-1, 0, 1, 2, 5, 2**31 - 1))
            case "f":
                value.f = rng.choice(FLOATS)
            case "s":
                value.s = rng.choice((b"", b"VALID", b"NHWC", b"x", b"()"))
            case _:
                return


def changed_graphs(data: bytes, rng: Random) -> bytes:
    """A SavedModel whose graphs are nearly right."""
    proto = message("SavedModel").FromString(data)
    graph_changed(proto.meta_graphs[0], rng)
    return proto.SerializeToString(deterministic=True)


# ---------------------------------------------------------------- tables and records


def table_changed(data: bytes, rng: Random) -> bytes:
    """An index of a bundle with other entries; its checksums are right."""
    table = dict(read_table(data))
    key = rng.choice(list(table))
    match rng.randrange(5):
        case 0:
            del table[key]
        case 1:
            table[bytes_changed(key, rng)] = table.pop(key)
        case 2:
            table[key] = table[rng.choice(list(table))]
        case 3:
            table[key] = bytes_changed(table[key], rng)
        case _:
            name = "BundleEntryProto" if key else "BundleHeaderProto"
            entry = message(name).FromString(table[key])
            proto_changed(entry, rng)
            table[key] = entry.SerializeToString()
    file = io.BytesIO()
    write_table(file, table)
    return file.getvalue()


def records_changed(data: bytes, rng: Random) -> bytes:
    """Records with another length, whose checksum is right, or others in number and order."""
    records = list(_records(data))
    place = rng.randrange(len(records))
    match rng.randrange(4):
        case 0:
            length = struct.pack("<Q", rng.choice(INTEGERS) & 2**64 - 1)
            head = record(b"")[:0] + length + _checksum(length)
            records[place] = head + records[place][12:]
        case 1:
            del records[place]
        case 2:
            records[place] = record(bytes_changed(records[place][12:-4], rng))
        case _:
            rng.shuffle(records)
    return b"".join(records)


def _checksum(data: bytes) -> bytes:
    return record(data)[-4:]


def _records(data: bytes) -> Iterator[bytes]:
    while data:
        size = struct.unpack("<Q", data[:8])[0] + 16
        yield data[:size]
        data = data[size:]
