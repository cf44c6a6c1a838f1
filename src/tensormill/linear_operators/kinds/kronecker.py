"""Kronecker products: every element of one matrix times all of the next one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.array.rearrangement import matrix_transpose
from ...ops.array.shapes import reshape, shape_of
from ...ops.control.flow import ensure_shape
from ...ops.math.cast import cast
from ...ops.math.power import pow as power
from ..batches import adjoint_if, dynamic_batch, static_batch, with_batch
from ..hints import Hint, Hints, hints_of
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from .composition import common_dtype, some_operators


@at_home_in("tensorflow.python.ops.linalg.linear_operator_kronecker")
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators: [..., m1 m2 ..., n1 n2 ...].

    operators: of one dtype; leading axes broadcast. Products with x apply them one by one.

    >>> both = [tf.linalg.LinearOperatorDiag([1., 2.]), tf.linalg.LinearOperatorDiag([3., 4.])]
    >>> tf.linalg.LinearOperatorKronecker(both).diag_part().numpy()
    array([3., 4., 6., 8.], dtype=float32)

    Raises:
        ValueError: there are no operators, or the hints contradict each other.
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
        hints = combined_hints(operators, stated)
        super().__init__(
            common_dtype(operators),
            **hints.as_options(),
            name=name or "_x_".join(one.name for one in operators),
        )
        self._operators = operators

    @property
    def operators(self) -> list[LinearOperator]:
        """The operators that are multiplied."""
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
        sizes = [TensorShape([one[axis] for one in shapes]).num_elements() for axis in (-2, -1)]
        return batch.concatenate(sizes)

    def _shape_tensor(self) -> Any:
        batch = dynamic_batch([one.batch_shape_tensor() for one in self._operators])
        sizes = [one.shape_tensor()[-2:] for one in self._operators]
        return concat([batch, reduce(lambda x, y: x * y, sizes)], 0)

    def _each(self, x: Any, adjoint: bool, apply: Callable[[LinearOperator, Any], Any]) -> Any:
        """Every operator applied to its own axis of the rows of x: [..., n1 n2 ..., k].

        That axis comes to the front; what becomes of it goes behind all others. So each has its
        turn, and in the end k is in front: [..., k, m1 m2 ...].
        """
        own = [one.batch_shape_tensor() for one in self._operators]
        batch = dynamic_batch([shape_of(x)[:-2], *own])
        columns, x = shape_of(x)[-1:], with_batch(x, batch)
        for operator in self._operators:
            sizes = operator.shape_tensor()
            size = sizes[-2:-1] if adjoint else sizes[-1:]
            x = reshape(x, concat([batch, size, [-1]], 0))
            x = matrix_transpose(apply(operator, x))
        return matrix_transpose(reshape(x, concat([batch, columns, [-1]], 0)))

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = adjoint_if(x, adjoint_arg)
        found = self._each(x, adjoint, lambda one, part: one.matmul(part, adjoint=adjoint))
        return self._of_known_shape(found, x, adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = adjoint_if(rhs, adjoint_arg)
        found = self._each(rhs, not adjoint, lambda one, part: one.solve(part, adjoint=adjoint))
        return self._of_known_shape(found, rhs, not adjoint)

    def _of_known_shape(self, found: Any, x: Any, adjoint: bool) -> Any:
        shape = self.shape
        if x.shape.rank is not None and shape.rank is not None:
            batch = static_batch([x.shape[:-2], shape[:-2]])
            rows = shape[-1] if adjoint else shape[-2]
            found = ensure_shape(found, batch.concatenate([rows, x.shape[-1]]))
        return found

    def _exponents(self) -> list[Any]:
        """How often the determinant of each operator counts."""
        count = self.domain_dimension_tensor()
        return [cast(count // one.domain_dimension_tensor(), self.dtype) for one in self._operators]

    def _are_square(self) -> bool:
        return all(one.is_square for one in self._operators)

    def _determinant(self) -> Any:
        if not self._are_square():
            return super()._determinant()
        pairs = zip(self._operators, self._exponents(), strict=True)
        return _product([power(one.determinant(), often) for one, often in pairs])

    def _log_abs_determinant(self) -> Any:
        if not self._are_square():
            return super()._log_abs_determinant()
        pairs = zip(self._operators, self._exponents(), strict=True)
        first, *rest = [one.log_abs_determinant() * often for one, often in pairs]
        return sum(rest, first)

    def _trace(self) -> Any:
        if not self._are_square():
            return super()._trace()
        return _product([one.trace() for one in self._operators])

    def _outer(self, vectors: Sequence[Any]) -> Any:
        """The products of one element of each of some vectors, the last of which goes fastest."""
        found = vectors[0]
        for vector in vectors[1:]:
            table = found[..., :, None] * vector[..., None, :]
            found = reshape(table, concat([shape_of(table)[:-2], [-1]], 0))
        return found

    def _diag_part(self) -> Any:
        if not self._are_square():
            return super()._diag_part()
        return self._outer([one.diag_part() for one in self._operators])

    def _eigvals(self) -> Any:
        if not all(one.is_self_adjoint for one in self._operators):
            return super()._eigvals()
        return self._outer([one.eigvals() for one in self._operators])

    def _cond(self) -> Any:
        return _product([one.cond() for one in self._operators])

    def _assert_non_singular(self) -> Any:
        if not self._are_square():
            return super()._assert_non_singular()
        for one in self._operators:
            one.assert_non_singular()
        return None

    def _assert_self_adjoint(self) -> Any:
        if not self._are_square():
            return super()._assert_self_adjoint()
        for one in self._operators:
            one.assert_self_adjoint()
        return None

    def _of_same_kind(self, operators: Sequence[LinearOperator], hints: Hints) -> LinearOperator:
        return LinearOperatorKronecker(operators, **hints.as_options())

    def _linop_adjoint(self) -> LinearOperator:
        return self._of_same_kind([one.adjoint() for one in self._operators], hints_of(self))

    def _linop_inverse(self) -> LinearOperator:
        if not self._are_square():
            return super()._linop_inverse()
        return self._of_same_kind([one.inverse() for one in self._operators], hints_of(self))

    def _linop_cholesky(self) -> LinearOperator:
        if not all(one.is_positive_definite and one.is_self_adjoint for one in self._operators):
            return super()._linop_cholesky()
        factors = [one.cholesky() for one in self._operators]
        return self._of_same_kind(factors, Hints(is_non_singular=True, is_square=True))


def _product(factors: Sequence[Any]) -> Any:
    return reduce(lambda x, y: x * y, factors)


def combined_hints(operators: Sequence[LinearOperator], stated: Hints) -> Hints:
    """What is stated, and what is true because it is of all operators.

    Raises:
        ValueError: somebody states the contrary.
    """
    found: dict[str, Hint] = {}
    for name, hint in vars(stated).items():
        of_all = all(getattr(one, name) for one in operators)
        if of_all and hint is False:
            raise ValueError(f"the hint {name}=False is wrong where it is True of all operators")
        found[name] = True if of_all else hint
    return Hints(**found)
