"""Names of a bundle's files, and which data files belong to one.

A bundle's index says of how many shards it is, and so which data files it means: new data lies in
shard 0 of a number of shards that no other has. The others are empty, and no reader asks for them.
"""

from __future__ import annotations

import glob
import itertools
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from google.protobuf.message import DecodeError

from ..core.files.temporary_names import NO_LINKS, abandoned
from ..errors import DataLossError
from ..graph.proto.messages import message
from .sorted_table import read_table

_PIECE: Final = "data-?????-of-?????"
# What reading an index raises where there is one, and it does not say.
_UNREADABLE: Final = (OSError, KeyError, DataLossError, DecodeError)


def index_name(prefix: str) -> str:
    return f"{prefix}.index"


def data_name(prefix: str, shard: int = 0, shards: int = 1) -> str:
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def data_files(prefix: str) -> list[str]:
    """Those that are there, whatever index speaks of them."""
    return glob.glob(f"{glob.escape(prefix)}.{_PIECE}")


def give_fresh_name(name: str, prefix: str, least: int = 1) -> tuple[str, int]:
    """Give a data file a fresh name beside the one it has: the name, and of how many shards, which
    are at least so many.
    """
    for shards in itertools.count(least):
        path = data_name(prefix, 0, shards)
        try:
            os.link(name, path)
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            if os.path.exists(path):
                continue
            os.rename(name, path)
        return path, shards
    raise AssertionError


def data_files_in_index(prefix: str) -> dict[str, os.stat_result]:
    """The data files that the index means, as they are now: whoever wrote them is done."""
    found: dict[str, os.stat_result] = {}
    for path in data_files(prefix):
        with suppress(FileNotFoundError):
            found[path] = os.stat(path)
    try:
        ending = _ending(prefix)  # after the others: what it means was there before
    except _UNREADABLE:
        return {}
    return {path: status for path, status in found.items() if path.endswith(ending)}


def delete_unused(prefix: str, own: str, replaced: Mapping[str, os.stat_result]) -> None:
    """Delete the data files that the index does not mean, but for those of other, live writers.

    Those that were `replaced` go, too, where files have no locks that tell who lives.
    """
    for path in data_files(prefix):
        if path == own:
            _delete_unmeant(path, prefix)
            continue
        with abandoned(path) as found:
            if found is not None or _is_still(path, replaced.get(path)):
                _delete_unmeant(path, prefix)


def _is_still(path: str, before: os.stat_result | None) -> bool:
    """Whether this is the file that it was. The name may be another one's by now, and its number
    on the disk as well.
    """
    if before is None:
        return False
    with suppress(FileNotFoundError):
        now = os.stat(path)
        return os.path.samestat(now, before) and now.st_mtime_ns == before.st_mtime_ns
    return False


def _delete_unmeant(path: str, prefix: str) -> None:
    # Asked for each: another writer may have put its index in place since.
    if not _means(prefix, path):
        with suppress(FileNotFoundError):
            os.remove(path)


def _means(prefix: str, path: str) -> bool:
    """Whether the index speaks of this data file. One that cannot be read could."""
    try:
        return path.endswith(_ending(prefix))
    except FileNotFoundError:
        return False
    except _UNREADABLE:
        return True


def _ending(prefix: str) -> str:
    """How the names of the data files end that the index means."""
    with open(index_name(prefix), "rb") as file:
        table = read_table(file.read())
    shards: int = message("BundleHeaderProto").FromString(table[b""]).num_shards
    return f"-of-{shards:05d}"


def finish_renaming(passing: str) -> None:
    """A writer died between giving its data file a fresh name and giving back the passing one."""
    folder = os.path.dirname(passing)
    with os.scandir(folder) as entries:
        names = [entry.path for entry in entries if ".data-" in entry.name]
    for path in names:
        if os.path.exists(path) and os.path.samefile(path, passing):
            delete_unused(path.rpartition(".data-")[0], own=path, replaced={})


def delete_checkpoint(prefix: str) -> None:
    """Delete the files of a checkpoint, the index first: without it there is none."""
    for path in [index_name(prefix), *data_files(prefix)]:
        with suppress(FileNotFoundError):
            os.remove(path)
