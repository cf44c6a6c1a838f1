"""The directory of a SavedModel: written beside its place, and then moved there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from ..errors import NotFoundError
from ..graph.payload import payload_of
from .atomic import sync_folder, write_file
from .bundle import write_bundle
from .options import (
    ASSETS_DIRECTORY,
    DEBUG_DIRECTORY,
    DEBUG_INFO_FILENAME_PB,
    SAVED_MODEL_FILENAME_PB,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)


class ModelDirectory:
    """Where the files of one SavedModel are written."""

    def __init__(self, path: str) -> None:
        self.path = path

    def write_model(self, proto: Any, arrays: Mapping[str, Any], assets: Sequence[Any]) -> None:
        """Everything: the files of the assets, the variables, the proto."""
        folder = os.path.join(self.path, ASSETS_DIRECTORY)
        os.makedirs(folder)
        for asset in assets:
            _copy(payload_of(asset.asset_path)[()].decode(), folder)
        write_bundle(os.path.join(self.path, VARIABLES_DIRECTORY, VARIABLES_FILENAME), arrays)
        data = proto.SerializeToString(deterministic=True)
        write_file(os.path.join(self.path, SAVED_MODEL_FILENAME_PB), data)

    def write_debug_info(self, proto: Any) -> None:
        """The user's lines (debug_info.py)."""
        folder = os.path.join(self.path, DEBUG_DIRECTORY)
        os.makedirs(folder)
        data = proto.SerializeToString(deterministic=True)
        write_file(os.path.join(folder, DEBUG_INFO_FILENAME_PB), data)


def _copy(path: str, folder: str) -> None:
    if not os.path.isfile(path):
        raise NotFoundError(f"the asset {path} does not exist")
    shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))


@contextmanager
def replacing_directory(path: str) -> Iterator[ModelDirectory]:
    """A new directory that takes its place at `path` when it is complete.

    Files of the old one that are no part of a SavedModel are kept. Whatever raises in between, the
    old directory stays as it is.
    """
    path = os.path.abspath(path)
    parent = os.path.dirname(path)
    os.makedirs(parent, exist_ok=True)
    made = f"{path}.{uuid4().hex}.tmp"
    os.mkdir(made)
    try:
        yield ModelDirectory(made)
        _exchange(path, made)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    sync_folder(parent)


def _exchange(path: str, made: str) -> None:
    if not os.path.lexists(path):
        os.rename(made, path)
        return
    if not os.path.isdir(path):
        raise NotADirectoryError(f"{path} is no directory: a SavedModel cannot be written there")
    names = os.listdir(made)
    # A reader finds the proto last: it is what makes a directory a SavedModel.
    for name in sorted(names, key=SAVED_MODEL_FILENAME_PB.__eq__):
        _replace(os.path.join(made, name), os.path.join(path, name))


def _replace(new: str, old: str) -> None:
    """Put `new` in the place of `old`: a folder's old files are moved away first."""
    if os.path.isdir(old) and not os.path.islink(old):
        away = f"{old}.{uuid4().hex}.tmp"
        os.rename(old, away)
        os.rename(new, old)
        shutil.rmtree(away, ignore_errors=True)
    else:
        os.replace(new, old)
