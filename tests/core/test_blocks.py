"""Blocks in which a context variable has another value, and signals that come at any step."""

from __future__ import annotations

from contextvars import ContextVar

import pytest

from tensormill.core.blocks import setting
from tests.attack.interrupting import Interrupter

VARIABLE: ContextVar[str] = ContextVar("test", default="outside")


def test_a_block_sets_and_restores() -> None:
    with setting(VARIABLE, "inside", gives="this") as given:
        assert (VARIABLE.get(), given) == ("inside", "this")
        with setting(VARIABLE, "within"):
            assert VARIABLE.get() == "within"
        assert VARIABLE.get() == "inside"
    assert VARIABLE.get() == "outside"


def test_what_is_raised_in_a_block_comes_out() -> None:
    with pytest.raises(ZeroDivisionError), setting(VARIABLE, "inside"):
        1 / 0  # noqa: B018
    assert VARIABLE.get() == "outside"


@pytest.mark.parametrize("instruction", range(25))
def test_an_interrupt_at_any_step_restores(instruction: int) -> None:
    def act() -> None:
        with setting(VARIABLE, "inside"):
            VARIABLE.get()
            VARIABLE.get()

    lines, came = 0, 0
    while (lines := lines + 1) < 100:
        interrupter = Interrupter(lines, instruction)
        came += interrupter.run(act)
        assert VARIABLE.get() == "outside", interrupter.place
        if interrupter.lines < lines:
            break
    assert came >= 3 or instruction > 5
    assert lines < 100
