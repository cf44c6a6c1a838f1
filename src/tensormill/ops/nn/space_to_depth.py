"""Blocks of space moved into channels or into the batch, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import stack
from ..array.fill import zeros
from ..array.shapes import shape_of
from ..bind import bind
from ..checks.assertions import require_equal
from ..conversion import as_tensor, static_value
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, Attr, In, Op, Out, as_eager, usually
from .depthwise_convolution import inside_or
from .windows import (
    channels_back,
    channels_last,
    is_channels_first,
    moved_back,
    moved_last,
    viewed_back,
    viewed_last,
)


class SquareBlocks(Op, abstract=True):
    """Square blocks of `block_size` elements, of images."""

    input = In("T ...")
    output = Out("T ...")
    block_size = Attr(int)
    data_format = Attr("NHWC", "NHWC NCHW NCHW_VECT_C")
    T = ANY

    def demands(self, sizes: Any) -> tuple[Any, ...]:
        """The shape of the result with channels last."""
        if self.block_size < 2:
            refuse(ShapeMismatchError, SMALL_BLOCK, self.name, self.block_size)
        shape = sizes.shape(self.input, 4)
        if len(shape) != 4:
            refuse(ShapeMismatchError, WRONG_RANK, self.name, len(shape))
        return self.moved(sizes, *channels_last(shape, self.data_format))

    def moved(self, sizes: Any, n: Any, height: Any, width: Any, c: Any) -> tuple[Any, ...]:
        """The shape that the blocks of an image of this shape make."""
        raise TypeError(f"{self.name} does not say what it makes")

    def divided(self, sizes: Any, size: Any, by: int, what: str) -> Any:
        """A size divided, which is a multiple."""
        sizes.require(size % by == 0, ShapeMismatchError, NO_MULTIPLE, self.name, what, size, by)
        return size // by

    def infer(self) -> TensorSpec:
        return TensorSpec(dims(channels_back(self.found, self.data_format)), self.input.dtype)


SMALL_BLOCK = "{}: Block size should be > 1, but was: {}"
WRONG_RANK = "{}: Input rank should be: 4 instead of: {} (Shape must be rank 4)"
NO_MULTIPLE = "{}: {} {} should be divisible by: {} (Dimension size)"


class SpaceToDepth(SquareBlocks):
    """Every block of space as channels of one element."""

    xla = as_eager

    def moved(self, sizes: Any, n: Any, height: Any, width: Any, c: Any) -> tuple[Any, ...]:
        b = self.block_size
        rows = self.divided(sizes, height, b, "Image height")
        columns = self.divided(sizes, width, b, "Image width")
        return n, rows, columns, c * b * b

    def eager(self, np: Any) -> Any:
        b, shape = self.block_size, self.found
        x = moved_last(np, self.input, self.data_format)
        n, rows, columns, _ = shape
        split = x.reshape(n, rows, b, columns, b, x.shape[3]).transpose(0, 1, 3, 2, 4, 5)
        return moved_back(np, split.reshape(shape), self.data_format)

    def lower(self, loops: Any) -> Any:
        b, shape = self.block_size, self.found
        x = viewed_last(loops, self.input, self.data_format)
        depth = x.shape[3]

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            place = c // depth
            return x[(n, i * b + place // b, j * b + place % b, c % depth)]

        return viewed_back(loops, loops.view(shape, x.dtype, element), self.data_format)

    def vjp(self, doutput: Any) -> Any:
        return bind(DepthToSpace, doutput, **self.attr_values())


class DepthToSpace(SquareBlocks):
    """The channels of every element as a block of space."""

    xla = as_eager

    def moved(self, sizes: Any, n: Any, height: Any, width: Any, c: Any) -> tuple[Any, ...]:
        b = self.block_size
        depth = self.divided(sizes, c, b * b, "Input depth dimension")
        return n, height * b, width * b, depth

    def eager(self, np: Any) -> Any:
        b, shape = self.block_size, self.found
        x = moved_last(np, self.input, self.data_format)
        split = x.reshape(*x.shape[:3], b, b, shape[3]).transpose(0, 1, 3, 2, 4, 5)
        return moved_back(np, split.reshape(shape), self.data_format)

    def lower(self, loops: Any) -> Any:
        b, shape = self.block_size, self.found
        x = viewed_last(loops, self.input, self.data_format)

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            return x[(n, i // b, j // b, ((i % b) * b + j % b) * shape[3] + c)]

        return viewed_back(loops, loops.view(shape, x.dtype, element), self.data_format)

    def vjp(self, doutput: Any) -> Any:
        return bind(SpaceToDepth, doutput, **self.attr_values())


@dispatchable
def space_to_depth(
    input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """Every block of `block_size`² elements of an image as channels of one element.

    input: any dtype, [n, height, width, channels] (or [n, channels, height, width] with "NCHW");
    with block size b the result is [n, height / b, width / b, b² channels].

    >>> tf.nn.space_to_depth(tf.reshape(tf.range(8), [1, 2, 4, 1]), 2)[0].numpy()
    array([[[0, 1, 4, 5],
            [2, 3, 6, 7]]], dtype=int32)

    Raises:
        ShapeMismatchError: the rank is not 4, `block_size` is below 2 or does not divide the sizes.
    """
    return bind(SpaceToDepth, input, block_size=block_size, data_format=data_format, name=name)


@dispatchable
def depth_to_space(
    input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """The channels of every element as a block of `block_size`² elements: undoes `space_to_depth`.

    input: any dtype, [n, height, width, channels] (or [n, channels, height, width] with "NCHW");
    with block size b the result is [n, b height, b width, channels / b²].

    >>> x = tf.reshape([0, 1, 4, 5, 2, 3, 6, 7], [1, 1, 2, 4])
    >>> tf.nn.depth_to_space(x, 2)[0, :, :, 0].numpy()
    array([[0, 1, 2, 3],
           [4, 5, 6, 7]], dtype=int32)

    Raises:
        ShapeMismatchError: the rank is not 4, `block_size` is below 2 or its square does not divide
            the channels.
    """
    return bind(DepthToSpace, input, block_size=block_size, data_format=data_format, name=name)


# ---------------------------------------------------------------- the batch


class SpaceToBatchND(Op):
    """Every place in blocks of `block_shape`, of the padded spatial axes, as a batch of its own."""

    input = In("T ...")
    block_shape = In("Tblock_shape m")
    paddings = In("Tpaddings m 2")
    output = Out("T ...")
    T = ANY
    Tblock_shape = INDEX
    Tpaddings = INDEX
    usual = usually(Tblock_shape="i32", Tpaddings="i32")
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The blocks, the paddings, and the shape of the result."""
        shape, blocks, margins = blocks_of(sizes, self, self.paddings)
        batch, *result = shape
        for k, (block, (before, after)) in enumerate(zip(blocks, margins, strict=True)):
            batch, padded = batch * block, result[k] + before + after
            fits = padded % block == 0
            sizes.require(fits, ShapeMismatchError, INDIVISIBLE, k, padded, block, self.name)
            result[k] = padded // block
        return blocks, margins, (batch, *result)

    def infer(self) -> TensorSpec:
        return moved_spec(self)

    def eager(self, np: Any) -> Any:
        x, (blocks, margins, shape) = self.input, self.found
        rest = x.ndim - 1 - len(blocks)
        padded = np.pad(x, [(0, 0), *margins, *[(0, 0)] * rest])
        split = [x.shape[0]]
        for axis, block in enumerate(blocks, 1):
            split += [padded.shape[axis] // block, block]
        many = len(blocks)
        order = [
            *(2 * k + 2 for k in range(many)), 0, *(2 * k + 1 for k in range(many)),
            *range(2 * many + 1, 2 * many + 1 + rest),
        ]  # fmt: skip
        return padded.reshape(*split, *x.shape[1 + many :]).transpose(order).reshape(shape)

    def lower(self, loops: Any) -> Any:
        x, (blocks, margins, shape) = self.input, self.found
        befores = [before for before, _ in margins]
        befores += [0] * (x.rank - 2 - len(befores))
        images = x.shape[0]

        def element(n: Any, *rest: Any) -> Any:
            place, number = list(rest), n // images
            for axis in reversed(range(len(blocks))):
                place[axis] = place[axis] * blocks[axis] + number % blocks[axis]
                number = number // blocks[axis]
            if not any(map(any, margins)):
                return x[(n % images, *place)]
            if x.rank == 2:
                place = [*place, 0]
                wide = loops.reshape(x, (*x.shape, 1))
                zero = loops.constant(0, x.dtype)
                return inside_or(loops, wide, (n % images, *place), befores or [0], zero)
            return inside_or(loops, x, (n % images, *place), befores, loops.constant(0, x.dtype))

        return loops.view(shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(BatchToSpaceND, doutput, self.block_shape, self.paddings), None, None


class BatchToSpaceND(Op):
    """The inverse of SpaceToBatchND; `crops` are taken off the spatial axes."""

    input = In("T ...")
    block_shape = In("Tblock_shape m")
    crops = In("Tcrops m 2")
    output = Out("T ...")
    T = ANY
    Tblock_shape = INDEX
    Tcrops = INDEX
    usual = usually(Tblock_shape="i32", Tcrops="i32")
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The blocks, the crops, and the shape of the result."""
        shape, blocks, margins = blocks_of(sizes, self, self.crops)
        (batch, *result), count = shape, int(numpy_module.prod(blocks))
        message = "{}: Input batch dimension {} is not divisible by {}"
        sizes.require(batch % count == 0, ShapeMismatchError, message, self.name, batch, count)
        message = "{}: cropped size {} of an axis must not be negative"
        for k, (block, (before, after)) in enumerate(zip(blocks, margins, strict=True)):
            result[k] = result[k] * block - before - after
            sizes.require(result[k] >= 0, ShapeMismatchError, message, self.name, result[k])
        return blocks, margins, (batch // count, *result)

    def infer(self) -> TensorSpec:
        return moved_spec(self)

    def eager(self, np: Any) -> Any:
        x, (blocks, crops, shape) = self.input, self.found
        many = len(blocks)
        split = x.reshape(*blocks, shape[0], *x.shape[1:])
        order = [many]
        for axis in range(many):
            order += [many + 1 + axis, axis]
        order += range(2 * many + 1, split.ndim)
        full = [x.shape[k + 1] * block for k, block in enumerate(blocks)]
        whole = split.transpose(order).reshape(shape[0], *full, *x.shape[many + 1 :])
        inner = (
            slice(before, size - after) for (before, after), size in zip(crops, full, strict=True)
        )
        return whole[(slice(None), *inner)]

    def lower(self, loops: Any) -> Any:
        x, (blocks, crops, shape) = self.input, self.found

        def element(n: Any, *rest: Any) -> Any:
            place, number = list(rest), 0
            for axis, (block, (before, _)) in enumerate(zip(blocks, crops, strict=True)):
                own = rest[axis] + before
                place[axis] = own // block
                number = number * block + own % block
            return x[(number * shape[0] + n, *place)]

        return loops.view(shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(SpaceToBatchND, doutput, self.block_shape, self.crops), None, None


def moved_spec(op: Any) -> TensorSpec:
    """The spec of either operation."""
    given = op.input.shape.entries
    if op.found is not None:
        return TensorSpec(dims(op.found[-1]), op.input.dtype)
    if given is None:
        return TensorSpec(None, op.input.dtype)
    many = op.block_shape.shape.entries[0] if op.block_shape.shape.entries else None
    kept = () if many is None or op.block_shape.value is not None else given[1 + many :]
    unknown = (None,) * (len(given) - len(kept))
    return TensorSpec((*unknown, *kept), op.input.dtype)


def blocks_of(sizes: Any, op: Any, margins: Any) -> Any:
    """The shape of the input, the blocks and the margins, which fit the rank and are possible."""
    blocks, pairs = sizes.static(op.block_shape), sizes.static(margins)
    shape, name, many = sizes.shape(op.input), op.name, len(blocks)
    if len(pairs) != many:
        refuse(ShapeMismatchError, NO_PAIRS, name, many, str(pairs))
    if len(shape) < 1 + many:
        message = "{}: input rank should be >= {} instead of {}"
        refuse(ShapeMismatchError, message, name, 1 + many, len(shape))
    if any(block < 1 for block in blocks):
        message = "{}: All values in block_shape must be positive: {}"
        refuse(InvalidArgumentError, message, name, tuple(blocks))
    if any(value < 0 for pair in pairs for value in pair):
        message = "{}: Paddings and crops must be non-negative: {}"
        refuse(InvalidArgumentError, message, name, str(pairs))
    return shape, blocks, pairs


class SpaceToBatch(Op):
    """SpaceToBatchND of images, in square blocks."""

    input = In("T n h w depth")
    paddings = In("Tpaddings two 2")
    output = Out("T ...")
    block_size = Attr(int)
    T = ANY
    Tpaddings = INDEX

    def demands(self, sizes: Any) -> None:
        demand_block(self)

    def infer(self) -> TensorSpec:
        depth = self.input.shape.entries and self.input.shape.entries[3]
        return TensorSpec((None, None, None, depth), self.input.dtype)

    def expand(self) -> Any:
        return bind(SpaceToBatchND, self.input, [self.block_size] * 2, self.paddings)


class BatchToSpace(Op):
    """BatchToSpaceND of images, in square blocks."""

    input = In("T n h w depth")
    crops = In("Tidx two 2")
    output = Out("T ...")
    block_size = Attr(int)
    T = ANY
    Tidx = INDEX

    def demands(self, sizes: Any) -> None:
        demand_block(self)

    def infer(self) -> TensorSpec:
        depth = self.input.shape.entries and self.input.shape.entries[3]
        return TensorSpec((None, None, None, depth), self.input.dtype)

    def expand(self) -> Any:
        return bind(BatchToSpaceND, self.input, [self.block_size] * 2, self.crops)


def demand_block(op: Any) -> None:
    if op.block_size < 2:
        refuse(InvalidArgumentError, NO_BLOCK, op.name, op.block_size)


NO_BLOCK = "{}: block_size must be at least 2, got {}"
INDIVISIBLE = "padded_shape[{}]={} is not divisible by block_shape={} ({})"
NO_PAIRS = "{}: paddings or crops should be [{}, 2], a pair for each axis of block_shape: {}"


@dispatchable
def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Every place in blocks of `block_shape` of the (padded) spatial axes as a batch of its own.

    input: any dtype, [n, *spatial, *rest]. block_shape: a size b for each spatial axis; paddings: a
    pair (before, after) each, of zeros. The result is [n * product of b, *(padded spatial / b),
    *rest].

    >>> tf.space_to_batch([[1, 2, 3, 4, 5]], block_shape=[2], paddings=[[0, 1]]).numpy()
    array([[1, 3, 5],
           [2, 4, 0]], dtype=int32)

    Raises:
        ShapeMismatchError: the arguments do not go together, or a block does not divide its axis.
        InvalidArgumentError: a block is below 1, or a padding below 0.
    """
    return bind(SpaceToBatchND, input, block_shape, paddings, name=name)


@dispatchable
def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """The inverse of `space_to_batch`; `crops` are taken off the spatial axes.

    input: any dtype, [n, *spatial, *rest]. block_shape: a size b for each spatial axis; crops: a
    pair (before, after) each. The result is [n / product of b, *(b spatial - crops), *rest].

    >>> tf.batch_to_space([[1, 3, 5], [2, 4, 0]], block_shape=[2], crops=[[0, 1]]).numpy()
    array([[1, 2, 3, 4, 5]], dtype=int32)

    Raises:
        ShapeMismatchError: the arguments do not go together, the blocks do not divide n, or more is
            cropped than there is.
        InvalidArgumentError: a block is below 1, or a crop below 0.
    """
    return bind(BatchToSpaceND, input, block_shape, crops, name=name)


def _demand_axes(size: Any, block: Any, base: Any) -> None:
    """Refuse numbers that are not [m], [m] and [m, 2] integers.

    Raises:
        TypeError: there are floats or strings.
        ValueError: the shapes are others.
    """
    kinds = [one.dtype.kind for one in (size, block, base)]
    if not {*kinds} <= set("iu"):
        raise TypeError("sizes, blocks and paddings are integers; others are given")
    shapes = [one.shape for one in (size, block, base)]
    if block.ndim != 1 or shapes != [block.shape, block.shape, (block.size, 2)]:
        raise ValueError(f"shapes [m], [m] and [m, 2] are wanted, got {shapes}")


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """The paddings that make axes multiples of `block_shape`, and the crops that undo them.

    input_shape, block_shape: integers [m]. base_paddings: [m, 2], what is to be padded in any case;
    the crops leave this. Both results are [m, 2].

    >>> paddings, crops = tf.required_space_to_batch_paddings([5], [2], base_paddings=[[1, 1]])
    >>> paddings.numpy(), crops.numpy()
    (array([[1, 2]], dtype=int32), array([[0, 1]], dtype=int32))

    Raises:
        ValueError: the shapes are not [m], [m] and [m, 2].
        TypeError: an operand are not integers.
    """
    input_shape, block_shape = as_tensor(input_shape), as_tensor(block_shape)
    if base_paddings is not None:
        base_paddings = as_tensor(base_paddings)
    size, block = static_value(input_shape), static_value(block_shape)
    base = None if base_paddings is None else static_value(base_paddings)
    if size is not None and block is not None and (base_paddings is None or base is not None):
        base = numpy_module.zeros((block.size, 2), block.dtype) if base is None else base
        _demand_axes(size, block, base)
        before, after = base[:, 0], base[:, 1]
        extra = -(size + before + after) % block
        zero = numpy_module.zeros_like(extra)
        pads, crops = (
            numpy_module.stack([before, after + extra], 1),
            numpy_module.stack([zero, extra], 1),
        )
        return as_tensor(pads, dtypes.int32), as_tensor(crops, dtypes.int32)
    shapes = [one.shape for one in (input_shape, block_shape)]
    if not all(one.is_compatible_with([None]) for one in shapes):
        raise ValueError(f"shapes [m], [m] and [m, 2] are wanted, got {shapes}")
    many = shape_of(block_shape)
    if base_paddings is None:
        given = zeros(stack([many[0], 2]), dtypes.int32)
    else:
        given = base_paddings
        require_equal(shape_of(given), stack([many[0], 2]), "paddings are not [m, 2], of m blocks")
    require_equal(shape_of(input_shape), many, "sizes and blocks are not equally many")
    before, after = given[:, 0], given[:, 1]
    extra = (-(input_shape + before + after)) % block_shape
    return stack([before, after + extra], 1), stack([extra - extra, extra], 1)


@dispatchable
def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: str,
    op: Callable[..., Any],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Any:
    """`op` with dilated windows, by moving every place of the dilation into the batch.

    op: called as op(x, spatial axes, padding), with "VALID" where a rate is above 1.

    input: [n, *spatial, channels] (or as `data_format` says). dilation_rate: a number for each
    spatial axis; filter_shape: the sizes of the windows of `op`, for "SAME" only.

    >>> def pairs(x, axes, padding):
    ...     return x[:, :-1] + x[:, 1:]
    >>> x = tf.reshape([1, 2, 10, 20], [1, 4, 1])
    >>> tf.nn.with_space_to_batch(x, [2], "VALID", pairs)[0, :, 0].numpy()
    array([11, 22], dtype=int32)

    Raises:
        ValueError: padding is "SAME" and there is no `filter_shape`, or neither "SAME" nor
            "VALID"; dilation_rate is no vector, or not positive; only a run knows that or it.
    """
    x, rates = as_tensor(input), _rates(dilation_rate)
    many = len(rates)
    if padding not in ("SAME", "VALID"):
        raise ValueError(f"padding must be 'SAME' or 'VALID'. Received: {padding}")
    if all(rate == 1 for rate in rates):
        return op(x, many, padding)
    if padding == "SAME" and filter_shape is None:
        raise ValueError("filter_shape must be specified for padding='SAME'")
    window = [] if filter_shape is None else _numbers("filter_shape", filter_shape)[:many]
    form = data_format or "N" + "DHW"[-many:] + "C"

    def apply(one: Any) -> Any:
        return op(one, many, "VALID")

    return dilated(x, rates, padding, apply, window, form)


def _rates(dilation_rate: Any) -> list[int]:
    rates = _numbers("dilation_rate", dilation_rate)
    if numpy_module.ndim(rates) != 1 or min(rates, default=1) < 1:
        raise ValueError(f"dilation_rate must be a vector of positive numbers. Received: {rates}")
    return rates


def _numbers(name: str, vector: Any) -> list[int]:
    known = static_value(vector)
    if known is None:
        raise ValueError(f"{name} must be numbers that tracing knows. Received: {vector}")
    return known.tolist()


def dilated(
    x: Any, rates: Any, padding: str, apply: Callable[[Any], Any], window: Any, data_format: str
) -> Any:
    """`apply`, which slides windows over neighbours, on every `rates`-th element."""
    first = 2 if is_channels_first(data_format) else 1
    many = len(rates)
    base = [[0, 0]] * many
    if padding == "SAME":
        reach = [(size - 1) * rate for size, rate in zip(window, rates, strict=True)]
        base = [[one // 2, one - one // 2] for one in reach]
    around = [1] * (first - 1)
    blocks = [*around, *rates]
    full = [*([[0, 0]] * (first - 1)), *base]
    spatial = shape_of(x)[1 : first + many]
    pads, crops = required_space_to_batch_paddings(spatial, blocks, full)
    moved = apply(space_to_batch(x, blocks, pads))
    return batch_to_space(moved, blocks, crops)
