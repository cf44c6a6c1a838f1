"""Variables in parts: what `tf.compat.v1.get_variable` gives where a partitioner cuts them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ..core.dtypes import DType, as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape, as_shape
from ..core.values import PartitionedBase, TensorLike
from ..eager.scopes import name_scope
from ..errors import ConversionDTypeError
from ..ops.array.concatenation import concat, split
from ..ops.array.slicing import slice as slice_of
from ..ops.control.flow import identity


class PartitionedVariable(PartitionedBase):
    """One variable in parts, which are variables; as a tensor it is the parts beside each other.

    Args:
        name: that of the whole; checkpoints keep it under this name, whatever its parts are.
        shape: that of the whole.
        dtype: that of all parts.
        variable_list: the parts, which tell by their `SaveSliceInfo` where they lie.
        partitions: how many parts each axis is cut into.

    >>> with tf.Graph().as_default():
    ...     two = tf.compat.v1.fixed_size_partitioner(2)
    ...     w = tf.compat.v1.get_variable("w", [5, 2], partitioner=two)
    >>> [(part.name, part.shape.as_list()) for part in w]
    [('w/part_0:0', [3, 2]), ('w/part_1:0', [2, 2])]

    Raises:
        TypeError: parts or numbers of parts are no list.
        ValueError: there is not a number for each axis, or a part does not tell where it lies.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Any, partitions: Any
    ) -> None:
        for called, one in (("variable_list", variable_list), ("partitions", partitions)):
            if not isinstance(one, (list, tuple)):
                raise TypeError(f"{called} is not a list or tuple: {one}")
        if len(shape) != len(partitions):
            raise ValueError(f"len(shape) != len(partitions): {shape} vs. {partitions}")
        if not all(part._get_save_slice_info() for part in variable_list):
            named = [part.name for part in variable_list]
            raise ValueError(f"All variables must have a save_slice_info available: {named}")
        self.name: Final = name
        self.shape: Final[TensorShape] = as_shape(shape)
        self.dtype: Final[DType] = as_dtype(dtype)
        self._variable_list: Final = sorted(variable_list, key=_offset)
        self._partitions: Final = partitions

    def get_shape(self) -> TensorShape:
        """The shape of the whole."""
        return self.shape

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        return len(self._variable_list)

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Any:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        cut = [axis for axis, parts in enumerate(self._partitions) if parts > 1]
        return cut or [0]

    @property
    def _distribute_strategy(self) -> None:
        """Programs ask variables for it."""

    # ---- the value
    def as_tensor(self) -> Any:
        """The whole, a tensor."""
        axis = self._partition_axes()[0]
        with name_scope(f"{self.name}/ConcatPartitions/"):
            whole = None if len(self) == 1 else concat(self._variable_list, axis)
        with name_scope(""):
            return identity(self._variable_list[0] if whole is None else whole, name=self.name)

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ConversionDTypeError(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of "
                f"type '{self.dtype.name}'"
            )
        return self.as_tensor()

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:  # fmt: skip
        """Give all parts their parts of `value`, which may be a list of these."""
        return self._each("assign", value, name, read_value)

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:  # fmt: skip
        """Add to all parts their parts of `value`."""
        return self._each("assign_add", value, name, read_value)

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:  # fmt: skip
        """Subtract from all parts their parts of `value`."""
        return self._each("assign_sub", value, name, read_value)

    def _each(self, method: str, value: Any, name: str | None, read_value: bool) -> list[Any]:
        values = self._divided(value)
        return [
            getattr(part, method)(one, name=name, read_value=read_value)
            for part, one in zip(self._variable_list, values, strict=True)
        ]

    def _divided(self, value: Any) -> Sequence[Any]:
        """What each part gets.

        Raises:
            ValueError: a list has another number of values.
        """
        if isinstance(value, (list, PartitionedVariable)):
            if len(value) != len(self):
                raise ValueError(f"{self.name} has {len(self)} parts, got {len(value)} values")
            return list(value)
        axis = self._partition_axes()[0]
        sizes = [part.shape.as_list()[axis] for part in self._variable_list]
        return [value] if len(sizes) == 1 else split(value, sizes, axis)


def _offset(part: Any) -> Any:
    return part._get_save_slice_info().var_offset


# ---- how variables are cut


class PartOfVariable(NamedTuple):
    """Which part of a variable an initializer is asked for: `var_offset` of `full_shape`."""

    full_shape: list[int]
    var_offset: list[int]


class PlaceOfPart(NamedTuple):
    """Where a part of a variable begins along each axis, and how long it is."""

    offset: list[int]
    size: list[int]


def counts_of(partitioner: Any, shape: TensorShape, dtype: DType) -> list[int]:
    """How many parts a partitioner wants along each axis.

    Raises:
        ValueError: it is no function, or does not give a number, at least 1, for each axis.
    """
    if not callable(partitioner):
        raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
    counts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(counts, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {counts}")
    if len(counts) != shape.rank:
        raise ValueError(
            "Partitioner returned a partition list that does not match the Variable's rank: "
            f"{counts} vs. {shape}"
        )
    if any(count < 1 for count in counts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {counts}")
    return [int(count) for count in counts]


def cuts(shape: Sequence[int], counts: Sequence[int]) -> list[PlaceOfPart]:
    """The parts of a shape that is cut along one axis; the first of them may be a row longer.

    Raises:
        ValueError: several axes are cut, or one into more parts than it has rows.
    """
    if not shape:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    if len(counts) != len(shape):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: "
            f"{shape}, slicing: {list(counts)}"
        )
    several = [axis for axis, count in enumerate(counts) if count != 1]
    if len(several) > 1:
        raise ValueError(
            f"Can only slice a variable along one dimension: shape: {shape}, partitioning: "
            f"{list(counts)}"
        )
    axis = several[0] if several else 0
    if not 1 <= counts[axis] <= shape[axis]:
        raise ValueError(f"an axis of size {shape[axis]} cannot be cut into {counts[axis]} parts")
    rest, more = divmod(shape[axis], counts[axis])
    lengths = [rest + (part < more) for part in range(counts[axis])]
    begins = [sum(lengths[:part]) for part in range(len(lengths))]
    return [
        PlaceOfPart(
            [begin if one == axis else 0 for one in range(len(shape))],
            [length if one == axis else size for one, size in enumerate(shape)],
        )
        for begin, length in zip(begins, lengths, strict=True)
    ]


def start_of_part(
    initializer: Any, name: str, whole: list[int], part: PlaceOfPart
) -> dict[str, Any]:
    """How a variable is told the first value of a part: by `initializer`, and `shape`."""
    if isinstance(initializer, type):
        initializer = initializer()
    if not callable(initializer) or isinstance(initializer, TensorLike):
        with name_scope(f"{name}/PartitionedInitializer/"):
            return {"initializer": slice_of(initializer, part.offset, part.size), "shape": None}
    more: dict[str, Any] = {}
    if "partition_info" in inspect.signature(initializer).parameters:
        more["partition_info"] = PartOfVariable(whole, part.offset)
    return {"initializer": _called_with(initializer, more), "shape": part.size}


def _called_with(initializer: Callable[..., Any], more: dict[str, Any]) -> Callable[..., Any]:
    if not more:
        return initializer

    def made(shape: Any, dtype: Any = None) -> Any:
        return initializer(shape, dtype=dtype, **more)

    return made
