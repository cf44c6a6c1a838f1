"""Images turned and mirrored: [height, width, channels], or a batch of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.values import TensorLike
from ..array.concatenation import stack
from ..array.fill import range as numbers_from
from ..array.gather import gather
from ..array.rearrangement import reverse
from ..array.rearrangement import transpose as transposed
from ..array.shapes import expand_dims, reshape, shape_of
from ..control.flow import ensure_shape
from ..conversion import static_value
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from .batches import of_each

if TYPE_CHECKING:
    from ..results import Tensor


@dispatchable
def flip_left_right(image: Any) -> Tensor:
    """Mirrored, columns in the other order.

    image: [height, width, channels], or a batch of these, of any dtype; the result has the same.

    >>> tf.image.flip_left_right([[[1], [2], [3]]]).numpy().tolist()
    [[[3], [2], [1]]]

    Raises:
        ValueError: it is no image.
    """
    return of_each(image, lambda batch: reverse(batch, [2]))


@dispatchable
def flip_up_down(image: Any) -> Any:
    """Mirrored, rows in the other order.

    image: [height, width, channels], or a batch of these, of any dtype; the result has the same.

    >>> tf.image.flip_up_down([[[1], [2]], [[3], [4]]]).numpy().tolist()
    [[[3], [4]], [[1], [2]]]

    Raises:
        ValueError: it is no image.
    """
    return of_each(image, lambda batch: reverse(batch, [1]))


@dispatchable
def transpose(image: Any, name: str | None = None) -> Any:
    """Rows and columns exchanged.

    image: [height, width, channels], or a batch of these, of any dtype; the result is [*n, width,
    height, channels].

    >>> tf.image.transpose([[[1], [2], [3]]]).numpy().tolist()
    [[[1]], [[2]], [[3]]]

    Raises:
        ValueError: it is no image.
    """
    return of_each(image, lambda batch: transposed(batch, [0, 2, 1, 3]), name)


@dispatchable
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Turned counter-clockwise by `k` right angles.

    image: [height, width, channels], or a batch of these, of any dtype. k: an integer or a scalar.

    >>> tf.image.rot90([[[1], [2]], [[3], [4]]])[:, :, 0].numpy()
    array([[2, 4],
           [1, 3]], dtype=int32)

    Raises:
        ValueError: it is no image.
    """
    if isinstance(k, TensorLike):
        return of_each(image, lambda batch: _turned_at_run_time(batch, k), name)
    return of_each(image, lambda batch: _turned(batch, int(k) % 4), name)


def _turned(batch: Any, k: int) -> Any:
    if k == 0:
        return batch
    if k == 1:
        return transposed(reverse(batch, [2]), [0, 2, 1, 3])
    if k == 2:
        return reverse(batch, [1, 2])
    return reverse(transposed(batch, [0, 2, 1, 3]), [2])


def _turned_at_run_time(batch: Any, k: Any) -> Any:
    """Pixels taken from where they are, seen as one row: how far it is there from each to the
    next, down and to the right, is all that differs between the turns.
    """
    known = static_value(k)
    if known is not None:
        return _turned(batch, int(known) % 4)
    count, height, width, channels = (shape_of(batch)[axis] for axis in range(4))
    turns = cast(k, dtypes.int32) % 4
    first = stack([0, width - 1, height * width - 1, (height - 1) * width])[turns]
    down, right = stack([width, -1, -width, 1])[turns], stack([1, width, -1, -width])[turns]
    rows, columns = height + turns % 2 * (width - height), width + turns % 2 * (height - width)
    places = first + down * expand_dims(numbers_from(rows), 1) + right * numbers_from(columns)
    pixels = gather(reshape(batch, [count, height * width, channels]), places, axis=1)
    return ensure_shape(pixels, _turned_shape(batch.shape))


def _turned_shape(shape: TensorShape) -> list[int | None]:
    count, height, width, channels = shape.entries or (None, None, None, None)
    side = height if height == width else None
    return [count, side, side, channels]
