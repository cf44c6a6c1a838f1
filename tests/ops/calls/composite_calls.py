"""All calls with sparse and ragged tensors."""

from __future__ import annotations

from . import ragged_calls, sparse_calls

CALLS = {f"sparse: {name}": call for name, call in sparse_calls.CALLS.items()}
CALLS |= {f"ragged: {name}": call for name, call in ragged_calls.CALLS.items()}
