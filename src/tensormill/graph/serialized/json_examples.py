"""`tf.io.decode_json_example`: examples in JSON."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import Any

from google.protobuf import json_format

from ...core import dtypes
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
    return made.SerializeToString()


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
