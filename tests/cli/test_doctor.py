from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy
import pytest

from tensormill.cli import doctor
from tensormill.cli.console import console
from tensormill.compiler.machine.cache import CachedCode, CodeCache


@pytest.mark.sampled(among="scripts")
def test_the_report_says_what_is_installed(tensormill) -> None:
    finished = tensormill("doctor")

    assert finished.returncode == 0
    assert f"numpy {numpy.__version__}" in " ".join(finished.stdout.split())
    assert "OpenBLAS" in finished.stdout
    assert finished.stderr == ""
    for title in ["versions", "processor", "matrix products", "disk cache"]:
        assert f"\n{title}" in f"\n{finished.stdout}"


def test_a_path_is_not_broken_in_a_pipe(monkeypatch, capsys) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    path = "/folder" * 30

    console().print(doctor.table({"disk cache": [doctor.ReportRow("place", path)]}))

    assert path in capsys.readouterr().out


def test_a_missing_library_is_not_well(monkeypatch) -> None:
    monkeypatch.setattr(doctor, "installed", lambda distribution: None)

    facts = {fact.name: fact for fact in doctor.versions()}

    assert not facts["llvmlite"].well
    assert facts["tensormill"].well


def test_it_knows_all_that_is_needed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    needed = {re.split("[<>=~! ]", one)[0] for one in project["dependencies"]}

    assert needed == set(doctor.NEEDED)
    assert doctor.EXTRAS.keys() <= project["optional-dependencies"].keys()


def test_an_absent_extra_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setattr(doctor, "installed", lambda distribution: None)

    facts = {fact.name: fact for fact in doctor.extras()}

    assert facts["xla"].well
    assert "pip install 'tensormill[xla]'" in facts["xla"].value


@pytest.fixture
def directory(monkeypatch, tmp_path) -> Path:
    """A place for the cache which does not exist yet."""
    path = tmp_path / "cache"
    monkeypatch.setattr(doctor.settings, "cache_directory", path)
    monkeypatch.setattr(doctor.settings, "cache_enabled", True)
    return path


def cache_facts() -> dict[str, doctor.ReportRow]:
    return {fact.name: fact for fact in doctor.disk_cache()}


def test_the_size_of_the_cache_is_what_its_entries_add_up_to(directory) -> None:
    cache = CodeCache(directory, 10_000)
    cache.store("one", CachedCode(bytes(1500), {}))
    cache.store("two", CachedCode(bytes(500), {}))

    assert cache_facts()["size"].value.startswith("2.2 kB of ")


def test_a_cache_that_was_never_used_is_empty_and_well(directory) -> None:
    facts = cache_facts()

    assert facts["size"].value.startswith("0 bytes")
    assert facts["state"] == doctor.ReportRow("state", "on")


def test_a_user_without_a_home_has_no_cache_and_is_well(monkeypatch, directory) -> None:
    monkeypatch.setattr(doctor.settings, "cache_directory", None)

    assert cache_facts()["place"].value.startswith("none: ")
    assert cache_facts()["place"].well


def test_a_cache_that_others_may_write_to_is_not_well(directory) -> None:
    directory.mkdir()
    directory.chmod(0o777)

    assert not cache_facts()["state"].well


def test_a_cache_that_is_switched_off_says_so(monkeypatch, directory) -> None:
    monkeypatch.setattr(doctor.settings, "cache_enabled", False)

    assert "off" in cache_facts()["state"].value
