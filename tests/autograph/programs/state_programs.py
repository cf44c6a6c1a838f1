"""State that is no plain variable: objects, dataclasses, closures, dicts. Compiled as eagerly."""

from __future__ import annotations

# Some variables are bound in a loop only.
# pyright: reportPossiblyUnboundVariable=false
import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import tensormill as tf
from tests.autograph.programs.registry import Programs

PROGRAMS = Programs()
on = PROGRAMS.on
XS = [3.0, -1.0, 2.0, -4.0, 5.0]


class Statistics:
    """Tensors and Python numbers, changed by methods only."""

    def __init__(self) -> None:
        self.total: Any = 0.0
        self.count: Any = 0
        self.counts = {"calls": 0}

    def add(self, x: Any) -> None:
        self.total = self.total + x
        self.count += 1

    def hit(self) -> None:
        self.counts["calls"] += 1

    def __call__(self, x: Any) -> Any:
        self.total = self.total * 0.5 + x
        return self.total

    @property
    def double(self) -> Any:
        return self.total * 2.0

    @double.setter
    def double(self, value: Any) -> None:
        self.total = value / 2.0


class Slots:
    __slots__ = ("count", "value")

    def __init__(self) -> None:
        self.value: Any = 0.0
        self.count: Any = 0

    def add(self, x: Any) -> None:
        self.value = self.value + x
        self.count += 1


class Items:
    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.values[key] = value


@on((XS,))
def numbers_of_an_object_count(xs: Any) -> Any:
    statistics = Statistics()
    for x in xs:
        if x > 0:
            statistics.add(x)
        statistics.hit()
    return statistics.total, statistics.count, statistics.counts["calls"]


@on((XS,))
def an_object_in_one_branch(xs: Any) -> Any:
    statistics = Statistics()
    if xs[0] > 100:
        statistics.add(xs[0])
    if xs[0] > 1:
        statistics.hit()
    return statistics.total, statistics.count, statistics.counts["calls"]


@on((XS,))
def objects_in_lists_and_dicts(xs: Any) -> Any:
    several, named = [Statistics(), Statistics()], {"a": Statistics()}
    for x in xs:
        for one in several:
            one.add(x)
        if x > 0:
            several[0].total += x
        else:
            several[1].add(x)
        named["a"].add(x * 2)
    return several[0].total, several[1].total, several[1].count, named["a"].total


@on((XS,))
def an_object_within_an_object(xs: Any) -> Any:
    outer = Statistics()
    outer.inner = Statistics()  # pyright: ignore[reportAttributeAccessIssue]
    for x in xs:
        outer.inner.add(x)  # pyright: ignore[reportAttributeAccessIssue]
    return outer.inner.total, outer.inner.count  # pyright: ignore[reportAttributeAccessIssue]


@on((XS,))
def ways_to_call_a_method(xs: Any) -> Any:
    a, b, c, d = Statistics(), Statistics(), Statistics(), Statistics()
    bound, partial = a.add, functools.partial(Statistics.add, b)
    anonymous = lambda x: c.add(x)  # noqa: E731
    total = 0.0
    for x in xs:
        bound(x)
        partial(x)
        anonymous(x)
        total += d(x)
    return [(one.total, one.count) for one in (a, b, c, d)], total


@on((XS,))
def slots_properties_and_items(xs: Any) -> Any:
    slots, statistics, items = Slots(), Statistics(), Items()
    items["a"] = 0.0
    for x in xs:
        slots.add(x)
        statistics.double = statistics.double + x
        items["a"] = items["a"] + x
    return slots.value, slots.count, statistics.double, items["a"]


def _fill(statistics: Statistics, xs: Any) -> Statistics:
    for x in xs:
        statistics.add(x)
    return statistics


@on((XS,))
def a_mean_by_a_helper(xs: Any) -> Any:
    statistics = _fill(Statistics(), xs)
    return statistics.total / float(statistics.count)


# ---- closures


def _counter() -> Callable[[Any], Any]:
    total, count = 0.0, 0

    def add(x: Any) -> Any:
        nonlocal total, count
        total = total + x
        count += 1
        return total, count

    return add


