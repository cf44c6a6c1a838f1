"""Dtypes, expressions and functions of tensors. Traced, each returns what it returns eagerly."""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

SIGNS = ((-7,), (-1,), (0,), (2,), (12,))

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


@on(*SIGNS)
def membership(x):
    found = [x in (2, -1), x not in [2, 12], 2 in [1, x], x in range(3)]
    found += [x in range(-7, 99, 3), x in range(12, -2, -2), x in range(0), 5 in range(10**12)]
    return 1 if x in (2, 12) else 0, found, 0 <= x in (2, 12)


@on(([3, 1, 2], 5), ([1], 1))
def membership_of_vectors(xs, x):
    return x in xs, 3 not in xs, xs[0] in (x, 3)


@on(*SIGNS)
def tensors_in_python_lists(x):
    decided = [any([x > 1, x < -3]), all([x > 1, True]), any([False, x == 0]), all([]), any([])]
    best = [min([x, 0, -x]), max([x, 3], key=lambda v: -v), min(x, 1, key=abs), max((x, 1, x + 1))]
    return decided, best, any(v > 11 for v in (x, x + 1)), all(v > 0 for v in [x, 1])


@on(([3, 1, 2],), ([2],))
def summaries_with_options(xs):
    best = [min(xs, key=lambda v: -v), max(xs, default=7), min(xs[:0], default=7)]
    return best, any(xs), all(xs - 1), sum(filter(lambda v: v > 1, xs)), sum(filter(None, xs - 1))


@on(([3, 1, 2],), ([7],))
def comprehensions_over_rows(xs):
    counted = sum(i * v for i, v in enumerate(xs) if i != 1), sum([v for v in xs if v > 2 if v < 9])
    paired = tf.stack([v * w for v, w in zip(xs, reversed(xs), strict=True)])
    return counted, paired, max(-v for v in xs), any(v > 2 for v in xs), len([v for v in xs])


@on(([3, 1, 2],), ([7, 8, 9],))
def comprehensions_are_lists(xs):
    doubled, pairs = [v * 2 for v in xs], [(v, v + 1) for v in xs if v > 2]
    doubled.append(xs[0])
    best = [max(doubled), sorted(doubled)[0], any(doubled), tf.reduce_sum(doubled), doubled[1]]
    table = [[v * w for v in xs] for w in xs]
    total = sum([v for v, _ in pairs])
    return best, len(doubled), len(pairs), pairs[0][1], tf.reduce_sum(table), total


@on(([3, 1, 2],))
def comprehensions_in_loops_and_functions(xs):
    total, offset = 0, 2

    def shifted(values):
        return sum([v + offset for v in values])

    for i in tf.range(3):
        total += shifted(xs) + sum(v * i for v in xs if v > i)
    return total


@on(*SIGNS)
def walrus_in_lambdas(x):
    f = lambda v: y if (y := v * 2) > 3 else -y  # noqa: E731
    g = lambda v, k=3: (v := v + k) > 0 and (w := v - 1) != 5 and w > 1  # noqa: E731
    return f(x), g(x), (lambda: [z := x, z + 1])()


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
