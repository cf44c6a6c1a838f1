"""Notes of how often code is traced: a loop takes back what the traces that it throws away do."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

Note = TypeVar("Note")


class TraceNotes(Sequence[Note], Generic[Note]):
    """A list that stays as it is: nothing but this leads to it."""

    def __init__(self) -> None:
        self._notes = ContextVar[list[Note]]("notes")
        self._notes.set([])

    def append(self, note: Note) -> None:
        self._notes.get().append(note)

    def clear(self) -> None:
        self._notes.get().clear()

    def __getitem__(self, place: Any) -> Any:
        return self._notes.get()[place]

    def __len__(self) -> int:
        return len(self._notes.get())

    def __eq__(self, other: object) -> bool:
        return self._notes.get() == (other[:] if isinstance(other, TraceNotes) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._notes.get())
