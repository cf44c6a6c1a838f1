"""`tf.linalg.LinearOperator` and its kinds: matrices that are known by what they do.

All kinds are imported together: operators make operators of other kinds.
"""

from __future__ import annotations

from . import algebra as algebra
from . import conjugate_gradient as conjugate_gradient
