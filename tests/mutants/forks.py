"""A pytest plugin: instead of the tests, it runs those of a plan of changes, each in a fork.

Everything is imported and collected once. `PLAN` names a file with a line for each change.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from .changes import Change
from .living import change as change_living
from .living import functions_by_file
from .places import place_of
from .trial import WAITING, Trials, limit

AGAIN = "again"  # in a process of its own: what is changed runs at import


class Forks:
    """What the tests make of each change."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._root = session.config.rootpath
        self._items = {item.nodeid: item for item in session.items}
        self._functions = functions_by_file()
        self._anew = Trials(self._root)

    def shown(self, change: Change, anew: bool, tests: list[str]) -> tuple[str, str]:
        """Whether a test fails, or does not end, with the change, and which one."""
        source = (self._root / change.file).read_bytes()
        if anew or place_of(change.line, source).function is None:
            return self._anew.shown(change, tests)
        told, telling = os.pipe()
        with self._anew.applied(change), open(told, "rb") as words:
            if (child := os.fork()) == 0:
                self._run(change, source, tests, telling)
            os.close(telling)
            status = _ended(child)
            word = words.read().decode()
        if word == AGAIN:
            return self._anew.shown(change, tests)
        if status == 0 and not word:
            return "UNNOTICED", ""
        return "noticed", word or f"status {status}"

    def _run(self, change: Change, source: bytes, tests: list[str], telling: int) -> NoReturn:
        """In the fork: tell which test fails, and leave."""
        word = "the tests cannot run"
        try:
            path = self._root / change.file
            functions = self._functions.get(str(path))
            if functions is None or change_living(functions, path, source, change):
                word = self._failed(self._known(tests))
            else:
                word = AGAIN
        finally:
            os.write(telling, word.encode())
            os._exit(0)

    def _known(self, tests: list[str]) -> list[pytest.Item]:
        """Without those whose names tell where something lies in memory."""
        return [self._items[test] for test in tests if test in self._items]

    def _failed(self, items: list[pytest.Item]) -> str:
        """The first test that fails."""
        limit()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        for place, item in enumerate(items):
            following = items[place + 1] if place + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._session.testsfailed:
                return item.nodeid
        return ""


def _ended(child: int) -> int:
    """How the child ended: by itself, or by force after a while."""
    end = time.monotonic() + WAITING
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Show the changes of the plan, and tell of each."""
    forks = Forks(session)
    words: Counter[str] = Counter()
    for line in Path(os.environ["PLAN"]).read_text().splitlines():
        row = json.loads(line)
        number, tests = row["number"], row["tests"]
        change = Change(**row["change"] | {"file": Path(row["change"]["file"])})
        began = time.monotonic()
        word, told = "UNRUN", "no test runs it"
        if tests:
            word, told = forks.shown(change, row["anew"], tests)
        words[word] += 1
        seconds = time.monotonic() - began
        says = f"{number:4} {word} {change} [{len(tests)} tests, {seconds:.0f} s] {told}"
        print(says, flush=True)
    print(dict(words))
    return True
