"""Some changed files in each run of the tests; and what is wrong with a reader is found."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .. import confined, files

Phases = confined.Phases


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_changed_files_are_read_or_refused(seed: int) -> None:
    assert [] == files.attack(6, seed)


@pytest.mark.sampled(among="attacks")
def test_a_reader_that_looks_at_no_checksum_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files.BundleReader, "_check", lambda *_: None)
    subject = files.checkpoint(tmp_path)
    change = files.in_file("objects-1.data-00000-of-00001", flipped, is_checked=True)

    found = files.tried(subject, tmp_path / "copy", change, files.Random(0))
    assert found == "another result, and no checksum told"


def flipped(data: bytes, rng: files.Random) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def endless(phases: Phases) -> str:
    phases.begin("load")
    while True:
        pass


def greedy(phases: Phases) -> str:
    phases.begin("load")
    return str(len(b"x" * (801 << 19)))


def nosy(phases: Phases) -> str:
    phases.begin("call")
    return str(len(os.listdir("/")))


def broken(phases: Phases) -> str:
    phases.begin("load")
    raise KeyError("")


def crashing(phases: Phases) -> str:
    faulthandler.disable()  # who reads the output is not to think that something is wrong
    os.kill(os.getpid(), signal.SIGSEGV)
    return ""


def silent(phases: Phases) -> str:
    raise files.tf.errors.DataLossError("somewhere")


@pytest.mark.sampled(among="attacks")
@pytest.mark.parametrize(
    ("work", "said"),
    [
        (endless, "loading does not end"),
        (greedy, "takes 400 MiB to load 0 bytes"),
        (nosy, "touches ['os.listdir /']"),
        (broken, "no class of TensorFlow's: KeyError"),
        (crashing, "died of SIGSEGV"),
        (silent, "names no place: DataLossError"),
        (lambda phases: "other", "another result"),
        (lambda phases: "right", None),
    ],
)
def test_what_should_not_be_is_told(
    work: Callable[[Phases], str], said: str | None, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(confined, "SECONDS", 0.3)
    subject = files.Subject("test", tmp_path, [], lambda folder, phases: [])

    found = files.complaint(subject, tmp_path, confined.run(work, [str(tmp_path)]), "right")

    assert said == found if said is None or found is None else found.startswith(said)
