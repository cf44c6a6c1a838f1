"""Conditional expressions, `and`, `or`, `not` on tensors, and what works inside: B11 to B14."""

from __future__ import annotations

# ruff: noqa: E711, E731, F821
# pyright: reportPossiblyUnboundVariable=false, reportUnboundVariable=false
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import run

# ---- B11: conditional expressions


@behaviour("B11")
def test_a_conditional_expression_is_staged() -> None:
    f = lambda x: x * 2 if x > 0 else -x

    assert [run(f, 3), run(f, -3)] == [6, 3]


@behaviour("B11")
def test_its_messages_name_the_condition() -> None:
    with pytest.raises(TypeError, match="'x > 0' has dtype int32 in the main branch"):
        run(lambda x: 1 if x > 0 else 1.0, 1)
    with pytest.raises(ValueError, match="'x > 0' is None at the end of the else branch"):
        run(lambda x: 1 if x > 0 else None, 1)


@behaviour("B11")
def test_lists_may_be_its_values() -> None:
    f = lambda x: [x, 1] if x > 0 else [2, x]

    assert [run(f, 3), run(f, -3)] == [[3, 1], [2, -3]]


@behaviour("B11")
@differs
def test_conditional_expressions_nest() -> None:
    f = lambda x: 1 if x > 10 else 2 if x > 5 else (3 if x > 0 else 4)

    assert [run(f, n) for n in (11, 6, 1, 0)] == [1, 2, 3, 4]


# ---- B12: and, or


@behaviour("B12")
def test_the_second_operand_runs_only_when_needed() -> None:
    v, calls = tf.Variable(0), []

    def counted(holds: Any) -> Any:
        calls.append(1)
        v.assign_add(1)
        return holds

    @tf.function
    def f(x: Any) -> Any:
        return x > 0 and counted(x > 1), x < 5 or counted(x > 7)

    results = [[bool(one) for one in f(tf.constant(n))] for n in (-1, 1, 6)]
    assert results == [[False, True], [False, True], [True, False]]
    assert v.numpy() == 3  # 0 + 1 + 2
    assert len(calls) == 2


@behaviour("B12")
def test_operands_that_are_no_bools_fail() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="bool"):
        run(lambda x: x and x, 1)


@behaviour("B12")
def test_python_operands_decide_while_tracing() -> None:
    found = []

    def f(x: Any) -> Any:
        found.append(False and x > 0)
        return None or x

    assert run(f, 4) == 4
    assert found == [False]


@behaviour("B12")
def test_a_tensor_and_none_do_not_go_together() -> None:
    with pytest.raises(ValueError, match=r"(?i)branch outputs|None"):
        run(lambda x: (x > 0) and None, 1)


# ---- B13: not, comparisons


@behaviour("B13")
def test_not_is_elementwise_for_bools_only() -> None:
    assert run(lambda x: not x, True) is False
    assert run(lambda x: not x, [True, False]) == [False, True]
    with pytest.raises(TypeError):
        run(lambda x: not x, [1, 0])


@behaviour("B13")
def test_comparisons_form_chains() -> None:
    f = lambda x: 0 < x < 10 < 20

    assert [run(f, n) for n in (-1, 5, 15)] == [False, True, False]


@behaviour("B13")
def test_equality_is_elementwise_and_none_is_told_while_tracing() -> None:
    found = []

    def f(x: Any) -> Any:
        found.append((x == None, x is None))
        return x == tf.constant([1, 3])

    assert run(f, [1, 2]) == [True, False]
    assert found == [(False, False)]


@behaviour("B13")
@pytest.mark.parametrize("other", [1.0, "a"])
def test_equality_with_a_value_of_another_dtype_fails(other: Any) -> None:
    with pytest.raises(TypeError, match=r"(?i)int32"):
        run(lambda x: x == other, 1)


@behaviour("B13")
@differs
def test_a_tensor_can_be_looked_for_in_a_list() -> None:
    assert [run(lambda x: x in [1, 2], n) for n in (2, 3)] == [True, False]


# ---- B14: what works inside


@behaviour("B14")
def test_helpers_nesting_pass_tuples_and_del_work() -> None:
    def helper(x: Any) -> Any:
        if x > 10:
            return x - 10
        if x > 5:
            if x > 7:
                return x * 2
            else:
                return x
        else:
            pass
        return x

    def f(x: Any) -> Any:
        a, b = x, x + 1
        if x > 3:
            a, b = b, a
            c = a
            del c
        else:
            pass
        return helper(a) + b

    assert [run(f, n) for n in (1, 6, 8, 11)] == [3, 13, 26, 13]


@behaviour("B14")
def test_a_deleted_variable_is_used_before_assignment() -> None:
    def f(x: Any) -> Any:
        a = x
        del a
        if x > 0:
            x = x + 1
        return a

    with pytest.raises(UnboundLocalError, match="'a' is used before assignment"):
        run(f, 1)


@behaviour("B14")
def test_a_variable_that_python_never_bound_is_used_before_assignment() -> None:
    def f(x: Any) -> Any:
        if x is None:
            later = x
        return later

    with pytest.raises(UnboundLocalError, match="'later' is used before assignment"):
        run(f, 1)
