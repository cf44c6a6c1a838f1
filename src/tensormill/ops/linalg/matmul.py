"""Products of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import native_products
from ...core.process.tracebacks import hide_frames
from ...core.shapes import broadcast_dims
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, OpError, ShapeMismatchError
from ..array.broadcasting import unbroadcast
from ..array.rearrangement import matrix_transpose
from ..array.shapes import expand_dims, reshape, squeeze
from ..bind import bind
from ..conversion import as_tensors
from ..demands import UNKNOWN, either, refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import conjugated
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types

if TYPE_CHECKING:
    from ..results import Tensor

MULTIPLIED = types("f16 bf16 f32 f64 i16 i32 i64 u8 u16 u32 u64 c64 c128")


def product(np: Any, a: Any, b: Any) -> Any:
    """The product of arrays, with narrow floats accumulated in float32."""
    if a.dtype.itemsize == 2 and a.dtype.kind not in "iu":
        return native_products.matmul(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return native_products.matmul(a, b)


UNLIKE_BATCHES = "In[0] and In[1] must have compatible batch dimensions: {} vs. {}"
INCOMPATIBLE = "{}: Matrix size-incompatible: In[0]: {}, In[1]: {} (Dimensions must be equal)"


class MatMul(Op):
    """The product of two matrices, either of which may be transposed first."""

    a = In("T m k | transpose_a: k m")
    b = In("T k n | transpose_b: n k")
    product = Out("T m n")
    transpose_a = Attr(False)
    transpose_b = Attr(False)
    grad_a = Attr(False)
    grad_b = Attr(False)
    T = MULTIPLIED - types("i16")
    exact = types("i32 i64")

    def demands(self, sizes: Any) -> None:
        if not sizes.numpy_looks:  # whose operands have the ranks of the patterns
            self.demand_ranks(sizes)
        a, b = sizes.shape(self.a, 2), sizes.shape(self.b, 2)
        fits = sizes.equal(a[not self.transpose_a], b[self.transpose_b])
        if fits is not True:
            sizes.require(fits, ShapeMismatchError, INCOMPATIBLE, "MatMul", a, b)

    def demand_ranks(self, sizes: Any) -> None:
        for k, operand in enumerate((self.a, self.b)):
            rank = sizes.rank(operand)
            if rank is not UNKNOWN and rank != 2:
                message = "MatMul: In[{}] ndims must be 2, but its shape is {}"
                refuse(InvalidArgumentError, message, k, sizes.shape(operand))

    def infer(self) -> Any:
        a, b = (known.shape.entries or (None, None) for known in (self.a, self.b))
        return TensorSpec((a[self.transpose_a], b[not self.transpose_b]), self.a.dtype)

    def eager(self, np: Any) -> Any:
        left = self.a.T if self.transpose_a else self.a
        right = self.b.T if self.transpose_b else self.b
        return product(np, left, right)

    def xla(self, xla: Any) -> Any:
        left = self.a.T if self.transpose_a else self.a
        return xla.matmul(left, self.b.T if self.transpose_b else self.b)

    def lower(self, loops: Any) -> Any:
        a, b = self.a, self.b
        return loops.matmul(a, b, self.transpose_a, self.transpose_b)

    def vjp(self, dproduct: Any) -> Any:
        return product_gradients(self.a, self.b, dproduct, self.transpose_a, self.transpose_b)


def product_gradients(a: Any, b: Any, d: Any, flip_a: bool, flip_b: bool) -> tuple[Any, Any]:
    """Gradients of op(a) op(b), where op transposes if asked to."""
    a, b = conjugated(a), conjugated(b)
    return (
        lambda: _multiply(b, d, flip_b, True) if flip_a else _multiply(d, b, False, not flip_b),
        lambda: _multiply(d, a, True, flip_a) if flip_b else _multiply(a, d, not flip_a, False),
    )


def _multiply(a: Any, b: Any, flip_a: bool, flip_b: bool) -> Any:
    return bind(MatMul, a, b, transpose_a=flip_a, transpose_b=flip_b)


def demand_batches(sizes: Any, x: Any, y: Any, message: str = UNLIKE_BATCHES) -> None:
    """The leading axes of matrices broadcast; `message` is told of their shapes, x and y."""
    for one, other in zip(reversed(x[:-2]), reversed(y[:-2]), strict=False):
        if (same := sizes.equal(one, other)) is not True:
            fits = either(same, sizes.equal(one, 1), sizes.equal(other, 1))
            sizes.require(fits, ShapeMismatchError, message, x, y)


class BatchMatMulV2(Op):
    """Products of matrices, the two innermost axes; leading axes broadcast.

    adj_x, adj_y: take the conjugate transpose of the matrices first.
    """

    x = In("T ...")
    y = In("T ...")
    output = Out("T ...")
    adj_x = Attr(False)
    adj_y = Attr(False)
    grad_x = Attr(False)
    grad_y = Attr(False)
    T = MULTIPLIED

    def demands(self, sizes: Any) -> None:
        for k, operand in enumerate((self.x, self.y)):
            rank = sizes.rank(operand)
            if rank is not UNKNOWN and rank < 2:
                message = "BatchMatMulV2: In[{}] ndims must be >= 2: its shape is {}"
                refuse(InvalidArgumentError, message, k, sizes.shape(operand))
        x, y = sizes.shape(self.x), sizes.shape(self.y)
        fits = sizes.equal(x[-2 if self.adj_x else -1], y[-1 if self.adj_y else -2])
        sizes.require(fits, ShapeMismatchError, INCOMPATIBLE, "BatchMatMulV2", x, y)
        demand_batches(sizes, x, y)

    def infer(self) -> TensorSpec:
        x, y = self.x.shape.entries, self.y.shape.entries
        if x is None or y is None:
            return TensorSpec(None, self.x.dtype)
        batch = broadcast_dims(tuple(x[:-2]), tuple(y[:-2]))
        rows, columns = x[-1 if self.adj_x else -2], y[-2 if self.adj_y else -1]
        return TensorSpec((*batch, rows, columns), self.x.dtype)

    def eager(self, np: Any) -> Any:
        x = np.conj(np.swapaxes(self.x, -1, -2)) if self.adj_x else self.x
        y = np.conj(np.swapaxes(self.y, -1, -2)) if self.adj_y else self.y
        return product(np, x, y)

    def xla(self, xla: Any) -> Any:
        np = xla.np
        x = np.conj(np.swapaxes(self.x, -1, -2)) if self.adj_x else self.x
        y = np.conj(np.swapaxes(self.y, -1, -2)) if self.adj_y else self.y
        return xla.matmul(x, y)

    def lower(self, loops: Any) -> Any:
        x = self.conjugated(loops, self.x, self.adj_x)
        y = self.conjugated(loops, self.y, self.adj_y)
        return loops.matmul(x, y, self.adj_x, self.adj_y)

    def conjugated(self, loops: Any, x: Any, adjoint: bool) -> Any:
        if not adjoint or not x.dtype.is_complex:
            return x
        return loops.map(x.shape, x.dtype, lambda *index: loops.scalars.conj(x[index]))

    def vjp(self, doutput: Any) -> Any:
        x, y, d = self.x, self.y, doutput

        def dx() -> Any:
            if self.adj_x:
                return _batch_multiply(y, d, self.adj_y, True)
            return _batch_multiply(d, y, False, not self.adj_y)

        def dy() -> Any:
            many, of_all = (x, d) if self.adj_x else _rows_at_once(x, y, d)
            if self.adj_y:
                return _batch_multiply(of_all, many, True, self.adj_x)
            return _batch_multiply(many, of_all, not self.adj_x, False)

        return lambda: unbroadcast(dx(), x), lambda: unbroadcast(dy(), y)


def _rows_at_once(x: Any, y: Any, d: Any) -> tuple[Any, Any]:
    """`x` and the gradient of its product with `y`; with all rows in one, if `y` is one matrix.

    The sum over many matrices is then a part of their product. That pays where the gradient of `y`
    is larger than the rows that it is made of, which may have to be moved to be in one.
    """
    sizes, others = x.shape.entries, d.shape.entries
    if y.shape.rank != 2 or sizes is None or others is None or len(sizes) == 2:
        return x, d
    rows, terms, columns = sizes[-2], sizes[-1], others[-1]
    if not (rows and terms and columns) or terms * columns <= rows * (terms + columns):
        return x, d
    return reshape(x, [-1, terms]), reshape(d, [-1, columns])


def _batch_multiply(x: Any, y: Any, adj_x: bool, adj_y: bool) -> Any:
    return bind(BatchMatMulV2, x, y, adj_x=adj_x, adj_y=adj_y)


@dispatchable(quick=MatMul)
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product over the two innermost axes, [..., m, k] by [..., k, n]; leading axes broadcast.

    Floats, complex numbers and integers (int8: see output_type), the same dtype of both.
    transpose_a, adjoint_a: transpose (and conjugate) the matrices of `a` first. a_is_sparse says
    that most elements are 0, which changes nothing here. output_type: the dtype in which products
    are computed and added: int8 matrices give an int32 one without overflow.

    >>> tf.matmul([[1, 2], [3, 4]], [[1, 10]], transpose_b=True).numpy()
    array([[21],
           [43]], dtype=int32)
    >>> tf.matmul(tf.ones([5, 2, 3]), tf.ones([3, 4])).shape
    TensorShape([5, 2, 4])

    Raises:
        ValueError: transpose and adjoint are both asked for.
        InvalidArgumentError: fewer than two axes, or sizes that do not fit (also a ValueError).
        TypeError: the dtypes differ, or have no product.
    """
    for letter, transposed, adjoint in (
        ("a", transpose_a, adjoint_a),
        ("b", transpose_b, adjoint_b),
    ):
        if transposed and adjoint:
            raise ValueError(
                f"Only one of `transpose_{letter}` and `adjoint_{letter}` can be True. Received "
                f"`transpose_{letter}`={transposed}, `adjoint_{letter}`={adjoint}."
            )
    try:
        a, b = as_tensors(a, b)
        if output_type is not None:
            a, b = cast(a, output_type), cast(b, output_type)
        return _product(a, b, (transpose_a, adjoint_a), (transpose_b, adjoint_b), name)
    except (TypeError, ValueError, OpError) as error:
        hide_frames(error)
        raise


