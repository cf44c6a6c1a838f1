"""The first step of `models.residual`, with nothing cached."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.residual import MODEL

TITLE = "first train step, nothing cached: ResNet-20"
WORK = MODEL.first_step("first call", TITLE, Goal("tensorflow", 1 / 3))
