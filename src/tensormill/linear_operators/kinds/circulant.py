"""Operators that shift and add: products are convolutions, which are products of spectra.

A circulant matrix has its first column, moved on by one place, in each column: A = F^-1 D F with
the discrete Fourier transform F and the diagonal D, the spectrum. Blocks of such blocks, 2 or 3
deep, have a spectrum of as many axes (G. H. Golub, C. F. Van Loan: Matrix Computations, 4.8).
"""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.array.fill import ones
from ...ops.array.rearrangement import matrix_transpose
from ...ops.array.shapes import reshape, shape_of
from ...ops.checks.assertions import assert_near, assert_positive
from ...ops.conversion import as_tensor
from ...ops.math.arithmetic import conjugated
from ...ops.math.cast import cast
from ...ops.math.complex import imag, real
from ...ops.math.elementwise import log
from ...ops.math.reduce import reduce_max, reduce_min, reduce_prod, reduce_sum
from ...ops.math.signs import abs as absolute
from ...ops.signal import fourier
from ..batches import adjoint_if
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters

_FORWARDS = {1: fourier.fft, 2: fourier.fft2d, 3: fourier.fft3d}
_BACKWARDS = {1: fourier.ifft, 2: fourier.ifft2d, 3: fourier.ifft3d}


class CirculantBase(LinearOperator):
    """What operators of any depth share."""

    _depth = 1

    def _keep_spectrum(self, spectrum: Any, dtype: Any, hints: dict[str, Any], name: str) -> None:
        spectrum = as_parameter(spectrum)
        if spectrum.shape.rank is not None and spectrum.shape.rank < self._depth:
            raise ValueError(
                f"Argument spectrum must have at least {self._depth} dimensions. Found: {spectrum}"
            )
        if not spectrum.dtype.is_complex:
            hints["is_self_adjoint"] = always(hints["is_self_adjoint"], True, REAL)
        hints["is_square"] = always(hints["is_square"], True, NOT_SQUARE)
        LinearOperator.__init__(self, dtype, **hints, name=name)
        self._spectrum = spectrum

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("spectrum",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"spectrum": self._depth}

    @property
    def spectrum(self) -> Any:
        """The discrete Fourier transform of the first column: as many axes as blocks are deep."""
        return self._spectrum

    @property
    def block_depth(self) -> int:
        """How many levels of blocks there are."""
        return self._depth

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the blocks, as far as they are known."""
        return self._spectrum.shape[-self._depth :]

    def block_shape_tensor(self) -> Any:
        """The sizes of the blocks: an int32 vector."""
        return shape_of(self._spectrum)[-self._depth :]

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """The first column, with an axis for each level of blocks; of the operator's dtype."""
        with self._scope(name):
            return cast_to(_BACKWARDS[self._depth](self._numbers()), self.dtype)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """Check, when it runs, that the matrix is real.

        Raises:
            InvalidArgumentError: it is not.
        """
        with self._scope(name):
            kernel = _BACKWARDS[self._depth](self._numbers())
            limit = self._epsilon() * reduce_max(absolute(kernel))
            return assert_near(imag(kernel), real(kernel) * 0, rtol=0.0, atol=limit,
                               message="Spectrum was not Hermitian")  # fmt: skip

    def _epsilon(self) -> Any:
        exact = self._numbers().dtype is dtypes.complex128
        return 1e-12 if exact else 1e-5

    def _numbers(self) -> Any:
        """The spectrum in complex numbers, as transforms take them."""
        spectrum = as_tensor(self._spectrum)
        if spectrum.dtype.is_complex:
            return spectrum
        exact = spectrum.dtype is dtypes.float64
        return cast(spectrum, dtypes.complex128 if exact else dtypes.complex64)

    def _shape(self) -> TensorShape:
        shape = self._spectrum.shape
        if shape.rank is None:
            return TensorShape(None)
        count = shape[-self._depth :].num_elements()
        return shape[: -self._depth].concatenate([count, count])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._spectrum)
        count = reduce_prod(sizes[-self._depth :])[None]
        return concat([sizes[: -self._depth], count, count], 0)

    def _axes(self) -> list[int]:
        return list(range(-self._depth, 0))

    def _filtered(self, x: Any, spectrum: Any) -> Any:
        """The columns of x: convolved."""
        rows = matrix_transpose(x)
        numbers = cast(rows, spectrum.dtype)
        blocks = reshape(numbers, concat([shape_of(rows)[:-1], self.block_shape_tensor()], 0))
        over_columns = spectrum[(..., None, *[slice(None)] * self._depth)]
        moved = _BACKWARDS[self._depth](_FORWARDS[self._depth](blocks) * over_columns)
        flat = concat([shape_of(moved)[: -self._depth], shape_of(rows)[-1:]], 0)
        return cast_to(matrix_transpose(reshape(moved, flat)), self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        spectrum = self._numbers()
        spectrum = conjugated(spectrum) if adjoint else spectrum
        return self._filtered(adjoint_if(x, adjoint_arg), spectrum)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        spectrum = self._numbers()
        spectrum = conjugated(spectrum) if adjoint else spectrum
        return self._filtered(adjoint_if(rhs, adjoint_arg), 1.0 / spectrum)

    def _determinant(self) -> Any:
        return cast_to(reduce_prod(self._spectrum, self._axes()), self.dtype)

    def _log_abs_determinant(self) -> Any:
        sums = reduce_sum(log(absolute(self._spectrum)), self._axes())
        return cast_to(sums, self.dtype)

    def _trace(self) -> Any:
        return cast_to(reduce_sum(self._spectrum, self._axes()), self.dtype)

    def _diag_part(self) -> Any:
        count = self.domain_dimension_tensor()
        each = self._trace() / cast(count, self.dtype)
        return each[..., None] * ones(count[None], self.dtype)

    def _eigvals(self) -> Any:
        spectrum = as_tensor(self._spectrum)
        return reshape(spectrum, concat([shape_of(spectrum)[: -self._depth], [-1]], 0))

    def _cond(self) -> Any:
        sizes = absolute(self._spectrum)
        return reduce_max(sizes, self._axes()) / reduce_min(sizes, self._axes())

    def _assert_non_singular(self) -> Any:
        sizes = absolute(self._spectrum)
        return assert_positive(sizes, message="Singular operator: Spectrum has a 0.")

    def _assert_positive_definite(self) -> Any:
        return assert_positive(real(self._spectrum), message="Not positive definite: Spectrum")

    def _assert_self_adjoint(self) -> Any:
        part = imag(self._spectrum)
        return assert_near(part, part * 0, message="Not self-adjoint: the spectrum is not real")

    def _of_same_kind(self, spectrum: Any, hints: dict[str, Any]) -> LinearOperator:
        kind: Any = type(self)
        return kind(spectrum, input_output_dtype=self.dtype, **hints)

    def _linop_adjoint(self) -> LinearOperator:
        return self._of_same_kind(conjugated(self._spectrum), self._hints.as_options())

    def _linop_inverse(self) -> LinearOperator:
        hints = {**self._hints.as_options(), "is_non_singular": True}
        return self._of_same_kind(1.0 / as_tensor(self._spectrum), hints)


REAL = (
    "A real spectrum always corresponds to a self-adjoint operator. Expected argument "
    "`is_self_adjoint` to be True. Received: False."
)
NOT_SQUARE = (
    "A [[nested] block] circulant operator is always square. Expected argument `is_square` to be "
    "True. Received: False."
)


def cast_to(numbers: Any, dtype: Any) -> Any:
    """Numbers in another dtype; of complex ones the real part, where that is real."""
    if numbers.dtype.is_complex and not dtype.is_complex:
        numbers = real(numbers)
    return cast(numbers, dtype)


@at_home_in("tensorflow.python.ops.linalg.linear_operator_circulant")
class LinearOperatorCirculant(CirculantBase):
    """[..., n, n]: a circulant matrix.

    spectrum: [..., n], floats or complex, the discrete Fourier transform of the first
    column. A real one makes the operator self-adjoint. input_output_dtype: the operator's dtype;
    where it is real, imaginary parts of results are dropped.

    >>> tf.linalg.LinearOperatorCirculant([4., 0.], tf.float32).to_dense().numpy()
    array([[2., 2.],
           [2., 2.]], dtype=float32)

    Raises:
        ValueError: the spectrum has too few axes, or the hints are wrong for such an operator.
    """

    _depth = 1

    @keeps_parameters
    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant",
    ) -> None:
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
            "is_square": is_square,
        }
        self._keep_spectrum(spectrum, input_output_dtype, hints, name)


