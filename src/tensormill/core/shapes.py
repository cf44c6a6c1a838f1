"""Shapes with unknown dimensions and unknown rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, SupportsIndex, TypeGuard, cast, overload

from ..errors import KnownShapeError, ShapeMismatchError
from .tensorflow_names import HasProtoForm

Dims = tuple[int | None, ...]

INCOMPATIBLE: Final = "Incompatible shapes: {} vs. {} (Dimensions must be equal, but are {} and {})"


class TensorShape(HasProtoForm):
    """The shape of a tensor: `entries` is a tuple of sizes (None: unknown), or None: unknown rank.

    Immutable and hashable. Equal to lists and tuples with the same sizes.

    >>> shape = tf.TensorShape([None, 3])
    >>> shape.rank, shape[1], shape.is_compatible_with([2, 3])
    (2, 3, True)
    """

    __slots__ = ("__weakref__", "_dims")

    def __init__(self, dims: Any) -> None:
        self._dims: Final[Dims | None] = _as_dims(dims)

    @property
    def entries(self) -> Dims | None:
        """The sizes, None for unknown ones; None where the rank is unknown."""
        return self._dims

    @property
    def dims(self) -> list[Any] | None:
        """The same as a list of `tf.compat.v1.Dimension`s, as TensorFlow 1 had them.

        >>> tf.TensorShape([2, None]).dims
        [Dimension(2), Dimension(None)]
        """
        from .dimension import Dimension  # which is made of shapes

        return None if self._dims is None else [Dimension(size) for size in self._dims]

    @property
    def rank(self) -> int | None:
        """The number of axes, or None.

        >>> tf.TensorShape([2, None]).rank
        2
        """
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The same as `rank`.

        >>> tf.TensorShape([2, None]).ndims
        2
        """
        return self.rank

    def is_fully_defined(self) -> bool:
        """Whether all sizes are known.

        >>> tf.TensorShape([2, None]).is_fully_defined()
        False
        """
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        """The number of elements, or None where a dimension is unknown.

        >>> tf.TensorShape([2, 3]).num_elements()
        6
        """
        if self._dims is None or None in self._dims:
            return None
        count = 1
        for size in self._dims:
            count *= size or 0
        return count

    def as_list(self) -> list[int | None]:
        """The sizes; a ValueError where the rank is unknown.

        >>> tf.TensorShape([2, None]).as_list()
        [2, None]
        """
        return list(self._known("as_list() is not defined on an unknown TensorShape."))

    def as_tuple(self) -> Dims:
        """The sizes; a ValueError where the rank is unknown."""
        return self._known("as_tuple() is not defined on an unknown TensorShape.")

    def _known(self, message: str) -> Dims:
        if self._dims is None:
            raise ValueError(message)
        return self._dims

    def __len__(self) -> int:
        return len(self._known("Cannot take the length of a shape with unknown rank."))

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known("Cannot iterate over a shape with unknown rank."))

    @overload
    def __getitem__(self, key: SupportsIndex) -> int | None: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return None if self._dims is None else cast("Any", self._dims[key])
        part = cast("slice[Any]", key)
        if self._dims is not None:
            return TensorShape(self._dims[part])
        if part.stop is None or part.stop < 0 or (part.start or 0) < 0:
            return UNKNOWN
        return TensorShape((None,) * len(range(*part.indices(part.stop))))

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def concatenate(self, other: Any) -> TensorShape:
        """The sizes of this shape, then those of another.

        >>> tf.TensorShape([2]).concatenate([None, 3])
        TensorShape([2, None, 3])
        """
        after = as_shape(other)
        if self._dims is None or after._dims is None:
            return UNKNOWN
        return TensorShape(self._dims + after._dims)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor could have both shapes.

        >>> tf.TensorShape([2, None]).is_compatible_with([2, 7])
        True
        """
        mine, theirs = self._dims, as_shape(other)._dims
        if mine is None or theirs is None:
            return True
        return len(mine) == len(theirs) and all(
            a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise a ValueError where no tensor could have both shapes.

        >>> tf.TensorShape([2, None]).assert_is_compatible_with([2, 3])
        """
        if not self.is_compatible_with(other):
            raise KnownShapeError(f"Shapes {self} and {as_shape(other)} are incompatible")

    def is_subtype_of(self, other: TensorShape) -> bool:
        """Whether every tensor of this shape also has the shape `other`.

        >>> tf.TensorShape([2, 3]).is_subtype_of(tf.TensorShape([2, None]))
        True
        """
        if other._dims is None:
            return True
        if self._dims is None or len(self._dims) != len(other._dims):
            return False
        pairs = zip(self._dims, other._dims, strict=True)
        return all(wide is None or wide == narrow for narrow, wide in pairs)

    def merge_with(self, other: Any) -> TensorShape:
        """What is known when a tensor has both shapes.

        >>> tf.TensorShape([2, None]).merge_with([None, 3])
        TensorShape([2, 3])

        Raises:
            ShapeMismatchError (a ValueError): no tensor has both.
        """
        theirs = as_shape(other)
        if not self.is_compatible_with(theirs):
            raise KnownShapeError(f"Shapes {self} and {theirs} are not compatible")
        if self._dims is None or theirs._dims is None:
            return theirs if self._dims is None else self
        pairs = zip(self._dims, theirs._dims, strict=True)
        return TensorShape(tuple(b if a is None else a for a, b in pairs))

    def relax(self, other: Any) -> TensorShape:
        """The most specific shape that tensors of either shape have.

        >>> tf.TensorShape([2, 3]).most_specific_compatible_shape([2, 4])
        TensorShape([2, None])
        """
        theirs = as_shape(other)
        if self._dims is None or theirs._dims is None or len(self._dims) != len(theirs._dims):
            return UNKNOWN
        pairs = zip(self._dims, theirs._dims, strict=True)
        return TensorShape(tuple(a if a == b else None for a, b in pairs))

    most_specific_compatible_shape = relax

    # ---- as a trace type, of which there are no values

    def most_specific_common_supertype(self, others: Any) -> TensorShape | None:
        """The most specific shape that tensors of all these shapes have; None for other things.

        >>> tf.TensorShape([2, 3]).most_specific_common_supertype([tf.TensorShape([2, 4])])
        TensorShape([2, None])
        """
        found = self
        for other in others:
            if not isinstance(other, TensorShape) or other.rank != self.rank:
                return None
            found = found.relax(other)
        return found

    def flatten(self) -> list[Any]:
        """The specs of the tensors that it stands for: none.

        >>> tf.TensorShape([2]).flatten()
        []
        """
        return []

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors of a value: none.

        >>> tf.TensorShape([2]).to_tensors(None)
        []
        """
        return []

    def from_tensors(self, tensors: Any) -> None:
        """What is made of tensors: nothing.

        >>> print(tf.TensorShape([2]).from_tensors([]))
        None
        """

    def placeholder_value(self, placeholder_context: Any) -> None:
        """What stands for a value while a function is traced: nothing.

        >>> print(tf.TensorShape([2]).placeholder_value(None))
        None
        """

    def cast(self, value: Any, cast_context: Any) -> Any:
        """The value, which no shape has: an AssertionError."""
        raise AssertionError(f"Can not cast {value!r} to type {self!r}")

    def as_proto(self) -> Any:
        """The shape as a TensorShapeProto; -1 for sizes that nobody knows.

        >>> [one.size for one in tf.TensorShape([2, None]).as_proto().dim]
        [2, -1]
        """
        return self.experimental_as_proto()

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, of this rank; a ValueError where it has another.

        >>> tf.TensorShape(None).with_rank(2)
        TensorShape([None, None])
        """
        return self.merge_with(TensorShape((None,) * rank))

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape; a ValueError where its rank is less.

        >>> tf.TensorShape([2, 3]).with_rank_at_least(1)
        TensorShape([2, 3])
        """
        if self._dims is not None and len(self._dims) < rank:
            raise KnownShapeError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape; a ValueError where its rank is more.

        >>> tf.TensorShape([2, 3]).with_rank_at_most(2)
        TensorShape([2, 3])
        """
        if self._dims is not None and len(self._dims) > rank:
            raise KnownShapeError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise a ValueError where it has another rank.

        >>> tf.TensorShape([2, 3]).assert_has_rank(2)
        """
        if self.rank not in (None, rank):
            raise KnownShapeError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raise a ValueError where another shape has another rank.

        >>> tf.TensorShape([2, 3]).assert_same_rank([4, None])
        """
        theirs = as_shape(other)
        if None not in (self.rank, theirs.rank) and self.rank != theirs.rank:
            raise KnownShapeError(f"Shapes {self} and {theirs} must have the same rank")

    def assert_is_fully_defined(self) -> None:
        """Raise a ValueError where a size is unknown.

        >>> tf.TensorShape([2, 3]).assert_is_fully_defined()
        """
        if not self.is_fully_defined():
            raise KnownShapeError(f"Shape {self} is not fully defined")

    def __eq__(self, other: object) -> bool:
        try:
            return self._dims == as_shape(other)._dims
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __reduce__(self) -> Any:
        return TensorShape, (self._dims,)

    def __repr__(self) -> str:
        return f"TensorShape({'None' if self._dims is None else list(self._dims)})"

    def __str__(self) -> str:
        return "<unknown>" if self._dims is None else str(self._dims)


