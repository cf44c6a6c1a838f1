"""Lists and dicts with several names: staged code changes them under all of these, or refuses."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

import tensormill as tf
from tensormill.autograph.runtime.places import containers
from tests.autograph.programs.registry import Programs

REFUSED, TAKEN = Programs(), Programs()
N = ((3,),)


# ---- a list that becomes one of the graph would stay as it is where else it is known


@REFUSED.on(*N)
def a_name_and_an_item_of_a_dict(n: Any) -> Any:
    a: list[Any] = []
    d = {"x": a}
    for i in tf.range(n):
        d["x"].append(i)
    return a


@REFUSED.on(*N)
def a_name_and_an_item_of_a_list(n: Any) -> Any:
    a: list[Any] = []
    rows = [[], a]
    for i in tf.range(n):
        rows[1].append(i)
    return a


@REFUSED.on(*N)
def two_keys_of_one_dict(n: Any) -> Any:
    d: dict[str, Any] = {"x": []}
    d["y"] = d["x"]
    for i in tf.range(n):
        d["x"].append(i)
    return d["y"]


@REFUSED.on(*N)
def rows_that_are_one_list(n: Any) -> Any:
    rows: list[Any] = [[]] * 2
    for i in tf.range(n):
        rows[0].append(i)
    return rows[1]


@REFUSED.on(*N)
def a_shallow_copy_of_a_dict(n: Any) -> Any:
    first: dict[str, Any] = {"x": []}
    d = dict(first)
    for i in tf.range(n):
        d["x"].append(i)
    return first["x"]


@REFUSED.on(*N)
def in_a_branch(n: Any) -> Any:
    a: list[Any] = []
    d = {"x": a}
    if n > 2:
        d["x"].append(n)
    return a


@REFUSED.on(*N)
def in_a_while(n: Any) -> Any:
    a: list[Any] = []
    d = {"x": a}
    while n > 0:
        d["x"].append(n)
        n = n - 1
    return a


@REFUSED.on(*N)
def in_a_helper_with_a_loop(n: Any) -> Any:
    def fill(d: Any) -> None:
        for i in tf.range(n):
            d["x"].append(i)

    a: list[Any] = []
    fill({"x": a})
    return a


@REFUSED.on(*N)
def by_an_inner_function(n: Any) -> Any:
    a: list[Any] = []
    d = {"x": a}

    def add(i: Any) -> None:
        d["x"].append(i)

    for i in tf.range(n):
        add(i)
    return a


@REFUSED.on(*N)
def a_list_that_shrinks(n: Any) -> Any:
    a = [n, n]
    d = {"x": a}
    for _ in tf.range(n):
        if len(d["x"]) > 0:
            d["x"].pop()
    return len(a)


@pytest.mark.parametrize("name", REFUSED)
def test_a_list_that_is_known_elsewhere_is_refused(name: str) -> None:
    function, ((n,),) = REFUSED[name]

    with pytest.raises(ValueError, match=r"'\w+\[.+\]' grows in staged code(.|\n)*known elsewhere"):
        tf.function(function)(tf.constant(n))


def test_what_to_do_instead_is_said_for_the_item() -> None:
    function, ((n,),) = REFUSED["a_name_and_an_item_of_a_dict"]

    with pytest.raises(ValueError, match=r"Write `d\['x'\] = list\(d\['x'\]\)` in front"):
        tf.function(function)(tf.constant(n))


def test_where_python_does_not_count_references_no_list_grows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    uncounted = SimpleNamespace(ARE_COUNTED=False, holders=lambda *_: sys.maxsize)
    monkeypatch.setattr(containers, "references", uncounted)
    function, ((n,),) = TAKEN["lists_made_in_a_dict"]

    with pytest.raises(ValueError, match=r"this Python does not tell(.|\n)*tf.TensorArray"):
        tf.function(function)(tf.constant(n))
    assert _plain(read_in_a_loop_by_another_name(tf.constant(n))) == _plain(
        tf.function(read_in_a_loop_by_another_name)(tf.constant(n))
    )


# ---- what only the container knows may grow


@TAKEN.on(*N)
def lists_made_in_a_dict(n: Any) -> Any:
    d: dict[str, Any] = {"x": [], "y": []}
    for i in tf.range(n):
        d["x"].append(i)
        d["y"].append(i * 2)
    return d


@TAKEN.on(*N)
def lists_made_by_comprehensions(n: Any) -> Any:
    d: dict[str, Any] = {key: [] for key in "xy"}
    rows: list[Any] = [[] for _ in range(2)]
    for i in tf.range(n):
        for key, row in zip(d, (0, 1), strict=True):
            d[key].append(i)
            rows[row].append(i * 2)
    return d, rows


@TAKEN.on(*N)
def lists_of_a_helper(n: Any) -> Any:
    def made() -> Any:
        return dict(zip("xy", [[], []], strict=True))

    def fill(d: Any) -> None:
        for i in tf.range(n):
            d["x"].append(i)

    d = made()
    fill(d)
    return d["x"]


@TAKEN.on(*N)
def lists_in_loops_in_loops(n: Any) -> Any:
    d: dict[str, Any] = {"x": [], "few": 0}
    for _ in range(2):
        for i in tf.range(n):
            for j in tf.range(i):
                if j > 0:
                    d["x"].append(i * j)
                else:
                    d["few"] += 1
    return d


@TAKEN.on(*N)
def a_list_of_a_closure(n: Any) -> Any:
    d: dict[str, Any] = {"x": []}

    def add(i: Any) -> None:
        d["x"].append(i)

    for i in tf.range(n):
        add(i)
    return d


@TAKEN.on(*N)
def another_list_of_the_dict_is_known(n: Any) -> Any:
    names: list[str] = []
    d: dict[str, Any] = {"x": [], "names": names}
    for i in tf.range(n):
        d["x"].append(i)
    return d["x"]


@TAKEN.on(*N)
def lists_in_tuples(n: Any) -> Any:
    xs: Any = ([], {"deep": ([], 1)})
    for i in tf.range(n):
        xs[0].append(i)
        xs[1]["deep"][0].append(i * 2)
    return xs


# ---- what is changed in place is so under every name, inside of the statement and behind it


@TAKEN.on(*N)
def read_in_a_loop_by_another_name(n: Any) -> Any:
    a = [n, n + 1]
    b, total = a, 0
    for _ in tf.range(n):
        a.reverse()
        total += b[0]
    return total, b


@TAKEN.on(*N)
def read_in_a_branch_by_another_name(n: Any) -> Any:
    d = {"x": n}
    e, total = d, 0
    if n > 2:
        d.update(x=n + 1)
        total += e["x"]
    return total, e


@TAKEN.on(*N)
def read_by_the_test_of_a_loop(n: Any) -> Any:
    a = [n - n]
    b = a
    while b[0] < n:
        a.append(a.pop() + 1)
    return a, b


@TAKEN.on(*N)
def read_by_an_inner_function(n: Any) -> Any:
    a, total = [n, n + 1], 0
    b = a

    def first() -> Any:
        return b[0]

    for _ in tf.range(n):
        a.reverse()
        total += first()
    return total


@TAKEN.on(*N)
def read_as_an_item_of_a_dict(n: Any) -> Any:
    inner = {"x": n}
    outer, total = {"k": inner}, 0
    for _ in tf.range(n):
        inner.update(x=inner["x"] + 1)
        total += outer["k"]["x"]
    return total, outer


@TAKEN.on(*N)
def changed_as_an_item_of_a_dict(n: Any) -> Any:
    inner = {"x": n, "found": []}
    outer, total = {"k": inner}, 0
    for i in tf.range(n):
        outer["k"].update(x=outer["k"]["x"] + 1)
        outer["k"]["found"].append(i)
        total += inner["x"]
    return total, inner


@TAKEN.on(*N)
def changed_by_one_of_two_keys(n: Any) -> Any:
    a = [n]
    d = {"x": a, "y": a}
    for i in tf.range(n):
        d["x"].append(d["x"].pop() + i)
    return d["y"], a


@TAKEN.on(*N)
def longer_by_both_branches(n: Any) -> Any:
    a = [n]
    d = {"x": a}
    if n > 2:
        d["x"].append(n)
    else:
        d["x"].append(n + 1)
    return a


@TAKEN.on(*N)
def grown_before_it_got_another_name(n: Any) -> Any:
    def add(xs: Any, x: Any) -> None:
        xs.append(x)

    a: list[Any] = []
    for i in tf.range(n):
        a.append(i)
    b, total = a, 0
    for i in tf.range(n):
        a.append(i)
        add(a, i * 2)
        total += len(b)
    if n > 2:
        a.append(n)
    return b, total


@TAKEN.on(*N)
def another_one_takes_its_place(n: Any) -> Any:
    d = {"k": [n, n + 1], "z": 0}
    a, total = d["k"], 0
    for _ in tf.range(n):
        for i in tf.range(n):
            d.update(k=[d["k"][1], d["k"][0] + i])
            total += a[0]
    return d, total, a


@TAKEN.on(*N)
def another_one_gets_the_name(n: Any) -> Any:
    state = {"x": n, "pair": [n, n + 1]}
    first = state
    for _ in tf.range(n):
        state = {"x": state["x"] + first["x"], "pair": state["pair"][::-1]}
    return state, first


@TAKEN.on(*N)
def an_error_leaves_it_as_it_was(n: Any) -> Any:
    a = [n]
    b = a
    try:
        for _ in tf.range(n):
            a.append(a.pop() + 1)
            a[7]
    except IndexError:
        a.append(n)
    return b[-1]


# ---- also where the statement binds the name again, to what it was


@dataclass
class Body:
    """Something that moves."""

    place: Any
    speed: Any = 1


@TAKEN.on(*N)
def a_helper_returns_the_dict_that_it_got(n: Any) -> Any:
    def step(state: Any) -> Any:
        state["x"] = state["x"] + 1
        return state

    state, total = {"x": n}, 0
    first = state
    for _ in tf.range(n):
        state = step(state)
        total += first["x"]
    if n > 2:
        state = step(state)
        total += first["x"]
    return total, first, state


@TAKEN.on(*N)
def a_method_returns_the_dict_of_its_object(n: Any) -> Any:
    class Game:
        def __init__(self) -> None:
            self.state = {"x": n}

        def step(self, state: Any) -> Any:
            state["x"] = state["x"] + 1
            return self.state

    game, total = Game(), 0
    state = game.state
    for _ in tf.range(n):
        state = game.step(state)
        total += game.state["x"]
    return total, state, game.state


@TAKEN.on(*N)
def a_helper_changes_a_dataclass(n: Any) -> Any:
    def step(body: Any) -> Any:
        body.place = body.place + body.speed
        return body

    body, total = Body(n), 0
    first = body
    for _ in tf.range(n):
        body = step(body)
        total += first.place
    if n > 2:
        body = step(body)
        total += first.place
    return total, first.place, body.place


@TAKEN.on(*N)
def dataclasses_in_a_list(n: Any) -> Any:
    def step(body: Any) -> None:
        body.place = body.place + body.speed

    bodies, total = [Body(n), Body(n + 1)], 0
    first = bodies[0]
    for _ in tf.range(n):
        step(bodies[0])
        bodies.append(bodies.pop())
        total += first.place
    return total, first.place, bodies[1].place


@TAKEN.on(*N)
def operators_that_change_their_left_side(n: Any) -> Any:
    d, xs, total = {"x": n}, [n, n + 1], 0
    e, ys = d, xs
    for i in tf.range(n):
        d |= {"x": d["x"] + i}
        xs *= 1
        xs.reverse()
        total += e["x"] * ys[0]
    return total, e, ys


@TAKEN.on(*N)
def a_copy_is_changed(n: Any) -> Any:
    state, total = {"x": n}, 0
    first = state
    for _ in tf.range(n):
        state = dict(state)
        state["x"] = state["x"] + 1
        total += first["x"]
    return state, first, total


@TAKEN.on(*N)
def a_list_in_a_container_that_is_bound_anew(n: Any) -> Any:
    state, pair, total = {"x": n, "rows": [n]}, (n, [n, n + 1]), 0
    body = Body(n, [n])
    rows, turned, speeds = state["rows"], pair[1], body.speed
    for _ in tf.range(n):
        rows[0] = rows[0] + state["x"]
        turned.reverse()
        speeds[0] = speeds[0] * 2
        total = total * 10 + state["rows"][0] + pair[1][0] + body.speed[0]
        state = {"x": state["x"] + 1, "rows": state["rows"]}  # pyrefly: ignore[unsupported-operation]
        pair = (pair[0] + 1, pair[1])
        body = replace(body, place=body.place + speeds[0])
    return state, rows, pair, turned, body.place, body.speed, speeds, total


@TAKEN.on(*N)
def a_helper_that_returns_a_container_with_the_same_list(n: Any) -> Any:
    def step(state: Any) -> Any:
        state["rows"][0] = state["rows"][0] + state["x"]
        return {**state, "x": state["x"] + 1}

    state, total = {"x": n, "rows": [n]}, 0
    rows = state["rows"]
    for _ in tf.range(n):
        state = step(state)
        total += rows[0]
    return state, rows, total


@TAKEN.on(*N)
def an_item_of_what_is_in_a_container_bound_anew(n: Any) -> Any:
    rows = {"now": [n]}
    state = {"rows": rows, "x": n}
    for i in tf.range(n):
        for j in tf.range(i):
            state = {**state, "x": state["x"] + rows["now"][0]}
            rows["now"][0] += j
        state = {**state, "x": state["x"] * 2}  # pyrefly: ignore[unsupported-operation]
    return state, rows


@TAKEN.on(*N)
def a_list_that_grows_in_what_is_in_a_container_bound_anew(n: Any) -> Any:
    rows: dict[str, Any] = {"now": []}
    state = {"rows": rows, "x": n}
    for i in tf.range(n):
        rows["now"].append(i)
        state = {**state, "x": state["x"] + i}
    return state, rows


def _plain(structure: Any) -> Any:
    return tf.nest.map_structure(lambda one: tf.constant(one).numpy().tolist(), structure)


@pytest.mark.sampled
@pytest.mark.parametrize("name", TAKEN)
def test_it_is_as_it_is_eagerly(name: str) -> None:
    function, ((n,),) = TAKEN[name]

    assert _plain(function(tf.constant(n))) == _plain(tf.function(function)(tf.constant(n)))
