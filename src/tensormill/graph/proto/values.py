"""Attribute values and arrays, to and from TensorFlow's protos."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, cast

import numpy as np

from ...core.dtypes import BY_ENUM, NARROW, DType, of_storage
from ...core.files.varints import read_varint, varint
from ...core.shapes import TensorShape
from ...errors import (
    DataLossError,
    InvalidArgumentError,
    ResourceExhaustedError,
    UnimplementedError,
)
from ...ops.control.python_functions import FunctionToken
from .. import ir
from .messages import message

# TensorFlow's limit.
MOST_AXES: Final = 254
NUMPY_MOST_AXES: Final = 64
# How many elements a constant may have that are not in its file: all alike, or not.
MOST_ALIKE: Final = 1 << 40
MOST_MIXED: Final = 1 << 24

Array = np.ndarray[Any, Any]
# Gives the name under which a graph is a function of the library.
FunctionName = Callable[[ir.Graph], str]


def attr_value(value: Any, function_name: FunctionName) -> Any:
    """An AttrValue proto.

    Raises:
        TypeError: no attribute of TensorFlow can hold the value.
    """
    proto = message("AttrValue")()
    if isinstance(value, (list, tuple)):
        proto.list.SetInParent()
        for item in cast(Sequence[Any], value):
            kind, plain = _plain(item, function_name)
            _add(getattr(proto.list, kind), plain)
        return proto
    kind, plain = _plain(value, function_name)
    if kind in ("shape", "tensor", "func"):
        getattr(proto, kind).CopyFrom(plain)
    else:
        setattr(proto, kind, plain)
    return proto


def _add(repeated: Any, plain: Any) -> None:
    if hasattr(plain, "CopyFrom"):
        repeated.add().CopyFrom(plain)
    else:
        repeated.append(plain)


def _plain(value: Any, function_name: FunctionName) -> tuple[str, Any]:
    """The field of AttrValue for a value, and what stands in it."""
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, int):
        return "i", value
    if isinstance(value, float):
        return "f", value
    if isinstance(value, FunctionToken):
        return "s", value.in_files.encode()
    if isinstance(value, (str, bytes)):
        return "s", value.encode() if isinstance(value, str) else value
    if isinstance(value, DType):
        return "type", value.as_datatype_enum
    if isinstance(value, TensorShape):
        return "shape", shape_proto(value)
    if isinstance(value, np.ndarray):
        return "tensor", tensor_proto(cast(Array, value))
    if isinstance(value, ir.Graph):
        return "func", message("NameAttrList")(name=function_name(value))
    raise TypeError(f"no attribute of a NodeDef can hold {value!r} of type {type(value).__name__}")


def shape_proto(shape: TensorShape) -> Any:
    proto = message("TensorShapeProto")()
    if shape.entries is None:
        proto.unknown_rank = True
    for size in shape.entries or ():
        proto.dim.add(size=-1 if size is None else size)
    return proto


def shape_of(proto: Any) -> TensorShape:
    """The shape in a TensorShapeProto.

    Raises:
        InvalidArgumentError: it has more axes than any tensor, or a size below -1.
    """
    if proto.unknown_rank:
        return TensorShape(None)
    sizes = [dim.size for dim in proto.dim]
    if len(sizes) > MOST_AXES or min(sizes, default=0) < -1:
        raise InvalidArgumentError(f"there is no shape of {len(sizes)} axes {sizes[:MOST_AXES]}")
    return TensorShape([None if size < 0 else size for size in sizes])


def dtype_of(number: int) -> DType:
    """The dtype of a number.

    Raises:
        InvalidArgumentError: there is none.
    """
    if number not in BY_ENUM:
        raise InvalidArgumentError(f"there is no dtype with the number {number}")
    return BY_ENUM[number]


# The fields of a TensorProto that list elements.
_FIELDS: Final = {
    "float32": "float_val", "float64": "double_val", "int32": "int_val", "uint8": "int_val",
    "int16": "int_val", "int8": "int_val", "string": "string_val", "complex64": "scomplex_val",
    "int64": "int64_val", "bool": "bool_val", "bfloat16": "half_val", "uint16": "int_val",
    "complex128": "dcomplex_val", "float16": "half_val", "uint32": "uint32_val",
    "uint64": "uint64_val", "qint8": "int_val", "quint8": "int_val", "qint32": "int_val",
    "qint16": "int_val", "quint16": "int_val",
} | {one.name: "float8_val" if one.is_floating else "int_val" for one in NARROW}  # fmt: skip
# Several elements are written as bytes, as TensorFlow does, but not those of these dtypes;
_LISTED: Final = {"bool", "uint16", "complex64", "complex128", "int4", "uint4", "int2", "uint2"}
# and these are bytes, however many there are.
_UNLISTED: Final = {"float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz"}


def tensor_proto(array: Array, *, in_bytes: bool = False) -> Any:
    """A TensorProto with the elements of `array`, all of them as bytes if `in_bytes`."""
    dtype = of_storage(array.dtype)
    proto = message("TensorProto")(dtype=dtype.as_datatype_enum)
    proto.tensor_shape.CopyFrom(shape_proto(TensorShape(array.shape)))
    if dtype.family == "string":
        proto.string_val.extend(array.reshape(-1).tolist())
    elif in_bytes or dtype.name in _UNLISTED or (array.size > 1 and dtype.name not in _LISTED):
        proto.tensor_content = np.ascontiguousarray(array).tobytes()
    else:
        list_elements(proto, array)
    return proto


def list_elements(proto: Any, array: Array) -> None:
    """Add elements to those that a TensorProto lists."""
    dtype, flat = of_storage(array.dtype), array.reshape(-1)
    if dtype.is_narrow and dtype.is_floating:  # one text of bytes, not a list
        proto.float8_val += flat.tobytes()
        return
    if dtype.is_complex:
        flat = np.stack([flat.real, flat.imag], -1).reshape(-1)
    elif dtype.name in ("float16", "bfloat16"):
        flat = flat.view(np.uint16)
    elif dtype.is_narrow:
        flat = flat.astype(np.int8)
    elif dtype.family != "string":
        flat = flat.view(dtype.plain)
    getattr(proto, _FIELDS[dtype.name]).extend(flat.tolist())


def array_of(proto: Any) -> Array:
    """The array in a TensorProto. A list of fewer elements goes on with its last one.

    Where that is the only one, it is not repeated in memory: the array `is_repeated`.

    Raises:
        InvalidArgumentError: dtype, shape and contents do not go together.
        UnimplementedError: there are no arrays of that dtype here.
        ResourceExhaustedError: it would be far larger than its file.
    """
    dtype, sizes = dtype_of(proto.dtype), _sizes(proto.tensor_shape)
    if dtype.name not in _FIELDS:
        raise UnimplementedError(f"constants of dtype {dtype.name}")
    if proto.tensor_content:
        return _unpacked(proto.tensor_content, dtype, sizes)
    found, count = listed(proto, dtype), prod(sizes)
    if found.size >= count:
        return found[:count].reshape(sizes)
    if count > (MOST_MIXED if found.size > 1 else MOST_ALIKE):
        raise ResourceExhaustedError(
            f"a constant of the shape {list(sizes)}, of which {found.size} elements are given"
        )
    if found.size <= 1:
        return np.broadcast_to(found.reshape(()) if found.size else _zero(dtype), sizes)
    rest = np.empty(count - found.size, found.dtype)
    rest[:] = found[-1]
    return np.concatenate([found, rest]).reshape(sizes)


def _sizes(proto: Any) -> tuple[int, ...]:
    """The shape of an array."""
    dims = shape_of(proto).entries
    if dims is None or None in dims or len(dims) > NUMPY_MOST_AXES:
        raise InvalidArgumentError(f"a constant of the shape {shape_of(proto)}, which no array has")
    return tuple(size for size in dims if size is not None)


def _zero(dtype: DType) -> Array:
    """What there is where nothing is given: 0, or an empty string."""
    made = np.zeros((), dtype.storage)
    if dtype.family == "string":
        made[()] = b""
    return made


def is_repeated(array: Array) -> bool:
    """Whether an array of several elements has one only in memory."""
    return array.size > 1 and not any(array.strides)


def contiguous_array(array: Array) -> Array:
    """The array with all of its elements in memory, one after the other.

    Raises:
        ResourceExhaustedError: there is not enough.
    """
    try:
        return np.require(array, requirements=["C", "W"])
    except MemoryError as error:
        raise ResourceExhaustedError(f"a constant of a file: {error}") from None


def _unpacked(content: bytes, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Elements as memory has them; strings as `string_list` wrote them."""
    if dtype.family == "string":
        return strings_from(content, prod(shape)).reshape(shape)
    if len(content) != prod(shape) * dtype.size:
        raise InvalidArgumentError(
            f"a {dtype.name} constant of the shape {list(shape)} in {len(content)} bytes"
        )
    if dtype.family == "bool" and content.strip(b"\0\1"):
        raise InvalidArgumentError("a bool constant with bytes other than 0 and 1")
    return np.frombuffer(content, dtype.storage).reshape(shape).copy()


