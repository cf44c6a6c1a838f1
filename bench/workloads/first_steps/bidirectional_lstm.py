"""The first step of `models.bidirectional_lstm`, with nothing cached."""

from __future__ import annotations

from bench.work import Goal
from bench.workloads.models.bidirectional_lstm import MODEL

TITLE = "first train step, nothing cached: 2 bidirectional LSTM"
WORK = MODEL.first_step("first call", TITLE, Goal("tensorflow", 1 / 3))