@on((XS,))
def a_variable_around_that_the_return_does_not_read(xs: Any) -> Any:
    total, count = 0.0, 0

    def add(x: Any) -> Any:
        nonlocal total, count
        if x > 0:
            total = total + x
            return x
        while count < 5:
            count += 2
        return -x

    for x in xs:
        add(x)
    return total, count


@on((XS,))
def functions_that_a_bare_return_leaves(xs: Any) -> Any:
    total, seen = 0.0, 0

    def add(x: Any) -> None:
        nonlocal total, seen
        if x < 0:
            return
        while seen < 100:
            if x > 1:
                return
            seen += 50
        total = total + x

    for x in xs:
        add(x)
    return total, seen


@on((XS,))
def the_closure_of_a_factory(xs: Any) -> Any:
    add = _counter()
    sums = 0.0
    for x in xs:
        if x > 0:
            total, _ = add(x)
            sums += total
    return sums, add(0.0)


def _collector() -> tuple[Callable[[Any], None], Callable[[], Any]]:
    values: list[Any] = []

    def put(x: Any) -> None:
        values.append(x)

    return put, lambda: values


@on((XS,))
def two_closures_share_a_list(xs: Any) -> Any:
    put, get = _collector()
    for x in xs:
        put(x * 2)
    return get()


# ---- dataclasses and named tuples


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 0

    def moved(self, by: Any) -> Point:
        return Point(self.x + by, self.y + 1)

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)


@dataclasses.dataclass(frozen=True)
class Body:
    at: Point
    steps: int = 0


class Pair(NamedTuple):
    a: Any
    b: Any


@on((XS,))
def a_dataclass_made_anew(xs: Any) -> Any:
    point, body = Point(0.0), Body(Point(0.0, 0.0))
    for x in xs:
        point = point.moved(x)
        body = dataclasses.replace(body, at=body.at + Point(x, -x), steps=body.steps + 1)
    return point.x, point.y, body.at.x, body.at.y, body.steps


@on((XS,))
def a_dataclass_in_branches(xs: Any) -> Any:
    if xs[0] > 0:
        point = Point(xs[0], 1)
    else:
        point = Point(xs[1], 2)
    other = Point(xs[0], 1) if xs[0] > 10 else Point(xs[1], 2)
    for x in xs:
        if x > 4:
            point = Point(100.0)
        point.x = point.x + x
        point.y += 1
        last = Point(x)
    return point.x, point.y, other.x, other.y, last.x, last.y


def _first_below(xs: Any, bound: Any) -> Point:
    for x in xs:
        if x < bound:
            return Point(x, 1)
    return Point(0.0, 2)


@on((XS, 0.0), (XS, -10.0))
def a_dataclass_returned_early(xs: Any, bound: Any) -> Any:
    point = _first_below(xs, bound)
    return point.x, point.y


@on((XS,))
def a_dataclass_changed_and_made_anew(xs: Any) -> Any:
    point, held, tally = Point(0.0, 0.0), {"last": 0.0}, Statistics()
    for x in xs:
        point.x = x * 2
        if x > 2:
            point = Point(point.x + x, point.y + 1.0)
        held["last"] = point.x
        tally.add(x)
    return point.x, point.y, held, tally.total


@on((XS,))
def a_named_tuple_replaced(xs: Any) -> Any:
    pair = Pair(0.0, 0)
    for x in xs:
        pair = pair._replace(a=pair.a + x)
        if x > 0:
            pair = Pair(pair.a, pair.b + 1)
    return pair


@on((XS,))
def another_point_each_time_leaves_the_first_one_alone(xs: Any) -> Any:
    x = tf.reduce_max(xs)
    point = Point(x)
    first, numbers = point, [x]
    others = numbers
    if x > 0:
        point = Point(x + 1)
        point = Point(x + 2)  # it may come to lie where the first one's copy lay
        numbers = [x + 1]
        numbers = [x + 2]
    return point.x, first.x, numbers, others


class Episode:
    """What a game is in: methods start it anew with constants."""

    def __init__(self) -> None:
        self.position: Any = 0
        self.done: Any = False
        self.counts: dict[str, Any] = {"steps": 0}
        self.last: list[Any] = [0.0]

    def step(self, x: Any) -> None:
        self.position += 1
        self.done = x < 0
        self.counts["steps"] += 1
        self.last[0] = x

    def reset(self) -> None:
        self.position, self.done = 0, False
        self.counts["steps"] = 0
        self.last[0] = 0.0

    def state(self) -> Any:
        return self.position, self.done, self.counts["steps"], self.last[0]


