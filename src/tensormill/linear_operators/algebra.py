"""What products and quotients of operators are: of a simple kind where there is one.

The rules for two kinds stand in a table, by their classes. What nobody has a rule for is a
composition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..ops.array.shapes import expand_dims
from ..ops.conversion import as_tensor
from . import rules
from .batches import static_batch
from .hints import Hints, all_of
from .kinds.block_diagonal import LinearOperatorBlockDiag
from .kinds.circulant import CirculantBase
from .kinds.composition import LinearOperatorComposition
from .kinds.diagonal import LinearOperatorDiag
from .kinds.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from .kinds.inversion import LinearOperatorInversion
from .kinds.lower_triangular import LinearOperatorLowerTriangular
from .kinds.zeros import LinearOperatorZeros
from .operator import LinearOperator

Rule = Callable[[Any, Any], LinearOperator | None]


def of_commuting(left: LinearOperator, right: LinearOperator) -> dict[str, Any]:
    """The hints of a product of two that may change places."""
    return Hints(
        is_non_singular=all_of((left.is_non_singular, right.is_non_singular)),
        is_self_adjoint=True if left.is_self_adjoint and right.is_self_adjoint else None,
        is_positive_definite=(
            True if left.is_positive_definite and right.is_positive_definite else None
        ),
        is_square=True,
    ).as_options()


def unless_wider(operator: LinearOperator, identity: LinearOperator) -> LinearOperator | None:
    """An operator, unless the identity beside it has a batch that the operator lacks."""
    own, other = operator.batch_shape, identity.batch_shape
    if other.rank == 0 or (own.is_fully_defined() and static_batch([own, other]) == own):
        return operator
    return None


def of_diagonals(left: Any, right: Any) -> LinearOperator:
    return LinearOperatorDiag(left.diag * right.diag, **of_commuting(left, right))


def of_multiple_and_diagonal(left: Any, right: Any) -> LinearOperator:
    factor = expand_dims(as_tensor(left.multiplier), -1)
    return LinearOperatorDiag(factor * right.diag, **of_commuting(left, right))


def of_diagonal_and_multiple(left: Any, right: Any) -> LinearOperator:
    return of_multiple_and_diagonal(right, left)


def of_multiples(left: Any, right: Any) -> LinearOperator:
    return LinearOperatorScaledIdentity(
        left._num_rows, left.multiplier * right.multiplier, **of_commuting(left, right)
    )


def of_diagonal_and_triangle(left: Any, right: Any) -> LinearOperator:
    return LinearOperatorLowerTriangular(
        expand_dims(as_tensor(left.diag), -1) * right.to_dense(),
        is_non_singular=all_of((left.is_non_singular, right.is_non_singular)),
    )


def of_triangle_and_diagonal(left: Any, right: Any) -> LinearOperator:
    return LinearOperatorLowerTriangular(
        left.to_dense() * expand_dims(as_tensor(right.diag), -2),
        is_non_singular=all_of((left.is_non_singular, right.is_non_singular)),
    )


def of_circulants(left: Any, right: Any) -> LinearOperator | None:
    if type(left) is not type(right):
        return None
    return type(left)(
        left.spectrum * right.spectrum,
        input_output_dtype=right.dtype if right.dtype.is_complex else left.dtype,
        **of_commuting(left, right),
    )


def of_blocks(left: Any, right: Any) -> LinearOperator | None:
    pairs = list(zip(left.operators, right.operators, strict=False))
    fit = len(left.operators) == len(right.operators) and all(
        one.known_columns is not None and one.known_columns == other.known_rows
        for one, other in pairs
    )
    if not fit:
        return None
    return LinearOperatorBlockDiag([one.matmul(other) for one, other in pairs])


def of_zeros(left: Any, right: Any) -> LinearOperator | None:
    """Zeros, of the sizes of both."""
    known = left.shape.is_fully_defined() and right.shape.is_fully_defined()
    rows = left.known_rows if known else left.range_dimension_tensor()
    columns = right.known_columns if known else right.domain_dimension_tensor()
    is_square = rows == columns if known else None
    both = LinearOperatorComposition([left, right])
    return LinearOperatorZeros(
        rows,
        columns,
        batch_shape=both.batch_shape.as_list() if known else both.batch_shape_tensor(),
        dtype=left.dtype,
        is_square=is_square,
        is_self_adjoint=is_square,
    )


PRODUCTS: Final[list[tuple[type, type, Rule]]] = [
    (LinearOperatorIdentity, LinearOperator, lambda left, right: unless_wider(right, left)),
    (LinearOperator, LinearOperatorIdentity, lambda left, right: unless_wider(left, right)),
    (LinearOperatorZeros, LinearOperator, of_zeros),
    (LinearOperator, LinearOperatorZeros, of_zeros),
    (LinearOperatorDiag, LinearOperatorDiag, of_diagonals),
    (LinearOperatorScaledIdentity, LinearOperatorDiag, of_multiple_and_diagonal),
    (LinearOperatorDiag, LinearOperatorScaledIdentity, of_diagonal_and_multiple),
    (LinearOperatorScaledIdentity, LinearOperatorScaledIdentity, of_multiples),
    (LinearOperatorDiag, LinearOperatorLowerTriangular, of_diagonal_and_triangle),
    (LinearOperatorLowerTriangular, LinearOperatorDiag, of_triangle_and_diagonal),
    (CirculantBase, CirculantBase, of_circulants),
    (LinearOperatorBlockDiag, LinearOperatorBlockDiag, of_blocks),
]


@rules.makes("product")
def product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """left @ right, as an operator."""
    for one, other, rule in PRODUCTS:
        if isinstance(left, one) and isinstance(right, other):
            found = rule(left, right)
            if found is not None:
                return found
    return composed(left, right)


def composed(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    non_singular = all_of((left.is_non_singular, right.is_non_singular))
    return LinearOperatorComposition([left, right], is_non_singular=non_singular)


@rules.makes("quotient")
def quotient(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """left^-1 @ right, as an operator; zeros stay a factor, as in TensorFlow."""
    is_known = isinstance(left, (LinearOperatorIdentity, LinearOperatorInversion))
    if isinstance(right, LinearOperatorZeros) and not is_known:
        return composed(left.inverse(), right)
    return product(left.inverse(), right)
