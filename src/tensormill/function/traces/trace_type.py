"""What a call's arguments are to tracing: the key under which its trace is found again.

A key says of every tensor its dtype and shape, and of everything else which value it has. Keys are
plain tuples: hashing and comparing them runs in C.

    tensor            TensorKey(dtype, dims)               never its value
    variable          VariableKey(..., alias)              which arguments are the same variable
    1, 'a', None      LiteralKey(type, value)              True is not 1, -0.0 is not 0.0
    [x, y], {'a': x}  ContainerKey(kind, parts)
    SparseTensor, ... CompositeKey(spec)                   never the values of its tensors
    tracing protocol  UserKey(trace type)                  as the class says
    other objects     by equality or identity: object_keys.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np

from ...core import context
from ...core.dtypes import BY_ENUM
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape
from ...core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, TypeSpec, ValueSpec
from ...core.tracing_protocol import trace_type_of
from ...core.trackable import Trackable
from ...core.tree import Composite, flatten
from ...core.type_spec import spec_of
from ...core.values import TensorLike
from ...eager.arrays import to_array
from ...eager.tensor import EagerTensor, Tensor, wrap
from ...graph.payload import payload_of, spec_of_payload
from ..signature.containers import open_container
from .object_keys import EqualKey, MethodKey, ObjectKey, object_key

Dims = tuple[int | None, ...] | None
Key = TypeVar("Key")


class TensorKey(NamedTuple):
    """A tensor: `dtype` is TensorFlow's number of it."""

    dtype: int
    dims: Dims


class VariableKey(NamedTuple):
    """`alias` numbers the distinct variables of a call in the order of their appearance."""

    dtype: int
    dims: Dims
    trainable: bool
    alias: int


class HandleKey(NamedTuple):
    """A bare handle or list value, as a tensor."""

    spec: ValueSpec


class LiteralKey(NamedTuple):
    """A value that is a constant of the trace."""

    type: Any
    value: Any


class UserKey(NamedTuple):
    """A value whose class says its trace type."""

    trace_type: Any


class ContainerKey(NamedTuple):
    """A list, dict or the like, and the keys of what it holds.

    The kind of a mapping is `(Mapping, labels, class, order)`: the body may depend on the order.
    """

    kind: Any
    parts: tuple[Any, ...]


class CompositeKey(NamedTuple):
    """A value of several tensors: its spec says which, and what is fixed of them."""

    spec: TypeSpec


_BY_VALUE: Final = (int, bool, str, bytes, type(None), range, type(Ellipsis), type(NotImplemented))


