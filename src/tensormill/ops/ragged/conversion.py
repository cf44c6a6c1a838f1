"""Ragged tensors as tensors: rows of one length, and as many of them as are asked for; and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.shapes import TensorShape, as_shape
from ...core.values import TensorLike
from ...errors import ShapeMismatchError
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat, stack, unstack
from ..array.fill import range as numbers_from
from ..array.fill import zeros
from ..array.gather import gather
from ..array.scatter import tensor_scatter_nd_update
from ..array.select import boolean_mask, where
from ..array.shapes import rank as rank_of
from ..array.shapes import shape as sizes_of
from ..checks.assertions import require_equal
from ..conversion import as_tensor, static_value
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.reduce import reduce_any, reduce_max, reduce_prod
from .merged_axes import flat_axes
from .ragged_tensor import RaggedTensor

# A size that is asked for: None for as many as there are.
Size = Any


def from_sparse(sparse: Any, kind: DType) -> RaggedTensor:
    """The rows of a sparse matrix, with splits of the dtype `kind`."""
    if not hasattr(sparse, "dense_shape"):
        raise TypeError(f"Expected SparseTensor, got {type(sparse).__name__}")
    if sparse.shape.rank != 2:
        raise ValueError(f"rank(st_input) must be 2, got {sparse.shape.rank}")
    rows, count = cast(sparse.indices[:, 0], kind), cast(sparse.dense_shape[0], kind)
    made = RaggedTensor.from_value_rowids(sparse.values, rows, count, validate=False)
    expected = numbers_from(sizes_of(rows, kind)[0]) - gather(made.row_splits, rows)
    message = "elements of a row do not stand at its beginning; columns, and those expected: "
    require_equal(cast(sparse.indices[:, 1], kind), expected, message)
    return made


def to_tensor(ragged: RaggedTensor, default: Any, shape: Any) -> Any:
    """The rows, filled up with `default` (zeros), or cut, to `shape`.

    Raises:
        ShapeMismatchError (an InvalidArgumentError and a ValueError): `shape` has another number of
            axes, or other sizes than the values have.
    """
    sizes = _asked(shape, ragged)
    values = ragged.flat_values
    value = zeros((), values.dtype) if default is None else as_tensor(default, values.dtype)
    return _filled(ragged, value, sizes)


def _filled(ragged: RaggedTensor, default: Any, sizes: Sequence[Size]) -> Any:
    count, width, *inner = sizes
    values, kind = ragged.values, ragged.row_splits.dtype
    if isinstance(values, RaggedTensor):
        values = _filled(values, default, [None, *inner])
    else:
        _require_inner(values, inner)
    longest = ragged.uniform_row_length
    if longest is None:
        longest = reduce_max(concat([[0], ragged.row_lengths()], 0))
    rows, columns = _size(count, ragged.nrows(), kind), _size(width, longest, kind)
    row = ragged.value_rowids()
    column = numbers_from(sizes_of(values, kind)[0]) - gather(ragged.row_splits, row)
    if count is not None or width is not None:
        kept = (row < rows) & (column < columns)
        row, column, values = (boolean_mask(one, kept) for one in (row, column, values))
    size = concat([stack([rows, columns]), sizes_of(values, kind)[1:]], 0)
    target = broadcast_to(default, size)
    return tensor_scatter_nd_update(target, stack([row, column], 1), values)


def _require_inner(values: Any, asked: Sequence[Size]) -> None:
    """Refuse other sizes than those of the elements of rows, which are neither filled nor cut."""
    message = "to_tensor: elements of rows have another size than is asked for: "
    for axis, size in enumerate(asked, 1):
        if size is not None and not (isinstance(size, int) and values.shape[axis] is not None):
            found = cast(sizes_of(values)[axis], as_tensor(size).dtype)
            require_equal(found, _size(size, found, found.dtype), message)


def _size(asked: Size, found: Any, kind: Any) -> Any:
    """The size that is asked for; one that only a run knows is negative for the size found."""
    if asked is None:
        return found
    size = as_tensor(asked, kind)
    return size if static_value(size) is not None else where(size < 0, found, size)


def _asked(shape: Any, ragged: RaggedTensor) -> list[Size]:
    own = ragged.shape.entries
    if shape is None or (isinstance(shape, TensorShape) and shape.entries is None):
        return [None] * (ragged.ragged_rank + 1)
    if own is None:
        raise ValueError("to_tensor with a shape needs values of known rank")
    sizes = (
        _of_tensor(shape, ragged) if isinstance(shape, TensorLike) else as_shape(shape).as_list()
    )
    uniform = own[ragged.ragged_rank + 1 :]
    pairs = zip(uniform, sizes[ragged.ragged_rank + 1 :], strict=False)
    differs = any(
        isinstance(size, int) and size != mine for mine, size in pairs if mine is not None
    )
    if len(sizes) != len(own) or differs:
        raise ShapeMismatchError(
            f"to_tensor: a ragged tensor of shape {ragged.shape} cannot become a tensor of shape "
            f"{sizes}"
        )
    return sizes


def _of_tensor(shape: Any, ragged: RaggedTensor) -> list[Size]:
    known = static_value(shape)
    if known is not None:
        return [None if size < 0 else int(size) for size in known]
    return unstack(cast(shape, ragged.row_splits.dtype), len(ragged.shape))


# ---------------------------------------------------------------- and back


def from_tensor(
    tensor: Any, lengths: Any, padding: Any, ragged_rank: int, splits: DType
) -> RaggedTensor:
    """The rows of a tensor: see `RaggedTensor.from_tensor`."""
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank!r}.")
    nested = _nested_lengths(lengths)
    axes = ragged_rank if nested is None else len(nested)
    _require_axes(tensor, axes)
    if nested is not None:
        return _cut(tensor, nested, splits)
    size = sizes_of(tensor, splits)
    rows = tensor if axes == 1 else flat_axes(tensor, 0, axes - 1)
    if padding is not None:
        lengths = _lengths_without(padding, rows, splits)
    whole = lengths is None
    made = flat_axes(tensor, 0, axes) if whole else _cut(rows, [lengths], splits)
    for axis in range(axes if whole else axes - 1, 0, -1):
        made = _rows_of_one_length(made, tensor, size, axis)
    return made


def _rows_of_one_length(values: Any, tensor: Any, size: Any, axis: int) -> RaggedTensor:
    """`values` as rows of the length that `axis` of the tensor has."""
    known = tensor.shape.entries
    length = size[axis] if known is None or known[axis] is None else known[axis]
    count = reduce_prod(size[:axis])
    length = as_tensor(length, size.dtype)
    return RaggedTensor.from_uniform_row_length(values, length, count, validate=False)


def _nested_lengths(lengths: Any) -> list[Any] | None:
    """The lengths for each axis, if they are a list of those."""
    if not isinstance(lengths, (list, tuple)) or not lengths:
        return None
    return list(lengths) if as_tensor(lengths[0]).shape.rank == 1 else None


def _require_axes(tensor: Any, ragged: int) -> None:
    rank = tensor.shape.rank
    if ragged < 1:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged}.")
    if rank is not None and rank <= ragged:
        raise ValueError(
            f"a tensor whose first {ragged + 1} axes become rows has more than {ragged}; this one "
            f"has the shape {tensor.shape}"
        )


def _cut(tensor: Any, lengths: Sequence[Any], splits: DType) -> RaggedTensor:
    """The first elements of each row; of them, where lengths for further axes follow, too."""
    outer, *inner = lengths
    width = sizes_of(tensor, splits)[1]
    found = minimum(maximum(cast(as_tensor(outer), splits), 0), width)
    values = boolean_mask(tensor, numbers_from(width)[None, :] < found[:, None])
    kept = _cut(values, inner, splits) if inner else values
    return RaggedTensor.from_row_lengths(kept, found, validate=False)


def _lengths_without(padding: Any, rows: Any, splits: DType) -> Any:
    """How long rows are up to the last element that differs from `padding`."""
    filler = as_tensor(padding, rows.dtype)
    rank = rows.shape.rank
    if rank is not None:
        rows.shape[2:].assert_is_compatible_with(filler.shape)
    else:
        axes = 2 + rank_of(filler)
        require_equal(rank_of(rows), axes, "padding has another rank than the elements of rows: ")
        require_equal(sizes_of(rows)[2:], sizes_of(filler), "padding of another shape: ")
    inner = numbers_from(2, rank_of(rows)) if rank is None else list(range(2, rank))
    differs = reduce_any(rows != filler, inner)
    differs.set_shape([None, None])
    places = numbers_from(sizes_of(rows, splits)[1]) + 1
    return reduce_max(places * cast(differs, splits), 1)
