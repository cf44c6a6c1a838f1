from __future__ import annotations

import re

import pytest


@pytest.mark.sampled(among="scripts")
def test_version_is_one_line(tensormill) -> None:
    finished = tensormill("--version")

    assert finished.returncode == 0
    assert re.fullmatch(r"tensormill \d+\.\d+\.\d+\S*\n", finished.stdout)


def test_help_lists_the_commands(command) -> None:
    finished = command("--help")

    assert finished.returncode == 0
    assert {"run", "doctor"} <= set(finished.stdout.split())


def test_an_unknown_command_is_named(command) -> None:
    finished = command("frobnicate")

    assert finished.returncode == 2
    assert "frobnicate" in finished.stderr
