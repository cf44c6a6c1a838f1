"""Writes graphs.json: the GraphDefs that TensorFlow writes for datasets, in base64.

Run it with a Python that has TensorFlow:

    python -m tests.data_service.record_graphs
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "graphs.json"

DATASETS: dict[str, Callable[[Any], Any]] = {
    "batches": lambda tf: tf.data.Dataset.range(3).map(lambda x: x * 2).batch(2),
    "slices": lambda tf: tf.data.Dataset.from_tensor_slices(([1, 2, 3], ["a", "b", "c"])),
    "shuffled": lambda tf: tf.data.Dataset.range(4).shuffle(4, seed=1).repeat(2),
    "filtered": lambda tf: tf.data.Dataset.zip(
        (tf.data.Dataset.range(2), tf.data.Dataset.range(5).filter(lambda x: x > 2))
    ),
    "windows": lambda tf: tf.data.Dataset.range(4).window(2).flat_map(lambda one: one.batch(2)),
    "a captured tensor": lambda tf: _added(tf, tf.constant(5, tf.int64)),
    "interleaved": lambda tf: tf.data.Dataset.range(2).interleave(
        lambda x: tf.data.Dataset.range(x, x + 2), cycle_length=2
    ),
    "in parallel": lambda tf: tf.data.Dataset.range(3).map(
        lambda x: x + 1, num_parallel_calls=2
    ).cache().take(2).prefetch(1),
}  # fmt: skip


def _added(tf: Any, number: Any) -> Any:
    return tf.data.Dataset.range(3).map(lambda x: x + number)


def main() -> None:
    import tensorflow as tf

    def written(dataset: Any) -> str:
        graph = tf.raw_ops.DatasetToGraphV2(input_dataset=tf.data.experimental.to_variant(dataset))
        return b64encode(graph.numpy()).decode()

    found = {name: written(make(tf)) for name, make in DATASETS.items()}
    RECORD.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
