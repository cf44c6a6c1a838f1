"""Checkpoints that TensorFlow 2.21 wrote (tests/interop/checkpoints.py --record) are read here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tensormill as tf
from tests.interop.checkpoints import FIXTURES, PARTS, assert_same, contents, program, values


def test_objects_that_tensorflow_saved_are_restored() -> None:
    expected, found = program(tf, filled=True), program(tf, filled=False)
    path = tf.train.latest_checkpoint(FIXTURES)
    status = found.restore(path)

    status.assert_consumed().assert_existing_objects_matched()
    assert_same(dict(values(expected)), dict(values(found)))
    assert 1 == int(found.save_counter)


def test_what_is_saved_here_has_the_bytes_that_tensorflow_wrote(tmp_path: Path) -> None:
    program(tf, filled=True).save(tmp_path / "objects")

    for suffix in ("1.index", "1.data-00000-of-00001"):
        expected = (FIXTURES / f"objects-{suffix}").read_bytes()
        assert expected == (tmp_path / f"objects-{suffix}").read_bytes()
    assert (FIXTURES / "checkpoint").read_text() == (tmp_path / "checkpoint").read_text()


def test_parts_in_several_shards_are_joined() -> None:
    found: dict[str, Any] = contents(tf, str(FIXTURES / "parts"))

    assert_same(PARTS, found)
