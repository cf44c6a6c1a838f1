"""The switches of the library, as environment variables tell them."""

from __future__ import annotations

import pytest

from tensormill.config import Config

WRONG = {
    "TENSORMILL_BACKEND": ("gpu", "one of cpu, xla, reference"),
    "TENSORMILL_CACHE": ("no", "a whole number from 0 to 1"),
    "TENSORMILL_CACHE_BYTES": ("256M", "a whole number of at least 0"),
    "TENSORMILL_EFFORT": ("4", "a whole number from 0 to 3"),
    "TENSORMILL_THREADS": ("0", "a whole number of at least 1"),
    "TENSORMILL_TRACE_BYTES": ("-1", "a whole number of at least 0"),
    "TENSORMILL_VERIFY": ("yes", "a whole number from 0 to 1"),
}
RIGHT = {
    "TENSORMILL_BACKEND": ("xla", {"backend": "xla"}),
    "TENSORMILL_CACHE": ("0", {"cache_enabled": False}),
    "TENSORMILL_CACHE_BYTES": ("0", {"cache_limit_bytes": 0}),
    "TENSORMILL_EFFORT": (" 3 ", {"effort": 3}),
    "TENSORMILL_THREADS": ("7", {"threads": 7}),
    "TENSORMILL_TRACE_BYTES": ("5", {"trace_limit_bytes": 5}),
    "TENSORMILL_VERIFY": ("1", {"verify": True}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_value_that_means_nothing_is_refused_by_its_variables_name(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    value, wanted = WRONG[name]
    monkeypatch.setenv(name, value)

    with pytest.raises(ValueError, match=f"{name}='{value}': the environment variable is {wanted}"):
        Config()


@pytest.mark.parametrize("name", RIGHT)
def test_a_value_is_what_the_switch_becomes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    value, switches = RIGHT[name]
    monkeypatch.setenv(name, value)

    assert {key: getattr(Config(), key) for key in switches} == switches


@pytest.mark.parametrize("name", RIGHT)
def test_an_empty_value_is_none(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name, raising=False)
    expected = Config()
    monkeypatch.setenv(name, "")

    assert Config() == expected
