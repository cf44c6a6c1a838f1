"""Lists that somebody else knows: staged code changes them for everybody, or refuses to."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
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


def _plain(structure: Any) -> Any:
    return tf.nest.map_structure(lambda one: tf.constant(one).numpy().tolist(), structure)


@pytest.mark.parametrize("name", TAKEN)
def test_it_is_as_it_is_eagerly(name: str) -> None:
    function, ((n,),) = TAKEN[name]

    assert _plain(function(tf.constant(n))) == _plain(tf.function(function)(tf.constant(n)))
