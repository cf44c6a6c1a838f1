"""Folders change places where the system has no step for that, whoever else is at it or dies."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tensormill.core.files import folder_exchange
from tensormill.core.files.folder_exchange import bring_back, exchange_folders, move_folder
from tests.compiler.processes import outcome, start

EXCHANGING = """
import os, sys
from tensormill.core.files import folder_exchange as exchange
exchange._renameat2 = lambda *_: False
print(flush=True)
while not os.path.exists(sys.argv[2]):
    pass
for _ in range(int(sys.argv[3])):
    exchange.exchange_folders(sys.argv[1], sys.argv[2])
"""


@pytest.fixture(autouse=True)
def in_steps(monkeypatch: Any) -> None:
    monkeypatch.setattr(folder_exchange, "_renameat2", lambda *_: False)


def made(folder: Path, *names: str) -> list[str]:
    """New folders, in each of which a file tells its name."""
    for name in names:
        (folder / name).mkdir()
        (folder / name / "file").write_text(name)
    return [str(folder / name) for name in names]


def begun(process: subprocess.Popen[bytes]) -> None:
    """Wait until it says that it is at work."""
    assert process.stdout is not None
    process.stdout.readline()


def found(folder: Path) -> dict[str, str]:
    return {path.name: (path / "file").read_text() for path in folder.iterdir()}


@pytest.mark.sampled(among="threads and interrupts")
def test_two_processes_lose_none_of_their_folders(tmp_path: Path) -> None:
    folders = made(tmp_path, "one", "other")
    processes = [start(EXCHANGING, one, str(tmp_path / "place"), "400") for one in folders]
    for process in processes:
        begun(process)
    made(tmp_path, "place")

    assert [(0, b"", b"")] * 2 == [outcome(process) for process in processes]
    assert ["one", "other", "place"] == sorted(found(tmp_path)) == sorted(found(tmp_path).values())


@pytest.mark.sampled(among="threads and interrupts")
def test_whoever_is_killed_holds_up_nobody(tmp_path: Path) -> None:
    one, other, place = made(tmp_path, "one", "other", "place")
    for _ in range(2):
        process = start(EXCHANGING, one, place, "1000000")
        begun(process)
        for _ in range(20):
            exchange_folders(other, place)
        process.kill()
        process.communicate()
        for _ in range(3):
            exchange_folders(other, place)

        assert {"other", "place"} <= {*found(tmp_path)}
        if not os.path.exists(one):  # it went with whom it belonged to
            made(tmp_path, "one")
    assert {"one", "other", "place"} == {*found(tmp_path)}


def meanwhile(act: Callable[[], object], monkeypatch: Any) -> list[threading.Thread]:
    """Have another thread act as soon as something is away."""
    really, threads = os.rename, list[threading.Thread]()

    def rename(source: str, target: str) -> None:
        really(source, target)
        if not threads:
            threads.append(threading.Thread(target=act))
            threads[0].start()
            threads[0].join(0.05)

    monkeypatch.setattr(os, "rename", rename)
    return threads


def test_who_finds_nothing_waits_for_whoever_is_at_it(tmp_path: Path, monkeypatch: Any) -> None:
    one, other, place = made(tmp_path, "one", "other", "place")
    seen: list[object] = []
    acts: list[Callable[[], object]] = [
        lambda: bring_back(place) or seen.append(os.path.isdir(place)),
        lambda: seen.append(move_folder(other, place)),
    ]
    for act in acts:
        with monkeypatch.context() as patch:
            threads = meanwhile(act, patch)
            exchange_folders(one, place)
            threads[0].join()

    assert [True, False] == seen
    assert {"one": "one", "other": "other", "place": "place"} == found(tmp_path)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_interrupt_leaves_a_folder_in_its_place(
    tmp_path: Path, number: int, monkeypatch: Any
) -> None:
    one, place = made(tmp_path, "one", "place")
    really, calls = os.rename, list[str]()

    def rename(source: str, target: str) -> None:
        really(source, target)
        calls.append(target)
        if len(calls) == number:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        exchange_folders(one, place)

    kept = "place" if number == 1 else "one"
    assert {"place": kept, "one": "one" if kept == "place" else "place"} == found(tmp_path)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_step_that_fails_once_leaves_nothing_under_other_names(
    tmp_path: Path, number: int, monkeypatch: Any
) -> None:
    one, place = made(tmp_path, "one", "place")
    really, calls = os.rename, list[str]()

    def rename(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == number:
            raise OSError(errno.EIO, "the disk fails")
        really(source, target)

    monkeypatch.setattr(os, "rename", rename)
    with suppress(OSError):
        exchange_folders(one, place)

    assert ["one", "place"] == sorted(found(tmp_path)) == sorted(found(tmp_path).values())


@pytest.mark.parametrize("number", [2, 3])
def test_steps_that_fail_from_then_on_leave_one_folder_that_is_found(
    tmp_path: Path, number: int, monkeypatch: Any
) -> None:
    one, place = made(tmp_path, "one", "place")
    really, calls = os.rename, list[str]()

    def rename(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) >= number:
            raise OSError(errno.ENOSPC, "disk full")
        really(source, target)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(OSError, match="disk full"):
        exchange_folders(one, place)
    monkeypatch.setattr(os, "rename", really)
    bring_back(place)

    expected = {"one": "one", "place": "place"} if number == 2 else {"place": "one"}
    assert expected == found(tmp_path)


def test_a_place_that_cannot_be_locked_is_taken_all_the_same(
    tmp_path: Path, monkeypatch: Any
) -> None:
    one, place = made(tmp_path, "one", "place")
    really = os.open

    def refuse(path: str, flags: int, *mode: int) -> int:
        if path.endswith(".tmp"):
            raise OSError(errno.ENOSPC, "disk full")
        return really(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse)
    exchange_folders(one, place)

    assert {"one": "place", "place": "one"} == found(tmp_path)
