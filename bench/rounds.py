"""Timing: the peers take turns, so that whatever slows the machine down slows all of them.

A workload in steady state has one process per peer, and a round asks each for one time. The
others start a new process for every time.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypedDict, TypeVar

from bench.peers import ROOT
from bench.work import Work

# Threads of a library that has just answered spin for up to a tenth of a second (OpenBLAS): let
# them go to sleep.
PAUSE_SECONDS = 0.2

Answer = TypeVar("Answer")


class PeerFailed(Exception):
    """A peer's process ended without an answer. The text is the last line it wrote."""


class Answered(TypedDict):
    """A line of bench/worker.py."""

    check: float | None
    seconds: float
    memory: int


@dataclass
class Times:
    """What one peer needed: seconds per unit in each round, the number that checks it, and the most
    bytes of memory that a process of it had.
    """

    check: float | None = None
    rounds: list[float] = field(default_factory=list)
    memory: int | None = None

    @property
    def seconds(self) -> float:
        return median(self.rounds)

    def add(self, answered: Answered) -> None:
        """Count a round."""
        self.rounds.append(answered["seconds"])
        self.memory = max(self.memory or 0, answered["memory"])


class Worker:
    """A process of a peer's Python, speaking the lines of bench/worker.py."""

    def __init__(self, python: Path, workload: str, peer: str, cache: Path) -> None:
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(python), "-m", "bench.worker", workload, peer],
            cwd=ROOT,
            env=environment(cache),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    def answer(self) -> Answered:
        """Wait for a line.

        Raises:
            PeerFailed: the process has ended.
        """
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise PeerFailed(self.last_words())
        return json.loads(line)

    def time(self) -> Answered:
        assert self.process.stdin is not None
        time.sleep(PAUSE_SECONDS)
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()

    def last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return lines[-1] if lines else f"ended with code {self.process.wait()}"

    def close(self) -> None:
        self.process.communicate()
        self.errors.close()


def environment(cache: Path) -> dict[str, str]:
    paths = [str(ROOT), str(ROOT / "src")]
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "1"}
    caches = {"TENSORMILL_CACHE_DIR": str(cache), "BENCH_CACHE": str(cache)}
    given = {**os.environ, **quiet, **caches, "PYTHONPATH": os.pathsep.join(paths)}
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode
    return given


@contextmanager
def worker(python: Path, workload: str, peer: str, cache: Path) -> Iterator[Worker]:
    """Start a worker; end it when the block ends."""
    running = Worker(python, workload, peer, cache)
    try:
        yield running
    finally:
        running.close()


Results = dict[str, Times | PeerFailed]


def time_steady(workload: str, pythons: Mapping[str, Path], rounds: int, folder: Path) -> Results:
    """Start every peer, then let them take turns."""
    with ExitStack() as stack:
        workers = {
            peer: stack.enter_context(worker(python, workload, peer, folder / peer))
            for peer, python in pythons.items()
        }
        results: Results = {}
        for peer, running in workers.items():
            ready = attempt(running.answer)
            results[peer] = ready if isinstance(ready, PeerFailed) else Times(ready["check"])
        for _ in range(rounds):
            for peer, running in workers.items():
                take_turn(results, peer, running.time)
    return results


def time_fresh(
    workload: str, pythons: Mapping[str, Path], rounds: int, folder: Path, warm: bool
) -> Results:
    """Start a process for every time; with `warm`, one more before the first that counts."""
    results: Results = {peer: Times() for peer in pythons}
    for turn in range(-1 if warm else 0, rounds):
        for peer, python in pythons.items():
            cache = folder / (peer if warm else f"{peer}-{turn}")
            take_turn(results, peer, partial(time_process, python, workload, peer, cache))
    for times in results.values():
        if warm and isinstance(times, Times):
            del times.rounds[0]
    return results


def take_turn(results: Results, peer: str, time_it: Callable[[], Answered]) -> None:
    """Add one time to a peer's; a peer that has failed takes no more turns."""
    times = results[peer]
    if isinstance(times, PeerFailed):
        return
    answered = attempt(time_it)
    if isinstance(answered, PeerFailed):
        results[peer] = answered
    else:
        times.add(answered)


def attempt(action: Callable[[], Answer]) -> Answer | PeerFailed:
    """Return what the action returns, or why the peer failed."""
    try:
        return action()
    except (PeerFailed, BrokenPipeError) as failure:
        return failure if isinstance(failure, PeerFailed) else PeerFailed(str(failure))


def time_process(python: Path, workload: str, peer: str, cache: Path) -> Answered:
    with worker(python, workload, peer, cache) as running:
        return running.answer()


def time_work(name: str, work: Work, pythons: Mapping[str, Path], rounds: int) -> Results:
    """Time one workload on these peers."""
    with tempfile.TemporaryDirectory(prefix="bench-cache-") as folder:
        if work.process == "steady":
            return time_steady(name, pythons, rounds, Path(folder))
        warm = work.process in ("warm first call", "import")
        return time_fresh(name, pythons, rounds, Path(folder), warm)
