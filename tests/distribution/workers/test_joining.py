"""Who joins others, and what that needs."""

import sys
from typing import Any

import pytest

from tensormill.distribution.workers.joining import group, join
from tensormill.distribution.workers.membership import Membership


def test_who_is_alone_needs_no_jax(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)

    assert join(Membership("worker", 0, 0, ["a:1"])) is None
    assert group() is None


def test_without_jax_one_sentence_says_what_brings_it(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)

    with pytest.raises(ImportError, match=r"not installed: `pip install 'tensormill\[xla\]'`"):
        join(Membership("worker", 0, 0, ["a:1", "b:2"]))