@at_home_in("tensorflow.python.ops.linalg.linear_operator_circulant")
class LinearOperatorCirculant2D(CirculantBase):
    """[..., n, n]: blocks of circulant blocks, which are circulant themselves.

    spectrum: [..., n0, n1], floats or complex, the discrete Fourier transform of the first
    column. A real one makes the operator self-adjoint. input_output_dtype: the operator's dtype;
    where it is real, imaginary parts of results are dropped.

    >>> tf.linalg.LinearOperatorCirculant2D(tf.ones([2, 3]), tf.float32).shape
    TensorShape([6, 6])

    Raises:
        ValueError: the spectrum has too few axes, or the hints are wrong for such an operator.
    """

    _depth = 2

    @keeps_parameters
    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant2D",
    ) -> None:
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
            "is_square": is_square,
        }
        self._keep_spectrum(spectrum, input_output_dtype, hints, name)


@at_home_in("tensorflow.python.ops.linalg.linear_operator_circulant")
class LinearOperatorCirculant3D(CirculantBase):
    """[..., n, n]: circulant blocks of circulant blocks of circulant blocks.

    spectrum: [..., n0, n1, n2], floats or complex, the discrete Fourier transform of the first
    column. A real one makes the operator self-adjoint. input_output_dtype: the operator's dtype;
    where it is real, imaginary parts of results are dropped.

    >>> tf.linalg.LinearOperatorCirculant3D(tf.ones([2, 3, 4]), tf.float32).shape
    TensorShape([24, 24])

    Raises:
        ValueError: the spectrum has too few axes, or the hints are wrong for such an operator.
    """

    _depth = 3

    @keeps_parameters
    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant3D",
    ) -> None:
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
            "is_square": is_square,
        }
        self._keep_spectrum(spectrum, input_output_dtype, hints, name)
