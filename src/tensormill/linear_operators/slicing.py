"""`operator[...]`: some of a batch. Every tensor that an operator is made of is sliced alike."""

from __future__ import annotations

from typing import Any

from ..core import tree
from ..errors import ShapeMismatchError
from ..ops.array.fill import fill
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor
from .spec import parameter


def sliced(operator: Any, slices: Any) -> Any:
    """The operator of some of the batch.

    Raises:
        ValueError: an index reaches into the matrices.
        NotImplementedError: it is not known which axes of its parameters are a batch.
    """
    axes_of = operator._experimental_parameter_ndims_to_matrix_ndims
    if not axes_of:
        raise NotImplementedError(
            f"{type(operator).__name__} does not say how its parameters make a batch"
        )
    rank = operator.batch_shape.rank
    if rank is None:
        raise ValueError("an operator is sliced where the rank of its batch is known")
    keys = spelled_out(slices if isinstance(slices, tuple) else (slices,), rank)
    parameters = operator.parameters
    for name, axes in axes_of.items():
        value = parameter(operator, name)
        if value is not None:
            parameters[name] = _map(value, axes, keys, rank)
    return type(operator)(**parameters)


def with_sliced_batch(operator: Any, slices: Any) -> Any:
    """The same of an operator that has no tensors, but the sizes of a batch.

    Raises:
        InvalidArgumentError: an index reaches beyond the batch, or into the matrices.
    """
    keys = spelled_out(
        slices if isinstance(slices, tuple) else (slices,), operator.batch_shape.rank or 0
    )
    one_each = fill(operator.batch_shape_tensor(), as_tensor(0))
    batch = shape_of(one_each[tuple(keys)])
    return type(operator)(**{**operator.parameters, "batch_shape": batch})


def spelled_out(keys: tuple[Any, ...], rank: int) -> list[Any]:
    """A key for every axis of the batch, new axes among them.

    Raises:
        ShapeMismatchError: there are more keys than axes of the batch.
    """
    given = [key for key in keys if key is not None and key is not Ellipsis]
    if len(given) > rank:
        raise ShapeMismatchError(f"{len(given)} indices for a batch of {rank} axes: {keys!r}")
    place = keys.index(Ellipsis) if Ellipsis in keys else len(keys)
    rest = [slice(None)] * (rank - len(given))
    return [*keys[:place], *rest, *keys[place + 1 :]]


def _map(value: Any, axes: Any, keys: list[Any], rank: int) -> Any:
    if isinstance(value, (list, tuple)):
        each = axes if isinstance(axes, (list, tuple)) else [axes] * len(value)
        return [_map(one, own, keys, rank) for one, own in zip(value, each, strict=True)]
    if isinstance(value, tree.Composite):
        operator: Any = value
        return sliced(operator, tuple(_of_batch(operator.batch_shape, keys, rank)))
    tensor = as_tensor(value)
    own = tensor.shape[: tensor.shape.rank - axes] if axes else tensor.shape
    return tensor[(*_of_batch(own, keys, rank), ...)]


def _of_batch(shape: Any, keys: list[Any], rank: int) -> list[Any]:
    """The keys for axes that broadcast to those of the whole batch; one element is kept."""
    found: list[Any] = []
    axis = shape.rank - rank
    for key in keys:
        if key is None:
            found.append(None)
            continue
        if axis >= 0 and shape[axis] == 1:
            found.append(slice(None) if isinstance(key, slice) else 0)
        elif axis >= 0:
            found.append(key)
        axis += 1
    return found
