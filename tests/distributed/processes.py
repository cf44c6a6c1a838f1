"""Starts a program in several processes of one cluster, over loopback."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = Path(__file__).parent / "programs"
PATIENCE: Final = 300.0  # seconds after which a program hangs


class Ended(NamedTuple):
    """How a process ended, and what it told: each line of its output is JSON."""

    code: int
    told: list[Any]
    errors: str


def addresses(count: int) -> list[str]:
    """Addresses where nobody listens."""
    with ExitStack() as held:
        free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in free]


def task(workers: Sequence[str], index: int) -> str:
    """TF_CONFIG of one worker."""
    return json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": index}})


def started(
    program: Path, config: str | None, *arguments: Any, **environment: str
) -> subprocess.Popen[str]:
    """One process that runs a program."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    surroundings = {**os.environ, "PYTHONPATH": path, **environment}
    surroundings.pop("TF_CONFIG", None)
    if config is not None:
        surroundings["TF_CONFIG"] = config
    return subprocess.Popen(
        [sys.executable, "-m", "tensormill", "run", str(program), *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings,
    )  # fmt: skip


def end_of(process: subprocess.Popen[str]) -> Ended:
    """What a process told until its end.

    Raises:
        TimeoutExpired: it hangs, and was killed.
    """
    try:
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    return Ended(process.returncode, [json.loads(line) for line in output.splitlines()], errors)


def ends_of(processes: Iterable[subprocess.Popen[str]]) -> list[Ended]:
    """The same of several; all of them end."""
    running = list(processes)
    try:
        return [end_of(one) for one in running]
    finally:
        for one in running:
            one.kill()


def run(name: str, *arguments: Any, size: int = 2, **environment: str) -> list[Ended]:
    """A program of `programs/`, by each of several workers."""
    workers = addresses(size)
    program = PROGRAMS / f"{name}.py"
    configs = [task(workers, rank) for rank in range(size)]
    return ends_of([started(program, config, *arguments, **environment) for config in configs])
