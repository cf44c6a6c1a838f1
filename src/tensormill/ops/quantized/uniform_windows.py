"""Convolutions as XLA tells them: which axis is which, dilated images, groups of images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core import dtypes
from ...errors import InvalidArgumentError, UnimplementedError
from ..array.concatenation import concat
from ..array.fill import zeros
from ..array.padding import pad
from ..array.rearrangement import transpose
from ..array.shapes import expand_dims, reshape, shape_of, squeeze
from ..array.slicing import slice as sliced
from ..bind import bind
from ..demands import refuse
from ..math.cast import cast
from ..nn.convolution import Conv2D, Conv3D
from ..records.wire import DELIMITED, WireError, WireReader

Axes = tuple[int, ...]
RANKS = "{}: lhs of shape {} and rhs of shape {} must have the same rank"
FEW_AXES = "{}: lhs and rhs need a batch axis and one of features, got shape {}"
NO_NUMBERS = "{}: dimension_numbers are none for rank {}"
COUNT = "{}: {} must have {} numbers, got {}"
LEAST = "{}: {} must be at least {}, got {}"
PADDING = "{}: padding must be EXPLICIT, SAME or VALID, got {}"
IMPLICIT = "{}: explicit_padding must be empty where padding is not EXPLICIT, got {}"
GROUPS = "{}: {} of {} must divide {}, got {}"
FEATURES = "{}: rhs has {} input features: of the {} of lhs, each of {} groups needs as many"
TWO_GROUPS = "{}: feature_group_count or batch_group_count must be 1, got {} and {}"
MANY_AXES = "{}: 1 to 3 spatial axes are there, got {}"


@dataclass(frozen=True)
class Sweep:
    """Axes of the image, the filter (inputs, outputs) and the result, which are two and those of
    space; and how windows go over space.
    """

    image: Axes
    filter: Axes
    result: Axes
    strides: Axes
    padding: str
    paddings: Axes
    lhs_dilation: Axes
    rhs_dilation: Axes
    batch_groups: int


def read_windows(op: Any, rank: int) -> Sweep:
    """What the attributes say of operands of a rank.

    Raises:
        InvalidArgumentError: they say something else.
    """
    space = rank - 2
    image, filter_, result = _axes(op, rank)
    lists = [
        _listed(op, word, space, 1) for word in ("window_strides", "lhs_dilation", "rhs_dilation")
    ]
    if op.padding not in ("EXPLICIT", "SAME", "VALID"):
        refuse(InvalidArgumentError, PADDING, op.name, op.padding)
    paddings = tuple(op.explicit_padding)
    if op.padding == "EXPLICIT":
        _listed(op, "explicit_padding", 2 * space, 0, needed=True)
    elif paddings:
        refuse(InvalidArgumentError, IMPLICIT, op.name, paddings)
    groups = op.feature_group_count, op.batch_group_count
    for word, count in zip(("feature_group_count", "batch_group_count"), groups, strict=True):
        if count < 1:
            refuse(InvalidArgumentError, LEAST, op.name, word, 1, count)
    if min(groups) > 1:
        refuse(InvalidArgumentError, TWO_GROUPS, op.name, *groups)
    steps, inner, outer = lists
    return Sweep(
        image, filter_, result, steps, op.padding, paddings, inner, outer, op.batch_group_count
    )


def _listed(op: Any, word: str, count: int, least: int, needed: bool = False) -> Axes:
    """A list of numbers, one for each axis; none at all are as many ones."""
    said = tuple(getattr(op, word))
    if not said and not needed:
        return (1,) * count
    if len(said) != count:
        refuse(InvalidArgumentError, COUNT, op.name, word, count, said)
    if said and min(said) < least:
        refuse(InvalidArgumentError, LEAST, op.name, word, least, said)
    return said


def _axes(op: Any, rank: int) -> tuple[Axes, Axes, Axes]:
    """Batch, features and space of the image; inputs, outputs and space of the filter; the result's
    as the image's. They lie in this order (the filter's outputs first) where nothing else is said.
    """
    said = op.dimension_numbers
    space = tuple(range(2, rank))
    if not said:
        return (0, 1, *space), (1, 0, *space), (0, 1, *space)
    try:
        found = _numbers(said if isinstance(said, bytes) else said.encode())
    except (WireError, UnicodeError):
        refuse(InvalidArgumentError, NO_NUMBERS, op.name, rank)
    axes = [(*found[k : k + 2], *found[k + 2]) for k in (0, 3, 6)]  # type: ignore[index]
    for one in axes:
        if sorted(one) != list(range(rank)):
            refuse(InvalidArgumentError, NO_NUMBERS, op.name, rank)
    return tuple(axes)  # type: ignore[return-value]


def _numbers(data: bytes) -> list[Any]:
    """The fields of the message, in order: two axes and those of space, three times."""
    found: list[Any] = [0, 0, [], 0, 0, [], 0, 0, []]
    reader = WireReader(data)
    while not reader.is_done():
        field, kind = divmod(reader.number(), 8)
        if not 1 <= field <= 9:
            raise WireError
        spatial = field % 3 == 0
        if not spatial:
            found[field - 1] = reader.number()
        elif kind == DELIMITED:
            part = reader.part()
            while not part.is_done():
                found[field - 1].append(part.number())
        else:
            found[field - 1].append(reader.number())
    return found


def demand_windows(op: Any, sizes: Any) -> Sweep:
    """Images and filters that go with each other and with the groups."""
    image, filter_ = sizes.shape(op.lhs), sizes.shape(op.rhs)
    if len(image) != len(filter_):
        refuse(InvalidArgumentError, RANKS, op.name, image, filter_)
    if len(image) < 2:
        refuse(InvalidArgumentError, FEW_AXES, op.name, image)
    windows = read_windows(op, len(image))
    if not 3 <= len(image) <= 5:
        refuse(UnimplementedError, MANY_AXES, op.name, len(image) - 2)
    batch, features = (image[axis] for axis in windows.image[:2])
    inputs, outputs = (filter_[axis] for axis in windows.filter[:2])
    groups, images = op.feature_group_count, op.batch_group_count
    fits = sizes.equal(features, inputs * groups)
    sizes.require(fits, InvalidArgumentError, FEATURES, op.name, inputs, features, groups)
    for count, word, size in ((groups, "feature", outputs), (images, "batch", outputs)):
        told = GROUPS, op.name, f"{word}_group_count", count, "the output features", size
        sizes.require(sizes.equal(size % count, 0), InvalidArgumentError, *told)
    told = GROUPS, op.name, "batch_group_count", images, "the images", batch
    sizes.require(sizes.equal(batch % images, 0), InvalidArgumentError, *told)
    return windows


def shape_of_windows(op: Any) -> Any:
    """The sizes of the result that are known."""
    rank = op.lhs.shape.rank if op.rhs.shape.rank is None else op.rhs.shape.rank
    if rank is None:
        return None
    windows = read_windows(op, rank)
    image = [None] * rank if op.lhs.shape.rank is None else op.lhs.shape.as_list()
    filter_ = [None] * rank if op.rhs.shape.rank is None else op.rhs.shape.as_list()
    found: list[int | None] = [None] * rank
    batch = image[windows.image[0]]
    found[windows.result[0]] = None if batch is None else batch // windows.batch_groups
    found[windows.result[1]] = filter_[windows.filter[1]]
    for k in range(rank - 2):
        size, window = image[windows.image[k + 2]], filter_[windows.filter[k + 2]]
        if size is not None and window is not None:
            found[windows.result[k + 2]] = _size(windows, k, size, window)
    return found


def _size(windows: Sweep, k: int, size: int, window: int) -> int:
    """How many windows there are along an axis of space."""
    size = max(0, (size - 1) * windows.lhs_dilation[k] + 1)
    window = (window - 1) * windows.rhs_dilation[k] + 1
    if windows.padding == "SAME":
        return -(-size // windows.strides[k])
    if windows.padding == "EXPLICIT":
        size += windows.paddings[2 * k] + windows.paddings[2 * k + 1]
    return max(0, (size - window) // windows.strides[k] + 1)


def convolved(image: Any, filter_: Any, windows: Sweep, width: Any = None) -> Any:
    """The sums of products, int32; with a width for each image float32, by which they go."""
    rank = len(windows.image)
    image = transpose(image, [windows.image[0], *windows.image[2:], windows.image[1]])
    filter_ = transpose(filter_, [*windows.filter[2:], *windows.filter[:2]])
    image = _padded(_dilated(image, windows.lhs_dilation), windows)
    count = windows.batch_groups
    images, filters = _parts(image, 0, count), _parts(filter_, rank - 1, count)
    found = [_convolved(x, f, windows) for x, f in zip(images, filters, strict=True)]
    if width is not None:
        widths = _parts(reshape(width, [-1] + [1] * (rank - 1)), 0, count)
        pairs = zip(found, widths, strict=True)
        found = [cast(part, dtypes.float32) * one for part, one in pairs]
    whole = found[0] if count == 1 else concat(found, rank - 1)
    back = [0] * rank
    for place, axis in enumerate((windows.result[0], *windows.result[2:], windows.result[1])):
        back[axis] = place
    return transpose(whole, back)


def _parts(x: Any, axis: int, count: int) -> list[Any]:
    """As many equal parts along an axis."""
    if count == 1:
        return [x]
    shape = shape_of(x)
    size = shape[axis] // count
    wanted = concat([shape[:axis], [size], shape[axis + 1 :]], 0)
    parts = []
    for k in range(count):
        start = concat([zeros([axis], dtypes.int32), [size * k], shape[axis + 1 :] * 0], 0)
        parts.append(sliced(x, start, wanted))
    return parts


def _dilated(x: Any, rates: Axes) -> Any:
    """Zeros between the elements of the axes of space, which are all but the first and last."""
    rank = x.shape.rank
    for axis, rate in enumerate(rates, 1):
        if rate == 1:
            continue
        apart = expand_dims(x, axis + 1)
        apart = pad(apart, [[0, (rate - 1) * (k == axis + 1)] for k in range(rank + 1)])
        shape = shape_of(x)
        joined = concat([shape[:axis], [shape[axis] * rate], shape[axis + 1 :]], 0)
        x = reshape(apart, joined)
        # Nothing follows the last element.
        x = x[(slice(None),) * axis + (slice(None, 1 - rate),)]
    return x


def _padded(x: Any, windows: Sweep) -> Any:
    if not any(windows.paddings):
        return x
    given = windows.paddings
    pairs = [[given[2 * k], given[2 * k + 1]] for k in range(len(windows.strides))]
    return pad(x, [[0, 0], *pairs, [0, 0]])


def _convolved(x: Any, filter_: Any, windows: Sweep) -> Any:
    """With one axis of space as two; with three in float64, which holds these sums."""
    padding = "SAME" if windows.padding == "SAME" else "VALID"
    steps, rates = windows.strides, windows.rhs_dilation
    flat = len(steps) == 1
    if flat:
        x, filter_ = expand_dims(x, 1), expand_dims(filter_, 0)
        steps, rates = (1, *steps), (1, *rates)
    said = {"strides": (1, *steps, 1), "padding": padding, "dilations": (1, *rates, 1)}
    if len(steps) == 3:
        x, filter_ = cast(x, dtypes.float64), cast(filter_, dtypes.float64)
        return cast(bind(Conv3D, x, filter_, **said), dtypes.int32)
    found = bind(Conv2D, x, filter_, **said)
    return squeeze(found, [1]) if flat else found
