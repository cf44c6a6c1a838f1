"""Object code on disk: whole or absent, bounded, and nobody else's."""

from __future__ import annotations

import os
import pwd
import stat
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tensormill.compiler.machine import cache as cache_module
from tensormill.compiler.machine.cache import (
    CachedCode,
    CodeCache,
    UnsafeDirectoryError,
    key_of,
    open_cache,
)
from tensormill.config import Config, settings
from tests.compiler.processes import outcome, start

ENTRY = CachedCode(
    b"\x7fELF machine code\n\x00more", {"functions": ["f"], "words": 3, "none": None}
)


@pytest.fixture
def cache(tmp_path: Path) -> CodeCache:
    return CodeCache(tmp_path / "cache", 1 << 20)


def only_file(cache: CodeCache) -> Path:
    (path,) = cache.directory.iterdir()
    return path


def test_what_is_stored_is_loaded(cache: CodeCache):
    cache.store("key", ENTRY)

    assert cache.load("key") == ENTRY


def test_an_unknown_key_is_a_miss(cache: CodeCache):
    assert cache.load("before the directory exists") is None
    cache.store("key", ENTRY)
    assert cache.load("other") is None


def test_storing_again_replaces(cache: CodeCache):
    cache.store("key", ENTRY)
    cache.store("key", CachedCode(b"new", {}))

    assert cache.load("key") == CachedCode(b"new", {})


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "foreign"])
def test_a_damaged_entry_is_a_miss_and_removed(cache: CodeCache, damage: str):
    cache.store("key", ENTRY)
    path = only_file(cache)
    content = path.read_bytes()
    damaged = {
        "flip": content[:-1] + bytes([content[-1] ^ 1]),
        "cut": content[: len(content) // 2],
        "empty": b"",
        "foreign": b"import os\n",
    }
    path.write_bytes(damaged[damage])

    assert cache.load("key") is None
    assert list(cache.directory.iterdir()) == []


def test_the_directory_is_for_its_user_alone(cache: CodeCache):
    cache.store("key", ENTRY)

    assert stat.S_IMODE(cache.directory.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
def test_a_directory_that_others_may_write_is_refused(cache: CodeCache, mode: int):
    cache.store("key", ENTRY)
    cache.directory.chmod(mode)

    with pytest.raises(UnsafeDirectoryError, match="may be written by others"):
        cache.load("key")
    with pytest.raises(UnsafeDirectoryError, match="may be written by others"):
        cache.store("key", ENTRY)


def test_a_directory_of_somebody_else_is_refused(cache: CodeCache, monkeypatch: pytest.MonkeyPatch):
    cache.store("key", ENTRY)
    stranger = os.geteuid() + 1
    monkeypatch.setattr(cache_module.os, "geteuid", lambda: stranger)

    with pytest.raises(UnsafeDirectoryError, match="belongs to another user"):
        cache.load("key")


def test_the_least_recently_used_entries_go_first(tmp_path: Path):
    cache = CodeCache(tmp_path / "cache", 3500)
    for number, key in enumerate("abc"):
        cache.store(key, CachedCode(bytes(1000), {}))
        os.utime(cache.directory / _name(cache, key), (number, number))
    assert cache.load("a") is not None  # used now, so b is the oldest

    cache.store("d", CachedCode(bytes(1000), {}))

    assert [key for key in "abcd" if cache.load(key)] == ["a", "c", "d"]
    assert cache.size_bytes() <= 3500


def test_small_entries_are_stored_without_looking_at_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    looks: list[int] = []
    files = CodeCache._files  # pyright: ignore[reportPrivateUsage]

    def counted(self: CodeCache) -> Any:
        looks.append(0)
        return files(self)

    monkeypatch.setattr(CodeCache, "_files", counted)
    cache = CodeCache(tmp_path / "cache", 300_000)  # 250 entries
    for number in range(360):
        cache.store(str(number), CachedCode(bytes(1100), {}))

    assert 20 < len(looks) < 180
    assert cache.size_bytes() < 1.1 * cache.limit_bytes


def _name(cache: CodeCache, key: str) -> str:
    return cache._path(key).name  # pyright: ignore[reportPrivateUsage]


def test_an_entry_larger_than_the_cache_is_not_kept(tmp_path: Path):
    cache = CodeCache(tmp_path / "cache", 100)

    cache.store("key", CachedCode(bytes(1000), {}))

    assert cache.load("key") is None


def test_an_entry_under_the_name_of_another_is_a_miss(cache: CodeCache):
    cache.store("key", ENTRY)
    only_file(cache).rename(cache._path("other"))  # pyright: ignore[reportPrivateUsage]

    assert cache.load("other") is None


@pytest.mark.parametrize("metadata", [b"[]", b"{", b"\xff", b"3", b"[" * 100_000, b""])
def test_metadata_that_are_no_mapping_are_a_miss(cache: CodeCache, metadata: bytes):
    cache.store("key", ENTRY)
    body = metadata + b"\ncode"
    header = cache_module._header("key", body)  # pyright: ignore[reportPrivateUsage]
    only_file(cache).write_bytes(header + b"\n" + body)

    assert cache.load("key") is None


def _link(path: Path) -> None:
    target = path.parent.parent / "target"
    path.rename(target)
    path.symlink_to(target)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SUSPECT = {
    "a link": _link,
    "a pipe": _pipe,
    "a folder": _folder,
    "others may write": lambda path: path.chmod(0o622),
    "its group may write": lambda path: path.chmod(0o660),
    "unreadable": lambda path: path.chmod(0o000) if os.geteuid() else path.unlink(),
}


@pytest.mark.parametrize("what", SUSPECT)
def test_an_entry_that_others_could_have_made_is_a_miss(cache: CodeCache, what: str):
    cache.store("key", ENTRY)
    SUSPECT[what](only_file(cache))

    assert cache.load("key") is None


def test_an_entry_of_somebody_else_is_a_miss(cache: CodeCache, monkeypatch: pytest.MonkeyPatch):
    cache.store("key", ENTRY)
    really = os.fstat

    def of_a_stranger(descriptor: int) -> Any:
        status = really(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return status
        return os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))

    monkeypatch.setattr(cache_module.os, "fstat", of_a_stranger)

    assert cache.load("key") is None


def test_a_directory_that_may_not_be_looked_into_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError("no")

    monkeypatch.setattr(settings, "cache_directory", tmp_path / "cache")
    monkeypatch.setattr(settings, "cache_enabled", True)
    monkeypatch.setattr(Path, "stat", refuse)

    assert open_cache() is None


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path):
    (tmp_path / "file").write_text("not a directory")
    cache = CodeCache(tmp_path / "file" / "cache", 1 << 20)

    cache.store("key", ENTRY)

    assert cache.load("key") is None


