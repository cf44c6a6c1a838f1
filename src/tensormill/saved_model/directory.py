"""The directory of a SavedModel: written beside its place, and then moved there."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from typing import Any, Final

from ..core.files.atomic import replacing, write_file
from ..core.files.folder_exchange import bring_back, exchange_folders, move_folder
from ..core.files.folders import make_folders
from ..core.files.temporary_names import NO_LINKS, is_passing, passing_folder, sync_folder
from ..errors import NotFoundError
from ..formats.bundle_writer import Piece, write_shards
from ..formats.data_files import index_name
from .fingerprint import fingerprint_of
from .options import (
    ASSETS_DIRECTORY,
    DEBUG_DIRECTORY,
    DEBUG_INFO_FILENAME_PB,
    FINGERPRINT_FILENAME,
    SAVED_MODEL_FILENAME_PB,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)


class ModelDirectory:
    """Where the files of one SavedModel are written."""

    def __init__(self, path: str) -> None:
        self.path = path

    def write_model(self, proto: Any, values: Sequence[Piece], assets: Mapping[str, str]) -> None:
        """Everything: the files of the assets, by their new names; the variables; the proto."""
        folder = os.path.join(self.path, ASSETS_DIRECTORY)
        os.makedirs(folder)
        for name, path in assets.items():
            _copy(path, os.path.join(folder, name))
        prefix = os.path.join(self.path, VARIABLES_DIRECTORY, VARIABLES_FILENAME)
        write_shards(prefix, [values])
        data = proto.SerializeToString(deterministic=True)
        write_file(os.path.join(self.path, SAVED_MODEL_FILENAME_PB), data)
        with open(index_name(prefix), "rb") as file:
            made = fingerprint_of(data, proto.meta_graphs[0], file.read())
        write_file(os.path.join(self.path, FINGERPRINT_FILENAME), made.SerializeToString())

    def write_debug_info(self, proto: Any) -> None:
        """The user's lines (debug_info.py)."""
        folder = os.path.join(self.path, DEBUG_DIRECTORY)
        os.makedirs(folder)
        data = proto.SerializeToString(deterministic=True)
        write_file(os.path.join(folder, DEBUG_INFO_FILENAME_PB), data)


def name_of_file(files: dict[str, str], path: str) -> str:
    """What a file is called among `files`, which it joins: its own name, unless another has it."""
    own = os.path.basename(path)
    names = itertools.chain([own], (f"{own}_{number}" for number in itertools.count(1)))
    return next(name for name in names if files.setdefault(name, path) == path)


def _copy(path: str, copied: str) -> None:
    if not os.path.isfile(path):
        raise NotFoundError(f"the asset {path} does not exist")
    with open(path, "rb") as source, replacing(copied) as file:
        shutil.copyfileobj(source, file)


@contextmanager
def replacing_directory(path: str) -> Iterator[ModelDirectory]:
    """A new directory that takes its place at `path` when it is complete, in one step.

    What is no part of the old SavedModel is kept. Whatever raises or kills in between, the old
    directory stays as it is.
    """
    path = os.path.realpath(path)
    parent = os.path.dirname(path)
    make_folders(parent)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, "a SavedModel is a directory", path)
    bring_back(path)
    is_fixed = os.path.isdir(path) and not _is_movable(path)
    with passing_folder(path if is_fixed else parent) as made:
        yield ModelDirectory(made)
        if is_fixed:
            _move_into(made, path)
        else:
            _take_place(made, path)


def _is_movable(path: str) -> bool:
    """Whether another directory may have its name: it is not mounted, nor held in its place, nor is
    this process in it, which would then be in one that is deleted.
    """
    if _is_entered(path):
        return False
    parent = os.stat(os.path.dirname(path))
    is_held = parent.st_mode & stat.S_ISVTX and os.geteuid() not in (
        0, parent.st_uid, os.stat(path).st_uid,
    )  # fmt: skip
    is_writable = os.access(os.path.dirname(path), os.W_OK | os.X_OK)
    return is_writable and not is_held and not os.path.ismount(path)


