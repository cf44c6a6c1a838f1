"""Imports Keras for all tests that use it, whichever comes first."""

from __future__ import annotations

import tensormill as tf
from tests.keras.optional import without_unused

with without_unused():
    assert tf.keras
