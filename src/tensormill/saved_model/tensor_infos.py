"""TensorInfos: what signatures say of tensors, and of the parts of sparse and ragged ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..core.specs import TensorSpec
from ..core.tree import Composite, flatten, pack_sequence_as
from ..core.type_spec import TypeSpec
from ..graph.proto.messages import message
from ..graph.proto.structured import decoded, encoded
from ..graph.proto.values import dtype_of, shape_of, shape_proto
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorSpec

_PARTS_OF_SPARSE: Final = ("indices", "values", "dense_shape")


def describe(info: Any, names: Iterator[str], value: Any) -> None:
    """Fill the TensorInfo of an input or output, whose parts are the next of `names`."""
    if isinstance(value, Composite):
        _describe_parts(info, names, value)
        return
    info.name = next(names)
    _describe_tensor(info, value)


def _describe_parts(info: Any, names: Iterator[str], value: Any) -> None:
    if isinstance(value, SparseTensor):
        parts = info.coo_sparse
        parts.indices_tensor_name, parts.values_tensor_name = next(names), next(names)
        parts.dense_shape_tensor_name = next(names)
        _describe_tensor(info, value)
        return
    composite = info.composite_tensor
    composite.type_spec.CopyFrom(encoded(value._type_spec).type_spec_value)
    for part in flatten(value, expand_composites=True):
        describe(composite.components.add(), names, part)


def _describe_tensor(info: Any, tensor: Any) -> None:
    info.dtype = tensor.dtype.as_datatype_enum
    info.tensor_shape.CopyFrom(shape_proto(tensor.shape))


class NamedPart(NamedTuple):
    """A tensor of a graph, and what callers call it."""

    keyword: str
    tensor: str


def parts_of(info: Any, keyword: str) -> list[NamedPart]:
    """The tensors that a TensorInfo names: one, or the parts of a composite one."""
    kind = info.WhichOneof("encoding")
    if kind == "coo_sparse":
        sparse = info.coo_sparse
        return [
            NamedPart(f"{keyword}_{part}", getattr(sparse, f"{part}_tensor_name"))
            for part in _PARTS_OF_SPARSE
        ]
    if kind == "composite_tensor":
        return [
            part
            for number, component in enumerate(info.composite_tensor.components)
            for part in parts_of(component, f"{keyword}_component_{number}")
        ]
    return [NamedPart(keyword, info.name)]


def spec_of(info: Any, name: str) -> TypeSpec:
    """The spec of the tensor, sparse tensor or other composite that a TensorInfo describes."""
    kind = info.WhichOneof("encoding")
    if kind == "composite_tensor":
        return decoded(message("StructuredValue")(type_spec_value=info.composite_tensor.type_spec))
    if kind == "coo_sparse":
        return SparseTensorSpec(shape_of(info.tensor_shape), dtype_of(info.dtype))
    return TensorSpec(shape_of(info.tensor_shape), dtype_of(info.dtype), name)


def put_together(info: Any, parts: Sequence[Any]) -> Any:
    """What a TensorInfo describes, of the tensors that `parts_of` names."""
    if info.WhichOneof("encoding") == "coo_sparse":
        return SparseTensor.of_parts(*parts)
    if info.WhichOneof("encoding") == "composite_tensor":
        return pack_sequence_as(spec_of(info, ""), parts, expand_composites=True)
    return parts[0]
