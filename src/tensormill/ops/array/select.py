"""Choosing elements by a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.shapes import UNKNOWN, broadcast_shapes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor, static_int
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import ANY, NATIVE, In, Moves, Op, Out, as_eager
from .broadcasting import unbroadcast

if TYPE_CHECKING:
    from ..results import Tensor


class SelectV2(Op):
    """`t` where the condition is true, `e` elsewhere; all three broadcast."""

    native_from = MANY

    moves = Moves.ELEMENTS
    condition = In("bool ...")
    t = In("T ...")
    e = In("T ...")
    output = Out("T ...")
    T = ANY
    xla = as_eager

    def infer(self) -> TensorSpec:
        shape = broadcast_shapes(self.t.shape, self.e.shape)
        return TensorSpec(broadcast_shapes(self.condition.shape, shape), self.t.dtype)

    def eager(self, np: Any) -> Any:
        return np.where(self.condition, self.t, self.e)

    def lower(self, loops: Any) -> Any:
        operands = (self.condition, self.t, self.e)
        shape = loops.broadcast_shape(*(x.shape for x in operands))
        condition, t, e = (loops.broadcast(x, shape) for x in operands)

        def element(*index: Any) -> Any:
            return loops.scalars.where(condition[index], t[index], e[index])

        return loops.map(shape, self.t.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .fill import zeros_like

        condition, t, e, none = self.condition, self.t, self.e, zeros_like(doutput)
        return (
            None,
            lambda: unbroadcast(where(condition, doutput, none), t, e, condition),
            lambda: unbroadcast(where(condition, none, doutput), e, t, condition),
        )


class Select(Op):
    """`t` where a condition is true, `e` elsewhere: a scalar, one for each row, or of their shape.

    TensorFlow's first graphs have it, and gradients still do.
    """

    moves = Moves.ELEMENTS
    condition = In("bool ...")
    t = In("T *s", keyword="x")
    e = In("T *s", keyword="y")
    output = Out("T *s")
    T = ANY

    def demands(self, sizes: Any) -> None:
        condition, shape = sizes.shape(self.condition), sizes.shape(self.t)
        if len(condition) not in (0, len(shape)) and len(condition) != 1:
            refuse(ShapeMismatchError, NO_CONDITION, condition, shape)
        for size, wanted in zip(condition, shape, strict=False):
            fits = sizes.equal(size, wanted)
            sizes.require(fits, ShapeMismatchError, NO_CONDITION, condition, shape)
        other = sizes.shape(self.e)
        if len(shape) != len(other):
            refuse(ShapeMismatchError, NOT_ALIKE, shape, other)
        for size, wanted in zip(shape, other, strict=True):
            sizes.require(sizes.equal(size, wanted), ShapeMismatchError, NOT_ALIKE, shape, other)

    def expand(self) -> Any:
        from .concatenation import concat
        from .fill import ones
        from .shapes import rank, reshape, shape_of

        condition, t = self.condition, self.t
        if condition.shape.rank not in (0, t.shape.rank) or condition.shape.rank is None:
            missing = reshape(rank(t) - rank(condition), [1])
            sizes = concat([shape_of(condition), ones(missing, dtypes.int32)], 0)
            condition = reshape(condition, sizes)
        return bind(SelectV2, condition, t, self.e)


NOT_ALIKE = "Select: x has shape {} and y {}, which have to be the same"
NO_CONDITION = "Select: the condition has shape {}: it is a scalar, one for each row, or {}"


NO_PLACES = "Where: condition must have 1 axis or more, got a scalar: it has no indices to give"


class Where(Op):
    """The indices of all elements that are not zero, in row-major order: int64 [n, rank]."""

    input = In("T ...", keyword="condition")
    index = Out("i64 n r")
    T = NATIVE
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.require(len(sizes.shape(self.input)) > 0, InvalidArgumentError, NO_PLACES)

    def infer(self) -> TensorSpec:
        return TensorSpec((None, self.input.rank), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.argwhere(self.input)

    def lower(self, loops: Any) -> Any:
        x = self.input
        if x.dtype is dtypes.bool_:
            return loops.places(x)
        zero = loops.constant(0, x.dtype)
        return loops.places(loops.map(x.shape, dtypes.bool_, lambda *index: x[index] != zero))


@dispatchable
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where `condition` is true and `y` elsewhere, broadcast; without x and y, the indices
    of the true elements, int64 [n, rank].

    condition: bool, or with one argument numbers, of which all but 0 are true. x, y: of one dtype
    (any).

    >>> tf.where([[True], [False]], [1, 2], 0).numpy()
    array([[1, 2],
           [0, 0]], dtype=int32)
    >>> tf.where([[True, False], [True, True]]).numpy().tolist()
    [[0, 0], [1, 0], [1, 1]]

    Raises:
        ValueError: only one of x and y is given; shapes do not broadcast (an InvalidArgumentError).
        TypeError: with x and y `condition` is not bool, or their dtypes differ.
    """
    if x is None and y is None:
        return bind(Where, as_tensor(condition), name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None, or both be left out")
    return bind(SelectV2, as_tensor(condition, None, dtypes.bool_), x, y, name=name)


@dispatchable
@composed("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """The slices of `tensor` along `axis` (and the axes after it) for which `mask` is true.

    `mask` is bool [d0, ...] with the sizes of these axes; its rank must be known. In the result, of
    the dtype of `tensor` (any), one axis takes their place.

    >>> tf.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]).numpy()
    array([1, 3, 4], dtype=int32)

    Raises:
        ValueError: `mask` is a scalar, its rank is unknown, or its shape does not fit.
    """
    from .gather import gather
    from .shapes import reshape, shape_of, squeeze

    tensor, mask = as_tensor(tensor), as_tensor(mask)
    known = 0 if axis is None else static_int(axis)
    axis = axis if known is None else known
    rank = mask.shape.rank
    if rank == 0:
        raise ValueError("mask cannot be scalar.")
    if rank is None:
        raise ValueError("Number of mask dimensions must be specified, even if some are None.")
    masked = UNKNOWN if known is None else tensor.shape[known : known + rank]
    masked.assert_is_compatible_with(mask.shape)
    sizes = shape_of(tensor)
    if not (masked.is_fully_defined() and mask.shape.is_fully_defined()):
        from ..checks.assertions import require_equal

        message = "boolean_mask: the sizes of the mask are not those of the tensor: "
        require_equal(shape_of(mask), sizes[axis : axis + rank], message)
    from .concatenation import concat

    flat = reshape(tensor, concat([sizes[:axis], [-1], sizes[axis + rank :]], 0))
    chosen = squeeze(where(reshape(mask, [-1])), axis=[1])
    return gather(flat, chosen, axis=axis, name=name)
