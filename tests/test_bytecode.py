"""Of workers without bytecode one compiles, the others wait and go on together."""

from __future__ import annotations

import fcntl
from pathlib import Path
from threading import Barrier, Semaphore, Thread
from typing import IO

import pytest

from tests import bytecode


def test_those_who_come_later_wait_for_the_first_and_not_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    lock, waiting, together, began = fcntl.flock, Semaphore(0), Barrier(2), list[str]()

    def seen(opened: IO[str], operation: int) -> None:
        if operation == fcntl.LOCK_SH:
            waiting.release()
        lock(opened, operation)

    def later() -> None:
        with bytecode.one_first(file):
            began.append("later")
            together.wait(60)

    monkeypatch.setattr(fcntl, "flock", seen)
    threads = [Thread(target=later) for _ in range(2)]
    with bytecode.one_first(file):
        for thread in threads:
            thread.start()
            waiting.acquire(timeout=60)
        began.append("first")
    for thread in threads:
        thread.join()

    assert ["first", "later", "later"] == began
    assert not together.broken


def test_it_is_missing_until_the_last_folder_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode, "LAST", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.implementation.cache_tag", "cpython-311")
    cache = tmp_path / "__pycache__"
    cache.mkdir()
    (cache / "test_one.cpython-312-pytest-9.0.1.pyc").touch()
    assert bytecode.is_missing()

    (cache / "test_one.cpython-311-pytest-9.0.1.pyc").touch()
    assert not bytecode.is_missing()


def test_where_none_is_kept_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode, "LAST", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    assert not bytecode.is_missing()
