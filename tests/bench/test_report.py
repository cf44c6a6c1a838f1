from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import typer

from bench.__main__ import main, named, rows_lost, with_figures, work_of
from bench.chart import write_chart
from bench.report import Row, duration, markdown_table, markdown_table_of_memory
from bench.rounds import Times
from bench.work import Goal, TimeGoal, Work
from bench.worker import peak_memory
from bench.workloads import NAMES

WORK = Work("some work", "call", {}, goals=(Goal("tensorflow", 1 / 100), Goal("blas", 1.05)))


def row(**seconds: float) -> Row:
    return Row(WORK, {peer: Times(1.0, [0.0, value, 9.0]) for peer, value in seconds.items()})


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3.456, "3.46 s"),
        (0.2504, "250 ms"),
        (1.2e-6, "1.20 µs"),
        (48.4e-9, "48.4 ns"),
        (7.8e-10, "0.78 ns"),
    ],
)
def test_a_duration_has_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_peer_is_shown_with_its_ratio() -> None:
    assert row(tensormill=2e-6, tensorflow=4e-4).cell("tensorflow") == "400 µs (200 ×)"


def test_goals_are_marked() -> None:
    reached = row(tensormill=2e-6, tensorflow=4e-4, blas=1e-6)

    assert reached.goals() == "≤ tensorflow / 100 ✓, ≤ 1.05 × blas ✗"


def test_a_goal_without_its_peer_is_left_out() -> None:
    assert row(tensormill=2e-6).goals() == ""


def test_a_goal_in_seconds_needs_no_peer() -> None:
    assert TimeGoal(0.06).is_reached({"tensormill": 0.05})
    assert str(TimeGoal(0.06)) == "60 ms"


def test_a_goal_may_be_of_the_back_end_xla() -> None:
    goal = Goal("jax", 1.1, "xla")

    assert str(goal) == "1.1 × jax (xla)"
    assert goal.is_reached({"tensormill": 9.0, "xla": 1.0, "jax": 1.0})
    assert not goal.is_reached({"tensormill": 0.1, "xla": 1.2, "jax": 1.0})


def test_peers_that_disagree_are_named() -> None:
    times = {"tensormill": Times(1.0, [1.0]), "jax": Times(1.1, [1.0])}

    assert "jax 1.1" in (Row(WORK, times).disagreement() or "")
    assert row(tensormill=1.0, jax=1.0).disagreement() is None


def test_the_table_is_markdown() -> None:
    header, rule, line = markdown_table([row(tensormill=1e-6)]).splitlines()

    assert header == "| work | per | tensormill | to reach |"
    assert rule == "| --- | --- | --- | --- |"
    assert line == "| some work | call | 1.00 µs |  |"


def test_memory_is_shown_beside_that_of_peers_which_are_to_need_no_less() -> None:
    times = {
        "tensormill": Times(1.0, [1.0], 200_000_000),
        "tensorflow": Times(1.0, [1.0], 650_000_000),
        "jax": Times(1.0, [1.0], 150_000_000),
        "torch": Times(1.0, [1.0], 100_000_000),
        "bound": Times(rounds=[1.0]),
    }
    header, _, line = markdown_table_of_memory([Row(WORK, times)]).splitlines()

    assert header == "| most memory of | tensormill | TensorFlow | JAX | torch |"
    assert line == "| some work | 200 MB | 650 MB ✓ | 150 MB ✗ | 100 MB |"


def test_a_process_tells_the_most_memory_that_it_had() -> None:
    before = peak_memory()
    block = np.ones(before // 8 + 10_000_000)  # more than all that it had
    del block

    assert peak_memory() > before + 50_000_000


def test_the_figures_go_between_the_marks() -> None:
    marks = "<!-- figures: begin -->\n{}<!-- figures: end -->"

    assert with_figures(f"a\n{marks}\nb", "new\n") == f"a\n{marks}\nb".format("new\n")
    assert with_figures(f"a{marks.format('old')}b", "new") == f"a{marks.format('new')}b"


def test_short_goals_are_said_in_microseconds() -> None:
    assert str(TimeGoal(0.8e-6)) == "0.8 µs"


def test_a_folder_names_all_its_workloads() -> None:
    assert named("large") == [
        "large.mlp", "large.black_scholes", "large.norm_softmax", "large.recurrence"
    ]  # fmt: skip
    assert named("train_step") == ["train_step"]
    with pytest.raises(typer.BadParameter, match="there is no workload larger"):
        named("larger")


def test_every_workload_has_a_file_and_a_title_of_its_own() -> None:
    titles = [import_module(f"bench.workloads.{name}").WORK.title for name in NAMES]

    assert len(set(titles)) == len(titles)


def test_rows_that_are_not_timed_are_not_lost_from_the_table() -> None:
    table = f"a machine\n\n{markdown_table([row(tensormill=1.0), Row(work_of('dense'), {})])}"

    assert rows_lost(["dense", "power"], table) == "some work"
    memory = markdown_table_of_memory([row(tensormill=1.0)])
    assert rows_lost(["dense", "power"], f"{table}\n{memory}") == "some work"
    assert rows_lost([*NAMES], markdown_table([Row(work_of("dense"), {})])) == ""
    with pytest.raises(typer.BadParameter, match="would lose: train step"):
        main(["dense"], install=False, write=True)


def test_the_chart_shows_every_row_and_is_the_same_each_time(tmp_path: Path) -> None:
    rows = [row(tensormill=2e-6, tensorflow=4e-4, jax=3e-6)]
    for name in ("one.svg", "two.svg"):
        write_chart(rows, tmp_path / name)
    text = (tmp_path / "one.svg").read_text()

    assert "some work" in text
    assert "TensorFlow" in text
    assert "torch" not in text
    assert text == (tmp_path / "two.svg").read_text()
