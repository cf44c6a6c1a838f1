"""Batches of records, for datasets and maps: batches of their fields."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...core.type_spec import encoded_part, encoder_of, specs_of_part
from ..array.concatenation import stack
from ..array.shapes import shape
from ..extension_type import ExtensionTypeBatchEncoder, single_field, stacked_field
from ..ragged.ragged_shape import DynamicRaggedShape, RaggedShapeSpec
from ..ragged.ragged_tensor import RaggedTensor, RaggedTensorSpec
from ..ragged.row_partition import RowPartitionSpec
from .fields import in_rows


class FieldEncoder(ExtensionTypeBatchEncoder):
    """Records are what is in their fields; of those without fields zeros tell the shape."""

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """The spec of so many values, which are records of one more axis."""
        fields = {name: stacked_field(one, batch_size) for name, one in spec.fields.items()}
        return _spec_like(spec, fields, _stacked_shape(spec.ragged_shape, batch_size))

    def unbatch(self, spec: Any) -> Any:
        """The spec of one row of the records.

        Raises:
            ValueError: they have no axes.
        """
        if not spec.rank:
            raise ValueError("a StructuredTensor without axes is no batch, and has no slices")
        fields = {name: single_field(one) for name, one in spec.fields.items()}
        return _spec_like(spec, fields, _row_shape(spec.ragged_shape))

    def encoding_specs(self, spec: Any) -> Any:
        """The specs of the fields in the order of their names."""
        if not spec.fields:
            return (_zeros_spec(spec),)
        ordered = sorted(spec.fields)
        return tuple([one for name in ordered for one in specs_of_part(spec.fields[name])])

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """The fields' tensors in the order of their names."""
        if not spec.fields:
            return (value._rows_of_zeros(),)
        found: list[Any] = []
        for name in sorted(spec.fields):
            leaf, field = value.field_value(name), spec.fields[name]
            row = not minimum_rank and getattr(field, "ragged_rank", 1) == 0
            found += [_rows_of_one(leaf)] if row else encoded_part(field, leaf, minimum_rank)
        return tuple(found)

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """Records of these fields' tensors."""
        made, rest = spec.value_type, iter(encoded_value)
        if not spec.fields:
            return made(dict(spec.fields), in_rows(DynamicRaggedShape.from_tensor(next(rest))))
        fields: dict[str, Any] = {}
        for name in sorted(spec.fields):
            field = spec.fields[name]
            encoder, count = encoder_of(field), len(specs_of_part(field))
            parts = [next(rest) for _ in range(count)]
            if encoder is None:
                fields[name] = _without_ones(parts[0], field)
            else:
                fields[name] = encoder.decode(field, parts)
        return made.from_fields({name: fields[name] for name in spec.fields}, [None] * spec.rank)


def _rows_of_one(row: Any) -> Any:
    """A tensor that is one row of a ragged one, as a ragged tensor: others may be longer."""
    return RaggedTensor(row, stack([0, shape(row, dtypes.int64)[0]]))


def _without_ones(value: Any, field: Any) -> Any:
    """What `_rows_of_one` made, or a batch of that, without the axis of that one row."""
    more = getattr(value, "ragged_rank", 0) > getattr(field, "ragged_rank", value.shape.rank)
    return value.merge_dims(0, 1) if more else value


def _spec_like(spec: Any, fields: dict[str, Any], shape: RaggedShapeSpec) -> Any:
    return type(spec).of_fields({"_fields": fields, "_ragged_shape": shape})


def _zeros_spec(spec: Any) -> Any:
    rows = spec.ragged_shape.num_row_partitions
    if not rows:
        return TensorSpec(spec.shape, dtypes.int32)
    return RaggedTensorSpec(spec.shape, dtypes.int32, rows, spec.ragged_shape.dtype)


def _stacked_shape(shape: RaggedShapeSpec, size: int | None) -> RaggedShapeSpec:
    if not shape.rank:
        return RaggedShapeSpec((), [size], shape.dtype)
    known = shape.shape.as_list()
    length = known[0]
    values = None if size is None or length is None else size * length
    first = RowPartitionSpec(size, values, length, shape.dtype)
    lengths = [one.uniform_row_length for one in shape.row_partitions]
    rows = [RowPartitionSpec(None, None, one, shape.dtype) for one in lengths]
    return RaggedShapeSpec([first, *rows], [None], shape.dtype)


def _row_shape(shape: RaggedShapeSpec) -> RaggedShapeSpec:
    if not shape.row_partitions:
        return RaggedShapeSpec((), [], shape.dtype)
    length = shape.row_partitions[0].uniform_row_length
    lengths = [one.uniform_row_length for one in shape.row_partitions[1:]]
    rows = [RowPartitionSpec(None, None, one, shape.dtype) for one in lengths]
    return RaggedShapeSpec(rows, [None if rows else length], shape.dtype)
