"""Names of a bundle's files, and which data files belong to one.

A bundle's index says of how many shards it is, and so which data files it means: new data lies in
shard 0 of a number of shards that no other has. The others are empty, and no reader asks for them.
"""

from __future__ import annotations

import glob
import itertools
import os
from contextlib import suppress
from typing import Final

from google.protobuf.message import DecodeError

from ..core.passing import NO_LINKS, abandoned
from ..errors import DataLossError
from ..graph.protos import message
from .sstable import read_table

_PIECE: Final = "data-?????-of-?????"


def index_name(prefix: str) -> str:
    return f"{prefix}.index"


def data_name(prefix: str, shard: int = 0, shards: int = 1) -> str:
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def data_files(prefix: str) -> list[str]:
    """Those that are there, whatever index speaks of them."""
    return glob.glob(f"{glob.escape(prefix)}.{_PIECE}")


def placed(name: str, prefix: str) -> tuple[str, int]:
    """Give a data file a fresh name beside the one it has: the name, and of how many shards."""
    for shards in itertools.count(1):
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


def discard(prefix: str, own: str) -> None:
    """Delete the data files that the index does not mean, but for those of other, live writers."""
    for path in data_files(prefix):
        if path == own:
            _delete_unmeant(path, prefix)
            continue
        with abandoned(path) as found:
            if found is not None:
                _delete_unmeant(path, prefix)


def _delete_unmeant(path: str, prefix: str) -> None:
    # Asked for each: another writer may have put its index in place since.
    if not _means(prefix, path):
        with suppress(FileNotFoundError):
            os.remove(path)


def _means(prefix: str, path: str) -> bool:
    """Whether the index speaks of this data file. One that cannot be read could."""
    try:
        with open(index_name(prefix), "rb") as file:
            table = read_table(file.read())
        shards: int = message("BundleHeaderProto").FromString(table[b""]).num_shards
    except FileNotFoundError:
        return False
    except (OSError, KeyError, DataLossError, DecodeError):
        return True
    return path.endswith(f"-of-{shards:05d}")


def settle(passing: str) -> None:
    """A writer died between giving its data file a fresh name and giving back the passing one."""
    folder = os.path.dirname(passing)
    with os.scandir(folder) as entries:
        names = [entry.path for entry in entries if ".data-" in entry.name]
    for path in names:
        if os.path.exists(path) and os.path.samefile(path, passing):
            discard(path.rpartition(".data-")[0], own=path)


def delete_checkpoint(prefix: str) -> None:
    """Delete the files of a checkpoint, the index first: without it there is none."""
    for path in [index_name(prefix), *data_files(prefix)]:
        with suppress(FileNotFoundError):
            os.remove(path)
