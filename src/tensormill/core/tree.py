"""Nested structures: lists, tuples, named tuples, mappings and classes that say what they contain.

Everything else is a leaf, strings, arrays and tensors included. Mappings are walked in the order of
their sorted keys, whatever order they have themselves.

A class takes part by `__tf_flatten__(self) -> (metadata, components)` and the class method
`__tf_unflatten__(metadata, components)`; a `Composite` only where composites are to be expanded,
and likewise the spec of one: it opens into the specs of the parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MappingView, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

from .type_spec import TypeSpec

Path = tuple[Any, ...]
Leaf = tuple[Path, Any]


class Composite:
    """A value that is several tensors to the library and one to its users.

    `_type_spec` describes it; what has none (None) says itself what it consists of.
    """

    __slots__ = ()

    @property
    def _type_spec(self) -> Any:
        return None

    def _component_tensors(self) -> tuple[Any, ...]:
        """The tensors (or None) that it consists of."""
        spec = self._type_spec
        if spec is None:
            raise TypeError(f"{type(self).__name__} does not say what it consists of")
        return tuple(flatten(spec._to_components(self), expand_composites=True))

    def _with_component_tensors(self, components: Sequence[Any]) -> Any:
        """The same kind of value around other tensors."""
        spec = self._type_spec
        if spec is None:
            raise TypeError(f"{type(self).__name__} does not say how it is made")
        return composite_of(spec, components)

    @property
    def _is_complete(self) -> bool:
        """Whether it is known what it consists of."""
        return True

    def _completed_by(self, later: Any) -> Any:
        """This value, which is not complete, knowing what `later` in its place consists of."""
        return self

    def _differentiated(self) -> tuple[Any, ...]:
        """Those of its tensors through which gradients flow.

        Raises:
            ValueError: that is not known of values of its kind.
        """
        raise ValueError(
            f"Type {type(self).__name__} is not supported as a gradient source or gradient target: "
            "take the gradients of the tensors that it consists of"
        )

    def _with_gradients(self, gradients: Sequence[Any]) -> Any:
        """This value around a gradient for each of what `differentiated` gives."""
        raise TypeError(f"{type(self).__name__} does not say how its gradients are put together")

    def _component_layout(self) -> Hashable:
        """What must be equal, besides the class, where one value's components may be another's."""
        return None


class OneTensor(Composite):
    """A composite that is one tensor to whoever asks for its gradient."""

    __slots__ = ()

    def _differentiated(self) -> tuple[Any, ...]:
        return (self,)

    def _with_gradients(self, gradients: Sequence[Any]) -> Any:
        (gradient,) = gradients
        return gradient


def composite_of(spec: Any, components: Sequence[Any]) -> Any:
    """The value that `spec` describes around these tensors."""
    parts = pack_sequence_as(spec._component_specs, components, expand_composites=True)
    return spec._from_components(parts)


class StructureKind(Protocol):
    """How one kind of structure is taken apart and put together again."""

    def keys(self, value: Any) -> list[Any]: ...
    def children(self, value: Any) -> list[Any]: ...
    def rebuild(self, value: Any, children: list[Any]) -> Any: ...


class SequenceNode:
    """Lists, tuples, deques; ranges and dict views become lists."""

    def keys(self, value: Any) -> list[Any]:
        return list(range(len(value)))

    def children(self, value: Any) -> list[Any]:
        return list(value)

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        if isinstance(value, (range, MappingView)):
            return children
        return type(value)(children)


class NamedTupleNode:
    """Tuples with field names."""

    def keys(self, value: Any) -> list[Any]:
        return list(value._fields)

    def children(self, value: Any) -> list[Any]:
        return list(value)

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        return type(value)(*children)


class MappingNode:
    """Dicts and their like, walked by sorted key; a copy has the key order of the original."""

    def keys(self, value: Any) -> list[Any]:
        try:
            return sorted(value)
        except TypeError as error:
            raise TypeError(
                f"the keys {list(value)} of a mapping cannot be sorted: {error}"
            ) from None

    def children(self, value: Any) -> list[Any]:
        return [value[key] for key in self.keys(value)]

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        by_key = dict(zip(self.keys(value), children, strict=True))
        ordered = {key: by_key[key] for key in value}
        if isinstance(value, defaultdict):
            return self.defaultdict(value, ordered)
        return ordered if type(value) is dict else type(value)(ordered)

    def defaultdict(self, value: Any, ordered: dict[Any, Any]) -> Any:
        return type(value)(value.default_factory, ordered)


class FlattenNode:
    """Classes with `__tf_flatten__` and `__tf_unflatten__`."""

    def keys(self, value: Any) -> list[Any]:
        return list(range(len(self.children(value))))

    def children(self, value: Any) -> list[Any]:
        return list(value.__tf_flatten__()[1])

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        return value.__tf_unflatten__(value.__tf_flatten__()[0], tuple(children))


class AttrsNode:
    """Classes made by the attrs library."""

    def keys(self, value: Any) -> list[Any]:
        return [field.name for field in value.__attrs_attrs__]

    def children(self, value: Any) -> list[Any]:
        return [getattr(value, name) for name in self.keys(value)]

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        return type(value)(*children)


class CompositeNode:
    """Composites, where they are to be expanded; absent parts are left out."""

    def keys(self, value: Any) -> list[Any]:
        return list(range(len(self.children(value))))

    def children(self, value: Any) -> list[Any]:
        return [part for part in value._component_tensors() if part is not None]

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        rest = iter(children)
        return value._with_component_tensors(
            [None if part is None else next(rest) for part in value._component_tensors()]
        )


class SpecNode:
    """Specs of composites, where those are to be expanded; they rebuild the composite."""

    def keys(self, value: Any) -> list[Any]:
        return list(range(len(self.children(value))))

    def children(self, value: Any) -> list[Any]:
        return flatten(value._component_specs, expand_composites=True)

    def rebuild(self, value: Any, children: list[Any]) -> Any:
        return composite_of(value, children)


SEQUENCE, NAMED_TUPLE, MAPPING = SequenceNode(), NamedTupleNode(), MappingNode()
FLATTEN, ATTRS, COMPOSITE, SPEC = FlattenNode(), AttrsNode(), CompositeNode(), SpecNode()


@lru_cache(1024)
def _node_of_type(cls: Any, expand_composites: bool) -> StructureKind | None:
    if issubclass(cls, (str, bytes, bytearray, memoryview)):
        return None
    if issubclass(cls, Composite):
        return COMPOSITE if expand_composites else None
    if issubclass(cls, TypeSpec):
        return SPEC if expand_composites and cls.is_composite else None
    if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
        return FLATTEN
    if hasattr(cls, "__attrs_attrs__"):
        return ATTRS
    if issubclass(cls, (Mapping, MappingProxyType)):
        return MAPPING
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        return NAMED_TUPLE
    return SEQUENCE if issubclass(cls, (Sequence, MappingView)) else None


def node_of(value: Any, expand_composites: bool = False) -> StructureKind | None:
    """How `value` is taken apart; None for a leaf."""
    return _node_of_type(value.__class__, expand_composites)


def is_nested(seq: Any) -> bool:
    """Whether `seq` is no leaf: lists, tuples and mappings are structures, strings, arrays
    and tensors are leaves.

    >>> tf.nest.is_nested([1, 2]), tf.nest.is_nested("ab"), tf.nest.is_nested(np.zeros(2))
    (True, False, False)
    """
    return node_of(seq) is not None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves in order; a leaf gives a list of itself.

    Mappings are walked in the order of their sorted keys. expand_composites: ragged tensors, sparse
    tensors and their like are replaced by the tensors that they consist of.

    >>> tf.nest.flatten({"b": [1, 2], "a": (3, {"c": 4})})
    [3, 4, 1, 2]

    Raises:
        TypeError: keys of a mapping have no order.
    """
    leaves: list[Any] = []
    _collect(structure, expand_composites, leaves)
    return leaves


