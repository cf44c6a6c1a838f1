"""The assertions about two operands that also take ragged tensors."""

from __future__ import annotations

from ..checks import assertions
from ..composites import aware

assert_equal = aware(assertions.assert_equal, "ragged.elementwise.assert_equal")
assert_greater = aware(assertions.assert_greater, "ragged.elementwise.assert_greater")
assert_greater_equal = aware(
    assertions.assert_greater_equal, "ragged.elementwise.assert_greater_equal"
)
assert_less = aware(assertions.assert_less, "ragged.elementwise.assert_less")
assert_less_equal = aware(assertions.assert_less_equal, "ragged.elementwise.assert_less_equal")
assert_near = aware(assertions.assert_near, "ragged.elementwise.assert_near")
assert_none_equal = aware(assertions.assert_none_equal, "ragged.elementwise.assert_none_equal")
