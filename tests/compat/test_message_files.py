"""Messages of libraries whose fields are TensorFlow's messages, as protoc writes their modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from tensormill.compat import install
install()
import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from tensorflow.core.framework import cost_graph_pb2, tensor_shape_pb2, types_pb2
from tensorflow.core.example import example_pb2

file = descriptor_pb2.FileDescriptorProto(name="library.proto", package="library", syntax="proto3")
for one in ("framework/tensor_shape", "framework/types", "framework/cost_graph", "example/example"):
    file.dependency.append(f"tensorflow/core/{one}.proto")
made = file.message_type.add(name="Feature")
fields = "TensorShapeProto", "Example", "CostGraphDef"
for number, kind in enumerate(fields, 1):
    made.field.add(name=kind, number=number, label=1, type=11, type_name=f".tensorflow.{kind}")
made.field.add(name="dtype", number=4, label=1, type=14, type_name=".tensorflow.DataType")
pool = descriptor_pool.Default()
pool.AddSerializedFile(file.SerializeToString())
feature = message_factory.GetMessageClass(pool.FindMessageTypeByName("library.Feature"))()
feature.TensorShapeProto.CopyFrom(tf.TensorShape([1, None]).as_proto())
feature.Example.CopyFrom(tf.train.Example())
feature.CostGraphDef.node.add(name="a")
feature.dtype = tf.int64.as_datatype_enum
print(tf.TensorShape(feature.TensorShapeProto), str(feature).split()[-1])
print(type(feature.Example) is tf.train.Example)
"""


@pytest.mark.sampled(among="scripts")
def test_messages_of_a_library_hold_those_of_tensorflow() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )

    assert ("(1, None) DT_INT64\nTrue\n", "") == (done.stdout, done.stderr)
