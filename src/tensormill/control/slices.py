"""Where slices along first axes come from: tensors, ragged and sparse ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..core import context, dtypes, tree
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.type_spec import BatchableTypeSpec, own_encoder_of, spec_of
from ..ops.array.concatenation import unstack
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from .structure import leading_size, pack
from .tensor_array import TensorArray

# From the number of a slice to its tensors.
Reader = Callable[[Any], list[Any]]


class SliceSource(Protocol):
    """One value of which slices are taken."""

    value: Any

    def specs(self) -> list[Any]:
        """What describes the tensors of a slice, where nobody knows which one it is."""
        ...

    def size(self) -> Any:
        """The number of slices, as a scalar tensor."""
        ...

    def reader(self, size: Any) -> Reader:
        """How slices are read; there are `size` of them."""
        ...


class StructureSlices(NamedTuple):
    """The slices of a structure of values; `outline` is one of them with anything at its leaves."""

    outline: Any
    sources: list[SliceSource]
    count: int | None

    def size(self) -> Any:
        """The number of slices: an int where it is known."""
        return self.sources[0].size() if self.count is None else self.count

    def specs(self) -> list[Any]:
        return [spec for source in self.sources for spec in source.specs()]

    def reader(self, size: Any) -> Reader:
        readers = [source.reader(size) for source in self.sources]
        return lambda place: [tensor for read in readers for tensor in read(place)]

    def packed(self, tensors: Any) -> Any:
        return pack(self.outline, tensors)

    def signature(self, result: Any) -> list[Any]:
        """What describes the leaves of a function's result where nobody says it: a tensor in the
        place of a row of a ragged tensor is a row, too; None for all other.
        """
        leaves, slices = tree.flatten(result), tree.flatten(self.outline)
        if len(slices) == 1:
            slices *= len(leaves)
        if len(slices) != len(leaves):
            return [None] * len(leaves)
        return [_as_row(*pair) for pair in zip(leaves, slices, strict=True)]


def _as_row(leaf: Any, outline: Any) -> Any:
    if getattr(outline, "ragged_rank", None) != 0 or isinstance(leaf, tree.Composite):
        return None
    tensor = as_tensor(leaf)
    if tensor.shape.rank == 0:  # one of unknown rank is a row: a run refuses numbers
        return None
    return type(outline)(None, tensor.dtype, 0, outline.row_splits_dtype)


def slices_of(elems: Any, what: str) -> StructureSlices:
    """Raises:
    ValueError: there is no value, one is a scalar, or first axes differ in size.
    """
    outlines: list[Any] = []
    sources: list[SliceSource] = []
    for leaf in tree.flatten(elems):
        outline, found = _opened(leaf)
        outlines.append(outline)
        sources += found
    count = leading_size([source.value for source in sources], what)
    return StructureSlices(tree.pack_sequence_as(elems, outlines), sources, count)


def is_sparse(value: Any) -> bool:
    """Whether `value` is a SparseTensor (IndexedSlices have vectors of indices)."""
    return hasattr(value, "dense_shape") and value.indices.shape.rank == 2


def _opened(leaf: Any) -> tuple[Any, list[SliceSource]]:
    """What a slice of `leaf` is packed as, and where its tensors come from."""
    if leaf is None:
        return None, []
    if not isinstance(leaf, tree.Composite):
        tensor = as_tensor(leaf)
        return tensor, [DenseSource(tensor)]
    kind: Any = spec_of(leaf)
    if own_encoder_of(kind) is not None:
        raise TypeError(
            f"{kind!r} has a __batch_encoder__ of its own: use tf.map_fn or tf.vectorized_map"
        )
    if hasattr(kind, "ragged_rank"):
        return _row_of_ragged(kind), [RaggedSource(leaf)]
    if is_sparse(leaf):
        return type(kind)(_inner(kind.shape), kind.dtype), [SparseSource(leaf)]
    if isinstance(kind, BatchableTypeSpec):
        parts = [part for _, part in kind._parts_of(leaf)]
        return kind._unbatch(), [source for part in parts for source in _opened(part)[1]]
    return leaf, [
        DenseSource(as_tensor(one)) for one in leaf._component_tensors() if one is not None
    ]


def _row_of_ragged(kind: Any) -> Any:
    shape = _inner(kind.shape)
    return type(kind)(shape, kind.dtype, kind.ragged_rank - 1, kind.row_splits_dtype)


class DenseSource:
    """A tensor [n, ...]."""

    def __init__(self, tensor: Any) -> None:
        self.value = tensor

    def specs(self) -> list[Any]:
        return [TensorSpec(_inner(self.value.shape), self.value.dtype)]

    def size(self) -> Any:
        return shape_of(self.value)[0]

    def reader(self, size: Any) -> Reader:
        if not context.building_graph():
            rows = unstack(self.value)
            return lambda place: [rows[place]]
        array = array_of(self.value, size)
        return lambda place: [array.read(place)]


class RaggedSource:
    """A ragged tensor: its rows are tensors, or ragged themselves."""

    def __init__(self, ragged: Any) -> None:
        self.value = ragged

    def specs(self) -> list[Any]:
        return tree.flatten(_row_of_ragged(spec_of(self.value)), expand_composites=True)

    def size(self) -> Any:
        return self.value.nrows(dtypes.int32)

    def reader(self, size: Any) -> Reader:
        return lambda place: tree.flatten(self.value[place], expand_composites=True)


class SparseSource:
    """A sparse tensor whose indices are in order: its slices are sparse."""

    def __init__(self, sparse: Any) -> None:
        self.value = sparse

    def specs(self) -> list[Any]:
        kind = spec_of(self.value)
        row = type(kind)(_inner(self.value.shape), self.value.dtype)
        return tree.flatten(row, expand_composites=True)

    def size(self) -> Any:
        return cast(self.value.dense_shape[0], dtypes.int32)

    def reader(self, size: Any) -> Reader:
        from ..ops.array.fill import range as numbers_from
        from ..ops.array.sorting import searchsorted

        sparse = self.value
        rows = cast(numbers_from(as_tensor(size) + 1), dtypes.int64)
        starts = searchsorted(sparse.indices[:, 0], rows)

        def read(place: Any) -> list[Any]:
            first, last = starts[place], starts[place + 1]
            parts = sparse.indices[first:last, 1:], sparse.values[first:last]
            return [*parts, sparse.dense_shape[1:]]

        return read


def array_of(tensor: Any, size: Any) -> TensorArray:
    """The slices of a tensor along its first axis."""
    array = TensorArray(tensor.dtype, size=size, element_shape=_inner(tensor.shape))
    return array.unstack(tensor)


def _inner(shape: TensorShape) -> TensorShape:
    return shape if shape.entries is None else TensorShape(shape.entries[1:])
