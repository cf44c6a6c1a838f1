"""Equal expressions are one object, for as long as anybody holds it."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tensormill.compiler.loops.interning import Interned
from tensormill.compiler.loops.ir import Address, Apply, Buffer, Expression, Literal, Load, Local

INDEX, N = Local("i", "i64"), Local("n", "i64")
X = Buffer("x", "f32", (N,), "input")


def one(value: Any) -> Literal:
    return Literal(value, "i64")


MAKERS: dict[str, Callable[[], Expression]] = {
    "a literal": lambda: one(3),
    "a NaN": lambda: Literal(math.nan, "f32"),
    "a complex number": lambda: Literal(1 - 2j, "c64"),
    "a function": lambda: Apply("add", (INDEX, one(1)), "i64"),
    "a load": lambda: Load(X, (Apply("sub", (N, one(1)), "i64"),)),
    "an address": lambda: Address(X),
}


@pytest.mark.parametrize("name", MAKERS)
def test_equal_expressions_are_one_object(name: str) -> None:
    assert MAKERS[name]() is MAKERS[name]()


@pytest.mark.parametrize("name", ["a literal", "a NaN", "a complex number"])
def test_copies_are_the_object_itself(name: str) -> None:
    made = MAKERS[name]()

    assert made is copy.copy(made)
    assert made is copy.deepcopy(made)
    assert made is pickle.loads(pickle.dumps(made))


def test_a_deep_copy_has_names_of_its_own_as_before() -> None:
    made = Apply("add", (INDEX, INDEX), "i64")
    copied = copy.deepcopy(made)

    assert copied is not made
    assert copied.arguments[0] is copied.arguments[1]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0.0, -0.0), (1, True), (1, 1.0), (complex(1, 0.0), complex(1, -0.0)),
        (math.inf, -math.inf), (np.float32(0.0), np.float32(-0.0)),
        (np.complex64(complex(0, 0.0)), np.complex64(complex(0, -0.0))),
    ],
)  # fmt: skip
def test_literals_that_are_written_otherwise_are_others(a: Any, b: Any) -> None:
    assert one(a) is not one(b)
    assert one(a) != one(b)


def test_expressions_have_no_other_fields() -> None:
    made = Apply("neg", (INDEX,), "i64")

    with pytest.raises(AttributeError):
        made.arguments = (N,)  # type: ignore[misc]


def test_expressions_of_other_parts_are_others() -> None:
    y = Buffer("x", "f32", (N,), "input")

    assert Load(X, (INDEX,)) is not Load(y, (INDEX,))
    assert Load(X, (INDEX,)) is not Load(X, (N,))
    assert Load(X, (INDEX,)) != Apply("neg", (INDEX,), "i64")
    assert Apply("neg", (INDEX,), "i64") is not Apply("neg", (INDEX,), "i32")


def known(kind: type[Interned]) -> int:
    return len(kind._known)  # pyright: ignore[reportPrivateUsage]


def test_nobody_remembers_what_nobody_holds() -> None:
    gc.collect()
    before = known(Apply), known(Literal)
    chain: Expression = INDEX
    for number in range(1_000):
        chain = Apply("add", (chain, one(100_000 + number)), "i64")

    assert known(Apply) == before[0] + 1_000
    del chain
    assert (known(Apply), known(Literal)) == before


def test_threads_that_make_and_drop_the_same_find_one_object() -> None:
    """While it is dropped and made again by all of them."""
    start, wrong = threading.Barrier(4), list[int]()

    def work() -> None:
        start.wait()
        for number in range(2_000):
            first = Apply("mul", (INDEX, one(number % 3)), "i64")
            if first is not Apply("mul", (INDEX, one(number % 3)), "i64"):
                wrong.append(number)
            del first

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not wrong


def test_hashing_and_comparing_do_not_go_through_what_is_inside() -> None:
    """Written out, it would have 2 ** 200 names."""

    def doubled() -> Expression:
        x: Expression = INDEX
        for _ in range(200):
            x = Apply("add", (x, x), "i64")
        return x

    made = doubled()
    assert made == doubled()
    assert {made: "known"}[doubled()] == "known"


def test_nodes_are_shown_as_they_are_made() -> None:
    assert repr(Local("i", "i64")) == "Local(name='i', type='i64', mutable=False)"
    assert repr(Literal(2, "i64")) == "Literal(value=2, type='i64')"
