"""Records datasets as TensorFlow saves them: `python -m tests.data.saved.record`, with TensorFlow.

What it writes, `tensorflow.json`, has the files of each (base64), and its elements.
"""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

RECORDED = Path(__file__).with_name("tensorflow.json")


def datasets(tf: Any) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Datasets, and how they are saved."""
    numbers = tf.data.Dataset.range(7)
    ragged = tf.ragged.constant([[["a"], ["bb", ""]], [["c"]], []])
    mixed = tf.data.Dataset.from_tensor_slices(
        {"f": [[1.5, 2.0], [3.0, 4.0]], "s": ["x", ""], "b": [True, False]}
    )
    return {
        "numbers": (numbers, {}),
        "none": (tf.data.Dataset.from_tensors((tf.constant(1), None)), {}),
        "mixed": (mixed, {"compression": "GZIP"}),
        "snappy": (tf.data.Dataset.range(300).batch(100), {"compression": "SNAPPY"}),
        "shards": (numbers, {"shard_func": lambda n: n % 3, "compression": "ZLIB"}),
        "ragged": (tf.data.Dataset.from_tensor_slices(ragged), {}),
        "sparse": (tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2]])), {}),
        "sizes": (numbers.map(lambda n: tf.fill([n % 3], tf.cast(n, tf.bfloat16))), {}),
    }


def plain(tf: Any, element: Any) -> Any:
    """An element as JSON has it."""
    if element is None:
        return None
    if isinstance(element, dict):
        return {name: plain(tf, one) for name, one in element.items()}
    if isinstance(element, tuple):
        return [plain(tf, one) for one in element]
    if isinstance(element, tf.sparse.SparseTensor):
        element = tf.sparse.to_dense(element)
    if isinstance(element, tf.RaggedTensor):
        return _decoded(element.to_list())
    return _decoded(np.asarray(element.numpy()).tolist())


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value


def main() -> None:
    import tensorflow as tf

    found: dict[str, Any] = {}
    for name, (dataset, arguments) in datasets(tf).items():
        with tempfile.TemporaryDirectory() as folder:
            dataset.save(folder, **arguments)
            files = {
                str(path.relative_to(folder)): base64.b64encode(path.read_bytes()).decode()
                for path in sorted(Path(folder).rglob("*"))
                if path.is_file()
            }
        found[name] = {"files": files, "elements": [plain(tf, one) for one in dataset]}
    RECORDED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
