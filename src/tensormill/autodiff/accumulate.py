"""Adding up the gradients that reach one tensor from the places where it was used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import dtypes
from ..core.specs import ListSpec
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.lists.list_elements import ListElements, TensorListAdd, element_of, shape_operand
from ..ops.lists.whole_lists import from_tensor, stack
from ..ops.op import REGISTRY


def total(parts: Sequence[Any]) -> Any:
    """The sum of gradients: a tensor or a list; still sparse where all of them are."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if type(first) is ListElements or first.dtype is dtypes.variant:
        return _total_list(parts)
    sparse = [part for part in parts if isinstance(part, IndexedSlices)]
    if len(sparse) == len(parts):
        return _joined(sparse)
    result = None
    for part in parts:
        if not isinstance(part, IndexedSlices):
            result = part if result is None else bind(REGISTRY["AddV2"], result, part)
    for part in sparse:
        result = _with_slices_added(result, part)
    return result


def _total_list(parts: Sequence[Any]) -> Any:
    result = elements = None
    for part in parts:
        if type(part) is ListElements:
            elements = part if elements is None else elements.and_those_of(part)
        else:
            result = part if result is None else _lists_added(result, part)
    if result is None or elements is None:
        return elements if result is None else result
    return elements.added_to(result)


def _lists_added(one: Any, other: Any) -> Any:
    """As tensors, where the shape of elements is known: compiled code has loops for these."""
    spec: Any = one._known.spec if one.symbolic else one._array.spec
    if not isinstance(spec, ListSpec):
        raise LookupError(
            f"gradients by a value of kind {spec.short} that is used twice cannot be added: make "
            "the value once for each use"
        )
    element = element_of(one)
    if not element.shape.is_fully_defined():
        return bind(TensorListAdd, one, other)
    shape = shape_operand(element.shape)
    dense = [stack(items, element.dtype, shape) for items in (one, other)]
    return from_tensor(bind(REGISTRY["AddV2"], *dense))


def _joined(parts: Sequence[IndexedSlices]) -> IndexedSlices:
    """The rows of all; rows of equal index add up when they become dense."""
    indices = [part.indices for part in parts]
    if any(one.dtype is not indices[0].dtype for one in indices):
        indices = [bind(REGISTRY["Cast"], one, DstT=dtypes.int64) for one in indices]
    values = bind(REGISTRY["ConcatV2"], [part.values for part in parts], 0)
    shape = next((part.dense_shape for part in parts if part.dense_shape is not None), None)
    return IndexedSlices(values, bind(REGISTRY["ConcatV2"], indices, 0), shape)


def _with_slices_added(dense: Any, slices: IndexedSlices) -> Any:
    """Rows added in place where compiled code may: a loop that gathers stays linear."""
    from ..ops.array.scatter import TensorScatterAdd  # few programs have such gradients

    places = bind(REGISTRY["ExpandDims"], slices.indices, -1)
    return bind(TensorScatterAdd, dense, places, slices.values)


def as_dense(gradient: Any) -> Any:
    """`gradient` as a tensor; None stays None."""
    if isinstance(gradient, IndexedSlices):
        return as_tensor(gradient)
    if type(gradient) is ListElements:
        return gradient.added_to(None)
    return gradient
