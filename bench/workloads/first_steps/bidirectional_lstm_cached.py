"""The first step of `models.bidirectional_lstm`, after an earlier process has compiled it."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.bidirectional_lstm import MODEL

TITLE = "first train step, from the disk cache: 2 bidirectional LSTM"
WORK = MODEL.first_step("warm first call", TITLE, Goal("tensorflow", 1 / 20))
