"""All tables of calls, by topic."""

from __future__ import annotations

if __package__:
    from . import calls, gradient_calls, matrix_calls
else:  # record.py is a program, beside TensorFlow
    import calls
    import gradient_calls
    import matrix_calls

ALL_CALLS = (
    calls.CALLS | gradient_calls.GRADIENT_CALLS | matrix_calls.CALLS | matrix_calls.GRADIENTS
)
