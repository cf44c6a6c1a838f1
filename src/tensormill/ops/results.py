"""What functions of tensors return. Layers below make its class; only type checkers, which read
this module, need to know it here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..eager.tensor import Tensor as Tensor
