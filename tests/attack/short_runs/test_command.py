"""The command that runs the attacks."""

from __future__ import annotations

import importlib
import inspect

import pytest

from tests.attack import __main__ as command


def test_every_attack_takes_a_count_and_a_seed() -> None:
    for one in command.ATTACKS:
        module = importlib.import_module(f"tests.attack.{one.name}")
        assert list(inspect.signature(module.attack).parameters) == ["count", "seed"]


def test_a_finding_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command.Attack, "run", lambda one, count, seed: [f"{count} and {seed}"])

    assert command.main(["fuzzers", "--count", "3", "--seed", "7"]) == 1
    assert "fuzzers: 3 tried with seed 7 in 0 s, 1 found\n  3 and 7" in capsys.readouterr().out


def test_an_unknown_attack_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["nothing"])
    assert "no such attack: nothing" in capsys.readouterr().err
