"""`tf.io.decode_json_example`: examples in JSON."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, Final

from google.protobuf import json_format

from ...core import dtypes
from ...core.files.varints import varint
from ...errors import InvalidArgumentError
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.dispatch.meanings import dispatchable
from ...ops.op import In, Op, Out
from ...ops.strings.byte_strings import each
from ..proto.messages import message


class DecodeJSONExample(Op):
    """Examples in JSON as serialized messages."""

    json_examples = In("str *s")
    binary_examples = Out("str *s")
    differentiable = False

    def eager(self, np: Any) -> Any:
        return each(_from_json, self.json_examples)


def _from_json(text: bytes) -> bytes:
    made = message("Example")()
    if not text.lstrip().startswith(b"{"):
        raise InvalidArgumentError(f"Error while parsing JSON {text[:64]!r}: expected '{{'")
    try:
        json_format.Parse(text, made)
    except (json_format.ParseError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"Error while parsing JSON {text[:64]!r}: {error}") from None
    if not made.HasField("features"):
        return b""
    named: dict[str, Any] = json.loads(text)["features"].get("feature") or {}
    return _one_by_one(made.features.feature, list(named))


def _one_by_one(features: Any, names: list[str]) -> bytes:
    """The message in bytes as TensorFlow writes what was JSON: features in the order of `names`,
    each number a field of its own.
    """
    entries = [
        _field(1, _field(1, name.encode()) + _field(2, _feature(features[name]))) for name in names
    ]
    return _field(1, b"".join(entries))


def _feature(feature: Any) -> bytes:
    kind = feature.WhichOneof("kind")
    if kind is None:
        return b""
    number, written = _KINDS[kind]
    return _field(number, b"".join(map(written, getattr(feature, kind).value)))


def _field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


# Kinds of features: their numbers, and how one value of theirs is written.
_KINDS: Final[dict[str, tuple[int, Callable[[Any], bytes]]]] = {
    "bytes_list": (1, lambda value: _field(1, value)),
    "float_list": (2, lambda value: b"\x0d" + struct.pack("<f", value)),
    "int64_list": (3, lambda value: b"\x08" + varint(value & 0xFFFFFFFFFFFFFFFF)),
}


@dispatchable
def decode_json_example(json_examples: Any, name: str | None = None) -> Any:
    """`tf.train.Example`s in protocol buffers' JSON, as serialized ones: strings of the same shape.

    json_examples: string [...]. https://protobuf.dev/programming-guides/json/ tells the format.

    >>> text = '{"features": {"feature": {"x": {"int64List": {"value": [5]}}}}}'
    >>> wanted = {"x": tf.io.FixedLenFeature([], tf.int64)}
    >>> int(tf.io.parse_single_example(tf.io.decode_json_example(text), wanted)["x"])
    5

    Raises:
        InvalidArgumentError: a string is no such JSON.
    """
    return bind(DecodeJSONExample, as_tensor(json_examples, dtypes.string), name=name)
