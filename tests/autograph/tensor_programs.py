"""Functions of tensors: traced, each has to return what it returns eagerly.

`@on(...)` gives the arguments to be tried with: one tuple for each call.
"""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import tensormill as tf

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = {}


def on(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, calls
        return function

    return note


SIGNS = ((-7,), (-1,), (0,), (2,), (12,))
VECTORS = (([1],), ([3, 1, 2],), ([5, -1, 0, 7],))
WITH_EMPTY = (*VECTORS, ([0] * 0,))

# --- if ---


@on(*SIGNS)
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@on(*SIGNS)
def elif_chain(x):
    if x > 10:
        y = 3
    elif x > 0:
        y = x
    elif x == 0:
        y = 0
    else:
        y = -1
    return y


@on(*SIGNS)
def nested_ifs(x):
    y = x
    if x > 0:
        y += 1
        if x > 10:
            y += 10
        else:
            z = y * 2
            y = z + 1
    return y


@on(*SIGNS)
def changes_structures(x):
    pair, table = (x, x + 1), {"a": x, "b": [x]}
    if x > 0:
        pair = (x * 2, pair[0])
        table = {"a": x - 1, "b": [x * 5]}
    return pair, table


@on(*SIGNS)
def python_numbers_meet_tensors(x):
    y = x * 1.5 if False else 2.5
    if x > 0:
        y = tf.cast(x, tf.float64)
    else:
        y = 1
    return y


@on(*SIGNS)
def attribute_and_item_in_one_branch(x):
    class Box:
        pass

    box, d, items = Box(), {"k": 1}, [1, 2]
    box.v = 5
    if x > 0:
        box.v = x
        d["k"] = box.v + 1
        items[0] = d["k"]
    return box.v, d["k"], items[0], items[1]


@on(*SIGNS)
def unused_variables_may_differ(x):
    if x > 0:
        temporary = x
        y = temporary + 1
    else:
        temporary = "text"
        other = object()
        y = x if other else 0
    return y


@on(*SIGNS)
def tuple_assignment(x):
    a, b = 0, 1
    if x > 0:
        a, b = b, x
    return a, b


@on(*SIGNS)
def same_object_in_both_branches(x):
    f = abs
    if x > 0:
        g, n = f, 3
    else:
        g, n = f, x
    return g(x), n


# --- return ---


@on(*SIGNS)
def early_returns(x):
    if x > 10:
        return x
    if x > 0:
        y = x + 1
    else:
        if x < -5:
            return -100
        y = x - 1
    return y * 2


def helper(x):
    if x > 0:
        return x * 10
    elif x == 0:
        return 1
    x -= 1
    return x


@on(*SIGNS)
def helper_with_early_return(x):
    return helper(x) + helper(-x)


@on(*SIGNS)
def return_inside_with(x):
    with contextlib.nullcontext():
        if x > 0:
            return x
        x = x - 1
    return -x


@on(*SIGNS)
def return_inside_try(x):
    try:
        if x > 0:
            return x, x
        y = x * 2
    finally:
        x = x + 100
    return x, y


@on(*WITH_EMPTY)
def return_inside_for(xs):
    for x in xs:
        if x > 2:
            return x
    return -1


@on(*WITH_EMPTY)
def return_inside_nested_for(xs):
    for x in xs:
        for y in xs:
            if x * y < 0:
                return x, y
        if x == 2:
            return x, 100
    return 0, 0


@on((0,), (3,), (4,))
def return_inside_while_true(n):
    while True:
        n += 1
        if n % 4 == 0:
            return n, 0
        if n > 10:
            return n, 1


@on((0,), (5,))
def return_of_a_loop_that_always_returns(n):
    while n < 3:
        return n * 2
    return n


@on(*SIGNS)
def return_of_a_float_or_zero(x):
    for i in tf.range(3):
        if i == x:
            return tf.cast(i, tf.float32)
    return 0.0


# --- while ---


@on((0,), (5,))
def while_sum(n):
    total = i = 0
    while i < n:
        i += 1
        total += i
    return total, i


@on((1,), (6,), (27,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@on((0,), (4,))
def while_true_with_break(n):
    k = 0
    while True:
        if k >= n:
            break
        k += 1
        if k == 3:
            continue
        n -= 1
    return k, n


@on((0,), (3,))
def test_becomes_a_tensor(n):
    total = 0
    while total < 10:
        total += n + 1
    return total


@on((0,), (3,))
def while_else(n):
    while n > 0:
        n -= 1
        if n == 1:
            break
    else:
        n = n - 100
    return n


@on((0,), (3,), (6,))
def while_with_walrus(n):
    total = 0
    while (m := n - 1) > 0 and total < 100:
        n = m
        total += m
    return total, m


@on((2, 3), (0, 5))
def nested_while(n, m):
    count, i = 0, 0
    while i < n:
        j = 0
        while j < m:
            j += 1
            count += i * j
        i += 1
    return count


@on((2.0,), (9.0,))
def newton(a):
    x = a
    while abs(x * x - a) > 1e-3:
        x = (x + a / x) / 2
    return x


@on((3,))
def state_in_objects(n):
    class Box:
        pass

    box, d, items = Box(), {"s": 0}, [0, 1]
    box.v, i = 1, 0
    while i < n:
        box.v = box.v * 2
        d["s"] += box.v
        items[0] = items[1] + i
        items[1] = items[0] + d["s"]
        i += 1
    return box.v, d, items


@on((3,))
def text_accumulates(n):
    text = "a"
    while n > 0:
        text = text + "b"
        n -= 1
    return text


@on((4,))
def unchanged_values_stay_python(n):
    k, name, f = 2, "x", abs
    while n > 0:
        n -= 1
        k, name, f = k, name, f
    return list(range(k)), f(-1), n


# --- for ---


@on(*WITH_EMPTY)
def for_over_a_tensor(xs):
    total = 0
    for x in xs:
        total += x
    return total


@on(([[1, 2], [3, 4]],))
def for_over_rows(rows):
    total = rows[0] * 0
    for a, row in enumerate(rows):
        total += row * a
    return total


@on((0,), (5,))
def for_over_tf_range(n):
    total = 0
    for i in tf.range(n):
        total += i * i
    return total


@on((1, 9, 3), (5, 0, -2), (0, 10, 4))
def for_over_a_stepped_range(start, limit, delta):
    total, last = 0, -1
    for i in tf.range(start, limit, delta):
        total = total * 10 + i
        last = i
    return total, last


@on((0.5,), (2.25,))
def for_over_a_float_range(limit):
    total = 0.0
    for x in tf.range(0.0, limit, 0.5):
        total += x
    return total


@on((0,), (4,))
def for_over_python_range(n):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            total += i * j + 1
    return total


@on(([1, 2, 3],))
def for_over_reversed(xs):
    total = 0
    for x in reversed(xs):
        total = total * 10 + x
    return total


@on(([1, 2, 3], [4, 5, 6]))
def for_over_zip(xs, ys):
    total = 0
    for i, (x, y, k) in enumerate(zip(xs, ys, [10, 20, 30], strict=False)):
        total += x * y + k * i
    return total


@on(([1, 2, 3],))
def for_over_map(xs):
    total = 0
    for y in map(lambda x: x * 2 if x > 1 else 0, xs):
        total += y
    return total


@on(*VECTORS)
def loop_variables_afterwards(xs):
    for i, x in enumerate(xs):  # noqa: B007
        y = x * 2
    return i, x, y


@on(*WITH_EMPTY)
def for_with_else(xs):
    found = 0
    for x in xs:
        if x == 0:
            found = x
            break
        found += 1
    else:
        found = -found
    return found


@on(*WITH_EMPTY)
def breaks_and_continues(xs):
    total = 0
    for x in xs:
        if x == 1:
            continue
        if x == 0:
            break
        total += x
    return total


@on((5,))
def break_of_the_inner_loop(n):
    total = 0
    for i in tf.range(n):
        for j in tf.range(n):
            if j > i:
                break
            total += j
        total += 100
    return total


@on((3,))
def jump_inside_try(n):
    total = 0
    for i in tf.range(10):
        try:
            if i == n:
                break
            if i == 1:
                continue
            total += i
        finally:
            total += 100
    return total


@on((4,))
def python_loop_inside_a_staged_one(n):
    total = 0
    for i in tf.range(n):
        for k in [1, 2, 3]:
            if k == 2:
                continue
            total += i * k
    return total


@on((4,))
def staged_loop_inside_a_python_one(n):
    totals = []
    for k in [1, 2]:
        total = 0
        for i in tf.range(n):
            total += i * k
        totals.append(total)
    return totals


# --- dtypes ---


@on(([1.5, 2.5],), ([1, 2],))
def python_zero_adopts_a_dtype(xs):
    total = 0
    for x in xs:
        total = total + x
    return total


@on((5,))
def python_counter_against_int64(n):
    i = 0
    limit = tf.cast(n, tf.int64)
    while i < limit:
        i += 1
    return i


@on((3,))
def python_int_becomes_python_float(n):
    x = 1
    while n > 0:
        x = x * 0.5
        n -= 1
    return x


# --- expressions ---


@on(*SIGNS)
def ternaries(x):
    return 1 if x > 10 else x if x > 0 else ([0, 1] if x == 0 else [x, 2])[0]


@on(*SIGNS)
def booleans(x):
    return [x > 0 and x < 10, x < 0 or x > 10, not x > 0, x > 0 and x > 1 and x > 2, True and x > 0]


@on(*SIGNS)
def python_operands(x):
    return (False and x > 0), (None or x), (x == 2 or False)


@on(*SIGNS)
def chains(x):
    return 0 < x < 10 < 20, -5 <= x != 2, x is not None, x is None


@on(*SIGNS)
def short_circuit(x):
    return x != 0 and 12 // (x if x != 0 else 1) > 3


@on(([3, 1, 2], 5))
def builtin_functions(xs, x):
    numbers = [len(xs), int(2.5), abs(-x), min(xs), max(xs), min(x, 3), max(1, x, 9), sum(xs)]
    others = [any(xs > 2), all(xs > 2), round(tf.cast(x, tf.float32) / 2), divmod(x, 3)]
    return numbers, others, sum([x, x]), list(map(lambda v: v + 1, [x, 2])), sum(xs, 10)


@on((2,))
def conversions(x):
    return float(x) / 4, int(float(x) * 1.75), bool(x), int(x > 1)


# --- functions ---


@on((3,))
def counter_in_a_closure(n):
    count = 0

    def increment():
        nonlocal count
        count += 1

    for _ in tf.range(n):
        increment()
    if n > 2:
        increment()
    if n > 5:
        increment()
    return count


@on((3,))
def escaped_counter(n):
    count = 0

    def increment():
        nonlocal count
        count += 1

    also = increment
    for _ in tf.range(n):
        also()
    return count


@on(*SIGNS)
def lambdas_and_partials(x):
    f = lambda v, k=2: v * k if v > 0 else k  # noqa: E731
    return f(x), functools.partial(f, k=5)(x)


@on(*SIGNS)
def recursion_over_python_values(x):
    def power(base, n):
        if n == 0:
            return 1
        half = power(base, n // 2)
        return half * half * (base if n % 2 else 1)

    return power(x, 3)


@on(*SIGNS)
def decorated_helpers(x):
    def logged(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            return f(*args, **kwargs)

        return wrapper

    @logged
    def clip(v, low=0):
        if v < low:
            return low
        return v

    return clip(x), clip(x, low=1)


@on(*SIGNS)
def methods_and_callables(x):
    class Base:
        def __init__(self, k):
            self.k = k

        def run(self, v):
            if v > 0:
                return v * self.k
            return v

    class Child(Base):
        def run(self, v):
            return super().run(v) + super(Child, self).run(-v)  # noqa: UP008

        def __call__(self, v):
            return self.run(v)

    return Child(3)(x)


@on((3,))
def lambda_that_captures_a_loop_temporary(n):
    total = 0
    for i in tf.range(n):
        step = i * 2
        total += (lambda k: k + step)(1)
    return total


@on(([1, 2, 3],))
def comprehensions(xs):
    return [x if x > 1 else 0 for x in (xs[0], xs[1])], {k: xs[k] for k in range(2)}


@on((2,))
def matches_python_values(x):
    match ("scale", 3):
        case ("scale", k):
            if x > 1:
                return x * k
        case _:
            return x
    return -x


@on((2,))
def deletes(x):
    a = x
    if x > 0:
        del a
        b = 1
    else:
        b = a
    return b
