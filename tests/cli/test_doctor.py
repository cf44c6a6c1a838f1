from __future__ import annotations

import numpy
import pytest

from tensormill.cli import doctor


def test_the_report_says_what_is_installed(tensormill) -> None:
    finished = tensormill("doctor")

    assert finished.returncode == 0
    assert f"numpy {numpy.__version__}" in " ".join(finished.stdout.split())
    assert "OpenBLAS" in finished.stdout
    assert finished.stderr == ""


@pytest.mark.parametrize("title", ["versions", "processor", "matrix products", "disk cache"])
def test_the_report_has_a_section(title, tensormill) -> None:
    assert f"\n{title}" in "\n" + tensormill("doctor").stdout


def test_a_missing_library_is_not_well(monkeypatch) -> None:
    monkeypatch.setattr(doctor, "installed", lambda distribution: None)

    facts = {fact.name: fact for fact in doctor.versions()}

    assert not facts["llvmlite"].well
    assert facts["tensormill"].well


def test_an_absent_extra_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setattr(doctor, "installed", lambda distribution: None)

    facts = {fact.name: fact for fact in doctor.extras()}

    assert facts["xla"].well
    assert "pip install 'tensormill[xla]'" in facts["xla"].value


def test_the_size_of_the_cache_is_what_its_files_add_up_to(monkeypatch, tmp_path) -> None:
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "one.o").write_bytes(bytes(1500))
    (tmp_path / "two.o").write_bytes(bytes(500))
    monkeypatch.setattr(doctor.settings, "cache_directory", tmp_path)

    facts = {fact.name: fact.value for fact in doctor.disk_cache()}

    assert facts["size"] == "2.0 kB in 2 files"


def test_a_cache_that_was_never_used_is_empty(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(doctor.settings, "cache_directory", tmp_path / "absent")

    facts = {fact.name: fact.value for fact in doctor.disk_cache()}

    assert facts["size"] == "0 bytes in 0 files"
