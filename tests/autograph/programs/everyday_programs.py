"""Small functions as people write them, of tensors: compiled each does what it does eagerly."""

from __future__ import annotations

# Some variables are bound in a loop only.
# pyright: reportPossiblyUnboundVariable=false
import contextlib
import functools
from collections.abc import Callable
from typing import Any

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on
XS = [3.0, -1.0, 2.0, -4.0, 5.0]
NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]

# ---- numbers


@on((48, 36), (17, 5))
def greatest_common_divisor(a: Any, b: Any) -> Any:
    while b:
        a, b = b, a % b
    return a


@on((2.0,), (9.0,))
def square_root_by_newton(a: Any) -> Any:
    x = a
    for _ in range(50):
        following = 0.5 * (x + a / x)
        if abs(following - x) < 1e-6:
            break
        x = following
    return x


@on((2.0,))
def square_root_by_bisection(a: Any) -> Any:
    low, high = 0.0, a
    while high - low > 1e-3:
        middle = (low + high) / 2
        if middle * middle > a:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@on((1234,), (0,))
def digits(n: Any) -> Any:
    total, reverse = 0, 0
    while n:
        total += n % 10
        reverse, n = reverse * 10 + n % 10, n // 10
    return total, reverse


@on((4,), (7,))
def collatz_steps(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


@on((10,), (29,))
def is_prime(n: Any) -> Any:
    i = 2
    while i * i <= n:
        if n % i == 0:
            break
        i += 1
    else:
        return True
    return False


@on((16,))
def fizz_buzz(n: Any) -> Any:
    total = 0
    for i in range(1, n + 1):
        if i % 15 == 0:
            total += 15
        elif i % 3 == 0:
            total += 3
        elif i % 5 == 0:
            total += 5
        else:
            total += i
    return total


@on((12,))
def divisors(n: Any) -> Any:
    return sum(d for d in range(1, n) if n % d == 0) == n, [d for d in range(1, n) if n % d == 0]


# ---- searching and sorting


@on((sorted(NUMBERS), 5), (sorted(NUMBERS), 7))
def binary_search(xs: Any, wanted: Any) -> Any:
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@on((NUMBERS, 14), (NUMBERS, 99))
def two_that_sum(xs: Any, wanted: Any) -> Any:
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] + xs[j] == wanted:
                return i, j
    return -1, -1


@on((NUMBERS,))
def insertion_sort(xs: Any) -> Any:
    values = list(xs)
    for i in range(1, len(values)):
        key, j = values[i], i - 1
        while j >= 0 and values[j] > key:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = key
    return values


@on((NUMBERS,))
def quick_sort(xs: Any) -> Any:
    values = list(xs)
    pending = [(0, len(values) - 1)]
    while pending:
        low, high = pending.pop()
        if low < high:
            i = low
            for j in range(low, high):
                if values[j] < values[high]:
                    values[i], values[j] = values[j], values[i]
                    i += 1
            values[i], values[high] = values[high], values[i]
            pending.append((low, i - 1))
            pending.append((i + 1, high))
    return values


@on((NUMBERS,))
def longest_increasing(xs: Any) -> Any:
    best = [1] * 8
    for i in range(1, len(xs)):
        for j in range(i):
            if xs[j] < xs[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)


@on((NUMBERS, 5))
def knapsack(xs: Any, capacity: Any) -> Any:
    best = [0] * 6
    for x in xs:
        for c in range(capacity, 0, -1):
            if x <= c:
                best[c] = max(best[c], best[c - x] + x * 2)
    return best


@on(([1, 1, 2, 3, 3, 3],))
def run_lengths(xs: Any) -> Any:
    runs = []
    for x in xs:
        if runs and runs[-1][0] == x:
            runs[-1] = (x, runs[-1][1] + 1)
        else:
            runs.append((x, 1))
    return runs


@on((NUMBERS,))
def majority(xs: Any) -> Any:
    count = candidate = 0
    for x in xs:
        if count == 0:
            candidate = x
        count += 1 if x == candidate else -1
    return candidate


@on((XS,))
def largest_sum_of_neighbours(xs: Any) -> Any:
    best = current = xs[0]
    for x in xs[1:]:
        current = max(x, current + x)
        best = max(best, current)
    return best


# ---- loops over Python values


class _Layer:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, x: Any) -> Any:
        return x * self.weight


@on((1.0,), (20.0,), (100.0,))
def layers_until_it_is_enough(x: Any) -> Any:
    for i, layer in enumerate([_Layer(2.0), _Layer(3.0), _Layer(4.0)]):
        x = layer(x)
        if x > 100:
            return x, i
    else:
        x = -x
    return x, -1


@on((1.0,), (20.0,), (100.0,))
def named_layers(x: Any) -> Any:
    for layer in {"a": _Layer(2.0), "b": _Layer(3.0)}.values():
        if x > 50:
            continue
        x = layer(x)
        if x > 30:
            break
    return x


