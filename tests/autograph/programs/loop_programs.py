"""Loops as people write them: each has to do compiled what it does eagerly."""

from __future__ import annotations

# Some variables are bound in a loop only.
# ruff: noqa: B007, B012
# pyright: reportPossiblyUnboundVariable=false
import contextlib
from collections.abc import Iterator
from typing import Any

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on
XS = [3.0, -1.0, 2.0, -4.0, 5.0]

# ---- lists that grow


@on((XS,))
def append_each(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x * x)
    return found


@on((XS,), ([-1.0, -2.0],))
def append_some(xs: Any) -> Any:
    found = []
    for x in xs:
        if x > 0:
            found.append(x)
    return found


@on((XS,))
def append_behind_what_was_there(xs: Any) -> Any:
    found = [xs[0], xs[1]]
    for x in xs:
        found.append(x + found[-1])
    return tf.stack(found), found[0], found[-2]


@on((4,), (0,))
def append_in_while(n: Any) -> Any:
    found = [n]
    while n > 0:
        n -= 1
        found.append(n)
    return found


@on((7,), (1,))
def collatz_path(n: Any) -> Any:
    path = [n]
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        path.append(n)
    return path


@on((3,), (0,))
def append_in_nested_loops(n: Any) -> Any:
    pairs = []
    for i in tf.range(n):
        for j in tf.range(i):
            pairs.append(10 * i + j)
        pairs.append(-1)
    return pairs


@on((XS,))
def append_in_both_branches(xs: Any) -> Any:
    positive, other = [], []
    for x in xs:
        if x > 0:
            positive.append(x)
        else:
            other.append(-x)
    return positive, other


@on((XS,))
def append_tuples(xs: Any) -> Any:
    pairs = []
    for i, x in enumerate(xs):
        pairs.append((i, {"x": x}))
    return pairs


@on((XS,))
def append_rows_and_join_them(xs: Any) -> Any:
    rows = []
    for x in xs:
        rows.append([x, x * 2])
    return rows


@on((3,))
def append_rows_of_different_lengths(n: Any) -> Any:
    rows = []
    for i in tf.range(n):
        rows.append(tf.range(i))
    return rows, tf.concat(rows, 0)


