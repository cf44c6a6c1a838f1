"""Operations on arrays that only `tf.raw_ops` and files have."""

from __future__ import annotations

from os import urandom
from typing import Any, ClassVar

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_operations import MANY
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat
from ..array.fill import range as numbers_to
from ..array.fill import zeros
from ..array.gather import gather, gather_nd
from ..array.grids import unravel_index
from ..array.ranks import ascending_ranks, descending_ranks
from ..array.rearrangement import transpose
from ..array.scatter import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from ..array.shapes import reshape, shape_of, size
from ..array.slicing import StridedIndex, StridedSlice
from ..array.sorting import sort
from ..bind import bind
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..demands import refuse
from ..effects import World
from ..families import Rephrased, Unary
from ..linalg.band_parts import band_part
from ..linalg.decompositions import cholesky_gradient
from ..math.cast import cast
from ..math.comparison import equal
from ..math.division import floormod
from ..math.reduce import reduce_sum
from ..op import ANY, INDEX, NUMBERS, REALS, Attr, In, Op, Out, as_eager, types, usually
from ..sizes import scalar
from ..state.variables import read


class ConjugateTranspose(Rephrased):
    """Axes in another order, of the conjugates."""

    x = In("T ...")
    perm = In("Tperm n")
    y = Out("T ...")
    T = ANY
    Tperm = INDEX
    usual = usually(Tperm="i32")

    def expand(self) -> Any:
        return transpose(self.x, self.perm, conjugate=self.x.dtype.is_complex)


class UnravelIndex(Rephrased):
    """The places in an array of `dims` that numbers of elements stand for."""

    indices = In("Tidx ...")
    dims = In("Tidx n")
    output = Out("Tidx ...")
    Tidx = INDEX
    usual = usually(Tidx="i32")
    differentiable = False

    def expand(self) -> Any:
        return unravel_index(self.indices, self.dims)


class ParallelConcat(Rephrased):
    """Rows, each [1, ...], one after the other: `shape` is what comes of it."""

    values = In("N * T ...")
    output = Out("T ...")
    shape = Attr()
    T = ANY

    def expand(self) -> Any:
        whole = as_shape(self.shape)
        if not whole.rank:
            raise ShapeMismatchError(f"ParallelConcat: rows have axes, and `shape` is {whole}")
        row = [1, *whole.as_list()[1:]]
        return concat([ensure_shape(one, row) for one in self.values], 0)


class DeepCopy(Rephrased):
    """The same again, in memory of its own."""

    x = In("T ...")
    y = Out("T ...")
    T = ANY
    differentiable = False

    def expand(self) -> Any:
        return self.x


class Inplace(Rephrased, abstract=True):
    """Rows `i` of x changed by those of v, one after the other; numbers count from the front
    again beyond the end.
    """

    x = In("T m *s")
    i = In("i32 n")
    v = In("T n *s")
    y = Out("T m *s")
    T = ANY
    differentiable = False

    def places(self) -> Any:
        return floormod(self.i, shape_of(self.x)[0])[:, None]


class InplaceUpdate(Inplace):
    """Rows are replaced."""

    def expand(self) -> Any:
        return tensor_scatter_nd_update(self.x, self.places(), self.v)


class InplaceAdd(Inplace):
    """Rows of v are added."""

    T = NUMBERS

    def expand(self) -> Any:
        return tensor_scatter_nd_add(self.x, self.places(), self.v)


class InplaceSub(Inplace):
    """Rows of v are subtracted."""

    T = NUMBERS

    def expand(self) -> Any:
        return tensor_scatter_nd_sub(self.x, self.places(), self.v)


class ScatterNdNonAliasingAdd(Rephrased):
    """Elements or slices with updates added; booleans are true where one of them is."""

    input = In("T ...")
    indices = In("Tindices ...")
    updates = In("T ...")
    output = Out("T ...")
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    T = NUMBERS | types("bool")
    Tindices = INDEX

    def expand(self) -> Any:
        is_bool = self.input.dtype.is_bool
        given, added = (
            cast(one, dtypes.int32) if is_bool else one for one in (self.input, self.updates)
        )
        found = tensor_scatter_nd_add(given, self.indices, added, self.bad_indices_policy)
        return cast(found, dtypes.bool_) if is_bool else found


