"""`Dataset.save`, `Dataset.load` and `Dataset.snapshot`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, Final

from ...core.files.gfile import exists
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ...ops.conversion import as_tensor
from .. import structure
from ..dataset import DatasetSpec, DatasetV2, new_dataset
from ..functions import ElementFunction
from ..records.file_contents import SNAPPY
from .components import Codec
from .folders import METADATA, SPEC, RunWriter, compression_of, read_metadata, read_spec, write_spec
from .nodes import (
    LoadNode,
    SavedShardsNode,
    SnapshotNode,
    SnapshotShardsNode,
    saved,
    shard_function,
)

# How many shards are read in turn, and written in turn where nothing else is asked for.
TURNS: Final = os.cpu_count() or 1
# After how many seconds one looks again whether a dataset is there.
PAUSE: Final = 0.5

Reader = Callable[[DatasetV2], DatasetV2]


def save(
    dataset: DatasetV2,
    path: Any,
    compression: str | None,
    shard_func: Callable[..., Any] | None,
    checkpoint_args: Mapping[str, Any] | None,
) -> None:
    """`Dataset.save`."""
    spec = dataset.element_spec
    codec, kind = Codec(spec), compression_of(compression, "")
    function = _shard_function(shard_func, "Dataset.save", spec)
    write_spec(structure.path_of(path), spec)
    if checkpoint_args is not None:
        _save_in_chunks(dataset, structure.path_of(path), codec, kind, function, checkpoint_args)
        return
    write = partial(saved, codec=codec, compression=kind, function=function)
    captured = () if function is None else function.captured
    dataset._use("save", write, (as_tensor(structure.path_of(path)), *captured), ())


def _shard_function(function: Any, what: str, spec: Any) -> ElementFunction | None:
    if function is None:
        return None
    made = ElementFunction(function, what, spec, gives_scalar=True)
    if not isinstance(made.output_spec, TensorSpec) or made.output_spec.dtype.name != "int64":
        raise InvalidArgumentError(
            f"`shard_func` gives the number of a shard, an int64 scalar, not {made.output_spec}"
        )
    return made


def _save_in_chunks(
    dataset: DatasetV2,
    path: str,
    codec: Codec,
    compression: str,
    function: ElementFunction | None,
    arguments: Mapping[str, Any],
) -> None:
    """Write files of as many elements as lie between two checkpoints of how far this is."""
    from ...checkpoint.checkpoint import Checkpoint
    from ...checkpoint.manager import CheckpointManager

    if "checkpoint" in arguments:
        raise ValueError("`checkpoint_args` may not say what is saved, by 'checkpoint'")
    iterator, counter = iter(dataset), arguments.get("step_counter")
    counted = {} if counter is None else {"step_counter": counter}
    manager = CheckpointManager(Checkpoint(iterator=iterator, **counted), **arguments)
    shard_of = shard_function(function, () if function is None else function.captured, 1)
    with closing(RunWriter(path, codec, compression)) as writer:
        count = _resume(writer, manager, iterator, path)
        while (element := iterator.handle._array.next()) is not None:
            writer.write(element, shard_of(element, count))
            count += 1
            if counter is not None:
                counter.assign_add(1)
            if count % (manager.checkpoint_interval or 1) == 0:
                writer.end_chunk()
                manager.save(check_interval=False)
        writer.finish(count)
    manager.save(check_interval=False)


def _resume(writer: RunWriter, manager: Any, iterator: Any, path: str) -> int:
    """Go on where the last checkpoint was written; how many elements there are already."""
    metadata = read_metadata(path)
    if manager.latest_checkpoint is None or metadata is None or metadata.finalized:
        writer.begin()
        return 0
    manager.checkpoint.restore(manager.latest_checkpoint)
    count = int(iterator.handle._array.position[0])
    writer.resume(metadata.run_id, count // (manager.checkpoint_interval or 1))
    return count


def load(
    path: Any,
    element_spec: Any,
    compression: str | None,
    reader_func: Reader | None,
    wait: bool,
) -> DatasetV2:
    """`Dataset.load`."""
    name = structure.path_of(path)
    if wait:
        _wait_for(name)
    spec = read_spec(name) if element_spec is None else element_spec
    kind = partial(
        SavedShardsNode, codec=Codec(spec), spec=spec, compression=compression_of(compression, "")
    )
    shards = new_dataset("_ShardsDataset", kind, DatasetSpec(spec), (), [as_tensor(name)])
    read = _read(shards, reader_func, spec)
    made = partial(LoadNode, is_whole=reader_func is None)
    return new_dataset("_LoadDataset", made, spec, [read, shards], ())


def _wait_for(path: str) -> None:
    """Wait until somebody has saved a dataset."""
    while not (exists(os.path.join(path, METADATA)) and exists(os.path.join(path, SPEC))):
        time.sleep(PAUSE)
    while not read_metadata(path).finalized:
        time.sleep(PAUSE)


def _read(shards: DatasetV2, reader: Reader | None, spec: Any) -> DatasetV2:
    """What a reader makes of the shards.

    Raises:
        InvalidArgumentError: it gives no dataset, or one of other elements.
    """
    if reader is None:
        return shards.interleave(lambda shard: shard, cycle_length=TURNS)
    read = reader(shards)
    if not isinstance(read, DatasetV2):
        raise InvalidArgumentError(f"`reader_func` gives a dataset of elements, not {read!r}")
    try:
        structure.relaxed(read.element_spec, spec)
    except TypeError:
        raise InvalidArgumentError(
            f"`reader_func` gives the elements {read.element_spec}, and those that were saved are "
            f"{spec}"
        ) from None
    return read


def snapshot(
    dataset: DatasetV2,
    path: Any,
    compression: str | None,
    reader_func: Reader | None,
    shard_func: Callable[..., Any] | None,
) -> DatasetV2:
    """`Dataset.snapshot`."""
    spec, name = dataset.element_spec, structure.path_of(path)
    function = _shard_function(shard_func, "Dataset.snapshot", spec)
    kind = partial(
        SnapshotShardsNode, codec=Codec(spec), spec=spec,
        compression=compression_of(compression, SNAPPY),
    )  # fmt: skip
    shards = new_dataset("_ShardsDataset", kind, DatasetSpec(spec), [dataset], [as_tensor(name)])
    read = _read(shards, reader_func, spec)
    captured = () if function is None else function.captured
    made = partial(SnapshotNode, function=function, turns=TURNS)
    return new_dataset("_MapDataset", made, spec, [dataset, read, shards], captured)
