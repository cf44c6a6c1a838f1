"""Objects with the line that made them: `framework.traceable_stack`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, ClassVar


class TraceableObject:
    """An object, and a line of code."""

    SUCCESS: ClassVar[int] = 0
    HEURISTIC_USED: ClassVar[int] = 1
    FAILURE: ClassVar[int] = 2

    def __init__(self, obj: Any, filename: str | None = None, lineno: int | None = None) -> None:
        self.obj, self.filename, self.lineno = obj, filename, lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Note the line of who calls, or so many calls further out: SUCCESS, or HEURISTIC_USED
        where there are not so many and the outermost is taken.
        """
        frames = inspect.stack(0)[1:]
        frame = frames[min(offset, len(frames) - 1)]
        self.filename, self.lineno = frame.filename, frame.lineno
        return self.SUCCESS if offset < len(frames) else self.HEURISTIC_USED

    def copy_metadata(self, new_obj: Any) -> TraceableObject:
        """Another object with the same line."""
        return TraceableObject(new_obj, self.filename, self.lineno)


class TraceableStack:
    """A stack of such objects."""

    def __init__(self, existing_stack: list[TraceableObject] | None = None) -> None:
        self._stack = existing_stack[:] if existing_stack else []

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Put an object on top, with the line of who calls."""
        found = TraceableObject(obj)
        self._stack.append(found)
        return found.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self) -> Any:
        """Take the object on top."""
        return self._stack.pop().obj

    def peek_top_obj(self) -> Any:
        """The object on top."""
        return self._stack[-1].obj

    def peek_objs(self) -> Iterator[Any]:
        """All objects, the one on top first."""
        return (one.obj for one in reversed(self._stack))

    def peek_traceable_objs(self) -> Iterator[TraceableObject]:
        """All, with their lines."""
        return reversed(self._stack)

    def __len__(self) -> int:
        return len(self._stack)

    def copy(self) -> TraceableStack:
        """Another stack of the same objects."""
        return TraceableStack(self._stack)
