"""Runs a function in a forked process with limits, and says how it went.

The process may take so much more memory than its parent has, so much processor time, and its
files are watched: what it opens, makes, moves or deletes outside of the places that it may touch.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MEMORY = 1 << 30  # bytes of address space more than before
SECONDS = 8  # of processor time, after which it is asked to stop; some later it is killed
KILLED = SECONDS + 8
WALL = 600  # seconds on the clock: others may use the processor

# What takes a path, by the name of the event that Python reports: which arguments are paths.
WATCHED = {
    "open": (0,), "os.mkdir": (0,), "os.remove": (0,), "os.rename": (0, 1), "os.rmdir": (0,),
    "os.link": (0, 1), "os.symlink": (0, 1), "os.chmod": (0,), "os.truncate": (0,),
    "os.listdir": (0,), "os.scandir": (0,), "shutil.rmtree": (0,), "glob.glob": (0,),
    "os.utime": (0,), "os.chown": (0,),
}  # fmt: skip
FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect")
# Where Python and the library read their own code.
OWN = tuple(
    os.path.realpath(one) for one in (sys.prefix, sys.base_prefix, Path(__file__).parents[2])
)
HARMLESS = (
    "/dev/null",
    "/dev/urandom",
    "/proc/self",
    "/proc/meminfo",
    "/sys/devices",
    "/etc/localtime",
)


class Stopped(BaseException):
    """The processor time is used up."""


@dataclass
class Outcome:
    """How it went. `kind` is "result", "error", "stopped" or "crash"."""

    kind: str
    phase: str = ""
    digest: str = ""
    error: str = ""  # the name of its class
    bases: list[str] = field(default_factory=list)
    message: str = ""
    innermost: str = ""  # the file and line that raised
    growth: int = 0  # bytes of memory, at most, in the phases that are measured
    touched: list[str] = field(default_factory=list)


class Phases:
    """What the process is doing, and how much memory each phase took."""

    def __init__(self) -> None:
        self.name = "begin"
        self._resident = _resident()
        self.growth = 0

    def begin(self, name: str) -> None:
        """The next phase; the memory of the first ones counts."""
        if self.name != "call":
            self.growth = _peak() - self._resident
        self.name = name


def run(work: Callable[[Phases], str], allowed: Sequence[str]) -> Outcome:
    """`work` in a process of its own; it returns a digest of its results."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(reader)
        _live(work, [os.path.realpath(one) for one in allowed], writer)
    os.close(writer)
    data, is_late = _read(reader)
    os.close(reader)
    if is_late:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if is_late:
        return Outcome("crash", message=f"was still running after {WALL} s")
    if not data:
        name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else str(status)
        return Outcome("crash", message=f"died of {name}")
    return Outcome(**json.loads(data))


def _read(reader: int) -> tuple[bytes, bool]:
    """All that comes, and whether the time was up before."""
    data, end = b"", time.monotonic() + WALL
    while True:
        if not select.select([reader], [], [], max(0.0, end - time.monotonic()))[0]:
            return data, True
        piece = os.read(reader, 1 << 16)
        if not piece:
            return data, False
        data += piece


def _live(work: Callable[[Phases], str], allowed: Sequence[str], writer: int) -> None:
    """The whole life of the process."""
    outcome = Outcome("crash", message="did not begin")
    try:
        with open(os.devnull, "r+b") as null:
            for stream in (0, 1, 2):
                os.dup2(null.fileno(), stream)
        _limit()
        touched = _watch(allowed)
        outcome = _outcome(work)
        outcome.touched = sorted(set(touched))[:5]
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        unlimited = resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_AS, (unlimited, unlimited))
        os.write(writer, json.dumps(vars(outcome)).encode())
        os._exit(0)


def _limit() -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (KILLED, KILLED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)


def _stop(number: int, frame: Any) -> None:
    raise Stopped


def _watch(allowed: Sequence[str]) -> list[str]:
    """What is touched elsewhere, from now on."""
    touched: list[str] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in FORBIDDEN:
            touched.append(f"{event} {arguments[:1]!r}")
        for place in WATCHED.get(event, ()):
            path = arguments[place]
            if isinstance(path, (str, bytes)) and not _is_allowed(os.fsdecode(path), allowed):
                touched.append(f"{event} {os.fsdecode(path)[:200]}")

    sys.addaudithook(hook)
    return touched


def _is_allowed(path: str, allowed: Sequence[str]) -> bool:
    if path.startswith(HARMLESS) or "\0" in path:
        return True
    whole = os.path.realpath(path)
    return any(whole == one or whole.startswith(f"{one}/") for one in (*allowed, *OWN))


def _outcome(work: Callable[[Phases], str]) -> Outcome:
    phases = Phases()
    try:
        digest = work(phases)
        phases.begin("end")
        return Outcome("result", phases.name, digest, growth=phases.growth)
    except Stopped:
        return Outcome("stopped", phases.name)
    except BaseException as error:
        with contextlib.suppress(Exception):
            phases.begin("end") if phases.name != "call" else None
        frames = traceback.extract_tb(error.__traceback__)
        last = f"{frames[-1].filename}:{frames[-1].lineno} {frames[-1].name}" if frames else "?"
        return Outcome(
            "error",
            phases.name if phases.name != "end" else "load",
            error=type(error).__name__,
            bases=[one.__name__ for one in type(error).__mro__],
            message="\n".join([_without_its_middle(str(error)), *getattr(error, "__notes__", ())]),
            innermost=last,
            growth=phases.growth,
        )


def _without_its_middle(text: str) -> str:
    """A damaged name may be long, and the place may be told after it."""
    return text if len(text) <= 2000 else f"{text[:1000]} … {text[-1000:]}"


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