def _as_dims(dims: Any) -> Dims | None:
    if dims is None:
        return None
    if type(dims) is tuple or type(dims) is list:  # what most are: the next questions take longer
        return tuple([_as_size(size) for size in cast("Iterable[Any]", dims)])
    if isinstance(dims, TensorShape):
        return dims.entries
    if type(dims).__name__ == "TensorShapeProto":
        return TensorShape.experimental_from_proto(dims).entries
    has_sizes = getattr(dims, "ndim", 1) != 0  # a scalar array is the size of one axis
    if isinstance(dims, Iterable) and not isinstance(dims, (str, bytes)) and has_sizes:
        return tuple(_as_size(size) for size in cast("Iterable[Any]", dims))
    return (_as_size(dims),)


def _as_size(size: Any) -> int | None:
    if size is None or (type(size) is int and size >= 0):
        return size
    try:
        number = size.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"Dimension value must be integer or None, got {size!r}") from None
    if number < 0:
        raise ValueError(f"Dimension {number} must be >= 0")
    return number


def as_shape(value: Any) -> TensorShape:
    """`value` as a TensorShape: a list, tuple, int, None or TensorShape."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def are_known(dims: Dims | None) -> TypeGuard[tuple[int, ...]]:
    """Whether the rank and every size are known."""
    return dims is not None and None not in dims


def check_countable(shape: TensorShape) -> None:
    """Raise a ShapeMismatchError where the number of elements does not fit into 64 bits."""
    if (shape.num_elements() or 0) >= 2**63:
        raise ShapeMismatchError(
            f"A tensor of shape {shape} would have more than 2**63 - 1 elements"
        )


UNKNOWN: Final = TensorShape(None)
SCALAR: Final = TensorShape(())


def broadcast_dims(left: Dims, right: Dims) -> Dims:
    """The sizes of an elementwise result (NumPy's rule; None where it depends on run time).

    Raises:
        ShapeMismatchError: two known sizes differ and neither is 1.
    """
    rank = max(len(left), len(right))
    padded = ((1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right)
    return tuple(_broadcast_size(a, b, left, right) for a, b in zip(*padded, strict=True))


def _broadcast_size(a: int | None, b: int | None, left: Dims, right: Dims) -> int | None:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if a is None or b is None:
        return b if a is None else a  # the known one is not 1, so the other must agree with it
    raise ShapeMismatchError(INCOMPATIBLE.format(list(left), list(right), a, b))


def broadcast_shapes(left: TensorShape, right: TensorShape) -> TensorShape:
    if left.entries is None or right.entries is None:
        return UNKNOWN
    return TensorShape(broadcast_dims(left.entries, right.entries))
