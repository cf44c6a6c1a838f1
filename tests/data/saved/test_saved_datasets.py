from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import errors
from tensormill.data.snapshots.components import Codec
from tensormill.formats.snappy import compress, decompress

from .record import RECORDED, datasets, plain

Dataset = tf.data.Dataset
SAVED: dict[str, Any] = json.loads(RECORDED.read_text())


def elements(dataset: Any) -> list[Any]:
    return [plain(tf, one) for one in dataset]


def contents(folder: Path) -> dict[str, bytes]:
    """The files, without the numbers that name a run."""
    return {
        path.name if path.parent == folder else "/".join(path.relative_to(folder).parts[1:]):
            path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "snapshot.metadata"
    }  # fmt: skip


def shard_file(folder: Path) -> Path:
    return next(folder.rglob("*.snapshot"))


@pytest.mark.parametrize("name", SAVED)
def test_what_tensorflow_saved_is_loaded(tmp_path: Path, name: str):
    for path, data in SAVED[name]["files"].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(base64.b64decode(data))
    dataset, arguments = datasets(tf)[name]

    loaded = Dataset.load(str(tmp_path), compression=arguments.get("compression"))

    assert loaded.element_spec == dataset.element_spec
    in_one = name != "shards"
    found = elements(loaded)
    assert SAVED[name]["elements"] == (found if in_one else sorted(found))


# Within variant tensors TensorFlow lists the numbers that are written as bytes here; how well
# something is compressed is nobody's business.
@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in SAVED if name not in ("snappy", "ragged")])
def test_the_bytes_are_those_that_tensorflow_writes(tmp_path: Path, name: str):
    dataset, arguments = datasets(tf)[name]
    dataset.save(str(tmp_path), **arguments)
    written = contents(tmp_path)

    for path, data in SAVED[name]["files"].items():
        if not arguments.get("compression") and path != "snapshot.metadata":
            kept = path.split("/", 1)[-1]
            assert base64.b64decode(data) == written[kept], path
    assert len(SAVED[name]["files"]) == len(written) + 1


def test_what_is_saved_is_loaded_with_every_compression(tmp_path: Path):
    rows = Dataset.range(40).map(lambda n: (tf.fill([n % 3], n), tf.strings.as_string(n)))
    for kind in (None, "AUTO", "GZIP", "ZLIB", "SNAPPY"):
        rows.save(str(tmp_path), compression=kind)
        loaded = Dataset.load(str(tmp_path), compression=kind)
        assert elements(rows) == elements(loaded)
        assert loaded.cardinality() == 40


def test_shards_are_read_in_turn_or_as_a_reader_says(tmp_path: Path):
    path = str(tmp_path)
    Dataset.range(7).save(path, shard_func=lambda n: n % 2 - 1)

    one_by_one = Dataset.load(path, reader_func=lambda shards: shards.flat_map(lambda one: one))

    assert elements(one_by_one) == [1, 3, 5, 0, 2, 4, 6]
    assert sorted(elements(Dataset.load(path))) == [*range(7)]


def test_functions_save_and_load(tmp_path: Path):
    path = str(tmp_path)

    @tf.function
    def double_of_saved() -> Any:
        Dataset.range(4).save(path)
        return Dataset.load(path, tf.TensorSpec((), tf.int64)).reduce(
            np.int64(0), lambda total, n: total + 2 * n
        )

    assert double_of_saved() == 12


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda folder: shard_file(folder).write_bytes(b""), errors.DataLossError),
        (lambda folder: shard_file(folder).unlink(), errors.DataLossError),
        (lambda folder: (folder / "snapshot.metadata").write_bytes(b"\xff"), errors.DataLossError),
        (lambda folder: (folder / "snapshot.metadata").unlink(), errors.NotFoundError),
        (lambda folder: (folder / "dataset_spec.pb").unlink(), errors.NotFoundError),
        (lambda folder: (folder / "dataset_spec.pb").write_bytes(b""), errors.NotFoundError),
        (lambda folder: (folder / "dataset_spec.pb").write_bytes(b"\xff"), errors.DataLossError),
    ],
)
def test_what_is_damaged_is_told(tmp_path: Path, change: Any, error: Any):
    Dataset.range(3).save(str(tmp_path))
    change(tmp_path)

    with pytest.raises(error):
        list(Dataset.load(str(tmp_path)))


def test_every_cut_or_changed_byte_of_a_shard_is_noticed(tmp_path: Path):
    Dataset.range(3).save(str(tmp_path))
    file = shard_file(tmp_path)
    whole = file.read_bytes()
    for at in range(0, len(whole), 3):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            file.write_bytes(damaged)
            with pytest.raises(errors.DataLossError):
                list(Dataset.load(str(tmp_path)).as_numpy_iterator())


def test_another_spec_or_compression_is_refused(tmp_path: Path):
    path = str(tmp_path)
    Dataset.range(3).save(path)
    for spec in (tf.TensorSpec((), tf.int32), tf.TensorSpec([2], tf.int64)):
        with pytest.raises(errors.InvalidArgumentError, match="element_spec"):
            list(Dataset.load(path, spec))
    for kind in ("GZIP", "SNAPPY"):
        with pytest.raises(errors.DataLossError):
            list(Dataset.load(path, compression=kind))
    with pytest.raises(errors.InvalidArgumentError, match="compression"):
        Dataset.load(path, compression="ZIP")
    with pytest.raises(errors.InvalidArgumentError, match="shard_func"):
        Dataset.range(3).save(path, shard_func=lambda n: "first")
    with pytest.raises(errors.InvalidArgumentError, match="reader_func"):
        Dataset.load(path, reader_func=lambda shards: shards)
    with pytest.raises(errors.UnimplementedError, match="component"):
        Dataset.range(3).window(2).save(path)


