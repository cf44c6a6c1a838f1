"""TensorFlow's messages on the protobuf runtime.

They live in a descriptor pool of their own, so that TensorFlow may be in the same process; where
tensormill stands in for it, in that of the process, where the messages of libraries find them.
Field numbers and types are those of TensorFlow's .proto files, of which the wire format consists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError as DecodeError

from ...core.dtypes import ALL
from ...core.process.locks import serialised
from ...core.tensorflow_names import stands_in
from .checkpoint_schema import SCHEMA as CHECKPOINT
from .config_schema import SCHEMA as CONFIG
from .dataset_schema import SCHEMA as DATASETS
from .event_schema import SCHEMA as EVENTS
from .example_schema import SCHEMA as EXAMPLES
from .profile_schema import SCHEMA as PROFILE
from .quantization_schema import SCHEMA as QUANTIZATION
from .saved_model_schema import SCHEMA as SAVED

PACKAGE: Final = "tensorflow"
FILE: Final = "tensormill/graph.proto"
RUNTIME_FILE: Final = "tensormill/runtime.proto"

SCHEMA: Final = """
message TensorShapeProto {
  message Dim { int64 size = 1; string name = 2; }
  repeated Dim dim = 2; bool unknown_rank = 3;
}
message ResourceHandleProto {
  message DtypeAndShape { DataType dtype = 1; TensorShapeProto shape = 2; }
  string device = 1; string container = 2; string name = 3; uint64 hash_code = 4;
  string maybe_type_name = 5; repeated DtypeAndShape dtypes_and_shapes = 6;
}
message TensorProto {
  DataType dtype = 1; TensorShapeProto tensor_shape = 2; int32 version_number = 3;
  bytes tensor_content = 4; repeated int32 half_val = 13; repeated float float_val = 5;
  repeated double double_val = 6; repeated int32 int_val = 7; repeated bytes string_val = 8;
  repeated float scomplex_val = 9; repeated int64 int64_val = 10; repeated bool bool_val = 11;
  repeated double dcomplex_val = 12; repeated ResourceHandleProto resource_handle_val = 14;
  repeated uint32 uint32_val = 16; repeated uint64 uint64_val = 17; bytes float8_val = 18;
}
message NameAttrList { string name = 1; map<string, AttrValue> attr = 2; }
message AttrValue {
  message ListValue {
    repeated bytes s = 2; repeated int64 i = 3; repeated float f = 4; repeated bool b = 5;
    repeated DataType type = 6; repeated TensorShapeProto shape = 7;
    repeated TensorProto tensor = 8; repeated NameAttrList func = 9;
  }
  oneof value {
    ListValue list = 1; bytes s = 2; int64 i = 3; float f = 4; bool b = 5; DataType type = 6;
    TensorShapeProto shape = 7; TensorProto tensor = 8; string placeholder = 9;
    NameAttrList func = 10;
  }
}
message NodeDef {
  message ExperimentalDebugInfo {
    repeated string original_node_names = 1; repeated string original_func_names = 2;
  }
  string name = 1; string op = 2; repeated string input = 3; string device = 4;
  map<string, AttrValue> attr = 5; ExperimentalDebugInfo experimental_debug_info = 6;
}
message OpDef {
  message ArgDef {
    string name = 1; string description = 2; DataType type = 3; string type_attr = 4;
    string number_attr = 5; string type_list_attr = 6;
    repeated ResourceHandleProto.DtypeAndShape handle_data = 7; bool is_ref = 16;
  }
  message AttrDef {
    string name = 1; string type = 2; AttrValue default_value = 3; string description = 4;
    bool has_minimum = 5; int64 minimum = 6; AttrValue allowed_values = 7;
  }
  string name = 1; repeated ArgDef input_arg = 2; repeated ArgDef output_arg = 3;
  repeated AttrDef attr = 4; string summary = 5; string description = 6; bool is_aggregate = 16;
  bool is_stateful = 17; bool is_commutative = 18; bool allows_uninitialized_input = 19;
  repeated string control_output = 20;
}
message FunctionDef {
  message ArgAttrs { map<string, AttrValue> attr = 1; }
  OpDef signature = 1; repeated NodeDef node_def = 3; map<string, string> ret = 4;
  map<string, AttrValue> attr = 5; map<string, string> control_ret = 6;
  map<uint32, ArgAttrs> arg_attr = 7; map<uint32, uint32> resource_arg_unique_id = 8;
}
message GradientDef { string function_name = 1; string gradient_func = 2; }
message RegisteredGradient { string gradient_func = 1; string registered_op_type = 2; }
message FunctionDefLibrary {
  repeated FunctionDef function = 1; repeated GradientDef gradient = 2;
  repeated RegisteredGradient registered_gradients = 3;
}
message VersionDef { int32 producer = 1; int32 min_consumer = 2; repeated int32 bad_consumers = 3; }
message GraphDef {
  repeated NodeDef node = 1; FunctionDefLibrary library = 2; int32 version = 3;
  VersionDef versions = 4;
}
"""

OTHERS: Final = EVENTS, CHECKPOINT, CONFIG, DATASETS, SAVED, EXAMPLES, PROFILE, QUANTIZATION

_TOKENS: Final = re.compile(r"[A-Za-z_][\w.]*|-?\d+|[{}=;<>,]")
_SCALARS: Final = {
    "double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "bool": 8, "string": 9,
    "bytes": 12, "uint32": 13, "fixed64": 6, "fixed32": 7, "sint64": 18,
}  # fmt: skip
_MESSAGE, _ENUM = 11, 14
_OPTIONAL, _REPEATED = 1, 3


class _Schema:
    """Reads the part of protobuf's language that `SCHEMA` uses."""

    def __init__(self, text: str, name: str = FILE) -> None:
        self._words = iter(_TOKENS.findall(text))
        self._enums: set[str] = set()
        self.file: Any = descriptor_pb2.FileDescriptorProto(
            name=name, package=PACKAGE, syntax="proto3"
        )
        for word in self._words:
            if word == "enum":
                self._enum(self.file.enum_type.add(name=next(self._words)))
                continue
            assert word == "message", word
            self._message(self.file.message_type.add())

    def _message(self, made: Any) -> None:
        made.name = next(self._words)
        assert next(self._words) == "{"
        while (word := next(self._words)) != "}":
            if word == "message":
                self._message(made.nested_type.add())
            elif word == "enum":
                self._enum(made.enum_type.add(name=next(self._words)))
            elif word == "oneof":
                self._oneof(made)
            else:
                self._field(made, word)

    def _enum(self, made: Any) -> None:
        self._enums.add(made.name)
        assert next(self._words) == "{"
        while (word := next(self._words)) != "}":
            assert next(self._words) == "="
            made.value.add(name=word, number=int(next(self._words)))
            assert next(self._words) == ";"

    def _oneof(self, made: Any) -> None:
        made.oneof_decl.add(name=next(self._words))
        assert next(self._words) == "{"
        while (word := next(self._words)) != "}":
            self._field(made, word, oneof_index=len(made.oneof_decl) - 1)

    def _field(self, made: Any, word: str, **options: Any) -> None:
        label = _REPEATED if word in ("repeated", "map") else _OPTIONAL
        if word == "repeated":
            word = next(self._words)
        kind = word
        if word == "map":
            self._map(made)
        name = next(self._words)
        if word == "map":
            made.nested_type[-1].name = kind = _entry_name(name)
        assert next(self._words) == "="
        field = made.field.add(name=name, number=int(next(self._words)), label=label, **options)
        assert next(self._words) == ";"
        self._set_type(field, kind)

    def _map(self, made: Any) -> None:
        """`map<key, value>` is a list of messages with two fields."""
        assert next(self._words) == "<"
        key = next(self._words)
        assert next(self._words) == ","
        value = next(self._words)
        assert next(self._words) == ">"
        entry = made.nested_type.add()
        entry.options.map_entry = True
        for number, (name, kind) in enumerate((("key", key), ("value", value)), 1):
            field = entry.field.add(name=name, number=number, label=_OPTIONAL)
            self._set_type(field, kind)

    def _set_type(self, field: Any, kind: str) -> None:
        if kind in _SCALARS:
            field.type = _SCALARS[kind]
        elif kind == "DataType":
            field.type, field.type_name = _ENUM, f".{PACKAGE}.DataType"
        elif kind in self._enums:
            field.type, field.type_name = _ENUM, kind
        else:
            field.type, field.type_name = _MESSAGE, kind  # looked up from the inside outwards


