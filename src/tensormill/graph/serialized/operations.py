"""Imports every file of operations in this folder, as `ops/catalogue.py` does those of its own."""

from __future__ import annotations

from . import any_messages as any_messages
from . import composite_tensors as composite_tensors
from . import encoded_tensors as encoded_tensors
from . import json_examples as json_examples
from . import sparse_tensors as sparse_tensors
from . import summaries as summaries
from . import tensors as tensors
