"""`tensorflow.python.util.nest`: structures compared with shallower ones, and walked with paths.

What `tf.nest` has as well is `core/tree.py`; the names here are those that libraries import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...core import tree

Path = tuple[Any, ...]


def is_mapping(obj: Any) -> bool:
    return isinstance(obj, Mapping)


def is_attrs(obj: Any) -> bool:
    """Whether it is of a class that `attrs` made: its fields are its parts."""
    return hasattr(type(obj), "__attrs_attrs__")


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    return isinstance(instance, tuple) and hasattr(instance, "_fields")


def is_nested_or_composite(seq: Any) -> bool:
    return tree.node_of(seq, expand_composites=True) is not None


def list_to_tuple(structure: Any) -> Any:
    """The structure with tuples in place of its lists."""
    node = tree.node_of(structure)
    if node is None:
        return structure
    children = [list_to_tuple(child) for child in node.children(structure)]
    return tuple(children) if isinstance(structure, list) else node.rebuild(structure, children)


def sequence_like(instance: Any, args: Sequence[Any]) -> Any:
    """A structure of the kind of `instance`, around other parts."""
    node = tree.node_of(instance, expand_composites=True)
    return args if node is None else node.rebuild(instance, list(args))


def yield_value(iterable: Any) -> Iterator[Any]:
    """The parts of a structure."""
    yield from (value for _, value in yield_sorted_items(iterable))


def yield_sorted_items(iterable: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of a structure, each with its key."""
    node = tree.node_of(iterable, expand_composites=True)
    if node is not None:
        yield from zip(node.keys(iterable), node.children(iterable), strict=True)


# ---------------------------------------------------------------- down to some depth


def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that a structure is built like a shallower one, down to the leaves of that.

    Raises:
        TypeError, ValueError: it is not.
    """
    tree.flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """`func` of what stands in the inputs at each leaf of a shallower structure.

    Raises:
        TypeError, ValueError: an input is not built like `shallow_tree`, or there is none.
    """
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values: func(*values), *inputs, **kwargs
    )


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """`func(path, *values)` at each leaf of a shallower structure.

    Raises:
        TypeError, ValueError: an input is not built like `shallow_tree`, or there is none.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    expand = kwargs.pop("expand_composites", False)
    check_types = kwargs.pop("check_types", True)
    columns = [tree.flatten_up_to(shallow_tree, one, check_types, expand) for one in inputs]
    paths = [path for path, _ in tree.flatten_with_path(shallow_tree, expand)]
    found = [func(path, *row) for path, *row in zip(paths, *columns, strict=True)]
    return tree.pack_sequence_as(shallow_tree, found, expand)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The part of a structure that `traverse_fn` wants to walk into: True at its leaves, False
    where it says no. It may also answer with a structure of answers for the parts.

    Raises:
        TypeError: it answers something else.
    """
    answer = traverse_fn(structure)
    node = tree.node_of(structure, expand_composites)
    if node is None:
        if not isinstance(answer, bool):
            raise TypeError(f"traverse_fn gave {answer!r} for a leaf; it gives a bool")
        return answer
    children = node.children(structure)
    if isinstance(answer, bool):
        if not answer:
            return False
        answers: list[Any] = [True] * len(children)
    else:
        tree.assert_same_structure(
            tree.map_structure(lambda _: True, answer),
            node.rebuild(structure, [True] * len(children)),
        )
        answers = tree.flatten(answer)
    found = [
        get_traverse_shallow_structure(traverse_fn, child, expand_composites) if wanted else False
        for child, wanted in zip(children, answers, strict=True)
    ]
    return node.rebuild(structure, found)


# ---------------------------------------------------------------- with paths


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[Any]:
    return tree.flatten_with_path(structure, expand_composites)


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[Any]:
    """What stands in a structure at the leaves of a shallower one, each with its path.

    Raises:
        TypeError, ValueError: it is not built like `shallow_tree`.
    """
    leaves = tree.flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)
    paths = [path for path, _ in tree.flatten_with_path(shallow_tree, expand_composites)]
    return list(zip(paths, leaves, strict=True))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    pairs = tree.flatten_with_path(structure, expand_composites)
    return [(joined(path, separator), leaf) for path, leaf in pairs]


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[Path]:
    yield from (path for path, _ in tree.flatten_with_path(nest, expand_composites))


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """`func(path, *leaves)`, the path as text: "a/0/b"."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves: func(joined(path, "/"), *leaves), *structure, **kwargs
    )


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """`func(path, *leaves)`, the path as a tuple."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def joined(path: Path, separator: str) -> str:
    return separator.join(map(str, path))


def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """The leaves of structures that are keys, each with the leaf of the value in its place.

    Raises:
        ValueError: a key and its value are not built alike, or a key comes twice.
    """
    found: dict[Any, Any] = {}
    for key, value in dictionary.items():
        tree.assert_same_structure(key, value)
        for one, other in zip(tree.flatten(key), tree.flatten(value), strict=True):
            if one in found:
                raise ValueError(f"Could not flatten dictionary: the key {one!r} is not unique")
            found[one] = other
    return found
