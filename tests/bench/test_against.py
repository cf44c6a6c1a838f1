from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.against import Change, changes
from bench.report import Row
from bench.rounds import Times
from bench.work import Work

WORK = Work("some work", "call", {})
STEADY = [1.0, 1.01, 0.99, 1.0, 1.0]


def row(**rounds: list[float]) -> Row:
    return Row(WORK, {peer: Times(1.0, times) for peer, times in rounds.items()})


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    rounds = {"tensormill": {"rounds": STEADY}, "tensorflow": {"rounds": STEADY}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"work": {"some work": rounds, "gone": rounds}}))
    return path


def only(found: list[Change]) -> Change:
    (one,) = found
    return one


def test_what_takes_longer_than_before_is_slower(earlier: Path) -> None:
    change = only(changes([row(tensormill=[one * 1.2 for one in STEADY])], earlier))

    assert change.is_slower
    assert change.factor == pytest.approx(1.2)
    assert str(change) == (
        "some work (tensormill): 1.00 s before, 1.20 s now; 1.20 ×, of which 5% may be chance"
    )


def test_as_slow_as_before_is_not_slower(earlier: Path) -> None:
    assert not only(changes([row(tensormill=STEADY)], earlier)).is_slower


def test_what_rounds_differ_by_may_be_chance(earlier: Path) -> None:
    change = only(changes([row(tensormill=[0.8, 0.9, 1.15, 1.6, 1.7])], earlier))

    assert change.factor == pytest.approx(1.15)
    assert not change.is_slower


def test_a_slower_machine_is_divided_out(earlier: Path) -> None:
    twice = [2 * one for one in STEADY]

    assert not only(changes([row(tensormill=twice, tensorflow=twice)], earlier)).is_slower
    assert only(changes([row(tensormill=twice, tensorflow=STEADY)], earlier)).is_slower


def test_a_row_that_was_not_timed_before_has_nothing_to_compare(earlier: Path) -> None:
    assert changes([row(jax=STEADY)], earlier) == []
    other = Row(Work("other", "call", {}), {"tensormill": Times(1.0, STEADY)})
    assert changes([other], earlier) == []


@pytest.mark.parametrize("text", ["", "[]", '{"work": 3}', '{"work": {"some work": {"a": 1}}}'])
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)

    with pytest.raises(ValueError, match=r"should be a results\.json"):
        changes([row(tensormill=STEADY)], path)
