"""Convolutions in XLA's words: one product, of which the two gradients are transposes."""

from __future__ import annotations

from typing import Any

from ..nn.windows import Windows, channels_last, is_channels_first, margins_of


def convolved_in_xla(
    xla: Any, x: Any, filter: Any, windows: Windows, data_format: str, groups: int | None = None
) -> Any:
    """Images convolved with [*kernel, channels / groups, filters]."""
    *space, channels = channels_last(x.shape, data_format)[1:]
    if groups is None:
        groups = channels // filter.shape[-2]
    letters = "DHW"[-len(space) :]
    form = f"NC{letters}" if is_channels_first(data_format) else f"N{letters}C"
    return xla.lax.conv_general_dilated(
        x, filter, windows.strides, margins_of(windows, space),
        rhs_dilation=windows.dilations, dimension_numbers=(form, f"{letters}IO", form),
        feature_group_count=groups, precision=xla.precision,
    )  # fmt: skip


def one_filter_each(filter: Any) -> Any:
    """A filter [height, width, channels, multiplier] of depthwise convolutions as a grouped one."""
    height, width, channels, multiplier = filter.shape
    return filter.reshape(height, width, 1, channels * multiplier)


def transposed(xla: Any, product: Any, shape: Any, dy: Any) -> Any:
    """The gradient of `product`, linear in an array of `shape`, where `dy` arrives."""
    like = xla.jax.ShapeDtypeStruct(tuple(map(xla.fixed, shape)), dy.dtype)
    if not dy.size or 0 in like.shape:
        return xla.np.zeros(like.shape, dy.dtype)
    (found,) = xla.jax.linear_transpose(product, like)(dy)
    return found
