"""What people do with lists whose length a tensor decides: compiled it does what it does eagerly.

One function for each thing that a list can do, and the algorithms that are written with it.
"""

from __future__ import annotations

# Lists are added as people add them.
# ruff: noqa: RUF005
from typing import Any

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on
XS = [3.0, -1.0, 2.0, -4.0, 5.0]


def _listed(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    return found


# ---- methods


@on((XS,))
def insert_anywhere(xs: Any) -> Any:
    found = [xs[0]]
    for x in xs:
        found.insert(0, x)
        found.insert(2, x * 2)
        found.insert(-1, x * 3)
        found.insert(100, x * 4)
    return found


@on((XS,))
def insert_in_order(xs: Any) -> Any:
    ordered = []
    for x in xs:
        place = 0
        for y in ordered:
            if y < x:
                place += 1
        ordered.insert(place, x)
    return ordered


@on((XS,))
def sort_by_several_keys(xs: Any) -> Any:
    found = _listed(xs)
    found.sort()
    ascending = found.copy()
    found.sort(reverse=True)
    descending = found.copy()
    found.sort(key=lambda x: -abs(x))
    return ascending, descending, found, sorted(found), sorted(found, key=lambda x: x * x)


@on((XS,))
def sort_pairs(xs: Any) -> Any:
    pairs = []
    for i, x in enumerate(xs):
        pairs.append((i, x))
    pairs.sort(key=lambda pair: pair[1])
    first = min(pairs, key=lambda pair: abs(pair[1]))
    return pairs, sorted(pairs, key=lambda pair: pair[0], reverse=True), first


@on((XS,))
def reverse_in_place(xs: Any) -> Any:
    found = _listed(xs)
    found.reverse()
    return found


@on((XS,))
def pop_at_a_place(xs: Any) -> Any:
    found = _listed(xs)
    return found.pop(0), found.pop(1), found.pop(-2), found


@on((XS,))
def remove_and_ask_for_places(xs: Any) -> Any:
    found = _listed(xs)
    place, count = found.index(xs[2]), found.count(xs[1])
    found.remove(xs[3])
    return found, place, count


@on((XS,))
def delete_items_and_slices(xs: Any) -> Any:
    one, two, three = _listed(xs), _listed(xs), _listed(xs)
    del one[0]
    del one[-1]
    del two[1:3]
    del three[-2:]
    return one, two, three


@on((XS,))
def assign_slices(xs: Any) -> Any:
    one, two = _listed(xs), _listed(xs)
    one[1:3] = [1.0, 2.0, 7.0]
    two[2:] = one[:2]
    return one, two


@on((XS,))
def slice_with_steps(xs: Any) -> Any:
    found = _listed(xs)
    return found[1:3], found[::-1], found[:-1], found[-2:], found[::2]


@on((3,))
def slices_of_rows_of_several_sizes(n: Any) -> Any:
    rows = []
    for i in tf.range(n):
        rows.append(tf.range(i))
    last = rows[1:]
    last.extend(rows)
    last.insert(0, tf.range(7))
    return last, rows[::-1], last.pop(1)


@on((XS,))
def add_and_multiply(xs: Any) -> Any:
    found = _listed(xs)
    return [1.0, 2.0] + found, found + [1.0], found * 2, found + found


@on((XS,))
def spread_into_lists(xs: Any) -> Any:
    found = _listed(xs)
    return [*found, 1.0], [0.0, *found, *found], [*xs, *found], [*xs, xs[0]]


@on((XS,))
def compare_lists(xs: Any) -> Any:
    one, two = _listed(xs), _listed(xs)
    same = one == two
    two.append(xs[0])
    return same, one == two, two == one, one == []


@on((XS,))
def extremes_of_a_list(xs: Any) -> Any:
    found, none = _listed(xs), []
    for x in xs:
        if x > 100:
            none.append(x)
    ends = max(found), min(found), max(found, key=abs), min(found, key=lambda x: (x - 2) ** 2)
    return ends, max(none, default=-1.0), any(x > 4 for x in found), all(x > 4 for x in found)


@on((XS,))
def comprehensions_over_a_list(xs: Any) -> Any:
    found = _listed(xs)
    return [x * 2 for x in found], [x for x in found if x > 0], sum(x * x for x in found)


# ---- truth, membership, unpacking


@on((XS,))
def truth_of_a_list(xs: Any) -> Any:
    large, none = [], []
    for x in xs:
        if x > 4:
            large.append(x)
        if x > 40:
            none.append(x)
    first = large[0] if large else -1.0
    assert large
    return (
        first,
        bool(large),
        not none,
        none or [1.0, 2.0],
        len(none or large),
        not (none and none[0] > 2),
    )


@on((XS,), ([1.0],))
def a_stack_drives_the_loop(xs: Any) -> Any:
    waiting = [xs[0]]
    total = 0.0
    while waiting:
        x = waiting.pop()
        total += x
        if x > 1:
            waiting.append(x / 2)
            waiting.append(x / 4)
    return total


@on((4,))
def work_with_depths(n: Any) -> Any:
    work = [(n, 0)]
    order = []
    while work:
        k, depth = work.pop(0)
        order.append(k * 10 + depth)
        if k > 1:
            work.append((k - 1, depth + 1))
            work.append((k - 2, depth + 1))
    return order


@on((XS,))
def nearest_smaller_to_the_left(xs: Any) -> Any:
    stack = []
    found = []
    for x in xs:
        while stack and stack[-1] >= x:
            stack.pop()
        found.append(stack[-1] if stack else -100.0)
        stack.append(x)
    return found


@on((XS,))
def merge_two_lists(xs: Any) -> Any:
    small, large = [], []
    for x in tf.sort(xs):
        if x < 3:
            small.append(x)
        else:
            large.append(x)
    merged = []
    while small and large:
        if small[0] <= large[0]:
            merged.append(small.pop(0))
        else:
            merged.append(large.pop(0))
    merged.extend(small)
    merged.extend(large)
    return merged


@on(([1, 2, 1, 3, 2, 1],))
def keep_what_was_not_seen(xs: Any) -> Any:
    seen = []
    for x in xs:
        if x not in seen:
            seen.append(x)
    return seen, 3 in seen, 4 in seen


@on((XS,))
def unpack_a_list(xs: Any) -> Any:
    found = []
    for x in xs:
        if x > 2:
            found.append(x)
    a, b = found
    first, *middle, last = _listed(xs)
    head, *tail = xs
    return a, b, first, middle, last, head, tail


# ---- items that a tensor chooses


@on((10,))
def sieve(n: Any) -> Any:
    is_prime = [True] * 10
    for i in tf.range(2, n):
        j = i * i
        while j < n:
            is_prime[j] = False
            j += i
    return is_prime


@on((10,))
def fibonacci_from_a_table(n: Any) -> Any:
    table = [0, 1]
    for i in tf.range(2, n):
        table.append(table[i - 1] + table[i - 2])
    return table, table[n - 1]


@on(([3, 1, 2, 0],))
def bubble_sort(xs: Any) -> Any:
    values = list(xs)
    count = len(values)
    for i in range(count):
        for j in range(count - 1 - i):
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
    return values


@on(([1, 0, 2, 1, 1],))
def count_in_a_list(xs: Any) -> Any:
    counts = [0, 0, 0]
    for x in xs:
        counts[x] += 1
    return counts


@on(([1, 0, 2, -1],))
def look_up(xs: Any) -> Any:
    days, pairs = (31, 28, 31), [(1, 2.0), (3, 4.0), (5, 6.0)]
    total, scale = 0, 0.0
    for x in xs:
        total += days[x]
        scale += pairs[x][1]
    place = xs[0]
    return total, scale, days[xs[1]], pairs[place], [7, 8, 9][place:]


@on((XS, 1))
def change_one_of_a_list(xs: Any, k: Any) -> Any:
    values = [0.0, 0.0, 0.0]
    values[k] = xs[0]
    if xs[0] > 0:
        values[k + 1] = xs[1]
    else:
        values[k - 1] = xs[2]
    return values


@on((XS, 1), (XS, -1))
def change_items_at_numbers_and_at_tensors(xs: Any, k: Any) -> Any:
    values = [xs[0], 0.5, 0.0]
    for x in xs:
        if x > 0:
            values[0], values[k] = values[k], values[0]
        else:
            values[1] += 0.5
            values[k] = x
    while k < 2:
        k += 1
        for place in (0, 1):
            values[place] += values[k]
            values[k], values[2] = values[2] + 1, values[k] * 2
    return values


@on((XS, 1))
def change_items_at_numbers_and_then_at_tensors(xs: Any, k: Any) -> Any:
    values = [0.0, 0.5, 0.0]
    for x in xs:
        values[-1] = x
    values[k] = values[0]
    return values


@on((6,))
def row_of_pascal(n: Any) -> Any:
    row = [1]
    for _ in tf.range(n):
        row = [1] + [row[k] + row[k + 1] for k in range(len(row) - 1)] + [1]
    return row


@on((10,))
def binary_digits(n: Any) -> Any:
    digits = []
    while n > 0:
        digits.append(n % 2)
        n //= 2
    return digits[::-1]


@on((XS,))
def a_queue_of_rows(xs: Any) -> Any:
    queue = list(xs)
    total = 0.0
    while len(queue) > 0:
        total = total * 0.5 + queue.pop(0)
    return total


@on((2.0, 3))
def gradients_of_moved_elements(x: Any, n: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        powers = [x]
        for _ in tf.range(n):
            powers.insert(0, powers[0] * x)
        powers.reverse()
        powers.pop(1)
        total = powers[-1] + sum(powers[1:]) + max(powers)
    return total, tape.gradient(total, x)


@on((3,), (4,))
def ranges_taken_apart(n: Any) -> Any:
    first, *rest = tf.range(n)
    low, *middle, high = tf.range(0, n * 2, 2)
    a, b, c = enumerate(tf.range(3), 5)
    pairs = list(zip(tf.range(3), tf.range(3) * 2, strict=True))
    return first, rest, low, middle, high, a, b, c, pairs


# ---- what is taken from a list under a condition


def _taken(queue: Any) -> Any:
    return queue.pop()


@on((3,), (9,))
def popped_by_an_expression(n: Any) -> Any:
    queue = [n, n + 1]
    last = queue.pop() if n > 5 else 0
    return last, len(queue)


@on((3,), (9,))
def popped_by_a_helper(n: Any) -> Any:
    queue, last = [n, n + 1], 0
    if n > 5:
        last = _taken(queue)
    return last, len(queue)


@on((3,), (9,))
def popped_by_a_helper_in_a_loop(n: Any) -> Any:
    queue, total = [n, n + 1, n + 2], 0
    for _ in tf.range(2):
        total += _taken(queue)
    return total, len(queue)
