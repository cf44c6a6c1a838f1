"""What describes records: their fields and their axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.shapes import TensorShape
from ..ragged.ragged_shape import RaggedShapeSpec
from ..ragged.row_partition import RowPartitionSpec


class StructuredSpec:
    """What `StructuredTensor.Spec` has besides what every spec of an extension type has."""

    described_fields: Mapping[str, Any]
    of_fields: Any

    @property
    def ragged_shape(self) -> RaggedShapeSpec:
        """The spec of the shape of the records."""
        return self.described_fields["_ragged_shape"]

    @property
    def fields(self) -> Mapping[str, Any]:
        """The spec of each field."""
        return self.described_fields["_fields"]

    @property
    def shape(self) -> TensorShape:
        """The sizes of the records' axes that are known."""
        return self.ragged_shape.shape

    @property
    def rank(self) -> int:
        """How many axes the records have."""
        return self.shape.rank or 0

    @classmethod
    def _from_shape(cls: Any, shape: RaggedShapeSpec) -> Any:
        return cls.of_fields({"_fields": {}, "_ragged_shape": shape})

    @classmethod
    def _from_fields_and_rank(cls: Any, fields: Mapping[str, Any], rank: int) -> Any:
        if not fields:
            raise ValueError("Must provide at least one field")
        shape = TensorShape([None] * rank)
        for one in fields.values():
            shape = shape.merge_with(one.shape[:rank])
        return cls.of_fields({"_fields": dict(fields), "_ragged_shape": axes_spec(shape)})


def axes_spec(shape: TensorShape, dtype: Any = "int64") -> RaggedShapeSpec:
    """The spec of records of which these sizes are known; None are ragged axes or unknown."""
    sizes = shape.as_list()
    rows: list[RowPartitionSpec] = []
    count = sizes[0] if sizes else None
    for length in sizes[1:]:
        values = None if count is None or length is None else count * length
        rows.append(RowPartitionSpec(count, values, length, dtype))
        count = values
    return RaggedShapeSpec(rows, [count] if sizes else [], dtype)
