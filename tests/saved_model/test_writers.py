"""Several threads and processes that write to one place at once leave one whole state."""

from __future__ import annotations

import errno
import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.formats.bundle_writer import write_bundle
from tensormill.formats.data_files import give_fresh_name
from tensormill.formats.tensor_bundle import BundleReader
from tests.compiler.processes import outcome, start

WRITING = """
import sys
import numpy as np
from tensormill.formats.bundle_writer import write_bundle
for number in range(15):
    write_bundle(sys.argv[1], {name: np.full(2000, number) for name in "ab"})
"""


def numbers_in(prefix: Any) -> set[int]:
    reader = BundleReader(str(prefix))
    return {int(number) for name in "ab" for number in reader.read(name)}


def test_threads_may_write_one_checkpoint(tmp_path: Path) -> None:
    def write(number: int) -> None:
        write_bundle(str(tmp_path / "c"), {name: np.full(2000, number) for name in "ab"})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(40)))

    assert 1 == len(numbers_in(tmp_path / "c"))
    write(40)
    assert {40} == numbers_in(tmp_path / "c")
    assert 2 == len(os.listdir(tmp_path))


@pytest.mark.sampled(among="threads and interrupts")
def test_processes_may_write_one_checkpoint(tmp_path: Path) -> None:
    processes = [start(WRITING, str(tmp_path / "c")) for _ in range(3)]

    assert [(0, b"", b"")] * 3 == [outcome(process) for process in processes]
    assert {14} == numbers_in(tmp_path / "c")
    write_bundle(str(tmp_path / "c"), {name: np.full(20, 15) for name in "ab"})
    assert {15} == numbers_in(tmp_path / "c")
    assert 2 == len(os.listdir(tmp_path))


def test_threads_may_save_and_load_one_model(tmp_path: Path) -> None:
    def module(number: int) -> tf.Module:
        made = tf.Module()
        made.v, made.w = tf.Variable(number), tf.Variable(number)
        return made

    def turn(number: int) -> bool:
        tf.saved_model.save(module(number), tmp_path / "m")
        loaded: Any = tf.saved_model.load(tmp_path / "m")
        return int(loaded.v) == int(loaded.w)

    tf.saved_model.save(module(0), tmp_path / "m")
    (tmp_path / "m" / "notes").write_text("mine")
    with ThreadPoolExecutor(4) as pool:
        assert [True] * 12 == list(pool.map(turn, range(12)))

    assert ["m"] == os.listdir(tmp_path)
    assert "mine" == (tmp_path / "m" / "notes").read_text()


def test_without_locks_what_was_replaced_goes_and_what_others_write_stays(
    tmp_path: Path, monkeypatch: Any
) -> None:
    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    (tmp_path / "others").touch()
    write_bundle(str(tmp_path / "c"), {name: np.full(2000, 1) for name in "ab"})
    theirs, _ = give_fresh_name(str(tmp_path / "others"), str(tmp_path / "c"))
    for number in range(2, 9):
        write_bundle(str(tmp_path / "c"), {name: np.full(2000, number) for name in "ab"})

    assert {8} == numbers_in(tmp_path / "c")
    assert os.path.exists(theirs)
    assert 4 == len(os.listdir(tmp_path))