@on((XS,))
def a_range_left_early(xs: Any) -> Any:
    seen, total = [], 0.0
    for i in range(5):
        if xs[i] < -2:
            break
        seen.append(xs[i])
    for size in range(1, 5):
        total += tf.reduce_sum(tf.ones([size]) * xs[0])
        if total > 8:
            break
    return seen, i, total


@on((XS,))
def the_first_rate_that_is_small(xs: Any) -> Any:
    for rate in [0.1, 0.01, 0.001]:
        if xs[0] * rate < 0.2:
            return rate
    return 0.0


# ---- expressions


@on((2,), (7,), (-1,))
def named_expressions(n: Any) -> Any:
    k = 0
    if (m := n % 3) == 1 and (j := m + n) > 3:
        return j * m, m
    y = (k := n * 2) if n > 3 else n
    while k < 20 and (i := k + 1) < 18 and (k := k + 2) < 17:
        y = y + i
    return y, k


@on((3.0,), (0.5,))
def chains_and_choices(x: Any) -> Any:
    sign = 1.0 if x > 2 else -1.0 if x < 1 else 0.0
    return sign, 1 < x < 4, 0 <= x <= 1 < 2, not 1 < x < 2, x in (0.5, 1.0), x not in [x]


@on((XS,))
def comprehensions_of_every_kind(xs: Any) -> Any:
    return [x * 2 for x in xs if x > 0], max(x * 2 for x in xs), any(x < -3 for x in xs)


@on((XS, 2))
def slices_of_every_kind(xs: Any, n: Any) -> Any:
    first, *others, last = xs
    return xs[:n], xs[n - 1 : n + 1], xs[-n:], xs[::-1][:2], xs[..., 1], first, others, last


@on((3.0,))
def functions_in_a_loop(x: Any) -> Any:
    late, early = [], []
    for i in range(3):
        late.append(lambda y: y * i)  # noqa: B023
        early.append(lambda y, i=i: y * i)
    return [f(x) for f in late], [f(x) for f in early]


# ---- functions


def _with_everything(x: Any, y: Any = 2.0, *args: Any, k: Any = 3.0, **others: Any) -> Any:
    total = x * y + k
    for one in args:
        total += one
    for one in others.values():
        total *= one
    if total > 10:
        return total
    return -total


@on((3.0,), (-3.0,))
def arguments_of_every_kind(x: Any) -> Any:
    pair = (x, 1.0)
    return (
        _with_everything(x),
        _with_everything(*pair),
        _with_everything(x, x, x, x),
        _with_everything(x, k=x, z=2.0),
        _with_everything(*pair, **{"k": x}),
    )


def _doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        result = function(*args)
        return result * 2 if result > 0 else result

    return call


@_doubled
def _decorated(x: Any) -> Any:
    if x > 1:
        return x + 1
    return x - 1


class _Polynomial:
    def __init__(self, *coefficients: float) -> None:
        self.coefficients = coefficients

    def __call__(self, x: Any) -> Any:
        total = 0.0
        for one in reversed(self.coefficients):
            total = total * x + one
        if total > 100:
            total = 100.0
        return total

    @property
    def degree(self) -> int:
        return len(self.coefficients) - 1

    @staticmethod
    def clipped(x: Any) -> Any:
        if x < 0:
            return 0.0
        return x

    @classmethod
    def one(cls) -> _Polynomial:
        return cls(1.0, 1.0)


@on((3.0,), (50.0,), (0.0,))
def decorators_and_classes(x: Any) -> Any:
    p = _Polynomial(1.0, 2.0, 3.0)
    return _decorated(x), p(x), p.degree, _Polynomial.clipped(-x), _Polynomial.one()(x)


@on((5,))
def recursion_of_python(n: Any) -> Any:
    def power(x: Any, k: int) -> Any:
        if k == 0:
            return tf.constant(1)
        half = power(x, k // 2)
        return half * half * x if k % 2 else half * half

    return power(n, 5)


@on((XS,))
def blocks_around_a_loop(xs: Any) -> Any:
    total = 0.0
    with contextlib.suppress(ValueError), contextlib.nullcontext(3.0) as c:
        for x in xs:
            if x < 0:
                continue
            total += x
        total += c
        int("none")
    try:
        total += xs[0]
        int("none")
    except (ValueError, TypeError):
        if total > 0:
            total = -total
    else:
        total = xs[2]
    finally:
        total = total + 1
    return total


@on((3,))
def patterns(n: Any) -> Any:
    match (n, [1, 2]):
        case (x, [a, b]) if a > b:
            return x
        case (x, [a, b]):
            n = x * a + b
    match "square":
        case "square":
            return n * n
        case _:
            return n
