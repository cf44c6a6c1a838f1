"""Imports every file of operations in this folder, as `ops/catalogue.py` does those of its own."""

from __future__ import annotations

from . import sparse_tensors as sparse_tensors
from . import tensors as tensors
