"""Whether a program is worth giving up Python's lock for."""

from __future__ import annotations

from typing import Final

from .loops.costs import known_cost, may_take_longer
from .loops.ir import Program, Repeat
from .loops.walk import every_statement

# Work below which a call is over before another thread could start: about 10 us.
SHORT: Final = 1_000_000


def is_long(program: Program) -> bool:
    """Whether it may run for longer than some microseconds: loops without a known end do."""
    statements = every_statement(program.body)
    is_open = any(isinstance(one, Repeat) or may_take_longer(one) for one in statements)
    return is_open or known_cost(program.body) > SHORT
