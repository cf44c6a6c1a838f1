"""`tf.linalg.LinearOperator`: what all operators do, and what of it follows from a product alone.

A kind of operator says its `_shape` and its product, `_matmul`; everything else has a definition
here, by the whole matrix, that a kind replaces where it knows a shorter way:

    public              the rule of a kind         without it
    to_dense()          _to_dense                  the product with the identity
    solve(rhs)          _solve                     Cholesky where the hints allow it, else LU
    determinant()       _determinant               of the whole matrix
    diag_part(), ...    _diag_part, ...            of the whole matrix
    inverse(), ...      _linop_inverse, ...        an operator around this one
    matmul(operator)    _linop_matmul              a composition
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..core import dtypes
from ..core.dimension import Dimension
from ..core.shapes import TensorShape
from ..core.tensorflow_names import at_home_in
from ..core.tree import Composite
from ..eager.scopes import name_scope
from ..module.module import Module
from ..module.trackable import no_automatic_dependency_tracking
from ..ops.array.fill import eye
from ..ops.array.shapes import expand_dims, squeeze
from ..ops.checks.assertions import assert_equal, assert_less, assert_positive
from ..ops.conversion import as_tensor
from ..ops.linalg import decompositions, diagonals, eigenvalues, solving
from ..ops.linalg.matmul import adjoint as adjoint_of
from ..ops.math.complex import real
from ..ops.math.elementwise import exp, log
from ..ops.math.reduce import reduce_max, reduce_min, reduce_sum
from ..ops.math.signs import abs as absolute
from . import batches, operands, rules, slicing
from .hints import Hint, Hints
from .spec import LinearOperatorSpec, spec_of_operator

NEAR_SINGULAR = "Singular matrix up to precision epsilon."


@at_home_in("tensorflow.python.ops.linalg.linear_operator")
class LinearOperator(Module, Composite):
    """Base of operators: batches of matrices [..., m, n] that are known by what they do.

    dtype: of the elements. is_non_singular, is_self_adjoint, is_positive_definite (x^H A x has a
    positive real part), is_square: what the user promises; it is not checked, and decides which
    way things are computed. None: not known. parameters: the arguments of the subclass, by name.

    A subclass says `_shape`, `_shape_tensor` and `_matmul`, and, to be an argument of a
    `tf.function`, which of its parameters are tensors: `_composite_tensor_fields`.

    >>> operator = tf.linalg.LinearOperatorDiag([1., 2.]) @ tf.linalg.LinearOperatorIdentity(2)
    >>> operator.solvevec([2., 2.]).numpy(), operator.determinant().numpy()
    (array([2., 1.], dtype=float32), np.float32(2.0))

    Raises:
        ValueError: the hints contradict each other.
    """

    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = (
        Module._TF_MODULE_IGNORED_PROPERTIES | {"_parameters"}
    )

    @no_automatic_dependency_tracking
    def _keep(self, dtype: Any, hints: Hints, name: str | None, parameters: Any) -> None:
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype)
        self._hints = hints
        self._name = name or type(self).__name__
        if "_parameters" not in self.__dict__:
            self._parameters = dict(parameters or {})

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
        parameters: Any = None,
    ) -> None:
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square).settled()
        super().__init__()
        self._keep(dtype, hints, name, parameters)

    # ---- which of the parameters are tensors

    @property
    def _composite_tensor_fields(self) -> Sequence[str]:
        return ()

    @property
    def _composite_tensor_prefer_static_fields(self) -> Sequence[str]:
        """Sizes: plain numbers where they are known."""
        return ()

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        """How many axes of each tensor are no batch, or a structure of such numbers."""
        return {}

    @property
    def _type_spec(self) -> LinearOperatorSpec | None:
        return spec_of_operator(self)

    # ---- what is known

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name that was given, or that of the class."""
        return self._name

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that the operator was made of, by name."""
        return dict(self._parameters)

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors that it was made of: TensorFlow 1 asked for them."""
        return [one for one in self._parameters.values() if hasattr(one, "shape")]

    @property
    def is_non_singular(self) -> Hint:
        """Whether it can be inverted, as far as it is known."""
        return self._hints.is_non_singular

    @property
    def is_self_adjoint(self) -> Hint:
        """Whether it is its own conjugate transpose, as far as it is known."""
        return self._hints.is_self_adjoint

    @property
    def is_positive_definite(self) -> Hint:
        """Whether x^H A x has a positive real part for every x, as far as it is known."""
        return self._hints.is_positive_definite

    @property
    def is_square(self) -> Hint:
        """Whether there are as many rows as columns, as far as hints and shape tell.

        Raises:
            ValueError: the hint and the shape contradict each other.
        """
        rows, columns = self.known_rows, self.known_columns
        if rows is None or columns is None:
            return self._hints.is_square
        stated = self._hints.is_square
        if stated is not None and stated != (rows == columns):
            raise ValueError(
                f"the hint is_square={stated} contradicts the shape {self.shape} of {self.name}"
            )
        return rows == columns

    # ---- sizes

    def _shape(self) -> TensorShape:
        raise NotImplementedError(f"{type(self).__name__} does not say its _shape")

    def _shape_tensor(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say its _shape_tensor")

    @property
    def shape(self) -> TensorShape:
        """[..., m, n], as far as it is known."""
        return self._shape()

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """[..., m, n] as an int32 tensor."""
        with self._scope(name):
            known = self.shape
            if known.is_fully_defined():
                return as_tensor(known.as_list(), dtypes.int32)
            return self._shape_tensor()

    @property
    def batch_shape(self) -> TensorShape:
        """The leading axes of the shape, as far as they are known."""
        return self.shape[:-2]

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The leading axes of the shape as an int32 tensor."""
        return self.shape_tensor(name)[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """How many axes the whole matrix has, if that is known."""
        return self.shape.rank

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """How many axes the whole matrix has: an int32 scalar."""
        rank = self.tensor_rank
        if rank is not None:
            return as_tensor(rank, dtypes.int32)
        with self._scope(name):
            return reduce_sum(self._shape_tensor() * 0 + 1)

    @property
    def domain_dimension(self) -> Dimension:
        """How many columns it has, n."""
        return Dimension(self.known_columns)

    @property
    def known_columns(self) -> int | None:
        """How many columns it has; None where nobody knows."""
        shape = self.shape
        return None if shape.rank is None else shape[-1]

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """How many columns it has: an int32 scalar."""
        return self.shape_tensor(name)[-1]

    @property
    def range_dimension(self) -> Dimension:
        """How many rows it has, m."""
        return Dimension(self.known_rows)

    @property
    def known_rows(self) -> int | None:
        """How many rows it has; None where nobody knows."""
        shape = self.shape
        return None if shape.rank is None else shape[-2]

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """How many rows it has: an int32 scalar."""
        return self.shape_tensor(name)[-2]

    # ---- checks that run

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """Check, when it runs, that no matrix is singular, to the precision of the dtype.

        Raises:
            InvalidArgumentError: one is.
        """
        with self._scope(name):
            return self._assert_non_singular()

    def _assert_non_singular(self) -> Any:
        limit = 0.01 / np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        return assert_less(self.cond(), limit, message=NEAR_SINGULAR)

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Check, when it runs, that every matrix is positive definite.

        Raises:
            InvalidArgumentError: one is not.
            NotImplementedError: the operator is not known to be self-adjoint.
        """
        with self._scope(name):
            return self._assert_positive_definite()

    def _assert_positive_definite(self) -> Any:
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        pivots = diagonals.diag_part(decompositions.cholesky(self.to_dense()))
        return assert_positive(real(pivots), message="Matrix was not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """Check, when it runs, that every matrix is its own conjugate transpose.

        Raises:
            InvalidArgumentError: one is not.
        """
        with self._scope(name):
            return self._assert_self_adjoint()

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        return assert_equal(
            dense, adjoint_of(dense), message="Matrix was not equal to its adjoint."
        )

    # ---- products

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say its _matmul")

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """The product A x, with a tensor [..., n, k] or another operator.

        Leading axes broadcast. adjoint: of A^H. adjoint_arg: with x^H. Two operators give an
        operator: of a simple kind where there is one, else a composition.

        >>> tf.linalg.LinearOperatorDiag([1., 2.]).matmul([[1.], [1.]]).numpy()
        array([[1.],
               [2.]], dtype=float32)

        Raises:
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        if isinstance(x, LinearOperator):
            return self._of_operators("_linop_matmul", x, adjoint, adjoint_arg, name)
        with self._scope(name):
            x = operands.matrix_for(self, x, adjoint, adjoint_arg)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """The product A x with vectors [..., n], or A^H x; leading axes broadcast.

        Raises:
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        with self._scope(name):
            x = operands.vector_for(self, x, adjoint)
            return self._matvec(x, adjoint=adjoint)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), -1)

    def _linop_matmul(self, left: LinearOperator, right: LinearOperator) -> LinearOperator:
        return rules.made("product", left, right)

    # ---- systems of equations

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """x with A x = rhs: a tensor [..., n, k] or another operator.

        Leading axes broadcast. adjoint: solve with A^H. adjoint_arg: for rhs^H. An operator gives
        an operator.

        >>> tf.linalg.LinearOperatorDiag([1., 2.]).solve([[1.], [1.]]).numpy()
        array([[1. ],
               [0.5]], dtype=float32)

        Raises:
            NotImplementedError: the hints say that it is singular, or not square.
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        self._require_solvable()
        if isinstance(rhs, LinearOperator):
            return self._of_operators("_linop_solve", rhs, adjoint, adjoint_arg, name)
        with self._scope(name):
            # A x = rhs: rhs has as many rows as A^H has columns.
            rhs = operands.matrix_for(self, rhs, not adjoint, adjoint_arg)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _require_solvable(self) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError(
                "Exact solve not implemented for an operator that is expected to be singular."
            )
        if self.is_square is False:
            raise NotImplementedError(
                "Exact solve not implemented for an operator that is expected to not be square."
            )

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = batches.adjoint_if(rhs, adjoint_arg)
        if self._can_use_cholesky():
            return batches.solved_by_cholesky(decompositions.cholesky(self.to_dense()), rhs)
        return batches.solved(self.to_dense(), rhs, adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """x with A x = rhs, or A^H x = rhs, for vectors [..., n]; leading axes broadcast.

        Raises:
            NotImplementedError, ValueError, TypeError: as `solve` does.
        """
        with self._scope(name):
            rhs = operands.vector_for(self, rhs, not adjoint)
            return self._solvevec(rhs, adjoint=adjoint)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), -1)

    def _linop_solve(self, left: LinearOperator, right: LinearOperator) -> LinearOperator:
        return rules.made("quotient", left, right)

    # ---- numbers

    def determinant(self, name: str = "det") -> Any:
        """The determinants: [...].

        Raises:
            NotImplementedError: the operator is known not to be square.
        """
        self._require_square("Determinant")
        with self._scope(name):
            return self._determinant()

    def _determinant(self) -> Any:
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return solving.det(self.to_dense())

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """The logarithms of the absolute values of the determinants: [...].

        Raises:
            NotImplementedError: the operator is known not to be square.
        """
        self._require_square("Determinant")
        with self._scope(name):
            return self._log_abs_determinant()

    def _log_abs_determinant(self) -> Any:
        if self._can_use_cholesky():
            pivots = diagonals.diag_part(decompositions.cholesky(self.to_dense()))
            return 2 * reduce_sum(log(pivots), -1)
        return solving.slogdet(self.to_dense()).log_abs_determinant

    def trace(self, name: str = "trace") -> Any:
        """The sums of the main diagonals: [...]."""
        with self._scope(name):
            return self._trace()

    def _trace(self) -> Any:
        return reduce_sum(self.diag_part(), -1)

    def eigvals(self, name: str = "eigvals") -> Any:
        """The eigenvalues: [..., n], ascending; only of what is known to be self-adjoint.

        Raises:
            NotImplementedError: it is not.
        """
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        with self._scope(name):
            return self._eigvals()

    def _eigvals(self) -> Any:
        return eigenvalues.eigvalsh(self.to_dense())

    def cond(self, name: str = "cond") -> Any:
        """The condition numbers in the norm 2: [...]; infinite for what is singular."""
        with self._scope(name):
            return self._cond()

    def _cond(self) -> Any:
        if self.is_self_adjoint:
            sizes = absolute(self.eigvals())
        else:
            sizes = eigenvalues.svd(self.to_dense(), compute_uv=False)
        return reduce_max(sizes, -1) / reduce_min(sizes, -1)

    # ---- whole matrices

    def to_dense(self, name: str = "to_dense") -> Any:
        """The whole matrices: [..., m, n].

        >>> tf.linalg.LinearOperatorDiag([1., 2.]).to_dense().numpy()
        array([[1., 0.],
               [0., 2.]], dtype=float32)
        """
        with self._scope(name):
            return self._to_dense()

    def _to_dense(self) -> Any:
        columns = self.known_columns
        if columns is None:
            columns = self.domain_dimension_tensor()
        known = self.batch_shape
        batch = known.as_list() if known.is_fully_defined() else self.batch_shape_tensor()
        return self.matmul(eye(columns, batch_shape=batch, dtype=self.dtype))

    def diag_part(self, name: str = "diag_part") -> Any:
        """The main diagonals: [..., min(m, n)]."""
        with self._scope(name):
            return self._diag_part()

    def _diag_part(self) -> Any:
        return diagonals.diag_part(self.to_dense())

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """The whole matrices plus x: [..., m, n]; leading axes broadcast.

        Raises:
            TypeError: the dtypes differ.
        """
        with self._scope(name):
            return self._add_to_tensor(operands.of_dtype_of(self, x))

    def _add_to_tensor(self, x: Any) -> Any:
        return self.to_dense() + x

    # ---- other operators

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The conjugate transpose; the operator itself where it is known to be self-adjoint."""
        if self.is_self_adjoint:
            return self
        with self._scope(name):
            return self._linop_adjoint()

    @property
    def H(self) -> LinearOperator:
        """`adjoint()`."""
        return self.adjoint()

    def _linop_adjoint(self) -> LinearOperator:
        return rules.made("adjoint", self)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The inverse, as an operator.

        Raises:
            ValueError: the hints say that there is none.
        """
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator is not square.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._scope(name):
            return self._linop_inverse()

    def _linop_inverse(self) -> LinearOperator:
        return rules.made("inverse", self)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The Cholesky factor L, A = L L^H, as an operator.

        Raises:
            ValueError: the operator is not known to be positive definite and self-adjoint.
        """
        if not self._can_use_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix."
            )
        with self._scope(name):
            return self._linop_cholesky()

    def _linop_cholesky(self) -> LinearOperator:
        return rules.made("cholesky", self)

    def __getitem__(self, slices: Any) -> LinearOperator:
        """Some of the batch, as an operator of the same kind.

        Raises:
            ValueError: an index reaches into the matrices.
            NotImplementedError: the kind does not say how its parameters make a batch.
        """
        return slicing.sliced(self, slices)

    # ---- what the methods above share

    def _scope(self, name: str | None) -> Any:
        return name_scope(f"{self.name}/{name}" if name else self.name)

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _require_square(self, what: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                f"{what} not implemented for an operator that is expected to not be square."
            )

    def _of_operators(
        self, rule: str, other: LinearOperator, adjoint: bool, adjoint_arg: bool, name: str
    ) -> LinearOperator:
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        wanted = left.known_columns if rule == "_linop_matmul" else left.known_rows
        if None not in (wanted, right.known_rows) and wanted != right.known_rows:
            raise ValueError(
                f"Operators are incompatible. Expected `x` to have dimension {wanted} but got "
                f"{right.known_rows}."
            )
        with self._scope(name):
            return getattr(self, rule)(left, right)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name}' shape={self.shape} dtype={self.dtype.name}>"
