"""The first step of `models.dropout`, after an earlier process has compiled it."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.dropout import MODEL

TITLE = "first train step, from the disk cache: MLP with dropout"
WORK = MODEL.first_step("warm first call", TITLE, Goal("tensorflow", 1 / 20))