def _collect(structure: Any, expand_composites: bool, leaves: list[Any]) -> None:
    node = node_of(structure, expand_composites)
    if node is None:
        leaves.append(structure)
        return
    for child in node.children(structure):
        _collect(child, expand_composites, leaves)


def flatten_with_path(structure: Any, expand_composites: bool = False) -> list[Leaf]:
    """Pairs of a leaf's path (keys, field names, indices) and the leaf."""
    return list(_paths(structure, expand_composites, ()))


def _paths(structure: Any, expand_composites: bool, path: Path) -> Iterator[Leaf]:
    node = node_of(structure, expand_composites)
    if node is None:
        yield path, structure
        return
    for key, child in zip(node.keys(structure), node.children(structure), strict=True):
        yield from _paths(child, expand_composites, (*path, key))


def map_structure(func: Callable[..., Any], *structure: Any, **options: Any) -> Any:
    """`func` of the leaves at each place of structures that are built alike.

    Options: `check_types` (default True), `expand_composites` (default False). The result is built
    as the first structure is.

    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}

    Raises:
        TypeError: `func` cannot be called, or types of sequences differ.
        ValueError: the structures differ otherwise (see `assert_same_structure`), there is none, or
            an option is unknown.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    expand = options.pop("expand_composites", False)
    check_types = options.pop("check_types", True)
    if options:
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, "
            f"not: `{'`, `'.join(options)}`"
        )
    if len(structure) == 1:
        return _map_one(func, structure[0], expand)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand)
    rows = zip(*(flatten(one, expand) for one in structure), strict=True)
    return pack_sequence_as(structure[0], [func(*row) for row in rows], expand)


def _map_one(func: Callable[..., Any], structure: Any, expand: bool) -> Any:
    node = node_of(structure, expand)
    if node is None:
        return func(structure)
    return node.rebuild(
        structure, [_map_one(func, one, expand) for one in node.children(structure)]
    )


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """A structure built like `structure` whose leaves are `flat_sequence`, in order.

    >>> tf.nest.pack_sequence_as({"b": 0, "a": (0, 0)}, [1, 2, 3])
    {'b': 3, 'a': (1, 2)}

    Raises:
        TypeError: `flat_sequence` is no sequence.
        ValueError: it has another number of items than `structure` has leaves.
    """
    if not isinstance(flat_sequence, Iterable) or isinstance(flat_sequence, (str, bytes)):
        raise TypeError(
            f"{flat_sequence!r} cannot be packed, of the incompatible type "
            f"{type(flat_sequence).__name__}: leaves come in a list or another iterable"
        )
    items: list[Any] = list(flat_sequence)  # pyright: ignore[reportUnknownArgumentType]
    count = len(flatten(structure, expand_composites))
    if count != len(items):
        raise ValueError(
            f"Structure had {count} atoms, but here are {len(items)} items: {items} do not go into "
            f"{structure}"
        )
    rest = iter(items)

    def following(_: Any) -> Any:
        return next(rest)

    return _map_one(following, structure, expand_composites)


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two structures are built alike, leaves aside.

    >>> tf.nest.assert_same_structure([1, (2, 3)], ["a", ("b", "c")])
    >>> tf.nest.assert_same_structure([1, 2], (1, 2), check_types=False)

    Raises:
        ValueError: a leaf stands where the other has a structure, lengths differ, or keys do
            (unless `check_types` is False).
        TypeError: types of sequences differ (unless `check_types` is False).
    """
    found = _mismatch(nest1, nest2, check_types, expand_composites, ())
    if found is not None:
        error, text = found
        raise error(
            f"The two structures don't have the same nested structure.\n\n"
            f"First structure: type={type(nest1).__name__} str={nest1}\n\n"
            f"Second structure: type={type(nest2).__name__} str={nest2}\n\n"
            f"More specifically: {text}"
        )


