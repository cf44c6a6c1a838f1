"""Files are replaced as a whole, and what died writers left goes."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensormill.core.files import temporary_names
from tensormill.core.files.atomic import append, replacing, rewriting, write_file
from tensormill.core.files.temporary_names import (
    ABANDONED_SECONDS,
    passing_file,
    passing_folder,
    sweep,
)


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def write_and_close(path: str) -> None:
    with replacing(path) as file:
        file.write(b"half")
        file.close()


def rewrite(path: Path | str, text: bytes = b"new") -> None:
    with rewriting(str(path)) as file:
        file.write(text)


def test_a_file_is_replaced(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a"), b"old")
    write_file(str(tmp_path / "a"), b"new")

    assert {"a": "new"} == texts(tmp_path)


@pytest.mark.parametrize("write", [write_file, rewrite])
@pytest.mark.parametrize("name", ["a" * 255, "./b", "c"])
def test_any_name_will_do(tmp_path: Path, name: str, write: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write(name, b"old")
    write(name, b"new")

    assert {os.path.basename(name): "new"} == texts(tmp_path)


def test_an_error_of_the_writer_changes_nothing(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a"), b"old")
    with pytest.raises(ValueError, match="closed file"):
        write_and_close(str(tmp_path / "a"))

    assert {"a": "old"} == texts(tmp_path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_file(str(tmp_path / "no" / "a"), b"new")


@pytest.mark.parametrize("passing_one", [passing_file, passing_folder])
def test_a_folder_that_takes_nothing_is_an_error(
    tmp_path: Path, passing_one: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gone").mkdir()
    os.chdir("gone")
    os.rmdir(tmp_path / "gone")

    assert os.path.isdir(os.curdir)
    with pytest.raises(FileNotFoundError), passing_one(os.curdir):
        pass


# ---- leftovers

DYING = """
import os, signal, sys
from tensormill.core.files.temporary_names import passing_file, passing_folder
with passing_file(sys.argv[1]) as (_, file), passing_folder(sys.argv[1]) as folder:
    file.write(b"half")
    open(os.path.join(folder, "file"), "w").close()
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def leave(folder: Path) -> list[str]:
    """Have a process die in the middle of writing; what it leaves."""
    before = set(os.listdir(folder))
    subprocess.run([sys.executable, "-c", DYING, str(folder)], check=False)
    return sorted(set(os.listdir(folder)) - before)


@pytest.mark.sampled(among="threads and interrupts")
def test_what_is_left_goes_and_what_is_being_written_stays(tmp_path: Path) -> None:
    (tmp_path / ".tensormill-mine").touch()
    with passing_file(str(tmp_path)) as (file, _), passing_folder(str(tmp_path)) as folder:
        assert 2 == len(leave(tmp_path))
        sweep(str(tmp_path))

        live = [".tensormill-mine", os.path.basename(file), os.path.basename(folder)]
        assert sorted(live) == sorted(os.listdir(tmp_path))
    assert [".tensormill-mine"] == os.listdir(tmp_path)


def test_a_file_with_another_name_is_settled_before_it_goes(tmp_path: Path) -> None:
    with passing_file(str(tmp_path)) as (name, _):
        pass
    Path(name).touch()
    os.link(name, tmp_path / "data")
    settled: list[str] = []

    sweep(str(tmp_path))
    assert os.path.exists(name)
    sweep(str(tmp_path), settled.append)
    assert [name] == settled
    assert ["data"] == os.listdir(tmp_path)


@pytest.mark.sampled(among="threads and interrupts")
def test_the_next_writer_sweeps_and_later_ones_only_now_and_then(
    tmp_path: Path, monkeypatch: Any
) -> None:
    for number in range(10):
        (tmp_path / f"{number}").touch()
    leave(tmp_path)
    sweeps: list[str] = []
    monkeypatch.setattr(
        temporary_names, "sweep", lambda folder: sweeps.append(folder) or sweep(folder)
    )
    for _ in range(20):
        write_file(str(tmp_path / "a"), b"new")

    assert 11 == len(os.listdir(tmp_path))
    assert 2 == len(sweeps)


