"""The warning about functions that are traced too often: statements F87 and F88."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf


class Log(logging.Handler):
    """What is logged about retracing."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "retracing" in record.getMessage():
            self.records.append(record)

    @property
    def texts(self) -> list[str]:
        return [record.getMessage() for record in self.records]

    @property
    def openings(self) -> list[str]:
        """`5 out of the last 5` and so on."""
        return [text.partition(" calls to ")[0] for text in self.texts]


@pytest.fixture
def log() -> Iterator[Log]:
    handler = Log()
    logger = logging.getLogger("tensorflow")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def traced_and_cached(f: Any, *steps: tuple[str, int]) -> None:
    """Calls that have to be traced, and calls that need not be: ("traced", 4), ("cached", 5)."""
    number = 0
    for kind, times in steps:
        for _ in range(times):
            number += kind == "traced"
            f(number)


@behaviour("F87")
def test_the_fifth_trace_in_a_row_is_warned_about_and_the_sixth(log: Log) -> None:
    f = tf.function(lambda x: x)
    traced_and_cached(f, ("traced", 4))
    before = list(log.openings)
    traced_and_cached(f, ("cached", 0))
    for number in range(5, 12):
        f(number)

    assert before == []
    assert log.openings == ["5 out of the last 5", "6 out of the last 6"]


@behaviour("F87")
def test_the_warning_goes_through_the_logger_called_tensorflow(log: Log) -> None:
    @tf.function
    def wandering(x: Any) -> Any:
        return x

    traced_and_cached(wandering, ("traced", 5))
    (record,) = log.records

    assert (record.name, record.levelno) == ("tensorflow", logging.WARNING)
    assert "calls to <function" in record.getMessage()
    assert "wandering" in record.getMessage()
    assert "triggered tf.function retracing" in record.getMessage()


@behaviour("F87")
def test_functions_that_a_loop_makes_share_one_budget(log: Log) -> None:
    for _ in range(7):
        tf.function(lambda x: x)(tf.constant(1))

    assert log.openings == ["5 out of the last 5", "6 out of the last 6"]


@behaviour("F88")
def test_functions_of_different_lines_do_not_share_it(log: Log) -> None:
    first = tf.function(lambda x: x)
    second = tf.function(lambda x: x)
    traced_and_cached(first, ("traced", 4))
    traced_and_cached(second, ("traced", 4))

    assert log.openings == []


@behaviour("F88")
def test_cached_calls_in_between_are_counted(log: Log) -> None:
    f = tf.function(lambda x: x)
    traced_and_cached(f, ("traced", 4), ("cached", 5), ("traced", 1))

    assert log.openings == ["5 out of the last 10"]


@behaviour("F88")
def test_enough_cached_calls_keep_the_warning_away(log: Log) -> None:
    f = tf.function(lambda x: x)
    traced_and_cached(f, ("traced", 4), ("cached", 11), ("traced", 1))

    assert log.openings == []


@behaviour("F88")
def test_traces_that_were_asked_for_do_not_count(log: Log) -> None:
    f = tf.function(lambda x: x)
    for size in range(8):
        f.get_concrete_function(tf.TensorSpec([size]))

    assert log.openings == []


@behaviour("F88")
def test_functions_that_relax_shapes_are_warned_about_too(log: Log) -> None:
    f = tf.function(lambda x: x, reduce_retracing=True)
    traced_and_cached(f, ("traced", 5))

    assert log.openings == ["5 out of the last 5"]


@behaviour("F88")
def test_only_eager_callers_count(log: Log) -> None:
    inner = tf.function(lambda x: x)

    @tf.function
    def outer() -> Any:
        return [inner(number) for number in range(8)]

    outer()

    assert log.openings == []


@behaviour("F87")
@differs
def test_the_warning_names_the_argument_both_specs_the_line_and_a_remedy(log: Log) -> None:
    @tf.function
    def step(batch: Any, rate: Any) -> Any:
        return batch["x"] * rate

    for size in range(1, 6):
        step({"x": tf.zeros([size, 8])}, 0.1)
    (text,) = log.texts

    assert "batch['x']: now f32[5, 8], before f32[" in text
    assert 'step({"x": tf.zeros([size, 8])}, 0.1)' in text
    assert "reduce_retracing=True" in text
    assert "test_retracing_warning.py" in text


@behaviour("F87")
@differs
def test_an_hour_later_it_warns_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    f = tf.function(lambda x: x)
    traced_and_cached(f, ("traced", 8))
    now = __import__("time").monotonic()
    monkeypatch.setattr("time.monotonic", lambda: now + 3600.0)
    f(9)

    assert len(log.records) == 3


_numbers = itertools.count()


def maker() -> Any:
    """Makes functions that have one code, which is this caller's own."""
    names: dict[str, Any] = {}
    name = f"add_{next(_numbers)}"  # functions of equal code share the count
    exec(f"def make(n):\n    def {name}(x): return x + 1 // n\n    return {name}", names)
    return lambda number: tf.function(names["make"](number), autograph=False)


@behaviour("F87")
@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([1] * 6, ["5 out of the last 5", "6 out of the last 6"]),
        ([2] * 6, ["5 out of the last 9", "6 out of the last 11"]),
        ([3] * 6, ["5 out of the last 13", "5 out of the last 13"]),
        ([4] * 8, []),
        ([30] + [1] * 5, ["5 out of the last 34", "6 out of the last 35"]),
    ],
    ids=str,
)
def test_calls_of_other_functions_of_that_code_count(
    calls: list[int], expected: list[str], log: Log
) -> None:
    make = maker()
    for number, times in enumerate(calls, 1):
        f = make(number)
        for _ in range(times):
            f(tf.constant(1))

    assert log.openings == expected  # as in TensorFlow


@behaviour("F87")
def test_calls_that_failed_do_not_count(log: Log) -> None:
    make = maker()
    for _ in range(7):
        with pytest.raises(ZeroDivisionError):
            make(0)(tf.constant(1))

    assert log.openings == []
