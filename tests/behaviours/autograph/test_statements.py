"""Comprehensions, statements and expressions of Python on tensors: statements B42 to B46."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import of_any_length, run

NotAllowed = tf.errors.OperatorNotAllowedInGraphError


# --- comprehensions ---


@behaviour("B42")
def test_comprehensions_over_python_containers_work():
    assert run(lambda a, b: [v * 2 for v in [a, b]], 1, 2) == [2, 4]
    assert run(lambda a: {k: v * 2 for k, v in {"x": a}.items()}, 1) == {"x": 2}
    assert run(lambda a, b: sum(v * 2 for v in (a, b)), 1, 2) == 6


@behaviour("B42")
def test_conditional_expressions_in_comprehensions_are_staged():
    assert run(lambda a, b: [v if v > 1 else 0 for v in [a, b]], 1, 2) == [0, 2]


@behaviour("B42")
def test_an_if_of_a_comprehension_over_python_items_cannot_be_a_tensor():
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda a, b: [v for v in [a, b] if v > 1], 1, 2)


@behaviour("B42")
@differs
def test_comprehensions_over_rows_whose_number_is_known_are_pythons():
    assert run(lambda x: [v * 2 for v in x], [3, 1, 2]) == [6, 2, 4]
    assert run(lambda x: [v for i, v in enumerate(x) if i > 0], [3, 1, 2]) == [1, 2]


@behaviour("B42")
@differs
def test_comprehensions_over_other_rows_are_lists_that_grow():
    assert of_any_length(lambda x: [v * 2 for v in x], [3, 1, 2]) == [6, 2, 4]
    assert of_any_length(lambda x: [v * 2 for v in x if v > 1], [3, 1, 2]) == [6, 4]
    assert of_any_length(lambda x: sum(v * v for v in x if v < 3 if v > 0), [3, 1, 2]) == 5
    assert run(lambda n: [i * i for i in range(n)], 4) == [0, 1, 4, 9]


# --- statements ---


@contextlib.contextmanager
def noted(log: list[str]) -> Any:
    log.append("in")
    yield 5
    log.append("out")


@behaviour("B43", "B47")
def test_with_blocks_work():
    log: list[str] = []

    def f(x):
        with tf.name_scope("scope"), noted(log) as five:
            if x > 0:
                x = x + five
            else:
                x = x - five
        return x

    assert run(f, 1) == 6
    assert log[:2] == ["in", "out"]


def in_with(x: Any) -> Any:
    with tf.name_scope("scope"):
        if x > 0:
            return x
    return -x


def in_try(x: Any) -> Any:
    try:
        if x > 0:
            return x
    finally:
        pass
    return -x


@behaviour("B43")
@differs
@pytest.mark.parametrize("function", [in_with, in_try])
def test_a_return_that_a_tensor_decides_may_stand_in_with_and_try(function: Any):
    assert (run(function, 3), run(function, -4)) == (3, 4)


@behaviour("B43")
def test_a_return_at_the_end_of_try_works():
    log = []

    def f(x):
        try:
            return x * 2
        finally:
            log.append("finally")

    assert run(f, 3) == 6
    assert "finally" in log


@behaviour("B43")
def test_exceptions_of_python_are_caught_while_tracing():
    def f(x):
        try:
            x = {}["key"]
        except KeyError:
            x = x + 1
        else:
            x = x + 10
        finally:
            x = x * 2
        return x

    assert run(f, 3) == 8


@behaviour("B44")
@differs
def test_a_walrus_binds():
    def f(x):
        if (y := x * 2) > 3:
            return y
        while (z := x + 1) < 5:
            x = z
        return -z

    assert (run(f, 3), run(f, 1)) == (6, -5)


@behaviour("B44")
@differs
def test_a_walrus_binds_in_a_lambda():
    assert [run(lambda x: y if (y := x * 2) > 3 else -y, one) for one in (3, 1)] == [6, -2]


def matched(x: Any, shape: Any) -> Any:
    match shape:
        case "same":
            if x > 0:
                return x
            return -x
        case {"plus": y}:
            return x + y
        case [first, *_] if first > 1:
            return x * first
        case _:
            return x * 0


@behaviour("B44")
@differs
def test_match_on_python_values_is_pythons_and_its_cases_are_converted():
    shapes = ("same", {"plus": 4}, [2, 3], [1])

    assert [run(lambda x, s=shape: matched(x, s), -3) for shape in shapes] == [3, 1, -6, 0]


@behaviour("B44")
def test_generators_run_as_written():
    def numbers(x):
        yield x
        yield x + 1

    def f(x):
        total = 0
        for v in numbers(x):
            total = total + v
        return total

    def branches(x):
        if x > 0:
            yield x

    assert run(f, 3) == 7
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda x: list(branches(x)), 3)


@behaviour("B44")
def test_coroutines_run_as_written():
    async def waits(x):
        return x * 2

    async def branches(x):
        return x if x > 0 else -x

    def awaited(coroutine):
        try:
            coroutine.send(None)
        except StopIteration as finished:
            return finished.value

    assert run(lambda x: awaited(waits(x)), 3) == 6
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda x: awaited(branches(x)), 3)


@behaviour("B44")
def test_a_generator_is_no_result():
    def f(x):
        yield x

    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        run(f, 3)


OFFSET = 5


@behaviour("B45")
def test_eval_globals_and_locals_work():
    def f(x):
        y = 1
        seen.append(locals())
        return eval("x + y") + globals()["OFFSET"]

    seen: list[Any] = []
    assert run(f, 3) == 9
    assert set(seen[0]) >= {"x", "y"}
    assert seen[0]["y"] == 1


@behaviour("B45")
def test_f_strings_show_what_there_is_while_tracing():
    assert run(lambda x: f"{x.shape} {x.dtype.name}", [1, 2]) == b"(2,) int32"


@behaviour("B46")
def test_tensors_are_not_changed_and_index_no_lists_of_functions():
    def assigned(x):
        x[0] = 5
        return x

    with pytest.raises(TypeError, match="does not support item assignment"):
        run(assigned, [1, 2])
    with pytest.raises(TypeError, match="list indices must be integers or slices"):
        run(lambda i: [tf.sin, tf.cos][i](0.0), 1)


@behaviour("B46")
@differs
def test_tensors_index_lists_of_tensors():
    def stored(i):
        values = [1, 2, 3]
        values[i] = values[i - 1] * 10
        values[0] += i
        return values

    assert run(lambda i: [1, 2, 3][i], 1) == 2
    assert run(stored, 1) == [2, 10, 3]


@behaviour("B46")
def test_augmented_assignments_work():
    def f(x):
        x += 1
        x -= 2
        x *= 9
        x //= 2
        x **= 2
        x %= 50
        y = tf.cast(x, tf.float32)
        y /= 2
        return x, y

    assert run(f, 3) == (31, 15.5)


@behaviour("B46")
def test_lists_unpack_and_tensors_do_not():
    def starred(a, b):
        first, *rest = [a, b, a]
        return first, rest

    def unpacked(x):
        a, b = x
        return a + b

    assert run(starred, 1, 2) == (1, [2, 1])
    with pytest.raises(NotAllowed, match=r"Iterating over a symbolic `tf\.Tensor` is not allowed"):
        run(unpacked, [1, 2])
