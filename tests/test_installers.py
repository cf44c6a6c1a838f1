"""What installs is told the indexes that pip knows, and pip installs where uv does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import installers

LISTED = """\
:env:.cert='/etc/certificates.pem'
:env:.find-links='/wheels'
global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
global.find-links='/elsewhere'
global.index-url='https://all.example/simple'
install.index-url='https://wanted.example/simple'
freeze.timeout='10'
"""


def test_variables_count_before_files_and_what_is_for_installing_before_the_rest() -> None:
    told = installers.settings(LISTED)

    assert "/wheels" == told["find-links"]
    assert "https://wanted.example/simple" == told["index-url"]
    assert "timeout" not in told


def test_uv_is_told_of_every_index() -> None:
    told = installers.settings(LISTED)

    assert [
        "--default-index", "https://wanted.example/simple",
        "--index", "https://one.example/simple", "--index", "https://two.example/simple",
        "--find-links", "/wheels",
        "--index-strategy", "unsafe-best-match",
    ] == installers.indexes(told)  # fmt: skip
    assert ["--no-index"] == installers.indexes({"no-index": "true"})
    assert [] == installers.indexes({"no-index": "0"})


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """With a Python that writes down how it is called; it may be told to have pip fail."""
    monkeypatch.setattr(installers, "FOLDER", tmp_path)
    (tmp_path / "ready").touch()
    noted = f'echo "$@" >>{tmp_path}/calls'
    script(tmp_path / "bin/python", f'case "$*" in *--python* | *download*) {noted};; esac')
    return tmp_path


def script(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def calls(folder: Path) -> list[str]:
    written = folder / "calls"
    return written.read_text().splitlines() if written.exists() else []


def test_where_uv_installs_pip_does_not(folder: Path) -> None:
    script(folder / "bin/uv", "exit 0")

    installers.install(Path("there/python"), "wanted")

    assert [] == calls(folder)


@pytest.mark.parametrize("uv", ["exit 1", None], ids=["fails", "is_missing"])
def test_pip_installs_where_uv(
    uv: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if uv:
        script(folder / "bin/uv", uv)

    installers.install(Path("there/python"), "--editable", "wanted")

    (call,) = calls(folder)
    assert call.startswith("-m pip --python there/python install --quiet")
    assert call.endswith("--editable wanted")
    assert "pip installs" in capsys.readouterr().out


def test_source_archives_are_downloaded_by_the_pip_that_installs(folder: Path) -> None:
    installers.download_source("wanted", "1.0", Path("/there"))

    (call,) = calls(folder)
    assert call.startswith("-m pip download --quiet")
    assert call.endswith("--no-deps --no-binary wanted --dest /there wanted==1.0")
