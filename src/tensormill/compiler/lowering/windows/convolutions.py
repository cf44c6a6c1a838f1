"""Convolutions as calls of native/windows: the tables, the panels of filters, the margins.

Arrays are [batch, *spatial, channels], filters [*kernel, channels / groups, filters].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import gcd, prod
from typing import Any

from ....core import dtypes
from ....core.dtypes import DType
from ....ops import sizes
from ....ops.lowering import NotStatic
from ...loops.ir import FRAME, LONG, Address, Allocate, Buffer, Load, NativeCall
from ...native.windows.convolutions import LANE_BYTES, NUMBERS
from ..arrays import Array, Size, same_size
from ..emitter import Emitter
from ..reductions import reduce
from ..scalars import SCALARS, Scalar, as_number, literal, size_expression
from .axes import Axis, is_known
from .minimal_filters import convolve_minimally, gradient_minimally, suits
from .tables import item_size, size_of, strides_of, table

_HALVES = (dtypes.float16, dtypes.bfloat16)
# Sums of gradients to the filter that stand beside each other, and elements of all of them.
_MOST_PARTS = 16
_PART_ELEMENTS = 2_000_000
_ADDING_LANES = 12  # what adding up a vector's lanes takes, in its multiply-adds
_LEAST_IMAGES = 8  # that are convolved one by one
_LEAST_OF_IMAGE, _MOST_OF_IMAGE = 24, 4096  # windows of each of them
_PART_WINDOWS = 256  # windows at least whose gradients are one such sum


def convolve(builder: Emitter, x: Array, filters: Array, windows: Any) -> Array:
    """What windows see of `x`, zeros around it, times the filters."""
    dtype = _native(x.dtype)
    if dtype is not x.dtype:
        wide = convolve(builder, _cast(builder, x, dtype), _cast(builder, filters, dtype), windows)
        return _cast(builder, wide, x.dtype)
    axes = _forward_axes(windows, x.shape[1:-1])
    source = _with_margins(builder, x, windows)
    shape = convolved_shape(x, filters, windows)
    out = builder.blocks.temporary(dtype, shape)
    builder.blocks.emit(Allocate(out))
    depth, groups = filters.shape[-2], x.shape[-1] // filters.shape[-2]
    own = _per_group(filters.shape[-1], groups)

    def weight(group: Any, tap: Sequence[Any], channel: Any, lane: Any) -> Scalar:
        return filters[(*tap, channel, group * own + lane)]

    _call(builder, source, axes, out, weight, groups, depth, own)
    return builder.stored(out, dtype, shape)


def convolved_shape(x: Array, filters: Array, windows: Any) -> tuple[Size, ...]:
    """The shape of what windows see of `x`, times the filters."""
    return (x.shape[0], *windows.counts(x.shape[1:-1]), filters.shape[-1])


def convolve_back(
    builder: Emitter, dy: Array, filters: Array, windows: Any, shape: Sequence[Size]
) -> Array:
    """The transpose of `convolve`: an array of `shape` from one of its results.

    With strides, elements of the result that are so far apart see the same part of the kernel:
    for each such phase it is a convolution without strides.
    """
    dtype = _native(dy.dtype)
    if dtype is not dy.dtype:
        operands = _cast(builder, dy, dtype), _cast(builder, filters, dtype)
        return _cast(builder, convolve_back(builder, *operands, windows, shape), dy.dtype)
    shape = tuple(shape)
    depth = filters.shape[-2]
    groups = shape[-1] // depth
    own = _per_group(dy.shape[-1], groups)
    befores = windows.befores(builder, shape[1:-1])
    source, margins = _with_room(builder, dy, windows, shape[1:-1], befores)
    out = builder.blocks.temporary(dtype, shape)
    builder.blocks.emit(Allocate(out))

    def weight(group: Any, tap: Sequence[Any], channel: Any, lane: Any) -> Scalar:
        return filters[(*tap, lane, group * own + channel)]

    for phase in product(*map(range, windows.strides)):
        axes = [
            _phase_axis(windows, axis, phase[axis], size, befores[axis], margins[axis])
            for axis, size in enumerate(shape[1:-1])
        ]
        _call(builder, source, axes, out, weight, groups, own, depth)
    return builder.stored(out, dtype, shape)


def filter_gradient(
    builder: Emitter, x: Array, dy: Array, windows: Any, shape: Sequence[Size]
) -> Array:
    """For every element of a filter of `shape`: the sum over all windows of what it met."""
    dtype = _native(x.dtype)
    if dtype is not x.dtype:
        operands = _cast(builder, x, dtype), _cast(builder, dy, dtype)
        return _cast(builder, filter_gradient(builder, *operands, windows, shape), x.dtype)
    shape = tuple(shape)
    axes = _forward_axes(windows, x.shape[1:-1])
    source = _with_margins(builder, x, windows)
    gradient, befores = _where_it_lies(builder, dy)
    pixels = _pixel_table(builder, source, axes)
    whole = [Axis(size, 1, origin=low) for size, low in zip(dy.shape[1:-1], befores, strict=True)]
    places = _pixel_table(builder, gradient, whole)
    rows = _row_table(builder, source, axes, shape[-2])
    count, elements = builder.count(dy.shape[:-1]), builder.count(shape)
    parts = _part_count(builder, count, elements)
    sums = builder.blocks.temporary(dtype, (parts, *shape))
    builder.blocks.emit(Allocate(sums))
    groups = x.shape[-1] // shape[-2]
    own = _per_group(shape[-1], groups)
    buffers = (source, gradient, sums, pixels, places, rows)
    numbers = (count, builder.count(shape[:-1]), own, groups, _bytes(shape[-2], dtype), parts)
    run = _run(axes, groups, shape[-2])
    if isinstance(own, int) and own * 2 <= (lanes := _lanes(dtype)) and _at_least(run, lanes):
        _emit(builder, "tm_filter_few", dtype, buffers, (*numbers, run))
    elif suits(axes, groups, shape[-2], own, dtype):
        gradient_minimally(builder, axes, befores, buffers, numbers)
    else:
        _emit(builder, "tm_filter_gradient", dtype, buffers, numbers)
    stored = builder.stored(sums, dtype, (parts, *shape))
    return _sum_of_parts(builder, stored, count)


# ---------------------------------------------------------------- axes


def _forward_axes(windows: Any, dims: Sequence[Size]) -> list[Axis]:
    return [
        Axis(count, windows.kernel[k], windows.strides[k], windows.dilations[k])
        for k, count in enumerate(windows.counts(dims))
    ]


def _phase_axis(windows: Any, axis: int, phase: int, size: Size, before: Size, low: int) -> Axis:
    """Elements h with (h + before) % stride == phase: each meets the same taps of the kernel."""
    kernel, stride = windows.kernel[axis], windows.strides[axis]
    dilation = windows.dilations[axis]
    met = [tap for tap in range(kernel) if (phase - tap * dilation) % stride == 0]
    first = (phase - before) % stride
    count = (size - first + stride - 1) // stride
    # The window of tap 0 begins here, and that of the last tap is the first in memory.
    start = (first + before - phase) // stride + low
    last = met[-1] if met else 0
    step = stride // gcd(stride, dilation)
    origin = start + (phase - last * dilation) // stride
    tap_step = step * dilation // stride
    return Axis(count, len(met), 1, tap_step, origin, first, stride, last, -step)


# ---------------------------------------------------------------- memory with margins


def _with_margins(builder: Emitter, x: Array, windows: Any) -> Buffer:
    """`x` in memory, with zeros wherever windows look beyond it."""
    dims = x.shape[1:-1]
    befores = windows.befores(builder, dims)
    if windows.padding == "VALID" or all(map(_needs_none, windows.kernel, befores)):
        return builder.force(x)
    extents: list[Size] = []
    for axis, (count, size) in enumerate(zip(windows.counts(dims), dims, strict=True)):
        seen = (count - 1) * windows.strides[axis] + windows.reach(axis)
        extents.append(sizes.maximum(builder, befores[axis] + size, seen))
    return _padded(builder, x, befores, extents)


def _needs_none(kernel: Size, before: Size) -> bool:
    return is_known(kernel, 1) and is_known(before, 0)


def _with_room(
    builder: Emitter, dy: Array, windows: Any, dims: Sequence[Size], befores: Sequence[Size]
) -> tuple[Buffer, list[int]]:
    """`dy` in memory with zeros where no window was, and how many come before each axis."""
    if not sizes.all_static(*windows.kernel):
        raise NotStatic("the sizes of the kernel are only known at run time")
    lows = [windows.reach(axis) - 1 for axis in range(len(dims))]
    lows = [low // stride for low, stride in zip(lows, windows.strides, strict=True)]
    extents: list[Size] = []
    for axis, (size, count) in enumerate(zip(dims, dy.shape[1:-1], strict=True)):
        last = (size - 1 + befores[axis]) // windows.strides[axis] + 1
        extents.append(lows[axis] + sizes.maximum(builder, count, last))
    if not any(lows) and all(map(same_size, extents, dy.shape[1:-1])):
        return builder.force(dy), lows
    return _padded(builder, dy, lows, extents), lows


def _padded(builder: Emitter, x: Array, befores: Sequence[Size], extents: Sequence[Size]) -> Buffer:
    """`x` in memory with zeros before and after it on every spatial axis.

    What is computed there first is read there by all: gradients ask for what convolutions asked
    for. (What has memory of its own stays there. To read it elsewhere, too, made a ResNet's loops
    no quicker, and LLVM takes half as long again for them.)
    """
    if x.element is None or not sizes.all_static(*befores, *extents):
        return _with_zeros(builder, x, befores, extents)
    margins = (tuple(befores), tuple(extents))
    if (found := x.padded.get(margins)) is not None:
        return found
    buffer = _with_zeros(builder, x, befores, extents)

    def within(*index: Any) -> Scalar:
        place = [one + low for one, low in zip(index[1:-1], befores, strict=True)]
        inside = (size_expression(one) for one in (index[0], *place, index[-1]))
        return Scalar(Load(buffer, tuple(inside)), x.dtype)

    x.become_part(margins, buffer, within)
    return buffer


def _where_it_lies(builder: Emitter, x: Array) -> tuple[Buffer, Sequence[Size]]:
    """`x` in memory, perhaps with margins: how much comes before each spatial axis."""
    if x.buffer is None and x.padded:
        (befores, _), buffer = next(iter(x.padded.items()))
        return buffer, befores
    return builder.force(x), (0,) * (x.rank - 2)


def _with_zeros(
    builder: Emitter, x: Array, befores: Sequence[Size], extents: Sequence[Size]
) -> Buffer:
    zero, last = literal(0, x.dtype), literal(0, dtypes.int64)

    def element(*index: Any) -> Scalar:
        inside: Any = None
        place = list(index)
        for axis, (before, size) in enumerate(zip(befores, x.shape[1:-1], strict=True), 1):
            if same_size(extents[axis - 1], size):
                continue
            own = index[axis] - before
            fits = (own >= 0) & (own < size)
            inside = fits if inside is None else inside & fits
            place[axis] = SCALARS.maximum(SCALARS.minimum(own, as_number(size - 1)), last)
        return x[place] if inside is None else SCALARS.where(inside, x[place], zero)

    shape = (x.shape[0], *extents, x.shape[-1])
    return builder.force(builder.view(shape, x.dtype, element))


# ---------------------------------------------------------------- tables


def _pixel_table(
    builder: Emitter, source: Buffer, axes: Sequence[Axis], whole: bool = True
) -> Buffer:
    """For every window: at which byte of `source`, or of an image in it, it begins."""
    starts = [(axis.origin, axis.step) for axis in axes]
    return _table(builder, source, axes, starts, whole)


def _place_table(builder: Emitter, out: Buffer, axes: Sequence[Axis], whole: bool = True) -> Buffer:
    """For every window: at which byte of `out`, or of an image in it, its result goes."""
    starts = [(axis.place, axis.place_step) for axis in axes]
    return _table(builder, out, axes, starts, whole)


def _table(
    builder: Emitter,
    buffer: Buffer,
    axes: Sequence[Axis],
    starts: Sequence[tuple[Size, int]],
    whole: bool,
) -> Buffer:
    """`whole`: for the windows of every image, else of one."""
    strides, size = strides_of(builder, buffer), item_size(buffer)
    if whole:
        return table(builder, _windows_of(buffer, axes), strides, [(0, 1), *starts], size)
    return table(builder, _shape_of(axes), strides[1:], starts, size)


def _windows_of(buffer: Buffer, axes: Sequence[Axis]) -> tuple[Size, ...]:
    return (size_of(buffer, 0), *_shape_of(axes))


def _shape_of(axes: Sequence[Axis]) -> tuple[Size, ...]:
    """Of the windows of an image."""
    return tuple([axis.windows for axis in axes])


def _tap_table(builder: Emitter, source: Buffer, axes: Sequence[Axis], merged: bool) -> Buffer:
    """How many bytes after a window's beginning the rows lie that it looks at."""
    used = axes[:-1] if merged else axes
    strides = strides_of(builder, source)[1:]
    starts: list[tuple[Size, int]] = [(0, axis.tap_step) for axis in used]
    if not used:
        return table(builder, (1,), (0,), [(0, 1)], 1)
    return table(builder, [axis.taps for axis in used], strides, starts, item_size(source))


