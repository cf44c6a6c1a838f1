"""Specs of composites: how they compare, widen and rebuild values."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from tensormill.core import dtypes, tree
from tensormill.core.shapes import TensorShape
from tensormill.core.specs import ObjectSpec, TensorSpec
from tensormill.core.type_spec import TypeSpec, spec_of


class Interval(tree.Composite):
    def __init__(self, low: Any, high: Any, kind: str = "open") -> None:
        self.low, self.high, self.kind = low, high, kind

    @property
    def _type_spec(self) -> IntervalSpec:
        return IntervalSpec(TensorShape([2]), dtypes.float32, self.kind)


class IntervalSpec(TypeSpec):
    def __init__(self, shape: Any, dtype: Any, kind: str = "open") -> None:
        self.shape, self.dtype, self.kind = TensorShape(shape), dtype, kind

    @property
    def value_type(self) -> type[Interval]:
        return Interval

    def _serialize(self) -> tuple[Any, ...]:
        return (self.shape, self.dtype, {"kind": self.kind})

    @classmethod
    def _deserialize(cls, serialization: Any) -> IntervalSpec:
        return cls(*serialization[:2], **serialization[2])

    @property
    def _component_specs(self) -> Any:
        return {"high": TensorSpec(self.shape, self.dtype), "low": [TensorSpec([], self.dtype)]}

    def _to_components(self, value: Any) -> Any:
        return {"high": value.high, "low": [value.low]}

    def _from_components(self, components: Any) -> Interval:
        return Interval(components["low"][0], components["high"], self.kind)


def spec(*dims: int | None, dtype: Any = dtypes.float32, kind: str = "open") -> IntervalSpec:
    return IntervalSpec(dims, dtype, kind)


def test_specs_equal_by_what_they_were_made_of() -> None:
    assert spec(2) == spec(2)
    assert spec(2) != spec(3)
    assert spec(None) != spec(2)
    assert spec(2) != TensorSpec([2])
    assert len({spec(2), spec(2), spec(3)}) == 2


def test_a_spec_prints_what_it_was_made_of() -> None:
    assert repr(spec(2)) == "IntervalSpec(TensorShape([2]), tf.float32, {'kind': 'open'})"


def test_a_spec_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(spec(2))) == spec(2)


@pytest.mark.parametrize(
    ("expected", "other"),
    [
        (True, spec(2)),
        (True, spec(None)),
        (False, spec(3)),
        (False, spec(2, dtype=dtypes.int32)),
        (False, spec(2, kind="closed")),
        (False, TensorSpec([2])),
        (True, Interval(0, [1, 2])),
        (False, 3),
    ],
)
def test_compatible_specs_share_a_value(expected: bool, other: Any) -> None:
    assert expected is spec(2).is_compatible_with(other)


def test_a_subtype_is_at_least_as_specific() -> None:
    assert spec(2).is_subtype_of(spec(None))
    assert not spec(None).is_subtype_of(spec(2))
    assert not spec(2).is_subtype_of(spec(2, kind="closed"))


@pytest.mark.parametrize(
    ("expected", "others"),
    [
        (spec(2), [spec(2)]),
        (spec(None), [spec(2), spec(3)]),
        (None, [spec(2, dtype=dtypes.int32)]),
        (None, [spec(2, kind="closed")]),
        (None, [TensorSpec([2])]),
    ],
)
def test_the_common_supertype_covers_all(expected: Any, others: Sequence[Any]) -> None:
    assert expected == spec(2).most_specific_common_supertype(others)


@pytest.mark.parametrize("kind", ["open", {"low": 1}, {"low": 1, "high": 2}])
def test_named_facts_are_alike_where_their_names_are(kind: Any) -> None:
    mine, theirs = spec(2, kind={"high": 2}), spec(2, kind=kind)  # type: ignore[arg-type]

    assert mine.is_compatible_with(mine)
    assert not mine.is_compatible_with(theirs)
    assert mine.most_specific_common_supertype([theirs]) is None


def test_no_compatible_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        spec(2).most_specific_compatible_type(spec(2, kind="closed"))


def test_composites_open_where_they_are_expanded() -> None:
    value = Interval(1, [2, 3])

    assert tree.flatten({"a": value}) == [value]
    assert tree.flatten({"a": value}, expand_composites=True) == [2, 3, 1]
    assert value._component_tensors() == (2, 3, 1)


def test_specs_open_into_the_specs_of_the_parts_and_pack_values() -> None:
    closed = spec(2, kind="closed")
    packed = tree.pack_sequence_as([closed], ["high", "low"], expand_composites=True)[0]

    assert tree.flatten(closed) == [closed]
    assert tree.flatten(closed, True) == [TensorSpec([2]), TensorSpec([])]
    assert (packed.low, packed.high, packed.kind) == ("low", "high", "closed")


def test_mapping_over_a_composite_keeps_what_is_no_tensor() -> None:
    doubled = tree.map_structure(lambda x: x * 2, Interval(1, 4, "closed"), expand_composites=True)

    assert (doubled.low, doubled.high, doubled.kind) == (2, 8, "closed")


def test_the_spec_of_a_spec_is_itself() -> None:
    assert spec_of(spec(2)) == spec(2)
    assert spec_of(Interval(0, [0])) == spec(2)
    assert spec_of(3) is None


def test_specs_of_single_tensors_are_their_own_component() -> None:
    assert tree.flatten(TensorSpec([2]), expand_composites=True) == [TensorSpec([2])]
    assert tree.flatten(ObjectSpec("table"), expand_composites=True) == [ObjectSpec("table")]


def test_a_spec_that_says_nothing_is_an_error() -> None:
    class Silent(TypeSpec):
        pass

    with pytest.raises(TypeError, match="Silent does not say what it was made of"):
        hash(Silent())
    with pytest.raises(TypeError, match="what its values consist of"):
        tree.flatten(Silent(), expand_composites=True)


# Specs of TensorFlow Probability have parts that are not compared, and ask by these names.
def test_specs_of_clients_compare_a_part_of_their_facts() -> None:
    class Loose(IntervalSpec):
        def is_compatible_with(self, spec_or_value: Any) -> bool:
            mine, theirs = self._serialize()[:1], spec_or_value._serialize()[:1]
            return bool(self._TypeSpec__is_compatible(mine, theirs))  # type: ignore[attr-defined]

        def __hash__(self) -> int:
            key = self._TypeSpec__make_cmp_key([self.shape, {"a": [1]}])  # type: ignore[attr-defined]
            return hash((type(self), key))

    one = Loose([2], dtypes.float32)

    assert one.is_compatible_with(Loose([None], dtypes.int32, "closed"))
    assert not one.is_compatible_with(Loose([3], dtypes.float32))
    assert hash(one) == hash(Loose([2], dtypes.int32))
