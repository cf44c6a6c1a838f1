"""What code makes of a number that only calls in a loop change: it takes it as a tensor, or gets
Python's number, which the trace counts; what it raises is the user's and comes out at once.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.autograph.runtime.staged import unrolled
from tests.autograph.rounds.trace_notes import TraceNotes

as_it_is = tf.autograph.experimental.do_not_convert

LIST = [10.0, 20.0, 30.0, 40.0]
X = tf.ones([4, 4])


def is_checked(number: Any) -> float:
    if not isinstance(number, int):
        raise ValueError("a number, please")
    return 1.0


def is_matched(number: Any) -> float:
    match number:
        case int():
            return 1.0
    raise KeyError("a number, please")


def is_wrapped(number: Any) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError("a number, please") from None


def stays_below(number: Any) -> float:
    return 1.0 if number < 3 else 2.0


# What asks for Python's number, of Python, NumPy and ourselves.
ASKING: dict[str, Callable[[Any], Any]] = {
    "an index": lambda n: LIST[n],
    "a slice": lambda n: LIST[:n][-1],
    "a range": lambda n: len(range(n)),
    "a key": lambda n: dict(enumerate(LIST))[n],
    "an element": lambda n: n in {1, 2},
    "an argument": lambda n: LIST.copy().pop(n),
    "islice": lambda n: len(list(islice(LIST, n))),
    "index": operator.index,
    "wrapped": is_wrapped,
    "int": int,
    "float": float,
    "complex": lambda n: complex(n).real,
    "a condition": stays_below,
    "a root": math.sqrt,
    "a power": lambda n: pow(n, 2, 3),
    "a string": lambda n: len("ab" * n),
    "%": lambda n: float("%d" % n),  # noqa: UP031
    "format": lambda n: float(f"{n:03d}"),
    "bytes": lambda n: len(bytes(n)),
    "struct": lambda n: len(struct.pack("i", n)),
    "a fraction": lambda n: float(Fraction(n)),
    "a method": lambda n: n.bit_length(),
    "isinstance": is_checked,
    "match": is_matched,
    "np.ones": lambda n: np.ones(n).sum(),
    "np.zeros": lambda n: np.zeros((n, 2)).shape[0],
    "np.sqrt": np.sqrt,
    "np.split": lambda n: len(np.split(np.zeros(6), n)),
    "an array's index": lambda n: np.arange(4.0)[n],
    "an axis": lambda n: np.zeros((2, 3, 4)).sum(axis=n - 1).shape[0],
    "tf.split": lambda n: len(tf.split(X, n)),
    "tf.stack": lambda n: tf.stack([X, X], axis=n).shape[n],
    "tf.tensordot": lambda n: tf.rank(tf.tensordot(X, X, n)),
    "strides": lambda n: tf.nn.max_pool1d(tf.zeros([1, 4, 1]), 1, n, "SAME").shape[1],
    "a shape": lambda n: tf.TensorShape([n])[0],
    "a name": lambda n: tf.identity(float(n), name=f"x{n}"),
    "a rate": lambda n: tf.nn.dropout(tf.zeros([2]), 0.5 / n)[0],
    "a dtype": lambda n: tf.constant(n, tf.float32),
}


class Counted:
    """An object whose method counts: a loop finds out from the calls."""

    def __init__(self) -> None:
        self.calls = 0

    def count(self) -> None:
        self.calls += 1


def counting(use: Callable[[Any], Any], log: TraceNotes[bool]) -> Any:
    """A function that hands `use` the counter of an object, once in each trace of a loop.

    The first of all traces finds out that calls change it; later ones start with a tensor.
    """
    counter = Counted()

    @as_it_is
    def used(number: Any) -> Any:
        log.append(type(number) is not int)
        return use(number)

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            total += x * tf.cast(used(counter.calls), tf.float32)
        return total

    return f


def stopping(use: Callable[[Any], Any], log: TraceNotes[bool], count: int = 3) -> Any:
    """A function that hands `use` the numbers of a loop of Python, which a tensor ends."""

    @as_it_is
    def used(number: Any) -> Any:
        log.append(type(number) is not int)
        return use(number)

    @tf.function
    def f(x):
        for number in range(1, count):
            x += tf.cast(used(number), tf.float32)
            if x > 1e6:
                break
        return x

    return f


@pytest.mark.sampled
@pytest.mark.parametrize("way", ASKING)
def test_what_asks_for_pythons_number_gets_it(way: str) -> None:
    use, log = ASKING[way], TraceNotes[bool]()

    total = counting(use, log)(tf.constant([1.0, 2.0]))
    unrolled = stopping(use, log)(tf.constant(0.0))

    assert 3 * float(use(1)) == total.numpy()
    assert float(use(1)) + float(use(2)) == unrolled.numpy()


NUMBERS = st.integers(-7, 7)
STEPS: dict[str, Callable[[Any, int], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda x, by: x // (by or 3),
    "%": lambda x, by: x % (by or 3),
    "from": lambda x, by: by - x,
    "abs": lambda x, _: abs(x),
}


@pytest.mark.sampled
@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), NUMBERS), max_size=8))
def test_what_is_computed_from_pythons_number_is_pythons(steps: list[tuple[str, int]]) -> None:
    seen = TraceNotes[Any]()

    def use(number: Any) -> float:
        for name, by in steps:
            number = STEPS[name](number, by)
        seen.append((f"{number:+d}", bool(number > 2), int(number)))
        return 1.0

    log = TraceNotes[bool]()
    counting(use, log)(tf.constant([1.0, 2.0]))
    assert [True, False] == log[-2:]
    assert 1 == len({*seen})


def test_a_body_that_needs_pythons_number_is_traced_to_its_end_and_then_with_it() -> None:
    log = TraceNotes[bool]()
    ends = TraceNotes[int]()

    def use(number: Any) -> float:
        found = LIST[number]
        ends.append(len(log))
        return found

    counting(use, log)(tf.constant([1.0, 2.0]))
    assert [True, False] == log[-2:]
    assert [*range(1, len(log) + 1)] == ends


def test_a_body_that_takes_a_tensor_is_not_traced_again() -> None:
    log = TraceNotes[bool]()

    assert counting(lambda n: n * 2, log)(tf.constant([1.0, 2.0])).numpy() == 10
    assert log[-1:] == [True]


def test_what_names_and_keys_are_made_of_goes_with_the_values() -> None:
    """All of one trace, as in TensorFlow: no value of one iteration beside the key of another."""
    counter, table = Counted(), {"1": 2.0, "2": 3.0}

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            row = table[f"{counter.calls}"] * table[str(counter.calls)]
            total += row * tf.identity(x, name=f"layer_{counter.calls}") * counter.calls
        return total

    assert f(tf.constant([1.0, 2.0])).numpy() == 3 * 2 * 2
    assert counter.calls == 1


def test_a_question_for_the_class_is_answered_for_both() -> None:
    """Code that is converted sees Python's number, other code a tensor that is a number, too."""
    counter, kinds = Counted(), list[Any]()

    @as_it_is
    def doubled(number: Any) -> Any:
        kinds.append((isinstance(number, int), isinstance(number, tf.Tensor)))
        if not isinstance(number, int):
            raise TypeError("a number, please")
        return number * 2

    @tf.function
    def f(xs):
        total = 0
        for _ in xs:
            counter.count()
            kinds.append((isinstance(counter.calls, int), isinstance(counter.calls, tf.Tensor)))
            total += doubled(counter.calls)
        return total

    assert f(tf.ones([3])).numpy() == 2 + 4 + 6
    assert [(True, False), (True, True)] == kinds[-2:]


