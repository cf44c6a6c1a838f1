"""`tf.autograph`."""

from __future__ import annotations

import functools

import pytest

import tensormill as tf
from tensormill.autograph.verbosity import _Verbosity, set_verbosity, verbosity
from tests.autograph.programs import elsewhere


def test_to_graph_takes_methods_and_partials() -> None:
    scale = elsewhere.Scale()

    assert tf.autograph.to_graph(scale.method)(2) == 4
    assert tf.autograph.to_graph(functools.partial(elsewhere.plain, 4))() == 8


def test_to_code_takes_what_functions_hide_in() -> None:
    for entity in (
        elsewhere.Scale().method,
        functools.partial(elsewhere.plain, 4),
        tf.function(elsewhere.plain),
    ):
        assert tf.autograph.to_code(entity).startswith("def tf__")


def test_verbosity_beats_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_Verbosity, "level", None)
    monkeypatch.setattr(_Verbosity, "to_stdout", False)
    assert verbosity() == 0
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "3")
    assert verbosity() == 3

    set_verbosity(10, alsologtostdout=True)
    assert verbosity() == 10
    tf.autograph.to_graph(lambda x: x if x else 0)
    assert "ag__.if_exp" in capsys.readouterr().out


def test_set_loop_options_does_nothing_eagerly() -> None:
    total = 0
    for i in range(3):
        tf.autograph.experimental.set_loop_options(maximum_iterations=1)
        total += i

    assert total == 3