def test_clearing_leaves_nothing(cache: CodeCache):
    cache.store("key", ENTRY)
    cache.clear()

    assert cache.size_bytes() == 0
    assert cache.load("key") is None


@pytest.mark.sampled(among="threads and interrupts")
def test_many_processes_may_share_a_directory(cache: CodeCache):
    program = """
import sys
from pathlib import Path
from types import ModuleType
from tensormill.compiler.machine.cache import CodeCache, CachedCode
cache = CodeCache(Path(sys.argv[1]), 20_000)
for round in range(60):
    key = str(round % 7)
    found = cache.load(key)
    assert found is None or found.code == key.encode() * 2000
    cache.store(key, CachedCode(key.encode() * 2000, {"key": key}))
"""
    processes = [start(program, str(cache.directory)) for _ in range(4)]

    assert [outcome(process) for process in processes] == [(0, b"", b"")] * 4
    assert cache.size_bytes() <= 20_000 + 2_200 * 4


def test_keys_tell_where_one_part_ends():
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("ab", "c") == key_of("ab", "c")


def test_the_settings_switch_the_cache_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(settings, "cache_directory", tmp_path / "cache")
    monkeypatch.setattr(settings, "cache_enabled", True)
    opened = open_cache()
    assert opened is not None
    assert opened.directory == tmp_path / "cache"

    monkeypatch.setattr(settings, "cache_enabled", False)
    assert open_cache() is None


def test_an_unsafe_directory_is_a_warning_and_no_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(settings, "cache_directory", tmp_path)
    monkeypatch.setattr(settings, "cache_enabled", True)
    tmp_path.chmod(0o777)

    with pytest.warns(RuntimeWarning, match="not cached: .* may be written by others"):
        assert open_cache() is None


def test_sources_that_were_edited_meanwhile_are_not_what_was_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    cache = CodeCache(tmp_path / "cache", 1 << 20)
    monkeypatch.setattr("tensormill.compiler.machine.cache.STARTED", 0.0)  # before all of them

    cache.store("key", CachedCode(b"code", {}))

    assert cache.load("key") is None


def test_sources_are_looked_at_again_when_something_was_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    looks: list[str] = []
    look = cache_module._sources  # pyright: ignore[reportPrivateUsage]

    def counted(directory: str, inside: str = "") -> Any:
        looks.append(inside)
        return look(directory, inside)

    monkeypatch.setattr(cache_module, "_sources", counted)
    cache = CodeCache(tmp_path / "cache", 1 << 20)
    found: list[int] = []
    for name in (None, None, "just_imported", None):
        if name is not None:
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        looks.clear()
        cache.store("key", CachedCode(b"code", {}))
        found.append(looks.count("compiler"))

    assert found[1:] == [0, 1, 0]


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch):
    def unknown(_: int) -> Any:
        raise KeyError("no such user")

    for name in ("HOME", "XDG_CACHE_HOME", "TENSORMILL_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setattr(settings, "cache_directory", Config().cache_directory)
    monkeypatch.setattr(settings, "cache_enabled", True)

    assert settings.cache_directory is None
    assert open_cache() is None