def string_list(texts: Sequence[bytes]) -> bytes:
    """Strings in one: the lengths of all of them, then their bytes."""
    return b"".join([*map(varint, map(len, texts)), *texts])


def strings_from(content: bytes, count: int) -> Array:
    """The strings that `string_list` put together.

    Raises:
        InvalidArgumentError: there are more or fewer bytes.
    """
    sizes: list[int] = []
    at = 0
    try:
        while len(sizes) < count:
            size, at = read_varint(content, at)
            sizes.append(size)
    except DataLossError as error:
        raise InvalidArgumentError(f"{count} strings in {len(content)} bytes: {error}") from None
    if at + sum(sizes) != len(content):
        raise InvalidArgumentError(
            f"{count} strings of {sum(sizes)} bytes in the {len(content) - at} bytes behind lengths"
        )
    made = np.empty(count, object)
    for k, size in enumerate(sizes):
        made[k] = content[at : at + size]
        at += size
    return made


def with_listed(array: Array) -> Any:
    """A TensorProto that lists the elements of `array`, and says neither dtype nor shape."""
    proto = message("TensorProto")()
    list_elements(proto, array)
    return proto


def listed(proto: Any, dtype: DType) -> Array:
    """The elements that a TensorProto lists, in one row."""
    if dtype.is_narrow:
        kept = proto.float8_val if dtype.is_floating else bytes(one & 255 for one in proto.int_val)
        return np.frombuffer(kept, dtype.storage)
    values = list(getattr(proto, _FIELDS[dtype.name]))
    if dtype.family == "string":
        array = np.empty(len(values), object)
        array[:] = values
        return array
    if dtype.is_complex:
        pairs = np.array(values[: len(values) // 2 * 2], np.float64).reshape(-1, 2)
        return (pairs[:, 0] + 1j * pairs[:, 1]).astype(dtype.storage)
    if dtype.name in ("float16", "bfloat16"):
        return np.array(values, np.int64).astype(np.uint16).view(dtype.storage)
    return np.array(values).astype(dtype.plain).view(dtype.storage)


def told_by_attr(proto: Any) -> Any:
    """What an AttrValue holds, as `Operation.get_attr` gives it."""
    kind = proto.WhichOneof("value")
    value: Any = None if kind is None else getattr(proto, kind)
    if kind == "type":
        return dtype_of(value)
    if kind != "list":
        return value
    for field, several in value.ListFields():
        return list(map(dtype_of, several)) if field.name == "type" else list(several)
    return []


def python_value(proto: Any, function: Callable[[str], Any]) -> Any:
    """What an AttrValue holds: bytes for strings, DTypes, TensorShapes, arrays.

    `function` gives what stands for the function of a name.
    """
    kind = proto.WhichOneof("value")
    if kind == "list":
        for field, items in proto.list.ListFields():
            return [_python(field.name, item, function) for item in items]
        return []
    return None if kind is None else _python(kind, getattr(proto, kind), function)


def _python(kind: str, plain: Any, function: Callable[[str], Any]) -> Any:
    if kind == "type":
        return dtype_of(plain)
    if kind == "shape":
        return shape_of(plain)
    if kind == "tensor":
        return array_of(plain)
    if kind == "func":
        return function(plain.name)
    return plain
