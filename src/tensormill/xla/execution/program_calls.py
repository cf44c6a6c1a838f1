"""Programs are called with the state that is no operand: counters of what they draw, the word that
says which check failed, and how long their lists would have to be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, final

import numpy as np

from ...core import context
from ...core.process.locks import ForkedLock
from ...core.random_state import CompiledCounters, state
from ...eager.storage import Storage
from ...errors import error_of_device
from ...graph.evaluate import run
from ..program import XlaProgram, failure_of, halves_of
from .invocation import Invocation
from .operand_kinds import as_tensor
from .programs import GraphPrograms

Path = tuple[Any, ...]  # the operations that lead to one


@final
class Counters:
    """The counters of a function, by the operations that lead to one that draws."""

    def __init__(self) -> None:
        self._by_path: Final[dict[Path, CompiledCounters]] = {}
        self._turn: Final = ForkedLock()

    def of(self, program: XlaProgram, start: Path) -> list[CompiledCounters]:
        """Those of a program, of a graph to which `start` leads."""
        found: list[CompiledCounters] = []
        for path, number in program.facts.counters.items():
            key = (*start, *path)
            counter = self._by_path.get(key)
            if counter is None:
                made = CompiledCounters((program.facts.seeded[number],))
                counter = self._by_path.setdefault(key, made)
            found.append(counter)
        return found

    def turn(self, program: XlaProgram) -> AbstractContextManager[Any]:
        """While a program runs that tells how far it went: another thread's then goes on there."""
        return nullcontext() if program.advances is not None else self._turn()


@final
class ProgramCalls:
    """Calls the programs of one graph.

    path: the operations that the graph belongs to. counters: of all that belongs to the function;
    numbers go on wherever they are drawn.
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

    def quick(
        self, program: XlaProgram, call: Callable[..., Sequence[Any] | None]
    ) -> Callable[..., Sequence[Any] | None]:
        """The same as `invoke` of one program, whose results may be followed by what variables
        get: what it draws with is looked up once.
        """
        if program.is_plain:
            return call
        if not program.tells_nothing:
            return lambda *arrays: self.invoke(program, call, arrays)
        words_of = _words_ahead(self._counters.of(program, self._path), program)

        def drawing(*arrays: Any) -> Sequence[Any] | None:
            try:
                return call(*arrays, words_of())
            except RuntimeError as error:
                raise error_of_device(error) from error.__cause__

        return drawing

    def _looked_at(
        self,
        program: XlaProgram,
        call: Callable[..., Sequence[Any] | None],
        arrays: Sequence[Any],
        operands: Sequence[Any],
    ) -> Sequence[Any] | None:
        counters = self._counters.of(program, self._path)
        with self._counters.turn(program):
            return self._drawing(program, counters, call, arrays, operands)

    def _drawing(
        self,
        program: XlaProgram,
        counters: Sequence[CompiledCounters],
        call: Callable[..., Sequence[Any] | None],
        arrays: Sequence[Any],
        operands: Sequence[Any],
    ) -> Sequence[Any] | None:
        if counters:
            arrays = (*arrays, halves_of(_words_of(counters, program)))
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


def _words_of(counters: Sequence[CompiledCounters], program: XlaProgram) -> np.ndarray[Any, Any]:
    """The counters for a run, which is not the next one's any more where it is known how far it
    takes them.
    """
    words = np.zeros(program.counters, np.int64)
    with state.lock():
        words[: len(counters)] = [one.words[0] for one in counters]
        for counter, count in zip(counters, program.advances or (), strict=False):
            counter.words[0] += count
    return words


def _words_ahead(
    counters: Sequence[CompiledCounters], program: XlaProgram
) -> Callable[[], np.ndarray[Any, Any]]:
    """What gives the halves of `_words_of` for each run of a program that tells nothing."""
    count, turn = program.counters, state.lock
    steps = [
        (number, one.words, advance)
        for number, (one, advance) in enumerate(zip(counters, program.advances or (), strict=True))
    ]

    def words_of() -> np.ndarray[Any, Any]:
        words = np.zeros(count, np.int64)
        with turn():
            for number, own, advance in steps:
                words[number] = before = own.item()
                own[0] = before + advance
        return halves_of(words)

    return words_of


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
