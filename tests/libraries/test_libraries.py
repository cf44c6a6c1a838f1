"""What `make libraries` counts, and that its page has a row for every library."""

from __future__ import annotations

import numpy as np

from . import table
from .catalogue import LIBRARIES, Library
from .outcomes import Outcome, compared, differs
from .sides import HERE, Found

SMALL = Library("small", "1.0", programs=("small",), lacking={"small::b*": "no boats"})


def test_a_test_passes_that_returns_what_it_returns_on_tensorflow() -> None:
    theirs = Found({"a": 1.0, "b": np.ones(2), "c": 3}, {"d": "broken"})
    ours = Found({"a": 1.0 + 1e-6, "b": np.zeros(2), "d": 4}, {"c": "no boats"})
    outcome = compared(theirs, ours)
    assert outcome.passed == ["a"]
    assert set(outcome.failed) == {"b", "c"}
    assert outcome.fails_there == ["d"]


def test_results_differ_by_dtype_shape_keys_and_type() -> None:
    one = np.array([1.0], np.float32)
    assert not differs({"x": [one, "text", None]}, {"x": [one, "text", None]})
    for other in (np.array([1.0]), one[0], 2 * one, 1.0):
        assert differs([one], [other])
    assert differs({"x": 1}, {"y": 1})


def test_a_failure_is_known_by_its_pattern_and_a_pattern_needs_a_failure() -> None:
    outcome = Outcome(passed=["small::a"], failed={"small::boats": "none", "small::c": "why"})
    assert list(outcome.unexpected(SMALL)) == ["small::c"]
    assert len(Outcome(passed=["small::a"]).complaints(SMALL)) == 1
    assert "1 of 3 | no boats (1); not looked into yet (1)" in table.row(SMALL, outcome)


def test_the_page_has_a_row_for_every_library_of_this_version() -> None:
    page = table.PAGE.read_text()
    for library in LIBRARIES:
        assert f"| `{library.name}` | {library.version} |" in page


def test_every_program_belongs_to_a_library() -> None:
    named = {name for library in LIBRARIES for name in library.programs}
    assert {path.stem for path in (HERE / "programs").glob("*.py")} == named