class Encoder:
    """Encodes the arguments of one call; `leaves` are its tensors and variables, in order."""

    __slots__ = ("_aliases", "_allows_specs", "leaves")

    def __init__(self, allows_specs: bool = False) -> None:
        self.leaves: list[Any] = []
        self._aliases: dict[int, int] = {}
        self._allows_specs = allows_specs

    def encode(self, value: Any) -> Any:
        """The key of one argument.

        Raises:
            TypeError: the value can neither be compared by value nor opened.
            ValueError: a spec where a call needs a value.
        """
        kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is EagerTensor:
            self.leaves.append(value)
            array = value._array  # pyright: ignore[reportPrivateUsage]
            return TensorKey(value.dtype.as_datatype_enum, array.shape)
        if kind in _BY_VALUE:
            return LiteralKey(kind, value)
        if kind is float or kind is complex:
            return LiteralKey(kind, _number(value))
        if kind is list or kind is tuple:
            return ContainerKey(kind, tuple([self.encode(part) for part in value]))
        if kind is dict:
            return self._dict(value)
        return self._other(value)

    def _dict(self, value: dict[Any, Any]) -> Any:
        """`container` without what a plain dict does not need."""
        try:
            labels = sorted(value)
        except TypeError:
            return self.container(value)
        order = tuple(value)
        parts = tuple([self.encode(value[label]) for label in labels])
        return ContainerKey((Mapping, tuple(labels), dict, order), parts)

    def container(self, value: Any) -> Any:
        """The key of anything that has parts.

        Raises:
            TypeError: a mapping whose keys have no order, or that cannot be rebuilt.
        """
        opened = open_container(value)
        assert opened is not None
        kind = opened.kind
        if type(kind) is tuple and kind[0] is Mapping:
            cls = dict if issubclass(value.__class__, Trackable) else value.__class__
            kind = (*cast(tuple[Any, ...], kind), cls, tuple(value))
        return ContainerKey(kind, tuple([self.encode(part) for part in opened.parts]))

    def _other(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, TensorLike):
            return self._variable(value) if value.is_one_tensor else ObjectKey(value)
        if is_array(value):
            return self.encode(wrap(to_array(value)))
        if isinstance(value, np.str_):
            return LiteralKey(str, str(value))
        if isinstance(value, TypeSpec):
            return self._spec(value)
        if hasattr(value, "__tf_tracing_type__") and open_container(value) is None:
            return self._user(value)
        if isinstance(value, Composite) and (spec := spec_of(value)) is not None:
            return self._composite(value, spec)
        if open_container(value) is not None:
            return self.container(value)
        return object_key(value)

    def _composite(self, value: Composite, spec: TypeSpec) -> Any:
        """By its spec; one with variables by its parts, of which some may be the same variable."""
        components = value._component_tensors()  # pyright: ignore[reportPrivateUsage]
        if any(isinstance(one, TensorLike) and not isinstance(one, Tensor) for one in components):
            return self.container(value)
        for component in components:
            self.encode(component)
        return CompositeKey(spec)

    def _user(self, value: Any) -> Any:
        found = trace_type_of(value, self)
        for tensor in found.to_tensors(value):
            self.encode(tensor)
        return UserKey(found)

    def _tensor(self, value: Any) -> Any:
        if value.symbolic and not context.building_graph() and not self._allows_specs:
            raise value.out_of_scope()
        self.leaves.append(value)
        if value.dtype.is_numpy_compatible:
            return TensorKey(value.dtype.as_datatype_enum, value.shape.entries)
        spec = value._known.spec if value.symbolic else spec_of_payload(payload_of(value))
        return HandleKey(spec)

    def _variable(self, value: Any) -> Any:
        identity = id(storage_of(value))
        alias = self._aliases.get(identity)
        if alias is None:
            alias = self._aliases[identity] = len(self._aliases)
            self.leaves.append(value)
        return VariableKey(
            value.dtype.as_datatype_enum, value.shape.entries, bool(value.trainable), alias
        )

    def _spec(self, spec: Any) -> Any:
        if not self._allows_specs:
            raise ValueError(
                f"got {spec!r}, an argument of the unsupported type {type(spec).__name__}: a call "
                "takes values; get_concrete_function takes specs"
            )
        if spec.is_composite:
            self.leaves += flatten(spec, expand_composites=True)
            return CompositeKey(spec)
        self.leaves.append(spec)
        if isinstance(spec, TensorSpec):
            return TensorKey(spec.dtype.as_datatype_enum, spec.shape.entries)
        if isinstance(spec, ResourceSpec):
            alias = self._aliases.setdefault(id(spec), len(self._aliases))
            return VariableKey(
                spec.state.dtype.as_datatype_enum, spec.state.shape.entries, spec.trainable, alias
            )
        if isinstance(spec, (ObjectSpec, ListSpec)):
            return HandleKey(spec)
        raise TypeError(f"cannot trace an argument described by {spec!r}")


def is_array(value: Any) -> bool:
    """Whether NumPy's `value` is a tensor: `np.str_` is a Python string, as in TensorFlow."""
    return isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.str_)


def storage_of(variable: Any) -> Any:
    """What makes two variables the same: the storage, or the symbolic handle in a trace."""
    handle = variable.handle
    return handle if handle.symbolic else payload_of(handle)


def _number(value: Any) -> Any:
    """A float or complex so that nan equals nan and -0.0 differs from 0.0."""
    return value if value == value and value else repr(value)


# ---------------------------------------------------------------- what keys say about each other


def leaf_keys(key: Any) -> Iterator[TensorKey | VariableKey | HandleKey]:
    """The keys of the leaves that a call passes, in order; a variable only where it is new."""
    seen: set[int] = set()
    for leaf in _all_leaf_keys(key):
        if isinstance(leaf, VariableKey):
            if leaf.alias in seen:
                continue
            seen.add(leaf.alias)
        yield leaf


def _all_leaf_keys(key: Any) -> Iterator[TensorKey | VariableKey | HandleKey]:
    if isinstance(key, (TensorKey, VariableKey, HandleKey)):
        yield key
    elif isinstance(key, CompositeKey):
        for spec in flatten(key.spec, expand_composites=True):
            yield _key_of_component(spec)
    elif isinstance(key, UserKey):
        for spec in key.trace_type.flatten():
            yield _key_of_component(spec)
    elif isinstance(key, ContainerKey):
        for part in key.parts:
            yield from _all_leaf_keys(part)
    elif type(key) is tuple:
        for part in cast(tuple[Any, ...], key):
            yield from _all_leaf_keys(part)


def _key_of_component(spec: ValueSpec) -> TensorKey | HandleKey:
    if isinstance(spec, TensorSpec):
        return TensorKey(spec.dtype.as_datatype_enum, spec.shape.entries)
    return HandleKey(spec)