@on((XS,), ([1.0, 2.0, 3.0],))
def constants_of_a_call_under_a_number_of_the_loop(xs: Any) -> Any:
    episode = Episode()
    for x in xs:
        episode.step(x)
        if episode.position > 2:
            episode.reset()
    return episode.state()


@on((XS,), ([1.0, 2.0, 3.0],))
def constants_of_a_call_under_a_flag_of_a_call(xs: Any) -> Any:
    episode, ended = Episode(), 0
    for x in xs:
        episode.step(x)
        if episode.done:
            ended += 1
            episode.reset()
    return episode.state(), ended


@on((XS,), ([-1.0, 2.0, 3.0],))
def constants_of_a_call_in_place_of_tensors(xs: Any) -> Any:
    episode, other = Episode(), Episode()
    episode.step(xs[0])
    other.step(xs[1])
    if xs[0] > 0:
        episode.reset()
    while other.last[0] < 0:
        other.reset()
    return episode.state(), other.state()


# ---- dicts


@on((XS,))
def dicts_changed_in_many_ways(xs: Any) -> Any:
    totals, merged = {"a": 0.0, "b": 0.0}, {"n": 0.0, "m": [0.0, 0]}
    last = {}
    for x in xs:
        for key in totals:
            totals[key] += x
        totals |= {"b": totals["b"] * 2}
        merged = {**merged, "n": merged["n"] + x}
        merged["m"][1] += 1
        last["value"] = x
    return totals, merged, {k: v * 2 for k, v in last.items()}


@on((XS,))
def a_key_that_both_branches_take_away(xs: Any) -> Any:
    values = {"a": xs[0], "scratch": xs[1]}
    if xs[0] > 0:
        values["a"] += values.pop("scratch")
    else:
        del values["scratch"]
    return values


@on((XS,))
def a_gradient_through_an_object(xs: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        statistics = Statistics()
        for x in xs:
            statistics.add(x * x)
        total = statistics.total * float(statistics.count)
    return tape.gradient(total, xs)


# ---- containers in containers that are replaced, or change places


@on((2,), (4,), (7,))
def a_list_in_a_dict_begun_anew_now_and_then(n: Any) -> Any:
    state: Any = {"history": [tf.constant(0), tf.constant(0)], "best": tf.constant(0)}
    for i in tf.range(n):
        state["history"][0] += i
        state["history"][1] += 1
        if i % 3 == 2:
            state["best"] = tf.maximum(state["best"], state["history"][0])
            state["history"] = [tf.constant(0), tf.constant(0)]
    return state


@on((0,), (1,), (2,), (3,))
def two_buffers_that_change_places(n: Any) -> Any:
    rows = {"now": [n + 1], "next": [n + 10]}
    scene = dataclasses.make_dataclass("Scene", ["now", "next"])([n + 1], [n + 10])
    for i in tf.range(n):
        rows["now"], rows["next"] = rows["next"], rows["now"]
        rows["now"][0] += i
        scene.now, scene.next = scene.next, scene.now
        scene.now[0] += i
    return rows, scene.now, scene.next


def _swap(rows: Any) -> None:
    rows["now"], rows["next"] = rows["next"], rows["now"]


@on((0,), (1,), (2,), (3,))
def two_rows_whose_places_a_helper_changes(n: Any) -> Any:
    rows = {"now": [n + 1], "next": [n + 10]}
    turned = [{"x": n}, {"x": n + 1}, {"x": n + 2}]
    chosen = {"now": {"x": n + 1}, "next": {"x": n + 10}}
    for _ in tf.range(n):
        _swap(rows)
        _last_first(turned)
    if n > 1:
        _swap(chosen)
    return rows, turned, chosen


def _last_first(rows: Any) -> None:
    rows.insert(0, rows.pop())


@on((0,), (1,), (3,))
def a_row_with_two_names_that_one_of_them_leaves(n: Any) -> Any:
    row = [n + 1]
    one, other = {"row": row}, {"row": row}
    for _ in tf.range(n):
        one["row"] = [one["row"][0] + 1]
        other["row"][0] = other["row"][0] * 2
    return one, other, row
