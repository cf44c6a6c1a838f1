"""Writes what TensorFlow computes: recorded.json (samples) and recorded_calls.json (calls).

Run it with a Python that has TensorFlow (and none of our library):

    python -m tests.ops.record
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
# Attributes that Python knows by another name than the OpDef.
RENAMED = {"squeeze_dims": "axis", "lower_": "lower"}
DTYPE_ATTRS = (
    "DstT", "Tout", "type", "out_type", "output_type", "out_idx", "index_type", "dtype", "Targmax",
    "Tcomplex", "Treal", "internal_type", "out_values_type", "out_row_splits_type",
)  # fmt: skip


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


def computed(tf: Any, name: str, sample: Any) -> list[np.ndarray[Any, Any]]:
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
        dtype = tf.as_dtype(STORAGE[value]) if key in DTYPE_ATTRS else None
        arguments[RENAMED.get(key, key)] = value if dtype is None else dtype
    outputs = function(**arguments)
    if outputs is None or isinstance(outputs, tf.Operation):
        return []
    listed = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [as_array(output.numpy()) for output in listed]


def as_array(value: Any) -> np.ndarray[Any, Any]:
    if not isinstance(value, bytes):
        return np.asarray(value)
    result = np.empty((), object)
    result[()] = value
    return result


def main() -> None:
    import tensorflow as tf

    write("recorded.json", of_samples(tf))
    write("recorded_calls.json", of_calls(tf))


def write(file: str, lines: list[str]) -> None:
    (HERE / file).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def of_calls(tf: Any) -> list[str]:
    from .calls.call_tables import ALL_CALLS
    from .calls.calls import leaves

    lines: list[str] = []
    for name, (call, arrays) in ALL_CALLS.items():
        results = leaves(call(tf, *map(tf.constant, arrays)))
        entries = [encoded(as_array(result.numpy())) for result in results if result is not None]
        lines.append(f"{json.dumps(name)}: {json.dumps(entries)}")
    return lines


def of_samples(tf: Any) -> list[str]:
    from .samples import SAMPLES

    lines: list[str] = []
    for name, samples in SAMPLES.items():
        entries: list[Any] = []
        for number, sample in enumerate(samples):
            if sample.expected is not None:
                entries.append(None)
                continue
            try:
                entries.append([encoded(array) for array in computed(tf, name, sample)])
            except Exception as error:  # an operation of our own needs `expected`
                print(f"{name} {number}: {type(error).__name__}: {error}", file=sys.stderr)
                entries.append(None)
        lines.append(f"{json.dumps(name)}: {json.dumps(entries)}")
    return lines


if __name__ == "__main__":
    main()
