"""Control flow on tensors. Traced, each function has to return what it returns eagerly."""

# Unbound variables and attributes made by assignment are what some of these programs are about.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false

from __future__ import annotations

import contextlib

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

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


@on(([0.5, 1.5],), ([0.5, -2.0],))
def return_of_python_numbers_or_floats(xs):
    for x in xs:
        if x > 1:
            return 0
    if xs[0] > 0.25:
        return xs[0]
    return 7


@on(([0.5, 1.5],), ([0.5, 0.75],))
def return_of_a_constant_or_floats(xs):
    while True:
        if xs[1] > 1:
            return 0, xs * 2
        xs *= 2


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


@on(([1, 2],))
def constants_set_in_a_loop(xs):
    for x in xs:
        flag, name, k = True, "a", 3
        if x > 5:
            k = 4
    return flag, name, k


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
