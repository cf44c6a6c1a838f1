"""Gathers and scatters in XLA's words: which slices of an array indices name.

An index that lies outside names nothing: zeros are read there and nothing is written, as
TensorFlow does on GPUs. What `demands` asks of indices is said where they are checked.
"""

from __future__ import annotations

from typing import Any, Literal

ScatterAs = Literal["set", "add", "sub", "mul", "max", "min"]


def slices_at(xla: Any, params: Any, indices: Any, axis: int, together: int = 0) -> Any:
    """The slices of `params` along `axis` that `indices` name; the first axes go together."""
    rank, inner = params.ndim, indices.ndim - together
    if not params.size or not indices.size:
        shape = (*params.shape[:axis], *indices.shape[together:], *params.shape[axis + 1 :])
        return xla.np.zeros(shape, params.dtype)
    offsets, batch = (
        (*range(together, axis), *range(axis + inner, rank - 1 + inner)),
        range(together),
    )
    numbers = xla.lax.GatherDimensionNumbers(
        offset_dims=offsets, collapsed_slice_dims=(axis,), start_index_map=(axis,),
        operand_batching_dims=batch, start_indices_batching_dims=batch,
    )  # fmt: skip
    sizes = [1 if k < together or k == axis else size for k, size in enumerate(params.shape)]
    return _gathered(xla, params, indices[..., None], numbers, sizes)


def slices_at_nd(xla: Any, params: Any, indices: Any) -> Any:
    """The slices of `params` at `indices` [..., k], each the index of k axes."""
    depth, outer = indices.shape[-1], indices.ndim - 1
    if not params.size or not indices[..., :0].shape or 0 in indices.shape[:-1]:
        return xla.np.zeros((*indices.shape[:-1], *params.shape[depth:]), params.dtype)
    places = tuple(range(depth))
    numbers = xla.lax.GatherDimensionNumbers(
        offset_dims=tuple(range(outer, outer + params.ndim - depth)),
        collapsed_slice_dims=places, start_index_map=places,
    )  # fmt: skip
    return _gathered(xla, params, indices, numbers, (*(1,) * depth, *params.shape[depth:]))


def _gathered(xla: Any, params: Any, places: Any, numbers: Any, sizes: Any) -> Any:
    mode = xla.lax.GatherScatterMode.FILL_OR_DROP
    return xla.lax.gather(params, places, numbers, tuple(sizes), mode=mode, fill_value=0)


def scattered_at(
    xla: Any, kind: ScatterAs, target: Any, indices: Any, updates: Any, axis: int, together: int = 0
) -> Any:
    """`target`, combined with `updates` at the slices which `slices_at` would read."""
    if not updates.size:
        return target
    rank, inner = target.ndim, indices.ndim - together
    offsets, batch = (
        (*range(together, axis), *range(axis + inner, rank - 1 + inner)),
        range(together),
    )
    numbers = xla.lax.ScatterDimensionNumbers(
        update_window_dims=offsets, inserted_window_dims=(axis,),
        scatter_dims_to_operand_dims=(axis,),
        operand_batching_dims=batch, scatter_indices_batching_dims=batch,
    )  # fmt: skip
    return _scattered(xla, kind, target, indices[..., None], updates, numbers)


def scattered_at_nd(xla: Any, kind: ScatterAs, target: Any, indices: Any, updates: Any) -> Any:
    """`target`, combined with `updates` at `indices` [..., k], each the index of k axes.

    Where two updates of kind "set" meet, XLA leaves open which one stays; on CPUs it is the last.
    """
    if not updates.size:
        return target
    depth, outer = indices.shape[-1], indices.ndim - 1
    places = tuple(range(depth))
    numbers = xla.lax.ScatterDimensionNumbers(
        update_window_dims=tuple(range(outer, updates.ndim)), inserted_window_dims=places,
        scatter_dims_to_operand_dims=places,
    )  # fmt: skip
    return _scattered(xla, kind, target, indices, updates, numbers)


def _scattered(xla: Any, kind: str, target: Any, places: Any, updates: Any, numbers: Any) -> Any:
    lax = xla.lax
    if target.dtype == bool and kind != "set":  # a sum of bools is whether one of them holds
        kind = {"add": "max", "mul": "min"}.get(kind, kind)
        wide = target.astype("uint8"), places, updates.astype("uint8")
        return _scattered(xla, kind, *wide, numbers).astype(bool)
    if kind == "sub":
        kind, updates = "add", -updates
    run = lax.scatter if kind == "set" else getattr(lax, f"scatter_{kind}")
    return run(target, places, updates, numbers, mode=lax.GatherScatterMode.FILL_OR_DROP)
