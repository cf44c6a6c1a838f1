"""The first step of `models.autoencoder`, after an earlier process has compiled it."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.autoencoder import MODEL

TITLE = "first train step, from the disk cache: autoencoder"
WORK = MODEL.first_step("warm first call", TITLE, Goal("tensorflow", 1 / 20))