def test_what_refuses_a_number_of_a_loop_says_to_write_int() -> None:
    log = TraceNotes[bool]()

    with pytest.raises(TypeError, match="SymbolicTensor") as refusal:
        counting(lambda n: float(Decimal(n)), log)(tf.constant([1.0]))
    assert "int(counter.calls)" in "".join(refusal.value.__notes__)
    assert log[-1:] == [True]
    helped = counting(lambda n: float(Decimal(int(n))), TraceNotes())
    assert helped(tf.constant([1.0, 2.0])).numpy() == 3


@pytest.mark.parametrize("error", [TypeError, ValueError, KeyError, NotImplementedError])
@pytest.mark.parametrize("loop", [counting, partial(stopping, count=99)], ids=["calls", "items"])
def test_an_exception_of_the_users_comes_out_of_the_trace_it_was_raised_in(
    loop: Callable[..., Any], error: type[Exception]
) -> None:
    """It comes up with the tensor only, but nobody has asked the tensor anything."""
    log = TraceNotes[bool]()

    def fails_beside_the_tensor(number: Any) -> float:
        if log[-1]:
            raise error("the user's own")
        return 1.0

    with pytest.raises(error, match="the user's own"):
        loop(fails_beside_the_tensor, log)(tf.constant([1.0, 2.0] if loop is counting else 0.0))
    assert log[-1:] == [True]


