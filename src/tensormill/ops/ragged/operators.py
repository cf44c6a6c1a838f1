"""Python's operators of ragged tensors, and where their gradients flow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import context
from ...core.tree import Composite
from ...errors import InvalidArgumentError, UnsupportedValueError
from ..conversion import as_tensor
from ..math import arithmetic, comparison, division, power, signs


def operator(function: Callable[..., Any], *, is_reflected: bool = False) -> Callable[..., Any]:
    """A method of Python's operators that does what the function does."""

    def method(self: Any, other: Any) -> Any:
        return function(other, self) if is_reflected else function(self, other)

    return method


def unary(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of Python's unary operators that does what the function does."""

    def method(self: Any) -> Any:
        return function(self)

    return method


def of_anything(function: Callable[..., Any], otherwise: bool) -> Callable[..., Any]:
    """`==` or `!=`: elementwise; `otherwise` for what can be no tensor, as None, and eagerly for
    what has another dtype, or rows that do not fit.
    """

    def method(self: Any, other: Any) -> Any:
        if other is None or isinstance(other, type):
            return otherwise
        try:
            return function(self, other)
        except UnsupportedValueError:
            raise
        except InvalidArgumentError:
            if context.building_graph():
                raise
        except ValueError:  # lists of unlike lengths
            pass
        return otherwise

    return method


class DifferentiatedRows(Composite):
    """Gradients flow through what is inside."""

    flat_values: Any
    with_flat_values: Callable[[Any], Any]

    def _differentiated(self) -> tuple[Any, ...]:
        return (self.flat_values,)

    def _with_gradients(self, gradients: Sequence[Any]) -> Any:
        (flat_values,) = gradients
        return self.with_flat_values(as_tensor(flat_values))


class RaggedOperators:
    """Applies them to what is inside, in rows that agree."""

    __add__ = operator(arithmetic.add)
    __radd__ = operator(arithmetic.add, is_reflected=True)
    __sub__ = operator(arithmetic.subtract)
    __rsub__ = operator(arithmetic.subtract, is_reflected=True)
    __mul__ = operator(arithmetic.multiply)
    __rmul__ = operator(arithmetic.multiply, is_reflected=True)
    __truediv__ = operator(division.truediv)
    __rtruediv__ = operator(division.truediv, is_reflected=True)
    __floordiv__ = operator(division.floordiv)
    __rfloordiv__ = operator(division.floordiv, is_reflected=True)
    __mod__ = operator(division.floormod)
    __rmod__ = operator(division.floormod, is_reflected=True)
    __pow__ = operator(power.power)
    __rpow__ = operator(power.power, is_reflected=True)
    __and__ = operator(comparison.logical_and)
    __rand__ = operator(comparison.logical_and, is_reflected=True)
    __or__ = operator(comparison.logical_or)
    __ror__ = operator(comparison.logical_or, is_reflected=True)
    __xor__ = operator(comparison.logical_xor)
    __rxor__ = operator(comparison.logical_xor, is_reflected=True)
    __lt__ = operator(comparison.less)
    __le__ = operator(comparison.less_equal)
    __gt__ = operator(comparison.greater)
    __ge__ = operator(comparison.greater_equal)
    __eq__ = of_anything(comparison.equal, otherwise=False)
    __ne__ = of_anything(comparison.not_equal, otherwise=True)
    __neg__ = unary(arithmetic.negative)
    __abs__ = unary(signs.abs)
    __invert__ = unary(comparison.logical_not)

    def __hash__(self) -> int:
        """Only in graphs built by hand, where `feed_dict` has ragged tensors as keys."""
        rows: Any = self
        splits = rows.row_splits
        if splits.symbolic and not splits.op.graph.building_function:
            return id(self)
        raise TypeError("RaggedTensor is unhashable. Instead, use id() of it as the key.")

    def __bool__(self) -> bool:
        raise TypeError("a RaggedTensor has no truth value; use tf.reduce_any or tf.reduce_all")