def _row_table(builder: Emitter, source: Buffer, axes: Sequence[Axis], depth: Size) -> Buffer:
    """The same for every number that a window looks at."""
    strides = [*strides_of(builder, source)[1:-1], 1]
    starts: list[tuple[Size, int]] = [*((0, axis.tap_step) for axis in axes), (0, 1)]
    shape = [*(axis.taps for axis in axes), depth]
    return table(builder, shape, strides, starts, item_size(source))


# ---------------------------------------------------------------- calls

Weight = Callable[[Any, Sequence[Any], Any, Any], Scalar]


def _call(
    builder: Emitter,
    source: Buffer,
    axes: Sequence[Axis],
    out: Buffer,
    weight: Weight,
    groups: Size,
    depth: Size,
    filters: Size,
) -> None:
    """Convolve `source` into `out`; `depth` and `filters` are those of one group."""
    dtype = dtypes.BY_SHORT[out.type]
    merged, run = _is_merged(axes, groups), _run(axes, groups, depth)
    few = _are_few(filters, [axis.taps for axis in (axes[:-1] if merged else axes)], run, dtype)
    arranged = _one_by_one if few else _panels
    factors = arranged(builder, axes, weight, (groups, depth, filters), dtype)
    taps = _tap_table(builder, source, axes, merged)
    tap_count = builder.count([axis.taps for axis in (axes[:-1] if merged else axes)])
    numbers = (tap_count, run, filters, groups, _bytes(depth, dtype))
    name = "tm_convolve_few" if few else "tm_convolve"
    is_minimal = not few and suits(axes, groups, depth, filters, dtype)
    if not is_minimal and _is_worth_a_loop(size_of(source, 0), axes):
        _image_by_image(builder, f"{name}_image", axes, (source, factors, out, taps), numbers)
        return
    pixels, places = _pixel_table(builder, source, axes), _place_table(builder, out, axes)
    buffers = (source, factors, out, pixels, places, taps)
    count = builder.count(_windows_of(out, axes))
    if is_minimal:
        convolve_minimally(builder, axes, buffers, (count, *numbers))
    else:
        _emit(builder, name, dtype, buffers, (count, *numbers))


