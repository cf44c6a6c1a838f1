"""How users say that the results of one call are differentiated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import dtypes, tree
from ...errors import DTypeMismatchError, ShapeMismatchError
from ...ops.conversion import as_tensor
from ..recording import state_of
from ..sources import variable_of

GradientFunction = Callable[..., Any]


class GradientRule:
    """How the results of one call are differentiated by its inputs and the variables it used."""

    def __init__(
        self,
        name: str,
        grad_fn: GradientFunction,
        inputs: Sequence[Any],
        handles: Sequence[Any],
        by_keyword: int = 0,
    ) -> None:
        self.name = name
        self.by_keyword = by_keyword  # so many inputs, the last ones, may be left out by `grad_fn`
        self.grad_fn = grad_fn
        self.inputs = tuple(inputs)
        self.handles = tuple(handles)
        self.holders = self.handles  # by which the variables are found

    @property
    def operands(self) -> tuple[Any, ...]:
        return self.inputs + self.handles

    def gradients(self, upstream: Sequence[Any]) -> list[Any]:
        """One gradient for each operand (None: there is none), checked."""
        if not self.handles:
            found = self._of_all_inputs(self.grad_fn(*upstream))
        else:
            variables = [variable_of(holder) for holder in self.holders]
            of_inputs, of_variables = self.grad_fn(*upstream, variables=variables)
            found = self._of_all_inputs(of_inputs)
            self._check_count(len(of_variables), len(self.handles), " for variables")
            self._check_count(len(found), len(self.inputs), "")
            found += list(of_variables)
        self._check_count(len(found), len(self.operands), "")
        return [self._checked(*pair) for pair in zip(found, self.operands, strict=True)]

    def _of_all_inputs(self, returned: Any) -> list[Any]:
        """One for each input; TensorFlow asks for none by those that were given by keyword."""
        found = _listed(returned)
        is_short = self.by_keyword and len(found) == len(self.inputs) - self.by_keyword
        return found + [None] * self.by_keyword if is_short else found

    def _check_count(self, count: int, wanted: int, what: str) -> None:
        if count != wanted:
            raise ValueError(
                f"custom_gradient function {self.name} expected to return {wanted} gradients"
                f"{what}, but returned {count} instead."
            )

    def _checked(self, gradient: Any, operand: Any) -> Any:
        if gradient is None:
            return None
        known = state_of(operand) if operand.dtype is dtypes.resource else operand
        if not hasattr(gradient, "dtype"):
            gradient = as_tensor(gradient, known.dtype)
        if gradient.dtype is not known.dtype:
            raise DTypeMismatchError(
                f"the custom gradient of {self.name} has dtype {gradient.dtype.name} for an input "
                f"of dtype {known.dtype.name}"
            )
        if not gradient.shape.is_compatible_with(known.shape):
            raise ShapeMismatchError(
                f"the custom gradient of {self.name} has shape {gradient.shape} for an input of "
                f"shape {known.shape}; sum over the axes along which the input was broadcast"
            )
        return gradient


def _listed(gradients: Any) -> list[Any]:
    if isinstance(gradients, tree.Composite):
        return [gradients]
    return tree.flatten(gradients)