def _is_entered(path: str) -> bool:
    try:
        return os.path.join(os.getcwd(), "").startswith(os.path.join(path, ""))
    except FileNotFoundError:  # it is in one that was deleted
        return False


def _take_place(made: str, path: str, inside: str = "") -> None:
    """Let the new directory have the old one's name; `made` is the name of the old one then."""
    _sync_tree(made)
    if not move_folder(made, path):
        _carry(path, made, _linked, inside)
        _take_owner(path, made)
        _sync_tree(made)
        exchange_folders(made, path)
        _carry(made, path, os.rename, inside)  # what came meanwhile, or has no second name
    sync_folder(os.path.dirname(path))


def _move_into(made: str, path: str) -> None:
    """Where the directory has to stay, its parts take their places one by one. The proto is away
    meanwhile: whoever dies leaves no SavedModel, but not the half of one with the half of another.
    """
    files = (FINGERPRINT_FILENAME, SAVED_MODEL_FILENAME_PB)  # in this order
    parts = [entry for entry in os.scandir(made) if entry.name not in files]
    old = os.path.join(made, "old")
    os.mkdir(old)
    try:
        for number, name in enumerate(_ABOUT_THE_REST):
            with suppress(FileNotFoundError):
                os.rename(os.path.join(path, name), os.path.join(old, str(number)))
        for part in parts:
            _take_place(part.path, os.path.join(path, part.name), f"{part.name}/")
        for name in files:
            os.rename(os.path.join(made, name), os.path.join(path, name))
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(path, FINGERPRINT_FILENAME))
        for part in parts:
            _give_back(part, os.path.join(path, part.name))
        for number in os.listdir(old):
            os.rename(os.path.join(old, number), os.path.join(path, _ABOUT_THE_REST[int(number)]))
        raise
    sync_folder(path)


def _give_back(part: os.DirEntry[str], path: str) -> None:
    """Undo what was done to a part's place, if anything was."""
    if not os.path.isdir(path) or os.stat(path).st_ino != part.inode():
        return
    if os.path.isdir(part.path):
        exchange_folders(part.path, path)
    else:
        os.rename(path, part.path)


# ---- what is kept of the old one

_ABOUT_THE_REST: Final = (
    SAVED_MODEL_FILENAME_PB,
    FINGERPRINT_FILENAME,
    f"{DEBUG_DIRECTORY}/{DEBUG_INFO_FILENAME_PB}",
)
_PARTS: Final = (
    *_ABOUT_THE_REST,
    f"{VARIABLES_DIRECTORY}/{VARIABLES_FILENAME}.index",
    f"{VARIABLES_DIRECTORY}/{VARIABLES_FILENAME}.data-?????-of-?????",
)


def _carry(source: str, target: str, move: Callable[[str, str], object], inside: str = "") -> None:
    """Bring what the user put into a directory to the one that takes its place."""
    for entry in os.scandir(source):
        name, there = f"{inside}{entry.name}", os.path.join(target, entry.name)
        if is_passing(entry.name) or any(fnmatch(name, part) for part in _PARTS):
            continue
        if entry.is_dir(follow_symlinks=False):
            make_folders(there)
            _carry(entry.path, there, move, f"{name}/")
        elif not os.path.lexists(there):
            move(entry.path, there)


def _linked(source: str, target: str) -> None:
    """Give a file a second name, or make a copy where that cannot be."""
    with suppress(PermissionError):  # it is moved later then
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            shutil.copy2(source, target, follow_symlinks=False)


def _take_owner(old: str, new: str) -> None:
    found = os.stat(old)
    with suppress(OSError):
        os.chown(new, found.st_uid, found.st_gid)
    os.chmod(new, stat.S_IMODE(found.st_mode))


def _sync_tree(path: str) -> None:
    for folder, _, _ in os.walk(path):
        sync_folder(folder)
