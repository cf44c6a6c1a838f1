"""No operation of ours lets LAPACK divide its work between threads that spin."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import native_operations
from tensormill.core.process import blas_threads


def threads() -> list[int]:
    return [one.threads() for one in blas_threads.libraries()]


def test_what_numpy_brings_along_is_found() -> None:
    beside = Path(np.__file__).parents[1].glob("numpy*libs/*openblas*")

    assert any(True for _ in beside) == any(True for _ in blas_threads.libraries())


def test_lapack_runs_on_one_thread_and_leaves_numpy_as_it_was() -> None:
    before = threads()
    for one in blas_threads.libraries():
        one.set_threads(2)
    several = threads()
    try:
        assert blas_threads.on_one_thread(threads)() == [1] * len(before)
        assert threads() == several
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.linalg.solve(tf.zeros([40, 40]), tf.ones([40, 1]))
        assert threads() == several
    finally:
        for one, number in zip(blas_threads.libraries(), before, strict=True):
            one.set_threads(number)


def test_the_last_thread_that_leaves_puts_back_what_was() -> None:
    before, inside, go = threads(), threading.Barrier(2), threading.Event()

    @blas_threads.on_one_thread
    def stay() -> None:
        inside.wait()
        go.wait()

    other = threading.Thread(target=stay)
    other.start()
    inside.wait()
    assert blas_threads.on_one_thread(threads)() == [1] * len(before)
    assert threads() == [1] * len(before)
    go.set()
    other.join()

    assert threads() == before


# Roots and logarithms of matrices are machine code at any size, where LAPACK has one thread anyway.
SOLVERS: dict[str, Any] = {
    "solve": lambda x: tf.linalg.solve(x, x),
    "inv": tf.linalg.inv,
    "det": tf.linalg.det,
    "slogdet": tf.linalg.slogdet,
    "cholesky": tf.linalg.cholesky,
    "qr": tf.linalg.qr,
    "svd": tf.linalg.svd,
    "singular values": lambda x: tf.linalg.svd(x, compute_uv=False),
    "eigh": tf.linalg.eigh,
    "eigvalsh": tf.linalg.eigvalsh,
    "eig": tf.linalg.eig,
    "lstsq": lambda x: tf.linalg.lstsq(x, x, fast=False),
    "expm": tf.linalg.expm,
}


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_enters_once_at_least(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[None] = []
    monkeypatch.setattr(type(blas_threads._limit), "_enter", lambda *_: entered.append(None))
    monkeypatch.setattr(type(blas_threads._limit), "_leave", lambda *_: None)
    # Small matrices are machine code's, too; these are kernels.
    monkeypatch.setattr(native_operations, "_native", lambda: native_operations.nowhere)

    SOLVERS[name](tf.eye(4) + 0.1)
    assert entered
