"""How results of slices become one: stacked, or joined where their first axes differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import dtypes, tree
from ..core.dtypes import DType, as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.type_spec import TypeSpec, spec_of
from ..core.values import TensorLike
from ..errors import DTypeMismatchError, ShapeMismatchError
from ..ops.array.concatenation import concat, stack
from ..ops.array.shapes import shape_of
from ..ops.control.flow import ensure_shape
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from .slices import is_sparse


class ResultPart(NamedTuple):
    """A tensor of one result. Those of all results are stacked, or joined along their axis 0."""

    tensor: Any
    joined: bool


class LeafKind(NamedTuple):
    """What one leaf of a result consists of, and what all results' parts together make."""

    parts: list[ResultPart]
    together: Callable[[Sequence[Any]], Any]


class Results(NamedTuple):
    """What a function returned, taken apart."""

    structure: Any
    kinds: list[LeafKind]

    @property
    def parts(self) -> list[ResultPart]:
        return [part for kind in self.kinds for part in kind.parts]

    def together(self, tensors: Sequence[Any]) -> Any:
        """The values that hold all results; `tensors` are what became of the parts of all."""
        rest = iter(tensors)
        leaves = [kind.together([next(rest) for _ in kind.parts]) for kind in self.kinds]
        return tree.pack_sequence_as(self.structure, leaves)


def taken_apart(result: Any, signature: Any) -> Results:
    """What a function returned; `signature` (or None) is a structure of dtypes and specs.

    Raises:
        DTypeMismatchError: a value has another dtype than its signature.
        ShapeMismatchError: a value has another shape than its signature.
        ValueError: there are more or fewer values, or another kind of value.
    """
    leaves = tree.flatten(result)
    wanted = [None] * len(leaves) if signature is None else tree.flatten(signature)
    if len(wanted) != len(leaves):
        raise ValueError(
            f"fn_output_signature describes {len(wanted)} results, but fn returned {len(leaves)} "
            "(The two structures don't have the same nested structure)"
        )
    return Results(result, [_kind(*pair) for pair in zip(leaves, wanted, strict=True)])


def _kind(leaf: Any, demand: Any) -> LeafKind:
    if hasattr(demand, "ragged_rank"):
        return _rows_of_ragged(_as_ragged_row(leaf, demand), demand.row_splits_dtype)
    if not isinstance(leaf, tree.Composite):
        if isinstance(demand, TypeSpec) and demand.is_composite:
            raise _other_kind(leaf, demand)
        return LeafKind([ResultPart(_checked(leaf, demand), False)], lambda tensors: tensors[0])
    return _of_composite(leaf, demand)


def _of_composite(leaf: Any, demand: Any) -> LeafKind:
    own = spec_of(leaf)
    if demand is not None and type(demand) is not type(own):
        raise _other_kind(leaf, demand)
    if demand is not None:
        _check_dtype(leaf.dtype, demand.dtype)
    if hasattr(own, "ragged_rank"):
        return _rows_of_ragged(leaf, leaf.row_splits.dtype)
    if is_sparse(leaf):
        return _rows_of_sparse(leaf)
    parts = [
        ResultPart(as_tensor(one), False) for one in leaf._component_tensors() if one is not None
    ]
    return LeafKind(parts, leaf._with_component_tensors)


def _other_kind(leaf: Any, demand: Any) -> ValueError:
    found = spec_of(leaf) or TensorSpec(as_tensor(leaf).shape, as_tensor(leaf).dtype)
    return ValueError(
        f"Error in map_fn: Expected `fn` to return a {demand!r}, but it returned a {found!r}; "
        "fn_output_signature says what fn returns"
    )


def _checked(leaf: Any, demand: Any) -> Any:
    if demand is None:
        return as_tensor(leaf)
    dtype = demand.dtype if isinstance(demand, TensorSpec) else as_dtype(demand)
    tensor = leaf if isinstance(leaf, TensorLike) else as_tensor(leaf, None, dtype)
    _check_dtype(tensor.dtype, dtype)
    tensor = as_tensor(tensor)
    return _of_shape(tensor, demand.shape) if isinstance(demand, TensorSpec) else tensor


def _check_dtype(found: DType, dtype: DType) -> None:
    if found is not dtype:
        raise DTypeMismatchError(
            f"TensorArray dtype is {dtype.name} but Op is trying to write dtype "
            f"{found.name}: fn_output_signature says what fn returns"
        )


def _of_shape(tensor: Any, wanted: TensorShape) -> Any:
    """The tensor, whose shape is checked when it runs where it is not known enough now."""
    _check_shape(tensor.shape, wanted)
    return tensor if tensor.shape.is_subtype_of(wanted) else ensure_shape(tensor, wanted)


def _check_shape(found: TensorShape, wanted: TensorShape) -> None:
    if not wanted.is_compatible_with(found):
        raise ShapeMismatchError(
            f"Incompatible shape for value ({found}), expected ({wanted}): "
            "fn_output_signature says what fn returns"
        )


# ---- ragged rows


def _as_ragged_row(leaf: Any, demand: Any) -> Any:
    """A result that is to be a row of a ragged tensor: a tensor, or ragged itself."""
    is_composite = isinstance(leaf, tree.Composite)
    if (getattr(leaf, "ragged_rank", None) if is_composite else 0) != demand.ragged_rank:
        raise _other_kind(leaf, demand)
    row: Any = leaf if is_composite else _checked(leaf, demand.dtype)
    _check_dtype(row.dtype, demand.dtype)
    if not is_composite:
        return _of_shape(row, demand.shape)
    _check_shape(row.shape, demand.shape)
    return row


def _rows_of_ragged(row: Any, splits: DType) -> LeafKind:
    """Flat values and lengths are joined; the numbers of rows become the outer lengths."""
    from ..ops.ragged.ragged_tensor import RaggedTensor

    if isinstance(row, RaggedTensor):
        flat, count, inner = row.flat_values, row.nrows(splits), row.nested_row_lengths()
    else:
        flat, count, inner = row, cast(shape_of(row)[0], splits), ()
    lengths = [ResultPart(cast(one, splits), True) for one in inner]

    def together(tensors: Sequence[Any]) -> Any:
        values, *nested = tensors
        return RaggedTensor.from_nested_row_lengths(values, nested, validate=False)

    return LeafKind([ResultPart(flat, True), ResultPart(count, False), *lengths], together)


# ---- sparse rows


def _rows_of_sparse(row: Any) -> LeafKind:
    """Indices and values are joined; the new axis comes first, the others are as long as needed."""
    count = shape_of(row.values)[0]
    parts = [
        ResultPart(row.indices, True), ResultPart(row.values, True), ResultPart(count, False),
        ResultPart(row.dense_shape, False),
    ]  # fmt: skip
    return LeafKind(parts, _sparse_together)


def _sparse_together(tensors: Sequence[Any]) -> Any:
    from ..ops.array.fill import range as numbers_from
    from ..ops.array.fill import zeros_like
    from ..ops.array.rearrangement import repeat
    from ..ops.math.reduce import reduce_max
    from ..ops.sparse.sparse_tensor import SparseTensor

    indices, values, counts, shapes = tensors
    size = cast(shape_of(shapes)[0], dtypes.int64)
    rows = repeat(numbers_from(size), counts)
    longest = reduce_max(concat([shapes, zeros_like(shapes[:1])], 0), 0)
    indices = concat([rows[:, None], indices], 1)
    return SparseTensor.of_parts(indices, values, concat([stack([size]), longest], 0))
