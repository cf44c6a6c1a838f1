"""Elementwise functions that keep zero: of a sparse tensor they are those of the values inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dispatch.meanings import means_for
from ..math.arithmetic import negative, square
from ..math.cast import cast
from ..math.circular import tanh
from ..math.elementwise import erf, sqrt
from ..math.signs import abs, sign
from .sparse_tensor import SparseTensor


def means_values(function: Callable[..., Any]) -> None:
    """Declare that `function` of a sparse tensor is that of its values, in their places."""

    @means_for(function, SparseTensor)
    def of_values(x: SparseTensor, *rest: Any) -> SparseTensor:
        return x.with_values(function(x.values, *rest))


for each in (abs, cast, erf, negative, sign, sqrt, square, tanh):
    means_values(each)
