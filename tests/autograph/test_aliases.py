"""Containers that are one in Python and two in the graph: none is changed without the other."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import pytest

import tensormill as tf
from tests.autograph.programs.registry import Programs

LOST, APART, ONCE, HIDDEN, TAKEN = (Programs() for _ in range(5))
N = ((3,), (1,), (9,))


# ---- a container is changed, and another one takes its place, while a third name reads the first


@LOST.on(*N)
def swapped_and_changed_in_a_branch(n: Any) -> Any:
    a, b = [n], [n * 10]
    first = b
    if n > 2:
        a, b = b, a
        a[0] += 1
    return a, b, first


@LOST.on(*N)
def swapped_and_changed_in_a_loop(n: Any) -> Any:
    a, b = {"v": n}, {"v": n * 10}
    first = a
    for _ in tf.range(n):
        a, b = b, a
        a["v"] += 1
    return a, b, first


@LOST.on(*N)
def changed_and_copied(n: Any) -> Any:
    state = {"x": n}
    first = state
    for _ in tf.range(n):
        state["x"] += 1
        state = dict(state)
    return state, first


@LOST.on(*N)
def changed_and_replaced_in_a_branch(n: Any) -> Any:
    a = [n]
    first = a
    if n > 2:
        a[0] += 1
        a = [n * 5]
    return a, first


@LOST.on(*N)
def an_item_changed_and_replaced(n: Any) -> Any:
    row = [n]
    rows = [row, [n + 1]]
    if n > 2:
        rows[0][0] += 1
        rows[0] = [n]
    return rows, row


@LOST.on(*N)
def swapped_while_a_helper_changes_it_by_another_name(n: Any) -> Any:
    def touch(row: Any) -> None:
        row[0] = row[0] + 1

    a, b = [n], [n * 10]
    first = a
    for _ in tf.range(n):
        a, b = b, a
        touch(first)
    return a, b, first


@LOST.on(*N)
def changed_in_one_branch_and_replaced_in_the_other(n: Any) -> Any:
    box = {"now": [n]}
    now, other = box["now"], [n * 2]
    if n > 2:
        now, other = other, now
    else:
        box["now"][0] = n + 5
    return box, now, other


# ---- what comes out of a statement stands for a container that others know


@APART.on(*N)
def chosen_by_an_expression(n: Any) -> Any:
    a, b = {"v": n}, {"v": n * 2}
    c = a if n > 2 else b
    c["v"] *= 10
    return a, b, c


@APART.on(*N)
def chosen_by_a_statement(n: Any) -> Any:
    a, b = {"v": n}, {"v": n * 2}
    if n > 2:
        c = a
    else:
        c = b
    a["v"] *= 10
    return a, b, c


@APART.on(*N)
def chosen_by_a_helper(n: Any) -> Any:
    def larger(a: Any, b: Any) -> Any:
        if a[0] > b[0]:
            return a
        return b

    a, b = [n], [n * 2]
    c = larger(a, b)
    c[0] += 1
    return a, b, c


@APART.on(*N)
def appended_and_changed_in_a_loop(n: Any) -> Any:
    now: list[Any] = [n]
    rows: list[Any] = []
    for _ in tf.range(n):
        now[0] += 1
        rows.append(now)
    return rows[0], now


@APART.on(*N)
def appended_to_what_grew_before(n: Any) -> Any:
    now: list[Any] = [n]
    rows: list[Any] = []
    for i in tf.range(n):
        rows.append([i])
    rows.append(now)
    now[0] += 1
    return rows[-1], now


@APART.on(*N)
def appended_in_a_branch_and_changed_behind(n: Any) -> Any:
    now, rows = {"v": n}, list[Any]()
    if n > 0:
        rows.append(now)
    now["v"] += 5
    return rows[0], now


@APART.on(*N)
def chosen_and_changed_by_a_helper_in_one_branch(n: Any) -> Any:
    def touch(row: Any) -> None:
        row[0] = row[0] + 1

    a, b = [n], [n * 2]
    c = b
    if n > 0:
        c = a if n > 2 else b
        touch(a)
    return a, b, c


@APART.on(*N)
def the_last_one_is_kept(n: Any) -> Any:
    now, last = [n], [n]
    for _ in tf.range(n):
        last = now
        now[0] += 1
    return last, now


@APART.on(*N)
def the_first_one_is_kept_by_an_inner_branch(n: Any) -> Any:
    now, first = [n], [n]
    for i in tf.range(n):
        if i == 0:
            first = now
        now[0] += 1
    return first, now


@APART.on(*N)
def kept_in_a_box_and_changed_behind(n: Any) -> Any:
    now = [n]
    box = {"now": [n]}
    if n > 0:
        box["now"] = now
    now[0] += 100
    return box, now


@dataclass
class Body:
    place: Any


@APART.on(*N)
def a_dataclass(n: Any) -> Any:
    a, b = Body(n), Body(n * 2)
    c = a if n > 2 else b
    c.place += 1
    return a.place, b.place, c.place


# ---- what only Python changes happens once, whatever the tensors say


def _add_a_key(d: Any) -> None:
    d["b"] = 2


@ONCE.on(*N)
def a_helper_adds_a_constant(n: Any) -> Any:
    d = {"a": 1}
    if n > 2:
        _add_a_key(d)
    return sum(d.values()) * n


@ONCE.on(*N)
def a_helper_takes_a_key_away(n: Any) -> Any:
    def take(d: Any) -> None:
        d.pop("b", None)

    d = {"a": 1, "b": 2}
    if n > 2:
        take(d)
    return len(d) * n


@ONCE.on(*N)
def an_inner_function_replaces_a_word(n: Any) -> Any:
    def rename() -> None:
        words["a"] = "other"

    words = {"a": "one"}
    if n > 2:
        rename()
    return n if words["a"] == "one" else -n


@ONCE.on(*N)
def an_inner_function_takes_from_a_list_in_a_branch(n: Any) -> Any:
    def inner() -> None:
        if n > 2:
            values.pop()

    values = [n, n]
    inner()
    return len(values) * n


@ONCE.on(*N)
def an_inner_function_returns_what_it_takes(n: Any) -> Any:
    def inner() -> Any:
        if n > 2:
            return values.pop()
        return 5

    values = [1, 2]
    return inner() + n * len(values)


KNOWN: list[Any] = []


@ONCE.on(*N)
def a_tensor_is_taken_from_a_list_of_the_module(n: Any) -> Any:
    KNOWN[:] = [n, n]
    if n > 2:
        KNOWN.pop()
    return len(KNOWN) * n


# ---- where nobody can tell, nothing is refused


@TAKEN.on(*N)
def a_log_of_the_module(n: Any) -> Any:
    def note(what: str) -> None:
        LOG.append(what)

    if n > 2:
        note("large")
        LOG.append("larger")
    return n


LOG: list[str] = []


@TAKEN.on(*N)
def chosen_and_read(n: Any) -> Any:
    a, b = {"v": n}, {"v": n * 2}
    c = a if n > 2 else b
    d = {"v": c["v"] + 1} if n > 4 else c
    return a, b, c, d


@TAKEN.on(*N)
def new_ones_are_chosen_and_changed(n: Any) -> Any:
    a = {"v": n, "w": [n]}
    c = dict(a) if n > 2 else {"v": n + 2, "w": list(a["w"])}
    c["v"] *= 10
    if n > 4:
        row = [n]
    else:
        row = list(a["w"])
    row[0] += 1
    return a, c, row


@TAKEN.on(*N)
def the_one_before(n: Any) -> Any:
    now, last = [n], [n]
    for _ in tf.range(n):
        last = now
        now = [now[0] + 1]
    now[0] += 1
    return last, now


@TAKEN.on(*N)
def the_best_one(n: Any) -> Any:
    state = {"x": n, "y": [n]}
    best = state
    for i in tf.range(n):
        state = {"x": state["x"] * (i - 2), "y": [i]}
        if state["x"] > best["x"]:
            best = state
    return state, best


@TAKEN.on(*N)
def rows_that_are_made_anew(n: Any) -> Any:
    now, rows = [n], list[Any]()
    for i in tf.range(n):
        now = [now[0] + i]
        now[0] *= 2
        rows.append(now)
    return rows, now


@TAKEN.on(*N)
def copies_are_appended(n: Any) -> Any:
    now, rows = {"v": n}, list[Any]()
    for _ in tf.range(n):
        now["v"] += 1
        rows.append(dict(now))
    return rows, now


@TAKEN.on(*N)
def swapped_in_a_branch(n: Any) -> Any:
    a, b = [n], [n * 10]
    if n > 2:
        a, b = b, a
        a[0] += 1
    return a, b


# ---- calls may change containers in containers


def _append(d: Any, x: Any) -> None:
    d["a"].append(x)


@TAKEN.on(*N)
def a_helper_appends_to_a_list_in_a_dict(n: Any) -> Any:
    d: dict[str, Any] = {"a": [], "b": [n]}
    for i in tf.range(n):
        _append(d, i)
    if n > 2:
        _append(d, n)
    return d


@TAKEN.on(*N)
def a_helper_changes_a_row(n: Any) -> Any:
    def change(i: Any) -> None:
        rows[1][0] = rows[1][0] + i

    rows = [[n], [n + 1]]
    for i in tf.range(n):
        change(i)
    return rows


TRACED: list[str] = []


class History:
    def __init__(self, n: Any) -> None:
        self.values: dict[str, Any] = {"loss": [], "count": [n]}

    def note(self, x: Any) -> None:
        self.values["loss"].append(x)
        self.values["count"][0] = self.values["count"][0] + 1


@TAKEN.on(*N)
def a_method_appends_to_a_list_in_a_dict(n: Any) -> Any:
    history = History(n)
    for i in tf.range(n):
        history.note(i)
    return history.values


@HIDDEN.on(*N)
def a_bound_method_appends(n: Any) -> Any:
    rows = list[Any]()
    append = rows.append
    for i in tf.range(n):
        append(i)
    return rows


@HIDDEN.on(*N)
def a_bound_method_pops(n: Any) -> Any:
    rows = [1, 2, 3]
    pop = rows.pop
    if n > 2:
        pop()
    return len(rows)


@HIDDEN.on(*N)
def a_bound_method_adds(n: Any) -> Any:
    known = {1}
    add = known.add
    if n > 2:
        add(2)
    return len(known)


@HIDDEN.on(*N)
def a_bound_method_stores_an_item(n: Any) -> Any:
    named = {"a": [1]}
    store = named["a"].__setitem__
    if n > 2:
        store(0, 2)
    return named


@HIDDEN.on(*N)
def a_partial_of_a_bound_method_appends(n: Any) -> Any:
    rows = [1]
    append = functools.partial(rows.append, 2)
    if n > 2:
        append()
    return len(rows)


@TAKEN.on(*N)
def a_bound_method_of_a_branch_appends(n: Any) -> Any:
    rows = [1]
    if n > 2:
        append = rows.append
        append(2)
    return tf.stack(rows)


@TAKEN.on(*N)
def a_helper_is_given_a_bound_method(n: Any) -> Any:
    def call(function: Any) -> None:
        function(2)

    rows = [1]
    if n > 2:
        call(rows.append)
    return tf.stack(rows)


@HIDDEN.on(*N)
def a_partial_appends(n: Any) -> Any:
    rows = list[Any]()
    append = functools.partial(list.append, rows)
    if n > 2:
        append(n)
    return rows


@HIDDEN.on(*N)
def a_helper_changes_a_list_in_a_tuple(n: Any) -> Any:
    def change(pair: Any, i: Any) -> None:
        pair[0][0] = pair[0][0] + i

    pair = ([n], [n])
    for i in tf.range(n):
        change(pair, i)
    return pair


def _plain(structure: Any) -> Any:
    return tf.nest.map_structure(lambda one: tf.constant(one).numpy().tolist(), structure)


@pytest.mark.parametrize("name", LOST)
def test_what_is_changed_and_replaced_is_known_to_nobody_else(name: str) -> None:
    function, ((n,), *_) = LOST[name]

    with pytest.raises(
        ValueError, match=r"changed in place(.|\n)*known elsewhere(.|\n)*(list|dict)"
    ):
        tf.function(function)(tf.constant(n))


@pytest.mark.parametrize("name", APART)
def test_what_should_be_one_container_is_not_changed_as_two(name: str) -> None:
    function, ((n,), *_) = APART[name]

    with pytest.raises(ValueError, match=r"test_aliases.py:\d+: '(.|\n)*(list|dict|replace)\(…\)"):
        tf.function(function)(tf.constant(n))


@pytest.mark.parametrize("name", ONCE)
def test_what_python_alone_would_change_once_is_refused(name: str) -> None:
    function, ((n,), *_) = ONCE[name]

    with pytest.raises(ValueError, match="is changed in place inside of a staged `if`"):
        tf.function(function)(tf.constant(n))


@pytest.mark.parametrize("name", HIDDEN)
def test_a_container_to_which_no_variable_leads_is_not_changed(name: str) -> None:
    function, ((n,), *_) = HIDDEN[name]

    with pytest.raises(
        ValueError, match=r"changes a (list|dict|set) in place in staged code, where only"
    ):
        tf.function(function)(tf.constant(n))


@pytest.mark.sampled
@pytest.mark.parametrize("name", TAKEN)
def test_it_is_as_it_is_eagerly(name: str) -> None:
    function, arguments = TAKEN[name]
    compiled = tf.function(function)

    for (n,) in arguments:
        assert _plain(function(tf.constant(n))) == _plain(compiled(tf.constant(n)))


def test_a_log_of_what_was_traced_may_be_led_to_by_a_bound_method() -> None:
    note = TRACED.append

    @tf.function
    def function(x: Any) -> Any:
        if x > 0:
            note("traced")
        return x

    function(1.0)
    function(tf.constant(1.0))
    assert ["traced"] * 2 == TRACED


def test_a_trace_keeps_no_container_alive() -> None:
    function, ((n,), *_) = TAKEN["chosen_and_read"]

    concrete = tf.function(function).get_concrete_function(tf.constant(n))

    assert not concrete.graph.aliases
