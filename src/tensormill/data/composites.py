"""Elements that are ragged or sparse, or types of the user's made of tensors: stacked and cut.

A pipeline knows components only. Here they are taken together again: an *atom* is a dense, ragged
or sparse tensor of an element, with its components in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..core import tree
from ..core.dtypes import DType
from ..core.specs import TensorSpec
from ..core.type_spec import LeafSpec
from ..eager.tensor import from_array
from ..errors import DataLossError, InvalidArgumentError, ShapeMismatchError
from ..ops.ragged.ragged_tensor import RaggedTensorSpec
from ..ops.sparse.sparse_tensor import SparseTensorSpec
from .nodes.batching import stack_arrays
from .nodes.node import UNKNOWN, Array, ChainedIterators, Element, Elements, Node, Specs
from .nodes.sources import TensorsNode

Parts = tuple[Array, ...]


# ---------------------------------------------------------------- specs


def atoms_of(spec: Any) -> tuple[Any, ...]:
    """The specs of the dense, ragged and sparse tensors of an element, in order."""
    found: list[Any] = []
    for leaf in tree.flatten(spec):
        if isinstance(leaf, (RaggedTensorSpec, SparseTensorSpec, LeafSpec)):
            found.append(leaf)
        else:
            found.extend(atoms_of(leaf._component_specs))
    return tuple(found)


def _counts(atoms: Sequence[Any]) -> list[int]:
    return [1 if isinstance(atom, LeafSpec) else len(atom._component_specs) for atom in atoms]


def _grouped(arrays: Sequence[Array], counts: Sequence[int]) -> list[Parts]:
    rest = iter(arrays)
    return [tuple(next(rest) for _ in range(count)) for count in counts]


# ---------------------------------------------------------------- one from several


def ragged_leaf(leaf: Any, size: int | None, splits: DType) -> Any:
    """The spec of several tensors of a size that is not known, as rows; None for all other."""
    dims = leaf.shape.entries if isinstance(leaf, TensorSpec) else None
    if dims is None or None not in dims:
        return None
    deepest = max(axis for axis, known in enumerate(dims) if known is None)
    return RaggedTensorSpec((size, *dims), leaf.dtype, deepest + 1, splits)


class Stacking:
    """Makes one element, whose spec is `whole`, of several, whose spec is `spec`."""

    def __init__(self, spec: Any, whole: Any) -> None:
        self._atoms, self._whole = atoms_of(spec), atoms_of(whole)
        self._counts = _counts(self._atoms)

    def __call__(self, rows: Sequence[Element]) -> Element:
        whole: list[Any] = []
        each = [_grouped([one._array for one in row], self._counts) for row in rows]
        for atom, given, *values in zip(self._whole, self._atoms, *each, strict=True):
            if isinstance(atom, RaggedTensorSpec):
                rank, kind = atom.ragged_rank - 1, atom.row_splits_dtype.storage
                dense = isinstance(given, LeafSpec)
                rows_of = [_as_rows(one[0], rank) for one in values] if dense else values
                whole += _stacked_rows(rows_of, kind)
            elif isinstance(atom, SparseTensorSpec):
                whole += _stacked_sparse(values)
            else:
                whole.append(stack_arrays([value[0] for value in values]))
        return tuple(map(from_array, whole))


class SparseStacking:
    """Makes one sparse tensor of several dense ones, whose sizes are at most those of a row."""

    def __init__(self, row: Sequence[int | None]) -> None:
        self._row = tuple(row)

    def __call__(self, rows: Sequence[Element]) -> Element:
        arrays = [row[0]._array for row in rows]
        for array in arrays:
            self._require_room(array.shape)
        largest = np.max([array.shape for array in arrays], axis=0).astype(np.int64)
        sizes = [most if size is None else size
                 for size, most in zip(self._row, largest.tolist(), strict=True)]  # fmt: skip
        places = [np.argwhere(np.ones(one.shape, bool)) for one in arrays]
        indices = [np.insert(one, 0, number, axis=1) for number, one in enumerate(places)]
        values = np.concatenate([one.reshape(-1) for one in arrays])
        shape = np.array([len(arrays), *sizes], np.int64)
        return tuple(map(from_array, (np.concatenate(indices).astype(np.int64), values, shape)))

    def _require_room(self, shape: tuple[int, ...]) -> None:
        if len(shape) != len(self._row):
            raise InvalidArgumentError(
                f"Input element had shape {list(shape)} that is incompatible with the row shape "
                f"{list(self._row)}"
            )
        if any(most is not None and size > most
               for size, most in zip(shape, self._row, strict=True)):  # fmt: skip
            raise DataLossError(
                f"Input element had shape {list(shape)} that is larger than the row shape "
                f"{list(self._row)}"
            )


def _as_rows(array: Array, rank: int) -> Parts:
    """A dense array as a ragged tensor of that rank."""
    sizes = array.shape
    counts = [int(np.prod(sizes[:axis])) for axis in range(1, rank + 1)]
    splits = [np.arange(count + 1) * sizes[axis + 1] for axis, count in enumerate(counts)]
    count = int(np.prod(sizes[: rank + 1]))
    return array.reshape(count, *sizes[rank + 1 :]), *splits


def _stacked_rows(values: Sequence[Parts], kind: Any) -> Parts:
    """Ragged tensors (flat values, then splits) as the rows of one."""
    flat = np.concatenate([parts[0] for parts in values])
    levels = [*zip(*(parts[1:] for parts in values), strict=True)]
    first = levels[0] if levels else None
    sizes = [len(splits) - 1 for splits in first] if first else [len(one[0]) for one in values]
    outer = np.cumsum([0, *sizes]).astype(kind)
    return flat, outer, *(_joined(splits, kind) for splits in levels)


def _joined(each: Sequence[Array], kind: Any) -> Array:
    starts = np.cumsum([0, *(splits[-1] for splits in each)])
    parts = [splits[1:] + start for splits, start in zip(each, starts[:-1], strict=True)]
    return np.concatenate([[0], *parts]).astype(kind)


def _stacked_sparse(values: Sequence[Parts]) -> Parts:
    rows = [np.full((len(parts[0]), 1), number, np.int64) for number, parts in enumerate(values)]
    places = [np.hstack([row, parts[0]]) for row, parts in zip(rows, values, strict=True)]
    largest = np.max([parts[2] for parts in values], axis=0)
    shape = np.array([len(values), *largest], np.int64)
    return np.concatenate(places), np.concatenate([parts[1] for parts in values]), shape


# ---------------------------------------------------------------- several from one


class CompositeRowsNode(Node):
    """The rows of each element, whose spec is `spec`."""

    def __init__(self, child: Node, *, spec: Any, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._atoms = atoms_of(spec)
        self._counts = _counts(self._atoms)

    def iterate(self) -> Elements:
        return ChainedIterators(self._rows, self.inputs[0].iterate())

    def cardinality(self) -> int:
        child = self.inputs[0]
        if not isinstance(child, TensorsNode):
            return UNKNOWN
        return sum(_size(self._pairs(element)) for element in child.iterate())

    def _rows(self, element: Element) -> Iterator[Element]:
        pairs = self._pairs(element)
        for row in range(_size(pairs)):
            yield tuple([from_array(array) for pair in pairs for array in _row(*pair, row)])

    def _pairs(self, element: Element) -> list[tuple[Any, Parts]]:
        parts = _grouped([one._array for one in element], self._counts)
        return [*zip(self._atoms, parts, strict=True)]


def _size(pairs: Sequence[tuple[Any, Parts]]) -> int:
    sizes = {_size_of(*pair) for pair in pairs}
    if len(sizes) > 1:
        raise ShapeMismatchError(f"Input components have different first sizes: {sorted(sizes)}")
    (size,) = sizes or {0}
    return size


def _size_of(atom: Any, parts: Parts) -> int:
    if isinstance(atom, RaggedTensorSpec) and atom.ragged_rank:
        return len(parts[1]) - 1
    return int(parts[2][0]) if isinstance(atom, SparseTensorSpec) else len(parts[0])


def _row(atom: Any, parts: Parts, row: int) -> Parts:
    if isinstance(atom, RaggedTensorSpec) and atom.ragged_rank:
        flat, outer, *inner = parts
        return _between(flat, inner, outer[row], outer[row + 1])
    if isinstance(atom, SparseTensorSpec):
        here = parts[0][:, 0] == row
        return parts[0][here][:, 1:], parts[1][here], parts[2][1:]
    whole = parts[0]
    return (whole[row] if whole.ndim > 1 else np.asarray(whole[row], whole.dtype),)


def _between(flat: Array, splits: Sequence[Array], begin: int, end: int) -> Parts:
    if not splits:
        return (flat[begin:end],)
    part = splits[0][begin : end + 1]
    values, *inner = _between(flat, splits[1:], part[0], part[-1])
    return values, part - part[0], *inner
