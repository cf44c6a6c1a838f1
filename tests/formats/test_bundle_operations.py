"""Operations of savers: bundles that graphs write and read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RAW: Any = tf.raw_ops
X, Y = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.array([b"a", b"bc"], object)


def saved(prefix: str, **tensors: Any) -> None:
    names = list(tensors)
    RAW.SaveV2(
        prefix=prefix, tensor_names=names, shape_and_slices=[""] * len(names),
        tensors=[tf.constant(one) for one in tensors.values()],
    )  # fmt: skip


def test_what_is_saved_is_restored(tmp_path: Path) -> None:
    prefix = str(tmp_path / "one")
    saved(prefix, x=X, y=Y)
    found = RAW.RestoreV2(
        prefix=prefix, tensor_names=["y", "x", "x"], dtypes=[tf.string, tf.float32, tf.float32],
        shape_and_slices=["", "", "2 3 1,1:0,2"],
    )  # fmt: skip

    assert [Y.tolist(), X.tolist(), [[3, 4]]] == [one.numpy().tolist() for one in found]
    assert {"x", "y"} == {name for name, _ in tf.train.list_variables(prefix)}


def test_parts_are_merged_and_deleted(tmp_path: Path) -> None:
    parts = [str(tmp_path / "parts" / str(RAW.ShardedFilename(
        basename="part", shard=k, num_shards=2).numpy().decode())) for k in range(2)]  # fmt: skip
    saved(parts[0], x=X)
    saved(parts[1], y=Y)

    @tf.function
    def merge(names: Any, whole: Any) -> None:
        RAW.MergeV2Checkpoints(checkpoint_prefixes=names, destination_prefix=whole)

    merge(tf.constant(parts), tf.constant(str(tmp_path / "whole")))

    assert ["x", "y"] == [name for name, _ in tf.train.list_variables(str(tmp_path / "whole"))]
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize(
    ("name", "part", "dtype", "error"),
    [
        ("z", "", tf.float32, tf.errors.NotFoundError),
        ("x", "", tf.int32, tf.errors.InvalidArgumentError),
        ("x", "3 3 -:-", tf.float32, tf.errors.InvalidArgumentError),
        ("x", "2 3 0,3:-", tf.float32, tf.errors.InvalidArgumentError),
        ("x", "2 3 -:-1,2", tf.float32, tf.errors.InvalidArgumentError),
        ("x", "2 3", tf.float32, tf.errors.InvalidArgumentError),
    ],
)
def test_what_is_not_there_is_refused(
    tmp_path: Path, name: str, part: str, dtype: Any, error: Any
) -> None:
    """The classes of errors are TensorFlow's."""
    prefix = str(tmp_path / "one")
    saved(prefix, x=X)

    with pytest.raises(error):
        RAW.RestoreV2(prefix=prefix, tensor_names=[name], shape_and_slices=[part], dtypes=[dtype])
