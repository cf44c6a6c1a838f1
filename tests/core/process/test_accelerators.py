"""Whom nothing tells of a GPU does not wait for JAX; who has one is given JAX's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tensormill.config import settings
from tensormill.core.process import accelerators
from tensormill.core.process.accelerators import Accelerators


class AskedError(Exception):
    """Somebody asked who must not be asked."""


def refuse(*_: Any) -> Any:
    raise AskedError


@pytest.fixture(autouse=True)
def nobody_said_which_back_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "backend", None)
    monkeypatch.setattr(accelerators, "_plugins_are_there", lambda: True)
    monkeypatch.setattr(accelerators, "library", refuse)


def test_jax_is_not_asked_where_the_system_shows_no_device(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(accelerators.SHOWN, "GPU", (str(tmp_path / "nvidiactl"),))

    assert Accelerators().of("GPU") == ()


def test_jax_is_asked_where_the_system_shows_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(accelerators.SHOWN, "GPU", (str(tmp_path),))
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = SimpleNamespace(devices=lambda kind: [f"{kind} 0", f"{kind} 1"])
    monkeypatch.setattr(accelerators, "library", lambda *_: jax)

    assert Accelerators().of("GPU") == ("gpu 0", "gpu 1")


def test_jax_is_asked_whatever_the_system_shows_where_its_back_end_was_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(accelerators.SHOWN, "GPU", (str(tmp_path / "nvidiactl"),))
    monkeypatch.setattr(settings, "backend", "xla")

    with pytest.raises(AskedError):
        Accelerators().of("GPU")


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_another_back_end_has_the_cpu_alone(monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    monkeypatch.setattr(settings, "backend", backend)

    assert Accelerators(refuse).of("GPU") == ()
