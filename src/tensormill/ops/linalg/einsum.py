"""`tf.einsum`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import InvalidArgumentError
from ..bind import bind
from ..composed import composed
from ..control.layouts import TensormillProduct
from ..conversion import as_tensors
from ..dispatch.placements import installed
from ..families import Rephrased
from ..op import ANY, Attr, In, Out
from .contraction import of_known_ranks, require_subscripts, sum_of_products
from .einsum_batches import einsum_of_any_rank

if TYPE_CHECKING:
    from ..results import Tensor


class Einsum(Rephrased):
    """A sum of products, in Einstein's notation: TensorFlow's takes one or two tensors."""

    inputs_ = In("N * T ...")
    output = Out("T ...")
    equation = Attr(str)
    T = ANY

    def expand(self) -> Any:
        left, arrow, _ = self.equation.partition("->")
        if not arrow or left.count(",") + 1 != len(self.inputs_):
            raise InvalidArgumentError(
                f"Einsum: the equation {self.equation!r} does not say an output of "
                f"{len(self.inputs_)} inputs"
            )
        return products_of(self.equation, self.inputs_, None)


@composed("einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """A sum of products, in Einstein's notation: "ij,jk->ik"; "..." stands for axes that broadcast.

    A letter names an axis in every input; the sum is over the letters that the output does not
    have. Without "->", the output has the letters that occur once, in alphabetical order. The
    inputs are numbers of one dtype.

    >>> tf.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43], dtype=int32)
    >>> tf.einsum("ba", tf.ones([2, 3])).shape
    TensorShape([3, 2])

    Raises:
        ValueError: the equation is not well-formed or does not fit the inputs.
        InvalidArgumentError: a letter stands for two sizes.
        TypeError: an unknown keyword.
    """
    kwargs.pop("optimize", None)
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"Invalid keyword arguments for einsum: {', '.join(kwargs)}")
    require_subscripts(equation)
    return products_of(equation, as_tensors(*inputs), name)


def products_of(equation: str, inputs: Any, name: str | None) -> Any:
    """The sum of products that an equation says of tensors."""
    tensors = of_known_ranks(equation, inputs)
    if "..." in equation and any(x.shape.rank is None for x in tensors):
        return einsum_of_any_rank(equation, tensors, name)
    product = sum_of_products(equation, tensors, name)
    if installed.placements is None:
        return product
    return bind(TensormillProduct, product, tensors, equation=equation)  # says how it is laid out
