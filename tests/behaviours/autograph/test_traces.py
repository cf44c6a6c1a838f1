"""How often the body of a staged loop is traced: statements B15 and B21."""

from __future__ import annotations

# Some variables get their value in a loop.
# pyright: reportPossiblyUnboundVariable=false
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import run


@behaviour("B15")
def test_loops_in_loops_are_traced_once_each() -> None:
    calls = []

    def f(n: Any) -> Any:
        total = 0
        for i in tf.range(n):
            calls.append("rows")
            for k in tf.range(i):
                calls.append("columns")
                while total < k:
                    calls.append("steps")
                    total += 1
                if total > 3:
                    calls.append("large")
        return total

    assert run(f, 4) == 2
    assert calls == ["rows", "columns", "steps", "large"]


@behaviour("B15")
def test_an_exception_of_a_body_is_raised_the_first_time() -> None:
    calls = []

    def f(xs: Any) -> Any:
        total = 0.0
        for x in xs:
            for _ in tf.range(2):
                calls.append("body")
                total = total + x
                len(calls[0][0] + 1)  # pyright: ignore[reportOperatorIssue]
        return total

    with pytest.raises(TypeError, match="concatenate str"):
        run(f, [1.0])
    assert calls == ["body"]


@behaviour("B21")
@differs
def test_a_variable_without_a_value_costs_no_second_trace() -> None:
    calls = []

    def f(xs: Any) -> Any:
        for x in xs:
            calls.append("body")
            y = x * 2
        return y

    assert run(f, [1, 2]) == 4
    assert calls == ["body"]
