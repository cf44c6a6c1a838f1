"""`python -m bench [WORKLOAD...]`: time tensormill and its peers on the same work."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench.against import changes
from bench.bounds import rates
from bench.chart import write_chart
from bench.peers import ROOT, Peers
from bench.report import (
    Row,
    machine,
    markdown_table,
    markdown_table_of_memory,
    screen_table,
    screen_table_of_memory,
    write_results,
)
from bench.rounds import PeerFailed, Times, time_work
from bench.work import Work
from bench.workloads import NAMES
from tensormill.cli.doctor import usable_cores

RESULTS = ROOT / "bench" / "results.json"
TABLE = ROOT / "bench" / "results.md"
CHART = ROOT / "bench" / "results.svg"
README = ROOT / "README.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
FEWEST_ROUNDS = 7

console = Console()


def main(
    workloads: Annotated[
        list[str] | None,
        typer.Argument(help=f"Which of: {', '.join(NAMES)}; or a folder of them. All by default."),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=FEWEST_ROUNDS, help="Times taken; the median counts.")
    ] = FEWEST_ROUNDS,
    peer: Annotated[
        list[str] | None, typer.Option(help="Only this peer beside tensormill (repeatable).")
    ] = None,
    install: Annotated[
        bool, typer.Option(help="Make the environments of peers that are missing.")
    ] = True,
    write: Annotated[
        bool, typer.Option(help="Write the table to bench/results.md, the README and a chart.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(help="An earlier results.json: say what became slower; then the code is 1."),
    ] = None,
) -> None:
    """Time tensormill and its peers, side by side."""
    peers = Peers(console.print, install)
    names = [one for name in workloads or NAMES for one in named(name)]
    if write and (lost := rows_lost(names, TABLE.read_text())):
        raise typer.BadParameter(f"--write renews the whole table, which would lose: {lost}")
    rows = [run(name, peers, peer, rounds) for name in names]
    console.print(screen_table(rows))
    console.print(screen_table_of_memory(rows))
    for row in rows:
        if sentence := row.disagreement():
            console.print(sentence, style="bold red", markup=False)
    compared = changes(rows, against) if against else []
    write_results(rows, RESULTS)
    if write:
        write_chart(rows, CHART)
        table = f"{machine()}\n\n{markdown_table(rows)}"
        TABLE.write_text(f"{table}\n{markdown_table_of_memory(rows)}")
        README.write_text(with_figures(README.read_text(), table))
    slower = [change for change in compared if change.is_slower]
    for change in sorted(slower, key=lambda one: one.factor, reverse=True):
        console.print(str(change), style="bold red", markup=False)
    if slower:
        raise typer.Exit(1)


def named(name: str) -> list[str]:
    """The workload of this name, or those in the folder of this name."""
    found = [one for one in NAMES if one == name or one.startswith(f"{name}.")]
    if not found:
        raise typer.BadParameter(f"there is no workload {name}; there are {', '.join(NAMES)}")
    return found


def rows_lost(names: list[str], table: str) -> str:
    """Return the rows of a table that workloads of these names do not renew."""
    renewed = {work_of(name).title for name in names}
    times = table.partition("| most memory of ")[0]
    titles = [line.split("|")[1].strip() for line in times.splitlines() if line.startswith("|")]
    return "; ".join(title for title in titles[2:] if title not in renewed)


def work_of(name: str) -> Work:
    work: Work = import_module(f"bench.workloads.{name}").WORK
    return work


def with_figures(readme: str, table: str) -> str:
    """Return the README with this table between its marks."""
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}{END}{rest.partition(END)[2]}"


def run(name: str, peers: Peers, wanted: list[str] | None, rounds: int) -> Row:
    """Time one workload; say which peers could not take part."""
    work = work_of(name)
    asked = [p for p in work.programs if not wanted or p in (*wanted, "tensormill")]
    pythons = {p: python for p in asked if (python := peers.python(p)) is not None}
    with console.status(f"{work.title}: {', '.join(pythons)}"):
        results = time_work(name, work, pythons, rounds)
    for failed, reason in results.items():
        if isinstance(reason, PeerFailed):
            console.print(f"{work.title}: {failed} failed: {reason}", markup=False)
    timed = {p: times for p, times in results.items() if isinstance(times, Times)}
    if work.bound is not None:
        timed["bound"] = Times(rounds=[rates(usable_cores()).seconds(work.bound)])
    return Row(work, timed)


if __name__ == "__main__":
    typer.run(main)
