"""Entries of the code cache that are damaged or others': each is a miss, or what it was."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tensormill.compiler.machine.cache import CachedCode, CodeCache

_KEYS = [f"key {number}" for number in range(5)]


def attack(count: int, seed: int) -> list[str]:
    """Damage an entry `count` times, and load and store it again."""
    chance, found = random.Random(seed), list[str]()
    with TemporaryDirectory() as place:
        cache = CodeCache(Path(place) / "cache", 1 << 20)
        for number in range(count):
            entries = {key: _entry(chance) for key in _KEYS}
            for key, entry in entries.items():
                cache.store(key, entry)
            name, damage = chance.choice(list(_DAMAGES.items()))
            path = chance.choice(sorted(cache.directory.glob("*.tmo")))
            damage(path, chance)
            wrong = _wrong(cache, entries)
            if wrong:
                found.append(f"number {number}, {name}: {wrong}")
            shutil.rmtree(cache.directory)
    return found


def _entry(chance: random.Random) -> CachedCode:
    return CachedCode(chance.randbytes(chance.randrange(300)), {"name": chance.random()})


def _wrong(cache: CodeCache, entries: dict[str, CachedCode]) -> str:
    """What is loaded that was never stored so, or cannot be stored any more."""
    try:
        loaded = {key: cache.load(key) for key in entries}
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    missing = [key for key, entry in loaded.items() if entry is None]
    others = [key for key, entry in loaded.items() if entry not in (None, entries[key])]
    if others or len(missing) > 2:
        return f"others: {others}, missing: {missing}"
    return ""


def _change(path: Path, change: Callable[[bytearray], object]) -> None:
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def _flip(path: Path, chance: random.Random) -> None:
    def change(content: bytearray) -> None:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)

    _change(path, change)


def _cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def _grow(path: Path, chance: random.Random) -> None:
    _change(path, lambda content: content.extend(chance.randbytes(chance.randrange(1, 50))))


def _noise(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(chance.randrange(500)))


def _other(path: Path, chance: random.Random) -> Path:
    return chance.choice([one for one in path.parent.glob("*.tmo") if one != path])


def _swap(path: Path, chance: random.Random) -> None:
    other, between = _other(path, chance), path.with_suffix(".between")
    path.rename(between)
    other.rename(path)
    between.rename(other)


def _copy(path: Path, chance: random.Random) -> None:
    shutil.copyfile(_other(path, chance), path)


def _link(path: Path, chance: random.Random) -> None:
    other = _other(path, chance)
    path.unlink()
    path.symlink_to(other)


def _link_to_itself(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(path)


def _folder(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path, chance: random.Random) -> None:
    path.unlink()
    os.mkfifo(path)


def _mode(path: Path, chance: random.Random) -> None:
    _noise(path, chance)
    path.chmod(chance.choice([0o622, 0o660, 0o606, 0o777, 0o000]))


def _owner(path: Path, chance: random.Random) -> None:
    """What somebody else could have made, who may change it again at any time."""
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    else:
        path.chmod(0o666)


def _gone(path: Path, chance: random.Random) -> None:
    path.unlink()


_DAMAGES: dict[str, Callable[[Path, random.Random], object]] = {
    "a bit": _flip, "cut off": _cut, "longer": _grow, "noise": _noise, "swapped": _swap,
    "another's": _copy, "a link": _link, "a link to itself": _link_to_itself, "a folder": _folder,
    "a pipe": _pipe, "its mode": _mode, "its owner": _owner, "gone": _gone,
}  # fmt: skip
