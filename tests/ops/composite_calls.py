"""All calls with sparse and ragged tensors."""

from __future__ import annotations

if __package__:
    from . import ragged_calls, sparse_calls
else:  # record_composites.py is a program, beside TensorFlow
    import ragged_calls
    import sparse_calls

CALLS = {f"sparse: {name}": call for name, call in sparse_calls.CALLS.items()}
CALLS |= {f"ragged: {name}": call for name, call in ragged_calls.CALLS.items()}
