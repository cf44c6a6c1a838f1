"""What code asks about a number that only calls in a loop change, and what takes ints alone."""

from __future__ import annotations

import io
import json
import math
import pickle
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autograph.rounds.trace_notes import TraceNotes

as_it_is = tf.autograph.experimental.do_not_convert

LIST = [10.0, 20.0, 30.0, 40.0]


class Calls:
    """An object whose method counts."""

    def __init__(self) -> None:
        self.calls = 0

    def count(self) -> None:
        self.calls += 1


# Questions, what Python answers of its 1; whether also code that is not converted gets that answer.
QUESTIONS: dict[str, tuple[Callable[[Any], Any], Any, bool]] = {
    "is_tensor": (lambda n: tf.is_tensor(n), False, True),
    "is_tensor of a sum": (lambda n: tf.is_tensor(n + 1), False, True),
    "hasattr": (lambda n: hasattr(n, "shape"), False, False),
    "hasattr of ints": (lambda n: hasattr(n, "bit_length"), True, True),
    "getattr": (lambda n: getattr(n, "dtype", None), None, False),
    "getattr of ints": (lambda n: getattr(n, "real", None), 1, True),
    "type": (lambda n: type(n) is int, True, False),
    "a table of types": (lambda n: {int: "int"}.get(type(n), "?"), "int", False),
    "isinstance": (lambda n: isinstance(n, (tf.Tensor, tf.Variable)), False, False),
    "repr": (repr, "1", True),
    "str": (str, "1", True),
    "!r": (lambda n: f"{n!r}", "1", True),
}


@pytest.mark.parametrize("converted", [True, False])
@pytest.mark.parametrize("what", QUESTIONS)
def test_a_question_is_answered_as_python_answers_it(what: str, converted: bool) -> None:
    ask, expected, is_for_all = QUESTIONS[what]
    if not (converted or is_for_all):
        return
    counter, answers = Calls(), TraceNotes[Any]()
    asked = ask if converted else as_it_is(lambda number: ask(number))

    @tf.function
    def f(xs):
        for _ in xs:
            counter.count()
            answers.append(asked(counter.calls))
        return xs

    f(tf.ones([3]))
    counter.calls = 0
    tf.function(f.python_function)(tf.ones([3]))  # it knows that calls change the number
    assert {expected} == {*answers}


# What C code, or Python's own library, does with ints alone.
OF_INTS: dict[str, Callable[[Any], Any]] = {
    "Decimal": lambda n: float(Decimal(n)),
    "timedelta": lambda n: timedelta(seconds=n).total_seconds(),
    "deque": lambda n: float(len(deque(LIST, n))),
    "json": lambda n: float(json.loads(json.dumps({"n": [n]}))["n"][0]),
    "ldexp": lambda n: math.ldexp(0.5, n),
    "a generator": lambda n: 1.0 + 0.0 * np.random.default_rng(n).random(),
    "pickle": lambda n: float(pickle.loads(pickle.dumps(n))),
}


@pytest.mark.parametrize("what", OF_INTS)
def test_what_takes_ints_alone_gets_one_from_converted_code(what: str) -> None:
    counter, use = Calls(), OF_INTS[what]

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            total += x * use(counter.calls)
        return total

    assert f(tf.constant([1.0, 2.0])).numpy() == 3
    counter.calls = 0
    assert tf.function(f.python_function)(tf.constant([1.0, 2.0])).numpy() == 3


def test_what_has_written_half_to_a_file_is_not_called_again() -> None:
    counter, file = Calls(), io.StringIO()

    @tf.function
    def f(xs):
        for _ in xs:
            counter.count()
            json.dump({"n": counter.calls}, file)
        return xs

    with pytest.raises(TypeError, match=r"SymbolicTensor|JSON"):
        f(tf.ones([3]))


def test_what_a_loop_has_left_is_a_number_to_who_asks_behind_it_and_in_the_next_loop() -> None:
    """Its value is the graph's: an index is a tensor's."""
    counter, answers = Calls(), list[Any]()

    def ask(number: Any) -> None:
        answers.append((isinstance(number, int), type(number) is int, tf.is_tensor(number)))

    @tf.function
    def f(xs):
        for _ in xs:
            counter.count()
        ask(counter.calls)
        ask(counter.calls + 1)
        total = 0.0
        for x in xs:
            counter.count()
            total += x * (1.0 if isinstance(counter.calls, int) else 7.0)
            ask(counter.calls)
        return total, counter.calls, LIST[counter.calls - 3]

    total, calls, item = f(tf.ones([3]))
    assert (3, 6, 40) == (total.numpy(), calls.numpy(), item.numpy())
    assert {(True, True, False)} == {*answers}


def test_what_a_branch_has_counted_is_a_number_to_who_asks_behind_it() -> None:
    counter = Calls()

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            if x > 1.0:
                counter.count()
            counter.count()
            total += x * (3.0 if tf.is_tensor(counter.calls) else 1.0)
        return total, counter.calls

    for _ in range(2):
        counter.calls = 0
        total, calls = tf.function(f.python_function)(tf.constant([1.0, 2.0, 3.0]))
        assert (6, 5) == (total.numpy(), calls.numpy())


def test_a_tensor_that_nobody_counts_is_one_to_who_asks() -> None:
    answers = list[Any]()

    @tf.function
    def f(xs):
        steps = tf.constant(0)
        for x in xs:
            steps += tf.cast(x, tf.int32)
        answers.append((isinstance(steps, int), tf.is_tensor(steps), hasattr(steps, "shape")))
        return steps

    f(tf.ones([3]))
    assert [(False, True, True)] == answers