def test_a_folder_is_swept_once_whatever_it_is_called(tmp_path: Path, monkeypatch: Any) -> None:
    for name in ("one", "other"):
        (tmp_path / name / "m").mkdir(parents=True)
    (tmp_path / "one" / "link").symlink_to("m")
    for number in range(10):
        (tmp_path / "one" / "m" / f"{number}").touch()
    sweeps: list[str] = []
    monkeypatch.setattr(
        temporary_names, "sweep", lambda folder: sweeps.append(folder) or sweep(folder)
    )
    monkeypatch.chdir(tmp_path / "one")
    for folder in ("m", "./m", "link", "../one/m", str(tmp_path / "one" / "m")):
        write_file(f"{folder}/a", b"new")
    monkeypatch.chdir(tmp_path / "other")
    write_file("m/a", b"new")

    assert ["m", "m"] == sweeps


def test_a_folder_that_takes_the_number_of_another_one_is_swept(tmp_path: Path) -> None:
    for number in range(20):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        (folder / ".tensormill-left.tmp").touch()
        write_file(f"{folder}/a", b"new")

        assert ["a"] == os.listdir(folder)
        (folder / "a").unlink()
        folder.rmdir()


def test_without_locks_age_tells_what_was_left(tmp_path: Path, monkeypatch: Any) -> None:
    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with passing_file(str(tmp_path)) as (name, _):
        sweep(str(tmp_path))
        assert os.path.exists(name)
        os.utime(name, (0, os.path.getmtime(name) - ABANDONED_SECONDS - 1))
        sweep(str(tmp_path))
        assert not os.path.exists(name)


def test_what_is_left_goes_where_only_what_may_be_written_is_locked(
    tmp_path: Path, monkeypatch: Any
) -> None:
    really = fcntl.flock

    def locked(descriptor: int, how: int) -> None:
        if not fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE:
            raise OSError(errno.EBADF, "as NFS says")
        really(descriptor, how)

    leave(tmp_path)
    monkeypatch.setattr(fcntl, "flock", locked)
    sweep(str(tmp_path))

    assert [] == [path for path in tmp_path.iterdir() if path.is_file()]


def test_a_forked_child_does_not_keep_a_lock(tmp_path: Path) -> None:
    with passing_file(str(tmp_path)) as (name, file):
        copy = os.dup(file.fileno())  # as a fork has one
        os.link(name, tmp_path / "kept")
    with temporary_names.abandoned(str(tmp_path / "kept")) as found:
        assert found is not None
    os.close(copy)


# ---- users' files


def test_a_rewritten_file_keeps_its_permissions_and_links(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    rewrite(tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert {"file": "new", "link": "new"} == texts(tmp_path)
    assert 0o640 == stat.S_IMODE((tmp_path / "file").stat().st_mode)


def test_all_names_of_a_rewritten_file_have_the_new_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old and longer")
    (tmp_path / "other").hardlink_to(tmp_path / "file")
    rewrite(tmp_path / "file")

    assert {"file": "new", "other": "new"} == texts(tmp_path)


def test_a_link_to_nothing_gets_its_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    rewrite(tmp_path / "link")

    assert {"file": "new", "link": "new"} == texts(tmp_path)


@pytest.mark.parametrize("refused", ["open", "fchown", "replace"])
def test_what_cannot_be_replaced_is_written_in_place(
    tmp_path: Path, refused: str, monkeypatch: Any
) -> None:
    (tmp_path / "file").write_text("old and longer")
    before, really = (tmp_path / "file").stat().st_ino, getattr(os, refused)

    def refuse(*operands: Any, **options: Any) -> Any:
        if refused == "open" and not os.path.basename(operands[0]).startswith(".tensormill"):
            return really(*operands, **options)
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(os, refused, refuse)
    rewrite(tmp_path / "file")

    assert {"file": "new"} == texts(tmp_path)
    assert before == (tmp_path / "file").stat().st_ino


@pytest.mark.parametrize("opened", [os.pipe, os.openpty])
def test_a_device_is_written(opened: Callable[[], tuple[int, int]]) -> None:
    """One that cannot be replaced even by a root whose code is wrong: /dev/null can."""
    reading, writing = opened()
    try:
        rewrite(f"/dev/fd/{writing}")
        assert b"new" == os.read(reading, 10)
    finally:
        os.close(reading)
        os.close(writing)


def test_what_is_appended_is_there_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: Any
) -> None:
    class Filling(io.FileIO):
        def write(self, data: Any) -> int:
            if len(data) < 10:
                raise OSError(errno.ENOSPC, "disk full")
            return super().write(data[:4])

    path = tmp_path / "file"
    append(str(path), b"old")
    with monkeypatch.context() as patch:
        patch.setattr("builtins.open", lambda path, mode, buffering: Filling(path, mode))
        with pytest.raises(OSError, match="disk full"):
            append(str(path), b"0123456789")
    append(str(path), b"new")

    assert "oldnew" == path.read_text()
