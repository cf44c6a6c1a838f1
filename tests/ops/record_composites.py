"""Writes what TensorFlow computes with sparse and ragged tensors: recorded_composites.json.

Run it with a Python that has TensorFlow (and none of our library):

    python -m tests.ops.record_composites
"""

from __future__ import annotations

import json
from typing import Any


def parts(tf: Any, result: Any) -> list[Any]:
    """The tensors of a result, its composites taken apart."""
    return [leaf for leaf in tf.nest.flatten(result, expand_composites=True) if leaf is not None]


def main() -> None:
    import tensorflow as tf

    from .calls.composite_calls import CALLS
    from .record import as_array, encoded, write

    lines: list[str] = []
    for name, (call, arrays) in CALLS.items():
        try:
            results = parts(tf, call(tf, *map(tf.constant, arrays)))
        except Exception as error:
            raise RuntimeError(f"TensorFlow fails at {name!r}") from error
        entries = [encoded(as_array(result.numpy())) for result in results]
        lines.append(f"{json.dumps(name)}: {json.dumps(entries)}")
    write("recorded_composites.json", lines)


if __name__ == "__main__":
    main()
