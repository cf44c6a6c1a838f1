"""What a trace did to objects of the user's is taken back, wherever an interrupt comes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import pytest

import tensormill as tf
from tensormill.autograph.runtime.places import containers, in_place, state
from tensormill.autograph.runtime.staged import blocks
from tensormill.core.process import journals
from tensormill.graph import func_graph
from tests.attack.interrupts import quiet
from tests.sampling import PART

# What gives back: each line of these functions is interrupted.
FILES: Final = frozenset(one.__file__ for one in (blocks, func_graph, in_place, journals, state))
FUNCTIONS: Final = frozenset(
    "__call__ _put_back _refill clear_up keep left_for_good put restore set undo".split()
)


class InterruptAt:
    """Raises KeyboardInterrupt at the `number`th of these lines, once; tells where they are."""

    def __init__(self, number: int | None = None) -> None:
        self.number, self.places = number, list[str]()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in FILES or frame.f_code.co_name not in FUNCTIONS:
            return None
        if event in ("call", "line") and (self.number is None or len(self.places) <= self.number):
            self.places.append(f"{name}:{frame.f_lineno} ({event})")
            if len(self.places) - 1 == self.number:
                raise KeyboardInterrupt
        return self

    def run(self, act: Callable[[], Any]) -> None:
        before = sys.gettrace()
        sys.settrace(self)
        try:
            act()
        finally:
            sys.settrace(before)


class Box:
    def __init__(self) -> None:
        self.v: Any = 2


class User:
    """Objects of a user's, and a function that changes them in staged loops and branches."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {"n": 1, "m": [2.0, 3.0]}
        self.rows = [[1], [2]]
        self.last = [4]
        self.box = Box()
        self.total = 5
        self.parts = [self.kept["m"], *self.rows]
        self.contents: Callable[[], Any]
        self.changed = self._made()

    def _made(self) -> Any:
        kept, alias, rows, box, total = self.kept, self.kept["m"], self.rows, self.box, 7
        last = self.last

        def add(i: Any) -> None:
            last[0] += i
            box.v += i

        @tf.function
        def changed(n: Any) -> Any:
            nonlocal total
            for i in tf.range(n):
                kept["m"][0] += 1.0
                kept["n"] += tf.cast(alias[1], tf.int32)
                add(i)
                total = total + i
            if n > 2:
                kept["m"] = [kept["m"][0] * 2.0, 1.0]
                rows[0], rows[1] = rows[1], rows[0]
                self.total = self.total + n
            return kept["n"] + rows[0][0] + box.v + total + self.total, kept["m"][0]

        def contents() -> Any:
            known = zip([kept["m"], *rows], self.parts, strict=True)
            return kept, rows, last, box.v, total, self.total, [now is then for now, then in known]

        self.contents = contents
        return changed


UNCHANGED: Final = (
    {"n": 1, "m": [2.0, 3.0]}, [[1], [2]], [4], 2, 7, 5, [True, True, True],
)  # fmt: skip


def lines_of_a_trace() -> list[str]:
    """Those of any but the first one, which has to find out what calls change."""
    User().changed(tf.constant(3))
    user, counting = User(), InterruptAt()
    counting.run(lambda: user.changed(tf.constant(3)))
    assert user.contents() == UNCHANGED
    return counting.places


def check_interrupt(number: int) -> None:
    user, interrupt = User(), InterruptAt(number)

    with pytest.raises(KeyboardInterrupt):
        interrupt.run(lambda: user.changed(tf.constant(3)))

    assert user.contents() == UNCHANGED, f"interrupted at {interrupt.places[-1]}"
    result, item = user.changed(tf.constant(3))
    assert (int(result), float(item)) == (35, 10.0)


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(PART))
def test_an_interrupt_at_any_line_that_gives_back_leaves_nothing(part: int) -> None:
    last = {place: number for number, place in enumerate(lines_of_a_trace())}

    assert len(last) > 50
    with quiet():
        for number in list(last.values())[part::PART]:
            check_interrupt(number)


def test_no_trace_counts_for_a_holder_after_it_ended() -> None:
    user, others = User(), set(containers.holding)  # an error that a test keeps keeps its frames
    user.changed(tf.constant(3))

    assert set(containers.holding) == others
