"""Elements moved: transposed, repeated, reversed, rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.specs import TensorSpec
from ...errors import (
    InvalidArgumentError,
    KnownDTypeError,
    KnownShapeError,
    ShapeMismatchError,
)
from ..bind import api, bind
from ..conversion import as_tensor, static_value
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..families import in_a_row
from ..lowering import NotStatic
from ..op import ANY, INDEX, NATIVE, In, Moves, Op, Out, as_eager, types, usually
from ..sizes import maximum, scalar

if TYPE_CHECKING:
    from ..results import Tensor


class Transpose(Op):
    """Axis k of the result is axis perm[k] of the input."""

    moves = Moves.ELEMENTS
    x = In("T ...")
    perm = In("Tperm n")
    y = Out("T ...")
    T = ANY
    Tperm = INDEX
    usual = usually(Tperm="i32")
    xla = as_eager

    def demands(self, sizes: Any) -> list[int]:
        """The axes of the input in the order of the result."""
        rank, count = len(sizes.shape(self.x)), sizes.shape(self.perm, 1)[0]
        if sizes.equal(count, rank) is False:
            refuse(InvalidArgumentError, WRONG_COUNT, rank, count)
        perm = sizes.static(self.perm)
        for axis in perm:
            if not -rank <= axis < rank:
                refuse(InvalidArgumentError, NO_AXIS, axis, rank)
        order = [axis % rank for axis in perm]
        if len(set(order)) < rank:
            missing = min({*range(rank)} - {*order})
            sizes.require_late(False, InvalidArgumentError, MISSING, missing, tuple(perm))
        return order

    def infer(self) -> TensorSpec:
        dims = self.x.shape.entries
        if self.found is None or dims is None:
            length = self.perm.shape.num_elements() if dims is None else len(dims)
            return TensorSpec(None if length is None else (None,) * length, self.x.dtype)
        return TensorSpec(tuple(dims[k] for k in self.found), self.x.dtype)

    def eager(self, np: Any) -> Any:
        return np.transpose(self.x, self.found)

    def lower(self, loops: Any) -> Any:
        x, order = self.x, self.found
        places = [order.index(axis) for axis in range(x.rank)]
        shape = [x.shape[axis] for axis in order]
        return loops.view(shape, x.dtype, lambda *index: x[[index[k] for k in places]])

    def vjp(self, dy: Any) -> Any:
        return bind(Transpose, dy, _inverse_of(self.perm)), None


WRONG_COUNT = (
    "Transpose: transpose expects a vector of size {}. But input(1) is a vector of size {}"
)
NO_AXIS = "Transpose: {} is out of range [0 .. {})"
MISSING = "Transpose: {} is missing from {}."


class InvertPermutation(Op):
    """The place of each number in a permutation of 0 .. n - 1."""

    x = In("T n")
    y = Out("T n")
    T = INDEX
    usual = usually(T="i32")
    differentiable = False
    native_from = SLOW

    def demands(self, sizes: Any) -> None:
        (count,) = sizes.shape(self.x, 1)
        sizes.each(
            self.x, lambda one: (one >= 0) & (one < count), InvalidArgumentError, NO_PLACE, count
        )

    def eager(self, np: Any) -> Any:
        y = np.full_like(self.x, -1)
        y[self.x] = np.arange(len(y))
        if (y < 0).any():
            raise InvalidArgumentError(NO_PERMUTATION.format(len(y)))
        return y

    def xla(self, xla: Any) -> Any:
        np, count = xla.np, len(self.x)
        return np.zeros_like(self.x).at[self.x].set(np.arange(count, dtype=self.x.dtype))

    def lower(self, loops: Any) -> Any:
        try:
            order = loops.static(self.x)
        except NotStatic:
            return self._lowered(loops)
        if len(order) > MOST_AXES or sorted(order) != [*range(len(order))]:
            return self._lowered(loops)
        return loops.vector([order.index(k) for k in range(len(order))], self.x.dtype)

    def _lowered(self, loops: Any) -> Any:
        s, x = loops.scalars, loops.kept(self.x)
        zero = loops.constant(0, dtypes.int64)
        count = scalar(loops, x.shape[0])
        y = loops.memory(x.shape, x.dtype)  # a place and 1; 0: none

        def put(place: Any, found: Any) -> tuple[Any, Any]:
            at = loops.held(x[(place,)])
            is_new = loops.held(y[(at,)] == s.constant(0, at))
            loops.put(y, (at,), s.cast(place + 1, x.dtype))
            return place + 1, found + s.cast(is_new, dtypes.int64)

        _, found = loops.repeat((zero, zero), lambda place, _: place < count, put)
        loops.check(found == count, InvalidArgumentError, NO_PERMUTATION, count)
        return loops.map(x.shape, x.dtype, lambda k: y[(k,)] - s.constant(1, y[(k,)]))


MOST_AXES = 64  # of a permutation that compiled code keeps as numbers it knows: those of axes are
NO_PLACE = "InvertPermutation: x{at} = {it} is not between 0 and {}"
NO_PERMUTATION = "InvertPermutation: x is no permutation: it has a number below {} twice"


@dispatchable
def invert_permutation(x: Any, name: str | None = None) -> Any:
    """The place of each number in a permutation of 0 .. n - 1, an int32 or int64 vector.

    >>> tf.math.invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)

    Raises:
        InvalidArgumentError: it is no permutation.
    """
    return bind(InvertPermutation, x, name=name)


def _inverse_of(perm: Any) -> Any:
    """The permutation that undoes one of axes, which may be counted from the end."""
    known = static_value(perm)
    if known is None:
        from ..math.division import floormod
        from .shapes import shape

        return invert_permutation(floormod(perm, shape(perm, perm.dtype)[0]))
    order = [axis % len(known) for axis in known.tolist()]
    return as_tensor([order.index(k) for k in range(len(order))], perm.dtype)


@dispatchable
def transpose(
    a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose"
) -> Tensor:
    """Axis k of the result is axis perm[k] of `a`; by default the axes are reversed.

    a: any dtype and shape; with `conjugate` complex numbers are conjugated, too.

    >>> tf.transpose([[[1, 2, 3]]], [0, 2, 1]).numpy()
    array([[[1],
            [2],
            [3]]], dtype=int32)

    Raises:
        InvalidArgumentError: `perm` is not a permutation of the axes.
    """
    a = as_tensor(a)
    if perm is None:
        perm = reversed_axes(a)
    if conjugate and a.dtype.is_complex:
        from ..math.complex import conj

        a = conj(a)
    return bind(Transpose, a, perm, name=name)


def reversed_axes(a: Any) -> Any:
    """The axes of a tensor, last first."""
    rank = a.shape.rank
    if rank is not None:
        return as_tensor(list(range(rank))[::-1], dtypes.int32)
    from .fill import range as range_tensor
    from .shapes import rank as rank_tensor

    count = rank_tensor(a)
    return (count - 1) - range_tensor(count)


@dispatchable
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Any:
    """The two innermost axes exchanged: [..., m, n] becomes [..., n, m], of any dtype.

    With `conjugate` complex numbers are conjugated, too.

    >>> tf.linalg.matrix_transpose([[1, 2, 3], [4, 5, 6]]).numpy()
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)

    Raises:
        ValueError: there are fewer than two.
    """
    a = as_tensor(a)
    rank = a.shape.rank
    if rank is None:
        from .concatenation import concat
        from .fill import range as range_tensor
        from .shapes import rank as rank_tensor

        count = rank_tensor(a)
        order = concat([range_tensor(count - 2), [count - 1, count - 2]], 0)
        return transpose(a, order, conjugate, name)
    if rank < 2:
        raise ValueError(f"Argument `a` should be a (batch) matrix with rank >= 2, got rank {rank}")
    return transpose(a, [*range(rank - 2), rank - 1, rank - 2], conjugate, name)


class Tile(Op):
    """The input repeated `multiples[k]` times along axis k."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    multiples = In("Tmultiples n")
    output = Out("T ...")
    T = ANY
    Tmultiples = INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """How often each axis is repeated, and the sizes of the result."""
        times = sizes.numbers(self.multiples)
        shape = sizes.shape(self.input, len(times))
        sizes.require(
            len(times) == len(shape), InvalidArgumentError, NOT_EACH, len(shape), len(times)
        )
        for k, count in enumerate(times):
            sizes.require_late(count >= 0, InvalidArgumentError, NEGATIVE_TIMES, k, count)
        times = sizes.possible_late((*shape, *times))[len(shape) :]
        return times, tuple([size * count for size, count in zip(shape, times, strict=True)])

    def infer(self) -> TensorSpec:
        if self.found is None:
            rank = self.input.rank
            return TensorSpec(None if rank is None else (None,) * rank, self.input.dtype)
        _, shape = self.found
        return TensorSpec(dims(shape), self.input.dtype)

    def eager(self, np: Any) -> Any:
        times, _ = self.found
        return np.tile(self.input, times)

    def lower(self, loops: Any) -> Any:
        x, (times, shape) = self.input, self.found

        def element(*index: Any) -> Any:
            own = [
                i if isinstance(t, int) and t == 1 else i % d
                for i, d, t in zip(index, x.shape, times, strict=True)
            ]
            return x[own]

        return loops.view(shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        """The repetitions of an element added: as an axis of their own, which is summed."""
        from ..math.reduce import reduce_sum
        from .concatenation import stack
        from .shapes import reshape, shape_of

        rank = self.input.shape.rank
        if rank == 0:
            return doutput, None
        pairs = reshape(stack([self.multiples, shape_like(self.multiples, self.input)], 1), [-1])
        split = reshape(doutput, pairs)
        if rank is None:
            from .fill import range as range_tensor
            from .shapes import size

            axes: Any = range_tensor(0, 2 * size(self.multiples), 2)
        else:
            axes = list(range(0, 2 * rank, 2))
        return reshape(reduce_sum(split, axes), shape_of(self.input)), None


NOT_EACH = "Tile: Expected multiples argument to be a vector of length {} but got length {}"
NEGATIVE_TIMES = "Tile: Expected multiples[{}] >= 0, but got {}"


def shape_like(like: Any, tensor: Any) -> Any:
    """The shape of `tensor` in the dtype of the integer vector `like`."""
    from .shapes import shape

    return shape(tensor, like.dtype)


@dispatchable
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """`input` repeated `multiples[k]` times along axis k.

    input: any dtype and shape. multiples: int32 or int64, one for each axis.

    >>> tf.tile([[1, 2]], [2, 2]).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: a number is negative, or there are not as many as axes.
    """
    from .shapes import as_shape_tensor

    return bind(Tile, input, as_shape_tensor(multiples), name=name)


@dispatchable
def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Every element (or every slice along `axis`) repeated, as often as `repeats` says for it.

    `repeats` is an int or an integer vector with one number per slice; among several a negative one
    counts as 0. Without `axis` the input, of any dtype, is flattened first.

    >>> tf.repeat([[1, 2], [3, 4]], [2, 1], axis=0).numpy()
    array([[1, 2],
           [1, 2],
           [3, 4]], dtype=int32)

    Raises:
        ValueError: there is no such axis, or `repeats` has another size than it.
        KnownDTypeError (a TypeError): `repeats` are no integers.
        InvalidArgumentError: a single negative number.
    """
    from ..control.flow import ensure_shape
    from .gather import gather_densely
    from .shapes import reshape

    input, repeats = as_tensor(input), as_tensor(repeats)
    if not (repeats.dtype.is_integer or repeats.dtype.is_bool):
        raise KnownDTypeError(f"repeats must be integers, not {repeats.dtype.name}; use tf.cast")
    if repeats.shape.rank not in (None, 0, 1):
        raise ShapeMismatchError(f"repeats of shape {repeats.shape} must have rank at most 1")
    if axis is None or input.shape.rank == 0:
        input = reshape(input, [-1])
    axis, rank = 0 if axis is None else int(axis), input.shape.rank
    if rank is None:
        from .folded_axes import around

        return around(_vector_at_least(input), axis, lambda folded: repeat(folded, repeats, 1))
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    axis %= rank
    if repeats.shape.rank == 0 or repeats.shape.num_elements() == 1:
        return _all_repeated(input, repeats, axis, name)
    indices = _repeated_indices(input, repeats, axis)
    each = static_value(repeats)
    if indices.shape[0] is None and each is not None and each.size > 1:
        indices = ensure_shape(indices, [int(each.clip(0).sum())])
    return gather_densely(input, indices, axis=axis, name=name)


def _vector_at_least(input: Any) -> Any:
    """A tensor of unknown rank as a vector where it is a scalar, else as it is."""
    from ..math.cast import cast
    from ..math.comparison import equal
    from .folded_axes import with_axes
    from .shapes import rank

    return with_axes(input, cast(equal(rank(input), 0), dtypes.int32))


def _all_repeated(input: Any, repeats: Any, axis: int, name: str | None) -> Any:
    """Every slice as often as one number says: rows side by side, for which nobody looks up where
    they come from.
    """
    from ..math.cast import cast
    from .broadcasting import broadcast_to
    from .shapes import expand_dims, reshape, shape_of

    sizes, known = shape_of(input), input.shape.as_list()
    dims = [sizes[k] if size is None else size for k, size in enumerate(known)]
    said = static_value(repeats)
    number = None if said is None else int(said.item())
    each = reshape(cast(repeats, dtypes.int32), []) if number is None else number
    before, count, after = dims[:axis], dims[axis], dims[axis + 1 :]
    wide = broadcast_to(expand_dims(input, axis + 1), [*before, count, each, *after])
    if number is not None:
        each = max(number, 0)  # a negative one is refused when the graph runs, by the broadcast
    return reshape(wide, [*before, count * each, *after], name=name)


def _repeated_indices(input: Any, repeats: Any, axis: int) -> Any:
    """0 repeats[0] times, then 1 repeats[1] times, ...: how many slices have ended at each place.

    A negative number among several counts as 0, as in TensorFlow, and is refused where it is alone.
    """
    from ..math.arithmetic import maximum
    from ..math.cast import cast
    from ..math.comparison import equal, less, logical_and
    from ..math.reduce import reduce_sum
    from ..math.scan import cumsum
    from ..math.segments import unsorted_segment_sum
    from .broadcasting import broadcast_to
    from .fill import ones_like
    from .select import where
    from .shapes import shape_of, size

    count = shape_of(input)[axis]
    repeats = cast(repeats, dtypes.int32)
    _check_one_for_each(repeats, input.shape[axis])
    each = maximum(broadcast_to(repeats, [count]), 0)
    ends, places = cumsum(each), reduce_sum(each) + 1  # the last place is behind all
    if repeats.shape.num_elements() is None:
        is_refused = logical_and(equal(size(repeats), 1), less(reduce_sum(repeats), 0))
        places = where(is_refused, -1, places)  # which no shape has
    return cumsum(unsorted_segment_sum(ones_like(ends), ends, places)[:-1])


def _check_one_for_each(repeats: Any, size: int | None) -> None:
    given = repeats.shape.num_elements()
    if None not in (given, size) and given != size:
        raise KnownShapeError(
            f"Dimensions {size} and {given} are not compatible: repeats has {given} numbers for "
            f"{size} slices"
        )


class ReverseV2(Op):
    """The elements in reverse order along each axis in `axis`, a vector.

    tensor: of any dtype, which the result has.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy()
    array([[2, 1],
           [4, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or is given twice.
    """

    moves = Moves.ELEMENTS
    tensor = In("T *s")
    axis = In("Tidx n")
    output = Out("T *s")
    T = NATIVE | types("str")
    Tidx = INDEX
    usual = usually(Tidx="i32")
    xla = as_eager

    def demands(self, sizes: Any) -> set[int]:
        """The axes, from the front."""
        axes, rank = in_a_row(sizes.static(self.axis)), len(sizes.shape(self.tensor))
        if not rank:
            return set()  # as TensorFlow, which then looks at no axis
        for axis in axes:
            if not -rank <= axis < rank:
                refuse(InvalidArgumentError, NOT_AN_AXIS, axis, rank - 1)
        turned = {axis % rank for axis in axes}
        if len(turned) < len(axes):
            refuse(InvalidArgumentError, TWICE, tuple(axes))
        return turned

    def eager(self, np: Any) -> Any:
        return np.flip(self.tensor, tuple(self.found))

    def lower(self, loops: Any) -> Any:
        x, turned = self.tensor, self.found

        def element(*index: Any) -> Any:
            return x[[x.shape[k] - 1 - i if k in turned else i for k, i in enumerate(index)]]

        return loops.view(x.shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(ReverseV2, doutput, self.axis), None


NOT_AN_AXIS = "ReverseV2: 'axis'[0] = {} is out of valid range [0, {}]"
TWICE = "ReverseV2: axis {} specified more than once."
reverse = api(ReverseV2, "reverse")


class Roll(Op):
    """The elements moved by `shift` along `axis`; those that leave come in at the other end."""

    moves = Moves.ELEMENTS
    input = In("T *s")
    shift = In("Tshift ...")
    axis = In("Taxis ...")
    output = Out("T *s")
    T = ANY
    Tshift = INDEX
    Taxis = INDEX

    def demands(self, sizes: Any) -> list[int]:
        """The axes, from the front, one for each shift."""
        for rank in map(sizes.rank, (self.shift, self.axis)):
            if (fits := rank < 2) is not True:
                sizes.require(fits, InvalidArgumentError, NO_VECTOR, rank)
        shift, axis = sizes.shape(self.shift), sizes.shape(self.axis)
        sizes.alike(
            shift, axis, InvalidArgumentError, "Roll: shift and axis must have the same size"
        )
        rank = len(sizes.shape(self.input))
        sizes.require(rank > 0, InvalidArgumentError, "Roll: input must be 1-D or higher")
        axes = in_a_row(sizes.static(self.axis))
        for one in axes:
            if not -rank <= one < rank:
                sizes.require_late(False, InvalidArgumentError, NO_AXIS_TO_ROLL, one)
        return [one % rank for one in axes]

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def shifts(self, shift: Any) -> dict[int, Any]:
        """By how much each axis is shifted in all."""
        total: dict[int, Any] = {}
        for by, axis in zip(shift, self.found, strict=True):
            total[axis] = total.get(axis, 0) + by
        return total

    def eager(self, np: Any) -> Any:
        total = self.shifts(self.shift.reshape(-1).tolist())
        return np.roll(self.input, tuple(total.values()), tuple(total))

    def xla(self, xla: Any) -> Any:
        flat = self.shift.reshape(-1)
        total = self.shifts([flat[k] for k in range(flat.size)])
        return xla.np.roll(self.input, xla.np.stack(list(total.values())), tuple(total))

    def lower(self, loops: Any) -> Any:
        x, s = self.input, loops.scalars
        within: list[Any] = []
        for by, axis in zip(loops.elements(self.shift), self.found, strict=True):
            size = maximum(loops, x.shape[axis], 1)
            within.append(s.cast(by, dtypes.int64) % size)  # sums of these do not overflow
        total = self.shifts(within)

        def element(*index: Any) -> Any:
            own = list(index)
            for k, by in total.items():
                own[k] = (index[k] - by) % x.shape[k]
            return x[own]

        return loops.view(x.shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return roll(doutput, -self.shift, self.axis), None, None


NO_AXIS_TO_ROLL = "Roll: axis {} is out of range"
NO_VECTOR = "Roll: shift and axis must be scalars or vectors; one of them has rank {}"


@dispatchable
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """The elements moved by `shift` along `axis` (both ints or both vectors), round and round.

    input: any dtype, of rank 1 at least. Shifts along the same axis add up.

    >>> tf.roll([1, 2, 3, 4], 1, 0).numpy()
    array([4, 1, 2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist; `shift` and `axis` differ in size.
    """
    return bind(Roll, input, shift, axis, name=name)
