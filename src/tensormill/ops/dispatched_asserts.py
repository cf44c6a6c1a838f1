"""The assertions about two operands that also take ragged tensors."""

from __future__ import annotations

from . import debugging
from .composites import aware

assert_equal = aware(debugging.assert_equal, "ragged_elementwise.assert_equal")
assert_greater = aware(debugging.assert_greater, "ragged_elementwise.assert_greater")
assert_greater_equal = aware(
    debugging.assert_greater_equal, "ragged_elementwise.assert_greater_equal"
)
assert_less = aware(debugging.assert_less, "ragged_elementwise.assert_less")
assert_less_equal = aware(debugging.assert_less_equal, "ragged_elementwise.assert_less_equal")
assert_near = aware(debugging.assert_near, "ragged_elementwise.assert_near")
assert_none_equal = aware(debugging.assert_none_equal, "ragged_elementwise.assert_none_equal")
