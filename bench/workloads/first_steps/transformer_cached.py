"""The first step of `models.transformer`, after an earlier process has compiled it."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.transformer import MODEL

TITLE = "first train step, from the disk cache: 2 transformer blocks"
WORK = MODEL.first_step("warm first call", TITLE, Goal("tensorflow", 1 / 20))
