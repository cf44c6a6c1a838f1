"""One peer doing one workload, in a process of that peer's Python.

It answers in lines of JSON on standard output: first {"check": ..., "seconds": null}, then
{"seconds": ...} each time that a line comes in. A workload that needs a new process for each
time answers once, with both. Every line has the most memory that the process had so far.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from bench.work import Timed, Work

WARM_SECONDS, ROUND_SECONDS = 0.3, 0.1
FEWEST_CALLS = 3


def main() -> None:
    """Do the workload named first as the peer named second."""
    workload, peer = sys.argv[1:]
    answers = take_standard_output()
    work: Work = import_module(f"bench.workloads.{workload}").WORK
    timed = work.programs[peer]()
    if work.process == "steady":
        serve(timed, answers)
    else:
        answer(answers, check=None, seconds=time_once(timed.call))


def take_standard_output() -> TextIO:
    """Keep standard output for answers; whatever a library prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return answers


def serve(timed: Timed, answers: TextIO) -> None:
    """Warm up, choose how many calls make a round, then time a round for each line that comes."""
    time_calls(timed, calls_that_take(timed, WARM_SECONDS))
    calls = calls_that_take(timed, ROUND_SECONDS)
    answer(answers, check=timed.check, seconds=None)
    for _ in sys.stdin:
        seconds = time_calls(timed, calls) / calls / timed.units
        answer(answers, check=timed.check, seconds=seconds)


def calls_that_take(timed: Timed, seconds: float) -> int:
    """Return how many calls take about so long, found by doubling."""
    calls = FEWEST_CALLS
    while (taken := time_calls(timed, calls)) < seconds / 2:
        calls *= 2
    return max(FEWEST_CALLS, round(calls * seconds / taken))


def time_calls(timed: Timed, calls: int) -> float:
    """Return the seconds that so many calls take, until the last result is there."""
    call, result = timed.call, None
    start = time.perf_counter()
    for _ in range(calls):
        result = call()
    timed.finish(result)
    return time.perf_counter() - start


def time_once(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def answer(stream: TextIO, check: float | None, seconds: float | None) -> None:
    answered = {"check": check, "seconds": seconds, "memory": peak_memory()}
    stream.write(json.dumps(answered) + "\n")
    stream.flush()


def peak_memory() -> int:
    """Return the most bytes of memory that this process has had at once (its resident set)."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:  # no Linux: what `getrusage` says counts bytes on macOS
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Unlike `getrusage`, it forgets what the process had before it ran this program.
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) * 1024


if __name__ == "__main__":
    main()
