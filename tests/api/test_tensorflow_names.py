"""TensorFlow's public names are here, and called as there; what is not stands in two lists."""

from __future__ import annotations

import pytest

from . import tensorflow_names as names


def test_the_names_that_are_missing_are_known() -> None:
    """After a change on purpose: `python -m tests.api.tensorflow_names`."""
    assert names.MISSING.read_text().splitlines() == names.missing()


def test_the_readme_tells_how_many_are_missing() -> None:
    recorded = names.recorded()
    missing = sum(name in recorded for name in names.missing())
    told = f"{missing} of the {len(recorded):,} public names".replace(",", " ")

    assert told in (names.HERE.parents[1] / "README.md").read_text()


def test_what_is_called_in_another_way_is_known() -> None:
    assert names.DIFFERING.read_text().splitlines() == names.differing()


@pytest.mark.sampled
@pytest.mark.parametrize("beginning", names.REASONS)
def test_a_reason_is_for_names_that_are_missing(beginning: str) -> None:
    assert any(name.startswith(beginning) for name in names.missing())


def test_a_name_that_stays_missing_says_what_to_do() -> None:
    for name in names.missing():
        if name in names.recorded() and name.startswith(tuple(names.REASONS)):
            with pytest.raises(AttributeError, match=r"has no attribute '\w+': \w.*[;,] "):
                names.ours(name)


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        (["x", "name=None"], ["x", "name=None"], True),
        (["x", "name=None"], ["x", "axis=0", "name=None"], False),
        (["x"], ["x", "more=None"], True),
        (["x"], ["x", "more"], False),
        (["x"], ["y"], False),
        (["x"], ["*x"], False),
        (["x"], ["x=1"], True),
        (["x=1"], ["x"], False),
        (["x=1"], ["x=2"], False),
        (["f", "*args"], ["*args", "f"], False),
        (["*args", "**kwargs"], ["x"], True),
        (["f", "*args"], ["f", "*operands"], True),
        (["f", "*args"], ["f", "operands"], False),
        (None, ["x"], True),
        (["x"], None, False),
    ],
)
def test_calls_agree_where_all_of_theirs_mean_the_same(
    theirs: list[str] | None, mine: list[str] | None, expected: bool
) -> None:
    assert expected is names.agree(theirs, mine)
