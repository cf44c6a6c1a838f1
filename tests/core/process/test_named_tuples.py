"""Named tuples that are quickly made are typing's, but for the time."""

from __future__ import annotations

import pickle
import typing
from typing import Any, get_type_hints

import pytest

from tensormill.core.process import named_tuples


class Slow(typing.NamedTuple):
    """A place."""

    line: int
    file: str = "?"
    column: int | None = None

    @property
    def text(self) -> str:
        return f"{self.file}:{self.line}"

    @classmethod
    def first(cls) -> Any:
        return cls(1)


class Quick(named_tuples.NamedTuple):
    """A place."""

    line: int
    file: str = "?"
    column: int | None = None

    @property
    def text(self) -> str:
        return f"{self.file}:{self.line}"

    @classmethod
    def first(cls) -> Any:
        return cls(1)


@pytest.mark.parametrize("name", ["__doc__", "__module__", "_fields", "_field_defaults"])
def test_they_say_of_themselves_what_those_of_typing_say(name: str) -> None:
    assert getattr(Slow, name) == getattr(Quick, name)


def test_they_have_names_and_types_to_look_up() -> None:
    assert get_type_hints(Slow) == get_type_hints(Quick)
    assert (Quick.__name__, Quick.__qualname__, Quick.__bases__) == ("Quick", "Quick", (tuple,))


def test_they_are_made_and_read_as_those_of_typing_are() -> None:
    for of in (Slow, Quick):
        one = of(2, column=3)
        assert (2, "?", 3) == one
        assert "?:2" == one.text
        assert of(1) == of.first() == one._replace(line=1, column=None)
        assert one == pickle.loads(pickle.dumps(one))
        assert f"{of.__name__}(line=2, file='?', column=3)" == repr(one)


def test_a_field_without_a_value_comes_before_those_that_have_one() -> None:
    with pytest.raises(TypeError, match="last"):
        type(named_tuples.NamedTuple)(
            "Wrong",
            (),
            {"__module__": __name__, "__annotations__": {"a": "int", "b": "int"}, "a": 1},
        )
