"""What a program changes on its way, and what is found out of it while it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

from jax.sharding import Mesh

from ..core.process.named_tuples import NamedTuple
from ..graph.ir import Application
from .lists import ListKind


class XlaFailure(NamedTuple):
    """What a check that failed means."""

    error: type[Exception]
    message: str
    operation: Application | None


@final
@dataclass(eq=False)
class WalkFacts:
    """What is found out of a program while it is made."""

    failures: list[XlaFailure] = field(default_factory=list[XlaFailure])
    counters: dict[tuple[Any, ...], int] = field(default_factory=dict[tuple[Any, ...], int])
    # Operands of checks that print them, by the number of the failure.
    told_later: dict[int, tuple[Any, ...]] = field(default_factory=dict[int, "tuple[Any, ...]"])
    seeded: list[bool] = field(default_factory=list[bool])
    # How far each counter goes in a run; None where only the run knows.
    advances: list[int | None] = field(default_factory=list["int | None"])
    steps: list[Application] = field(default_factory=list[Application])
    turns: dict[int, int] = field(default_factory=dict[int, int])  # of loops, by number in `steps`
    mesh: Mesh | None = None  # the devices that share the program
    sites: dict[Any, int] = field(default_factory=dict[Any, int])  # where lists grow in loops
    kinds: dict[Any, Sequence[ListKind | None]] = field(
        default_factory=dict[Any, "Sequence[ListKind | None]"]
    )


@final
@dataclass(eq=False)
class ProgramState:
    """What the program changes."""

    variables: dict[int, Any]  # by slot; those without a value are missing
    counters: Any  # int64, one for each operation that draws
    status: Any  # int64: the number of the failed check, from 1 on, and those of its message
    needed: Any  # int64: how long each list would have to be that is too short
