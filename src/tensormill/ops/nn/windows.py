"""Windows that slide over the spatial axes of an image: padding, strides, dilations, sizes.

Arrays are [batch, *spatial, channels] here; `data_format` says where users have their channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ...errors import InvalidArgumentError, OpError, ShapeMismatchError, UnimplementedError
from ..sizes import maximum

Padding: TypeAlias = Literal["SAME", "VALID", "EXPLICIT"]
MORE_THAN_ANY: Final = 1 << 62  # windows


@dataclass(frozen=True, slots=True)
class Windows:
    """How windows of size `kernel` slide: one number per spatial axis.

    padding: "SAME", "VALID" or, with `margins` (before, after), "EXPLICIT".
    """

    kernel: tuple[Any, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: Padding
    margins: tuple[tuple[int, int], ...] = ()

    def reach(self, axis: int) -> Any:
        """From the first to the last element that a window looks at."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def count(self, axis: int, size: Any) -> Any:
        """How many windows there are along an axis."""
        if self.padding == "SAME":
            return self._ceil(axis, size)
        stride = self.strides[axis]
        count = (self.room(axis, size) + stride) // stride
        # What `demand_room` lets through is -1 at least, which becomes 0: TensorFlow's quotients
        # are rounded towards 0.
        return count if stride == 1 else count - count // MORE_THAN_ANY

    def room(self, axis: int, size: Any) -> Any:
        """How far a window can go along an axis."""
        added = sum(self.margins[axis]) if self.margins else 0
        return size + added - self.reach(axis)

    def _ceil(self, axis: int, size: Any) -> Any:
        return (size + self.strides[axis] - 1) // self.strides[axis]

    def before(self, loops: Any, axis: int, size: Any) -> Any:
        """How much padding there is before the first element of an axis."""
        if self.margins:
            return self.margins[axis][0]
        if self.padding == "VALID":
            return 0
        missing = (self.count(axis, size) - 1) * self.strides[axis] + self.reach(axis) - size
        return maximum(loops, missing, 0) // 2

    def counts(self, dims: Sequence[Any]) -> tuple[Any, ...]:
        """`count` for all axes."""
        return tuple(self.count(axis, size) for axis, size in enumerate(dims))

    def befores(self, loops: Any, dims: Sequence[Any]) -> tuple[Any, ...]:
        """`before` for all axes."""
        return tuple(self.before(loops, axis, size) for axis, size in enumerate(dims))

    def demand_room(
        self, sizes: Any, name: str, dims: Sequence[Any], as_traced: bool = True
    ) -> tuple[Any, ...]:
        """`counts`, where every axis has room for a window (in a `demands` rule); eagerly, and in
        traces unless `as_traced`, less than two strides may be missing: then there are none.

        Raises:
            ShapeMismatchError: one has none.
        """
        if self.padding != "SAME":
            for axis, size in enumerate(dims):
                told = ShapeMismatchError, NO_ROOM, name, size, self.reach(axis)
                room = self.room(axis, size)
                sizes.require(room > -2 * self.strides[axis], *told)
                if as_traced:
                    sizes.require_early(room >= 0, *told)
        return self.counts(dims)


NO_ROOM = (
    "{}: Computed output size would be negative (Negative dimension size): an axis of size {} has "
    "no room for a window of {}"
)


def patches(np: Any, x: Any, windows: Windows, fill: Any = 0) -> Any:
    """A view [batch, *counts, *kernel, channels] of what every window sees of padded `x`."""
    dims = x.shape[1:-1]
    counts = windows.counts(dims)
    padded = pad_for(np, x, windows, fill)
    inner, spatial = padded.strides[1:-1], range(len(dims))
    strides = (
        padded.strides[0],
        *(inner[k] * windows.strides[k] for k in spatial),
        *(inner[k] * windows.dilations[k] for k in spatial),
        padded.strides[-1],
    )
    shape = (x.shape[0], *counts, *windows.kernel, x.shape[-1])
    return np.lib.stride_tricks.as_strided(padded, shape, strides, writeable=False)


def pad_for(np: Any, x: Any, windows: Windows, fill: Any = 0) -> Any:
    """`x` with as much around as the windows look at."""
    margins = margins_of(windows, x.shape[1:-1])
    if not any(map(any, margins)):
        return x
    return np.pad(x, [(0, 0), *margins, (0, 0)], constant_values=fill)


def margins_of(windows: Windows, dims: Sequence[int]) -> list[tuple[int, int]]:
    """How much the windows look at before and after every axis; after: never negative."""
    margins: list[tuple[int, int]] = []
    for axis, size in enumerate(dims):
        before = windows.before(None, axis, size)
        last = (windows.count(axis, size) - 1) * windows.strides[axis] + windows.reach(axis)
        margins.append((before, max(0, last - before - size)))
    return margins


def wide_type(np: Any, dtype: Any) -> Any:
    """In which NumPy type products of numbers are added up."""
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


def tap_slices(windows: Windows, counts: Sequence[int], tap: Sequence[int]) -> tuple[slice, ...]:
    """Where, in a padded array, the element `tap` of every window is."""
    places = [slice(None)]
    for axis, count in enumerate(counts):
        start = tap[axis] * windows.dilations[axis]
        end = start + (count - 1) * windows.strides[axis] + 1
        places.append(slice(start, max(start, end), windows.strides[axis]))
    return tuple(places)