def test_pythons_exceptions_are_the_users_where_no_tensor_was_asked() -> None:
    log = TraceNotes[bool]()

    with pytest.raises(ValueError, match="invalid literal"):
        counting(lambda n: int("two" if log[-1] else "1"), log)(tf.constant([1.0, 2.0]))
    assert log[-1:] == [True]


def test_an_int_of_the_number_is_pythons() -> None:
    def inverse(number: Any) -> float:
        return 1.0 / int(number)

    assert counting(inverse, TraceNotes())(tf.constant([1.0, 2.0])).numpy() == 3


def test_a_mistake_that_other_tensors_show_comes_out_once() -> None:
    """The second signature is traced with tensors at once; the shapes do not fit in any trace."""
    counter, log = Counted(), TraceNotes[str]()

    @as_it_is
    def note(text: str) -> None:
        log.append(text)

    @tf.function
    def f(xs, weights):
        for _ in xs:
            counter.count()
            note("a trace")
            xs = xs + weights
        return xs, counter.calls

    f(tf.ones([2]), tf.ones([2]))
    log.clear()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[2\]"):
        f(tf.ones([2]), tf.ones([3]))
    assert log == ["a trace"]


def test_a_branch_and_another_function_get_pythons_number() -> None:
    log = TraceNotes[bool]()

    @tf.function(autograph=False)
    def chosen(number):
        return tf.constant(LIST[number + 1])

    def use(number: Any) -> Any:
        return tf.cond(X[0, 0] > 0, lambda: chosen(number), lambda: 0.0)

    assert counting(use, log)(tf.constant([1.0, 2.0])).numpy() == 90
    assert log[-2:] == [True, False]


def test_a_function_that_went_by_pythons_number_is_traced_anew_for_other_tensors() -> None:
    counter = Counted()

    @tf.function(autograph=False)
    def chosen(number):
        return tf.constant(LIST[number] if isinstance(number, int) else -1.0)

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            total += x * chosen(counter.calls)
        return total

    assert f(tf.constant([1.0, 2.0])).numpy() == 3 * LIST[1]
    assert chosen(tf.constant(1)).numpy() == -1.0
    assert tf.function(lambda n: chosen(n))(tf.constant(1)).numpy() == -1.0


