"""The first step of `models.dropout`, with nothing cached."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.dropout import MODEL

TITLE = "first train step, nothing cached: MLP with dropout"
WORK = MODEL.first_step("first call", TITLE, Goal("tensorflow", 1 / 3))