def difference(
    first: Any, second: Any, check_types: bool = True, expand_composites: bool = False
) -> str | None:
    """How two structures are built otherwise, as `assert_same_structure` tells it, or None."""
    found = _mismatch(first, second, check_types, expand_composites, ())
    return None if found is None else found[1]


def _mismatch(
    first: Any, second: Any, check_types: bool, expand: bool, path: Path
) -> tuple[type[Exception], str] | None:
    """What is said of two structures that are built otherwise, and by which exception."""
    node, other = node_of(first, expand), node_of(second, expand)
    if node is None and other is None:
        return None
    at = f" at {path_text(path)}" if path else ""
    if node is None or other is None:
        nested, leaf = (first, second) if other is None else (second, first)
        return ValueError, (
            f'Substructure "type={type(nested).__name__} str={nested}" is a sequence, while '
            f'substructure "type={type(leaf).__name__} str={leaf}" is not{at}'
        )
    if check_types and not _same_type(first, second):
        return TypeError, (
            f"The two structures don't have the same sequence type{at}. First structure has type "
            f"{type(first).__name__}, while second structure has type {type(second).__name__}"
        )
    keys, other_keys = node.keys(first), other.keys(second)
    if len(keys) != len(other_keys):
        return ValueError, (
            f"The two structures don't have the same number of elements{at}: {len(keys)} in the "
            f"first, {len(other_keys)} in the second"
        )
    if check_types and node is MAPPING and keys != other_keys:
        return ValueError, (
            f"The two dictionaries don't have the same set of keys{at}. First structure has keys "
            f"{keys}, while second structure has keys {other_keys}"
        )
    pairs = zip(keys, node.children(first), other.children(second), strict=True)
    inner = (_mismatch(one, two, check_types, expand, (*path, key)) for key, one, two in pairs)
    return next((one for one in inner if one is not None), None)


def _same_type(first: Any, second: Any) -> bool:
    if type(first) is type(second):
        return True
    # Mappings differ in how they keep their keys; a list that something else watches is a list.
    return any(isinstance(first, one) and isinstance(second, one) for one in (Mapping, list))


def path_text(path: Path) -> str:
    """A path as one would write it: `[0]['x'].y`."""
    return "".join(
        f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]" for key in path
    )


# ---- structures that are known down to some depth only


def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[Any]:
    """What stands in `input_tree` at the leaves of `shallow_tree`, in order.

    Raises:
        TypeError, ValueError: `input_tree` is not built like `shallow_tree` down to its leaves.
    """
    node = node_of(shallow_tree, expand_composites)
    if node is None:
        return [input_tree]
    other = node_of(input_tree, expand_composites)
    if other is None:
        raise TypeError(
            f"{shallow_tree!r} is a structure, so the other must be one, too: it is a "
            f"{type(input_tree).__name__}"
        )
    if check_types and not _same_type(shallow_tree, input_tree):
        raise TypeError(
            f"The two structures don't have the same sequence type: {type(shallow_tree).__name__} "
            f"and {type(input_tree).__name__}"
        )
    keys, other_keys = node.keys(shallow_tree), other.keys(input_tree)
    if len(keys) != len(other_keys) or (node is MAPPING and keys != other_keys):
        raise ValueError(
            f"The two structures don't have the same sequence length or keys: {keys} and "
            f"{other_keys}"
        )
    pairs = zip(node.children(shallow_tree), other.children(input_tree), strict=True)
    return [
        leaf
        for shallow, deep in pairs
        for leaf in flatten_up_to(shallow, deep, check_types, expand_composites)
    ]
