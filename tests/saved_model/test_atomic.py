"""Files are replaced as a whole, several of them together."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensormill.saved_model.atomic import replacing, write_file


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def write_all(paths: list[str]) -> None:
    with replacing(*paths) as files:
        for file in files:
            file.write(b"new")


def write_and_close(path: str) -> None:
    with replacing(path) as (file,):
        file.write(b"half")
        file.close()


def test_a_file_is_replaced(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a"), b"old")
    write_file(str(tmp_path / "a"), b"new")

    assert {"a": "new"} == texts(tmp_path)


def test_an_error_of_the_writer_changes_nothing(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a"), b"old")
    with pytest.raises(ValueError, match="closed file"):
        write_and_close(str(tmp_path / "a"))

    assert {"a": "old"} == texts(tmp_path)


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("existing", [{}, {"a": "1", "b": "2", "c": "3"}, {"b": "2"}])
def test_all_files_are_replaced_or_none(
    tmp_path: Path, existing: dict[str, str], failing: int, monkeypatch: Any
) -> None:
    for name, text in existing.items():
        (tmp_path / name).write_text(text)
    calls: list[str] = []
    replace = os.replace

    def fail_once(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == failing:
            raise OSError("no")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_once)
    paths = [str(tmp_path / name) for name in "abc"]
    with pytest.raises(OSError, match="no"):
        write_all(paths)
    assert existing == texts(tmp_path)
    write_all(paths)
    assert dict.fromkeys("abc", "new") == texts(tmp_path)


def test_where_files_have_one_name_only_they_are_replaced_too(
    tmp_path: Path, monkeypatch: Any
) -> None:
    def no_links(*_: Any) -> None:
        raise PermissionError("this file system has no links")

    monkeypatch.setattr(os, "link", no_links)
    write_file(str(tmp_path / "a"), b"old")
    write_file(str(tmp_path / "a"), b"new")

    assert {"a": "new"} == texts(tmp_path)


DYING = """
import os, sys
from tensormill.saved_model.atomic import write_file
setattr(os, sys.argv[1], lambda *_: os._exit(7))
write_file(sys.argv[2], b"new")
"""


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_a_process_that_dies_leaves_the_old_file(tmp_path: Path, moment: str) -> None:
    path = str(tmp_path / "a")
    write_file(path, b"old")
    done = subprocess.run(
        [sys.executable, "-c", DYING, moment, path],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )

    assert 7 == done.returncode
    assert "old" == (tmp_path / "a").read_text()
    write_file(path, b"new")
    assert "new" == (tmp_path / "a").read_text()