def _entry_name(field: str) -> str:
    """What protobuf calls the message of a map's entries."""
    return "".join(part.capitalize() for part in field.split("_")) + "Entry"


_TF_NAMES: Final = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}


def _data_types(file: Any) -> None:
    """The enum DataType: TensorFlow's numbers, which are those of `core/dtypes`."""
    enum = file.enum_type.add(name="DataType")
    enum.value.add(name="DT_INVALID", number=0)
    for dtype in ALL:
        name = _TF_NAMES.get(dtype.name, dtype.name.upper())
        enum.value.add(name=f"DT_{name}", number=dtype.as_datatype_enum)


@serialised
@lru_cache(1)
def _pool() -> Any:
    """A pool of the messages that programs read and write."""
    schema = _Schema("".join((SCHEMA, *OTHERS)))
    _data_types(schema.file)
    pool: Any = descriptor_pool.Default() if stands_in() else descriptor_pool.DescriptorPool()
    pool.Add(schema.file)
    return pool


@serialised
def declare_file(name: str, messages: Iterable[str]) -> None:
    """Let files of the process's pool import TensorFlow's file of that name, with these messages.

    A pool of our own has no file that others could import.
    """
    if _pool() is not descriptor_pool.Default() or name in _declared:
        return
    file: Any = descriptor_pb2.FileDescriptorProto(name=name, package=PACKAGE, syntax="proto3")
    file.dependency.append(FILE)
    if any(_messages().get(one) is None for one in messages if not is_number(one)):
        _runtime_messages()
        file.dependency.append(RUNTIME_FILE)
    file.public_dependency.extend(range(len(file.dependency)))
    _pool().Add(file)
    _declared.add(name)


