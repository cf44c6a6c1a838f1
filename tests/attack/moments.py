"""Attacks on writers at every moment: each of their calls on files meets something, one a trial."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from .system_calls import Fate, Outcome, run
from .writers import NEW, NEXT, WRITERS, Writer


@dataclass(frozen=True)
class Moment:
    """The call of a writer that meets a fate."""

    writer: Writer
    call: int
    fate: Fate

    def __str__(self) -> str:
        return f"{self.writer.name}, call {self.call}, {self.fate.value}"


def attack_with(
    fates: Sequence[Fate],
    count: int,
    seed: int,
    judged: Callable[[Writer, Path, Outcome], Iterator[str]],
) -> list[str]:
    """Try `count` moments, all there are before any comes again; what is judged wrong of them."""
    found: list[str] = []
    with TemporaryDirectory() as place:
        beginnings = _Beginnings(Path(place))
        moments = [
            Moment(writer, call, fate)
            for writer in WRITERS
            for call in range(1, beginnings.calls(writer) + 1)
            for fate in fates
        ]
        random.Random(seed).shuffle(moments)
        for moment in islice(cycle(moments), count):
            folder = beginnings.fresh(moment.writer)
            write = partial(moment.writer.write, folder, NEW)
            outcome = run(write, moment.call, moment.fate)
            lines = [*judged(moment.writer, folder, outcome)]
            found += [f"{moment} ({outcome.call}): {line}" for line in lines]
            shutil.rmtree(folder)
    return found


class _Beginnings:
    """Folders in which the old state of a writer lies."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._made = 0

    def fresh(self, writer: Writer) -> Path:
        self._made += 1
        first = self._place / writer.name / "0"
        if not first.exists():
            first.mkdir(parents=True)
            writer.begin(first)
        return Path(shutil.copytree(first, first.parent / str(self._made)))

    def calls(self, writer: Writer) -> int:
        """How many there are while the new state is written."""
        folder = self.fresh(writer)
        outcome = run(lambda: writer.write(folder, NEW))
        assert not outcome.error, outcome.error
        return outcome.calls


def state_of(writer: Writer, folder: Path, *wanted: int) -> Iterator[str]:
    """What is wrong if the folder does not hold one of these states."""
    try:
        number = writer.read(folder)
    except Exception as error:
        yield f"cannot be read: {type(error).__name__}: {error}"
    else:
        if number not in wanted:
            yield f"state {number} instead of {' or '.join(map(str, wanted))}"


def next_state(writer: Writer, folder: Path) -> Iterator[str]:
    """What is wrong after the next time that something is written."""
    try:
        writer.write(folder, NEXT)
    except Exception as error:
        yield f"cannot be written again: {type(error).__name__}: {error}"
        return
    yield from state_of(writer, folder, NEXT)
    yield from leftovers(writer, folder)


def leftovers(writer: Writer, folder: Path) -> Iterator[str]:
    """What is wrong if there are other files than in the beginning."""
    before, now = _count(folder.parent / "0"), _count(folder)
    if before != now:
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        yield f"{now} files instead of {before}: {' '.join(names)}"


def passing_names(folder: Path) -> Iterator[str]:
    """What is wrong if something is not in its place."""
    for path in folder.rglob(".tensormill-*"):
        yield f"left: {path.relative_to(folder)}"


def _count(folder: Path) -> int:
    return len([*folder.rglob("*")])
