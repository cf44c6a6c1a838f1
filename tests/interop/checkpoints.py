"""Checkpoints in both directions: `python tests/interop/checkpoints.py`, where TensorFlow is.

With `--record` TensorFlow writes the files in tests/checkpoint/fixtures anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tensormill.formats.bundle_writer import write_bundle

FIXTURES = Path(__file__).parents[1] / "checkpoint" / "fixtures"
DTYPES = (
    "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
    "complex64 complex128"
).split()

Pair = namedtuple("Pair", "x y")


def program(tf: Any, filled: bool) -> Any:
    """Everything that a checkpoint may be of: with values, or with none that matter."""

    def variable(value: Any, dtype: Any = None) -> Any:
        tensor = (
            tf.constant(value, dtype) if dtype == "string" else tf.cast(value, dtype or "float32")
        )
        return tf.Variable(tensor if filled else tf.zeros_like(tensor))

    module = tf.Module()
    for number, dtype in enumerate(DTYPES):
        setattr(module, dtype, variable([[0, 1, number]], dtype))
    module.text = variable([["", "é" * 200], ["x\0", "y"]], "string")
    module.layers = [variable(1.5), {"kernel": variable([1, 2]), "a/b.c": variable(-1)}, [7]]
    module.pair = Pair(variable(3), [variable(4)])
    module.ordered = OrderedDict(z=variable(5), a=variable(6))
    module.empty = variable(np.zeros((0, 3)))
    module.large = variable(np.arange(900).reshape(30, 30))
    module.myself, module.again = module, module.layers
    return tf.train.Checkpoint(model=module, step=variable(12, "int64"))


def contents(tf: Any, prefix: str) -> dict[str, Any]:
    """What a checkpoint says it has, but for the graph of objects."""
    reader = tf.train.load_checkpoint(prefix)
    return {
        key: np.asarray(reader.get_tensor(key))
        for key, _ in tf.train.list_variables(prefix)
        if key != "_CHECKPOINTABLE_OBJECT_GRAPH"
    }


def values(checkpoint: Any) -> Iterator[tuple[str, Any]]:
    """Every variable's value, by its number."""
    yield "step", checkpoint.step.numpy()
    for number, variable in enumerate(checkpoint.model.variables):
        yield str(number), variable.numpy()


def same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    return (one.dtype, one.shape, one.tolist()) == (other.dtype, other.shape, other.tolist())


def assert_same(expected: dict[str, Any], found: dict[str, Any]) -> None:
    assert expected.keys() == found.keys(), expected.keys() ^ found.keys()
    different = [key for key in expected if not same(expected[key], found[key])]
    assert not different, different