class FactorialFact(Rephrased, tf_name="Fact"):
    """A fact about factorials."""

    fact = Out("str")
    differentiable = False

    def expand(self) -> Any:
        return as_tensor(b"0! == 1", dtypes.string)


class FakeParam(Rephrased):
    """What stands for a value that nobody reads: zeros."""

    output = Out("dtype ...")
    dtype = Attr()
    shape = Attr()
    differentiable = False

    def expand(self) -> Any:
        return zeros([size or 0 for size in as_shape(self.shape).as_list()], self.dtype)


class PopulationCount(Unary):
    """How many bits of a number are 1."""

    native_from = MANY

    T = types("i8 i16 i32 i64 u8 u16 u32 u64")
    y = Out("u8 *s")
    differentiable = False

    def result_dtype(self) -> DType:
        return dtypes.uint8

    def scalar(s: Any, x: Any) -> Any:
        wide = dtypes.uint64
        bits = s.cast(x, wide)
        width = dtypes.as_dtype(x.dtype).size * 8

        def number(value: int) -> Any:
            return s.constant(value & (2**64 - 1), bits)

        def shifted(value: Any, by: int) -> Any:
            return s.right_shift(value, number(by))

        # Sums of neighbours in ever wider fields (Warren, "Hacker's Delight", 5-1).
        bits = bits & number(2**width - 1)
        bits = bits - (shifted(bits, 1) & number(0x5555555555555555))
        pairs = number(0x3333333333333333)
        bits = (bits & pairs) + (shifted(bits, 2) & pairs)
        bits = (bits + shifted(bits, 4)) & number(0x0F0F0F0F0F0F0F0F)
        return s.cast(shifted(bits * number(0x0101010101010101), 56), dtypes.uint8)


class NthElement(Op):
    """Of each row, the element that has place n in order."""

    input = In("T ...")
    n = In("i32")
    values = Out("T ...")
    reverse = Attr(False)
    T = REALS
    native_from = MANY

    def demands(self, sizes: Any) -> None:
        shape, (place,) = sizes.shape(self.input), sizes.numbers(self.n)
        if not shape:
            refuse(ShapeMismatchError, "NthElement: the input must be at least a vector")
        sizes.require(place >= 0, InvalidArgumentError, "NthElement: n must be >= 0, not {}", place)
        sizes.require(place < shape[-1], InvalidArgumentError, TOO_SHORT, place, shape[-1])

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape[:-1], self.input.dtype)

    def expand(self) -> Any:
        direction = "DESCENDING" if self.reverse else "ASCENDING"
        return gather(sort(self.input, -1, direction), self.n, axis=-1)

    def lower(self, loops: Any) -> Any:
        s, x, (place,) = loops.scalars, loops.kept(self.input), loops.elements(self.n)
        place, length = loops.held(s.cast(place, dtypes.int64)), x.shape[-1]
        ranks = loops.kept((descending_ranks if self.reverse else ascending_ranks)(loops, x))
        if isinstance(length, int) and length <= SHORT:
            order = loops.kept(loops.order(ranks))
            return loops.view(x.shape[:-1], x.dtype, lambda *row: x[(*row, order[(*row, place)])])
        found = rank_at(loops, ranks, place)

        def first_place(row: Any, at: Any) -> Any:
            is_it = ranks[(*row, *at)] == found[row]
            return s.where(is_it, at[0], scalar(loops, length))

        places = loops.reduce("min", x.shape[:-1], (length,), dtypes.int64, first_place)
        return loops.view(x.shape[:-1], x.dtype, lambda *row: x[(*row, places[row])])

    def vjp(self, dvalues: Any) -> Any:
        chosen = cast(equal(self.input, self.values[..., None]), dvalues.dtype)
        share = dvalues / reduce_sum(chosen, -1)
        return chosen * share[..., None], None


SHORT = 16  # numbers of a row that are put in order as quickly as they are counted


