"""Sizes as TensorFlow 1 had them: statement I10."""

from __future__ import annotations

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
THREE, UNKNOWN = v1.Dimension(3), v1.Dimension(None)


@behaviour("I10")
def test_dimensions_are_reckoned_with():
    results = [
        THREE + 1, 1 + THREE, 5 - THREE, THREE * 2, THREE // 2, 7 // THREE, 7 % THREE,
        UNKNOWN + 1, THREE * None,
    ]  # fmt: skip

    assert [one.value for one in results] == [4, 4, 2, 6, 1, 2, 1, None, None]
    assert (int(THREE), list(range(THREE)), [1, 2, 3, 4][THREE]) == (3, [0, 1, 2], 4)
    assert tf.zeros([THREE, 2]).shape.as_list() == [3, 2]


@behaviour("I10")
def test_dimensions_are_compared():
    assert [THREE == 3, THREE != 3, THREE < 4, THREE <= 2] == [True, False, True, False]
    assert [UNKNOWN == 3, UNKNOWN == UNKNOWN, THREE > UNKNOWN, THREE == None] == [None] * 4  # noqa: E711
    assert (str(THREE), repr(THREE), str(UNKNOWN)) == ("3", "Dimension(3)", "?")


@behaviour("I10")
def test_what_is_no_dimension():
    for value in ("x", 2.0):
        with pytest.raises(TypeError, match="must be integer or None"):
            v1.Dimension(value)
    for fails in (lambda: v1.Dimension(-1), lambda: THREE - 4, lambda: THREE.merge_with(4)):
        with pytest.raises(ValueError, match=r"must be >= 0|not compatible"):
            fails()
    with pytest.raises(TypeError, match="use // instead"):
        THREE / 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(THREE)


@behaviour("I10")
def test_dimensions_of_shapes():
    shape = tf.TensorShape([2, None])

    assert tf.compat.dimension_value(shape[0]) == 2
    assert tf.compat.dimension_value(THREE) == 3
    assert tf.compat.dimension_at_index(shape, 1).value is None
    assert tf.compat.dimension_at_index(tf.TensorShape(None), 1).value is None
    v1.disable_v2_tensorshape()
    try:
        assert shape[0].value == 2
        assert [one.value for one in shape] == [2, None]
        assert (tf.zeros([2, 3]).shape[1] * 2).value == 6
        assert shape.as_list() == [2, None]
    finally:
        v1.enable_v2_tensorshape()
    assert shape[0] == 2
