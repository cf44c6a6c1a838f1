"""Writes what `tf.compat.v1` of TensorFlow has, and how it is called: tensorflow_v1.json.

Run it with a Python that has TensorFlow (and none of our library):

    python -m tests.api.record_version_one

What is the very thing that TensorFlow 2 has as well is recorded as that thing's name. Left out is
what is Keras's own, the raw operations, and `tf.compat` once more; `layers` and `nn.rnn_cell` are
modules of an older Keras, which TensorFlow 2.21 does not find.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from .record_names import FILE as VERSION_TWO
from .record_names import described

FILE = Path(__file__).parent / "tensorflow_v1.json"
START = "tf.compat.v1"
LEFT_OUT = {f"{START}.{one}" for one in ("compat", "keras", "raw_ops")}
GENERATED = "tensorflow._api."


def public_names(module: ModuleType, place: str) -> Iterator[tuple[str, Any]]:
    """Every public name below a module, with what it is."""
    for name in sorted(dir(module)):
        where = f"{place}.{name}"
        if name.startswith("_") or where in LEFT_OUT:
            continue
        value = getattr(module, name)
        if not isinstance(value, ModuleType):
            yield where, value
        elif GENERATED in (getattr(value, "__file__", None) or "").replace("/", "."):
            yield from public_names(value, where)


def known_names(tf: Any) -> dict[int, str]:
    """What TensorFlow 2 has, by its identity, under the first of its names."""
    found: dict[int, str] = {}
    for name in json.loads(VERSION_TWO.read_text()):
        value = tf
        for part in name.split(".")[1:]:
            value = getattr(value, part)
        if callable(value):
            found.setdefault(id(value), name)
    return found


def main() -> None:
    import tensorflow as tf

    found, known = dict(public_names(tf.compat.v1, START)), known_names(tf)
    described_as = {name: known.get(id(value)) or described(value) for name, value in found.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in sorted(described_as.items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
