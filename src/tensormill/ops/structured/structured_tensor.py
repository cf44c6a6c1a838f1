"""`tf.experimental.StructuredTensor`: many records in one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from ...core import context, dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...core.values import RaggedBase
from ..array.fill import zeros
from ..conversion import as_tensor
from ..extension_type import BatchableExtensionType
from ..ragged.ragged_shape import DynamicRaggedShape, RaggedShapeSpec
from ..ragged.row_partition import RowPartition
from . import fields as fields_of
from .axes import merged, partitioned, with_merged_axes
from .encoding import FieldEncoder
from .python_values import from_python, to_python
from .spec import StructuredSpec

FieldName = str | Sequence[str]


@at_home_in("tensorflow.python.ops.structured.structured_tensor")
class StructuredTensor(BatchableExtensionType):
    """Records in any number of axes, ragged ones too: each field is a tensor for all of them.

    A field is a tensor, a RaggedTensor or another StructuredTensor; its first axes are those of
    the records. Make one with `from_pyval`, `from_fields` or `from_fields_and_rank`.

    >>> people = tf.experimental.StructuredTensor.from_pyval(
    ...     [{"age": 82, "nicknames": ["Bob", "Bobby"]}, {"age": 42, "nicknames": ["Elmo"]}]
    ... )
    >>> people.shape, people.field_value("age").numpy().tolist()
    (TensorShape([2]), [82, 42])
    >>> people.field_value("nicknames").to_list()
    [[b'Bob', b'Bobby'], [b'Elmo']]
    """

    __name__ = "tf.StructuredTensor"
    __batch_encoder__ = FieldEncoder()
    Spec: ClassVar[Any] = StructuredSpec
    FieldName: ClassVar[Any] = FieldName

    def __init__(self, fields: Mapping[str, Any], ragged_shape: DynamicRaggedShape) -> None:
        self.__dict__.update(_fields=fields, _ragged_shape=ragged_shape)

    @classmethod
    def from_fields(
        cls,
        fields: Mapping[str, Any],
        shape: Any = (),
        nrows: Any = None,
        row_partitions: Sequence[RowPartition] | None = None,
        validate: bool = False,
    ) -> StructuredTensor:
        """Records of these fields.

        Args:
            fields: a value for each name; their first axes are those of `shape`.
            shape: of the records; sizes may be unknown (None), the rank is known.
            nrows: how many records are in the first axis; by default, what the fields say.
            row_partitions: the rows of the other axes; by default, those of the fields.
            validate: whether programs check, when they run, that all fields have the same rows.

        >>> points = tf.experimental.StructuredTensor.from_fields({"x": [1, 2], "y": [3, 4]}, [2])
        >>> points[1].to_pyval()
        {'x': np.int32(2), 'y': np.int32(4)}

        Raises:
            TypeError: `fields` is no mapping, a name is no text, or a value is no tensor.
            ValueError: the rank is unknown, a name is not allowed, the fields do not fit the shape
                or each other, or nothing tells how many records there are.
        """
        known = fields_of.checked_shape(shape)
        values = fields_of.converted(fields)
        fields_of.require_shape(values, known)
        found = fields_of.shape_of(values, known, nrows, row_partitions, validate)
        return cls(values, found)

    @classmethod
    def from_fields_and_rank(
        cls, fields: Mapping[str, Any], rank: int, validate: bool = False, dtype: Any = None
    ) -> StructuredTensor:
        """Records of these fields in the first `rank` axes that the fields have.

        dtype: of the row splits; by default, those of the fields.

        Raises:
            ValueError: there are no fields, `rank` is no number of axes that all of them have, or
                they do not fit each other.
        """
        if not fields:
            raise ValueError("Must provide at least one field")
        if not isinstance(rank, int):
            raise ValueError(f"rank must be an integer, not {rank!r}")
        if rank < 0:
            raise ValueError(f"rank must be nonnegative, not {rank}")
        made = cls.from_fields(fields, [None] * rank, validate=validate)
        return made if dtype is None else made.with_shape_dtype(dtype)

    @classmethod
    def from_shape(cls, ragged_shape: DynamicRaggedShape) -> StructuredTensor:
        """Records without fields."""
        return cls({}, fields_of.in_rows(ragged_shape))

    @classmethod
    def from_pyval(cls, pyval: Any, typespec: Any = None) -> Any:
        """Dicts, in lists or not, as records; what holds no dicts as a tensor, ragged or not.

        typespec: what the result must be; it says dtypes, and how deep empty lists are.

        >>> rows = tf.experimental.StructuredTensor.from_pyval([[{"a": 1}, {"a": 2}], [{"a": 3}]])
        >>> rows.shape, rows.merge_dims(0, 1).to_pyval()
        (TensorShape([2, None]), [{'a': 1}, {'a': 2}, {'a': 3}])

        Raises:
            KeyError: records do not have the same fields.
            ValueError: dicts stand beside other values, or the value is not as `typespec` says.
        """
        return from_python(pyval, typespec, (), cls)

    def to_pyval(self) -> Any:
        """The records as dicts, in lists where there are axes.

        >>> tf.experimental.StructuredTensor.from_pyval({"a": [1, 2], "b": {"c": "x"}}).to_pyval()
        {'a': [1, 2], 'b': {'c': b'x'}}

        Raises:
            ValueError: a function is being traced, which knows no values.
        """
        if context.building_graph():
            raise ValueError("StructuredTensor.to_pyval() is only supported in eager mode.")
        return to_python(self)

    @property
    def shape(self) -> TensorShape:
        """The sizes of the axes of the records, None for those that are ragged or unknown."""
        return RaggedShapeSpec.from_value(self._axes).shape

    @property
    def rank(self) -> int:
        """How many axes the records have."""
        return self._axes.rank or 0

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The rows of all axes after the first, the outermost first."""
        return self._axes.row_partitions

    def nrows(self) -> Any:
        """How many records, or rows of them, the first axis has; None where there are no axes."""
        return self._axes[0] if self.rank else None

    def field_names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._values)

    def field_value(self, field_name: FieldName) -> Any:
        """The tensor of a field; a path of names leads into fields that are records themselves.

        Raises:
            KeyError: there is no such field.
        """
        value: Any = self
        for name in [field_name] if isinstance(field_name, str) else field_name:
            if not isinstance(value, StructuredTensor):
                raise KeyError(f"Field path {field_name!r} leads into {type(value).__name__}")
            if name not in value._values:
                raise KeyError(name)
            value = value._values[name]
        return value

    def with_shape_dtype(self, dtype: Any) -> StructuredTensor:
        """The same records; the sizes and row splits of their axes have this dtype.

        Raises:
            ValueError: it is neither int32 nor int64.
        """
        rows = [one.with_dtype(dtype) for one in self.row_partitions]
        shape = DynamicRaggedShape(rows, self._axes.inner_shape, dtype)
        return type(self)(self._values, shape)

    def with_updates(
        self, updates: Mapping[Any, Any | Callable[[Any], Any] | None], validate: bool = False
    ) -> StructuredTensor:
        """The same records with some fields changed.

        updates: by name, or path of names: a value, a function of the value that is there, or None
        where the field goes.

        >>> one = tf.experimental.StructuredTensor.from_pyval({"a": 1, "b": {"c": 2}})
        >>> one.with_updates({"a": None, ("b", "c"): lambda c: c * 10, ("b", "d"): 3}).to_pyval()
        {'b': {'c': np.int32(20), 'd': np.int32(3)}}

        Raises:
            ValueError: what is to be changed or to go is not there, an update is of a part of what
                another is of, or a value does not fit the records.
        """
        from .updates import updated

        return updated(self, updates, validate)

    def promote(self, source_path: Sequence[str], new_name: str) -> StructuredTensor:
        """The records with a field of their parts as one of their own: a list of all parts'.

        >>> docs = tf.experimental.StructuredTensor.from_pyval(
        ...     [{"lines": [{"words": ["a", "b"]}, {"words": ["c"]}]}, {"lines": []}]
        ... )
        >>> docs.promote(("lines", "words"), "words").field_value("words").to_list()
        [[b'a', b'b', b'c'], []]

        Raises:
            KeyError: there is no such field.
            ValueError: `source_path` is no sequence of at least two names.
        """
        if not isinstance(source_path, list | tuple):
            raise ValueError(f"source_path must be a list or tuple, not {source_path!r}")
        if len(source_path) < 2:
            raise ValueError(f"source_path must have length at least two, not {source_path!r}")
        *above, _, _ = source_path
        value = self.field_value(source_path)
        outer = self.field_value(above).rank
        inner = self.field_value(source_path[:-1]).rank
        rank = value.rank if isinstance(value, StructuredTensor) else value.shape.rank
        if inner > outer and rank > inner:
            value = merged(value, outer, inner)
        return self.with_updates({(*above, new_name): value})

    def merge_dims(self, outer_axis: int, inner_axis: int) -> StructuredTensor:
        """The records with all axes from the one to the other as one.

        Raises:
            ValueError: there are no such axes, or they are in the wrong order.
        """
        return with_merged_axes(self, outer_axis, inner_axis)

    def partition_outer_dimension(self, row_partition: RowPartition) -> StructuredTensor:
        """The records with their first axis divided into rows: one more axis.

        Raises:
            TypeError: `row_partition` is none.
            ValueError: there is no axis.
            InvalidArgumentError: it is of another number of values.
        """
        return partitioned(self, row_partition)

    def __getitem__(self, key: Any) -> Any:
        """Some of the records: an index or slice for each axis, then names of fields.

        Raises:
            KeyError: there is no such field.
            IndexError, InvalidArgumentError: there is no such row.
            TypeError, ValueError: it is no such key, or asks for one column of ragged rows.
        """
        from .slicing import part_of

        return part_of(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self.rank:
            raise ValueError("a StructuredTensor without axes holds one record: nothing to iterate")
        return (self[row] for row in range(int(self.nrows())))

    @property
    def _values(self) -> Mapping[str, Any]:
        return self.__dict__["_fields"]

    @property
    def _axes(self) -> DynamicRaggedShape:
        return self.__dict__["_ragged_shape"]

    def _rows_of_zeros(self) -> Any:
        """A tensor, ragged or not, of the shape of the records."""
        shape = self._axes
        return shape.of(zeros(shape.inner_shape, dtypes.int32))

    def __repr__(self) -> str:
        named = sorted(self._values.items())
        lines = [f'        "{name}": {_text(value)}' for name, value in named]
        fields = ",\n".join(lines) if lines else "        "
        return f"<StructuredTensor(\n    fields={{\n{fields}}},\n    shape={self.shape})>"


# What a record consists of, for the specs of all records: `_fields` of one record are its own.
StructuredTensor._fields = MappingProxyType(
    {"_fields": Mapping[str, Any], "_ragged_shape": DynamicRaggedShape}
)


def _text(value: Any) -> str:
    nested = isinstance(value, StructuredTensor | RaggedBase)
    lines = repr(value) if nested else str(as_tensor(value))
    return lines.replace("\n", "\n            ")
