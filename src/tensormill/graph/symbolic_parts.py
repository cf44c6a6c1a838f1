"""What modules of the package ask of a symbolic tensor.

TensorFlow's tensors have no such attributes, and programs probe for some with `hasattr`: so theirs
have private names.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..core.specs import Known
    from .ir import Value
    from .symbolic import SymbolicTensor

# What inference may know of a tensor.
known_of: Final[Callable[[SymbolicTensor], Known]] = attrgetter("_known")
# What stands for it in its graph's intermediate representation.
value_of: Final[Callable[[SymbolicTensor], Value]] = attrgetter("_ir")
