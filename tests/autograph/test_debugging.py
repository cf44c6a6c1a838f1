"""`breakpoint()` stops in the user's lines, and goes on from there."""

from __future__ import annotations

import bdb
import importlib.util
import io
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tensormill as tf
from tensormill.autograph.runtime import debugging
from tensormill.data import functions

Debug = Callable[..., list[str]]

# Python 3.13 stops at the breakpoint itself, earlier ones in the next line.
AT = sys.version_info >= (3, 13)
STOPPED = ["breakpoint()"] if AT else []


@pytest.fixture
def debug(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Debug]:
    """Calls a function while somebody types commands; the lines where the debugger stopped."""
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    tracer = sys.gettrace()

    def run(function: Callable[[], Any], *commands: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*commands, "c", ""])))
        function()
        printed = capsys.readouterr().out
        assert "tensormill/" not in printed
        return [line.strip() for line in re.findall(r"(?<=-> ).*|(?<=\(Pdb\) )[^>-].*", printed)]

    yield run
    sys.settrace(tracer)


def fresh_pdb() -> Any:
    """The module without what pytest did to it."""
    spec = importlib.util.find_spec("pdb")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def helper(x):
    return x + 1


@tf.function
def stops(x):
    y = x + 1
    breakpoint()
    if y > 0:
        y = helper(y)
    else:
        y = -x
    while y < 9:
        y = y + 1
    return y


def test_it_stops_where_python_stops_in_the_users_file(debug: Debug) -> None:
    lines = debug(lambda: stops.get_concrete_function(tf.TensorSpec([], tf.int32)), "p y")

    here = "breakpoint()" if AT else "if y > 0:"
    assert lines == [here, "<tf.Tensor 'add:0' shape=() dtype=int32>"]


def test_next_goes_through_both_branches_and_the_loop(debug: Debug) -> None:
    lines = debug(lambda: stops.get_concrete_function(tf.TensorSpec([], tf.int16)), *["n"] * 10)

    steps = [line for line, before in zip(lines, ["", *lines], strict=False) if line != before]
    assert steps[: 6 + AT] == [
        *STOPPED,
        "if y > 0:",
        "y = helper(y)",
        "y = -x",
        "while y < 9:",
        "y = y + 1",
        "return y",
    ]


def test_step_goes_into_the_functions_that_are_called(debug: Debug) -> None:
    lines = debug(
        lambda: stops.get_concrete_function(tf.TensorSpec([], tf.int64)), *["s"] * (3 + AT)
    )

    assert lines == [*STOPPED, "if y > 0:", "y = helper(y)", "def helper(x):", "return x + 1"]


def test_where_shows_the_users_frames_alone(debug: Debug) -> None:
    set_trace = fresh_pdb().set_trace

    @tf.function
    def f(x):
        if x > 0:
            set_trace(header="here")
            x = x + 1
        return x

    lines = debug(lambda: f(tf.constant(1)), "w", "p x", "u", "p x")

    here = 'set_trace(header="here")' if AT else "x = x + 1"
    assert lines[0] == here
    shown = "<tf.Tensor 'x:0' shape=() dtype=int32>"
    assert lines[-5:] == ["if x > 0:", here, shown, "if x > 0:", shown]


def test_variables_that_a_branch_does_not_use_can_be_printed(debug: Debug) -> None:
    @tf.function
    def f(x):
        unused = 5
        for _ in tf.range(2):
            if x > 0:
                breakpoint()
                x = x + 1
        return x, unused

    assert "5" in debug(lambda: f(tf.constant(1)), "p unused")


def test_another_debugger_is_called_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(
        sys, "breakpointhook", lambda: seen.append(sys._getframe(1).f_code.co_filename)
    )

    tf.function(stops.python_function)(tf.constant(1))

    assert seen == [__file__]


def test_quitting_is_no_error_of_the_users(debug: Debug) -> None:
    @tf.function
    def f(x):
        if x > 0:
            breakpoint()
            x = x + 1
        return x

    with pytest.raises(bdb.BdbQuit, match=r"^$"):
        debug(lambda: f(tf.constant(1)), "q")


# --- everything eager ---


@pytest.fixture
def concrete(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """What `x` is at each breakpoint, as a number; functions run eagerly."""
    seen: list[int] = []
    monkeypatch.setattr(
        sys, "breakpointhook", lambda: seen.append(int(sys._getframe(1).f_locals["x"].numpy()))
    )
    tf.config.run_functions_eagerly(True)
    yield seen
    tf.config.run_functions_eagerly(False)


def called(x):
    breakpoint()
    return x * 2


def test_each_call_stops_with_values_if_functions_run_eagerly(concrete: list[int]) -> None:
    inner = tf.function(called)

    @tf.function
    def outer(x):
        for _ in tf.range(2):
            x = inner(x)
        return x

    assert (outer(tf.constant(1)).numpy(), outer(tf.constant(3)).numpy()) == (4, 12)
    assert concrete == [1, 2, 3, 6]


def test_functions_that_were_compiled_before_stop_too(concrete: list[int]) -> None:
    tf.config.run_functions_eagerly(False)
    f = tf.function(lambda x: x + 1)
    assert f(tf.constant(1)).numpy() == 2
    f = tf.function(lambda x: called(x) if x > 0 else x)
    with pytest.raises(AttributeError, match="numpy"):
        f(tf.constant(1))

    tf.config.run_functions_eagerly(True)

    assert f(tf.constant(1)).numpy() == 2
    assert concrete == [1]


def test_functions_of_datasets_stop_with_values_in_debug_mode(
    concrete: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops_if_it_has_a_value(x):
        return called(x) if hasattr(x, "numpy") else x * 2

    monkeypatch.setattr(functions, "_debugging", True)

    doubled = tf.data.Dataset.range(3).map(stops_if_it_has_a_value)

    assert [int(x) for x in doubled] == [0, 2, 4]
    assert concrete == [0, 1, 2]


def test_frames_are_inside_where_the_library_calls() -> None:
    found = tf.nest.map_structure(lambda _: debugging._is_inside(sys._getframe(1)), [0])

    assert found == [True]
    assert not debugging._is_inside(sys._getframe())
    assert not debugging._is_inside(None)
