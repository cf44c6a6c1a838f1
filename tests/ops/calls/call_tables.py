"""All tables of calls, by topic."""

from __future__ import annotations

from . import (
    calls,
    ctc_calls,
    gradient_calls,
    image_calls,
    matrix_calls,
    moment_calls,
    signal_calls,
    special_calls,
    string_calls,
)

ALL_CALLS = calls.CALLS | gradient_calls.GRADIENT_CALLS
for topic in (
    matrix_calls, signal_calls, special_calls, ctc_calls, string_calls, image_calls, moment_calls,
):  # fmt: skip
    ALL_CALLS |= topic.CALLS | topic.GRADIENTS
