"""A SavedModel takes the place of an old one as a whole, and what is the user's in there stays."""

from __future__ import annotations

import errno
import importlib
import os
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.files import folder_exchange
from tensormill.saved_model import directory


class Adder(tf.Module):
    def __init__(self, start: float) -> None:
        super().__init__()
        self.v = tf.Variable(start)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def add(self, x: Any) -> Any:
        return x + self.v


@pytest.mark.sampled
@pytest.mark.parametrize("can_exchange", [True, False])
@pytest.mark.parametrize("has_links", [True, False])
@pytest.mark.parametrize("is_movable", [True, False])
def test_what_the_user_put_into_the_directory_stays(
    tmp_path: Path, can_exchange: bool, has_links: bool, is_movable: bool, monkeypatch: Any
) -> None:
    def no_links(*_: Any, **options: Any) -> None:
        raise PermissionError(errno.EPERM, "no links")

    if not can_exchange:
        monkeypatch.setattr(folder_exchange, "_renameat2", lambda *_: False)
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(directory, "_is_movable", lambda _: is_movable)
    model = tmp_path / "m"
    tf.saved_model.save(Adder(1.0), model)
    names = ["notes.txt", "assets/a", "assets.extra/b/c", "variables/d", "debug/e"]
    for name in names:
        (model / name).parent.mkdir(parents=True, exist_ok=True)
        (model / name).write_text(name)
    (model / "link").symlink_to("nowhere")
    (model / "fingerprint.pb").write_text("of the old one")
    before = sorted(path.relative_to(model) for path in model.rglob("*"))
    model.chmod(0o750)
    tf.saved_model.save(Adder(2.0), model)

    assert 2.0 == float(tf.saved_model.load(model).v)
    assert names == [(model / name).read_text() for name in names]
    after = sorted(path.relative_to(model) for path in model.rglob("*"))
    assert before == after
    assert b"of the old one" != (model / "fingerprint.pb").read_bytes()
    assert 0o750 == model.stat().st_mode & 0o777
    assert ["m"] == os.listdir(tmp_path)


def test_a_directory_that_cannot_be_moved_stays_whole(tmp_path: Path, monkeypatch: Any) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    monkeypatch.setattr(directory, "_is_movable", lambda _: False)
    really, calls = directory.exchange_folders, []

    def fail_once(one: str, other: str) -> None:
        calls.append(one)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "disk full")
        really(one, other)

    monkeypatch.setattr(directory, "exchange_folders", fail_once)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="disk full"):
        tf.saved_model.save(Adder(2.0), tmp_path / "m")

    assert 1.0 == float(tf.saved_model.load(tmp_path / "m").v)
    names = ["assets", "fingerprint.pb", "saved_model.pb", "variables"]
    assert names == sorted(os.listdir(tmp_path / "m"))


def test_a_link_to_a_directory_stays_a_link(tmp_path: Path) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    (tmp_path / "latest").symlink_to("m")
    tf.saved_model.save(Adder(2.0), tmp_path / "latest")

    assert (tmp_path / "latest").is_symlink()
    assert 2.0 == float(tf.saved_model.load(tmp_path / "m").v)


@pytest.mark.parametrize("name", [".", "..", "../../m"])
def test_the_directory_that_the_process_is_in_stays(
    tmp_path: Path, name: str, monkeypatch: Any
) -> None:
    here = tmp_path / "m" if name == "." else tmp_path / "m" / "notes"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    for start in (1.0, 2.0):
        tf.saved_model.save(Adder(start), name)
    Path("relative").write_text("mine")

    assert "mine" == (here / "relative").read_text()
    assert 2.0 == float(tf.saved_model.load(name).v)


def test_a_directory_that_was_away_when_its_writer_died_comes_back(
    tmp_path: Path, monkeypatch: Any
) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    (tmp_path / "m").rename(folder_exchange._away(str(tmp_path / "m")))

    assert 1.0 == float(tf.saved_model.load(tmp_path / "m").v)
    assert ["m"] == os.listdir(tmp_path)


def test_a_directory_of_a_containers_image_is_replaced(tmp_path: Path, monkeypatch: Any) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    (tmp_path / "m" / "notes").write_text("mine")
    really, image = os.rename, (tmp_path / "m").stat().st_ino

    def rename(source: str, target: str) -> None:
        if os.stat(source).st_ino == image:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        really(source, target)

    monkeypatch.setattr(folder_exchange, "_renameat2", lambda *_: False)
    monkeypatch.setattr(os, "rename", rename)
    tf.saved_model.save(Adder(2.0), tmp_path / "m")

    assert 2.0 == float(tf.saved_model.load(tmp_path / "m").v)
    assert "mine" == (tmp_path / "m" / "notes").read_text()
    assert ["m"] == os.listdir(tmp_path)


def test_a_model_that_is_replaced_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: Any
) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    load = importlib.import_module("tensormill.saved_model.load")  # `from` finds the function
    really = load.read_saved_model

    reads: list[str] = []

    def replaced(path: str) -> Any:
        proto = really(path)
        if not reads:
            tf.saved_model.save(Adder(2.0), path)
        reads.append(path)
        return proto

    monkeypatch.setattr(load, "read_saved_model", replaced)
    loaded: Any = tf.saved_model.load(tmp_path / "m")

    assert 2.0 == float(loaded.v)
    assert 3.0 == float(loaded.add(1.0))
    assert 2 == len(reads)


def test_a_model_that_gets_a_neighbour_while_it_is_read_is_not_read_again(
    tmp_path: Path, monkeypatch: Any
) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    load = importlib.import_module("tensormill.saved_model.load")
    really, reads = load.read_saved_model, list[str]()

    def accompanied(path: str) -> Any:
        assert not reads
        reads.append(path)
        (tmp_path / "m" / "events").touch()
        return really(path)

    monkeypatch.setattr(load, "read_saved_model", accompanied)

    assert 1.0 == float(tf.saved_model.load(tmp_path / "m").v)
