"""`tf.autograph`."""

from __future__ import annotations

import functools

import pytest

import tensormill as tf
from tensormill.autograph.errors import ConversionError
from tensormill.autograph.verbosity import _Verbosity, set_verbosity, trace, verbosity
from tests.autograph import elsewhere


def test_to_graph_gives_a_function_of_python_values_and_eager_tensors() -> None:
    converted = tf.autograph.to_graph(elsewhere.plain)

    assert (converted(3), converted(-3)) == (6, 3)
    assert converted(tf.constant(3)).numpy() == 6


def test_to_graph_takes_methods_and_partials() -> None:
    scale = elsewhere.Scale()

    assert tf.autograph.to_graph(scale.method)(2) == 4
    assert tf.autograph.to_graph(functools.partial(elsewhere.plain, 4))() == 8


def test_to_code_starts_with_the_function() -> None:
    code = tf.autograph.to_code(elsewhere.plain)

    assert code.startswith("def tf__plain(x):")
    assert "ag__.if_exp" in code


def test_to_code_takes_what_functions_hide_in() -> None:
    for entity in (
        elsewhere.Scale().method,
        functools.partial(elsewhere.plain, 4),
        tf.function(elsewhere.plain),
    ):
        assert tf.autograph.to_code(entity).startswith("def tf__")


@pytest.mark.parametrize("entity", [len, 3, elsewhere.Scale])
def test_what_has_no_code_is_refused(entity: object) -> None:
    for act in (tf.autograph.to_code, tf.autograph.to_graph):
        with pytest.raises(ConversionError, match="doesn't expose a __code__ object"):
            act(entity)


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


def test_trace_prints_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    trace("a", 1)

    assert capsys.readouterr().out == "a 1\n"


def test_set_loop_options_does_nothing_eagerly() -> None:
    total = 0
    for i in range(3):
        tf.autograph.experimental.set_loop_options(maximum_iterations=1)
        total += i

    assert total == 3
