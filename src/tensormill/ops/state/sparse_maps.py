"""Sparse tensors that wait under numbers: what queues of TensorFlow 1 hand on in their place."""

from __future__ import annotations

from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType, of_storage
from ...core.process.locks import ForkedLock
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..effects import World
from ..op import ANY, Attr, In, Op, Out
from ..sparse.conversion import require_order

Array = numpy_module.ndarray[Any, Any]
Parts = tuple[Array, Array, Array]  # indices, values, shape


class SparseMap:
    """Sparse tensors by their numbers, and the number of the next one."""

    def __init__(self) -> None:
        self._kept: dict[int, Parts] = {}
        self._count = 0
        self._lock: Final = ForkedLock()

    def add(self, *parts: Array) -> int:
        """Keep a tensor; its number."""
        with self._lock():
            number, self._count = self._count, self._count + 1
            # Arrays may lie in memory that a compiled program takes back.
            indices, values, shape = (one.copy() for one in parts)
            self._kept[number] = indices, values, shape
        return number

    def take(self, number: int, name: str) -> Parts:
        """A tensor, which is no longer kept."""
        with self._lock():
            found = self._kept.pop(number, None)
        if found is None:
            raise InvalidArgumentError(f"Unable to find SparseTensor: {number} in map: {name}")
        return found


# By container and name; they last as long as the process, as in TensorFlow's eager mode.
_MAPS: Final[dict[tuple[str, str], SparseMap]] = {}


class OnSparseMap(Op, abstract=True):
    """An operation on the map of a name: without one, that of what adds to it."""

    container: Any
    shared_name: Any
    _node: Any
    effects = (World.PYTHON,)
    differentiable = False

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": name}

    def map_name(self) -> str:
        return self.shared_name or self._node or self.name

    def map(self) -> SparseMap:
        """The map; it is there from its first use on."""
        return _MAPS.setdefault((str(self.container), self.map_name()), SparseMap())


class AddsSparse(OnSparseMap, abstract=True):
    """Keeps sparse tensors."""

    sparse_indices: Any
    sparse_values: Any
    sparse_shape: Any

    def demands(self, sizes: Any) -> None:
        (count, width), (values,) = (
            sizes.shape(self.sparse_indices),
            sizes.shape(self.sparse_values),
        )
        (rank,) = sizes.shape(self.sparse_shape)
        sizes.alike((count,), (values,), InvalidArgumentError, OTHER_COUNT)
        sizes.alike((width,), (rank,), InvalidArgumentError, OTHER_RANK)
        sizes.each(self.sparse_shape, lambda size: size >= 0, InvalidArgumentError, NEGATIVE)


OTHER_COUNT = "indices and values rows (indexing dimension) must match. (indices = {}, values = {})"
OTHER_RANK = "Index rank ({}) and shape rank ({}) do not match."
NEGATIVE = "Dimension {it} must be >= 0"


class AddSparseToTensorsMap(AddsSparse):
    """Keeps a sparse tensor; its number."""

    sparse_indices = In("i64 n r")
    sparse_values = In("T m")
    sparse_shape = In("i64 q")
    sparse_handle = Out("i64")
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")
    T = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        number = self.map().add(self.sparse_indices, self.sparse_values, self.sparse_shape)
        return np.asarray(number, np.int64)


class AddManySparseToTensorsMap(AddsSparse):
    """Keeps a sparse tensor for each index of the first axis; their numbers.

    Those with elements come first, as in TensorFlow.
    """

    sparse_indices = In("i64 n r")
    sparse_values = In("T m")
    sparse_shape = In("i64 q")
    sparse_handles = Out("i64 k")
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")
    T = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec((None,), dtypes.int64)

    def eager(self, np: Any) -> Any:
        indices, shape = self.sparse_indices, self.sparse_shape
        if len(shape) < 2:
            refuse(InvalidArgumentError, LOW_RANK, len(shape))
        require_order(np, indices, shape)
        ends = np.searchsorted(indices[:, 0], np.arange(shape[0] + 1))
        numbers = np.empty(int(shape[0]), np.int64)
        rows = sorted(range(len(numbers)), key=lambda row: bool(ends[row] == ends[row + 1]))
        for row in rows:
            part = slice(ends[row], ends[row + 1])
            values = self.sparse_values[part]
            numbers[row] = self.map().add(indices[part, 1:], values, shape[1:])
        return numbers


LOW_RANK = "Rank of input SparseTensor should be > 1, but saw rank: {}"


class TakeManySparseFromTensorsMap(OnSparseMap):
    """The sparse tensors of some numbers beside each other, which are no longer kept.

    Raises:
        InvalidArgumentError: there is none of a number, or it has another dtype or rank than the
            others; or no number is given.
    """

    sparse_handles = In("i64 n")
    sparse_indices = Out("i64 m r")
    sparse_values = Out("dtype m")
    sparse_shape = Out("i64 r")
    dtype = Attr()
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")

    def infer(self) -> tuple[TensorSpec, ...]:
        return (
            TensorSpec((None, None), dtypes.int64),
            TensorSpec((None,), self.dtype),
            TensorSpec((None,), dtypes.int64),
        )

    def eager(self, np: Any) -> Parts:
        numbers = self.sparse_handles.tolist()
        if not numbers:
            refuse(InvalidArgumentError, NOTHING)
        several = [self.map().take(one, self.map_name()) for one in numbers]
        _require_alike(several, self.dtype)
        indices = [np.insert(one, 0, place, 1) for place, (one, _, _) in enumerate(several)]
        shape = np.max([shape for _, _, shape in several], 0)
        values = np.concatenate([values for _, values, _ in several])
        return np.concatenate(indices), values, np.insert(shape, 0, len(several))


def _require_alike(several: list[Parts], dtype: DType) -> None:
    rank = len(several[0][2])
    for place, (_, values, shape) in enumerate(several):
        if (found := of_storage(values.dtype)) is not dtype:
            refuse(InvalidArgumentError, OTHER_DTYPE, dtype.name, place, found.name)
        if len(shape) != rank:
            refuse(InvalidArgumentError, UNLIKE, place, rank + 1, place, len(shape) + 1)


NOTHING = "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows"
OTHER_DTYPE = "Requested SparseTensor of type {} but SparseTensor[{}].values.dtype() == {}"
UNLIKE = (
    "Inconsistent rank across SparseTensors: rank prior to SparseTensor[{}] was: {} but rank of "
    "SparseTensor[{}] is: {}"
)
