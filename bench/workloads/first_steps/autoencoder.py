"""The first step of `models.autoencoder`, with nothing cached."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.autoencoder import MODEL

TITLE = "first train step, nothing cached: autoencoder"
WORK = MODEL.first_step("first call", TITLE, Goal("tensorflow", 1 / 3))
