"""A graph of the first release with arrays of tensors, by their older names, and what it gives.

It is made with whichever library is given: in TensorFlow tests/behaviours run it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

X = np.array([[2, 1], [1, 3]], np.float32)
GIVEN = {
    "x": X, "flow": np.float32(0), "size": np.int32(2), "last": np.int32(1),
    "pair": np.array([1, 0], np.int32), "order": np.array([0, 1], np.int32),
    "lengths": np.array([2, 0], np.int64),
}  # fmt: skip
VERSIONS = "", "V2"
RESULTS: dict[str, Any] = {
    "all:0": X, "one:0": X[0], "joined:0": X, "joined:1": np.array([2, 0], np.int64),
    "count:0": np.int32(2), "sum:0": X[::-1] * 2,
}  # fmt: skip
# Of both versions: what is packed was never renamed.
EXPECTED = {"": RESULTS | {"packed:0": X[::-1], "unpacked:0": X}, "V2": RESULTS}


def of(tf: Any, version: str) -> Any:
    """The GraphDef with the operations of one version."""
    proto = tf.compat.v1.GraphDef()
    proto.versions.producer = 1
    for name, value in GIVEN.items():
        node = proto.node.add(name=name, op="Placeholder")
        node.attr["dtype"].type = tf.as_dtype(value.dtype).as_datatype_enum

    def add(name: str, op: str, *inputs: str, typed: str = "dtype") -> None:
        node = proto.node.add(name=name, op=f"TensorArray{op}", input=inputs)
        if typed:
            node.attr[typed].type = tf.float32.as_datatype_enum

    v = version
    for name in "abc":
        add(name, v, "size")
        proto.node[-1].attr["clear_after_read"].b = False
    add("put", f"Scatter{v}", "a", "pair", "x", "flow", typed="T")
    add("all", f"Gather{v}", "a", "pair", "put")
    add("one", f"Read{v}", "a", "last", "put")
    add("cut", f"Split{v}", "b", "x", "lengths", "flow", typed="T")
    add("joined", f"Concat{v}", "b", "cut")
    add("count", f"Size{v}", "b", "cut", typed="")
    add("slope", f"Grad{v}", "a", "put", typed="")
    proto.node[-1].attr["source"].s = b"slopes"
    add("once", f"Scatter{v}", "slope", "pair", "x", "flow", typed="T")
    add("twice", f"Scatter{v}", "slope", "pair", "x", "once", typed="T")
    add("sum", f"Gather{v}", "slope", "order", "twice")
    if not version:
        add("packed", "Pack", "a", "put")
        add("spread", "Unpack", "c", "x", "flow", typed="T")
        add("unpacked", "Pack", "c", "spread")
    return proto
