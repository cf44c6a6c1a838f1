"""`tf.io.serialize_tensor` and `tf.io.parse_tensor`: tensors as TensorProtos."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import base64
from typing import Any

from google.protobuf.message import DecodeError

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.dispatch.meanings import dispatchable
from ...ops.op import Attr, In, Op, Out
from ..proto.messages import message
from ..proto.values import array_of, contiguous_array, tensor_proto


class SerializeTensor(Op):
    """A tensor as a TensorProto."""

    tensor = In("T ...")
    serialized = Out("str")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        return text(np, serialized(self.tensor))


class ParseTensor(Op):
    """The tensor in a TensorProto."""

    serialized = In("str")
    output = Out("out_type ...")
    out_type = Attr()
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(None, as_dtype(self.out_type))

    def eager(self, np: Any) -> Any:
        found, wanted = parsed(self.serialized[()]), as_dtype(self.out_type)
        dtype = dtypes.of_storage(found.dtype)
        if dtype is not wanted:
            raise InvalidArgumentError(
                f"Type mismatch between parsed tensor ({dtype.name}) and dtype ({wanted.name}): "
                "out_type must be what was serialized"
            )
        return found


def serialized(array: Any) -> bytes:
    """An array as a TensorProto; numbers are bytes in it."""
    return tensor_proto(array, in_bytes=True).SerializeToString()


def parsed(data: bytes) -> Any:
    """The array in a TensorProto.

    Raises:
        InvalidArgumentError: there is none.
    """
    try:
        proto = message("TensorProto").FromString(data)
    except DecodeError:
        shown = base64.b64encode(data[:64]).decode()
        raise InvalidArgumentError(
            f"Could not parse `serialized` as TensorProto: {len(data)} bytes, in base64 {shown}"
        ) from None
    return contiguous_array(array_of(proto))


def text(np: Any, value: bytes) -> Any:
    """A string scalar."""
    found = np.empty((), object)
    found[()] = value
    return found


@dispatchable
def serialize_tensor(tensor: Any, name: str | None = None) -> Any:
    """A tensor as a string scalar, a serialized TensorProto; `tf.io.parse_tensor` reads it.

    tensor: any shape and dtype.

    >>> tf.io.parse_tensor(tf.io.serialize_tensor([1.5, 2.0]), tf.float32).numpy()
    array([1.5, 2. ], dtype=float32)

    Raises:
        ValueError: `tensor` is nothing that a dense tensor can hold.
    """
    return bind(SerializeTensor, as_tensor(tensor), name=name)


@dispatchable
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Any:
    """The tensor in a serialized TensorProto, which has the dtype `out_type`.

    serialized: a string scalar. In a function the result's shape is unknown.

    >>> tf.io.parse_tensor(tf.io.serialize_tensor([[1, 2]]), tf.int32).numpy()
    array([[1, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: the string is no TensorProto, or one of another dtype.
    """
    text = as_tensor(serialized, dtypes.string)
    return bind(ParseTensor, text, out_type=as_dtype(out_type), name=name)
