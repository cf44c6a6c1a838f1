"""Which cases of dear tests run at a commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pythons import turn_of
from tests.sampling import PART, chosen, draw_fewer, left_out

COMMITS = [f"some:{number:012x}" for number in range(120)]


@dataclass(frozen=True)
class Case:
    """What is asked of pytest's items."""

    nodeid: str
    sampled: bool
    obj: Any = None
    marked: str = ""  # by whose mark it is one of the cases of "programs"

    def get_closest_marker(self, name: str) -> object:
        return True if name == "sampled" and self.sampled else None

    def iter_markers_with_node(self, name: str) -> list[tuple[Any, pytest.Mark]]:
        is_marked = name == "sampled" and self.marked
        mark = pytest.mark.sampled(among="programs").mark
        return [(Case(self.marked, True), mark)] if is_marked else []


def cases(name: str, count: int, *, sampled: bool = True) -> list[Case]:
    return [Case(f"tests/test_one.py::{name}[{number}]", sampled) for number in range(count)]


def out(option: str, items: list[Case]) -> set[Any]:
    return left_out(option, cast("list[pytest.Item]", items))


@pytest.mark.parametrize("count", [1, 2, 5, 16, 17, 60])
def test_of_each_claim_a_part_runs_and_never_none(count: int) -> None:
    dear, other = cases("test_dear", count), cases("test_other", 13)
    left = out(COMMITS[0], dear + other)
    assert len(set(dear) - left) == -(-count // PART)
    assert len(set(other) - left) == 1


def test_tests_that_are_not_marked_keep_all_their_cases() -> None:
    assert not out(COMMITS[0], cases("test_cheap", 40, sampled=False))


def test_every_case_runs_within_some_tens_of_commits() -> None:
    dear = cases("test_dear", 30)
    assert not set.intersection(*(out(commit, dear) for commit in COMMITS))


def test_what_runs_follows_from_the_commit_and_from_nothing_else() -> None:
    dear, other = cases("test_dear", 30), cases("test_other", 9)
    left = out(COMMITS[0], dear)
    assert out(COMMITS[0], [*other, *reversed(dear)]) & set(dear) == left
    assert out(COMMITS[1], dear) != left


def test_files_and_tests_may_be_cases_of_one_thing() -> None:
    files = [f"tests/test_{number}.py" for number in range(9)]
    named = [(f"{file}::test_{number}", file) for file in files for number in range(3)]
    alone = [f"tests/test_alone.py::test_it[{number}]" for number in range(12)]
    dear = [Case(name, True, marked=by) for name, by in [*named, *zip(alone, alone, strict=True)]]

    for commit in COMMITS:
        ran = set(dear) - out(commit, dear)
        assert len({case.marked for case in ran}) == 2
        assert ran == {case for case in dear if case.marked in {one.marked for one in ran}}
    assert not set.intersection(*(out(commit, dear) for commit in COMMITS))


def test_few_cases_are_a_part_of_each_test_marked_or_not() -> None:
    cheap = cases("test_cheap", 40, sampled=False)
    assert len(out("few:fa29434e", cheap)) == 40 - 3


def times_drawn(option: str, **marks: Any) -> int:
    """How often a test is tried that draws 25 cases by itself."""
    tried: list[None] = []
    drawn = given(st.floats())(lambda _: tried.append(None))
    test = settings(max_examples=25, database=None)(drawn)
    case = Case("tests/test_one.py::t", obj=test, **marks)

    draw_fewer(option, cast("list[pytest.Item]", [case]))

    test()
    return len(tried)


@pytest.mark.parametrize(
    ("option", "sampled", "expected"),
    [("some:0", True, 2), ("some:0", False, 25), ("few:0", False, 2), ("all", True, 25)],
)
def test_cases_are_drawn_a_sixteenth_as_often(option: str, sampled: bool, expected: int) -> None:
    assert times_drawn(option, sampled=sampled) == expected


def test_what_is_a_case_among_others_draws_all_of_its_own() -> None:
    assert times_drawn("some:0", sampled=True, marked="tests/test_one.py::t") == 25


def test_without_the_option_all_cases_run() -> None:
    assert not out("all", cases("test_dear", 30))


def test_a_commit_can_be_named() -> None:
    assert chosen("some:fa29434e") == "some:fa29434e"
    assert chosen("some") != "some:"
    with pytest.raises(ValueError, match="expected all, some, few or some:COMMIT, got 'many'"):
        chosen("many")


def test_other_pythons_take_turns() -> None:
    turns = [turn_of(commit, ["3.12", "3.13", "3.14"]) for commit in COMMITS]

    assert sorted({tuple(turn) for turn in turns}) == [("3.12",), ("3.13",), ("3.14",)]
    assert turn_of(COMMITS[0], ["3.14", "3.13", "3.12"]) == turns[0]
    assert turn_of(COMMITS[0], []) == []
