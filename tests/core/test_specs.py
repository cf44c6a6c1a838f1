"""What is known of a value before it exists."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from tensormill.core import dtypes
from tensormill.core.specs import (
    BoundedTensorSpec,
    Known,
    ListSpec,
    ObjectSpec,
    ResourceSpec,
    TensorSpec,
)

T = TensorSpec


def test_text_is_tensorflows_and_there_is_a_short_form() -> None:
    spec = T([None, 2], dtypes.float32, "x")

    assert "TensorSpec(shape=(None, 2), dtype=tf.float32, name='x')" == repr(spec)
    assert str(spec) == repr(spec)
    assert "f32[?, 2]" == spec.short
    assert "f32[...]" == T(None).short
    assert "resource<f32[2]>" == ResourceSpec(T([2])).short
    assert "list<f32[2]>" == ListSpec(T([2])).short


def test_specs_are_values() -> None:
    assert T([1], "int32") == T((1,), dtypes.int32)
    assert T([1], name="a") != T([1], name="b")
    assert hash(T([1])) == hash(T([1], name="a"))
    assert T([None], name="x") == pickle.loads(pickle.dumps(T([None], name="x")))


def test_a_wider_spec_takes_more() -> None:
    narrow, wide = T([1]), T([None])

    assert narrow.is_subtype_of(wide)
    assert not wide.is_subtype_of(narrow)
    assert not narrow.is_subtype_of(T([None], dtypes.int32))
    assert wide.is_compatible_with(narrow)
    assert T([None]) == narrow.most_specific_common_supertype([T([2])])
    assert narrow.most_specific_common_supertype([T([1], dtypes.int32)]) is None


def test_names_can_be_given_later() -> None:
    assert "q" == T.from_spec(T([1]), "q").name
    assert "p" == T.from_spec(T([1], name="p")).name


def test_integer_vectors_spell_shapes() -> None:
    constant = Known(T([2], dtypes.int32), np.array([3, -1], np.int32))
    partial = Known(T([2], dtypes.int32), sizes=(3, None))

    assert [3, None] == constant.as_shape() == partial.as_shape()
    assert [None, None] == Known(T([2], dtypes.int32)).as_shape()
    assert Known(T([None], dtypes.int32)).as_shape().rank is None
    assert (3, -1) == constant.sizes
    assert (dtypes.int32, 1) == (constant.dtype, constant.rank)


def test_an_object_covers_those_whose_elements_it_covers() -> None:
    wide, narrow = ObjectSpec("iterator", (T([None]),)), ObjectSpec("iterator", (T([2]),))

    assert wide.covers(narrow)
    assert not narrow.covers(wide)
    assert not wide.covers(ObjectSpec("table", (T([2]),)))
    assert not wide.covers(ObjectSpec("iterator", (T([2]), T([]))))
    assert ObjectSpec("rows", (wide,)).covers(ObjectSpec("rows", (narrow,)))
    assert dtypes.resource is wide.dtype
    assert dtypes.variant is ObjectSpec("dataset", (), is_value=True).dtype


@pytest.mark.parametrize("spec", [ResourceSpec(T([2])), ListSpec(T([2])), ObjectSpec("iterator")])
def test_handles_are_scalars(spec: ResourceSpec | ListSpec | ObjectSpec) -> None:
    assert [] == spec.shape
    assert spec.dtype in (dtypes.resource, dtypes.variant)


def test_the_elements_of_a_long_vector_are_not_looked_at_before_somebody_asks() -> None:
    known = Known(TensorSpec([3], dtypes.int32), np.array([4, 5, 6], np.int32))

    assert "sizes" not in [name for name in Known.__slots__ if _is_set(known, name)]
    assert known.sizes == (4, 5, 6)
    assert known.as_shape().entries == (4, 5, 6)


def _is_set(known: Known, slot: str) -> bool:
    try:
        object.__getattribute__(known, slot)
    except AttributeError:
        return False
    return True


# As TensorFlow 2.21 answers.
def test_bounds_are_arrays_of_the_dtype_that_nobody_changes() -> None:
    spec = BoundedTensorSpec([2, 3], "int32", 0, [1.0, 2.0, 3.0], "x")

    assert (0, [1, 2, 3]) == (spec.minimum, spec.maximum.tolist())
    assert [False, False] == [one.flags.writeable for one in (spec.minimum, spec.maximum)]
    assert (
        spec
        == BoundedTensorSpec([2, 3], "int32", 0, [1, 2, 3], "x")
        == pickle.loads(pickle.dumps(spec))
    )
    assert spec != BoundedTensorSpec([2, 3], "int32", 0, [1, 2, 4], "x")
    plain = T([2, 3], "int32", "x")
    assert [True, True, True] == [spec != plain, plain != spec, spec.is_subtype_of(plain)]
    assert (
        "BoundedTensorSpec(shape=(2, 3), dtype=tf.int32, name='x', "
        "minimum=array(0, dtype=int32), maximum=array([1, 2, 3], dtype=int32))"
    ) == repr(spec)


def test_bounds_of_a_spec_without_any_are_those_of_its_dtype() -> None:
    spec = BoundedTensorSpec.from_spec(T([2], "int32", "x"))

    assert (-(2**31), 2**31 - 1, "x") == (spec.minimum, spec.maximum, spec.name)
    assert spec == BoundedTensorSpec.from_spec(spec)


@pytest.mark.parametrize(("low", "high"), [([0, 1], 1), (None, 1), (0, None)])
def test_bounds_have_to_go_with_the_shape(low: object, high: object) -> None:
    with pytest.raises(ValueError, match="imum"):
        BoundedTensorSpec([2, 3], "float32", low, high)
