"""Writes what TensorFlow computes for samples and calls: a file of answers for each topic.

Run it with a Python that has TensorFlow (and none of our library):

    python -m tests.ops.record [TOPIC…]

A topic is a module of samples (`samples/arrays.py`) or of calls (`calls/signal_calls.py`: signal);
without any, all are recorded.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

Answer = list[Any] | dict[str, str] | None

# The topic of operations that TensorFlow refuses in graphs of today.
FIRST = "first_graphs"
# Attributes that Python knows by another name than the OpDef.
RENAMED = {"squeeze_dims": "axis", "lower_": "lower"}
DTYPE_ATTRS = (
    "DstT", "Tout", "type", "out_type", "output_type", "out_idx", "index_type", "dtype", "Targmax",
    "T", "Tcomplex", "Treal", "internal_type", "out_values_type", "out_row_splits_type", "Tsplits",
    "output_dtype",
)  # fmt: skip
DTYPE_LISTS = (
    "sparse_types", "ragged_value_types", "ragged_split_types", "context_sparse_types",
    "feature_list_dense_types", "feature_list_sparse_types", "feature_list_ragged_value_types",
    "feature_list_ragged_split_types", "output_types",
)  # fmt: skip


def main(words: list[str]) -> None:
    import tensorflow as tf

    from . import samples
    from .calls import asked, tables

    wanted = words or [*samples.TOPICS, *tables.TOPICS]
    for topic in wanted:
        if topic in samples.TOPICS:
            run = in_first_graph if topic == FIRST else outputs
            write(samples.answers_of(topic), of_samples(tf, samples.TOPICS[topic], run))
        if topic in tables.TOPICS:
            found = Counter[str]()
            library = asked.Asked(tf, found)
            write(tables.TOPICS[topic].answers, of_calls(library, tables.TOPICS[topic].calls))
            asked.write(topic, found)
    unknown = {*wanted} - {*samples.TOPICS, *tables.TOPICS}
    if unknown:
        sys.exit(f"there are no topics {sorted(unknown)}")


def write(file: Path, answers: Iterable[tuple[str, Answer]]) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def of_calls(library: Any, calls: dict[str, Any]) -> Iterable[tuple[str, Answer]]:
    from .calls.asked import plain
    from .calls.tables import parts

    tf = plain(library)
    for name, (call, arrays) in calls.items():
        try:
            yield name, tensors(parts(tf, call(library, *map(tf.constant, arrays))))
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
            yield name, {"raises": type(error).__name__}


def of_samples(
    tf: Any, samples: dict[str, Any], run: Callable[[Any, str, Any], list[Any]]
) -> Iterable[tuple[str, Answer]]:
    for name, several in samples.items():
        # Nothing where the result is told by hand, as it is for all operations of our own.
        yield (
            name,
            [tensors(run(tf, name, one)) if one.expected is None else None for one in several],
        )


def tensors(found: list[Any]) -> Answer:
    return [encoded(as_array(getattr(one, "numpy", lambda one=one: one)())) for one in found]


def encoded(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """An array as JSON: its dtype, shape and elements."""
    flat, name = array.reshape(-1), str(array.dtype)
    if array.dtype.kind == "O":
        values: list[Any] = [text.decode("latin-1") for text in flat]
        name = "str"
    elif array.dtype.kind == "c":
        values = [[float(z.real), float(z.imag)] for z in flat]
    elif array.dtype.kind in "iub":
        values = [value.item() for value in flat]
    else:
        values = [float(value) for value in flat]
    return {"dtype": name, "shape": list(array.shape), "values": values}


def as_array(value: Any) -> np.ndarray[Any, Any]:
    if not isinstance(value, bytes):
        return np.asarray(value)
    result = np.empty((), object)
    result[()] = value
    return result


def outputs(tf: Any, name: str, sample: Any) -> list[Any]:
    """The outputs of one application in TensorFlow."""
    from .samples.sample import STORAGE

    function = getattr(tf.raw_ops, name)
    names = [one for one in inspect.signature(function).parameters if one != "name"]
    arguments: dict[str, Any] = {}
    for field, operand in zip(names, sample.operands, strict=False):
        several = type(operand) is tuple
        arguments[field] = (
            [tf.constant(one) for one in operand] if several else tf.constant(operand)
        )
    for key, value in sample.attrs.items():
        if key in DTYPE_ATTRS:
            value = tf.as_dtype(STORAGE[value])
        elif key in DTYPE_LISTS:
            value = [tf.as_dtype(STORAGE[one]) for one in value]
        if RENAMED.get(key, key) in names:  # others are told by operands
            arguments[RENAMED.get(key, key)] = value
    found = function(**arguments)
    if found is None or isinstance(found, tf.Operation):
        return []
    return tf.nest.flatten(found)


def in_first_graph(tf: Any, name: str, sample: Any) -> list[Any]:
    """The same in a graph that says that it is of the first release: others may not have it."""
    first = tf.compat.v1.GraphDef()
    first.versions.producer = 1
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(first)
        return session.run(outputs(tf, name, sample))


if __name__ == "__main__":
    main(sys.argv[1:])