def _product(
    a: Any, b: Any, flips_a: tuple[bool, bool], flips_b: tuple[bool, bool], name: str | None
) -> Any:
    rank_a, rank_b = a.shape.rank, b.shape.rank
    batched = (rank_a is None or rank_a > 2) or (rank_b is None or rank_b > 2)
    if not batched:
        a = conjugated(a) if flips_a[1] else a
        b = conjugated(b) if flips_b[1] else b
        if not any(flips_a) and not any(flips_b):
            return bind(MatMul, a, b, name=name)
        turns = [bool(adjoint) or turned for turned, adjoint in (flips_a, flips_b)]
        return bind(MatMul, a, b, transpose_a=turns[0], transpose_b=turns[1], name=name)
    # A transposition is an adjoint of the conjugate.
    a = conjugated(a) if flips_a[0] else a
    b = conjugated(b) if flips_b[0] else b
    turns = [bool(turned) or adjoint for turned, adjoint in (flips_a, flips_b)]
    return bind(BatchMatMulV2, a, b, adj_x=turns[0], adj_y=turns[1], name=name)


@dispatchable
def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Matrices by vectors: [..., m, k] by [..., k] gives [..., m]; dtypes and leading axes as in
    `matmul`.

    transpose_a, adjoint_a: `a` is [..., k, m], and transposed (and conjugated) first.

    >>> tf.linalg.matvec([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43], dtype=int32)

    Raises:
        ValueError: transpose and adjoint are both asked for.
        InvalidArgumentError: the sizes do not fit.
    """
    column = expand_dims(b, -1)
    return squeeze(matmul(a, column, transpose_a, False, adjoint_a, name=name), [-1])


@dispatchable
def adjoint(matrix: Any, name: str | None = None) -> Any:
    """The conjugate transpose of the two innermost axes: [..., m, n] becomes [..., n, m], any
    dtype.

    >>> tf.linalg.adjoint([[1 + 2j, 3 - 4j]]).numpy()
    array([[1.-2.j],
           [3.+4.j]])

    Raises:
        ValueError: fewer than two axes.
    """
    return matrix_transpose(matrix, name=name, conjugate=True)
