"""How images change from pixel to pixel."""

from __future__ import annotations

from typing import Any

from ..array.concatenation import concat, stack
from ..array.fill import zeros_like
from ..array.padding import pad
from ..array.rearrangement import tile
from ..array.shapes import reshape, shape_of
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.reduce import reduce_sum
from ..math.signs import abs
from ..nn.convolution_functions import depthwise_conv2d


@dispatchable
def sobel_edges(image: Any) -> Any:
    """How fast every channel changes from row to row and from column to column.

    image: floats [n, height, width, channels]; the result is [n, height, width, channels, 2], by
    Sobel's filters (their sums are 8 times the slope), the image reflected at its edges.

    >>> image = tf.reshape([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0], [1, 3, 3, 1])
    >>> tf.image.sobel_edges(image)[0, 1, 1, 0].numpy()
    array([8., 0.], dtype=float32)

    Raises:
        InvalidArgumentError: the rank is not 4.
    """
    image = ensure_shape(image, [None] * 4)
    kernels = as_tensor(
        [[[[-1, -1]], [[-2, 0]], [[-1, 1]]], [[[0, -2]], [[0, 0]], [[0, 2]]],
         [[[1, -1]], [[2, 0]], [[1, 1]]]], image.dtype,
    )  # fmt: skip
    channels = shape_of(image)[3] if image.shape.entries[3] is None else image.shape.entries[3]
    filters = tile(kernels, stack([1, 1, channels, 1]))
    padded = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    edges = depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID")
    return reshape(edges, concat([shape_of(image), [2]], 0))


@dispatchable
def image_gradients(image: Any) -> tuple[Any, Any]:
    """Differences to the next row and the next column; zeros in the last ones.

    image: numbers [n, height, width, channels], as both results.

    >>> down, across = tf.image.image_gradients(tf.reshape([1, 2, 4, 8], [1, 2, 2, 1]))
    >>> down[0, :, :, 0].numpy(), across[0, :, :, 0].numpy()
    (array([[3, 6],
           [0, 0]], dtype=int32), array([[1, 0],
           [4, 0]], dtype=int32))

    Raises:
        ValueError: the rank is not 4.
    """
    image = as_tensor(image)
    if image.shape.rank != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}."
        )
    last_row, last_column = zeros_like(image[:, :1]), zeros_like(image[:, :, :1])  # or none
    down = concat([image[:, 1:] - image[:, :-1], last_row], 1)
    across = concat([image[:, :, 1:] - image[:, :, :-1], last_column], 2)
    return down, across


@dispatchable
def total_variation(images: Any, name: str | None = None) -> Any:
    """The sum of the absolute differences between neighbours, of every image.

    images: numbers [height, width, channels], of which the result is a scalar, or [n, height,
    width, channels]: [n].

    >>> int(tf.image.total_variation(tf.reshape([1, 2, 4, 8], [2, 2, 1])))
    14

    Raises:
        ValueError: the rank is neither 3 nor 4.
    """
    images = as_tensor(images)
    rank = images.shape.rank
    if rank not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = [0, 1, 2] if rank == 3 else [1, 2, 3]
    down = images[..., 1:, :, :] - images[..., :-1, :, :]
    across = images[..., 1:, :] - images[..., :-1, :]
    return reduce_sum(abs(down), axes) + reduce_sum(abs(across), axes)
