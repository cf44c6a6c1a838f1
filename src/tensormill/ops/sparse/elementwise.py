"""Elementwise functions that, of a sparse tensor, are those of the values inside: nearly all keep
zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dispatch.meanings import means_for
from ..math.arithmetic import negative, square
from ..math.cast import cast
from ..math.circular import asin, asinh, atan, atanh, sin, tan, tanh
from ..math.division import divide
from ..math.elementwise import erf, sqrt
from ..math.signs import abs, sign
from ..math.special import bessel_i0e, bessel_i1e
from .beside_dense import divided_by_dense
from .sparse_tensor import SparseTensor


def means_values(function: Callable[..., Any]) -> None:
    """Declare that `function` of a sparse tensor is that of its values, in their places."""

    @means_for(function, SparseTensor)
    def of_values(x: SparseTensor, *rest: Any) -> SparseTensor:
        return x.with_values(function(x.values, *rest))


for each in (
    abs, asin, asinh, atan, atanh, bessel_i0e, bessel_i1e, cast, erf, negative, sign, sin, sqrt,
    square, tan, tanh,
):  # fmt: skip
    means_values(each)


@means_for(divide, SparseTensor)
def divided(x: Any, y: Any, name: str | None) -> Any:
    """As the operator: by numbers or a tensor. `tf.truediv` takes no sparse tensors."""
    return divided_by_dense(x, y) if isinstance(x, SparseTensor) else NotImplemented