_declared: Final[set[str]] = set()


def is_number(name: str) -> bool:
    """Whether the name is that of a dtype's number, or of all of them."""
    return name.startswith(("DT_", "DataType"))


@serialised
@lru_cache(1)
def _messages() -> dict[str, Any]:
    return _classes_of(FILE)


@serialised
@lru_cache(1)
def _runtime_messages() -> dict[str, Any]:
    """Those of TensorFlow's runtime, which few programs name, and their enums."""
    from ..serialized.runtime_schema import SCHEMA as RUNTIME  # few programs name them

    schema = _Schema(RUNTIME, RUNTIME_FILE)
    schema.file.dependency.append(FILE)
    _pool().Add(schema.file)
    found = _classes_of(schema.file.name)
    for enum in _pool().FindFileByName(schema.file.name).enum_types_by_name.values():
        found[enum.name] = EnumTypeWrapper(enum)
        found.update({name: value.number for name, value in enum.values_by_name.items()})
    return found


def _classes_of(file: str) -> dict[str, Any]:
    """The classes of a file's messages, by their names."""
    found = message_factory.GetMessageClassesForFiles([file], _pool())
    for cls in found.values():
        _add_parts(cls)
    return {name.removeprefix(f"{PACKAGE}."): cls for name, cls in found.items()}


def _add_parts(cls: Any) -> None:
    """Give a message's class what is declared inside it, by name, as compiled messages have it."""
    for enum in cls.DESCRIPTOR.enum_types:
        setattr(cls, enum.name, EnumTypeWrapper(enum))
    for part in cls.DESCRIPTOR.nested_types:
        setattr(cls, part.name, message_factory.GetMessageClass(part))
        _add_parts(getattr(cls, part.name))


def from_text(text: str, kind: Any) -> Any:
    """The message of a class that a text in protobuf's language spells."""
    from google.protobuf import text_format  # few programs read such texts

    return text_format.Parse(text, kind())


def to_text(proto: Any) -> str:
    """A message in protobuf's language."""
    from google.protobuf import text_format  # few programs write such texts

    return text_format.MessageToString(proto)


def from_json(text: str, kind: Any) -> Any:
    """The message of a class that a text in JSON spells."""
    from google.protobuf import json_format  # few programs read such texts

    return json_format.Parse(text, kind())


def message(name: str) -> Any:
    """The class of the message called `name` ('GraphDef', 'AttrValue')."""
    found = _messages().get(name)
    return _runtime_messages()[name] if found is None else found


def data_types() -> dict[str, Any]:
    """The enum of dtypes, `DataType`, and its numbers by name."""
    enum = message("TensorProto").DESCRIPTOR.fields_by_name["dtype"].enum_type
    numbers = {name: value.number for name, value in enum.values_by_name.items()}
    return {"DataType": EnumTypeWrapper(enum), **numbers}


def documented(name: str, text: str) -> Any:
    """The same class, with what `help` says of it."""
    made = message(name)
    made.__doc__ = text
    return made
