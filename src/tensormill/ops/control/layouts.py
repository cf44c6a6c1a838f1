"""Operations that say how a tensor is laid out over devices, and leave its value as it is."""

from __future__ import annotations

from typing import Any

from ..bind import bind
from ..dispatch.divisions import read_division
from ..op import ANY, Attr, In
from ..origins import Origin
from .flow import Passing


class Relayout(Passing):
    """The input, laid out as `layout` says, the text of a Layout."""

    layout = Attr("")
    origin = Origin.MODULES

    def xla(self, xla: Any) -> Any:
        if not self.layout:
            return self.input
        return xla.divided(self.input, read_division(self.layout))

    def vjp(self, doutput: Any) -> Any:
        return bind(RelayoutLike, doutput, self.input)


class RelayoutLike(Passing):
    """The input, laid out as another tensor is."""

    layout_input = In("U ...")
    origin = Origin.MODULES
    U = ANY

    def vjp(self, doutput: Any) -> tuple[Any, None]:
        return bind(RelayoutLike, doutput, self.input), None


class TensormillProduct(Passing):
    """The sum of products of `factors` that `equation` tells of: it has been computed.

    It is laid out as TensorFlow's Einsum lays it out; without an equation, nobody knows how.
    """

    factors = In("N * T ...")
    equation = Attr("")
    origin = Origin.GRAPHS

    def vjp(self, doutput: Any) -> tuple[Any, None]:
        return bind(TensormillProduct, doutput, self.factors), None