def _is_worth_a_loop(images: Size, axes: Sequence[Axis]) -> bool:
    """Whether images are convolved one by one, in a loop that others join: what is done with one
    before and after then finds it in the cache, and the same thread does it.

    There must be enough of them for threads, and enough windows of each.
    """
    if isinstance(images, int) and images < _LEAST_IMAGES:
        return False
    windows = [axis.windows for axis in axes if isinstance(axis.windows, int)]
    return len(windows) == len(axes) and _LEAST_OF_IMAGE <= prod(windows) <= _MOST_OF_IMAGE


def _image_by_image(
    builder: Emitter,
    function: str,
    axes: Sequence[Axis],
    buffers: Sequence[Buffer],
    numbers: Sequence[Size],
) -> None:
    """A call for each image, whose windows begin at the same places of it."""
    source, factors, out, taps = buffers
    pixels = _pixel_table(builder, source, axes, whole=False)
    places = _place_table(builder, out, axes, whole=False)
    given = [size_expression(one) for one in (builder.count(_shape_of(axes)), *numbers)]

    def convolve_one(image: Scalar) -> None:
        place = (size_expression(image),)
        addresses = Address(source, place), Address(factors), Address(out, place)
        tables = map(Address, (pixels, places, taps))
        call = NativeCall(
            f"{function}_{out.type}", (FRAME, *addresses, *tables, *given), None,
            (source, factors, pixels, places, taps), (out,), pure=True, work=LONG,
        )  # fmt: skip
        builder.blocks.emit(call)

    builder.nest((size_of(source, 0),), convolve_one)