@pytest.mark.parametrize("use", [lambda n: n, lambda n: LIST[n] if isinstance(n, int) else 0.0])
def test_a_concrete_function_with_names_is_no_other_loops(use: Callable[[Any], Any]) -> None:
    """It has captured the number of a loop, or was made with what Python has in one round."""
    log = TraceNotes[bool]()

    @as_it_is
    def note(number: Any) -> None:
        log.append(type(number) is not int)

    def run() -> None:
        counter = Counted()

        @tf.function
        def scaled(x):
            note(counter.calls)
            return x * tf.cast(use(counter.calls), tf.float32)

        def named(name: str) -> Any:
            return scaled.get_concrete_function(tf.TensorSpec([], tf.float32, name=name))

        @tf.function
        def f(xs):
            total = 0.0
            for x in xs:
                counter.count()
                total += named("y")(x)
            return total

        named("x")
        xs = tf.constant([1.0, 2.0])
        first, second = f(xs), tf.function(f.python_function)(xs)
        assert first.numpy() == second.numpy()
        assert named("y")(tf.constant(2.0)).numpy() in (2 * use(0), 2 * use(1))

    run()
    run()  # the loop's code is known to change the number
    assert True in log


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_loops_in_loops_are_traced_three_times_however_deep(depth: int) -> None:
    """To see what calls change; to see that Python's number is wanted; and with that."""
    counters, traces = [Counted() for _ in range(depth)], TraceNotes[int]()
    value_of = as_it_is(LIST.__getitem__)

    @as_it_is
    def note(level: int) -> None:
        traces.append(level)

    def nested(xs, level):
        total = 0.0
        for x in xs:
            counters[level].count()
            note(level)
            total += (
                nested(xs, level + 1) if level + 1 < depth else x * value_of(counters[-1].calls)
            )
        return total

    total = tf.function(lambda xs: nested(xs, 0))(tf.constant([1.0, 2.0]))
    assert total.numpy() == 3 * LIST[1] * 2 ** (depth - 1)
    assert [3] * depth == [traces.count(level) for level in range(depth)]


def test_a_tensor_says_no_more_than_in_other_traces() -> None:
    """What Python and others can see of its class without a question for a number's."""
    seen: list[Any] = []

    def use(number: Any) -> Any:
        if type(number) is not int:
            seen.append((type(number).__name__, number.graph.building_graph))
        return 1.0

    counting(use, TraceNotes())(tf.constant([1.0]))

    @tf.function
    def other(x):
        use(x)

    other(tf.constant(1.0))
    assert seen[0] == seen[1]
    assert not hasattr(tf.Tensor, "__index__")


def test_items_that_are_unrolled_are_no_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    log = TraceNotes[bool]()
    monkeypatch.setattr(unrolled, "_MOST", 3)

    assert stopping(lambda n: n * 2, log, count=5)(0.0).numpy() == 4 * 5
    assert [False] * 4 == log


def test_more_items_are_tensors_after_the_first_one() -> None:
    log = TraceNotes[bool]()

    assert stopping(lambda n: n * 2, log, count=67)(0.0).numpy() == 66 * 67
    assert [False, True] == log


def test_too_many_items_to_unroll_are_refused_with_what_the_body_said() -> None:
    """The text is CPython's, of a class that has no such method."""
    for use, says in ((range, "cannot be interpreted as an integer"), (math.sqrt, "real number")):
        log = TraceNotes[bool]()
        with pytest.raises(NotImplementedError, match=rf"Of this loop, the graph cannot.*{says}"):
            stopping(lambda n, use=use: [use(n)] and 1.0, log, count=99)(tf.constant(0.0))
        assert [False, True] == log


def test_a_loop_in_a_loop_keeps_its_own_number_where_that_of_the_outer_one_is_wanted() -> None:
    """Each has a counter of its own; that of the outer one is an index in the inner one."""
    outer, inner, log = Counted(), Counted(), TraceNotes[bool]()

    @as_it_is
    def used(number: Any) -> float:
        log.append(type(number) is not int)
        return LIST[number]

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            outer.count()
            for y in xs:
                inner.count()
                total += x * y * used(outer.calls)
        return total, inner.calls

    total, calls = f(tf.constant([1.0, 2.0]))
    assert (180.0, 4) == (total.numpy(), calls.numpy())
    assert log.count(True) == 1