def test_rows_and_indices_that_no_tensor_has_are_refused(tmp_path: Path):
    ragged = Codec(tf.RaggedTensorSpec([None, None], tf.int32))
    sparse = Codec(tf.SparseTensorSpec([3], tf.int32))
    rows = [tf.constant(one, tf.int64) for one in ([0, 2], [1, 3], [0, 3, 1, 3], [0, 4])]
    values = tf.constant([1, 2, 3])
    wrong: list[tuple[Any, Any]] = [(ragged, (values, one)) for one in rows]
    wrong.append((sparse, (tf.constant([[3]], tf.int64), values[:1], tf.constant([3], tf.int64))))
    wrong.append((sparse, (tf.constant([[1]], tf.int64), values, tf.constant([3], tf.int64))))

    for codec, element in wrong:
        with pytest.raises(errors.InvalidArgumentError):
            list(codec.elements(iter(codec.records(element)), "file"))


def test_a_save_that_fails_leaves_what_was_there(tmp_path: Path):
    path = str(tmp_path)
    Dataset.range(3).save(path)

    with pytest.raises(errors.InvalidArgumentError):
        Dataset.range(5).map(lambda n: 10 // (4 - n)).save(path)

    assert elements(Dataset.load(path)) == [0, 1, 2]


def test_an_interrupted_save_goes_on_from_its_checkpoint(tmp_path: Path):
    path, fails, taken = str(tmp_path / "saved"), tf.Variable(True), tf.Variable(0)

    def one(n: Any) -> Any:
        taken.assign_add(1)
        tf.debugging.assert_equal(tf.logical_and(fails, n == 5), False)
        return n

    def save(steps: Any) -> None:
        arguments = {"directory": str(tmp_path / "checkpoints"), "max_to_keep": 1}
        Dataset.range(9).map(one).save(
            path, checkpoint_args={**arguments, "checkpoint_interval": 2, "step_counter": steps}
        )

    with pytest.raises(errors.InvalidArgumentError):
        save(tf.Variable(0))
    with pytest.raises(errors.DataLossError, match="not saved to its end"):
        Dataset.load(path)
    fails.assign(False)
    steps = tf.Variable(0)
    save(steps)

    assert elements(Dataset.load(path)) == [*range(9)]
    assert steps == 9
    assert len(list(Path(path).rglob("*.snapshot"))) == 5


def test_a_snapshot_is_written_once_and_then_read(tmp_path: Path):
    path, computed = str(tmp_path), tf.Variable(0)

    def squares() -> Any:
        def square(n: Any) -> Any:
            computed.assign_add(1)
            return n * n

        return Dataset.range(5).map(square).snapshot(path)

    interrupted = iter(squares())
    next(interrupted)
    del interrupted
    assert elements(squares().repeat(2)) == 2 * [0, 1, 4, 9, 16]
    assert elements(squares()) == [0, 1, 4, 9, 16]
    assert computed == 6
    assert elements(Dataset.range(2).snapshot(path, compression=None)) == [0, 1]


def test_a_damaged_snapshot_is_told(tmp_path: Path):
    numbers = Dataset.range(5).snapshot(str(tmp_path), shard_func=lambda n: n)
    list(numbers)
    file = shard_file(tmp_path)
    file.write_bytes(file.read_bytes()[:-1])

    with pytest.raises(errors.DataLossError):
        list(numbers)


def test_fingerprints_are_alike_where_elements_are():
    def made(stop: int = 3, factor: int = 2, seed: int | None = None) -> Any:
        scale = tf.constant(factor, tf.int64)
        return Dataset.range(stop).map(lambda n: n * scale).shuffle(3, seed).fingerprint()

    assert made() == made()
    assert len({int(made(*given)) for given in ((), (4,), (3, 4), (3, 2, 1))}) == 4
    assert tf.function(made)() == made()


def test_snapshots_are_of_what_variables_and_files_held(tmp_path: Path):
    factor = tf.Variable(2, dtype=tf.int64)
    lines = tmp_path / "lines"

    def made() -> tuple[list[int], list[bytes]]:
        scaled = Dataset.range(3).map(lambda n: n * factor).snapshot(str(tmp_path / "scaled"))
        read = tf.data.TextLineDataset(str(lines)).snapshot(str(tmp_path / "read"))
        return [int(n) for n in scaled], [line.numpy() for line in read]

    lines.write_text("one\n")
    assert ([0, 2, 4], [b"one"]) == made() == made()
    factor.assign(3)
    lines.write_text("two\nthree\n")
    assert ([0, 3, 6], [b"two", b"three"]) == made()


def test_snappy_gives_back_what_it_got():
    draw = random.Random(1)
    for size in (0, 1, 4, 60, 61, 300, 5000, 70000):
        for most in (0, 1, 3, 255):
            data = bytes(draw.randint(0, most) for _ in range(min(size, 3000))) * (size // 3000 + 1)
            assert data == decompress(compress(data))
    assert len(compress(b"again and " * 1000)) < 600
