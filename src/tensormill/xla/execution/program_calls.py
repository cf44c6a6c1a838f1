"""Programs are called with the state that is no operand: counters of what they draw, the word that
says which check failed, and how long their lists would have to be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, final

import numpy as np

from ...core import context
from ...core.random_state import CompiledCounters
from ...eager.storage import Storage
from ...errors import error_of_device
from ...graph.evaluate import run
from ..program import XlaProgram, failure_of
from .invocation import Invocation
from .operand_kinds import as_tensor
from .programs import GraphPrograms

Path = tuple[Any, ...]  # the operations that lead to one
Counters = dict[Path, CompiledCounters]


@final
class ProgramCalls:
    """Calls the programs of one graph.

    path: the operations that the graph belongs to. counters: by the operations that lead to one
    that draws; its numbers go on wherever it is done.
    """

    def __init__(self, programs: GraphPrograms, path: Path, counters: Counters) -> None:
        self._programs: Final = programs
        self._path: Final = path
        self._counters: Final = counters

    def inside(self, programs: GraphPrograms, operation: Any) -> ProgramCalls:
        """What calls those of a graph of an operation of this one."""
        return ProgramCalls(programs, (*self._path, operation), self._counters)

    def call(
        self, program: XlaProgram, operands: Sequence[Any], storages: Sequence[Storage]
    ) -> Sequence[Any] | None:
        """What a program gives; None where its lists are too short, and another one is needed."""
        arrays = program.taken([operands[k] for k in program.arrays])
        return self.invoke(program, Invocation(program, storages), arrays, operands)

    def invoke(
        self,
        program: XlaProgram,
        call: Callable[..., Sequence[Any] | None],
        arrays: Sequence[Any],
        operands: Sequence[Any] = (),
    ) -> Sequence[Any] | None:
        """The same of its arrays alone, by what calls it with its variables, whose None is the
        result; `operands` are for what failed checks print.
        """
        try:
            if program.is_plain:
                return call(*arrays)
            return self._looked_at(program, call, arrays, operands)
        except RuntimeError as error:
            raise error_of_device(error) from error.__cause__

    def _looked_at(
        self,
        program: XlaProgram,
        call: Callable[..., Sequence[Any] | None],
        arrays: Sequence[Any],
        operands: Sequence[Any],
    ) -> Sequence[Any] | None:
        counters = [self._counters_of(program, path) for path in program.paths]
        if counters:
            arrays = (*arrays, _words_of(counters, program.counters))
        results = call(*arrays)
        if results is None:
            return None
        found, _, (words, status, needed) = program.split(results)
        if needed is not None:
            lengths = np.asarray(needed).tolist()
            if self._programs.lengthen_lists(program, lengths):
                return None
        if words is not None:
            _count_on(counters, words)
        if status is not None:
            _raise_failed(program, np.asarray(status).tolist(), operands, found)
        return found

    def _counters_of(self, program: XlaProgram, path: Path) -> CompiledCounters:
        key = (*self._path, *path)
        if key not in self._counters:
            seeded = program.facts.seeded[program.facts.counters[path]]
            self._counters[key] = CompiledCounters((seeded,))
        return self._counters[key]


def _words_of(counters: Sequence[CompiledCounters], count: int) -> np.ndarray[Any, Any]:
    words = np.zeros(count, np.int64)
    words[: len(counters)] = [one.words[0] for one in counters]
    return words


def _count_on(counters: Sequence[CompiledCounters], words: Any) -> None:
    for counter, word in zip(counters, words.tolist(), strict=False):
        counter.words[0] = word


def _raise_failed(
    program: XlaProgram, status: Sequence[int], operands: Sequence[Any], found: Sequence[Any]
) -> None:
    """Raise what a failed check means, if one failed."""
    number = status[0]
    if not number:
        return
    if (shown := program.shown.get(number)) is not None:
        _fail_in_kernel(program, number, [one.taken(operands, found) for one in shown])
    raise failure_of(program, status)


def _fail_in_kernel(program: XlaProgram, number: int, operands: Sequence[Any]) -> None:
    """Let the kernel of a failed check say what it is about."""
    operation = program.facts.failures[number - 1].operation
    if operation is not None:
        with context.entered(context.base):
            run(operation, tuple(map(as_tensor, operands)))
