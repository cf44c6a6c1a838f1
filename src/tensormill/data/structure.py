"""Elements of datasets: nests of tensors and composites, described by nests of specs.

Inside a pipeline an element is a tuple of tensors, its *components*, in the order of `core/tree`.
Tuples, named tuples, dicts and attrs classes are structure; a list becomes a tensor. None stands
for itself and has no components.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..control.tensor_array import TensorArray
from ..control.tensor_array_spec import TensorArraySpec
from ..core import dtypes, tree
from ..core.dtypes import BY_NUMPY_NUMBER, DType
from ..core.files.gfile import text
from ..core.specs import TensorSpec, ValueSpec, VariableSpec
from ..core.type_spec import BatchableTypeSpec, LeafSpec, TypeSpec
from ..core.type_spec import spec_of as own_spec
from ..core.type_spec_names import register
from ..core.values import TensorBase, TensorLike
from ..errors import InvalidArgumentError
from ..ops.conversion import as_tensor
from ..ops.sparse.sparse_tensor import SparseTensorValue, as_sparse

Components = tuple[Any, ...]


@register("tf.NoneTensorSpec")
class NoneTensorSpec(BatchableTypeSpec):
    """Describes None, where a structure has it."""

    __slots__ = ()

    @property
    def value_type(self) -> type[Any]:
        """The class of None."""
        return type(None)

    @classmethod
    def from_value(cls, value: None) -> NoneTensorSpec:
        """What describes None."""
        return cls()

    def most_specific_compatible_shape(self, other: Any) -> Any:
        """`other`, where it describes None too; a ValueError where it does not."""
        if type(other) is not type(self):
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        return other

    def _batch(self, batch_size: int | None) -> NoneTensorSpec:
        return self

    def _unbatch(self) -> NoneTensorSpec:
        return self

    @property
    def _component_specs(self) -> Components:
        return ()

    def _to_components(self, value: Any) -> Components:
        return ()

    def _from_components(self, components: Any) -> None:
        return None

    def _serialize(self) -> Components:
        return ()


# ---------------------------------------------------------------- values


def normalized(element: Any) -> Any:
    """An element with tensors (or composites, or None) at its leaves; a list becomes a tensor.

    Raises:
        TypeError, ValueError: a leaf is nothing that a tensor can hold.
    """
    if element is None or isinstance(element, tree.Composite):
        return element
    if isinstance(element, SparseTensorValue):
        return as_sparse(element)
    if isinstance(element, TensorBase):
        return as_tensor(element)
    node = None if isinstance(element, list) else tree.node_of(element)
    if node is None or isinstance(element, (range, np.ndarray)):
        return as_tensor(element, _dtype_of_arrays(element))
    return node.rebuild(element, [normalized(child) for child in node.children(element)])


def _dtype_of_arrays(element: Any) -> DType | None:
    """The dtype of all arrays in lists of nothing else: it is kept, where a list of images of
    uint8 would be one of int32 otherwise, as `tf.constant` makes it.
    """
    if not isinstance(element, list):
        return None
    found: set[Any] = set()
    lists: list[Any] = [element]
    for one in lists:  # which grows
        for item in one:
            if isinstance(item, list):
                lists.append(item)
            else:
                found.add(item.dtype if type(item) is np.ndarray else None)
    only = found.pop() if len(found) == 1 else None
    return None if only is None else BY_NUMPY_NUMBER.get(only.num)


def spec_of(element: Any) -> Any:
    """The spec of a normalized element."""
    return tree.map_structure(_spec_of_leaf, element)


def _spec_of_leaf(leaf: Any) -> Any:
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, tree.Composite):
        return leaf._type_spec
    return TensorSpec(leaf.shape, leaf.dtype)


def components_of(element: Any, spec: Any) -> Components:
    """The components of a value that `spec` describes; Python values are converted.

    Raises:
        TypeError, ValueError: it is built otherwise than the spec.
    """
    found: list[Any] = []
    _collect(element, spec, found)
    return tuple(found)


def _collect(element: Any, spec: Any, found: list[Any]) -> None:
    if isinstance(spec, LeafSpec):
        found.append(as_tensor(element, spec.dtype) if isinstance(spec, TensorSpec) else element)
        return
    if isinstance(spec, TypeSpec):
        inner: Any = spec
        _collect(inner._to_components(element), inner._component_specs, found)
        return
    node, other = tree.node_of(spec), tree.node_of(element)
    if node is None or other is None or len(node.keys(spec)) != len(other.keys(element)):
        raise ValueError(f"the element {element!r} is not built like {spec!r}")
    for one, inner in zip(other.children(element), node.children(spec), strict=True):
        _collect(one, inner, found)


# ---------------------------------------------------------------- specs


def flat_specs(spec: Any) -> tuple[ValueSpec, ...]:
    """The specs of the components."""
    found = tree.flatten(spec, expand_composites=True)
    for leaf in found:
        if not isinstance(leaf, LeafSpec):
            raise TypeError(f"{leaf!r} of type {type(leaf).__name__} is no spec of an element")
    return tuple(found)


def packer(spec: Any) -> Callable[[Components], Any]:
    """What makes the structured element out of its components."""
    if isinstance(spec, LeafSpec):
        return _first
    if type(spec) is tuple and all(isinstance(one, LeafSpec) for one in spec):
        return _itself
    return lambda components: _packed(spec, iter(components))


def _first(components: Components) -> Any:
    return components[0]


def _itself(components: Components) -> Any:
    return components


def _packed(spec: Any, rest: Any) -> Any:
    if isinstance(spec, LeafSpec):
        return next(rest)
    if isinstance(spec, TypeSpec):
        inner: Any = spec
        return inner._from_components(_packed(inner._component_specs, rest))
    node = tree.node_of(spec)
    assert node is not None
    return node.rebuild(spec, [_packed(child, rest) for child in node.children(spec)])


def batched(spec: Any, size: int | None) -> Any:
    """The spec of a batch of elements."""
    return tree.map_structure(lambda leaf: _batchable(leaf, "batched")._batch(size), spec)


def unbatched(spec: Any) -> Any:
    """The spec of one element of a batch.

    Raises:
        ValueError: a component is a scalar, or a dataset.
    """
    return tree.map_structure(lambda leaf: _batchable(leaf, "sliced")._unbatch(), spec)


def _batchable(leaf: Any, what: str) -> Any:
    """Raises:
    TypeError: the spec does not say what describes several, or one, of its values.
    """
    if hasattr(leaf, "_batch" if what == "batched" else "_unbatch"):
        return leaf
    raise TypeError(
        f"{leaf!r} cannot be {what}: only tensors can, ragged and sparse ones included, types that "
        "extend tf.experimental.BatchableExtensionType, and those whose spec extends "
        "BatchableTypeSpec"
    )


def batch_sizes(spec: Any) -> list[int | None]:
    """The first size of every component that has one."""
    return [
        leaf.shape.entries[0] if leaf.shape.entries else None
        for leaf in flat_specs(spec)
        if isinstance(leaf, TensorSpec)
    ]


def are_dense(spec: Any) -> bool:
    """Whether each component is by itself a tensor of the element."""
    return all(isinstance(leaf, (LeafSpec, NoneTensorSpec)) for leaf in tree.flatten(spec))


def require_comparable(spec: Any) -> None:
    """Raises what `unique` raises for elements that it cannot compare."""
    leaves = tree.flatten(spec)
    for leaf in leaves:
        dtype = getattr(leaf, "dtype", None)
        if dtype not in (dtypes.int32, dtypes.int64, dtypes.string):
            kind = leaf if dtype is None else dtype.name
            raise TypeError(
                "`Dataset.unique` compares tensors of int32, int64 or strings, but elements have a "
                f"component of {kind}: `map` the dataset to what tells elements apart"
            )
    if len(leaves) != 1 or not isinstance(leaves[0], TensorSpec):
        raise InvalidArgumentError(
            f"`Dataset.unique` compares elements of a single tensor, but they are {spec}: `map` "
            "the dataset to what tells elements apart"
        )


def relaxed(first: Any, second: Any) -> Any:
    """The most specific spec that describes what either describes.

    Raises:
        TypeError: the two are built differently, or dtypes differ.
    """
    try:
        tree.assert_same_structure(first, second)
        return tree.map_structure(_relaxed_leaf, first, second)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Incompatible dataset elements: {first} and {second} ({error})") from None


def _relaxed_leaf(one: Any, other: Any) -> Any:
    one, other = (_plain(leaf) for leaf in (one, other)) if one != other else (one, other)
    common = one.most_specific_common_supertype([other])
    if common is None:
        raise TypeError(f"{one!r} and {other!r} have nothing in common")
    return common


def _plain(leaf: Any) -> Any:
    """A tensor's spec for a ragged one's without ragged axes: its values are tensors."""
    if getattr(leaf, "ragged_rank", None) == 0:
        return TensorSpec(leaf.shape, leaf.dtype)
    return leaf


def blank_array(spec: ValueSpec) -> Any:
    """Some array for a component that is not there: unknown sizes are 0."""
    assert isinstance(spec, TensorSpec)
    dims = tuple(size or 0 for size in spec.shape.entries or ())
    if spec.dtype is dtypes.string:
        return np.full(dims, b"", object)
    return np.zeros(dims, spec.dtype.storage)


def as_specs(signature: Any, what: str) -> Any:
    """A nest of specs, as users give it.

    Raises:
        TypeError: a leaf is no spec.
    """
    for leaf in tree.flatten(signature):
        if not isinstance(leaf, TypeSpec):
            raise TypeError(f"{what} must contain objects that are `tf.TypeSpec`, got {leaf!r}")
    return signature


def specs_from(types: Any, shapes: Any = None) -> Any:
    """Specs from a nest of dtypes and one of shapes (None: unknown)."""
    if shapes is None:
        return tree.map_structure(lambda dtype: TensorSpec(None, dtypes.as_dtype(dtype)), types)
    listed = tree.flatten_up_to(types, shapes, check_types=False)
    flat: Sequence[Any] = tree.flatten(types)
    pairs = zip(listed, flat, strict=True)
    return tree.pack_sequence_as(
        types, [TensorSpec(shape, dtypes.as_dtype(dtype)) for shape, dtype in pairs]
    )


def static_number(tensor: Any) -> int | None:
    """The number in a scalar integer tensor, where it is known now."""
    if not tensor.symbolic:
        return int(tensor) if tensor.shape.rank == 0 else None
    value = tensor._known.value
    return None if value is None else int(value)


def as_int64(value: Any) -> Any:
    """A number of elements, or several, as operations take them."""
    return as_tensor(value, dtypes.int64)


def path_of(name: Any) -> str:
    """The path that a string, bytes, a path object or a string scalar says."""
    if isinstance(name, (str, bytes, os.PathLike)):
        return text(name)
    scalar = as_tensor(name, dtypes.string)
    if scalar.shape.rank != 0:
        raise InvalidArgumentError(f"a path is a scalar, not of shape {scalar.shape}")
    return text(scalar.numpy())


# ---------------------------------------------------------------- specs of any value


def type_spec_from_value(value: Any) -> TypeSpec:
    """The spec of a tensor, a variable, a composite, a TensorArray, None, or of what becomes a
    tensor.

    >>> tf.type_spec_from_value([[1, 2], [3, 4]])
    TensorSpec(shape=(2, 2), dtype=tf.int32, name=None)

    Raises:
        TypeError: nothing describes such a value.
    """
    found = None if isinstance(value, TypeSpec) else own_spec(value)
    if found is not None:
        return found
    if value is None:
        return NoneTensorSpec()
    if isinstance(value, TensorArray):
        return TensorArraySpec.from_value(value)
    if isinstance(value, TensorLike):
        if hasattr(value, "handle"):
            trainable = getattr(value, "trainable", True)
            return VariableSpec(value.shape, value.dtype, trainable)
        return TensorSpec(value.shape, value.dtype)
    try:
        tensor = as_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} of unsupported type {type(value)}."
        ) from error
    return TensorSpec(tensor.shape, tensor.dtype)
