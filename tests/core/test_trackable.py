from __future__ import annotations

import pytest

from tensormill.core.trackable import Trackable


def test_a_child_may_be_told_of_twice() -> None:
    parent, child = Trackable(), Trackable()
    parent._track_trackable(child, "child")

    assert parent._track_trackable(child, "child") is child


def test_another_child_of_the_same_name_is_refused() -> None:
    parent = Trackable()
    parent._track_trackable(Trackable(), "child")

    with pytest.raises(ValueError, match="has a child called 'child' already"):
        parent._track_trackable(Trackable(), "child")


def test_another_child_may_take_its_place_if_that_is_wanted() -> None:
    parent, other = Trackable(), Trackable()
    parent._track_trackable(Trackable(), "child")
    parent._track_trackable(other, "child", overwrite=True)

    assert parent._trackable_children() == {"child": other}
