"""Control flow in ordinary functions. Converted, each has to do what it does as written."""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import contextlib

from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

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


LEVEL = 5


@on(*SIGNS)
def name_bound_by_dead_code(x):
    if x > 0:
        return LEVEL  # noqa: F823
    else:
        return x
    LEVEL = 1  # noqa: F841


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


@on((["x", "raises", "y", "end", "z"],), (["known", "unknown", "y"],), (["returns", "y"],))
def jumps_that_a_with_may_swallow(words):
    lengths, count = {"known": 5}, 0
    for word in words:
        if word == "raises":
            with contextlib.suppress(ValueError):
                raise ValueError
        elif word == "end":
            break
        if word.endswith("known"):
            with contextlib.suppress(KeyError):
                count += lengths[word]
                continue
        if word == "returns":
            with contextlib.suppress(KeyError):
                return lengths[word]
        count += 10
    return count


@on((5,))
def continue_in_while_else(n):
    while n:
        n -= 1
        if n == 2:
            continue
    else:
        return "else"
    return "broke"
