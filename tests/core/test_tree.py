"""Nested structures: what they contain, copies of their form, where two of them differ."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.core import tree

Point = namedtuple("Point", "x y")
Other = namedtuple("Other", "x y")


class Pair:
    def __init__(self, tag: str, left: Any, right: Any) -> None:
        self.tag, self.left, self.right = tag, left, right

    def __tf_flatten__(self) -> tuple[tuple[str], tuple[Any, Any]]:
        return (self.tag,), (self.left, self.right)

    @classmethod
    def __tf_unflatten__(cls, metadata: tuple[str], components: tuple[Any, Any]) -> Pair:
        return cls(*metadata, *components)


class Sparse(tree.Composite):
    def __init__(self, values: Any, indices: Any, shape: Any = None) -> None:
        self.parts = (values, indices, shape)

    def _component_tensors(self) -> tuple[Any, ...]:
        return self.parts

    def _with_component_tensors(self, components: Any) -> Sparse:
        return Sparse(*components)


@pytest.mark.parametrize(
    ("expected", "structure"),
    [
        ([2, 1], {"b": 1, "a": 2}),
        ([2, 1], OrderedDict(b=1, a=2)),
        ([2, 1], MappingProxyType({"b": 1, "a": 2})),
        ([1, 2, 3, 4], [1, [2, (3,)], {"x": 4}]),
        ([1, 2, 3], Point(1, [2, 3])),
        ([1, 2], Pair("tag", 1, 2)),
        ([1, 2], deque([1, 2])),
        ([0, 1, 2], range(3)),
        ([1], {"a": 1}.values()),
        ([None], None),
        (["ab"], "ab"),
        ([b"ab"], b"ab"),
        ([{1, 2}], {1, 2}),
        ([], [(), {}, []]),
    ],
)
def test_leaves_come_in_order(expected: list[Any], structure: Any) -> None:
    assert expected == tree.flatten(structure)


def test_an_array_is_a_leaf() -> None:
    array = np.array([1, 2])

    assert [array] == tree.flatten(array)
    assert not tree.is_nested(array)


@pytest.mark.parametrize(
    "structure",
    [
        {"b": 1, "a": (2, [3])},
        OrderedDict(b=1, a=2),
        defaultdict(int, b=1, a=2),
        Point(1, [2]),
        MappingProxyType({"b": 1}),
        deque([1, 2]),
        [(), {}, [[]]],
    ],
)
def test_a_mapped_structure_keeps_types_and_key_order(structure: Any) -> None:
    same = tree.map_structure(lambda leaf: leaf, structure)

    assert structure == same
    assert type(structure) is type(same)
    assert str(structure) == str(same)


def test_classes_may_say_what_they_contain() -> None:
    doubled = tree.map_structure(lambda leaf: leaf * 2, Pair("tag", 1, [2]))

    assert ("tag", 2, [4]) == (doubled.tag, doubled.left, doubled.right)


def test_composites_are_leaves_until_they_are_expanded() -> None:
    sparse = Sparse(1, 2)

    assert [sparse] == tree.flatten(sparse)
    assert [1, 2] == tree.flatten(sparse, expand_composites=True)
    packed = tree.pack_sequence_as([sparse], [10, 20], expand_composites=True)
    assert (10, 20, None) == packed[0].parts


def test_structures_are_mapped_together() -> None:
    total = tree.map_structure(lambda x, y: x + y, {"a": [1, 2]}, {"a": [10, 20]})

    assert {"a": [11, 22]} == total


def test_a_dict_and_an_ordered_dict_are_alike() -> None:
    assert {"a": 3} == tree.map_structure(lambda x, y: x + y, {"a": 1}, OrderedDict(a=2))


@pytest.mark.parametrize(
    ("error", "words", "first", "second"),
    [
        (ValueError, r"is a sequence.* at \[1\]", [1, [2]], [1, 2]),
        (ValueError, "is a sequence", 1, [1]),
        (TypeError, "same sequence type", [1], (1,)),
        (TypeError, "same sequence type", Point(1, 2), Other(1, 2)),
        (TypeError, "same sequence type", Point(1, 2), (1, 2)),
        (ValueError, "number of elements", [1], [1, 2]),
        (ValueError, "set of keys", {"a": 1}, {"b": 1}),
        (ValueError, r"at \.a\[1\]", {"a": [1, (2, 3)]}, {"a": [1, (2,)]}),
    ],
)
def test_a_difference_is_an_error_that_says_where(
    error: type[Exception], words: str, first: Any, second: Any
) -> None:
    with pytest.raises(error, match=f"(?s)don't have the same nested structure.*{words}"):
        tree.assert_same_structure(first, second)


def test_types_may_be_left_unchecked() -> None:
    tree.assert_same_structure([1, (2,)], (1, [2]), check_types=False)


@pytest.mark.parametrize(("count", "items"), [(2, [1]), (2, [1, 2, 3])])
def test_packing_needs_as_many_items_as_leaves(count: int, items: list[int]) -> None:
    with pytest.raises(ValueError, match=f"Structure had {count} atoms, but .* {len(items)} items"):
        tree.pack_sequence_as([1, 2], items)


def test_packing_needs_a_sequence() -> None:
    with pytest.raises(TypeError, match="incompatible type"):
        tree.pack_sequence_as([1], 5)


def test_keys_that_cannot_be_sorted_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"cannot be sorted.*'<' not supported"):
        tree.flatten({1: 2, "a": 3})


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: tree.map_structure(lambda x: x)),
        (TypeError, lambda: tree.map_structure(3, [1])),  # type: ignore[arg-type]
        (ValueError, lambda: tree.map_structure(lambda x: x, [1], foo=1)),
    ],
)
def test_map_structure_checks_its_arguments(error: type[Exception], call: Any) -> None:
    with pytest.raises(error):
        call()


def test_paths_name_keys_fields_and_indices() -> None:
    expected = [(("a", 0), 1), (("a", 1, "x"), 2), (("a", 1, "y"), 3)]

    assert expected == tree.flatten_with_path({"a": [1, Point(2, 3)]})


def test_flattening_stops_at_the_leaves_of_a_shallow_tree() -> None:
    assert [[1, 2], 3] == tree.flatten_up_to([0, [0]], [[1, 2], [3]])


@pytest.mark.parametrize(
    ("error", "shallow", "deep"),
    [(ValueError, {"a": 0}, {"a": 1, "b": 2}), (ValueError, [0, 0], [1]), (TypeError, [0], 1)],
)
def test_a_shallow_tree_must_fit(error: type[Exception], shallow: Any, deep: Any) -> None:
    with pytest.raises(error):
        tree.flatten_up_to(shallow, deep)


leaves = st.integers() | st.text(max_size=2) | st.none()
structures = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(structures)
def test_packing_the_leaves_gives_the_structure_back(structure: Any) -> None:
    assert structure == tree.pack_sequence_as(structure, tree.flatten(structure))
    assert tree.flatten(structure) == [leaf for _, leaf in tree.flatten_with_path(structure)]


@pytest.mark.parametrize(("first", "second"), [([1, [2]], [1, 2]), ([1, 2], [1, [2]])])
def test_where_only_one_is_nested_the_message_says_which(first: Any, second: Any) -> None:
    with pytest.raises(ValueError, match=r'type=list str=\[2\]" is a sequence.*type=int str=2" is'):
        tree.assert_same_structure(first, second)


@pytest.mark.parametrize(
    ("shallow", "deep"), [({"a": 1}, {"b": 1}), ({"a": 1, "b": 2}, {"a": 1, "c": 2})]
)
def test_shallow_mappings_have_the_same_keys(shallow: Any, deep: Any) -> None:
    with pytest.raises(ValueError, match="same sequence length or keys"):
        tree.flatten_up_to(shallow, deep)


def test_named_tuples_may_call_their_fields_otherwise_up_to_a_depth() -> None:
    class Renamed(NamedTuple):
        a: int
        b: list[int]

    assert tree.flatten_up_to(Point(1, 2), Renamed(3, [4]), check_types=False) == [3, [4]]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"b": 1, "a": 2}, (3, 4), {"b": 5, "a": 5}),
        ({"a": 1}, {"b": 2}, {"a": 3}),
        ((1, 2), {"b": 3, "a": 4}, (5, 5)),
    ],
)
def test_mappings_need_only_be_as_long_where_types_are_not_compared(
    first: Any, second: Any, expected: Any
) -> None:
    tree.assert_same_structure(first, second, check_types=False)

    assert expected == tree.map_structure(lambda a, b: a + b, first, second, check_types=False)
    with pytest.raises(ValueError, match="same number of elements"):
        tree.assert_same_structure(first, [1, 2, 3], check_types=False)
