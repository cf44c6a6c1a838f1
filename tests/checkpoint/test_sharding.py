"""Checkpoints of several data files. TensorFlow 2.21 was seen to read all of these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

experimental = tf.train.experimental
KEY = "/.ATTRIBUTES/VARIABLE_VALUE"
CHECKPOINT = tf.train.Checkpoint(
    cube=tf.Variable(np.arange(64, dtype=np.int8).reshape(4, 4, 4)),
    empty=tf.Variable(np.zeros([0, 3], np.float32)),
    line=tf.Variable(np.arange(600, dtype=np.float32)),
    number=tf.Variable(1),
    table=tf.Variable(np.arange(1000, dtype=np.float32).reshape(10, 100)),
    words=tf.Variable(["abc", "d"]),
)


class Told(experimental.ShardingCallback):
    """Gives what a function makes of the tensors."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    @property
    def description(self) -> str:
        return "as the test says"

    def __call__(self, shardable_tensors: Any) -> Any:
        return self.function(shardable_tensors)


def written(path: Path, callback: Any) -> list[int]:
    """The sizes of the data files of a checkpoint."""
    options = tf.train.CheckpointOptions(experimental_sharding_callback=callback)
    CHECKPOINT.write(str(path), options)
    return [one.stat().st_size for one in sorted(path.parent.glob(f"{path.name}.data-*"))]


def values(path: Path) -> list[Any]:
    reader = tf.train.load_checkpoint(str(path))
    names = ("cube", "empty", "line", "number", "table", "words")
    return [reader.get_tensor(name + KEY).tolist() for name in names]


@pytest.mark.parametrize(("most", "files"), [(1024, 7), (100, 75), (24, 300), (10**9, 1)])
def test_files_are_no_larger_than_told_and_hold_all(tmp_path: Path, most: int, files: int) -> None:
    written(tmp_path / "plain", None)
    sizes = written(tmp_path / "cut", experimental.MaxShardSizePolicy(most))

    assert values(tmp_path / "plain") == values(tmp_path / "cut")
    assert files <= len(sizes) <= files * 1.1
    assert sum(size > most for size in sizes) <= 2  # strings are not cut


def test_writing_again_leaves_no_other_files(tmp_path: Path) -> None:
    path, policy = tmp_path / "again", experimental.MaxShardSizePolicy(1024)
    first, second = written(path, policy), written(path, policy)

    assert first == second
    assert 1 == len(written(path, experimental.ShardByTaskPolicy()))
    assert 2 == len(list(tmp_path.iterdir()))


def test_callbacks_put_parts_into_files(tmp_path: Path) -> None:
    seen: list[Any] = []

    def halves(tensors: Any) -> Any:
        seen.extend((one.checkpoint_key, one.shape.rank, one.slice_spec) for one in tensors)
        table = next(one for one in tensors if one.name == "table" + KEY)
        others = {one.name: {"": one.tensor} for one in tensors if one is not table}
        low, high = table.tensor[:, :30], table.tensor[:, 30:]
        parts = {"10 100 0,10:0,30": low}, {"10 100 0,10:30,70": high}
        return [{table.name: parts[0]}, {table.name: parts[1], **others}]

    written(tmp_path / "plain", None)

    assert 2 == len(written(tmp_path / "halves", Told(halves)))
    assert ("table" + KEY, 2, "") in seen
    assert values(tmp_path / "plain") == values(tmp_path / "halves")


@pytest.mark.parametrize(
    ("error", "callback"),
    [
        (ValueError, lambda tensors: [{}]),
        (tf.errors.InvalidArgumentError, Told(lambda _: [])),
        (tf.errors.InvalidArgumentError, Told(lambda _: [{"v": {"4 0,3": np.zeros(2)}}])),
        (tf.errors.InvalidArgumentError, experimental.MaxShardSizePolicy(2)),
    ],
)
def test_what_says_nothing_about_files_is_refused(
    tmp_path: Path, error: Any, callback: Any
) -> None:
    with pytest.raises(error):
        written(tmp_path / "bad", callback)

    assert [] == list(tmp_path.iterdir())
