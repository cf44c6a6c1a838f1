"""Ordinary functions. Converted, each has to do what it does as written.

`@on(...)` gives a function the arguments to be tried with: one tuple for each call.
"""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = {}


def on(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, calls
        return function

    return note


SIGNS = ((-1,), (0,), (2,))
LISTS = (([],), ([1],), ([3, 1, 2],), ([5, -1, 0, 7],))

# --- if ---


@on(*SIGNS)
def if_else(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


@on(*SIGNS)
def if_without_else(x):
    y = 10
    if x > 0:
        y = y + x
    return y


@on(*SIGNS)
def elif_chain(x):
    if x > 1:
        name = "many"
    elif x == 1:
        name = "one"
    elif x == 0:
        name = "none"
    else:
        name = "debt"
    return name


@on(*SIGNS)
def bound_in_one_branch_only(x):
    if x > 0:
        y = 1
    return y


@on(*SIGNS)
def temporary_read_in_a_branch(x):
    t = x
    if x > 0:
        t = t + 1
        u = t * 2
    else:
        u = t
    return u


@on(*SIGNS)
def deletes_a_variable(x):
    y = 1
    if x > 0:
        del y
    return y


@on(*SIGNS)
def imports_in_a_branch(x):
    if x > 0:
        import math as m
    else:
        import cmath as m
    return m.__name__


@on(*SIGNS)
def unpacks_in_a_branch(x):
    if x > 0:
        a, (b, *c) = 1, (2, 3, 4)
    else:
        a = b = c = x
    return a, b, c


# --- return ---


@on(*SIGNS)
def early_return(x):
    if x > 0:
        return "positive"
    return "other"


@on(*SIGNS)
def return_in_one_branch(x):
    if x > 0:
        return x


@on(*SIGNS)
def return_without_value(x, log=None):
    if x > 0:
        return
    x = x / 0 if x == 0 else x
    return x


@on((1, 1), (1, -1), (-1, 1), (-1, -1))
def nested_returns(x, y):
    if x > 0:
        if y > 0:
            return "both"
        z = "first"
    elif y > 0:
        return "second"
    else:
        z = "none"
    z = z + "!"
    return z


@on(*LISTS)
def return_from_nested_loops(xs):
    for x in xs:
        for y in xs:
            if x + y == 3:
                return x, y
        x = None
    return xs


@on(*LISTS)
def return_in_while(xs):
    i = 0
    while i < len(xs):
        if xs[i] < 0:
            return i
        i += 1
    return -1


@on(*SIGNS)
def return_in_with(x):
    with contextlib.nullcontext(x) as value:
        if value > 0:
            return value
        value = value - 1
    return value * 2


@on((1,), (0,), ("a",))
def return_in_try(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return "zero"
    except TypeError as error:
        kind = type(error).__name__
    return kind


@on((1,), (0,))
def return_before_finally(x):
    log = []
    try:
        if x:
            return log
        log.append("end of try")
    finally:
        log.append("finally")
    log.append("after")
    return log


@on((0,), (3,), (7,))
def returns_only_from_an_endless_loop(n):
    while True:
        n += 1
        if n % 5 == 0:
            return n


@on(*SIGNS)
def dead_code_after_return(x):
    if x > 0:
        return 1
        x = 5
    else:
        return 2
    return 3


# --- while ---


@on((0,), (5,))
def while_sum(n):
    total = i = 0
    while i < n:
        i += 1
        total += i
    return total, i


@on((0,), (3,))
def while_with_else(n):
    while n > 0:
        n -= 1
    else:
        n = "done"
    return n


@on((1,), (6,), (27,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@on(([1, 2, 0, 3],), ([0],), ([],))
def while_with_walrus(xs):
    seen = []
    queue = list(xs)
    while queue and (x := queue.pop(0)):
        seen.append(x)
    return seen, queue


@on((0,), (4,))
def nested_while(n):
    out = []
    i = 0
    while i < n:
        j = 0
        while j < i:
            out.append((i, j))
            j += 1
        i += 1
    return out


# --- for ---


@on(*LISTS)
def for_sum(xs):
    total = 0
    for x in xs:
        total += x
    return total


@on(*LISTS)
def loop_variable_afterwards(xs):
    for x in xs:  # noqa: B007
        pass
    return x


@on(([(1, (2, 3)), (4, (5, 6))],), ([],))
def for_unpacks(pairs):
    out = []
    for a, (b, c) in pairs:
        out.append(a * b + c)
    return out


@on(*LISTS)
def for_into_an_attribute(xs):
    class Box:
        value = None

    box, cells = Box(), [0]
    for box.value in xs:
        for cells[0] in xs:
            pass
    return box.value, cells


@on(*LISTS)
def for_with_else(xs):
    for x in xs:
        if x == 2:
            found = True
            break
    else:
        found = False
    return found


@on(*LISTS)
def else_returns(xs):
    for x in xs:
        if x == 2:
            break
    else:
        return "nothing"
    return x


@on(*LISTS)
def iterator_is_not_read_after_break(xs):
    source = iter([*xs, 100, 200])
    for x in source:
        if x > 2:
            break
    return list(source)


@on((3,))
def over_a_dictionary(n):
    counts = {i: i * i for i in range(n)}
    out = []
    for key, value in counts.items():
        out += [key, value]
    return out


@on((4,))
def enumerates_and_zips(n):
    out = []
    for i, (a, b) in enumerate(zip(range(n), reversed(range(n)), strict=True)):
        out.append(i + a * b)
    return out


# --- break and continue ---


@on((0,), (5,), (9,))
def breaks_and_continues(n):
    out = []
    for i in range(n):
        if i % 3 == 1:
            continue
        if i > 6:
            break
        out.append(i)
    return out, i if n else None


@on((4,))
def break_leaves_only_the_innermost_loop(n):
    out = []
    for i in range(n):
        for j in range(n):
            if j == 2:
                break
            out.append((i, j))
        else:
            out.append("never")
        out.append(i)
    return out


@on((6,))
def continue_on_some_ways(n):
    out = []
    for i in range(n):
        if i > 1:
            out.append("big")
            if i % 2:
                continue
            out.append("even")
        out.append(i)
    return out


@on((6,))
def break_or_continue(n):
    i = 0
    log = []
    while True:
        i += 1
        if i > n:
            break
        elif i % 2:
            continue
        else:
            log.append(i)
        log.append("end")
    return log


@on((3,))
def jumps_inside_try_and_with(n):
    log = []
    for i in range(10):
        try:
            with contextlib.suppress(ValueError):
                if i == 1:
                    continue
                if i == n:
                    break
                log.append(i)
                raise ValueError
            log.append("after with")
        finally:
            log.append("finally")
    return log


@on((5,))
def continue_in_while_else(n):
    while n:
        n -= 1
        if n == 2:
            continue
    else:
        return "else"
    return "broke"


# --- expressions ---


@on(*SIGNS)
def ternaries(x):
    return "many" if x > 1 else "one" if x == 1 else ("none" if x == 0 else "debt")


@on((0, 0), (0, 1), (1, 0), ("", None), ([], 3))
def booleans(a, b):
    return [a and b, a or b, not a, not (a and b) or b, a or b or "c", a and b and "c"]


@on((0,), (5,), (10,), (11,))
def chained_comparisons(x):
    calls = []

    def say(value):
        calls.append(value)
        return value

    return [0 < x < 10, say(0) <= say(x) <= say(10) != say(5), 1 in [x, 2] != [], calls]


@on((None,), (3,))
def none_and_identity(x):
    return [x is None, x is not None, x == 3, x in (3, 4), x not in [3]]


@on((0,), (3,))
def walrus_in_operands(n):
    a = n and (b := n + 1)
    c = (d := n) if n else (d := "none")
    return a, c, d, b if n else None


@on(([1, -2, 3],), ([],))
def comprehensions(xs):
    squares = [x * x if x > 0 else 0 for x in xs if x != 1 or x]
    table = {x: (y := x) for x in xs}
    return squares, table, {x and 1 for x in xs}, sum(x for x in xs), y if xs else None


@on((2,))
def lambdas(n):
    add = lambda x, k=n: x + k if x else k  # noqa: E731
    return [add(1), add(0, k=5), (lambda *a, **k: (a, k))(1, b=2)]


@on((3,))
def lambda_with_walrus(n):
    double = lambda x: (y := x) and y * 2  # noqa: E731
    return double(n), double(0)


@on((3,), (0,))
def formatted(n):
    return f"{n:>{n + 2}} {'yes' if n else 'no'!r} {n and 1}"


# --- assert, raise, try ---


@on((0,), (1,))
def asserts(x):
    assert x, f"x is {x}"
    return x


@on((0,), (1,))
def raises(x):
    if x:
        raise KeyError(x)
    return x


@on((0,), (1,), (2,))
def handlers(x):
    log = []
    try:
        if x == 1:
            raise ValueError("one")
        if x == 2:
            raise KeyError("two")
        log.append("fine")
    except ValueError as error:
        log.append(str(error))
    except KeyError:
        log.append("key")
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log


@on((0,), (1,))
def reads_in_a_handler(x):
    state = "before"
    try:
        state = "inside"
        if x:
            state = "raising"
            raise ValueError
        state = "after"
    except ValueError:
        return state
    return state + "!"


@on((1,), ([1, 2],), ({"a": 5},), ("other",))
def matches(value):
    match value:
        case int():
            kind = "int"
        case [first, *_]:
            if first > 0:
                return first
            kind = "list"
        case {"a": a}:
            kind = a
        case _:
            kind = None
    return kind


# --- functions ---


@on((5,))
def inner_function(n):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n)


@on((4,))
def counter_in_a_closure(n):
    count = 0

    def increment(by=1):
        nonlocal count
        if by > 1:
            count += by
        else:
            count += 1

    for i in range(n):
        increment(i)
    return count


@on((2,), (0,))
def closure_sees_later_changes(n):
    def read():
        return x

    x = 1
    if n:
        x = 2
    return read()


@on((3,))
def decorated_inner(n):
    def twice(f):
        @functools.wraps(f)
        def wrapper(*args):
            return f(f(*args))

        return wrapper

    @twice
    def add(x):
        return x + n if x else n

    return add(1), add.__name__


@on((3,))
def generator_inside(n):
    def numbers() -> Iterator[int]:
        for i in range(n):
            if i == 1:
                continue
            yield i

    return list(numbers())


@on((3,))
def class_inside(n):
    class Base:
        limit = 10 if n > 2 else 5

        def __init__(self, start):
            self.__secret = start

        def run(self):
            total = 0
            for i in range(self.limit):
                if i > n:
                    break
                total += i + self.__secret
            return total

    class Child(Base):
        def run(self):
            if n:
                return super().run() + 1
            return 0

    return Child(2).run(), Base.run.__qualname__, Child.__qualname__


@on((2,))
def partials_and_methods(n):
    class Adder:
        def __init__(self, k):
            self.k = k

        def __call__(self, x):
            return x + self.k if x else 0

        @staticmethod
        def make(k):
            return Adder(k)

        @classmethod
        def named(cls):
            return cls.__name__

        @property
        def double(self):
            return self.k * 2 if self.k else 0

    add = Adder.make(n)
    return functools.partial(add, 5)(), Adder.named(), add.double, list(map(add, [0, 1]))


@on((1, 2), (1, 2, 3))
def signature(a, /, b, *c, d=4, **e):
    if c:
        d = d + sum(c)
    return a, b, c, d, e


LEVEL = 0


@on((0,), (1,))
def module_variable(x):
    global LEVEL
    before = LEVEL
    if x:
        LEVEL = 7
    else:
        LEVEL += 1
    changed, LEVEL = LEVEL, 0
    return before, changed


@on((3,))
def attributes_and_items(n):
    class Box:
        pass

    o, d, items = Box(), {}, [0, 0]
    o.v = 0
    for i in range(n):
        o.v += i
        d["k"] = i
        items[0] = o.v
        items[-1] = d["k"]
        if i > 1:
            o.w = i
    return vars(o), d, items


@on((2,))
def reads_its_scope(n):
    x = n
    return sorted(name for name in locals() if name == "x"), "PROGRAMS" in globals()


@on(((1, 2),), ((),))
def star_arguments(args):
    def f(*a, **k):
        return a, k

    return f(0, *args, **{"z": 1}) if args else f(*args)


@on(([3, 1, 2],))
def builtins_of_python(xs):
    numbers = [len(xs), max(xs), min(*xs), sum(xs), round(2.567, 2), abs(-1), divmod(7, 2)]
    texts = [int("3"), float("2"), bool(xs), any(xs), all(xs), sorted(xs, key=lambda x: -x)]
    return numbers, texts, list(filter(lambda x: x > 1, xs)), next(iter([]), "default")