def rank_at(loops: Any, ranks: Any, place: Any) -> Any:
    """Of each row, the number that has a place in order: the largest that at most `place` are
    below, bit by bit. For each bit a row is counted through, in vectors; nothing is moved.
    """
    s, wide, (*rows, length) = loops.scalars, ranks.dtype, ranks.shape
    one, none = loops.constant(1, wide), loops.constant(0, wide)
    bits = 8 * wide.size

    def counted(row: Any, rank: Any) -> Any:
        def below(_: Any, at: Any) -> Any:
            return s.cast(ranks[(*row, *at)] < rank, dtypes.int64)

        return loops.reduce("sum", (), (length,), dtypes.int64, below)[()]

    def bit_by_bit(*row: Any) -> Any:
        def step(bit: Any, found: Any) -> tuple[Any, Any]:
            more = loops.held(found | bit)
            fits = loops.held(counted(row, more)) <= place
            return s.right_shift(bit, one), s.where(fits, more, found)

        return loops.rounds(bits, (loops.constant(1 << (bits - 1), wide), none), step)[1]

    return loops.kept(loops.apart(rows, wide, bit_by_bit))


TOO_SHORT = "NthElement: rows must have more than n = {} elements, and have {}"


class TensorStridedSliceUpdate(Rephrased):
    """A tensor with a slice of it replaced."""

    input = In("T ...")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    value = In("T ...")
    output = Out("T ...")
    begin_mask = Attr(0)
    end_mask = Attr(0)
    ellipsis_mask = Attr(0)
    new_axis_mask = Attr(0)
    shrink_axis_mask = Attr(0)
    T = ANY
    Index = StridedIndex.Index

    def expand(self) -> Any:
        numbers = numbers_to(size(self.input, dtypes.int64), dtype=dtypes.int64)
        parts = (reshape(numbers, shape_of(self.input)), self.begin, self.end, self.strides)
        places = bind(StridedSlice, *parts, **self.attr_values())
        updates = reshape(broadcast_to(self.value, shape_of(places)), [-1])
        rows = reshape(places, [-1, 1])
        changed = tensor_scatter_nd_update(reshape(self.input, [-1]), rows, updates)
        return reshape(changed, shape_of(self.input))


class ResourceGatherNd(Rephrased):
    """Elements or slices of a variable."""

    resource = In("resource")
    indices = In("Tindices ...")
    output = Out("dtype ...")
    dtype = Attr()
    Tindices = INDEX

    def infer(self) -> TensorSpec:
        return TensorSpec(None, self.dtype)

    def expand(self) -> Any:
        return gather_nd(read(self.resource, self.dtype), self.indices)


class DataFormat(Op, abstract=True):
    """Axes of one layout told as those of another."""

    x = In("T ...")
    y = Out("T ...")
    src_format = Attr("NHWC")
    dst_format = Attr("NCHW")
    T = INDEX
    usual = usually(T="i32")
    differentiable = False
    formats: ClassVar[str] = "{}: src_format and dst_format must name the same axes, got {} and {}"

    def require_formats(self) -> None:
        source, wanted = self.src_format, self.dst_format
        if sorted(source) != sorted(wanted) or len(source) not in (4, 5):
            refuse(InvalidArgumentError, self.formats, self.name, source, wanted)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.x.shape, self.x.dtype)


class DataFormatDimMap(DataFormat):
    """The number that each axis has in the other layout."""

    xla = as_eager

    def demands(self, sizes: Any) -> None:
        self.require_formats()

    def places(self) -> list[int]:
        return [self.dst_format.index(axis) for axis in self.src_format]

    def eager(self, np: Any) -> Any:
        return np.array(self.places(), self.x.dtype)[self.x % len(self.src_format)]

    def lower(self, loops: Any) -> Any:
        x, s = self.x, loops.scalars
        places = self.places()

        def element(*index: Any) -> Any:
            axis = s.floor_modulo(x[index], loops.constant(len(places), x.dtype))
            found = loops.constant(places[0], x.dtype)
            for number, place in enumerate(places):
                is_it = axis == loops.constant(number, x.dtype)
                found = s.where(is_it, loops.constant(place, x.dtype), found)
            return found

        return loops.map(x.shape, x.dtype, element)