# ---------------------------------------------------------------- attributes


def require_counts(name: str, data_format: str, **given: Sequence[int]) -> None:
    """Refuse sizes, strides or dilations of which there are not as many as axes.

    All are counted before one is looked at.

    Raises:
        InvalidArgumentError: there are more or less.
    """
    rank = len(data_format)
    for what, values in given.items():
        if len(values) != rank:
            raise ShapeMismatchError(
                f"{name}: Sliding window {what} field must specify {rank} dimensions, not {values}"
            )


def spatial_part(
    name: str, what: str, values: Sequence[int], data_format: str,
    elsewhere: type[OpError] = UnimplementedError,
) -> tuple[int, ...]:  # fmt: skip
    """Sizes, strides or dilations of the spatial axes.

    Raises:
        InvalidArgumentError: one is not positive.
        elsewhere: one of batch or channels is not 1.
    """
    rank = len(data_format)
    first = 2 if is_channels_first(data_format) else 1
    spatial = tuple(values[first : first + rank - 2])
    others = (values[0], values[1 if first == 2 else -1])
    if any(value != 1 for value in others):
        raise elsewhere(
            f"{name}: Current implementation does not yet support {what} in the batch and depth "
            f"dimensions: {list(values)}"
        )
    require_positive(name, what, spatial)
    return spatial


def require_positive(name: str, what: str, values: Sequence[int]) -> None:
    """Refuse sizes, strides or dilations of which one is not positive.

    Raises:
        InvalidArgumentError: one is not.
    """
    if any([value < 1 for value in values]):
        raise ShapeMismatchError(
            f"{name}: Sliding window {what} must be > 0: {list(values)} (must be positive)"
        )


def spatial_margins(
    name: str, padding: str, explicit: Sequence[int], data_format: str
) -> tuple[tuple[int, int], ...]:
    """The (before, after) of every spatial axis; empty unless the padding is "EXPLICIT".

    Raises:
        InvalidArgumentError: the numbers do not fit the padding or the rank.
    """
    if padding not in ("SAME", "VALID", "EXPLICIT"):
        raise InvalidArgumentError(
            f"Value for attr 'padding' of \"{padding}\" is not in the list of allowed values: "
            f'"SAME", "VALID", "EXPLICIT" ({name})'
        )
    if padding != "EXPLICIT":
        if explicit:
            raise ShapeMismatchError(
                f"{name}: explicit_paddings attribute must be empty if the padding attribute is "
                "not EXPLICIT"
            )
        return ()
    rank = len(data_format)
    if len(explicit) != 2 * rank:
        raise ShapeMismatchError(
            f"{name}: explicit_paddings attribute must contain {2 * rank} values, but got: "
            f"{len(explicit)}"
        )
    if any(value < 0 for value in explicit):
        raise ShapeMismatchError(f"{name}: All elements of explicit_paddings must be nonnegative")
    pairs = [(explicit[2 * k], explicit[2 * k + 1]) for k in range(rank)]
    first = 2 if is_channels_first(data_format) else 1
    if any(pairs[0]) or any(pairs[1 if first == 2 else -1]):
        raise ShapeMismatchError(
            f"{name}: Nonzero explicit padding in the batch or depth dimensions is not supported"
        )
    return tuple(pairs[first : first + rank - 2])


# ---------------------------------------------------------------- where the channels are


def is_channels_first(data_format: str) -> bool:
    """Whether it is [batch, channels, *spatial]."""
    return data_format.startswith("NC")


def channels_last(dims: Any, data_format: str) -> Any:
    """Sizes in the order [batch, *spatial, channels]."""
    if dims is None or not is_channels_first(data_format):
        return dims
    return (dims[0], *dims[2:], dims[1])


def channels_back(dims: Any, data_format: str) -> Any:
    """Sizes [batch, *spatial, channels] in the order of `data_format`."""
    if not is_channels_first(data_format):
        return tuple(dims)
    return (dims[0], dims[-1], *dims[1:-1])


def moved_last(np: Any, x: Any, data_format: str) -> Any:
    """A view of an array with its channels last."""
    return np.moveaxis(x, 1, -1) if is_channels_first(data_format) else x


def moved_back(np: Any, x: Any, data_format: str) -> Any:
    """A view of an array [batch, *spatial, channels] in the order of `data_format`."""
    return np.moveaxis(x, -1, 1) if is_channels_first(data_format) else x


def viewed_last(loops: Any, x: Any, data_format: str) -> Any:
    """`moved_last` of a loop array."""
    if not is_channels_first(data_format):
        return x
    shape = channels_last(x.shape, data_format)
    return loops.view(shape, x.dtype, lambda n, *rest: x[(n, rest[-1], *rest[:-1])])


def viewed_back(loops: Any, x: Any, data_format: str) -> Any:
    """`moved_back` of a loop array."""
    if not is_channels_first(data_format):
        return x
    shape = channels_back(x.shape, data_format)
    return loops.view(shape, x.dtype, lambda n, c, *rest: x[(n, *rest, c)])


def demand_window(sizes: Any, name: str, kernel: Sequence[Any]) -> None:
    """The window of a filter holds something."""
    some = sizes.count(kernel) > 0
    sizes.require_late(some, ShapeMismatchError, EMPTY_WINDOW, name)


EMPTY_WINDOW = "{}: filter must not have zero elements (i.e. all dimensions must be non-zero)"
