"""Samples of every operation, by topic."""

from __future__ import annotations

from . import (
    arithmetic,
    arrays,
    convolutions,
    elementwise,
    fourier,
    images,
    matrices,
    networks,
    partitions,
    reductions,
    special,
    texts,
)
from .sample import Sample, Table

TOPICS = (
    arithmetic,
    elementwise,
    arrays,
    reductions,
    matrices,
    networks,
    special,
    fourier,
    partitions,
    texts,
    convolutions,
    images,
)
SAMPLES: Table = {name: samples for topic in TOPICS for name, samples in topic.SAMPLES.items()}

__all__ = ["SAMPLES", "Sample"]
