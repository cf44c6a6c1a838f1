"""Everything of the library that writes files: how to write a state, and to tell which is there."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import tensormill as tf
from tensormill.compiler.machine.cache import CachedCode, CodeCache
from tensormill.core.files import folder_exchange

OLD, NEW, NEXT = 1, 2, 3
_SIZE = 3000
gfile: Any = tf.io.gfile


@dataclass(frozen=True)
class Writer:
    """Something that replaces what it wrote before.

    Attributes:
        write: writes the state of a number into a folder.
        read: the number of the state there; raises where that is not whole.
        is_optional: whether what cannot be written is left out without a word.
    """

    name: str
    write: Callable[[Path, int], object]
    read: Callable[[Path], int]
    is_optional: bool = False

    def begin(self, folder: Path) -> None:
        """Write states until it is the old one, as often as leftovers of the last need."""
        for _ in range(3):
            self.write(folder, OLD)
        assert self.read(folder) == OLD, self.name


def the_same(*numbers: Any) -> int:
    """The number that all of these are made of."""
    found = {int(number) for array in numbers for number in np.asarray(array).reshape(-1)}
    if len(found) != 1:
        raise AssertionError(f"mixed: {sorted(found)}")
    return found.pop()


def _source(folder: Path, number: int) -> Path:
    """A file of that number, which is there before anything is attacked."""
    place = folder.parent / "sources"
    if not place.exists():
        for one in (OLD, NEW, NEXT):
            (place / f"{one}").mkdir(parents=True)
            (place / f"{one}" / "text").write_text(f"{one}" * _SIZE)
    return place / f"{number}" / "text"


# ---- SavedModels


class _Model(tf.Module):
    def __init__(self, number: int, vocabulary: Path) -> None:
        super().__init__()
        self.v = tf.Variable(tf.fill([_SIZE], number))
        self.asset = tf.saved_model.Asset(str(vocabulary))
        self.f = tf.function(lambda x: x + number).get_concrete_function(
            tf.TensorSpec([], tf.int32)
        )


def _write_model(folder: Path, number: int) -> None:
    tf.saved_model.save(_Model(number, _source(folder, number)), folder / "model")
    for name in ("notes.txt", "assets.extra/mine", "assets/mine"):
        own = folder / "model" / name
        if not own.exists() and number == OLD:
            own.parent.mkdir(exist_ok=True)
            own.write_text("mine")


def _read_model(folder: Path) -> int:
    loaded: Any = tf.saved_model.load(folder / "model")
    for name in ("notes.txt", "assets.extra/mine", "assets/mine"):
        assert (folder / "model" / name).read_text() == "mine", name
    vocabulary = Path(loaded.asset.asset_path.numpy().decode()).read_text()
    return the_same(loaded.v, loaded.f(tf.constant(0)), [int(letter) for letter in vocabulary])


def _without(write: Callable[[Path, int], object], *names: str) -> Callable[[Path, int], object]:
    """Write where the system has no exchange of folders, or files have one name only."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(errno.EPERM, "not on this file system")

    refusals = {
        "exchange": mock.patch.object(folder_exchange, "_renameat2", return_value=False),
        "links": mock.patch.object(os, "link", refuse),
    }

    def written(folder: Path, number: int) -> None:
        with ExitStack() as stack:
            for name in names:
                stack.enter_context(refusals[name])
            write(folder, number)

    return written


# ---- checkpoints


def _checkpoint(number: int = 0) -> Any:
    values = tf.Variable(tf.fill([_SIZE], number))
    return tf.train.Checkpoint(v=values, s=tf.Variable(f"{number}"))


def _write_checkpoint(folder: Path, number: int) -> None:
    _checkpoint(number).write(folder / "weights")


def _read_checkpoint(folder: Path) -> int:
    return _restored(folder / "weights")


def _restored(prefix: Any) -> int:
    checkpoint = _checkpoint()
    checkpoint.read(prefix).expect_partial().assert_existing_objects_matched()
    return the_same(checkpoint.v, int(checkpoint.s.numpy()))


def _write_managed(folder: Path, number: int) -> None:
    checkpoint = _checkpoint()
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    manager.restore_or_initialize()
    checkpoint.v.assign(tf.fill([_SIZE], number))
    checkpoint.s.assign(f"{number}")
    manager.save()


def _read_managed(folder: Path) -> int:
    manager = tf.train.CheckpointManager(_checkpoint(), folder, max_to_keep=2)
    kept = [_restored(prefix) for prefix in manager.checkpoints]
    assert kept, "no checkpoint is left"
    assert manager.latest_checkpoint == manager.checkpoints[-1]
    return kept[-1]


# ---- files


def _write_text(folder: Path, number: int) -> None:
    tf.io.write_file(str(folder / "file"), f"{number}" * _SIZE)


def _copy(folder: Path, number: int) -> None:
    gfile.copy(_source(folder, number), folder / "file", overwrite=True)


def _read_text(folder: Path) -> int:
    text = (folder / "file").read_text()
    assert len(text) == _SIZE, f"{len(text)} of {_SIZE} characters"
    return the_same([int(letter) for letter in text])


def _write_elements(folder: Path, number: int) -> None:
    (folder / "elements.index").unlink(missing_ok=True)
    data = tf.data.Dataset.from_tensors(np.full(_SIZE, number)).cache(str(folder / "elements"))
    assert the_same(*data) == number


def _read_elements(folder: Path) -> int:
    fresh = tf.data.Dataset.from_tensors(np.full(_SIZE, NEW)).cache(str(folder / "elements"))
    return the_same(*fresh)


# ---- compiled code


def _write_entry(folder: Path, number: int) -> None:
    CodeCache(folder / "cache", 1 << 20).store(
        "key", CachedCode(bytes([number]) * _SIZE, {"n": number})
    )


def _read_entry(folder: Path) -> int:
    entry = CodeCache(folder / "cache", 1 << 20).load("key")
    assert entry is not None
    return the_same(entry.metadata["n"], list(entry.code))


WRITERS = (
    Writer("SavedModel", _write_model, _read_model),
    Writer("SavedModel, no exchange", _without(_write_model, "exchange"), _read_model),
    Writer("SavedModel, renamed", _without(_write_model, "exchange", "links"), _read_model),
    Writer("checkpoint", _write_checkpoint, _read_checkpoint),
    Writer("checkpoint, no links", _without(_write_checkpoint, "links"), _read_checkpoint),
    Writer("CheckpointManager", _write_managed, _read_managed),
    Writer("write_file", _write_text, _read_text),
    Writer("copy", _copy, _read_text),
    Writer("Dataset.cache", _write_elements, _read_elements),
    Writer("code cache", _write_entry, _read_entry, is_optional=True),
)
