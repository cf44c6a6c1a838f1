"""What `padded_batch` is told: shapes and fillers for each component."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes, tree
from ..core.shapes import TensorShape, as_shape
from ..core.specs import TensorSpec
from ..ops.array.padding import pad
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor
from . import structure

Shape = tuple[int | None, ...]


def _flat_tensors(spec: Any, is_asked: bool) -> Sequence[Any]:
    """The specs of tensors; `is_asked`: somebody says to which shapes they are to be padded."""
    for one in tree.flatten(spec):
        if not isinstance(one, TensorSpec):
            raise (TypeError if hasattr(one, "shape") or is_asked else NotImplementedError)(
                f"`padded_batch` pads tensors, but elements have a component {one!r}: use "
                "`batch` or `ragged_batch`, or make it dense before"
            )
    return structure.flat_specs(spec)


def padded_shapes(spec: Any, asked: Any) -> tuple[Shape, ...]:
    """The shape of each component after padding; None: as large as the largest of the batch.

    Raises:
        TypeError: a component is no tensor.
        NotImplementedError: it does not even say which shape it has, and no shapes are asked for.
        ValueError: a rank is unknown, or another one is asked for, or a smaller size.
    """
    flat = _flat_tensors(spec, asked is not None)
    if asked is None:
        given: Sequence[Any] = [one.shape for one in flat]
    else:
        given = tree.flatten_up_to(spec, asked, check_types=False)
    return tuple(
        _shape(one, TensorShape(_sizes(wanted))) for one, wanted in zip(flat, given, strict=True)
    )


def _sizes(asked: Any) -> Any:
    if isinstance(asked, TensorShape):
        return asked.entries
    if hasattr(asked, "numpy"):
        asked = asked.numpy().tolist()
    dims = as_shape(asked).entries if not isinstance(asked, (list, tuple)) else asked
    return None if dims is None else [None if size in (None, -1) else int(size) for size in dims]


def _shape(spec: Any, wanted: TensorShape) -> Shape:
    if wanted.entries is None:
        raise ValueError(
            "You must provide `padded_shapes` for components of unknown rank, such as those of "
            f"{spec!r}"
        )
    if not _fits(spec.shape.entries, wanted.entries):
        raise ValueError(
            f"The padded shape {wanted} is not compatible with the elements, whose shape is "
            f"{spec.shape}: it needs as many axes, and sizes as large at least"
        )
    return wanted.entries


def _fits(present: Shape | None, wanted: Shape) -> bool:
    """Whether elements may be filled up to a shape, as far as theirs is known."""
    if present is None:
        return True
    return len(present) == len(wanted) and all(
        size is None or target is None or size <= target
        for size, target in zip(present, wanted, strict=True)
    )


def padding_values(spec: Any, asked: Any) -> list[Any]:
    """A scalar for each component: zero or an empty string where nothing is asked for."""
    flat = _flat_tensors(spec, asked is not None)
    if asked is None:
        given: Sequence[Any] = [None] * len(flat)
    elif not tree.is_nested(asked) and tree.is_nested(spec):
        given = [asked] * len(flat)
    else:
        given = tree.flatten_up_to(spec, asked, check_types=False)
    return [_filler(one, value) for one, value in zip(flat, given, strict=True)]


def _filler(spec: Any, value: Any) -> Any:
    """The scalar for a component.

    Raises:
        TypeError: the value has another dtype.
        ValueError: it is no scalar.
    """
    if value is None:
        empty = b"" if spec.dtype is dtypes.string else np.zeros((), spec.dtype.storage)
        return as_tensor(empty, spec.dtype)
    made = as_tensor(value, spec.dtype)
    if made.shape.rank not in (None, 0):
        raise ValueError(f"`padding_values` must be scalars, got one of shape {made.shape}")
    return made


def padded_spec(spec: Any, shapes: Sequence[Shape], size: int | None) -> Any:
    """The spec of the batches."""
    rest = iter(shapes)
    return structure.batched(
        tree.map_structure(lambda one: TensorSpec(next(rest), one.dtype), spec), size
    )


def filler(spec: Any, asked: Any, values: Any, longest: Any) -> Callable[..., Any]:
    """A function of batches that fills up to `longest` what `padded_shapes` leaves open."""
    shapes, fillers = padded_shapes(spec, asked), padding_values(spec, values)

    def one(batch: Any, shape: Shape, value: Any) -> Any:
        now = shape_of(batch)
        missing = [0 if size is not None else longest - now[k + 1] for k, size in enumerate(shape)]
        return pad(batch, [[0, 0], *([0, count] for count in missing)], constant_values=value)

    def filled(*parts: Any) -> Any:
        batches = parts if isinstance(spec, tuple) else parts[0]
        found = map(one, tree.flatten(batches), shapes, fillers)
        return tree.pack_sequence_as(batches, list(found))

    return filled
