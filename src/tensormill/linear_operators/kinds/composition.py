"""Operators one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ..batches import dynamic_batch, static_batch
from ..hints import Hint, Hints, always, of_all
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from .adjoint import LinearOperatorAdjoint


@at_home_in("tensorflow.python.ops.linalg.linear_operator_composition")
class LinearOperatorComposition(LinearOperator):
    """The product of operators: the last one is applied first.

    operators: of one dtype, each with as many columns as the next one has rows; leading axes
    broadcast.

    >>> both = [tf.linalg.LinearOperatorDiag([1., 2.]), tf.linalg.LinearOperatorDiag([3., 4.])]
    >>> tf.linalg.LinearOperatorComposition(both).diag_part().numpy()
    array([3., 8.], dtype=float32)

    Raises:
        ValueError: there are no operators, or their sizes do not fit.
        TypeError: their dtypes differ.
    """

    @keeps_parameters
    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        operators = some_operators(operators)
        stated = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        hints = _hints_of_product(operators, stated)
        for left, right in pairwise(operators):
            sizes = left.known_columns, right.known_rows
            if None not in sizes and sizes[0] != sizes[1]:
                raise ValueError(
                    f"Operators are incompatible: {left.name} has {sizes[0]} columns, "
                    f"{right.name} {sizes[1]} rows"
                )
        super().__init__(
            common_dtype(operators),
            **hints.as_options(),
            name=name or "_o_".join(one.name for one in operators),
        )
        self._operators = operators

    @property
    def operators(self) -> list[LinearOperator]:
        """The operators, the last of which is applied first."""
        return list(self._operators)

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("operators",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"operators": [0] * len(self._operators)}

    def _shape(self) -> TensorShape:
        shapes = [one.shape for one in self._operators]
        if any(shape.rank is None for shape in shapes):
            return TensorShape(None)
        batch = static_batch([shape[:-2] for shape in shapes])
        return batch.concatenate([shapes[0][-2], shapes[-1][-1]])

    def _shape_tensor(self) -> Any:
        batch = dynamic_batch([one.batch_shape_tensor() for one in self._operators])
        rows = self._operators[0].range_dimension_tensor()
        columns = self._operators[-1].domain_dimension_tensor()
        return concat([batch, rows[None], columns[None]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        first, *rest = self._operators if adjoint else reversed(list(self._operators))
        x = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            x = operator.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        first, *rest = reversed(list(self._operators)) if adjoint else self._operators
        rhs = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            rhs = operator.solve(rhs, adjoint=adjoint)
        return rhs

    def _determinant(self) -> Any:
        if not all(one.is_square for one in self._operators):
            return super()._determinant()
        return reduce(lambda x, y: x * y, [one.determinant() for one in self._operators])

    def _log_abs_determinant(self) -> Any:
        if not all(one.is_square for one in self._operators):
            return super()._log_abs_determinant()
        return sum([one.log_abs_determinant() for one in self._operators[1:]],
                   self._operators[0].log_abs_determinant())  # fmt: skip

    def _assert_non_singular(self) -> Any:
        if not all(one.is_square for one in self._operators):
            return super()._assert_non_singular()
        for one in self._operators:
            one.assert_non_singular()
        return None


def some_operators(operators: Sequence[LinearOperator]) -> list[LinearOperator]:
    """Operators that something is made of.

    Raises:
        ValueError: there are none.
    """
    found = list(operators)
    if not found:
        raise ValueError(f"Expected a non-empty list of operators. Found: {operators}")
    return found


def common_dtype(operators: Sequence[LinearOperator]) -> Any:
    """The dtype of all of them.

    Raises:
        TypeError: they differ.
    """
    dtype = operators[0].dtype
    if any(one.dtype is not dtype for one in operators):
        names = [f"{one.name} {one.dtype.name}" for one in operators]
        raise TypeError(f"Expected all operators to have the same dtype. Found: {', '.join(names)}")
    return dtype


def _hints_of_product(operators: Sequence[LinearOperator], stated: Hints) -> Hints:
    """What is stated of a product, and what its factors say.

    Raises:
        ValueError: they contradict each other.
    """
    non_singular, self_adjoint = stated.is_non_singular, stated.is_self_adjoint
    positive_definite = stated.is_positive_definite
    if of_all(operators, lambda one: one.is_non_singular):
        message = "The composition of non-singular operators is always non-singular."
        non_singular = always(non_singular, True, message)
    symmetric = _is_product_with_adjoint(operators)
    if symmetric or (len(operators) == 1 and operators[0].is_self_adjoint):
        self_adjoint = always(
            self_adjoint,
            True,
            "The composition was determined to be self-adjoint but user provided incorrect "
            "`False` hint.",
        )
    if symmetric and non_singular:
        positive_definite = always(
            positive_definite,
            True,
            "The composition was determined to be non-singular and of the form A @ A.H, so it is "
            "positive-definite. The user provided an incorrect `False` hint.",
        )
    return Hints(non_singular, self_adjoint, positive_definite, stated.is_square)


def _is_product_with_adjoint(operators: Sequence[LinearOperator]) -> bool:
    """Whether the later half of the operators is the adjoint of the earlier one, backwards."""
    half, rest = divmod(len(operators), 2)
    return not rest and all(
        _are_adjoint(left, right)
        for left, right in zip(operators[:half], reversed(operators[half:]), strict=True)
    )


def _are_adjoint(left: LinearOperator, right: LinearOperator) -> bool:
    if left is right:
        return left.is_self_adjoint is True
    return (isinstance(right, LinearOperatorAdjoint) and right.operator is left) or (
        isinstance(left, LinearOperatorAdjoint) and left.operator is right
    )