class DataFormatVecPermute(DataFormat):
    """A number for each axis (or each but batch and channels), or two, in the other's order."""

    def demands(self, sizes: Any) -> None:
        self.require_formats()
        shape = sizes.shape(self.x)
        if len(shape) not in (1, 2):
            refuse(InvalidArgumentError, "{}: x must be a vector or a matrix", self.name)
        count = len(self.src_format)
        fits = sizes.equal(shape[0], count) | sizes.equal(shape[0], count - 2)
        sizes.require(fits, InvalidArgumentError, SIZES, self.name, count, count - 2, shape)
        if len(shape) == 2:
            pairs = sizes.equal(shape[1], 2)
            sizes.require(pairs, InvalidArgumentError, PAIRS, self.name, shape)

    def order(self, count: int) -> list[int]:
        source = self.src_format
        left = [axis for axis in source if count == len(source) or axis not in "NC"]
        return [left.index(axis) for axis in self.dst_format if axis in left]

    def eager(self, np: Any) -> Any:
        return self.x[self.order(len(self.x))]

    def xla(self, xla: Any) -> Any:
        return xla.np.take(self.x, xla.np.asarray(self.order(len(self.x))), 0)


PAIRS = "{}: rows must be pairs: {}"
SIZES = "{}: x must have {} or {} elements, not {}"


class OfPlaces(Op, abstract=True):
    """Values at the places of sparse tensors: each at its own, and 0 where none is."""

    T = NUMBERS
    differentiable = False


class SparseAddGrad(OfPlaces):
    """The gradients by both summands' values of the values of a sparse sum."""

    backprop_val_grad = In("T n")
    a_indices = In("i64 m r")
    b_indices = In("i64 k r")
    sum_indices = In("i64 n r")
    a_val_grad = Out("T m")
    b_val_grad = Out("T k")

    def eager(self, np: Any) -> Any:
        values, places = self.backprop_val_grad, self.sum_indices
        wanted = self.a_indices, self.b_indices
        return tuple([at_places(np, values, places, one) for one in wanted])


class SparseSliceGrad(OfPlaces):
    """The gradient by the values of a sparse tensor of those of a slice."""

    backprop_val_grad = In("T m")
    input_indices = In("i64 n r")
    input_start = In("i64 r")
    output_indices = In("i64 m r")
    val_grad = Out("T n")

    def eager(self, np: Any) -> Any:
        places = self.output_indices + self.input_start
        return at_places(np, self.backprop_val_grad, places, self.input_indices)


def at_places(np: Any, values: Any, places: Any, wanted: Any) -> Any:
    """The value that stands at each wanted place, 0 where none does."""
    both = np.concatenate([places, wanted])
    _, numbers = np.unique(both, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    table = np.zeros(int(numbers.max(initial=-1)) + 1, values.dtype)
    table[numbers[: len(places)]] = values
    return table[numbers[len(places) :]]


class CholeskyGrad(Rephrased):
    """The gradient of a Cholesky factor by the matrix."""

    l = In("T ...")  # noqa: E741
    grad = In("T ...")
    output = Out("T ...")
    T = types("f32 f64")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.l.shape, self.l.dtype)

    def expand(self) -> Any:
        return cholesky_gradient(band_part(self.l, -1, 0), self.grad)


class DisableCopyOnRead(Rephrased):
    """Nothing: what reads a variable decides whether it is copied."""

    resource = In("resource")
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def expand(self) -> tuple[()]:
        return ()


class NonDeterministicInts(Op):
    """Integers that nobody can tell, of the whole range of their dtype."""

    shape = In("shape_dtype n")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64)
    shape_dtype = INDEX
    effects = (World.DRAWS,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.possible_late(sizes.numbers(self.shape))

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dtype)

    def eager(self, np: Any) -> Any:
        shape, storage = self.shape.tolist(), self.dtype.storage
        words = np.frombuffer(urandom(int(np.prod(shape)) * storage.itemsize), storage)
        return words.reshape(shape).copy()
