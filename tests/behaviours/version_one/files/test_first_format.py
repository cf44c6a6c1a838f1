"""Checkpoints in TensorFlow's first format, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
RAW: Any = tf.raw_ops
X = np.arange(6, dtype=np.float32).reshape(2, 3)
VALUES: dict[str, Any] = {
    "float16": [1.5, -2.0], "float32": [[1.5], [-2.0]], "float64": 1 / 3, "int8": [-128, 5],
    "int16": [-300], "int32": [-7, 2**31 - 1], "int64": [-(2**63), 1], "uint8": [0, 200],
    "uint16": [65535], "bool": [True, False], "string": [["a", ""], ["b\0", "é"]],
    "complex64": [1 + 2j, -3j], "complex128": [1 / 3 + 2j],
}  # fmt: skip


def restored(pattern: Any, name: str, part: str | None = None, dt: Any = tf.float32) -> Any:
    """What is found, as lists."""
    said = {"file_pattern": str(pattern), "tensor_name": name, "dt": dt}
    if part is None:
        return RAW.Restore(**said).numpy().tolist()
    return RAW.RestoreSlice(**said, shape_and_slice=part).numpy().tolist()


@behaviour("I10")
def test_whole_tensors_of_all_dtypes_are_saved(tmp_path: Path) -> None:
    tensors = {name: tf.constant(value, name) for name, value in VALUES.items()}
    path = tmp_path / "file"
    RAW.Save(filename=str(path), tensor_names=list(tensors), data=list(tensors.values()))

    assert [path] == list(tmp_path.iterdir())
    assert b"\0\0" == path.read_bytes()[:2]
    for name, tensor in tensors.items():
        assert tensor.numpy().tolist() == restored(path, name, dt=tensor.dtype)
    assert [1.5] == restored(path, "float16", "2 0,1", tf.float16)


@behaviour("I10")
def test_a_single_string_is_saved(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    RAW.Save(filename=path, tensor_names=["word"], data=[tf.constant(b"a\0")])

    assert b"a\0" == RAW.Restore(file_pattern=path, tensor_name="word", dt=tf.string).numpy()


@behaviour("I10")
def test_parts_lie_in_several_files(tmp_path: Path) -> None:
    for k in range(2):
        RAW.SaveSlices(
            filename=str(tmp_path / f"part-{k}"), tensor_names=["w", f"v{k}"],
            shapes_and_slices=[f"4 2 {2 * k},2:-", ""],
            data=[np.full((2, 2), k, np.float32), [k]],
        )  # fmt: skip
    pattern = tmp_path / "part-*"

    assert [[0, 0], [0, 0], [1, 1], [1, 1]] == restored(pattern, "w")
    assert [[0], [1]] == restored(pattern, "w", "4 2 1,2:0,1")
    assert [1] == restored(tmp_path / "part-1", "v1", dt=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Error copying slice data"):
        restored(tmp_path / "part-0", "w")


@behaviour("I10")
def test_other_operations_read_them(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    RAW.Save(filename=path, tensor_names=["x", "y"], data=[X, [1]])

    (found,) = RAW.RestoreV2(
        prefix=path, tensor_names=["x"], shape_and_slices=["2 3 -:1,2"], dtypes=[tf.float32]
    )
    assert [[1, 2], [4, 5]] == found.numpy().tolist()
    assert [("x", [2, 3]), ("y", [1])] == tf.train.list_variables(path)
    assert X.tolist() == tf.train.load_variable(path, "x").tolist()


@behaviour("I10")
@pytest.mark.parametrize(
    ("name", "part", "dtype", "error"),
    [
        ("z", None, tf.float32, tf.errors.NotFoundError),
        ("x", None, tf.int32, tf.errors.InvalidArgumentError),
        ("x", "3 3 -:-", tf.float32, tf.errors.InvalidArgumentError),
    ],
)
def test_what_is_not_there_is_refused(
    tmp_path: Path, name: str, part: str | None, dtype: Any, error: Any
) -> None:
    RAW.Save(filename=str(tmp_path / "file"), tensor_names=["x"], data=[X])

    with pytest.raises(error):
        restored(tmp_path / "file", name, part, dtype)


@behaviour("I10")
def test_what_does_not_fit_is_not_saved(tmp_path: Path) -> None:
    said: dict[str, Any] = {"filename": str(tmp_path / "file"), "tensor_names": ["x"]}

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"2 names|1 names"):
        RAW.Save(**said, data=[X, X])
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not match the shape"):
        RAW.SaveSlices(**said, shapes_and_slices=["2 4 0,1:-"], data=[X])
    with pytest.raises(tf.errors.UnimplementedError, match="bfloat16"):
        RAW.Save(**said, data=[tf.constant([1.0], tf.bfloat16)])
    with pytest.raises(tf.errors.NotFoundError):
        restored(tmp_path / "file", "x")


@behaviour("I10")
def test_savers_write_and_read_them(tmp_path: Path) -> None:
    first = v1.train.SaverDef.V1
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=v1.constant([1.0, 2.0]))
        session.run(w.initializer)
        saver = v1.train.Saver(write_version=first, max_to_keep=1)
        said: dict[str, Any] = {"write_meta_graph": False}
        _, path = (saver.save(session, str(tmp_path / "model"), step, **said) for step in range(2))
        session.run(w.assign([0.0, 0.0]))
        v1.train.Saver().restore(session, path)

        assert first == saver.as_saver_def().version
        assert v1.train.checkpoint_exists(path)
        assert [1.0, 2.0] == session.run(w).tolist()
    assert {"checkpoint", "model-1"} == {one.name for one in tmp_path.iterdir()}


@behaviour("I10")
def test_of_a_bundle_no_file_of_its_prefix_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "model-1"
    path.write_text("notes")
    v1.train.remove_checkpoint(str(path))
    assert path.exists()

    v1.train.remove_checkpoint(str(path), v1.train.SaverDef.V1)
    assert not path.exists()


@behaviour("I10")
@pytest.mark.parametrize("slices", [["", "", ""], ["", "", "4 1 0,1:-"], ["1 -", "1 -", ""]])
def test_a_bundle_has_each_name_once(tmp_path: Path, slices: list[str]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Adding duplicate key: w"):
        RAW.SaveV2(
            prefix=str(tmp_path / "model"), tensor_names=["w", "w", "x"], shape_and_slices=slices,
            tensors=[[1.0], [2.0], [[3.0]]],
        )  # fmt: skip


@behaviour("I10")
def test_bundles_have_parts_as_well(tmp_path: Path) -> None:
    prefix = str(tmp_path / "model")
    RAW.SaveV2(
        prefix=prefix, tensor_names=["w", "x", "w"],
        shape_and_slices=["4 2 2,2:-", "", "4 2 0,2:-"],
        tensors=[[[3, 4], [5, 6]], X, [[1, 2]] * 2],
    )  # fmt: skip

    assert [("w", [4, 2]), ("x", [2, 3])] == tf.train.list_variables(prefix)
    assert [[1, 2], [1, 2], [3, 4], [5, 6]] == tf.train.load_variable(prefix, "w").tolist()