def composite_specs(key: Any) -> Iterator[TypeSpec]:
    """The specs of the composites that a call passes, in order."""
    for found in _keys_of((CompositeKey, ContainerKey), key):
        if isinstance(found, CompositeKey):
            yield found.spec
        elif isinstance(found.kind, TypeSpec):  # a composite with variables
            yield found.kind


def user_types(key: Any) -> Iterator[Any]:
    """The trace types that values of a call said themselves, in order."""
    return (found.trace_type for found in _keys_of((UserKey,), key))


def _keys_of(sorts: tuple[type[Key], ...], key: Any) -> Iterator[Key]:
    if isinstance(key, sorts):
        yield key
    if isinstance(key, ContainerKey):
        for part in key.parts:
            yield from _keys_of(sorts, part)
    elif type(key) is tuple:
        for part in cast(tuple[Any, ...], key):
            yield from _keys_of(sorts, part)


def spec_of_key(key: TensorKey | VariableKey | HandleKey, name: str | None = None) -> ValueSpec:
    """What a graph knows of the parameter for this leaf."""
    if isinstance(key, HandleKey):
        return key.spec
    spec = TensorSpec(TensorShape(key.dims), BY_ENUM[key.dtype], name)
    return ResourceSpec(spec, key.trainable) if isinstance(key, VariableKey) else spec


def is_more_general(wide: Any, narrow: Any) -> bool:
    """Whether a trace for the key `wide` may serve a call with the key `narrow`."""
    if type(wide) is not type(narrow):
        return False
    match wide:
        case TensorKey() | VariableKey():
            return _without_dims(wide) == _without_dims(narrow) and _covers(wide.dims, narrow.dims)
        case CompositeKey():
            return narrow.spec.is_subtype_of(wide.spec)
        case ContainerKey():
            return wide.kind == narrow.kind and _all_more_general(wide.parts, narrow.parts)
        case UserKey():
            return wide == narrow or narrow.trace_type.is_subtype_of(wide.trace_type)
        case HandleKey(spec=ObjectSpec() as spec):
            return spec.covers(narrow.spec)
        case LiteralKey() | HandleKey() | ObjectKey() | EqualKey() | MethodKey():
            return wide == narrow
        case _:
            return _all_more_general(wide, narrow)


def _all_more_general(wide: Sequence[Any], narrow: Sequence[Any]) -> bool:
    return len(wide) == len(narrow) and all(map(is_more_general, wide, narrow))


def _without_dims(key: TensorKey | VariableKey) -> Any:
    return key._replace(dims=())


def _covers(wide: Dims, narrow: Dims) -> bool:
    return TensorShape(narrow).is_subtype_of(TensorShape(wide))


def relaxed(new: Any, old: Any) -> Any:
    """The least general key that covers both, or None where only equal parts could be covered."""
    if type(new) is not type(old):
        return None
    match new:
        case TensorKey() | VariableKey():
            if _without_dims(new) != _without_dims(old):
                return None
            return new._replace(dims=TensorShape(new.dims).relax(TensorShape(old.dims)).entries)
        case CompositeKey():
            spec = new.spec.most_specific_common_supertype([old.spec])
            return None if spec is None else CompositeKey(spec)
        case UserKey():
            found = new.trace_type.most_specific_common_supertype([old.trace_type])
            return None if found is None else UserKey(found)
        case ContainerKey():
            parts = _all_relaxed(new.parts, old.parts) if new.kind == old.kind else None
            return None if parts is None else ContainerKey(new.kind, parts)
        case LiteralKey() | HandleKey() | ObjectKey() | EqualKey() | MethodKey():
            return new if new == old else None
        case _:
            return _all_relaxed(new, old)


def _all_relaxed(new: Sequence[Any], old: Sequence[Any]) -> tuple[Any, ...] | None:
    if len(new) != len(old):
        return None
    parts = tuple(map(relaxed, new, old))
    return None if None in parts else parts


def lasting_key(key: Any) -> Any:
    """A key of one call as a trace may keep it: without what only this call holds."""
    if isinstance(key, (EqualKey, MethodKey)):
        return key.kept()
    if isinstance(key, ContainerKey):
        return key._replace(parts=tuple(map(lasting_key, key.parts)))
    return tuple(map(lasting_key, cast(tuple[Any, ...], key))) if type(key) is tuple else key


def has_unknown_dims(key: Any) -> bool:
    """Whether a trace for this key may serve calls with other keys."""
    if isinstance(key, (CompositeKey, UserKey)):
        return True
    if isinstance(key, (TensorKey, VariableKey)):
        return key.dims is None or None in key.dims
    if isinstance(key, HandleKey):
        return isinstance(key.spec, ObjectSpec)
    if isinstance(key, ContainerKey):
        return any(map(has_unknown_dims, key.parts))
    return type(key) is tuple and any(map(has_unknown_dims, cast(tuple[Any, ...], key)))
