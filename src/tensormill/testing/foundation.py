"""Abseil's test cases, which those of TensorFlow are made of."""

from __future__ import annotations

try:
    from absl.testing import absltest as absltest
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "tf.test.TestCase needs absl-py: pip install 'tensormill[testing]'", name=error.name
    ) from None
