"""Expressions, assertions and functions. Converted, each has to do what it does as written."""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools
from collections.abc import Iterator

from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

SIGNS = ((-1,), (0,), (2,))

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


@on((1,))
def items_and_slices_at_variable_places(k):
    items = [0, 1, 2, 3]
    items[k:3] = [7]
    first, items[k] = items[0], 5
    return first, items


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
