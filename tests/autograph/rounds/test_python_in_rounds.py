"""A loop whose body is traced again: what Python's objects know of the traces that are thrown away.

Each program counts with Python in the body of a loop, which is traced twice at least: `total` is
an integer before the loop. It counts as often as one trace does, and as TensorFlow's does.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autograph.rounds.trace_notes import TraceNotes

as_it_is = tf.autograph.experimental.do_not_convert

counted = 0


def run(count: Callable[[], Any]) -> float:
    """The sum of what `count` gives each of three iterations; it is called in two traces."""
    traces = TraceNotes[None]()

    @tf.function
    def function(xs: Any) -> Any:
        total = 0
        for x in xs:
            traces.append(None)
            total += x * count()
        return total

    result = float(function(tf.ones([3])))
    assert len(traces) > 1
    return result


class Plain:
    """An object with whatever attributes."""


class OfClass:
    """What its class counts."""

    count = 0
    _hidden = 0

    def by_type(self) -> None:
        type(self).count += 1

    @classmethod
    def by_class(cls) -> None:
        cls._hidden += 1


class Slotted:
    """An object without a dict."""

    __slots__ = ("seen",)

    def see(self) -> None:
        self.seen = [*getattr(self, "seen", ()), "once"]


def test_a_global_that_a_call_counts_counts_one_trace() -> None:
    global counted
    counted = 0

    def count() -> float:
        global counted
        counted += 1
        return float(counted)

    assert run(count) == 3
    assert counted == 1


def test_a_global_that_is_there_since_the_first_trace_only_is_made_in_each() -> None:
    def count() -> float:
        global made_in_a_trace
        made_in_a_trace = globals().get("made_in_a_trace", 0) + 1
        return float(made_in_a_trace)

    assert run(count) == 3
    assert globals().pop("made_in_a_trace") == 1


def test_an_attribute_that_an_object_gets_in_a_trace() -> None:
    one = Plain()

    def count() -> float:
        one.n = getattr(one, "n", 0) + 1  # type: ignore[attr-defined]
        return float(one.n)  # type: ignore[attr-defined]

    assert run(count) == 3
    assert vars(one) == {"n": 1}


def test_an_attribute_without_a_dict() -> None:
    one = Slotted()

    def count() -> float:
        one.see()
        return 1.0

    assert run(count) == 3
    assert one.seen == ["once"]


def test_attributes_of_a_class() -> None:
    OfClass.count = OfClass._hidden = 0

    def count() -> float:
        one.by_type()
        OfClass.by_class()
        return float(one.count + OfClass._hidden)

    one = OfClass()
    assert run(count) == 6
    assert (1, 1) == (OfClass.count, OfClass._hidden)
    assert not vars(one)


# How a container may be changed, and what it holds after one trace.
CONTAINERS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Any]] = {
    "get": (dict, lambda d: d.update(n=d.get("n", 0) + 1), {"n": 1}),
    "setdefault": (dict, lambda d: d.setdefault("n", len(d) + 1), {"n": 1}),
    "pop": (lambda: {"a": 1, "b": 2}, lambda d: d.pop(min(d)), {"b": 2}),
    "defaultdict": (lambda: defaultdict(int), lambda d: d.update(n=d["n"] + 1), {"n": 1}),
    "Counter": (Counter, lambda d: d.update("n"), {"n": 1}),
    "an order": (
        lambda: OrderedDict(a=1, b=2),
        lambda d: d.move_to_end(next(iter(d))),
        OrderedDict(b=2, a=1),
    ),
    "append": (list, lambda found: found.append(len(found)), [0]),
    "a text": (lambda: [""], lambda cell: cell.__setitem__(0, cell[0] + "a"), ["a"]),
    "add": (set, lambda seen: seen.add(len(seen)), {0}),
    "deque": (lambda: deque([1, 2, 3], 3), lambda q: q.append(q.popleft()), deque([2, 3, 1], 3)),
    "bytes": (bytearray, lambda found: found.append(len(found)), bytearray(b"\0")),
    "inside": (lambda: {"a": [[]]}, lambda d: d["a"][0].append(1), {"a": [[1]]}),
    "in a tuple": (lambda: ([], 1), lambda pair: pair[0].append(1), ([1], 1)),
}


@pytest.mark.parametrize("how", CONTAINERS)
def test_a_container_that_python_changes(how: str) -> None:
    make, change, expected = CONTAINERS[how]
    container = make()
    change = as_it_is(change)

    def count() -> float:
        change(container)
        return 1.0

    assert run(count) == 3
    assert expected == container
    assert type(expected) is type(container) or how in ("defaultdict", "Counter")


def test_what_is_logged_is_logged_once() -> None:
    """Also where a number is Python's and the graph's until its use decides."""
    log, one = list[str](), Plain()
    one.n = 0  # type: ignore[attr-defined]

    def count() -> float:
        one.n += 1  # type: ignore[attr-defined]
        log.append(str(one.n))  # type: ignore[attr-defined]
        return 1.0

    assert run(count) == 3
    assert log == ["1"]


def test_an_array_that_counts() -> None:
    counts = np.zeros(2, int)

    def count() -> float:
        counts[1] += 1
        return float(counts[1])

    assert run(count) == 3
    assert counts.tolist() == [0, 1]


# Iterators, and what is left of them after one trace.
ITERATORS: dict[str, Callable[[], Iterator[Any]]] = {
    "of a list": lambda: iter([1.0, 2.0, 3.0]),
    "count": lambda: itertools.count(1.0),
    "generator": lambda: (float(k) for k in range(1, 4)),
}


@pytest.mark.parametrize("how", ITERATORS)
def test_an_iterator_gives_all_traces_the_same_item(how: str) -> None:
    iterator = ITERATORS[how]()

    def count() -> float:
        return next(iterator)

    assert run(count) == 3
    assert next(iterator) == 2.0


# What takes two items.
TAKING: dict[str, Callable[[Iterator[float]], Any]] = {
    "islice": lambda items: sum(itertools.islice(items, 2)),
    "zip": lambda items: sum(item for item, _ in zip(items, range(2), strict=False)),
    "next": lambda items: next(items) + next(items, 0.0),
    "enumerate": lambda items: next(enumerate(items))[1] + next(items),
    "for": lambda items: sum_of(items),
}


def sum_of(items: Iterator[float]) -> float:
    total = 0.0
    for item in items:
        total += item
        if total >= 3.0:
            break
    return total


@pytest.mark.parametrize("how", TAKING)
def test_whatever_takes_items_gets_the_same_in_all_traces(how: str) -> None:
    take, iterator = TAKING[how], iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])

    assert run(lambda: take(iterator)) == 9
    assert next(iterator) == (4.0 if how == "zip" else 3.0)


def test_an_iterator_may_end() -> None:
    iterator = iter([1.0])

    assert run(lambda: next(iterator) + next(iterator, 2.0)) == 9
    assert next(iterator, None) is None


def test_what_a_generator_does_is_done_once() -> None:
    done = list[str]()

    def items() -> Iterator[float]:
        while True:
            done.append("an item")
            yield 1.0

    iterator = items()
    assert run(lambda: next(iterator)) == 3
    assert done == ["an item"]


def test_a_trace_that_takes_less_from_an_iterator_is_refused() -> None:
    iterator, traces = itertools.count(), TraceNotes[None]()

    def count() -> float:
        traces.append(None)
        for _ in range(3 - len(traces)):
            next(iterator)
        return 1.0

    with pytest.raises(ValueError, match=r"takes 2 items of count.*and 1 in a later one"):
        run(count)


def of_instance(one: random.Random) -> tuple[Callable[[], None], Callable[[], float]]:
    return lambda: one.seed(3), one.random


# Random numbers of Python's and NumPy's.
RANDOM: dict[str, Callable[[], tuple[Callable[[], None], Callable[[], float]]]] = {
    "random": lambda: (lambda: random.seed(3), lambda: random.random()),
    "Random": lambda: of_instance(random.Random()),
    "numpy.random": lambda: (lambda: np.random.seed(3), lambda: float(np.random.random())),
}


@pytest.mark.parametrize("how", RANDOM)
def test_random_numbers_are_those_of_one_trace(how: str) -> None:
    seed, draw = RANDOM[how]()
    seed()
    first, second = draw(), draw()
    seed()

    assert run(draw) == pytest.approx(3 * first)
    assert second == draw()


def test_a_generator_of_numpys_goes_on_from_one_trace() -> None:
    first, second = np.random.default_rng(3).random(2)
    generator = np.random.default_rng(3)

    assert run(lambda: float(generator.random())) == pytest.approx(3 * first)
    assert second == generator.random()


def test_a_function_that_is_traced_in_the_first_round_has_done_what_it_did() -> None:
    """It is not traced again: what it did is not taken back, but what is around it is."""
    global counted
    done, counted = list[str](), 0

    @tf.function
    def inner(x: Any) -> Any:
        global counted
        done.append("inner")
        counted += 1
        return x * 2.0

    def count() -> Any:
        global counted
        done.append("outer")
        counted += 1
        return inner(tf.constant(1.0))

    assert run(count) == 6
    assert Counter(done) == {"inner": 1, "outer": 1}
    assert counted == 2


class Scaling:
    """A counter, and a function that reads it where it is traced."""

    def __init__(self) -> None:
        self.n, self.traces = 0, list[None]()

    def count(self) -> None:
        self.n += 1

    @tf.function
    def scaled(self, x: Any) -> Any:
        self.traces.append(None)
        return x * tf.cast(self.n, tf.float32)


def scaled_total(xs: Any) -> tuple[float, int, int]:
    """The sum of x * n * n, and how often the inner function was traced."""
    one = Scaling()

    @tf.function
    def function(xs: Any) -> Any:
        total = 0.0
        for x in xs:
            one.count()
            total += one.scaled(x) * tf.cast(one.n, tf.float32)
        return total

    result = float(function(xs))
    return result, len(one.traces), one.scaled.experimental_get_tracing_count()


def test_a_function_that_was_traced_with_a_number_of_pythons_is_traced_again() -> None:
    """What calls change, its trace takes from the loop then, as the body itself does: also where
    nobody knew before that calls in this loop change the number.
    """
    xs = tf.constant([1.0, 2.0, 3.0])

    assert (1 + 2 * 4 + 3 * 9, 1, 1) == scaled_total(xs)
    assert (1 + 2 * 4 + 3 * 9, 1, 1) == scaled_total(xs)


def test_a_variable_that_a_round_makes_is_made_once() -> None:
    made = Plain()
    made.built, made.calls = False, 0  # type: ignore[attr-defined]
    names = list[str]()

    def count() -> Any:
        if not made.built:  # type: ignore[attr-defined]
            made.built = True  # type: ignore[attr-defined]
            made.weight = tf.Variable(2.0)  # type: ignore[attr-defined]
            names.append("weight")
        return made.weight + 0.0  # type: ignore[attr-defined]

    assert run(count) == 6
    assert names == ["weight"]


def test_a_container_is_not_taken_for_another_one_of_that_name() -> None:
    """The code of `run` has seen a list whose numbers change before it sees a set."""
    for container, expected in (([0], [0]), ({0}, {0, 1}), ([[]], [[1]])):

        def count() -> float:
            change(container)  # noqa: B023
            return 1.0

        assert run(count) == 3
        assert expected == container


@as_it_is
def change(container: Any) -> None:
    if isinstance(container, set):
        container.add(len(container))
    elif isinstance(container[0], list):
        container[0].append(1)
    else:
        container[0] += 1


def test_who_knows_a_list_is_asked_as_in_one_trace() -> None:
    """What is kept to take things back is no other name of a list."""
    rows = {"a": [1.0]}

    @tf.function
    def function(xs: Any) -> Any:
        total, known = 0, [2.0]
        for x in xs:
            known = [known[0] + x]
            rows["a"] = [3.0]
            total += known[0]
        return total, known[0]

    total, last = function(tf.ones([3]))
    assert (3 + 4 + 5, 5) == (float(total), float(last))


def test_what_was_done_before_an_error_is_that_of_one_trace() -> None:
    log = list[str]()

    def count() -> float:
        log.append("a trace")
        return 1.0

    @tf.function
    def function(xs: Any) -> Any:
        total = 0
        for x in xs:
            total += x * count()
            raises_in_the_second()
        return total

    @as_it_is
    def raises_in_the_second() -> None:
        if traces:
            raise KeyError("the user's")
        traces.append(None)

    traces = TraceNotes[None]()
    with pytest.raises(KeyError):
        function(tf.ones([3]))
    assert log == ["a trace"]


class Proxy:
    """Stands for an object that is not there: whoever asks it for anything gets an error."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return object.__getattribute__(self, name)
        raise RuntimeError(f"there is no {name}")


def test_objects_that_answer_for_their_attributes_are_not_asked() -> None:
    class Holder:
        proxy, n = Proxy(), 0

    holder = Holder()
    holder.proxy = Proxy()

    @tf.function
    def f(x: Any) -> Any:
        total = 0
        for _ in tf.range(3):
            holder.n += 1
            total += x
        return total

    assert f(tf.constant(2.0)).numpy() == 6.0
