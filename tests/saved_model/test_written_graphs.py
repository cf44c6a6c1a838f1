"""Graphs that are built by hand are written in operations that TensorFlow has, one and all.

TensorFlow 2.21 imports and trains what `written` writes: it was asked with each of `GRAPHS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.api.record_raw_ops import MISSING, RECORD

v1 = tf.compat.v1
X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


def dense(x: Any) -> Any:
    w, b = v1.get_variable("w", [2, 2]), v1.get_variable("b", [2])
    rows = tf.gather(tf.nn.relu(tf.matmul(x, w) + b), [0, 1, 1], axis=1)
    return tf.reduce_mean(tf.nn.dropout(rows, rate=0.5, seed=1))


def steps(x: Any) -> Any:
    w, b = v1.get_variable("w", [2, 2]), v1.get_variable("b", [2])

    def body(k: Any, y: Any) -> Any:
        return k + 1, v1.where(tf.less(k, [1, 3]), tf.tanh(tf.matmul(y, w) + b), y)

    return tf.reduce_sum(tf.while_loop(lambda k, y: k < 3, body, (0, x))[1])


def choice(x: Any) -> Any:
    b = v1.get_variable("b", [2])
    return tf.reduce_sum(tf.cond(tf.reduce_sum(x) > 0, lambda: tf.square(x + b), lambda: x * b))


def doubled(x: Any) -> Any:
    b = v1.get_variable("b", [2])
    clipped = tf.custom_gradient(lambda y: (tf.exp(y), lambda dy: tf.clip_by_value(dy, -1, 1)))
    return tf.reduce_sum(clipped(x + b))


GRAPHS: list[Callable[[Any], Any]] = [dense, steps, choice, doubled]


def written(make: Callable[[Any], Any]) -> Any:
    """The GraphDef of a training graph."""
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        loss = tf.identity(make(x), name="loss")
        step = v1.train.get_or_create_global_step()
        v1.train.AdamOptimizer(0.1).minimize(loss, global_step=step, name="train")
        return graph.as_graph_def()


@pytest.mark.parametrize("make", GRAPHS)
def test_all_operations_are_tensorflows(make: Callable[[Any], Any]) -> None:
    known = set(json.loads(RECORD.read_text()))
    known |= {name for names in json.loads(MISSING.read_text()).values() for name in names}
    proto = written(make)
    bodies = [one.node_def for one in proto.library.function]

    used = {node.op for nodes in (proto.node, *bodies) for node in nodes}
    called = {one.signature.name for one in proto.library.function}
    assert used <= known | called | {"Placeholder", "Const"}
    assert {"train", "loss"} <= {node.name for node in proto.node}


def test_what_is_written_trains_on() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(written(steps), name="")
        session.run(["w/Assign", "b/Assign", "global_step/Assign"])
        session.run([f"{name}/Adam{end}/Assign" for name in "wb" for end in ("", "_1")])
        session.run(["beta1_power/Assign", "beta2_power/Assign"])
        losses = [float(session.run(["loss:0", "train"], {"x:0": X})[0]) for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]