@on((XS,))
def stack_along_another_axis(xs: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(tf.stack([x, x + 1]))
    return tf.stack(rows, axis=1), tf.concat(rows, axis=0), tf.add_n(rows)


@on((XS,))
def extend_and_add_in_place(xs: Any) -> Any:
    found = [xs[0]]
    for x in xs:
        found.extend([x, -x])
        found += [x * 10]
    return found


@on((XS,))
def loop_over_what_was_found(xs: Any) -> Any:
    found = []
    for x in xs:
        if x < 3:
            found.append(x)
    total = 0.0
    for i, y in enumerate(found):
        total += y * float(i)
    for a, b in zip(found, reversed(found), strict=True):
        total += a * b
    return total, sum(found)


@on((XS,))
def stack_of_open_positions(xs: Any) -> Any:
    waiting = [xs[0]]
    closed = 0.0
    for x in xs:
        if x > 0:
            waiting.append(x)
        elif len(waiting) > 0:
            closed += waiting.pop()
    return waiting, closed


@on((XS,))
def change_what_was_appended(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    found[0] = found[0] * 100
    for i in tf.range(2):
        found[i] = found[i] + 1
    return found, found[1:], found[:-1]


@on((XS,))
def a_window_of_the_last_three(xs: Any) -> Any:
    window = [0.0, 0.0, 0.0]
    sums = []
    for x in xs:
        window.pop(0)
        window.append(x)
        sums.append(window[0] + window[1] + window[2])
    return sums


@on((XS,))
def a_helper_appends(xs: Any) -> Any:
    found = []

    def note(x: Any) -> None:
        found.append(x + 1)

    for x in xs:
        note(x)
    return found


def _squares(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x * x)
    return found


@on((XS,))
def a_helper_returns_its_list(xs: Any) -> Any:
    found = _squares(xs)
    found.append(xs[0])
    return tf.reduce_max(found), found


@on((XS,))
def a_list_in_each_iteration(xs: Any) -> Any:
    sums = []
    for x in xs:
        parts = []
        parts.append(x)
        parts.append(x * 2)
        sums.append(tf.add_n(parts))
    return sums


@on((2.0, 3))
def a_table_of_powers(x: Any, n: Any) -> Any:
    powers = [x]
    for _ in tf.range(n):
        powers.append(powers[-1] * x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        values = [x]
        for _ in tf.range(n):
            values.append(values[-1] * x)
        last = values[-1]
    return powers, tape.gradient(last, x)


# ---- the loop's variable, first values


@on((XS,))
def loop_variable_afterwards(xs: Any) -> Any:
    for i, x in enumerate(xs):
        double = x * 2
    return i, x, double


@on((5,))
def counter_afterwards(n: Any) -> Any:
    for i in tf.range(n):
        if i * i > n:
            break
    return i


# ---- state


@on((6,))
def fibonacci(n: Any) -> Any:
    pair = (0, 1)
    for _ in tf.range(n):
        pair = (pair[1], pair[0] + pair[1])
    return pair


@on((XS,))
def a_dict_of_statistics(xs: Any) -> Any:
    stats = {"least": xs[0], "most": xs[0], "count": 0}
    for x in xs:
        stats["least"] = min(stats["least"], x)
        if x > stats["most"]:
            stats["most"] = x
        stats["count"] += 1
    return stats


@on((XS,))
def a_dict_updated_by_a_method(xs: Any) -> Any:
    stats = {"sum": 0.0, "last": 0.0}
    same = stats
    for x in xs:
        stats.update(sum=stats["sum"] + x, last=x)
    return same


@on((4,))
def nested_state(n: Any) -> Any:
    state = {"a": [1, (2, 3)], "b": 0}
    for i in tf.range(n):
        a, (b, c) = state["a"]  # pyrefly: ignore[not-iterable]
        state = {"a": [b, (c, a + i)], "b": state["b"] + 1}  # pyrefly: ignore[unsupported-operation]
    return state


@on((XS, 2))
def a_list_of_fixed_places(xs: Any, k: Any) -> Any:
    counts = [0, 0]
    for x in xs:
        if x > 0:
            counts[0] += 1
        else:
            counts[1] += k
    return counts


# ---- shapes that grow


@on((3,), (0,))
def doubled(n: Any) -> Any:
    y = tf.constant([1, 2])
    for _ in tf.range(n):
        y = tf.concat([y, y], 0)
    return y


@on((XS,))
def grown_from_nothing(xs: Any) -> Any:
    kept = tf.zeros([0])
    for x in xs:
        if x > 0:
            kept = tf.concat([kept, [x]], 0)
    return kept


@on((4,))
def triangle(n: Any) -> Any:
    row = tf.constant([1])
    rows = []
    for _ in tf.range(n):
        rows.append(row)
        row = tf.concat([[1], row[1:] + row[:-1], [1]], 0)
    return rows


# ---- leaving early


@on((XS, 2.0), (XS, 9.0))
def index_of(xs: Any, wanted: Any) -> Any:
    for i, x in enumerate(xs):
        if x == wanted:
            return i
    return -1


@on(([[1, 2], [3, 4]], 3), ([[1, 2], [3, 4]], 7))
def place_in_a_matrix(rows: Any, wanted: Any) -> Any:
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            if x == wanted:
                return i, j
    return -1, -1


@on((50,))
def three_loops_deep(n: Any) -> Any:
    tried = []
    for a in tf.range(1, n):
        for b in tf.range(a, n):
            c = b
            while c * c < a * a + b * b:
                c += 1
            if c * c == a * a + b * b:
                if a + b + c > 29:
                    return a, b, c, tried
                tried.append(c)
    return -1, -1, -1, tried


@on((10,), (3,))
def primes(n: Any) -> Any:
    found = []
    for k in tf.range(2, n):
        for p in found:
            if k % p == 0:
                break
        else:
            found.append(k)
    return found


@on((XS,))
def continue_and_break(xs: Any) -> Any:
    seen = []
    for x in xs:
        if x < -3:
            break
        if x < 0:
            continue
        seen.append(x)
    else:
        seen.append(-1.0)
    return seen


@on((20,))
def until_it_is_enough(n: Any) -> Any:
    steps = []
    while True:
        n = n // 2
        steps.append(n)
        if n < 3:
            return steps


@on((XS,))
def leave_through_finally(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        try:
            total += x
        finally:
            if x < -2:
                break
            if x < 0:
                continue
            total += 100.0
        total += 1000.0
    return total


@on((XS,), ([-1.0, -2.0],))
def finally_forgets_what_was_raised(xs: Any) -> Any:
    for x in xs:
        try:
            x = x + int("one")
        except KeyError:
            x = x * 100.0
        finally:
            if x > 1:
                return x * 10.0
            x = x * 2.0
            continue
    return -1.0


# ---- around and between


@contextlib.contextmanager
def _scope(log: list[str]) -> Iterator[None]:
    log.append("in")
    yield
    log.append("out")


@on((XS,))
def inside_of_a_context_manager(xs: Any) -> Any:
    log: list[str] = []
    found = []
    with _scope(log), tf.name_scope("part"):
        for x in xs:
            if x > 4:
                return found, x
            found.append(x)
    return found, -1.0


def _kinds() -> Iterator[str]:
    yield "plain"
    yield "double"


@on((XS,))
def inside_of_a_loop_over_a_generator(xs: Any) -> Any:
    found = []
    for kind in _kinds():
        for x in xs:
            found.append(x * 2 if kind == "double" else x)
    return found


@on((XS,))
def try_and_finally(xs: Any) -> Any:
    found, ends = [], 0
    for x in xs:
        try:
            if x < 0:
                continue
            found.append(x)
        finally:
            ends += 1
    return found, ends


@on((XS,))
def a_function_in_a_loop_in_a_branch(xs: Any) -> Any:
    step = tf.function(lambda x, total: (x * total, total + 1.0))
    total, found = 1.0, [xs[0]]
    if tf.reduce_sum(xs) > 0:
        for x in xs:
            y, total = step(x, total)
            found.append(y)
    return found, total


class _Statistics:
    def __init__(self) -> None:
        self.total: Any = 0.0
        self.kept: list[Any] = []

    def note(self, x: Any) -> None:
        self.total = self.total + x
        self.kept.append(x)


@on((XS,))
def methods_change_their_object(xs: Any) -> Any:
    statistics = _Statistics()
    for x in xs:
        if x > 0:
            statistics.note(x)
    return statistics.total, statistics.kept


def _put(found: Any, x: Any) -> None:
    found.append(x)


@on((XS,))
def a_helper_appends_to_its_argument(xs: Any) -> Any:
    found = []
    for x in xs:
        _put(found, x * 2)
    return found


@on((XS,))
def a_choice_that_stands_alone(xs: Any) -> Any:
    small, large = [], []
    for x in xs:
        small.append(x) if x < 2 else large.append(x)
    return small, large


@on((XS,))
def lists_in_a_dict(xs: Any) -> Any:
    found = {"all": [], "positive": []}
    for x in xs:
        found["all"].append(x)
        if x > 0:
            found["positive"].append(x)
    return found


@on((XS,))
def a_zero_that_gets_another_sign(xs: Any) -> Any:
    zero, other = 0.0, complex(0.0, 0.0)
    for _ in xs:
        zero, other = -0.0, complex(0.0, -0.0)
    return 1.0 / tf.convert_to_tensor(zero), 1.0 / tf.math.imag(tf.convert_to_tensor(other))


# ---- Python numbers that become others


@on((0,), (3,), (4,))
def numbers_that_change_places(n: Any) -> Any:
    a, b = 0, 1.0
    for _ in tf.range(n):
        a, b = b, a + 1
    return a, b


@on((3,), (4,))
def numbers_that_change_places_the_other_way(n: Any) -> Any:
    a, b, c = 1.0, 0, 2
    for i in tf.range(n):
        for _ in tf.range(i):
            b, a, c = a, c + 1, b
    return a, b, c


@on((1,), (3,))
def counted_from_none(n: Any) -> Any:
    k = half = flag = None
    for _ in tf.range(n):
        if k is None:
            k = 1
        else:
            k += 1
        half = 0.5 if half is None else half * 0.5
        flag = True if flag is None else not flag
    return k, half, flag


@on((1,), (3,))
def counted_from_none_within(n: Any) -> Any:
    k, best, at = None, None, None
    for i in tf.range(n):
        for _ in tf.range(2):
            k = 0 if k is None else k + 1
        if best is None or i > best:
            best, at = i, 0 if at is None else at + 1
    return k, best, at
