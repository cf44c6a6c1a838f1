"""Samples of every operation, by topic: each module of this folder that has SAMPLES.

`python -m tests.ops.record TOPIC` writes what TensorFlow computes for those that say no `expected`
to `recorded/TOPIC.json`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from .sample import Sample, Table

HERE = Path(__file__).parent


def topics() -> dict[str, Table]:
    names = sorted(one.name for one in iter_modules([str(HERE)]) if one.name != "sample")
    return {name: import_module(f"{__package__}.{name}").SAMPLES for name in names}


def answers_of(topic: str) -> Path:
    return HERE / "recorded" / f"{topic}.json"


TOPICS = topics()
TOPIC_OF = {name: topic for topic, table in TOPICS.items() for name in table}
SAMPLES: Table = {name: samples for table in TOPICS.values() for name, samples in table.items()}

__all__ = ["SAMPLES", "TOPICS", "TOPIC_OF", "Sample", "answers_of"]