def write_parts(tf: Any, folder: Path) -> str:
    """A partitioned variable, its parts in two shards, as Saver with a partitioner writes it."""
    whole = tf.reshape(tf.range(20, dtype=tf.int32), [4, 5])
    shards = [f"{folder}/shard{number}" for number in (0, 1)]
    for start, prefix in zip((0, 2), shards, strict=True):
        part = whole[:, 2 * start // 2 : 2] if start == 0 else whole[:, 2:]
        place = f"4 5 0,4:{start},{part.shape[1]}"
        tf.raw_ops.SaveV2(
            prefix=prefix,
            tensor_names=["whole", f"own{start}"],
            shape_and_slices=[place, ""],
            tensors=[part, tf.constant([f"s{start}"])],
        )
    prefix = f"{folder}/parts"
    tf.raw_ops.MergeV2Checkpoints(
        checkpoint_prefixes=shards, destination_prefix=prefix, delete_old_dirs=False
    )
    return prefix


PARTS = {
    "whole": np.arange(20, dtype=np.int32).reshape(4, 5),
    "own0": np.array([b"s0"], object),
    "own2": np.array([b"s2"], object),
}

# ---- what is compared


def restores_what_the_other_wrote(writer: Any, reader: Any, folder: Path) -> None:
    written = program(writer, filled=True)
    prefix = written.save(f"{folder}/ck")
    restored = program(reader, filled=False)
    restored.restore(prefix).assert_consumed().assert_existing_objects_matched()
    assert_same(dict(values(written)), dict(values(restored)))
    assert_same(contents(writer, prefix), contents(reader, prefix))
    assert writer.train.latest_checkpoint(str(folder)) == reader.train.latest_checkpoint(
        str(folder)
    )
    assert restored.save(f"{folder}/ck").endswith("ck-2")


def writes_the_same_bytes(writer: Any, reader: Any, folder: Path) -> None:
    mine, others = (
        program(tf, filled=True).write(f"{folder}/{tf.__name__}") for tf in (writer, reader)
    )
    for suffix in (".data-00000-of-00001", ".index"):
        assert Path(mine + suffix).read_bytes() == Path(others + suffix).read_bytes(), suffix


def writes_the_same_large_index(writer: Any, reader: Any, folder: Path) -> None:
    """Of several blocks, with keys of all lengths."""
    names = [f"{'layer' * (number % 9)}{number * number % 8999}/x" for number in range(9000)]
    names = sorted(set(names))
    tensors = {name: np.float32(number) for number, name in enumerate(names)}
    write_bundle(f"{folder}/a", tensors)
    values_ = [reader.constant(value) for value in tensors.values()]
    reader.raw_ops.SaveV2(
        prefix=f"{folder}/b",
        tensor_names=names,
        shape_and_slices=[""] * len(names),
        tensors=values_,
    )
    for suffix in (".data-00000-of-00001", ".index"):
        assert (folder / f"a{suffix}").read_bytes() == (folder / f"b{suffix}").read_bytes(), suffix


def restores_later(writer: Any, reader: Any, folder: Path) -> None:
    prefix = program(writer, filled=True).write(f"{folder}/ck")
    target = reader.train.Checkpoint()
    status = target.read(prefix)
    made = program(reader, filled=False)
    target.step, target.model = made.step, made.model
    status.assert_consumed()
    assert_same(dict(values(program(writer, filled=True))), dict(values(made)))


def goes_on_with_a_directory(writer: Any, reader: Any, folder: Path) -> None:
    def manager(tf: Any) -> Any:
        return tf.train.CheckpointManager(program(tf, filled=False), str(folder), max_to_keep=2)

    first = manager(writer)
    saved = [first.save() for _ in range(3)]
    second = manager(reader)
    assert second.checkpoints == saved[1:], (second.checkpoints, saved)
    assert second.restore_or_initialize() == saved[2]
    assert second.save() == f"{folder}/ckpt-4"
    assert manager(writer).checkpoints == [saved[2], f"{folder}/ckpt-4"]
    assert sorted(path.suffix for path in folder.glob("ckpt*")) == sorted(
        2 * [".index", ".data-00000-of-00001"]
    )


def reads_parts(writer: Any, reader: Any, folder: Path) -> None:
    assert_same(PARTS, contents(reader, write_parts(writer, folder)))


Check = Callable[[Any, Any, Path], None]


def main() -> int:
    tensorflow, tensormill = import_module("tensorflow"), import_module("tensormill")
    both: tuple[Check, ...] = (
        restores_what_the_other_wrote, restores_later, goes_on_with_a_directory,
    )  # fmt: skip
    cases = [(check, *order) for check in both for order in (
        (tensorflow, tensormill), (tensormill, tensorflow),
    )]  # fmt: skip
    cases.append((reads_parts, tensorflow, tensormill))
    cases.append((writes_the_same_bytes, tensormill, tensorflow))
    cases.append((writes_the_same_large_index, tensormill, tensorflow))
    failures = 0
    for check, writer, reader in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(writer, reader, Path(folder))
            except Exception as error:
                failures += 1
                print(f"{check.__name__}: {writer.__name__} → {reader.__name__}: {error!r}")
            else:
                print(f"{check.__name__}: {writer.__name__} → {reader.__name__}: equal")
    return failures


def record() -> None:
    tf = import_module("tensorflow")
    FIXTURES.mkdir(parents=True, exist_ok=True)
    for old in FIXTURES.iterdir():
        old.unlink()
    program(tf, filled=True).save(f"{FIXTURES}/objects")
    write_parts(tf, FIXTURES)
    for shard in FIXTURES.glob("shard*"):
        shard.unlink()


if __name__ == "__main__":
    sys.exit(record() if "--record" in sys.argv else main())
