"""The first step of `models.transformer`, with nothing cached."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.transformer import MODEL

TITLE = "first train step, nothing cached: 2 transformer blocks"
WORK = MODEL.first_step("first call", TITLE, Goal("tensorflow", 1 / 3))
