"""Small functions written out as Python: what walks through one known structure, without a walk.

A walk asks of every part what it is. Where the structure is known, the questions are a line each,
and Python runs them some ten times as quickly. Texts hold nothing of users': names, keys, classes
and values are constants, `c0`, `c1`, …, which the made function is given.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, final


@final
class FunctionText:
    """Lines of a function to be made, and the constants in them.

    >>> text = FunctionText("value")
    >>> text.add(f"return value + {text.constant(2)}")
    >>> text.made()(3)
    5
    """

    def __init__(self, parameters: str) -> None:
        self._parameters: Final = parameters
        self._lines: Final[list[str]] = []
        self._constants: Final[list[Any]] = []
        self._names = 0
        self._indent = ""

    def add(self, line: str) -> None:
        """Write a line, which is a statement of its own."""
        self._lines.append(self._indent + line)

    @contextmanager
    def block(self, head: str) -> Generator[None]:
        """What is added within belongs to a statement that begins with a line: "try:"."""
        self.add(head)
        before, self._indent = self._indent, f"{self._indent}    "
        yield
        self._indent = before

    def constant(self, value: Any) -> str:
        """What stands for a value."""
        self._constants.append(value)
        return f"c{len(self._constants) - 1}"

    def name(self) -> str:
        """A name that no other line uses yet."""
        self._names += 1
        return f"x{self._names}"

    def made(self) -> Callable[..., Any]:
        """The function."""
        names = ", ".join(f"c{k}" for k in range(len(self._constants)))
        body = "\n".join(f"        {line}" for line in self._lines)
        text = f"def make({names}):\n    def made({self._parameters}):\n{body}\n    return made\n"
        return _maker(text)(*self._constants)


@lru_cache(1024)
def _maker(text: str) -> Callable[..., Any]:
    """What makes the function of a text for its constants: equal structures share it."""
    found: dict[str, Any] = {}
    exec(compile(text, "<written>", "exec"), found)
    return found["make"]