def _is_merged(axes: Sequence[Axis], groups: Size) -> bool:
    """Whether what a window sees along the last axis lies side by side: it is one row then."""
    return is_known(groups, 1) and axes[-1].tap_step == 1


def _run(axes: Sequence[Axis], groups: Size, depth: Size) -> Size:
    """How many numbers lie side by side in what a window sees."""
    return axes[-1].taps * depth if _is_merged(axes, groups) else depth


def _are_few(filters: Size, taps: Sequence[Size], run: Size, dtype: DType) -> bool:
    """Whether vectors of what windows see take less time than vectors of `filters`.

    What is left of a run is multiplied number by number.
    """
    lanes, known = _lanes(dtype), [one for one in taps if isinstance(one, int)]
    if not isinstance(filters, int) or not isinstance(run, int) or len(known) < len(taps):
        return False
    of_a_filter = prod(known) * (run // lanes + run % lanes) + _ADDING_LANES
    return run >= lanes and filters * of_a_filter < prod(known) * run


def _lanes(dtype: DType) -> int:
    return LANE_BYTES // dtype.storage.itemsize


def _at_least(size: Size, least: int) -> bool:
    return isinstance(size, int) and size >= least


def _panels(
    builder: Emitter,
    axes: Sequence[Axis],
    weight: Weight,
    counts: tuple[Size, Size, Size],
    dtype: DType,
) -> Buffer:
    """The filters in blocks of 64 bytes: [groups, blocks, *taps, depth, lanes]."""
    groups, depth, filters = counts
    lanes = _lanes(dtype)
    whole = sizes.all_static(filters) and filters % lanes == 0

    def element(group: Any, block: Any, *rest: Any) -> Scalar:
        *tap, channel, lane = rest
        filter: Any = block * lanes + lane
        if not whole:  # beyond the last filter: any numbers, whose sums nobody stores
            filter = SCALARS.minimum(filter, as_number(filters - 1))
        return weight(group, _weights_at(axes, tap), channel, filter)

    blocks = (filters + lanes - 1) // lanes
    shape = (groups, blocks, *(axis.taps for axis in axes), depth, lanes)
    return builder.force(builder.view(shape, dtype, element))


def _one_by_one(
    builder: Emitter,
    axes: Sequence[Axis],
    weight: Weight,
    counts: tuple[Size, Size, Size],
    dtype: DType,
) -> Buffer:
    """The filters one after another: [groups, filters, *taps, depth]."""
    groups, depth, filters = counts

    def element(group: Any, filter: Any, *rest: Any) -> Scalar:
        *tap, channel = rest
        return weight(group, _weights_at(axes, tap), channel, filter)

    shape = (groups, filters, *(axis.taps for axis in axes), depth)
    return builder.force(builder.view(shape, dtype, element))


def _weights_at(axes: Sequence[Axis], taps: Sequence[Any]) -> list[Any]:
    """Where in the kernel what `taps` say is."""
    return [
        one * axis.weight_step + axis.first_weight for one, axis in zip(taps, axes, strict=True)
    ]


def _emit(
    builder: Emitter,
    function: str,
    dtype: DType,
    buffers: Sequence[Buffer],
    numbers: Sequence[Size],
) -> None:
    """A call whose third buffer is written."""
    arguments = [FRAME, *map(Address, buffers), *map(size_expression, numbers)]
    reads = tuple(one for number, one in enumerate(buffers) if number != 2)
    call = NativeCall(
        f"{function}_{dtype.short}", tuple(arguments), None, reads, (buffers[2],), work=LONG
    )
    builder.blocks.emit(call)


# ---------------------------------------------------------------- sums of parts


def _part_count(builder: Emitter, count: Size, elements: Size) -> Size:
    """In how many sums the windows are taken: the same for any number of threads."""
    most = _MOST_PARTS
    if isinstance(elements, int):
        most = min(most, max(1, _PART_ELEMENTS // max(elements, 1)))
    return sizes.clamp(builder, count // _PART_WINDOWS, 1, most)


def _sum_of_parts(builder: Emitter, parts: Array, count: Size) -> Array:
    shape = parts.shape[1:]
    zero = literal(0, parts.dtype)

    def element(outer: Sequence[Any], inner: Sequence[Any]) -> Scalar:
        value = parts[(*inner, *outer)]
        if isinstance(count, int):
            return value if count else zero
        return SCALARS.where(count > 0, value, zero)

    if is_known(parts.shape[0], 1):
        return builder.view(shape, parts.dtype, lambda *index: element(index, (0,)))
    return reduce(builder, "sum", tuple(shape), parts.shape[:1], parts.dtype, element)


# ---------------------------------------------------------------- numbers


def _native(dtype: DType) -> DType:
    """In which dtype it is computed.

    Raises:
        NotStatic: in none; Python does it then.
    """
    if dtype in _HALVES:
        return dtypes.float32
    if dtype.short not in NUMBERS:
        raise NotStatic(f"there are no convolutions of {dtype.name} in machine code")
    return dtype


def _cast(builder: Emitter, x: Array, dtype: DType) -> Array:
    return builder.map(x.shape, dtype, lambda *index: SCALARS.cast(x[index], dtype))


def _per_group(filters: Size, groups: Size) -> Size:
    return filters if is_known(groups, 1) else filters // groups


def _bytes(count: Size, dtype: DType) -> Size:
    return count * dtype.storage.itemsize
