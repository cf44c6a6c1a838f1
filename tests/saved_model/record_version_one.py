"""Writes graphs of TensorFlow 1, and what TensorFlow computes with them: run it with TensorFlow.

    python -m tests.saved_model.record_version_one

Each case of `version_one_graphs.json` has a frozen GraphDef, the files of a SavedModel, what is
fed and what comes out, by tensors' names.
"""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "version_one_graphs.json"

Graph = tuple[dict[str, Any], dict[str, Any]]


def main() -> None:
    import tensorflow as tf

    v1 = tf.compat.v1
    v1.disable_control_flow_v2()
    cases: dict[str, Any] = {}
    for name, build in BUILDERS.items():
        for kind, switch in KINDS.items():
            getattr(v1, switch)()
            cases[f"{name} {kind}"] = recorded(tf, build)
    FILE.write_text(json.dumps(cases, indent=0) + "\n")


KINDS = {
    "with handles": "enable_resource_variables",
    "with references": "disable_resource_variables",
}


def recorded(tf: Any, build: Callable[[Any], Graph]) -> dict[str, Any]:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph, v1.Session() as session:
        inputs, outputs = build(tf)
        session.run(v1.global_variables_initializer())
        with tempfile.TemporaryDirectory() as folder:
            v1.saved_model.simple_save(session, f"{folder}/model", inputs, outputs)
            files = files_of(Path(folder, "model"))
        ends = [tensor.op.name for tensor in outputs.values()]
        frozen = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ends)
        feeds = {key: fed(tensor) for key, tensor in inputs.items()}
        results = session.run(outputs, {inputs[key]: value for key, value in feeds.items()})
    return {
        "frozen": base64.b64encode(frozen.SerializeToString()).decode(),
        "files": files,
        "names": {key: tensor.name for key, tensor in {**inputs, **outputs}.items()},
        "feeds": {key: value.tolist() for key, value in feeds.items()},
        "results": {key: np.asarray(value).tolist() for key, value in results.items()},
    }


def fed(tensor: Any) -> np.ndarray[Any, Any]:
    sizes = [size or 3 for size in tensor.shape.as_list()]
    count = int(np.prod(sizes))
    numbers = np.arange(count) + 4 if tensor.dtype.is_integer else np.sin(np.arange(count) + 1.0)
    return numbers.reshape(sizes).astype(tensor.dtype.as_numpy_dtype)


def files_of(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): base64.b64encode(file.read_bytes()).decode()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def layers(tf: Any) -> Graph:
    v1 = tf.compat.v1
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    w = v1.get_variable("w", initializer=tf.constant([[1.0, -2.0, 0.5], [0.0, 1.0, 2.0]]))
    b = v1.get_variable("scope/b", initializer=tf.constant([0.5, 0.0, -0.5]))
    return {"x": x}, {"y": tf.nn.softmax(tf.nn.relu(tf.matmul(x, w) + b), name="y")}


def branches(tf: Any) -> Graph:
    x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
    w = tf.compat.v1.get_variable("w", initializer=tf.constant(2.0))
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: x * w, lambda: x - w)
    z, q = tf.cond(
        tf.reduce_max(x) > 5.0,
        lambda: (y + 1.0, tf.constant(3.0)),
        lambda: (y - 1.0, tf.cond(y[0] > 0, lambda: w * 7.0, lambda: 5.0)),
    )
    return {"x": x}, {"y": y, "z": z, "q": q}


def loops(tf: Any) -> Graph:
    n = tf.compat.v1.placeholder(tf.int32, [], name="n")
    x = tf.compat.v1.placeholder(tf.float32, [3], name="x")
    w = tf.compat.v1.get_variable("w", initializer=tf.constant([1.0, 2.0, 3.0]))

    def turn(i: Any, total: Any) -> Any:
        return i + 1, total * 0.5 + w * tf.cast(i, tf.float32)

    i, total = tf.while_loop(lambda i, total: i < n, turn, [0, x])
    return {"n": n, "x": x}, {"i": i, "total": total}


def nested(tf: Any) -> Graph:
    n = tf.compat.v1.placeholder(tf.int32, [], name="n")
    x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
    w = tf.compat.v1.get_variable("w", initializer=tf.constant(0.9))

    def turn(i: Any, a: Any) -> Any:
        _, b = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b + a * 0.1), [0, a])
        return i + 1, tf.cond(tf.reduce_sum(b) > 1.0, lambda: b * w, lambda: b + 1.0)

    _, a = tf.while_loop(lambda i, a: i < n, turn, [0, x])
    return {"n": n, "x": x}, {"a": a}


BUILDERS = {"layers": layers, "branches": branches, "loops": loops, "nested": nested}

if __name__ == "__main__":
    main()
