"""One change of the tree, and what the tests make of it."""

from __future__ import annotations

import itertools
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .changes import Change

# Some changes have no end: seconds of the processor, which a busy machine has fewer of, and of all.
COMPUTING = 30
WAITING = 300
MEMORY = 16 << 30  # a changed size may ask for all there is
FIRST_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


class Trials:
    """Runs tests on a tree with a change in it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._times = itertools.count(1)  # compiled files are known by their source's second

    def shown(self, change: Change, tests: list[str]) -> tuple[str, str]:
        """Whether a test fails, or does not end, with the change, and which one."""
        with self.applied(change):
            return self._told(["-x", *tests])

    @contextmanager
    def applied(self, change: Change) -> Iterator[None]:
        """With the change in its file."""
        path = self._root / change.file
        source, times = path.read_bytes(), path.stat()
        path.write_bytes(change.applied(source))
        second = next(self._times)
        os.utime(path, (second, second))
        try:
            yield
        finally:
            path.write_bytes(source)
            os.utime(path, (times.st_atime, times.st_mtime))

    def _told(self, arguments: list[str]) -> tuple[str, str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        path = f"{self._root / 'src'}:{self._root}"
        environment = os.environ | {"PYTHONPATH": path, "TENSORMILL_CACHE": "0"}
        with subprocess.Popen(
            command,
            cwd=self._root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=limit,
        ) as process:
            try:
                output, _ = process.communicate(timeout=WAITING)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "noticed", "it does not end"
        if process.returncode == 0:
            return "UNNOTICED", ""
        failed = FIRST_FAILURE.search(output)
        return "noticed", failed[1] if failed else f"status {process.returncode}"


def limit() -> None:
    """Let this process take no more than a change is worth."""
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, COMPUTING))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
