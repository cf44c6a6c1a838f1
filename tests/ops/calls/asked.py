"""Which public functions the calls of the tables are of, and how often.

A call is `call(tf, *tensors)`: what it is of, it takes from `tf`. `python -m tests.ops.record`
writes beside the answers, to `functions.json`, how often the calls of a topic take each function;
`test_recorded_functions.py` asks that no public function is taken too seldom.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
FILE = HERE / "functions.json"
PUBLIC = HERE.parents[1] / "api" / "tensorflow.json"


class Asked:
    """A library, or a namespace of it, that counts which functions are taken from it."""

    def __init__(self, namespace: Any, found: Counter[str], place: str = "tf") -> None:
        self._namespace, self._found, self._place = namespace, found, place

    def __getattr__(self, name: str) -> Any:
        value, place = getattr(self._namespace, name), f"{self._place}.{name}"
        if isinstance(value, ModuleType):
            return Asked(value, self._found, place)
        if place in functions():
            self._found[place] += 1
        return value


def plain(tf: Any) -> Any:
    """The library itself: what it is asked for does not count."""
    return tf._namespace if isinstance(tf, Asked) else tf


@cache
def functions() -> frozenset[str]:
    """TensorFlow's public functions: not its classes, nor what is no function."""
    described = json.loads(PUBLIC.read_text())
    return frozenset(
        name for name, one in described.items() if "parameters" in one and "members" not in one
    )


@cache
def recorded() -> dict[str, dict[str, int]]:
    """How often the calls of each topic take a function."""
    return json.loads(FILE.read_text())


def write(topic: str, found: Counter[str]) -> None:
    """Say of a topic what its calls take, and nothing else of the others."""
    every = (json.loads(FILE.read_text()) if FILE.exists() else {}) | {topic: dict(found)}
    lines = [
        f"{json.dumps(name)}: {json.dumps(taken, sort_keys=True)}"
        for name, taken in sorted(every.items())
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
