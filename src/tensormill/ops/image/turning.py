"""Images turned and mirrored: [height, width, channels], or a batch of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.values import TensorLike
from ..array.concatenation import stack
from ..array.rearrangement import reverse
from ..array.rearrangement import transpose as transposed
from ..array.shapes import squeeze
from ..conversion import static_value
from ..dispatch.meanings import dispatchable
from .batches import as_batch

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
    batch, single = as_batch(image, "'image'")
    flipped = reverse(batch, [2])
    return squeeze(flipped, [0]) if single else flipped


@dispatchable
def flip_up_down(image: Any) -> Any:
    """Mirrored, rows in the other order.

    image: [height, width, channels], or a batch of these, of any dtype; the result has the same.

    >>> tf.image.flip_up_down([[[1], [2]], [[3], [4]]]).numpy().tolist()
    [[[3], [4]], [[1], [2]]]

    Raises:
        ValueError: it is no image.
    """
    batch, single = as_batch(image, "'image'")
    flipped = reverse(batch, [1])
    return squeeze(flipped, [0]) if single else flipped


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
    batch, single = as_batch(image, "'image'")
    turned = transposed(batch, [0, 2, 1, 3])
    return squeeze(turned, [0], name=name) if single else turned


@dispatchable
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Turned counter-clockwise by `k` right angles.

    image: [height, width, channels], or a batch of these, of any dtype. k: an integer or a scalar.

    >>> tf.image.rot90([[[1], [2]], [[3], [4]]])[:, :, 0].numpy()
    array([[2, 4],
           [1, 3]], dtype=int32)

    Raises:
        ValueError: it is no image; k is only known when a function runs, and the image not square.
    """
    batch, single = as_batch(image, "'image'")
    if isinstance(k, TensorLike):
        turned = _turned_at_run_time(batch, k)
    else:
        turned = _turned(batch, int(k) % 4)
    return squeeze(turned, [0], name=name) if single else turned


def _turned(batch: Any, k: int) -> Any:
    if k == 0:
        return batch
    if k == 1:
        return transposed(reverse(batch, [2]), [0, 2, 1, 3])
    if k == 2:
        return reverse(batch, [1, 2])
    return reverse(transposed(batch, [0, 2, 1, 3]), [2])


def _turned_at_run_time(batch: Any, k: Any) -> Any:
    """All turns beside each other, of which one is taken.

    Raises:
        ValueError: height and width differ, or are not known.
    """
    known = static_value(k)
    if known is not None:
        return _turned(batch, int(known) % 4)
    height, width = batch.shape.entries[1:3]
    if height is None or height != width:
        raise ValueError("rot90 by a number that is not known while tracing needs square images")
    return stack([_turned(batch, turns) for turns in range(4)])[k % 4]
